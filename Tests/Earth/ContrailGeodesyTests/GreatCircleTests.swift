import ContrailGeodesy
import ContrailTestSupport
import Testing

@Suite struct GreatCircleTests {
  private let london = Coordinate(latitude: 51.4775, longitude: -0.4614)
  private let newYork = Coordinate(latitude: 40.6398, longitude: -73.7789)

  @Test func aMinuteOfArcIsANauticalMileNearEnough() {
    let distance = Coordinate(latitude: 0, longitude: 0).distanceNM(to: Coordinate(latitude: 1, longitude: 0))
    // 6,371.0088 km × π / 180 / 1.852.
    #expect(abs(distance - 60.040_47) < 1e-4)
  }

  @Test func distanceIsSymmetricAndNeedsNoCare() {
    #expect(abs(london.distanceNM(to: newYork) - 2991.6) < 1)
    #expect(london.distanceNM(to: newYork) == newYork.distanceNM(to: london))
    #expect(london.distanceNM(to: london) == 0)
    let opposite = Coordinate(latitude: -51.4775, longitude: 179.5386)
    #expect(abs(london.distanceNM(to: opposite) - .pi * Earth.meanRadiusNM) < 1e-6)
    let near = Coordinate(latitude: 51.4775, longitude: -0.4614 + 1e-9)
    #expect(abs(london.distanceNM(to: near) * 1852 - 6.93e-5) < 1e-6)
    #expect(london.distanceNM(to: Coordinate(latitude: 51.4775, longitude: 359.5386)) < 1e-9)
  }

  @Test func theSphereIsWithinHalfAPercentOfTheEllipsoid() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let a = Coordinate(latitude: random.double(-90...90), longitude: random.double(-180...180))
      let b = Coordinate(latitude: random.double(-90...90), longitude: random.double(-180...180))
      #expect(abs(a.distanceNM(to: b) / a.geodesicDistanceNM(to: b) - 1) < 0.005_7)
    }
  }

  @Test func azimuthsPointTheWay() {
    let origin = Coordinate(latitude: 0, longitude: 0)
    #expect(origin.azimuth(to: Coordinate(latitude: 1, longitude: 0)) == 0)
    #expect(abs(origin.azimuth(to: Coordinate(latitude: 0, longitude: 1)) - 90) < 1e-12)
    #expect(abs(origin.azimuth(to: Coordinate(latitude: -1, longitude: 0)) - 180) < 1e-12)
    #expect(abs(origin.azimuth(to: Coordinate(latitude: 0, longitude: -1)) - 270) < 1e-12)
    #expect(origin.azimuth(to: origin) == 0)
    let exact = Geodesic.inverse(from: london, to: newYork).initialAzimuth
    #expect(abs(london.azimuth(to: newYork) - exact) < 0.2)
  }

  @Test func theDestinationLiesAtTheDistanceAndAzimuth() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<300 {
      let start = Coordinate(latitude: random.double(-89...89), longitude: random.double(-180...180))
      let (azimuth, distance) = (random.double(0...359.9), random.double(0.01...10_000))
      let end = start.destination(azimuth: azimuth, distanceNM: distance)
      #expect(abs(start.distanceNM(to: end) - distance) < 1e-8)
      #expect(abs((start.azimuth(to: end) - azimuth).remainder(dividingBy: 360)) < 1e-6)
    }
  }

  @Test func interpolationDividesTheWay() {
    for fraction in stride(from: 0.0, through: 1, by: 0.125) {
      let point = london.interpolated(to: newYork, fraction: fraction)
      let whole = london.distanceNM(to: newYork)
      #expect(abs(london.distanceNM(to: point) - fraction * whole) < 1e-8)
      #expect(abs(point.distanceNM(to: newYork) - (1 - fraction) * whole) < 1e-8)
    }
    #expect(london.interpolated(to: newYork, fraction: 0) == london)
    #expect(london.interpolated(to: newYork, fraction: 1) == newYork)
    #expect(london.interpolated(to: london, fraction: 0.5) == london)
  }

  @Test func betweenOppositePointsSomeShortestWayIsTaken() {
    let (a, b) = (Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 180))
    let middle = a.interpolated(to: b, fraction: 0.5)
    #expect(abs(a.distanceNM(to: middle) - b.distanceNM(to: middle)) < 1e-6)
    let (north, south) = (Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 0))
    #expect(abs(north.interpolated(to: south, fraction: 0.5).latitude) < 1e-9)
  }

  @Test func crossAndAlongTrackSplitTheDistance() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<200 {
      let start = Coordinate(latitude: random.double(-80...80), longitude: random.double(-180...180))
      let end = start.destination(azimuth: random.double(0...360), distanceNM: 1000)
      let along = random.double(-500...1500)
      let track = start.destination(azimuth: start.azimuth(to: end), distanceNM: along)
      // A point abeam, to the right.
      let ahead = start.destination(azimuth: start.azimuth(to: end), distanceNM: along + 1)
      let across = random.double(0.1...300)
      let right = track.destination(azimuth: track.azimuth(to: ahead) + 90, distanceNM: across)
      let left = track.destination(azimuth: track.azimuth(to: ahead) - 90, distanceNM: across)
      #expect(abs(right.crossTrackNM(from: start, to: end) - across) < 1e-6)
      #expect(abs(left.crossTrackNM(from: start, to: end) + across) < 1e-6)
      #expect(abs(right.alongTrackNM(from: start, to: end) - along) < 1e-4)
      let nearest =
        along < 0 ? start.distanceNM(to: right) : along > 1000 ? end.distanceNM(to: right) : across
      #expect(abs(right.distanceNM(toLegFrom: start, to: end) - nearest) < 1e-4)
    }
  }

  @Test func densifyingKeepsPointsAndLimitsLegs() {
    let route = [london, newYork, newYork, Coordinate(latitude: 25.8, longitude: -80.3)]
    let dense = route.densified(maximumNM: 50)
    #expect(dense.first == route.first && dense.last == route.last)
    #expect(route.allSatisfy(dense.contains))
    for (a, b) in zip(dense, dense.dropFirst()) { #expect(a.distanceNM(to: b) <= 50.000_001) }
    #expect(abs(dense.lengthNM - route.lengthNM) < 1e-6)
    #expect(route.densified(maximumNM: 0) == route)
    #expect(route.densified(maximumNM: .nan) == route)
    #expect([Coordinate]().densified(maximumNM: 1).isEmpty)
    let lost = [london, Coordinate(latitude: .nan, longitude: 0)]
    #expect(lost.densified(maximumNM: 1).count == 2)
    #expect([london, newYork].densified(maximumNM: 1e-300).count == Coordinate.mostPartsPerLeg + 1)
  }

  @Test func aRouteIsInterpolatedByLength() {
    let route = [london, newYork, Coordinate(latitude: 25.8, longitude: -80.3)]
    #expect(route.interpolated(fraction: -1) == london)
    #expect(route.interpolated(fraction: 2) == route[2])
    let middle = route.interpolated(fraction: 0.5)
    #expect(middle.map { abs(london.distanceNM(to: $0) - route.lengthNM / 2) < 1e-6 } == true)
    #expect([Coordinate]().interpolated(fraction: 0.5) == nil)
  }
}

import ContrailGeodesy
import ContrailTestSupport
import Testing

@Suite struct CorridorTests {
  /// Each kind of route: short and long legs, gentle and sharp turns, near the poles and across the antimeridian.
  private struct Case {
    var route: [Coordinate]
    var widthNM: Double
  }

  private func cases(seed: UInt64, count: Int) -> [Case] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      let start = Coordinate(
        latitude: random.double(-1...1) * (index % 3 == 0 ? 89.9 : 70), longitude: random.double(-180...180))
      let leg = [3.0, 30, 150, 900][index % 4]
      return Case(
        route: wanderingRoute(
          &random, from: start, points: random.int(1...10), legNM: leg, turn: index % 5 == 0 ? 180 : 45),
        widthNM: [100.0, 10, 2, 500][(index / 4) % 4])
    }
  }

  @Test func everyVertexLiesHalfTheWidthFromTheRoute() throws {
    var random = SplitMix64(seed: 8)
    for (number, one) in cases(seed: 1, count: 48).enumerated() {
      let half = one.widthNM / 2 * Earth.metersPerNM
      for simplify in [false, true] {
        let ring = try one.route.corridor(widthNM: one.widthNM, simplify: simplify)
        for _ in 0..<12 {
          let distance = exactDistance(from: ring[random.int(0...(ring.count - 1))], to: one.route)
          #expect(abs(distance / half - 1) < 0.001, "case \(number)")
        }
      }
    }
  }

  @Test func noPointOfTheRouteIsOutside() throws {
    for (number, one) in cases(seed: 2, count: 80).enumerated() {
      let ring = try Ring(one.route.buffer(widthNM: one.widthNM))
      for point in one.route.densified(maximumNM: max(one.widthNM / 4, one.route.lengthNM / 200)) {
        #expect(ring.contains(point), "case \(number)")
      }
    }
  }

  @Test func everyRingIsPlainAndCounterClockwiseAndAtMost250Points() throws {
    for (number, one) in cases(seed: 3, count: 80).enumerated() {
      let ring = try one.route.corridor(widthNM: one.widthNM)
      #expect(ring.count >= 4 && ring.count <= 250)
      #expect(ring.first == ring.last)
      #expect(ring.polygonError() == nil, "case \(number)")
      #expect(ring.orientation == .counterClockwise, "case \(number)")
      let full = try one.route.corridor(widthNM: one.widthNM, simplify: false)
      #expect(full.polygonError(maximumCount: .max) == nil, "case \(number)")
    }
  }

  @Test func theAreaIsThatOfAStripWithRoundEnds() throws {
    let route = [Coordinate(latitude: 50, longitude: -5), Coordinate(latitude: 41, longitude: -70)]
    let ring = try route.corridor(widthNM: 100, simplify: false)
    let half = 50 * Earth.metersPerNM
    let length = route[0].geodesicDistanceMeters(to: route[1])
    let area = Geodesic.area(of: ring)
    #expect(abs(area / (2 * half * length + .pi * half * half) - 1) < 0.001)
  }

  @Test func aPointGivesACircle() throws {
    let center = Coordinate(latitude: 64.1, longitude: -21.9)
    let ring = try [center].corridor(widthNM: 60)
    for point in ring { #expect(abs(point.geodesicDistanceNM(to: center) / 30 - 1) < 1e-4) }
    #expect(try [center, center, center].corridor(widthNM: 60) == ring)
  }

  @Test func aRouteAcrossTheAntimeridianGivesOneRing() throws {
    let route = line([(170, 40), (-170, 45)])
    let ring = try route.corridor(widthNM: 100)
    #expect(ring.allSatisfy { abs($0.longitude) <= 180 })
    #expect(try Ring(ring).contains(Coordinate(latitude: 43, longitude: 180)))
    let unwrapped = ring.unwrapped()
    for (a, b) in zip(unwrapped, unwrapped.dropFirst()) { #expect(abs(a.longitude - b.longitude) < 180) }
    #expect(unwrapped.first == unwrapped.last)
    let parts = ring.splitAtAntimeridian()
    #expect(parts.count == 2)
    #expect(parts.allSatisfy { $0.polygonError(maximumCount: .max) == nil && $0.orientation == .counterClockwise })
  }

  @Test func aRouteOverThePoleGivesARingRoundIt() throws {
    for sign in [1.0, -1] {
      let route = [Coordinate(latitude: sign * 80, longitude: 20), Coordinate(latitude: sign * 80, longitude: -158)]
      let ring = try Ring(route.corridor(widthNM: 100))
      #expect(ring.pole == (sign > 0 ? .north : .south))
      #expect(ring.contains(Coordinate(latitude: sign * 90, longitude: 0)))
      #expect(ring.contains(Coordinate(latitude: sign * 85, longitude: 20)))
      #expect(!ring.contains(Coordinate(latitude: sign * 85, longitude: -60)))
    }
    let onPole = try Ring([Coordinate(latitude: 90, longitude: 0)].corridor(widthNM: 100))
    #expect(onPole.pole == .north)
  }

  @Test func anEdgeThroughThePoleIsMovedAside() throws {
    // The pole lies just on the rim.
    let meters = Coordinate(latitude: 89, longitude: 0).geodesicDistanceMeters(
      to: Coordinate(latitude: 90, longitude: 0))
    let ring = [Coordinate(latitude: 89, longitude: 0)].buffer(widthNM: 2 * meters / Earth.metersPerNM)
    #expect(throws: Never.self) { try Ring(ring) }
    #expect(ring.polygonError() == nil)
  }

  @Test func aRouteThatMeetsItselfIsOneRingWithoutHoles() throws {
    // Out and back, a figure of eight, a closed circuit, and a hold flown many times.
    let there = line([(0, 50), (10, 51), (20, 50)])
    let back = there + there.reversed()
    let eight = line([(0, 0), (5, 5), (10, 0), (10, 5), (5, 0), (0, 5)])
    let circuit = line([(0, 40), (20, 40), (20, 55), (0, 55), (0, 40)])
    let hold = (0..<400).map {
      Coordinate(latitude: 51, longitude: 0).destination(azimuth: Double($0 * 10), distanceNM: 8)
    }
    for route in [back, eight, circuit, hold] {
      let ring = try route.corridor(widthNM: 60)
      #expect(ring.polygonError() == nil)
      let area = try Ring(ring)
      #expect(route.allSatisfy(area.contains))
    }
    #expect(try Ring(circuit.corridor(widthNM: 60)).contains(Coordinate(latitude: 47, longitude: 10)))
    let (one, two) = (try there.corridor(widthNM: 60, simplify: false), try back.corridor(widthNM: 60, simplify: false))
    #expect(abs(Geodesic.area(of: one) / Geodesic.area(of: two) - 1) < 0.001)
  }

  @Test func aRingIsBufferedOutwards() throws {
    let square = line([(0, 40), (20, 40), (20, 55), (0, 55), (0, 40)])
    let ring = try Ring(square.corridor(widthNM: 60))
    #expect(ring.contains(Coordinate(latitude: 48, longitude: 10)))
    #expect(ring.areaSquareMeters > (try Ring(square)).areaSquareMeters)
  }

  @Test func aRouteRoundAPoleHoldsItWithTheHoleThatIsDropped() throws {
    let route = (0...36).map { Coordinate(latitude: 70 + Double($0 % 2), longitude: Double($0) * 10 - 180) }
    let ring = try Ring(route.corridor(widthNM: 100))
    #expect(ring.pole == .north)
    #expect(route.allSatisfy(ring.contains))
  }

  @Test func aCurlMuchSmallerThanTheWidthGivesNearlyACircle() throws {
    var random = SplitMix64(seed: 10)
    for _ in 0..<40 {
      let start = Coordinate(latitude: random.double(-80...80), longitude: random.double(-180...180))
      let route = wanderingRoute(&random, from: start, points: 11, legNM: 1, turn: 180)
      let ring = try route.corridor(widthNM: 100)
      #expect(ring.orientation == .counterClockwise)
      #expect(ring.polygonError() == nil)
      #expect(Geodesic.area(of: ring) > .pi * 92_000 * 92_000)
    }
  }

  @Test func aCorridorTooNarrowForItsLengthIsRefusedUnlessATolerancePermits() throws {
    var random = SplitMix64(seed: 12)
    let route = wanderingRoute(
      &random, from: Coordinate(latitude: 10, longitude: 10), points: 400, legNM: 20, turn: 120)
    #expect(throws: GeodesyError.tooNarrow) { try route.corridor(widthNM: 0.1) }
    #expect(try route.corridor(widthNM: 0.1, tolerance: 5).polygonError(maximumCount: .max) == nil)
  }

  @Test func aJitteryTrackGivesAPlainRing() throws {
    var random = SplitMix64(seed: 9)
    let track = (0..<1000).map { index in
      Coordinate(latitude: 50, longitude: 0).destination(azimuth: 80, distanceNM: Double(index) * 0.12)
        .destination(azimuth: random.double(0...360), distanceNM: 0.02)
    }
    let ring = try track.corridor(widthNM: 100)
    #expect(ring.polygonError() == nil)
    let area = try Ring(ring)
    #expect(track.allSatisfy(area.contains))
  }

  @Test func everyFaultIsReportedWithItsPlace() {
    let good = line([(0, 0), (1, 1)])
    #expect(throws: GeodesyError.routeEmpty) { try [Coordinate]().corridor(widthNM: 10) }
    for width in [0, -1, .nan, .infinity, 1e9, 1e-9] {
      #expect(throws: GeodesyError.width) { try good.corridor(widthNM: width) }
    }
    for tolerance in [-1.0, .nan] {
      #expect(throws: GeodesyError.tolerance) { try good.corridor(widthNM: 10, tolerance: tolerance) }
    }
    #expect(throws: GeodesyError.notFinite(index: 1)) { try line([(0, 0), (1, .nan)]).corridor(widthNM: 10) }
    #expect(throws: GeodesyError.notFinite(index: 0)) { try line([(.infinity, 0), (1, 1)]).corridor(widthNM: 10) }
    #expect(throws: GeodesyError.latitude(index: 1)) { try line([(0, 0), (1, 91)]).corridor(widthNM: 10) }
    #expect(throws: GeodesyError.longitude(index: 1)) { try line([(0, 0), (361, 1)]).corridor(widthNM: 10) }
    #expect(throws: GeodesyError.antipodal(index: 1)) { try line([(0, 5), (0, 0), (180, 0)]).corridor(widthNM: 10) }
    #expect(throws: GeodesyError.coversEarth) { try line([(0, 90), (0, 0), (0, -90)]).corridor(widthNM: 10) }
    let many = [Coordinate](repeating: good[0], count: GeodesyError.mostRoutePoints + 1)
    #expect(throws: GeodesyError.routeTooLong(many.count)) { try many.corridor(widthNM: 10) }
  }

  @Test func bufferAnswersBadInputWithAnEmptyRing() {
    #expect(line([(0, 0), (1, .nan)]).buffer(widthNM: 10).isEmpty)
    #expect(line([(0, 0), (1, 1)]).buffer(widthNM: -10).isEmpty)
    #expect([Coordinate]().buffer(widthNM: 10).isEmpty)
    var faults: [GeodesyError] = []
    _ = line([(0, 0), (1, .nan)]).buffer(widthNM: 10) { faults.append($0) }
    _ = line([(0, 0), (1, 1)]).buffer(widthNM: -10) { faults.append($0) }
    _ = line([(0, 0), (1, 1)]).buffer(widthNM: 10) { faults.append($0) }
    #expect(faults == [.notFinite(index: 1), .width])
  }

  @Test func aGivenToleranceIsKept() throws {
    let route = line([(0, 50), (10, 52), (20, 50), (30, 53)])
    let full = try route.corridor(widthNM: 100, simplify: false)
    let simple = try route.corridor(widthNM: 100, tolerance: 1)
    #expect(simple.count < full.count / 2)
    for point in full { #expect(distance(from: point, toRing: simple) < 1.01) }
  }

  private func distance(from point: Coordinate, toRing ring: [Coordinate]) -> Double {
    zip(ring, ring.dropFirst()).reduce(.infinity) { min($0, point.distanceNM(toLegFrom: $1.0, to: $1.1)) }
  }
}

import ContrailGeodesy
import ContrailTestSupport
import Testing

@Suite struct SimplifyTests {
  /// A coast: a star-shaped ring with bays of every size, which never crosses itself.
  private func coast(_ random: inout SplitMix64, points: Int, about center: Coordinate) -> [Coordinate] {
    var reach = 200.0
    let corners = (0..<points).map { index in
      reach = min(max(reach + random.double(-12...12), 60), 400)
      return center.destination(azimuth: -360 * Double(index) / Double(points), distanceNM: reach)
    }
    return corners + [corners[0]]
  }

  private let places = [
    Coordinate(latitude: 50, longitude: 10), Coordinate(latitude: -20, longitude: 179),
    Coordinate(latitude: 89, longitude: 0), Coordinate(latitude: -75, longitude: -100),
  ]

  @Test func aPlainRingStaysPlainAndClosed() throws {
    var random = SplitMix64(seed: 31)
    for place in places {
      let ring = coast(&random, points: 900, about: place)
      #expect(ring.polygonError(maximumCount: .max) == nil)
      for tolerance in [nil, 0, 0.5, 5, 50, 500, 1e6] as [Double?] {
        let simple = ring.simplified(tolerance: tolerance)
        #expect(simple.polygonError(maximumCount: .max) == nil, "\(place) \(String(describing: tolerance))")
        #expect(simple.first == simple.last)
        #expect(simple.count >= 4)
        #expect(simple.orientation == ring.orientation)
        if tolerance == nil { #expect(simple.count <= Ring.maximumCount && simple.count > 240) }
      }
    }
  }

  @Test func pointsLeftOutLieWithinTheTolerance() {
    var random = SplitMix64(seed: 32)
    let ring = coast(&random, points: 600, about: places[0])
    for tolerance in [0.5, 2, 10] {
      let simple = ring.simplified(tolerance: tolerance)
      #expect(simple.count < ring.count)
      for point in ring {
        let nearest = zip(simple, simple.dropFirst()).reduce(Double.infinity) {
          min($0, point.distanceNM(toLegFrom: $1.0, to: $1.1))
        }
        // The ring's edges are straight on the map, the test's legs on the globe.
        #expect(nearest < tolerance * 1.02 + 0.3)
      }
    }
  }

  @Test func whatStaysAreSomeOfThePointsInTheirOrder() {
    var random = SplitMix64(seed: 33)
    let ring = coast(&random, points: 500, about: places[1])
    let simple = ring.simplified(tolerance: 3)
    var rest = ring[...]
    for point in simple.dropLast() {
      guard let place = rest.firstIndex(of: point) else {
        Issue.record("not in order")
        return
      }
      rest = rest[(place + 1)...]
    }
  }

  /// Two combs whose teeth reach between each other: leaving out points by distance alone makes them cross.
  @Test func interlockedTeethDoNotCross() {
    var corners: [(Double, Double)] = [(0, 0)]
    for tooth in 0..<40 {
      let x = Double(tooth)
      corners += [(x + 0.2, 0.1), (x + 0.25, 9), (x + 0.3, 0.1)]
    }
    corners += [(41, 0), (41, 10)]
    for tooth in (0..<40).reversed() {
      let x = Double(tooth)
      corners += [(x + 0.8, 9.9), (x + 0.75, 1), (x + 0.7, 9.9)]
    }
    corners += [(0, 10), (0, 0)]
    let ring = line(corners)
    #expect(ring.polygonError(maximumCount: .max) == nil)
    for tolerance in [0.1, 1, 5, 20, 60, 200, 400, 600, 1000] {
      #expect(ring.simplified(tolerance: tolerance).polygonError(maximumCount: .max) == nil, "\(tolerance)")
    }
  }

  @Test func aRouteKeepsItsEnds() {
    let route = (0...1000).map { Coordinate(latitude: Double($0 % 7) * 0.001, longitude: Double($0) * 0.1 - 50) }
    let simple = route.simplified(tolerance: 1)
    #expect(simple == [route[0], route[1000]])
    #expect(route.simplified().count <= 250)
    #expect(route.simplified().first == route[0] && route.simplified().last == route[1000])
  }

  @Test func simplifyIsSimplified() {
    let route = (0...400).map { Coordinate(latitude: Double($0 % 7) * 0.1, longitude: Double($0) * 0.1) }
    #expect(route.simplify(tolerance: 2) == route.simplified(tolerance: 2))
    #expect(route.simplify() == route.simplified())
  }

  @Test func fewPointsComeBackAsTheyAre() {
    let ring = line([(0, 0), (1, 0), (1, 1), (0, 0)])
    #expect(ring.simplified() == ring)
    #expect(ring.simplified(tolerance: 1e9) == ring)
    #expect(ring.simplified(tolerance: .nan) == ring)
    #expect(ring.simplified(tolerance: -1) == ring)
    #expect([Coordinate]().simplified(tolerance: 1).isEmpty)
    let bad = line([(0, 0), (1, 0), (.nan, 1), (1, 2), (0, 0)])
    #expect(bad.simplified(tolerance: 1).count == 5)
    let view = line([(-170, 60), (170, 60), (170, -60), (-170, -60), (-170, 60)])
    #expect(view.simplified(tolerance: 100) == view)
  }

  @Test func noEdgeComesToSpanHalfTheEarth() throws {
    let band = (0..<180).map { Coordinate(latitude: 60, longitude: Double($0) * 2 - 180) }
    let ring = band + [band[0]]
    let simple = ring.simplified(tolerance: 1e6)
    #expect(try Ring(simple).pole == .north)
  }
}

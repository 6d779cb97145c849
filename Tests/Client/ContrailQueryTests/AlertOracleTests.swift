import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

/// What is ahead, by walking the route a mile at a time on the ellipsoid and measuring to each hexagon.
@Suite struct AlertOracleTests {
  static let routes: [(String, [Coordinate])] = [
    ("Atlantic", [point(51, -1), point(54, -20), point(52, -40), point(45, -60), point(40, -73)]),
    ("one long leg", [point(35.5, 139.8), point(49, -123)]),
    ("across 180", [point(-17, 170), point(-15, 179.5), point(-10, -172)]),
    ("by the pole", [point(70, 10), point(89.2, 60), point(75, -150)]),
    ("over the pole", [point(84, 30), point(84, -150)]),
    ("by the south pole", [point(-75, 0), point(-89.5, 100), point(-80, 170)]),
    ("a corner", [point(10, 0), point(10, 1.2), point(11.4, 1.3), point(14, 1)]),
  ]

  @Test(arguments: routes.indices) func nothingAheadIsMissedAndNothingElseIsTold(index: Int) throws {
    let (name, route) = Self.routes[index]
    var random = SplitMix64(seed: 100 + UInt64(index))
    let query = AlertQuery(route: route)
    var tested = 0
    for _ in 0..<2 {
      // The route as it is flown: from some point of it, a bit to the side.
      let total = zip(route, route.dropFirst()).reduce(0) { $0 + $1.0.geodesicDistanceNM(to: $1.1) }
      let start = Double.random(in: 0...0.7, using: &random) * total
      let walk = walk(route, from: start, to: start + 130)
      guard walk.count > 5 else { continue }
      let course = Geodesic.inverse(from: walk[0], to: walk[1]).initialAzimuth
      let off = Double.random(in: -8...8, using: &random)
      let place = Geodesic.direct(from: walk[0], azimuth: course + 90, distanceMeters: off * 1852).coordinate
      let aircraft = AircraftPosition(coordinate: place, altitudeFeet: 36_000, trackDegrees: course)
      let own = try H3Cell(place, resolution: 5)

      var cells: Set<H3Cell> = []
      for _ in 0..<30 {
        let around = walk[Int.random(in: walk.indices, using: &random)]
        let azimuth = Double.random(in: 0..<360, using: &random)
        let far = Double.random(in: 0...45, using: &random)
        cells.insert(try H3Cell(around.destination(azimuth: azimuth, distanceNM: far), resolution: 5))
      }
      for cell in cells.sorted() where cell != own {
        let distances = walk.map { $0.geodesicDistanceNM(to: cell.center) }
        guard let least = distances.min(), let nearest = distances.firstIndex(of: least) else { continue }
        // What is near the limits is another test's.
        if abs(least - 20) < 0.5 || nearest <= 1 || nearest >= walk.count - 2 || abs(nearest - 100) < 3 { continue }
        let minima = (2..<walk.count - 2).count { (i: Int) -> Bool in
          distances[i] < distances[i - 1] && distances[i] <= distances[i + 1]
        }
        if minima > 1 { continue }
        let found = try query.alerts(for: aircraft, in: [report(cell)], asOf: now)
        #expect(
          found.count == (least < 20 && nearest < 100 ? 1 : 0), "\(name) \(cell): \(least) NM off after \(nearest)")
        // Where the route bends the aircraft, off the route, is not quite where the walk starts.
        if let alert = found.first { #expect(abs(alert.distanceNM - Double(nearest)) < 2, "\(name) \(cell)") }
        tested += 1
      }
    }
    #expect(tested > 10, "\(name): the test tests too little")
  }

  /// However narrow the way: a hexagon that is flown through counts, and its neighbours don't.
  @Test(arguments: 0..<10 as Range<UInt64>) func aNarrowWayIsWhatIsFlownThrough(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var counts = [true: 0, false: 0]
    for isRoute in [false, true] {
      let start = point(.random(in: -70...70, using: &random), .random(in: -180..<180, using: &random))
      let track = Double.random(in: 0..<360, using: &random)
      let first = isRoute ? Double.random(in: 20...70, using: &random) : 150
      let turn = Geodesic.direct(from: start, azimuth: track, distanceMeters: first * 1852)
      let bend = Double.random(in: -60...60, using: &random)
      let end = Geodesic.direct(from: turn.coordinate, azimuth: turn.finalAzimuth + bend, distanceMeters: 150 * 1852)
      let route = [start, turn.coordinate] + (isRoute ? [end.coordinate] : [])
      let walk = walk(route, from: 0, to: 110, step: 0.1)
      let through = Set(try walk.map { try H3Cell($0, resolution: 5) })
      let own = try H3Cell(start, resolution: 5)
      let aircraft = AircraftPosition(coordinate: start, altitudeFeet: 36_000, trackDegrees: track)
      let query = isRoute ? AlertQuery(route: route, widthNM: 0.1) : AlertQuery(beamDegrees: 0.1)
      for cell in through.union(through.flatMap(\.neighbors)).sorted() where cell != own {
        let distances = walk.map { $0.distanceNM(to: cell.center) }
        let nearest = try #require(distances.indices.min { distances[$0] < distances[$1] })
        // Cells near an end of the way aren't tested here, nor cells with a corner close to the way.
        if nearest < 80 || nearest > 950 { continue }
        if cell.boundary.contains(where: { corner in walk.contains { $0.distanceNM(to: corner) < 0.3 } }) { continue }
        let found = try query.alerts(for: aircraft, in: [report(cell)], asOf: now)
        #expect(found.count == (through.contains(cell) ? 1 : 0), "\(cell) from \(start) on \(track)")
        counts[through.contains(cell), default: 0] += 1
      }
    }
    #expect(counts.values.allSatisfy { $0 > 8 }, "\(counts)")
  }

  /// Points of a route, a nautical mile apart or less.
  private func walk(_ route: [Coordinate], from start: Double, to end: Double, step: Double = 1) -> [Coordinate] {
    var points: [Coordinate] = []
    var done = 0.0
    for (a, b) in zip(route, route.dropFirst()) {
      guard let line = GeodesicLine(from: a, to: b) else { continue }
      let length = a.geodesicDistanceNM(to: b)
      while start + Double(points.count) * step <= min(done + length, end) {
        points.append(line.position(atMeters: (start + Double(points.count) * step - done) * 1852).coordinate)
      }
      done += length
    }
    return points
  }

  @Test func inTheBeamIsWhatLiesWithinHalfItsAngle() throws {
    var random = SplitMix64(seed: 5)
    var told = 0
    for latitude in [0.0, 45, -89.9, 90, 70] {
      for longitude in [0.0, 179.99, -180] {
        let place = point(latitude, longitude)
        let track = Double.random(in: 0..<360, using: &random)
        let aircraft = AircraftPosition(coordinate: place, altitudeFeet: 36_000, trackDegrees: track)
        var expected: Set<H3Cell> = []
        var cells: Set<H3Cell> = []
        for _ in 0..<40 {
          let aside = Double.random(in: -25...25, using: &random)
          let far = Double.random(in: 60...120, using: &random)
          let cell = try H3Cell(
            Geodesic.direct(from: place, azimuth: track + aside, distanceMeters: far * 1852).coordinate, resolution: 5)
          let way = Geodesic.inverse(from: place, to: cell.center)
          let angle = abs((way.initialAzimuth - track).remainder(dividingBy: 360))
          if abs(angle - 7.5) < 1e-6 || abs(way.distanceNM - 100) < 1e-6 { continue }
          cells.insert(cell)
          if angle < 7.5 && way.distanceNM < 100 { expected.insert(cell) }
        }
        let found = try AlertQuery().alerts(for: aircraft, in: cells.sorted().map { report($0) }, asOf: now)
        #expect(Set(found.flatMap(\.cells)) == expected, "\(place) \(track)")
        for alert in found {
          let distances = alert.cells.map { place.geodesicDistanceNM(to: $0.center) }
          #expect(abs(alert.distanceNM - (distances.min() ?? -1)) < 1e-9)
          #expect(abs(alert.farthestNM - (distances.max() ?? -1)) < 1e-9)
        }
        told += expected.count
      }
    }
    #expect(told > 50)
  }

  @Test func whereTheRouteCrossesItselfTheFirstPassCounts() throws {
    // South, a loop to the east, and back over the first leg to the west.
    let crossing = point(39.6, 0)
    let route = [point(41, 0), point(39, 0), point(39, 1), point(39.6, 1), point(39.6, -2)]
    let cell = try H3Cell(crossing, resolution: 5)
    var aircraft = AircraftPosition(coordinate: point(40.6, 0), altitudeFeet: 36_000, trackDegrees: 180)
    let query = AlertQuery(route: route, distanceNM: 300)
    let first = try #require(try query.alerts(for: aircraft, in: [report(cell)], asOf: now).first)
    #expect(abs(first.distanceNM - 60) < 6)
    // Past the crossing, still southbound: the second pass.
    aircraft.coordinate = point(39.3, 0)
    let second = try #require(try query.alerts(for: aircraft, in: [report(cell)], asOf: now).first)
    #expect(second.distanceNM > 120 && second.distanceNM < 160)
    // At the crossing itself the track says which of the two legs is flown.
    aircraft.coordinate = crossing
    let west = try H3Cell(point(39.6, -1), resolution: 5)
    #expect(try query.alerts(for: aircraft, in: [report(west)], asOf: now).first.map { $0.distanceNM > 100 } == true)
    aircraft.trackDegrees = 270
    #expect(try query.alerts(for: aircraft, in: [report(west)], asOf: now).first.map { $0.distanceNM < 60 } == true)
  }

  @Test func outAndBackOnOneLineIsFollowedByWhereTheAircraftWas() throws {
    // Without a track, only the way that was flown tells out from back.
    let out = (0...20).map { point(45, Double($0) * 0.25) }
    let route = out + out.dropLast().reversed()
    var tracker = AlertTracker(query: AlertQuery(route: route, distanceNM: 30))
    let east = report(try H3Cell(point(45, 2.9), resolution: 5))
    let west = report(try H3Cell(point(45, 2.1), resolution: 5))
    var told: [[TurbulenceReport]] = []
    for (index, place) in (out + out.dropLast().reversed()).enumerated() {
      let aircraft = AircraftPosition(coordinate: place, altitudeFeet: 36_000)
      guard index < 2 * out.count - 2 else { break }
      let alerts = try tracker.alerts(for: aircraft, in: [east, west], asOf: now)
      if place.longitude == 2.5 { told.append(alerts.filter { $0.phase != .ended }.map(\.nearest)) }
    }
    #expect(told == [[east], [west]])
  }
}

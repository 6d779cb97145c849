import ContrailGeodesy
import ContrailTestSupport
import Testing

/// What a ring is read as, and what it then holds.
@Suite struct RingTests {
  // MARK: Faults

  @Test func eachFaultIsReportedWithItsPlace() {
    let square = line([(0, 0), (1, 0), (1, 1), (0, 0)])
    #expect(throws: GeodesyError.tooFewPoints(3)) { try Ring(Array(square.prefix(3))) }
    #expect(throws: GeodesyError.tooFewPoints(0)) { try Ring([Coordinate]()) }
    #expect(throws: GeodesyError.tooManyPoints(251)) { try Ring(circle(points: 251)) }
    #expect(throws: GeodesyError.open) { try Ring(line([(0, 0), (1, 0), (1, 1), (0, 1)])) }
    #expect(throws: GeodesyError.notFinite(index: 2)) { try Ring(line([(0, 0), (1, 0), (1, .nan), (0, 0)])) }
    #expect(throws: GeodesyError.notFinite(index: 1)) { try Ring(line([(0, 0), (.infinity, 0), (1, 1), (0, 0)])) }
    #expect(throws: GeodesyError.notFinite(index: 1)) { try Ring(line([(0, 0), (1e300, 0), (1, 1), (0, 0)])) }
    #expect(throws: GeodesyError.latitude(index: 1)) { try Ring(line([(0, 0), (1, 90.000_000_1), (1, 1), (0, 0)])) }
    #expect(throws: GeodesyError.longitude(index: 2)) { try Ring(line([(0, 0), (1, 0), (-360.000_000_1, 1), (0, 0)])) }
    #expect(throws: GeodesyError.longEdge(index: 1)) { try Ring(line([(0, 0), (10, 0), (-170, 1), (0, 0)])) }
    #expect(throws: GeodesyError.longEdge(index: 0)) { try Ring(line([(0, 0), (181, 0), (100, 1), (0, 0)])) }
    let twice = (0...36).map { (step: Int) -> Coordinate in
      let (north, east) = (Double(step % 36), Double(step * 20 % 360))
      return Coordinate(latitude: 80 + north / 36, longitude: east - 180)
    }
    #expect(throws: GeodesyError.windsTwice) { try Ring(twice) }
  }

  @Test func fourAndTwoHundredFiftyPointsAreAllowed() throws {
    #expect(try Ring(line([(0, 0), (1, 0), (1, 1), (0, 0)])).points.count == 4)
    #expect(try Ring(circle(points: 250)).points.count == 250)
  }

  @Test func everyFaultHasItsOwnCodeAndSaysWhatToDo() {
    let faults: [GeodesyError] = [
      .tooFewPoints(3), .tooManyPoints(251), .open, .notFinite(index: 1), .latitude(index: 1), .longitude(index: 1),
      .longEdge(index: 1), .windsTwice,
    ]
    #expect(Set(faults.map(\.code)).count == faults.count)
    #expect(faults.allSatisfy { $0.description.count > 20 })
  }

  // MARK: Canonical form

  @Test func startAndDirectionDoNotMatter() throws {
    let corners: [(Double, Double)] = [(170, 10), (-175, 12), (-170, 20), (179, 25)]
    let expected = try Ring(line(corners + [corners[0]]))
    for shift in corners.indices {
      let turned = Array(corners[shift...] + corners[..<shift])
      #expect(try Ring(line(turned + [turned[0]])) == expected)
      let back = Array(turned.reversed())
      #expect(try Ring(line(back + [back[0]])) == expected)
      #expect(try Ring(line(back + [back[0]])).hashValue == expected.hashValue)
    }
  }

  @Test func longitudesAWholeTurnApartAreTheSame() throws {
    let corners: [(Double, Double)] = [(170, 10), (185, 12), (190, 20), (179, 25), (170, 10)]
    let moved = corners.map { ($0.0 - 360, $0.1) }
    #expect(try Ring(line(corners)) == Ring(line(moved)))
  }

  @Test func aRingWithoutAreaIsTheSameBothWaysRound() throws {
    let there = line([(0, 0), (1, 1), (3, 3), (0, 0)])
    #expect(try Ring(there) == Ring(there.reversed()))
  }

  @Test func theCanonicalFormReadsAsItself() throws {
    var random = SplitMix64(seed: 11)
    var read = 0
    for _ in 0..<500 {
      guard let ring = try? Ring(anyRing(&random)) else { continue }
      read += 1
      let again = try Ring(ring.points)
      #expect(again == ring)
      #expect(again.points == ring.points)
      #expect(again.pole == ring.pole)
      #expect(ring.points.first == ring.points.last)
      #expect(try Ring(ring.coordinates) == ring)
    }
    #expect(read > 300)
  }

  @Test func pointsAreRoundedToTheNearestStep() throws {
    let ring = try Ring(line([(0.000_000_04, 0), (1, 0), (1, 1), (0.000_000_04, 0)]))
    #expect(ring.points[0] == FixedCoordinate(latitudeE7: 0, longitudeE7: 0))
  }

  // MARK: Contains

  @Test func aRingAcrossTheAntimeridianHoldsBothSides() throws {
    let ring = try Ring(line([(170, -10), (-170, -10), (-170, 10), (170, 10), (170, -10)]))
    #expect(ring.contains(Coordinate(latitude: 0, longitude: 180)))
    #expect(ring.contains(Coordinate(latitude: 0, longitude: -180)))
    #expect(ring.contains(Coordinate(latitude: 0, longitude: 175)))
    #expect(ring.contains(Coordinate(latitude: 0, longitude: -175)))
    #expect(ring.contains(Coordinate(latitude: 0, longitude: 545)))
    #expect(!ring.contains(Coordinate(latitude: 0, longitude: 0)))
    #expect(!ring.contains(Coordinate(latitude: 0, longitude: 169)))
  }

  @Test func aRingThatGoesRoundHoldsTheNearerPole() throws {
    let north = try Ring(line([(0, 80), (120, 70), (-120, 75), (0, 80)]))
    #expect(north.pole == .north)
    #expect(north.contains(Coordinate(latitude: 90, longitude: 77)))
    #expect(north.contains(Coordinate(latitude: 85, longitude: -179)))
    #expect(!north.contains(Coordinate(latitude: 60, longitude: 0)))
    #expect(!north.contains(Coordinate(latitude: -90, longitude: 0)))
    let south = try Ring(line([(0, -80), (-120, -70), (120, -75), (0, -80)]))
    #expect(south.pole == .south)
    #expect(south.contains(Coordinate(latitude: -90, longitude: 12)))
    #expect(south.contains(Coordinate(latitude: -89, longitude: 180)))
    #expect(!south.contains(Coordinate(latitude: 0, longitude: 0)))
  }

  @Test func aRectangleIsItsInsideFromWhicheverCornerItBegins() throws {
    let northEast = (10.0, 50.0), northWest = (0.0, 50.0), southWest = (0.0, 40.0), southEast = (10.0, 40.0)
    let ring = try Ring(line([northEast, northWest, southWest, southEast, northEast]))
    #expect(ring.contains(Coordinate(latitude: 45, longitude: 5)))
    #expect(!ring.contains(Coordinate(latitude: 49, longitude: 150)))
    #expect(try Ring(line([northWest, northEast, southEast, southWest, northWest])) == ring)
  }

  @Test func everyRotationInBothDirectionsIsTheSameArea() throws {
    var random = SplitMix64(seed: 31)
    var (read, polar, wrapping, inside) = (0, 0, 0, 0)
    for round in 0..<400 {
      let given = round.isMultiple(of: 2) ? anyRing(&random) : anyRectangle(&random)
      guard let ring = try? Ring(given) else { continue }
      read += 1
      if ring.pole != nil { polar += 1 }
      let places = (0..<8).map { _ in
        let near = given[random.int(0...(given.count - 1))]
        return Coordinate(
          latitude: min(max(near.latitude + random.double(-9...9), -90), 90),
          longitude: near.longitude + random.double(-180...180) * (random.int(0...1) == 0 ? 1 : 0.05))
      }
      if zip(given, given.dropFirst()).contains(where: { abs($0.longitude - $1.longitude) > 180 }) { wrapping += 1 }
      let expected = places.map { ring.contains($0) }
      inside += expected.count { $0 }
      let corners = Array(given.dropLast())
      for shift in corners.indices {
        let turned = Array(corners[shift...] + corners[..<shift])
        for order in [turned, turned.reversed()] {
          let other = try Ring(order + [order[0]])
          #expect(other == ring, "\(given)")
          #expect(places.map { other.contains($0) } == expected, "\(given)")
        }
      }
    }
    #expect(read > 300 && polar > 20 && wrapping > 40 && inside > 200)
  }

  @Test func ofTwoAreasThatShareAnEdgeAPointOnItIsInExactlyOne() throws {
    let corner: [(Double, Double)] = [(-10, 0), (0, 3), (10, -2)]
    let above = try Ring(line(corner + [(10, 20), (-10, 20), corner[0]]))
    let below = try Ring(line(corner + [(10, -20), (-10, -20), corner[0]]))
    for step in 1..<10 {
      for (a, b) in zip(corner, corner.dropFirst()) {
        let share = Double(step) / 10
        let point = Coordinate(latitude: a.1 + share * (b.1 - a.1), longitude: a.0 + share * (b.0 - a.0))
        #expect(above.contains(point) != below.contains(point))
      }
    }
  }

  @Test func containsAgreesWithCountingAlongTheMeridian() throws {
    var random = SplitMix64(seed: 21)
    var (polar, inside) = (0, 0)
    for _ in 0..<600 {
      let given = anyRing(&random)
      guard let ring = try? Ring(given), isNarrow(given) else { continue }
      if ring.pole != nil { polar += 1 }
      for _ in 0..<12 {
        let near = given[random.int(0...(given.count - 1))]
        let point = Coordinate(
          latitude: min(max(near.latitude + random.double(-9...9), -89.9), 89.9) + 1e-4,
          longitude: near.longitude + random.double(-9...9) + 1e-4)
        let expected = meridianCount(given, point) % 2 != (ring.pole == .north ? 1 : 0)
        #expect(ring.contains(point) == expected, "\(given) \(point)")
        if expected { inside += 1 }
      }
    }
    #expect(polar > 20)
    #expect(inside > 500)
  }

  @Test func aPointThatIsNotFiniteIsNowhere() throws {
    let ring = try Ring(line([(0, 0), (1, 0), (1, 1), (0, 0)]))
    #expect(!ring.contains(Coordinate(latitude: .nan, longitude: 0.5)))
    #expect(!ring.contains(Coordinate(latitude: 0.1, longitude: .infinity)))
    #expect(!ring.contains(FixedCoordinate(latitudeE7: .max, longitudeE7: .min)))
    #expect(!ring.contains(FixedCoordinate(latitudeE7: 1_000_000, longitudeE7: .max)))
    #expect(!ring.contains(FixedCoordinate(latitudeE7: 1_000_000, longitudeE7: .min)))
  }

  // MARK: Helpers

  private func circle(points: Int) -> [Coordinate] {
    let center = Coordinate(latitude: 10, longitude: 20)
    let rim = (0..<(points - 1)).map {
      center.destination(azimuth: -360 * Double($0) / Double(points - 1), distanceNM: 100)
    }
    return rim + [rim[0]]
  }

  /// Rings of every kind: small, wide, over the antimeridian, round a pole; most of them cross themselves.
  private func anyRing(_ random: inout SplitMix64) -> [Coordinate] {
    let count = random.int(3...12)
    var corners: [Coordinate] = []
    switch random.int(0...3) {
    case 0:
      let (lat, lon) = (random.double(-70...70), random.double(-180...180))
      corners = (0..<count).map { _ in
        Coordinate(latitude: lat + random.double(-20...20), longitude: wrapped(lon + random.double(-40...40)))
      }
    case 1:
      let side: Double = random.int(0...1) == 0 ? 1 : -1
      let direction: Double = random.int(0...1) == 0 ? 1 : -1
      corners = (0..<count).map { index in
        Coordinate(
          latitude: side * random.double(10...89),
          longitude: wrapped(direction * (Double(index) + random.double(0...0.4)) * 360 / Double(count)))
      }
    case 2:
      corners = (0..<count).map { _ in
        Coordinate(latitude: Double(random.int(-8...8)) * 10, longitude: Double(random.int(-3...3)) * 20)
      }
    default:
      corners = (0..<count).map { _ in
        Coordinate(latitude: random.double(-90...90), longitude: random.double(-180...180))
      }
    }
    return corners + [corners[0]]
  }

  private func wrapped(_ longitude: Double) -> Double { longitude.remainder(dividingBy: 360) }

  /// The four corners of a rectangle, also across the antimeridian and at a pole, in the order of a map or of GeoJSON.
  private func anyRectangle(_ random: inout SplitMix64) -> [Coordinate] {
    let (low, west) = (random.double(-90...80), random.double(-180...180))
    let high = random.int(0...4) == 0 ? 90 : min(low + random.double(1...60), 90)
    let east = wrapped(west + random.double(1...179))
    let corners = line([(west, high), (east, high), (east, low), (west, low)])
    return corners + [corners[0]]
  }

  /// Whether a ring that does not go round stays within one turn, so that counting sees each edge once.
  private func isNarrow(_ ring: [Coordinate]) -> Bool {
    var (here, west, east) = (0.0, 0.0, 0.0)
    for (a, b) in zip(ring, ring.dropFirst()) {
      here += wrapped(b.longitude - a.longitude)
      west = min(west, here)
      east = max(east, here)
    }
    return abs(here) > 1 ? true : east - west < 359
  }

  /// How often the way from a point to the north pole crosses the ring.
  private func meridianCount(_ ring: [Coordinate], _ point: Coordinate) -> Int {
    var count = 0
    for (a, b) in zip(ring, ring.dropFirst()) {
      let step = wrapped(b.longitude - a.longitude)
      let start = wrapped(a.longitude - point.longitude)
      for turns in [-360.0, 0, 360] {
        let (west, east) = (start + turns, start + turns + step)
        guard (west > 0) != (east > 0) else { continue }
        let latitude = a.latitude + (b.latitude - a.latitude) * (0 - west) / step
        if latitude > point.latitude { count += 1 }
      }
    }
    return count
  }
}

import ContrailGeodesy
import ContrailTestSupport
import Testing

@Suite struct PolygonFaultTests {
  @Test func aBowTieIsFoundWhereItCrosses() {
    let fault = line([(0, 0), (2, 2), (2, 0), (0, 2), (0, 0)]).polygonError()
    #expect(fault == .crossing(edge: 0, other: 2, at: Coordinate(latitude: 1, longitude: 1)))
    #expect(fault?.index == 0)
  }

  @Test func theFirstFaultAlongTheRingIsGiven() {
    let ring = line([(0, 0), (10, 0), (10, 1), (9, 1), (9, -1), (8, -1), (8, 1), (0, 1), (0, 0)])
    #expect(ring.polygonError() == .crossing(edge: 0, other: 3, at: Coordinate(latitude: 0, longitude: 9)))
  }

  @Test func aSpikeIsFoundAtItsTip() {
    #expect(
      line([(0, 0), (4, 0), (8, 0), (6, 0), (6, 3), (0, 0)]).polygonError()
        == .spike(index: 2, at: Coordinate(latitude: 0, longitude: 8)))
    #expect(line([(0, 0), (1, 1), (0, 0), (0, 0)]).polygonError()?.code == "spike")
    #expect(line([(1, 1), (1, 1), (1, 1), (1, 1)]).polygonError()?.code == "spike")
  }

  @Test func aTouchAndASharedStretchAreToldApart() {
    let touch = line([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4), (0, 0)])
    #expect(touch.polygonError() == .touching(edge: 0, other: 2, at: Coordinate(latitude: 0, longitude: 2)))
    let stretch = line([(0, 0), (4, 0), (4, 2), (1, 2), (1, 3), (4, 3), (4, 1), (6, 1), (6, 5), (0, 5), (0, 0)])
    #expect(stretch.polygonError()?.code == "selfCrossing")
  }

  @Test func repeatedPointsAreNoFault() {
    #expect(line([(0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (0, 0), (0, 0)]).polygonError() == nil)
  }

  @Test func unreadableRingsKeepTheirReason() {
    #expect(line([(0, 0), (1, 0), (1, 1), (0, 1)]).polygonError() == .open)
    #expect(line([(0, 0), (1, .nan), (1, 1), (0, 0)]).polygonError() == .notFinite(index: 1))
  }

  @Test func crossingsAcrossTheAntimeridianAndRoundThePoleAreFound() {
    let bow = line([(179, 0), (-179, 2), (-179, 0), (179, 2), (179, 0)])
    #expect(bow.polygonError()?.code == "selfCrossing")
    #expect(bow.polygonError()?.coordinate.map { abs(abs($0.longitude) - 180) < 1e-6 } == true)
    #expect(line([(0, 80), (90, 80), (180, 80), (-90, 80), (0, 80)]).polygonError() == nil)
    // Round the pole, and past its own start.
    let past = line([(0, 80), (90, 80), (180, 80), (-90, 80), (20, 80.5), (10, 70), (0, 80)])
    #expect(past.polygonError()?.code == "selfCrossing")
  }

  @Test func faultsAgreeWithTryingAllPairs() {
    var random = SplitMix64(seed: 41)
    var (plain, faulty) = (0, 0)
    for _ in 0..<400 {
      let corners = (0..<random.int(3...7)).map { _ in
        (Double(random.int(0...6)), Double(random.int(0...6)))
      }
      let ring = line(corners + [corners[0]])
      let expected = bruteForceIsPlain(corners)
      #expect((ring.polygonError() == nil) == expected, "\(corners)")
      if expected { plain += 1 } else { faulty += 1 }
    }
    #expect(plain > 40 && faulty > 100)
  }

  private func bruteForceIsPlain(_ given: [(Double, Double)]) -> Bool {
    var corners: [(Double, Double)] = []
    for corner in given where corners.last.map({ $0 != corner }) ?? true { corners.append(corner) }
    if let first = corners.first, let last = corners.last, corners.count > 1, first == last { corners.removeLast() }
    let n = corners.count
    if n < 3 { return false }
    func side(_ a: (Double, Double), _ b: (Double, Double), _ c: (Double, Double)) -> Double {
      (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
    }
    func holds(_ a: (Double, Double), _ b: (Double, Double), _ c: (Double, Double)) -> Bool {
      side(a, b, c) == 0 && min(a.0, b.0) <= c.0 && c.0 <= max(a.0, b.0) && min(a.1, b.1) <= c.1 && c.1 <= max(a.1, b.1)
    }
    for i in 0..<n {
      let (a, b) = (corners[i], corners[(i + 1) % n])
      for j in 0..<n where j != i {
        let (c, d) = (corners[j], corners[(j + 1) % n])
        if j == (i + 1) % n {
          if side(a, b, d) == 0, (a.0 - b.0) * (d.0 - b.0) + (a.1 - b.1) * (d.1 - b.1) > 0 { return false }
        } else if i != (j + 1) % n {
          if side(a, b, c) * side(a, b, d) < 0, side(c, d, a) * side(c, d, b) < 0 { return false }
          if holds(a, b, c) || holds(a, b, d) || holds(c, d, a) || holds(c, d, b) { return false }
        }
      }
    }
    return true
  }
}

@Suite struct RingAreaTests {
  @Test func theWorldAndItsHalvesHaveTheirArea() throws {
    let world = Ring(try BoundingBox(north: 90, south: -90, west: -180, east: 180))
    #expect(abs(world.areaSquareMeters / Geodesic.earthAreaSquareMeters - 1) < 1e-12)
    for latitude in [-90.0, 90] {
      let sign = latitude / 90
      let cap = try Ring(line([(0, sign * 1e-7), (120, sign * 1e-7), (-120, sign * 1e-7), (0, sign * 1e-7)]))
      #expect(abs(cap.areaSquareMeters / Geodesic.earthAreaSquareMeters - 0.5) < 1e-8)
    }
  }

  @Test func manyShortEdgesHaveTheAreaOfGeodesics() throws {
    let center = Coordinate(latitude: 50, longitude: 179)
    let rim = (0..<240).map { center.destination(azimuth: Double($0) * -1.5, distanceNM: 30) }
    let ring = try Ring(rim + [rim[0]])
    #expect(abs(ring.areaSquareMeters / Geodesic.area(of: rim) - 1) < 1e-5)
  }

  @Test func orientationTurnsWithTheRing() {
    let ring = line([(179, 0), (-179, 0), (-179, 2), (179, 0)])
    #expect(ring.orientation == .counterClockwise)
    #expect(Array(ring.reversed()).orientation == .clockwise)
    #expect(line([(0, 0), (1, 1), (2, 2), (0, 0)]).orientation == nil)
    #expect(line([(0, 0), (1, 1), (2, 0)]).orientation == nil)
    // Eastward round the north pole has it to the left; round the south pole, to the right.
    #expect(line([(0, 80), (120, 80), (-120, 80), (0, 80)]).orientation == .counterClockwise)
    #expect(line([(0, -80), (120, -80), (-120, -80), (0, -80)]).orientation == .clockwise)
  }
}

@Suite struct RingIntersectionTests {
  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> Ring {
    try Ring(line([(west, north), (east, north), (east, south), (west, south), (west, north)]))
  }

  @Test func areasMeetByEdgesOrByLyingWithin() throws {
    let one = try box(0, 0, 10, 10)
    #expect(one.intersects(try box(5, 5, 15, 15)))
    #expect(one.intersects(try box(10, 0, 20, 10)))
    #expect(one.intersects(try box(10, 10, 20, 20)))
    #expect(one.intersects(try box(2, 2, 3, 3)))
    #expect(try box(2, 2, 3, 3).intersects(one))
    #expect(!one.intersects(try box(10.000_001, 0, 20, 10)))
    #expect(!one.intersects(try box(0, -20, 10, -0.000_001)))
    #expect(one.intersects(one))
  }

  @Test func areasMeetAcrossTheAntimeridian() throws {
    let pacific = try box(170, -10, -170, 10)
    #expect(pacific.intersects(try box(-175, -5, -160, 5)))
    #expect(pacific.intersects(try box(160, -5, 175, 5)))
    #expect(pacific.intersects(try box(-180, -5, -179, 5)))
    #expect(!pacific.intersects(try box(-10, -5, 10, 5)))
    #expect(try box(-180, -90, 180, 90).intersects(pacific))
  }

  @Test func aRingRoundAPoleMeetsWhatLiesTowardsIt() throws {
    let cap = try Ring(line([(0, 80), (90, 80), (180, 80), (-90, 80), (0, 80)]))
    for longitude in stride(from: -175.0, through: 175, by: 25) {
      #expect(cap.intersects(try box(longitude, 84, longitude + 2, 86)))
      #expect(try box(longitude, 84, longitude + 2, 86).intersects(cap))
      #expect(!cap.intersects(try box(longitude, 60, longitude + 2, 79)))
    }
  }

  @Test func intersectionAgreesWithSampling() throws {
    var random = SplitMix64(seed: 51)
    var (meet, apart) = (0, 0)
    for _ in 0..<150 {
      let rings = try (0..<2).map { _ in
        let center = Coordinate(
          latitude: random.double(-60...60), longitude: random.double(150...210).remainder(dividingBy: 360))
        let rim = (0..<random.int(3...9)).map { _ in random.double(0...360) }.sorted(by: >)
          .map { center.destination(azimuth: $0, distanceNM: random.double(300...1500)) }
        return try Ring(rim + [rim[0]])
      }
      let (a, b) = (rings[0], rings[1])
      let isMeeting = a.intersects(b)
      #expect(isMeeting == b.intersects(a))
      if isMeeting { meet += 1 } else { apart += 1 }
      // Points of both prove that they meet.
      for _ in 0..<40 {
        let near = a.coordinates[random.int(0...(a.points.count - 1))]
        let point = near.interpolated(to: b.coordinates[0], fraction: random.double(0...1))
        if a.contains(point), b.contains(point) { #expect(isMeeting) }
      }
    }
    #expect(meet > 20 && apart > 20)
  }
}

@Suite struct BoundingCapTests {
  @Test func aCapHoldsItsPointsAndIsNearlyTheSmallest() {
    var random = SplitMix64(seed: 61)
    for _ in 0..<100 {
      let center = Coordinate(latitude: random.double(-90...90), longitude: random.double(-180...180))
      let radius = random.double(0.1...4000)
      let points = (0..<random.int(3...40)).map { _ in
        center.destination(azimuth: random.double(0...360), distanceNM: radius)
      }
      guard let cap = BoundingCap(containing: points) else {
        Issue.record("no cap")
        return
      }
      #expect(points.allSatisfy(cap.contains))
      #expect(cap.radiusNM <= radius * 1.08)
    }
    #expect(BoundingCap(containing: [Coordinate]()) == nil)
    #expect(BoundingCap(containing: line([(0, .nan)])) == nil)
  }

  @Test func aRingsCapHoldsAllOfItsArea() throws {
    var random = SplitMix64(seed: 62)
    let rings = [
      line([(-60, 60), (60, 60), (60, 62), (-60, 62), (-60, 60)]),
      line([(0, 80), (120, 70), (-120, 75), (0, 80)]),
      line([(170, -10), (-170, -10), (-170, 10), (170, 10), (170, -10)]),
      line([(-180, 90), (180, 90), (180, -90), (-180, -90), (-180, 90)]),
      line([(0, 5), (120, -4), (-120, 0), (0, 5)]),
      line([(10, 50), (10.001, 50), (10.001, 50.001), (10, 50)]),
    ]
    for ring in try rings.map({ try Ring($0) }) {
      let cap = BoundingCap(containing: ring)
      for _ in 0..<2000 {
        let near = ring.coordinates[random.int(0...(ring.points.count - 1))]
        let spread = cap.radiusNM / 30
        let point = Coordinate(
          latitude: min(max(near.latitude + random.double(-spread...spread), -90), 90),
          longitude: near.longitude + random.double(-3 * spread...3 * spread))
        if ring.contains(point) { #expect(cap.contains(point)) }
      }
    }
  }

  @Test func capsMeetWhenTheirRadiiReach() {
    let a = BoundingCap(center: Coordinate(latitude: 0, longitude: 0), radiusNM: 100)
    #expect(a.intersects(BoundingCap(center: Coordinate(latitude: 0, longitude: 3), radiusNM: 81)))
    #expect(!a.intersects(BoundingCap(center: Coordinate(latitude: 0, longitude: 3), radiusNM: 79)))
  }
}

@Suite struct AntimeridianTests {
  @Test func aRingIsCutIntoPartsWithTheSameArea() throws {
    var random = SplitMix64(seed: 71)
    for index in 0..<48 {
      let center = Coordinate(
        latitude: index % 4 == 0 ? random.double(84...90) * (index % 8 == 0 ? 1 : -1) : random.double(-70...70),
        longitude: random.double(165...195).remainder(dividingBy: 360))
      let count = random.int(8...24)
      let rim = (0..<count).map {
        center.destination(azimuth: -360 * Double($0) / Double(count), distanceNM: random.double(100...900))
      }
      let given = rim + [rim[0]]
      guard let ring = try? Ring(given), given.polygonError() == nil else { continue }
      let parts = given.splitAtAntimeridian()
      var area = 0.0
      for part in parts {
        #expect(part.first == part.last)
        #expect(part.allSatisfy { abs($0.longitude) <= 180 })
        #expect(part.orientation == .counterClockwise)
        area += try partArea(part)
      }
      #expect(abs(area / ring.areaSquareMeters - 1) < 1e-6, "\(given)")
      for _ in 0..<30 {
        let point = center.destination(azimuth: random.double(0...360), distanceNM: random.double(0...900))
        let isInPart = parts.contains { plainContains($0, point) }
        #expect(isInPart == ring.contains(point), "\(given) \(point)")
      }
    }
  }

  @Test func whatDoesNotCrossComesBackAlone() {
    let ring = line([(0, 0), (1, 0), (1, 1), (0, 0)])
    #expect(ring.splitAtAntimeridian() == [ring])
    #expect(ring.unwrapped() == ring)
    let route = line([(0, 0), (1, 0)])
    #expect(route.splitAtAntimeridian() == [route])
    let bad = line([(0, .nan), (1, 0)])
    #expect(bad.splitAtAntimeridian().count == 1)
    #expect([Coordinate]().splitAtAntimeridian() == [[]])
  }

  @Test func aLineIsCutWhereItCrosses() {
    #expect(
      line([(170, 0), (-170, 10), (170, 20)]).splitAtAntimeridian() == [
        line([(170, 0), (180, 5)]), line([(-180, 5), (-170, 10), (-180, 15)]), line([(180, 15), (170, 20)]),
      ])
    #expect(line([(170, 0), (-170, 10)]).unwrapped() == line([(170, 0), (190, 10)]))
  }

  @Test func aCombIsCutIntoItsTeeth() {
    let comb = line([
      (170, 0), (170, 50), (-170, 50), (-170, 40), (175, 40), (175, 30), (-170, 30), (-170, 20), (175, 20), (175, 0),
      (170, 0),
    ])
    let parts = comb.splitAtAntimeridian()
    #expect(parts.count == 3)
    #expect(parts.allSatisfy { $0.polygonError(maximumCount: .max) == nil })
  }

  @Test func aRingRoundAPoleBecomesOneThatFollowsTheMapsEdge() {
    let parts = line([(0, 80), (90, 80), (180, 80), (-90, 80), (0, 80)]).splitAtAntimeridian()
    #expect(parts.count == 1)
    #expect(Set(parts[0].map(\.longitude)).isSuperset(of: [-180, 180]))
    #expect(parts[0].contains(Coordinate(latitude: 90, longitude: 180)))
    let unwrapped = line([(0, 80), (90, 80), (180, 80), (-90, 80), (0, 80)]).unwrapped()
    #expect(unwrapped.first == unwrapped.last)
    #expect(unwrapped.contains { $0.latitude == 90 })
  }

  /// The area of a part, longitudes as they stand: what lies between each edge and the equator, in thin trapezoids.
  private func partArea(_ part: [Coordinate]) throws -> Double {
    var sum = 0.0
    for (a, b) in zip(part, part.dropFirst()) where a.longitude != b.longitude {
      let steps = 8
      for step in 0..<steps {
        let (from, to) = (Double(step) / Double(steps), Double(step + 1) / Double(steps))
        let corners = [from, to].map { a.latitude + (b.latitude - a.latitude) * $0 }
        sum -=
          (zone(corners[0]) + 4 * zone((corners[0] + corners[1]) / 2) + zone(corners[1])) / 6
          * (b.longitude - a.longitude) / Double(steps)
      }
    }
    return sum
  }

  /// The area from the equator to a latitude for a degree of longitude.
  private func zone(_ latitude: Double) -> Double {
    let points = line([(0, 0), (1, 0), (1, latitude), (0, latitude), (0, 0)])
    guard latitude != 0, let ring = try? Ring(points) else { return 0 }
    return ring.areaSquareMeters * (latitude < 0 ? -1 : 1)
  }

  /// Even-odd in the plane, longitudes as they stand.
  private func plainContains(_ part: [Coordinate], _ point: Coordinate) -> Bool {
    var isInside = false
    let x = point.longitude.remainder(dividingBy: 360)
    for (a, b) in zip(part, part.dropFirst()) where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
      let cut = a.longitude + (point.latitude - a.latitude) / (b.latitude - a.latitude) * (b.longitude - a.longitude)
      if x < cut { isInside.toggle() }
    }
    return isInside
  }
}

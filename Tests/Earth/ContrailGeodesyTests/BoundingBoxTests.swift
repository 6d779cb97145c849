import ContrailGeodesy
import ContrailTestSupport
import Testing

/// The visible region of a map, however wide.
@Suite struct BoundingBoxTests {
  @Test func itRunsFromWestToEast() throws {
    for (west, east, inside, outside) in [
      (-100.0, 150.0, 0.0, 170.0), (150, -100, 180, 0), (10, 20, 15, 25), (-170, 170, 0, 180), (-180, 0, -90, 90),
      (170, 190, -175, 0), (-190, -170, 180, 0), (-10, 340, 180, 345),
    ] {
      let box = try BoundingBox(north: 40, south: -30, west: west, east: east)
      for ring in [Ring(box), try Ring(box.ring)] {
        #expect(ring.contains(Coordinate(latitude: 0, longitude: inside)))
        #expect(!ring.contains(Coordinate(latitude: 0, longitude: outside)))
        #expect(!ring.contains(Coordinate(latitude: 50, longitude: inside)))
      }
    }
  }

  @Test func theWholeWorldIsOneBox() throws {
    let world = try BoundingBox(north: 90, south: -90, west: -180, east: 180)
    #expect(world.widthDegrees == 360)
    let ring = try Ring(world.ring)
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let place = Coordinate(latitude: random.double(-90...90), longitude: random.double(-180...180))
      #expect(ring.contains(place) && world.contains(place))
    }
    for latitude in [-90.0, 90] { #expect(ring.contains(Coordinate(latitude: latitude, longitude: 33))) }
    for longitude in [-180.0, 180, 0, 360] { #expect(ring.contains(Coordinate(latitude: 0, longitude: longitude))) }
  }

  /// The ring `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]`.
  private func rectangle(_ north: Double, _ south: Double, _ west: Double, _ east: Double) -> [Coordinate] {
    [(north, west), (north, east), (south, east), (south, west), (north, west)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
  }

  @Test func aWideMapRectangleIsReadFromWestToEast() throws {
    for (west, east) in [(-170.0, 170.0), (-90, 90), (-180, 180), (-100, 150), (10, 250), (-350, -20)] {
      let box = try BoundingBox(north: 60, south: -30, west: west, east: east)
      let clockwise = rectangle(60, -30, west, east)
      let fromSouth = [clockwise[3], clockwise[2], clockwise[1], clockwise[0], clockwise[3]]
      for ring in [clockwise, fromSouth, Array(clockwise.reversed())] {
        #expect(ring.readAsMapRectangle == box.ring, "\(west)…\(east)")
        #expect(ring.readAsMapRectangle.readAsMapRectangle == box.ring)
      }
    }
  }

  @Test func everyOtherRingStaysAsItIs() {
    var bent = rectangle(60, -30, -170, 170)
    bent[2] = Coordinate(latitude: -29, longitude: 170)
    var open = rectangle(60, -30, -170, 170)
    open[4] = Coordinate(latitude: 60, longitude: -169)
    for ring in [
      // Narrow, across the antimeridian, on a map with other longitudes, from the north-eastern corner.
      rectangle(60, -30, -80, 80), rectangle(60, -30, 170, -170), rectangle(60, -30, 170, 190),
      rectangle(60, -30, 170, -170).reversed(), rectangle(-30, -30, -170, 170), rectangle(91, 0, -170, 170),
      rectangle(60, -30, -200, 200), rectangle(60, -30, -.infinity, 170), rectangle(60, .nan, -170, 170), bent, open,
      Array(rectangle(60, -30, -170, 170).dropLast()), [],
    ] as [[Coordinate]] {
      #expect(ring.readAsMapRectangle.map(FixedCoordinate.init) == ring.map(FixedCoordinate.init))
    }
  }

  @Test func itsRingIsPlainAndHoldsWhatItHolds() throws {
    var random = SplitMix64(seed: 6)
    var (wide, inside) = (0, 0)
    for round in 0..<300 {
      let box = try anyBox(&random, isWhole: round.isMultiple(of: 4))
      if box.widthDegrees > 180 { wide += 1 }
      let points = box.ring
      let ring = try Ring(points)
      #expect(ring == Ring(box))
      #expect(points.polygonError() == nil && ring.polygonError == nil, "\(box)")
      #expect(points.orientation == .counterClockwise)
      #expect(points.allSatisfy { abs($0.longitude) <= 180 })
      #expect(try Ring(ring.points) == ring, "as it comes back from the wire and from a snapshot")
      let simpler = try Ring(points.simplified(tolerance: 1))
      #expect(abs(simpler.areaSquareMeters / ring.areaSquareMeters - 1) < 1e-9, "\(box)")
      // On the edges too: the grid is coarse.
      for _ in 0..<20 {
        let place = Coordinate(latitude: Double(random.int(-9...9)) * 10, longitude: Double(random.int(-36...36)) * 10)
        #expect(box.contains(place) == ring.contains(place), "\(box) \(place)")
        if box.contains(place) { inside += 1 }
      }
    }
    #expect(wide > 80 && inside > 500)
  }

  @Test func eachFaultNamesTheEdgeAndItsValue() {
    func fault(_ north: Double, _ south: Double, _ west: Double, _ east: Double) -> GeodesyError? {
      do throws(GeodesyError) {
        _ = try BoundingBox(north: north, south: south, west: west, east: east)
        return nil
      } catch {
        return error
      }
    }
    let faults = [
      fault(.nan, 0, 0, 1), fault(91, 0, 0, 1), fault(1, 0, -361, 1), fault(1, 2, 0, 1), fault(1, 0, 7, 7),
      fault(1, 0, -200, 200),
    ].compactMap(\.self)
    #expect(
      faults == [
        .edgeNotFinite(.north), .edgeLatitude(.north, 91), .edgeLongitude(.west, -361), .noHeight(north: 1, south: 2),
        .noWidth(west: 7, east: 7), .tooWide(west: -200, east: 200),
      ])
    #expect(Set(faults.map(\.code)).count == faults.count)
    #expect(faults.map(\.edge) == [.north, .north, .west, .north, .west, .west])
    #expect(faults[1].description == "north is 91.0: use a latitude of −90 to 90 degrees")
    #expect(fault(1, 0, 190, -170)?.code == "boxWithoutWidth", "one meridian, written in two ways")
    #expect(fault(1, 1 - 1e-9, 0, 1)?.code == "boxWithoutHeight", "less than the grid's step")
    #expect(fault(.infinity, 0, 0, 1)?.code == "notFinite")
    #expect(fault(1, 0, 1e300, 1)?.code == "longitudeOutOfRange")
  }

  @Test func aPlaceThatIsNotFiniteIsNowhere() throws {
    let box = try BoundingBox(north: 90, south: -90, west: -180, east: 180)
    #expect(!box.contains(Coordinate(latitude: .nan, longitude: 0)))
    #expect(!box.contains(Coordinate(latitude: 0, longitude: .infinity)))
    #expect(!box.contains(Coordinate(latitude: 91, longitude: 0)))
  }

  private func anyBox(_ random: inout SplitMix64, isWhole: Bool) throws -> BoundingBox {
    if isWhole {
      let south = Double(random.int(-9...8)) * 10
      return try BoundingBox(
        north: Double(random.int(Int(south / 10) + 1...9)) * 10, south: south, west: -180, east: 180)
    }
    let (south, west) = (Double(random.int(-9...8)) * 10, Double(random.int(-18...18)) * 10)
    let width = Double(random.int(1...35)) * 10
    let east = random.int(0...1) == 0 ? west + width : (west + width).remainder(dividingBy: 360)
    return try BoundingBox(
      north: Double(random.int(Int(south / 10) + 1...9)) * 10, south: south, west: west, east: min(east, 360))
  }
}

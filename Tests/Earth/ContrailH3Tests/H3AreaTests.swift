import ContrailGeodesy
import ContrailH3
import Testing

@Suite("Areas of cells")
struct H3AreaTests {
  private func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test func allCellsMakeTheSphere() {
    let all = H3Cell.resolution0.reduce(0.0) { $0 + $1.areaSteradians }
    #expect(abs(all - 4 * Double.pi) < 1e-12)
  }

  @Test func areKnownToNineDigitsAtThePolesToo() throws {
    // Neighbours differ little in area; what libh3 answers here is off by a tenth.
    for latitude in [90.0, -90.0, 89.99999] {
      let cell = try H3Cell(point(latitude, 0), resolution: 15)
      for neighbor in cell.neighbors { #expect(abs(neighbor.areaKm2 / cell.areaKm2 - 1) < 1e-6) }
    }
  }

  @Test func averagesAreNamedForEveryResolution() throws {
    for resolution in 0...15 {
      let count = Double(try H3Cell.count(resolution: resolution))
      let earth = 4 * Double.pi * H3Cell.earthRadiusKm * H3Cell.earthRadiusKm
      #expect(abs(try H3Cell.averageAreaKm2(resolution: resolution) * count / earth - 1) < 0.05)
      #expect(try H3Cell.averageEdgeLengthKm(resolution: resolution) > 0)
    }
    #expect(throws: H3Error.resolution(16)) { try H3Cell.averageAreaKm2(resolution: 16) }
  }

  @Test func fullAreFewerThanCentredAreFewerThanOverlapping() throws {
    let polygon = H3Polygon(outer: [point(50, 0), point(51, 12), point(42, 14), point(44, 2)])
    let full = try Set(H3Cell.cells(in: polygon, resolution: 4, containment: .full))
    let centred = try Set(H3Cell.cells(in: polygon, resolution: 4))
    let overlapping = try Set(H3Cell.cells(in: polygon, resolution: 4, containment: .overlapping))
    #expect(!full.isEmpty && full.isStrictSubset(of: centred) && centred.isStrictSubset(of: overlapping))
  }

  @Test func aHoleAndWhatItHoldsMakeTheWhole() throws {
    let outer = [point(10, 170), point(10, -165), point(-12, -170), point(-8, 172)]
    let hole = [point(3, 176), point(4, -176), point(-5, 179)]
    let whole = try H3Cell.cells(in: H3Polygon(outer: outer), resolution: 3)
    let rest = try H3Cell.cells(in: H3Polygon(outer: outer, holes: [hole]), resolution: 3)
    let held = try H3Cell.cells(in: H3Polygon(outer: hole), resolution: 3)
    #expect(!held.isEmpty && (rest + held).sorted() == whole)
  }

  @Test(arguments: [90.0, -90.0])
  func theCellAtAPoleOverlapsWhatGoesRoundThePole(pole: Double) throws {
    let loop = (0..<12).map { point(pole * 0.999, Double($0) * 30 - 180) }
    let polygon = H3Polygon(outer: loop)
    let cell = try H3Cell(point(pole, 0), resolution: 3)
    #expect(try H3Cell.cells(in: polygon, resolution: 3, containment: .overlapping).contains(cell))
    let wide = H3Polygon(outer: loop.map { point($0.latitude * 0.9, $0.longitude) })
    #expect(try H3Cell.cells(in: wide, resolution: 3, containment: .full).contains(cell))
  }

  @Test(arguments: [1.0, -1.0])
  func noCellIsLostOnTheMeridianWhereALoopRoundAPoleBegins(side: Double) throws {
    // The same loop from two beginnings, and a hole across both meridians.
    let loop = (0..<36).map { point(side * (60 + Double($0 % 3)), Double($0) * 10 - 180) }
    let turned = Array(loop[11...] + loop[..<11])
    let holes = [
      [point(side * 70, 170), point(side * 75, -175), point(side * 72, -165)],
      [point(side * 70, -75), point(side * 75, -68), point(side * 71, -60)],
      (0..<18).map { point(side * 84, Double($0) * 20 - 150) },
    ]
    for containment in H3Containment.allCases {
      let a = try H3Cell.cells(in: H3Polygon(outer: loop, holes: holes), resolution: 2, containment: containment)
      let b = try H3Cell.cells(
        in: H3Polygon(outer: turned, holes: holes.map { Array($0[1...] + $0[..<1]) }), resolution: 2,
        containment: containment)
      #expect(!a.isEmpty && a == b, "\(containment)")
    }
    let full = try H3Cell.cells(in: H3Polygon(outer: loop), resolution: 2, containment: .full)
    let centred = try H3Cell.cells(in: H3Polygon(outer: loop), resolution: 2)
    let overlapping = try H3Cell.cells(in: H3Polygon(outer: loop), resolution: 2, containment: .overlapping)
    // What lies inside with all its neighbours is full, and what has no neighbour that lies inside doesn't overlap.
    let inner = Set(centred.filter { Set($0.neighbors).isSubset(of: centred) })
    #expect(inner.isSubset(of: full))
    #expect(overlapping.allSatisfy { !Set($0.gridDiskOrSelf).isDisjoint(with: centred) })
  }

  @Test func anAreaInsideOneCellOverlapsJustThat() throws {
    let cell = try H3Cell(point(47.3, 8.5), resolution: 6)
    let center = cell.center
    let small = H3Polygon(outer: [
      point(center.latitude + 0.002, center.longitude + 0.001),
      point(center.latitude + 0.001, center.longitude + 0.002),
      point(center.latitude + 0.002, center.longitude + 0.002),
    ])
    #expect(try H3Cell.cells(in: small, resolution: 6, containment: .overlapping) == [cell])
    #expect(try H3Cell.cells(in: small, resolution: 6) == [])
  }

  @Test func aRingAndItsPolygonHoldTheSameCells() throws {
    let corners = [point(60, -30), point(55, 10), point(40, 5), point(45, -35)]
    let ring = try Ring(corners + [corners[0]])
    for containment in H3Containment.allCases {
      let byRing = try H3Cell.cells(in: ring, resolution: 4, containment: containment)
      let byPolygon = try H3Cell.cells(in: H3Polygon(outer: corners), resolution: 4, containment: containment)
      #expect(byRing == byPolygon)
    }
  }

  @Test func outlinesOfTheWholeEarthAreEightTriangles() throws {
    let all = try H3Cell.uncompact(H3Cell.resolution0, resolution: 1)
    #expect(try H3Cell.multiPolygon(of: all).count == 8)
    #expect(try H3Cell.multiPolygon(of: []).isEmpty)
  }

  @Test func anOutlineHoldsItsCells() throws {
    let cell = try H3Cell(point(20, 30), resolution: 4)
    let cells = try cell.gridDisk(4).filter { $0 != cell }
    let polygons = try H3Cell.multiPolygon(of: cells)
    #expect(polygons.count == 1 && polygons[0].holes.count == 1)
    #expect(try H3Cell.cells(in: polygons[0], resolution: 4) == cells.sorted())
  }

  @Test func faultyPolygonsAreNamed() {
    let good = [point(0, 0), point(0, 1), point(1, 0)]
    func fault(_ polygon: H3Polygon) -> H3Error? {
      do {
        _ = try H3Cell.cells(in: polygon, resolution: 3)
        return nil
      } catch { return error }
    }
    #expect(fault(H3Polygon(outer: [])) == .tooFewPoints(loop: 0))
    #expect(fault(H3Polygon(outer: [good[0], good[1], good[0]])) == .tooFewPoints(loop: 0))
    #expect(fault(H3Polygon(outer: good, holes: [good, [good[0]]])) == .tooFewPoints(loop: 2))
    #expect(fault(H3Polygon(outer: good + [point(.nan, 0)])) == .loopCoordinate(loop: 0, point: 3))
    #expect(fault(H3Polygon(outer: good, holes: [[point(0, .infinity)] + good])) == .loopCoordinate(loop: 1, point: 0))
    let spiral = (0..<30).map { point(Double($0), Double($0 * 90 % 360) - 180) }
    #expect(fault(H3Polygon(outer: spiral)) == .windsTwice(loop: 0))
  }

  @Test func theLimitIsKept() {
    let world = H3Polygon(outer: (0..<12).map { point(-89, Double($0) * 30 - 180) } + [])
    #expect(throws: H3Error.tooManyCells(limit: 10)) {
      try H3Cell.cells(in: world, resolution: 3, containment: .overlapping, limit: 10)
    }
  }
}

extension H3Cell {
  /// The cell and those next to it.
  fileprivate var gridDiskOrSelf: [H3Cell] { [self] + neighbors }
}

import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import Testing

@Suite("Cells in a ring")
struct H3RingTests {
  /// Every cell of resolution 2 with its centre: all that any ring may hold.
  private static let world: [(cell: H3Cell, center: Coordinate)] = (0..<122).flatMap { baseCell -> [H3Cell] in
    (0..<49).compactMap { digits in
      let both = UInt64(digits / 7) << 42 | UInt64(digits % 7) << 39
      return H3Cell(rawValue: 0x0820_0000_0000_0000 | UInt64(baseCell) << 45 | both | 0x7F_FFFF_FFFF)
    }
  }.map { ($0, $0.center) }

  private func expected(_ ring: Ring) -> [H3Cell] { Self.world.filter { ring.contains($0.center) }.map(\.cell) }

  private func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test func theWorldHasAllItsCells() {
    #expect(Self.world.count == 5882)
  }

  @Test(arguments: 0..<60)
  func areThoseWhoseCentresItContains(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let count = Int.random(in: 3...12, using: &generator)
    let size = Double.random(in: 2...80, using: &generator)
    let middle = point(.random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
    // Points at random, so most rings cross themselves.
    var points = (0..<count).map { _ in
      point(
        min(90, max(-90, middle.latitude + .random(in: -size...size, using: &generator))),
        middle.longitude + .random(in: -size...size, using: &generator))
    }
    points.append(points[0])
    guard let ring = try? Ring(points) else { return }
    #expect(try H3Cell.cells(in: ring, resolution: 2) == expected(ring), "seed \(seed)")
  }

  @Test func acrossTheAntimeridian() throws {
    let ring = try Ring([point(10, 170), point(10, -160), point(-20, -165), point(-15, 172), point(10, 170)])
    let cells = try H3Cell.cells(in: ring, resolution: 2)
    #expect(!cells.isEmpty && cells == expected(ring))
  }

  @Test(arguments: [1.0, -1.0])
  func roundAPole(side: Double) throws {
    let ring = try Ring((0...12).map { point(side * (60 + Double($0 % 2) * 7), Double($0 % 12) * 30 - 180) })
    let cells = try H3Cell.cells(in: ring, resolution: 2)
    #expect(ring.pole != nil && !cells.isEmpty && cells == expected(ring))
  }

  @Test func asWideAsTheWorld() throws {
    let ring = Ring(try BoundingBox(north: 40, south: -30, west: -180, east: 180))
    let cells = try H3Cell.cells(in: ring, resolution: 2)
    #expect(cells.count > 2000 && cells == expected(ring))
  }

  @Test func allOfTheWorld() throws {
    let ring = Ring(try BoundingBox(north: 90, south: -90, west: -180, east: 180))
    let cells = try H3Cell.cells(in: ring, resolution: 2)
    #expect(!cells.isEmpty && cells == expected(ring))
  }

  @Test func widerThanTheWorld() throws {
    // A spiral of one turn and a half, there and back.
    var points: [Coordinate] = []
    for step in 0...18 { points.append(point(Double(step), Double(step) * 30 - 270)) }
    for step in (0...18).reversed() { points.append(point(Double(step) + 9, Double(step) * 30 - 270)) }
    points.append(points[0])
    let ring = try Ring(points.map { point($0.latitude, $0.longitude) })
    let cells = try H3Cell.cells(in: ring, resolution: 2)
    #expect(!cells.isEmpty && cells == expected(ring))
  }

  @Test func twoRingsThatShareAnEdgeShareNoCellAndMissNone() throws {
    let west = try Ring([point(50, 0), point(50, 11), point(30, 12), point(30, 0), point(50, 0)])
    let east = try Ring([point(50, 11), point(50, 20), point(30, 20), point(30, 12), point(50, 11)])
    let both = try Ring([point(50, 0), point(50, 20), point(30, 20), point(30, 0), point(50, 0)])
    let parts = try H3Cell.cells(in: west, resolution: 4) + H3Cell.cells(in: east, resolution: 4)
    #expect(try parts.sorted() == H3Cell.cells(in: both, resolution: 4))
  }

  @Test func aRingSmallerThanACellHoldsItOnlyRoundItsCentre() throws {
    let cell = try H3Cell(point(48.2, 16.4), resolution: 5)
    let center = cell.center
    func square(_ latitude: Double, _ longitude: Double) throws -> Ring {
      try Ring([
        point(latitude + 0.001, longitude), point(latitude, longitude - 0.001), point(latitude - 0.001, longitude),
        point(latitude, longitude + 0.001), point(latitude + 0.001, longitude),
      ])
    }
    #expect(try H3Cell.cells(in: square(center.latitude, center.longitude), resolution: 5) == [cell])
    #expect(try H3Cell.cells(in: square(center.latitude + 0.01, center.longitude), resolution: 5) == [])
  }

  @Test func moreThanTheLimitIsRefused() throws {
    let ring = try Ring([point(50, 0), point(50, 20), point(30, 20), point(30, 0), point(50, 0)])
    #expect(throws: H3Error.tooManyCells(limit: 100)) { try H3Cell.cells(in: ring, resolution: 5, limit: 100) }
    #expect(throws: H3Error.resolution(16)) { try H3Cell.cells(in: ring, resolution: 16) }
  }
}

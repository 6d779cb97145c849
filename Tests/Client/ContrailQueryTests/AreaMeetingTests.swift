import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

/// Areas and rings that meet, by another way: two convex figures are apart if there is a line between them.
@Suite struct AreaMeetingTests {
  private typealias Point = SIMD2<Int64>

  /// The corners of a triangle or a quadrilateral, counter-clockwise, of whole degrees.
  private static func figure(_ random: inout SplitMix64, west: Int64) -> [Point]? {
    let (x, y) = (west + Int64.random(in: 0...12, using: &random), Int64.random(in: -6...6, using: &random))
    func corner(_ column: Int64, _ row: Int64, _ random: inout SplitMix64) -> Point {
      Point(x + column * 4 + .random(in: 0...3, using: &random), y + row * 4 + .random(in: 0...3, using: &random))
    }
    var corners = [corner(0, 0, &random), corner(1, 0, &random), corner(1, 1, &random), corner(0, 1, &random)]
    if random.chance(40) { corners.remove(at: Int.random(in: 0..<4, using: &random)) }
    let turns = corners.indices.map { index in
      cross(
        corners[index], corners[(index + 1) % corners.count], corners[(index + 2) % corners.count])
    }
    return turns.allSatisfy { $0 > 0 } ? corners : nil
  }

  private static func cross(_ a: Point, _ b: Point, _ c: Point) -> Int64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Whether an edge of the first figure has all of the second one on its other side.
  private static func divides(_ a: [Point], _ b: [Point]) -> Bool {
    a.indices.contains { index in
      let (start, end) = (a[index], a[(index + 1) % a.count])
      return b.allSatisfy { cross(start, end, $0) < 0 }
    }
  }

  private static func area(_ rings: [[Point]]) throws -> TurbulenceArea {
    let text = rings.map { ring in
      "[" + (ring + ring.prefix(1)).map { "[\($0.x),\($0.y)]" }.joined(separator: ",") + "]"
    }
    let document =
      #"{"features":[{"geometry":{"type":"Polygon","coordinates":[\#(text.joined(separator: ","))]},"properties":{}}]}"#
    return try #require(TurbulenceArea.areas(in: Array(document.utf8)).first)
  }

  private static func ring(_ corners: [Point]) throws -> Ring {
    try Ring((corners + corners.prefix(1)).map { Coordinate(latitude: Double($0.y), longitude: Double($0.x)) })
  }

  /// Also where one of them is written across the antimeridian. Figures that only touch are left out: the sides of a ring are rounded.
  @Test(arguments: 0..<8 as Range<UInt64>) func figuresMeetUnlessALineIsBetweenThem(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var counts = [true: 0, false: 0]
    for _ in 0..<400 {
      let west: Int64 = [-10, 150, -176].randomElement(using: &random) ?? 0
      guard let one = Self.figure(&random, west: west), let other = Self.figure(&random, west: west) else { continue }
      let shift: Int64 = [0, 360, -360].randomElement(using: &random) ?? 0
      let ring = try Self.ring(other.map { Point($0.x + (abs($0.x + shift) <= 300 ? shift : 0), $0.y) })
      let isApart = Self.divides(one, other) || Self.divides(other, one)
      #expect(AreaMeeting(ring).meets(try Self.area([one])) == !isApart || Self.touch(one, other), "\(one) \(other)")
      counts[!isApart, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 40 }, "\(counts)")
  }

  /// A ring across the antimeridian, and areas on both sides, which are split at it.
  @Test(arguments: [(Int64(160), Int64(166)), (-180, 174)])
  func aRingMayCrossTheAntimeridian(west: Int64, ringWest: Int64) throws {
    var random = SplitMix64(seed: 9)
    var counts = [true: 0, false: 0]
    for _ in 0..<1000 {
      guard let one = Self.figure(&random, west: west), let other = Self.figure(&random, west: ringWest) else {
        continue
      }
      let moved = one.map { Point($0.x + (west < 0 ? 360 : 0), $0.y) }
      guard !Self.touch(moved, other) else { continue }
      let isApart = Self.divides(moved, other) || Self.divides(other, moved)
      #expect(AreaMeeting(try Self.ring(other)).meets(try Self.area([one])) == !isApart, "\(one) \(other)")
      counts[!isApart, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 20 }, "\(counts)")
  }

  /// Whether a corner of one is on an edge of the other.
  private static func touch(_ a: [Point], _ b: [Point]) -> Bool {
    [(a, b), (b, a)].contains { a, b in
      a.indices.contains { index in b.contains { cross(a[index], a[(index + 1) % a.count], $0) == 0 } }
    }
  }

  @Test func aHoleIsNoPartOfAnArea() throws {
    let square = { (low: Int64, high: Int64) in
      [Point(low, low), Point(high, low), Point(high, high), Point(low, high)]
    }
    let area = try Self.area([square(0, 20), square(5, 15)])
    for (low, high, meets) in [
      (Int64(7), Int64(12), false), (1, 4, true), (3, 8, true), (-5, 30, true), (21, 25, false), (6, 14, false),
    ] {
      #expect(AreaMeeting(try Self.ring(square(low, high))).meets(area) == meets, "\(low)...\(high)")
    }
  }

  /// Lines meet at their ends, too, and not beyond them.
  @Test func linesMeetInAPoint() {
    func meets(_ a: (Double, Double, Double, Double), _ b: (Double, Double, Double, Double)) -> Bool {
      let (one, other) = (
        PlaneSegment(start: [a.0, a.1], end: [a.2, a.3]), PlaneSegment(start: [b.0, b.1], end: [b.2, b.3])
      )
      #expect(one.meets(other) == other.meets(one))
      return one.meets(other)
    }
    #expect(meets((0, 0, 4, 4), (0, 4, 4, 0)) && meets((0, 0, 4, 4), (2, 2, 9, 0)) && meets((0, 0, 4, 4), (4, 4, 9, 0)))
    #expect(
      !meets((0, 0, 4, 4), (3, 2.9, 9, 0)) && !meets((0, 0, 4, 4), (5, 5, 9, 9)) && !meets((0, 0, 4, 4), (0, 1, 4, 5)))
    #expect(
      meets((0, 0, 4, 4), (3, 3, 9, 9)) && meets((0, 0, 4, 0), (4, 0, 9, 0)) && !meets((0, 0, 4, 0), (4.1, 0, 9, 0)))
    #expect(
      !meets((0, 0, 4, 4), (5, 0, 6, 4)) && !meets((0, 0, 4, 1), (1, 2, 3, 5)) && !meets((0, 0, 4, 4), (3, 0, 3, 2.9)))
    #expect(!meets((0, 0, 4, 4), (1, 0.9, 1.2, 1.15)))
    let line = PlaneSegment(start: [1, 1], end: [3, 1])
    #expect(line.side(of: [0, 2]) > 0 && line.side(of: [0, 0]) < 0 && line.side(of: [9, 1]) == 0)
  }
}

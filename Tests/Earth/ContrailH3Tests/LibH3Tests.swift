import ContrailGeodesy
import ContrailH3
import Testing

@Suite("libh3's answers are ours")
struct LibH3Tests {
  private static let table = Dictionary(
    grouping: LibH3Table.text.split(separator: "\n").map { $0.split(separator: " ") }, by: { $0[0] })

  /// The table's lines of one kind, each cut into its fields.
  private static func answers(_ kind: Substring) -> [[Substring]] {
    (table[kind] ?? []).map { Array($0.dropFirst()) }
  }

  private func cell(_ field: Substring) throws -> H3Cell { try #require(H3Cell(String(field))) }

  private func cells(_ field: Substring) throws -> [H3Cell] {
    field == "-" ? [] : try field.split(separator: ",").map(cell)
  }

  private func points(_ field: Substring) throws -> [Coordinate] {
    let values = try field.split(separator: ",").map { try #require(Double($0)) }
    return (0..<values.count / 2).map { Coordinate(latitude: values[2 * $0], longitude: values[2 * $0 + 1]) }
  }

  private func areClose(_ a: [Coordinate], _ b: [Coordinate], degrees: Double = 1e-10) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy {
        let across = abs($0.longitude - $1.longitude)
        return abs($0.latitude - $1.latitude) < degrees && min(across, 360 - across) < degrees
      }
  }

  @Test func forPoints() throws {
    let answers = Self.answers("cell")
    #expect(answers.count > 700)
    for fields in answers {
      let point = Coordinate(latitude: try #require(Double(fields[0])), longitude: try #require(Double(fields[1])))
      let resolution = try #require(Int(fields[2]))
      #expect(try H3Cell(point, resolution: resolution).description == fields[3], "\(point)")
    }
  }

  @Test func forCentresAndBoundaries() throws {
    for fields in Self.answers("shape") {
      let cell = try cell(fields[0])
      #expect(areClose([cell.center], try points(fields[1])), "\(cell)")
      #expect(areClose(cell.boundary, try points(fields[2])), "\(cell)")
    }
  }

  @Test func forFamilies() throws {
    for fields in Self.answers("family") {
      let cell = try cell(fields[0])
      let coarser = try #require(Int(fields[1]))
      let finer = try #require(Int(fields[4]))
      let parent = try cell.parent(resolution: coarser)
      let position = try cell.childPosition(resolution: coarser)
      #expect(parent.description == fields[2])
      #expect(String(position) == fields[3])
      #expect(try parent.child(at: position, resolution: cell.resolution) == cell)
      #expect(try String(cell.childrenCount(resolution: finer)) == fields[5])
      #expect(try cell.centerChild(resolution: finer).description == fields[6])
    }
  }

  @Test func forDisksAndRings() throws {
    for fields in Self.answers("disk") {
      let disk = try cell(fields[0]).gridDisk(#require(Int(fields[1])))
      #expect(try disk.sorted() == cells(fields[2]))
    }
    for fields in Self.answers("ring") {
      let ring = try cell(fields[0]).gridRing(#require(Int(fields[1])))
      #expect(try ring.sorted() == cells(fields[2]))
    }
  }

  @Test func forDistances() throws {
    let answers = Self.answers("distance")
    #expect(answers.contains { $0[2] == "-" })
    for fields in answers {
      let (a, b) = (try cell(fields[0]), try cell(fields[1]))
      let distance = try? a.gridDistance(to: b)
      #expect(distance.map(String.init) ?? "-" == fields[2], "\(a) to \(b)")
      if let distance { #expect(a.isNeighbor(of: b) == (distance == 1)) }
    }
  }

  @Test func forCompactSets() throws {
    for fields in Self.answers("compact") {
      let (all, compacted) = (try cells(fields[0]), try cells(fields[1]))
      #expect(try H3Cell.compact(all.reversed()) == compacted)
      #expect(try H3Cell.uncompact(compacted, resolution: all[0].resolution).sorted() == all)
    }
  }

  @Test func forAreasAndEdges() throws {
    for fields in Self.answers("measure") {
      let cell = try cell(fields[0])
      let area = try #require(Double(fields[1]))
      #expect(abs(cell.areaSteradians - area) < 1e-6 * area, "\(cell)")
      #expect(cell.neighbors.count == fields.count - 2)
      for field in fields.dropFirst(2) {
        let side = field.split(separator: ":")
        let length = try cell.edgeLengthRadians(to: self.cell(side[0]))
        #expect(try abs(length - #require(Double(side[1]))) < 1e-12, "\(cell) \(field)")
      }
    }
  }

  @Test func forPolygons() throws {
    let modes: [Substring: H3Containment] = ["center": .center, "full": .full, "overlap": .overlapping]
    for fields in Self.answers("polygon") {
      let loops = try fields[2].split(separator: ";").map(points)
      let polygon = H3Polygon(outer: loops[0], holes: Array(loops.dropFirst()))
      let found = try H3Cell.cells(
        in: polygon, resolution: #require(Int(fields[1])), containment: #require(modes[fields[0]]))
      #expect(try H3Cell.compact(found) == cells(fields[3]), "\(fields[0]) \(fields[2])")
    }
  }

  @Test func forOutlines() throws {
    for fields in Self.answers("outline") {
      let ours = try H3Cell.multiPolygon(of: cells(fields[0]))
      let theirs = try fields[1].split(separator: "|").map { try $0.split(separator: ";").map(points) }
      #expect(ours.count == theirs.count)
      for polygon in ours {
        let match = theirs.first { isSameLoop(polygon.outer, $0[0]) }
        let holes = try #require(match, "\(polygon.outer)").dropFirst()
        #expect(polygon.holes.count == holes.count)
        for hole in polygon.holes { #expect(holes.contains { isSameLoop(hole, $0) }) }
      }
    }
  }

  /// Whether two loops have the same points in the same order, wherever they begin.
  private func isSameLoop(_ a: [Coordinate], _ b: [Coordinate]) -> Bool {
    guard a.count == b.count else { return false }
    return b.indices.contains { areClose(a, Array(b[$0...] + b[..<$0]), degrees: 1e-8) }
  }
}

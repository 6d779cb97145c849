import ContrailGeodesy
import ContrailH3
import Testing

@Suite("The grid")
struct H3GridTests {
  private let cell = H3Cell("85283473fffffff")

  @Test func neighboursAreMutual() throws {
    for parent in try H3Cell.pentagons(resolution: 1) {
      for cell in try parent.children(resolution: 3) {
        let neighbors = cell.neighbors
        #expect(Set(neighbors).count == (cell.isPentagon ? 5 : 6))
        #expect(neighbors.allSatisfy { $0.neighbors.contains(cell) && $0.isNeighbor(of: cell) })
      }
    }
  }

  @Test func noCellIsItsOwnNeighbour() throws {
    let cell = try #require(cell)
    #expect(!cell.isNeighbor(of: cell))
    #expect(try !cell.isNeighbor(of: #require(cell.parent)))
  }

  @Test func disksAreTheirRings() throws {
    let pentagon = try H3Cell.pentagons(resolution: 5)[3]
    for start in [try #require(cell), pentagon, pentagon.neighbors[2]] {
      let disk = try start.gridDisk(6)
      #expect(disk.first == start && Set(disk).count == disk.count)
      let rings = try start.gridDiskRings(6)
      #expect(rings.flatMap { $0 } == disk)
      for (k, ring) in rings.enumerated() { #expect(try start.gridRing(k).sorted() == ring.sorted()) }
    }
  }

  @Test func distancesAreThoseOfTheRings() throws {
    let start = try #require(cell)
    for (k, ring) in try start.gridDiskRings(9).enumerated() {
      for other in ring { #expect(try start.gridDistance(to: other) == k) }
    }
  }

  @Test func pathsGoFromNeighborToNeighbor() throws {
    let start = try #require(cell)
    for other in try start.gridRing(17) + [start] {
      let path = try start.gridPath(to: other)
      #expect(try path.count == start.gridDistance(to: other) + 1)
      #expect(path.first == start && path.last == other)
      #expect(zip(path, path.dropFirst()).allSatisfy { $0.isNeighbor(of: $1) })
    }
  }

  @Test func whatCannotBeWalkedIsRefused() throws {
    let cell = try #require(cell)
    #expect(throws: H3Error.negativeDistance(-1)) { try cell.gridDisk(-1) }
    #expect(throws: H3Error.negativeDistance(.min)) { try cell.gridRing(.min) }
    #expect(throws: H3Error.tooManyCells(limit: H3Cell.maximumCount)) { try cell.gridDisk(.max) }
    let parent = try #require(cell.parent)
    #expect(throws: H3Error.resolutionMismatch(5, 4)) { try cell.gridDistance(to: parent) }
    let opposite = try H3Cell(Coordinate(latitude: -37, longitude: 58), resolution: 5)
    #expect(throws: H3Error.unreachable(cell, opposite)) { try cell.gridDistance(to: opposite) }
    #expect(throws: H3Error.unreachable(cell, opposite)) { try cell.gridPath(to: opposite) }
    #expect(throws: H3Error.notNeighbors(cell, opposite)) { try cell.edgeLengthKm(to: opposite) }
  }
}

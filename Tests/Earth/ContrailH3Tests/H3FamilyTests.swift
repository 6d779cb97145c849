import ContrailH3
import Testing

@Suite("The hierarchy")
struct H3FamilyTests {
  private let cell = H3Cell("85283473fffffff")
  private let pentagon = H3Cell("85080003fffffff")

  @Test func childrenAreCountedUpInOrder() throws {
    for parent in [try #require(cell), try #require(pentagon)] {
      for resolution in 5...9 {
        let children = Array(try parent.children(resolution: resolution))
        #expect(try children.count == parent.childrenCount(resolution: resolution))
        #expect(zip(children, children.dropFirst()).allSatisfy { $0 < $1 })
        #expect(children.allSatisfy { H3Cell.isValid($0.rawValue) && $0.resolution == resolution })
        #expect(try children.allSatisfy { try $0.parent(resolution: 5) == parent })
      }
    }
  }

  @Test func placesAndChildrenAreInverse() throws {
    for parent in [try #require(cell), try #require(pentagon)] {
      for (place, child) in try parent.children(resolution: 8).enumerated() {
        #expect(try child.childPosition(resolution: 5) == place)
        #expect(try parent.child(at: place, resolution: 8) == child)
      }
      #expect(try parent.child(at: parent.childrenCount(resolution: 8), resolution: 8) == nil)
      #expect(try parent.child(at: -1, resolution: 8) == nil)
    }
  }

  @Test func allOfTheWorldCompactsToItsBaseCells() throws {
    let all = try H3Cell.uncompact(H3Cell.resolution0, resolution: 3)
    #expect(try all.count == H3Cell.count(resolution: 3))
    #expect(try H3Cell.compact(all.shuffled()) == H3Cell.resolution0)
    #expect(all.filter(\.isPentagon).sorted() == (try H3Cell.pentagons(resolution: 3)))
  }

  @Test func whatDoesNotGoTogetherIsRefused() throws {
    let cell = try #require(cell)
    #expect(throws: H3Error.resolutionMismatch(5, 6)) { try cell.parent(resolution: 6) }
    #expect(throws: H3Error.resolution(-1)) { try cell.parent(resolution: -1) }
    #expect(throws: H3Error.resolutionMismatch(5, 4)) { try cell.children(resolution: 4) }
    #expect(throws: H3Error.resolution(16)) { try cell.childrenCount(resolution: 16) }
    #expect(throws: H3Error.duplicate(cell)) { try H3Cell.compact([cell, cell]) }
    let parent = try #require(cell.parent)
    #expect(throws: H3Error.resolutionMismatch(5, 4)) { try H3Cell.compact([cell, parent]) }
    #expect(throws: H3Error.tooManyCells(limit: 100)) { try H3Cell.uncompact([cell], resolution: 9, limit: 100) }
    #expect(throws: H3Error.tooManyCells(limit: H3Cell.maximumCount)) {
      try H3Cell.uncompact(H3Cell.resolution0, resolution: 15)
    }
    #expect(H3Cell.resolution0[0].parent == nil)
  }
}

import ContrailTestSupport
import Testing

@testable import ContrailQuery

/// Elements in ascending order.
@Suite struct SortedTests {
  @Test func aUnionHasEachOnce() {
    #expect([1, 3, 5].united(with: [1, 2, 3, 5, 9] as [UInt32]) == [1, 2, 3, 5, 9])
    #expect([1, 2, 3, 5, 9].united(with: [1, 3, 5] as [UInt32]) == [1, 2, 3, 5, 9])
    #expect([].united(with: [4, 7] as [UInt32]) == [4, 7] && [4, 7].united(with: [] as [UInt32]) == [4, 7])
  }

  @Test func editsPutPartsOfAnotherArrayInPlaceOfItsOwn() {
    var random = SplitMix64(seed: 12)
    var moves = (down: 0, up: 0, both: 0)
    for _ in 0..<2000 {
      let other = (0..<40).map { "new \($0)" }
      var array = (0..<Int.random(in: 0..<60, using: &random)).map { "old \($0)" }
      var (edits, expected): (Edits, [String]) = ([], [])
      var (next, taken) = (0, 0)
      var shifts: [Int] = []
      while next < array.count, taken < other.count, random.chance(80) {
        let start = next + Int.random(in: 0..<min(8, array.count - next + 1), using: &random)
        let end = start + Int.random(in: 0..<min(4, array.count - start + 1), using: &random)
        let part = taken..<taken + Int.random(in: 0..<min(4, other.count - taken + 1), using: &random)
        edits.append((start..<end, part))
        shifts.append((shifts.last ?? 0) + part.count - (end - start))
        expected += array[next..<start] + other[part]
        (next, taken) = (end, part.upperBound)
      }
      expected += array[next...]
      let (before, shared) = (array, array)
      array.edit(edits, from: other)
      #expect(array == expected, "\(edits)")
      #expect(shared == before, "a copy stays as it was")
      let (down, up) = (shifts.contains { $0 < 0 }, shifts.contains { $0 > 0 })
      moves = (moves.down + (down ? 1 : 0), moves.up + (up ? 1 : 0), moves.both + (down && up ? 1 : 0))
    }
    #expect(moves.down > 500 && moves.up > 500 && moves.both > 200, "\(moves)")
  }
}

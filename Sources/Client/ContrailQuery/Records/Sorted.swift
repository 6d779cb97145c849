// Elements in ascending order.

extension RandomAccessCollection where Index == Int {
  /// Returns the first index from a start at which a condition holds that holds for all later elements, in ever larger steps: mostly it
  /// is near.
  @inline(__always)
  func firstIndex(from start: Int, where holds: (Element) -> Bool) -> Int {
    var (low, step) = (start, 1)
    while low + step <= endIndex, !holds(self[low + step - 1]) {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step - 1, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Parts of an array, in ascending order, each with the part of another array that takes its place.
typealias Edits = [(old: Range<Int>, new: Range<Int>)]

extension Array {
  /// Puts parts of another array in place of its own.
  ///
  /// - Complexity: O(*e* + *m*), with *e* edits and *m* elements whose index changes; each moves once. O(*n*) if the array is shared.
  mutating func edit(_ edits: Edits, from other: [Element]) {
    guard let first = edits.first else { return }
    // What is between two edits, in ascending order, and by how much it moves.
    var kept: [(range: Range<Int>, shift: Int)] = []
    var (shift, end) = (first.new.count - first.old.count, first.old.upperBound)
    for edit in edits.dropFirst() {
      if shift != 0 { kept.append((end..<edit.old.lowerBound, shift)) }
      shift += edit.new.count - edit.old.count
      end = edit.old.upperBound
    }
    if shift != 0 { kept.append((end..<count, shift)) }
    if shift > 0, let filler = other.first {
      // Some room for the next edits, but not twice as much as is needed.
      if count + shift > capacity { reserveCapacity(count + shift + count / 16) }
      append(contentsOf: repeatElement(filler, count: shift))
    }
    withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      func move(_ range: Range<Int>, by shift: Int) {
        (start + range.lowerBound + shift).update(from: start + range.lowerBound, count: range.count)
      }
      // In this order, no part is overwritten before it has moved.
      for part in kept where part.shift < 0 { move(part.range, by: part.shift) }
      for part in kept.reversed() where part.shift > 0 { move(part.range, by: part.shift) }
      var place = 0
      for edit in edits {
        let index = edit.old.lowerBound + place
        for offset in 0..<edit.new.count { start[index + offset] = other[edit.new.lowerBound + offset] }
        place += edit.new.count - edit.old.count
      }
    }
    if shift < 0 { removeLast(-shift) }
  }
}

extension [UInt32] {
  /// Returns the elements of this array, of another, or of both, each once. Both are in ascending order.
  func united(with other: [UInt32]) -> [UInt32] {
    var all: [UInt32] = []
    all.reserveCapacity(count + other.count)
    var (left, right) = (0, 0)
    while left < count || right < other.count {
      let takesLeft = right == other.count || left < count && self[left] <= other[right]
      let next = takesLeft ? self[left] : other[right]
      if takesLeft { left += 1 } else { right += 1 }
      if all.last != next { all.append(next) }
    }
    return all
  }
}

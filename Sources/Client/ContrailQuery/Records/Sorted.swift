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
  /// Returns the array with parts of another one in place of its own.
  ///
  /// - Complexity: O(*n*). What is between two parts is copied at once.
  func edited(_ edits: Edits, from other: [Element]) -> [Element] {
    let newCount = edits.reduce(count) { $0 + $1.new.count - $1.old.count }
    return [Element](unsafeUninitializedCapacity: newCount) { buffer, used in
      func copy(_ range: Range<Int>, of source: [Element]) {
        _ = buffer[used...].initialize(fromContentsOf: source[range])
        used += range.count
      }
      var next = 0
      for edit in edits {
        copy(next..<edit.old.lowerBound, of: self)
        copy(edit.new, of: other)
        next = edit.old.upperBound
      }
      copy(next..<count, of: self)
    }
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

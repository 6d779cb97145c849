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

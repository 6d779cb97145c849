/// The times at which reports of a world were first shown, by their indexes in it.
///
/// It takes four bytes for each report, because a long recording has millions.
package struct ShownReports: Sendable {
  /// One more than the milliseconds since ``start``; 0 for a report that wasn't shown.
  private var times: [UInt32] = []
  private var start: Int64?

  /// The time at which a report was first shown, in milliseconds since 1970; nil if it wasn't.
  package subscript(_ index: Int) -> Int64? {
    guard times.indices.contains(index), times[index] > 0, let start else { return nil }
    return start + Int64(times[index]) - 1
  }

  /// The index of the last report that was shown, plus one.
  package var count: Int { times.count }

  /// Notes that a report is shown.
  mutating func note(_ index: Int, at time: Int64) {
    let start = start ?? time
    self.start = start
    while times.count <= index { times.append(0) }
    // A flight of more than 49 days has no later times.
    if times[index] == 0 { times[index] = UInt32(clamping: max(time - start, 0) + 1) }
  }
}

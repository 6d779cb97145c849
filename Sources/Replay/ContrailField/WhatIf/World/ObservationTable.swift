import ContrailWire

/// A hash table of the indexes of observations, by their reports.
///
/// It holds four bytes for each slot and no reports, which the array of observations holds already.
struct ObservationTable: Sendable {
  /// One more than an index; 0 in an empty slot. The number of slots is a power of two.
  private var slots: [UInt32] = Array(repeating: 0, count: 1 << 10)
  private var count = 0

  /// Returns the index of a report's observation; nil if the table doesn't contain it.
  ///
  /// - Complexity: O(1) on average.
  func index(of report: TurbulenceReport, in observations: [RecordedWorld.Observation]) -> Int? {
    let found = slots[slot(of: report, in: observations)]
    return found == 0 ? nil : Int(found) - 1
  }

  /// Adds the last observation, whose report isn't in the table.
  ///
  /// - Complexity: O(1) on average, amortized.
  mutating func addLast(of observations: [RecordedWorld.Observation]) {
    guard let last = observations.indices.last, let number = UInt32(exactly: last + 1) else { return }
    count += 1
    if count * 4 > slots.count * 3 {
      slots = Array(repeating: 0, count: slots.count * 2)
      for index in observations.indices.dropLast() {
        slots[slot(of: observations[index].report, in: observations)] = UInt32(truncatingIfNeeded: index + 1)
      }
    }
    slots[slot(of: observations[last].report, in: observations)] = number
  }

  /// Returns the slot of a report, or the empty slot in which it belongs.
  private func slot(of report: TurbulenceReport, in observations: [RecordedWorld.Observation]) -> Int {
    let mask = UInt64(slots.count - 1)
    var slot = Int(report.digest & mask)
    while slots[slot] != 0, observations[Int(slots[slot]) - 1].report != report { slot = (slot + 1) & Int(mask) }
    return slot
  }
}

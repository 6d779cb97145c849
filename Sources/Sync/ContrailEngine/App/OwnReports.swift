import ContrailCore
package import ContrailQuery
import ContrailWire

/// The reports that the device made, and whether the server has accepted them.
///
/// Those that the server hasn't confirmed are known across launches, because the log keeps them; the others since the launch.
package struct OwnReports: Sendable, Equatable {
  /// The reports, in the order in which they were made.
  package private(set) var all: [OwnReport] = []
  /// The number of reports made until the last state.
  private var trackedCount: Int64 = 0

  /// The maximum number of reports that are remembered after the server has answered.
  private static let mostSettled = 5000

  /// Applies a publication of the driver.
  mutating func update(to state: State, _ updates: [ClientUpdate]) {
    let outbox = state.outbox
    let isRefused = updates.contains {
      if case .failed(let error) = $0 { error.code == .reportRefused } else { false }
    }
    let before = trackedCount
    let made = Int(clamping: outbox.trackedCount - before)
    trackedCount = outbox.trackedCount
    let new = outbox.reports.suffix(max(0, min(made, outbox.reports.count)))
    let old = outbox.reports.count - new.count
    // Reports leave the outbox in order, from its front.
    let pending = all.indices.filter { all[$0].state.isPending }
    let first = before - Int64(pending.count)
    for (place, index) in pending.dropLast(min(old, pending.count)).enumerated() {
      let isHeldBack = outbox.heldBack.contains(first + Int64(place))
      all[index].state = isRefused ? .refused : isHeldBack ? .heldBack : .confirmed
    }
    all += new.map { OwnReport($0, .waiting) }
    let sent = outbox.upload?.request == nil ? 0 : Int(clamping: outbox.upload?.count ?? 0)
    for (place, index) in all.indices.suffix(outbox.reports.count).enumerated() {
      all[index].state = place < sent ? .sending : .waiting
    }
    forget(asOf: state.serverNow / 1000)
  }

  /// Removes reports that no query can return any more.
  private mutating func forget(asOf second: Int64) {
    let settled = all.count { !$0.state.isPending }
    let oldest = second - (DataHistoryTime.allCases.map { $0.seconds }.max() ?? 0)
    guard settled > Self.mostSettled || all.first.map({ Int64($0.report.observedAt) <= oldest }) == true else { return }
    var surplus = settled - Self.mostSettled
    all.removeAll { own in
      guard !own.state.isPending else { return false }
      defer { surplus -= 1 }
      return surplus > 0 || Int64(own.report.observedAt) <= oldest
    }
  }
}

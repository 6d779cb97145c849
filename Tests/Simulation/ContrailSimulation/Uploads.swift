import ContrailCore
package import ContrailWire

/// What the aircraft reported itself, what the server got of it, and whether that is as it should be.
package struct Uploads {
  /// Tracked, and not yet known to be on stable storage.
  private var waiting: [TurbulenceReport] = []
  /// On stable storage when the caller was told so, in the order of tracking.
  private var acknowledged: [TurbulenceReport] = []
  /// Refused by the server one by one, so that they are given up.
  private var refused: Set<TurbulenceReport> = []
  /// What the server took in, each key once, in the order in which it came.
  package private(set) var received: [TurbulenceReport] = []
  private var keys: [String: [TurbulenceReport]] = [:]
  private var trackedCount: UInt32 = 0
  private var hasLostPower = false

  private(set) var finding: String?

  /// Another report, unlike any before.
  mutating func next(atSecond second: Int64) -> TurbulenceReport {
    trackedCount += 1
    return TurbulenceReport(
      cell: 0x0F_1234, altitude: UInt8(trackedCount % 53), severity: UInt8(trackedCount % 5),
      edrE4: UInt16(trackedCount % 6000), observedAt: UInt32(second) &+ trackedCount)
  }

  mutating func took(_ inputs: [Input]) {
    for case .reportTracked(let report) in inputs { waiting.append(report) }
  }

  mutating func synced() {
    acknowledged += waiting
    waiting = []
  }

  /// The process died: what wasn't acknowledged may be sent or not.
  mutating func died(ofPower: Bool) {
    waiting = []
    if ofPower { hasLostPower = true }
  }

  func hasKey(_ key: String) -> Bool { keys[key] != nil }

  /// The server takes an upload in: the same key counts once.
  mutating func receive(_ reports: [TurbulenceReport], key: String) {
    if let known = keys[key] {
      if known != reports { finding = "key \(key) came again with other reports" }
      return
    }
    keys[key] = reports
    received += reports
  }

  mutating func refuse(_ reports: [TurbulenceReport]) { if reports.count == 1 { refused.formUnion(reports) } }

  /// Returns the fault of the received reports, after the client has sent all of them; nil if there is none.
  func fault() -> String? {
    if let finding { return finding }
    var seen: Set<TurbulenceReport> = []
    let firsts = received.filter { seen.insert($0).inserted }
    // After a power failure, the client may have lost which reports it sent, and send them again.
    if firsts.count < received.count, !hasLostPower { return "\(received.count - firsts.count) reports came in twice" }
    let due = acknowledged.filter { !refused.contains($0) }
    let missing = due.filter { !seen.contains($0) }
    if !missing.isEmpty { return "\(missing.count) acknowledged reports of \(due.count) never came in" }
    let wanted = Set(due)
    if firsts.filter({ wanted.contains($0) }) != due { return "reports came in out of order" }
    return nil
  }
}

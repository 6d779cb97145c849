import ContrailWire

/// Stores uploaded reports, and the idempotency keys that detect repeated uploads.
///
/// The store is in memory and bounded. The oldest entries are removed first.
struct UploadStore: Sendable {
  /// The uploaded reports in order of arrival.
  private(set) var observations: [WorldEpoch.Observation] = []
  private var known: Set<TurbulenceReport> = []
  private var receipts: [String: Receipt] = [:]
  private let capacity: Int

  private struct Receipt {
    let bodyDigest: UInt64
    let accepted: Int
    let at: Int64
  }

  /// The lifetime of an idempotency key in seconds: 30 days.
  static let keyLifetimeSeconds: Int64 = 30 * 86_400
  /// The maximum age of a requested observation in seconds.
  static let longestHistory = DataHistoryTime.sixHours.seconds

  init(capacity: Int = 100_000) {
    self.capacity = max(capacity, 1)
  }

  /// Stores an upload and returns the number of recent reports, or the earlier result for a known key.
  ///
  /// - Throws: 409 if the key was used with another body.
  mutating func accept(
    _ upload: [WorldEpoch.Observation], key: String, bodyDigest: UInt64, now: Int64
  ) throws(ServiceError) -> Int {
    if let receipt = receipts[key], now - receipt.at < Self.keyLifetimeSeconds {
      guard receipt.bodyDigest == bodyDigest else {
        throw ServiceError(
          status: 409, code: "IDEMPOTENCY_KEY_REUSED",
          message: "this Idempotency-Key came with another body before: use a new key for new reports")
      }
      return receipt.accepted
    }
    let fresh = upload.filter { Int64($0.report.observedAt) > now - Self.longestHistory }
    for observation in fresh where known.insert(observation.report).inserted { observations.append(observation) }
    receipts[key] = Receipt(bodyDigest: bodyDigest, accepted: fresh.count, at: now)
    trim(now: now)
    return fresh.count
  }

  private mutating func trim(now: Int64) {
    if observations.count > capacity {
      // Keeps the newest half. Removing reports one by one would move the others each time.
      for gone in observations.dropLast(capacity / 2) { known.remove(gone.report) }
      observations.removeFirst(observations.count - capacity / 2)
    }
    guard receipts.count > capacity else { return }
    receipts = receipts.filter { now - $0.value.at < Self.keyLifetimeSeconds }
    guard receipts.count > capacity else { return }
    let cut = receipts.values.map(\.at).sorted()[receipts.count / 2]
    receipts = receipts.filter { $0.value.at > cut }
  }
}

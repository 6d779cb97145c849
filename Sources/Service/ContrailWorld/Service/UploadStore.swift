import ContrailWire

/// Stores uploaded reports, and the idempotency keys that detect repeated uploads, for each owner apart.
///
/// The store is in memory and bounded. The oldest entries of an owner are removed first, and of all owners those of the largest, so
/// that no owner removes what a smaller one has.
struct UploadStore: Sendable {
  fileprivate struct Owner {
    /// The uploaded reports in order of arrival.
    var observations: [WorldEpoch.Observation] = []
    var known: Set<TurbulenceReport> = []
    /// The results by idempotency key.
    var receipts: [String: Receipt] = [:]

    var count: Int { max(observations.count, receipts.count) }
  }

  fileprivate struct Receipt {
    let bodyDigest: UInt64
    let accepted: Int
    let at: Int64
  }

  private var owners: [String: Owner] = [:]
  /// The maximum number of reports, and of idempotency keys, of an owner.
  private let capacity: Int
  /// The maximum number of reports and of idempotency keys of all owners.
  private let capacityInAll: Int

  /// The lifetime of an idempotency key in seconds: 30 days.
  static let keyLifetimeSeconds: Int64 = 30 * 86_400
  /// The maximum age of a requested observation in seconds.
  static let longestHistory = DataHistoryTime.sixHours.seconds

  init(capacity: Int = 100_000) {
    self.capacity = max(capacity, 1)
    capacityInAll = self.capacity * 4
  }

  /// The uploaded reports; those of an owner are in order of arrival.
  var observations: [WorldEpoch.Observation] {
    owners.count == 1 ? owners.first?.value.observations ?? [] : owners.values.flatMap(\.observations)
  }

  /// Stores an upload and returns the number of recent reports, or the earlier result for a known key.
  ///
  /// - Parameters:
  ///   - owner: The API key of the client.
  ///   - key: The idempotency key.
  /// - Throws: 409 if the key was used with another body.
  mutating func accept(
    _ upload: [WorldEpoch.Observation], owner: String, key: String, bodyDigest: UInt64, now: Int64
  ) throws(ServiceError) -> Int {
    if let receipt = owners[owner]?.receipts[key], now - receipt.at < Self.keyLifetimeSeconds {
      guard receipt.bodyDigest == bodyDigest else {
        throw ServiceError(
          status: 409, code: "IDEMPOTENCY_KEY_REUSED",
          message: "this Idempotency-Key came with another body before: use a new key for new reports")
      }
      return receipt.accepted
    }
    let fresh = upload.filter { Int64($0.report.observedAt) > now - Self.longestHistory }
    owners[owner, default: Owner()].add(fresh)
    owners[owner]?.receipts[key] = Receipt(bodyDigest: bodyDigest, accepted: fresh.count, at: now)
    owners[owner]?.trim(to: capacity, now: now)
    if owners.values.reduce(0, { $0 + $1.count }) > capacityInAll,
      let largest = owners.max(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) })
    {
      owners[largest.key]?.trim(to: largest.value.count - 1, now: now)
    }
    return fresh.count
  }
}

extension UploadStore.Owner {
  fileprivate mutating func add(_ fresh: [WorldEpoch.Observation]) {
    for observation in fresh where known.insert(observation.report).inserted { observations.append(observation) }
  }

  fileprivate mutating func trim(to capacity: Int, now: Int64) {
    if observations.count > capacity {
      // Keeps the newest half. Removing reports one by one would move the others each time.
      for gone in observations.dropLast(capacity / 2) { known.remove(gone.report) }
      observations.removeFirst(observations.count - capacity / 2)
    }
    guard receipts.count > capacity else { return }
    receipts = receipts.filter { now - $0.value.at < UploadStore.keyLifetimeSeconds }
    guard receipts.count > capacity else { return }
    let cut = receipts.values.map(\.at).sorted()[receipts.count / 2]
    receipts = receipts.filter { $0.value.at > cut }
  }
}

#if Online
  import ContrailWire

  /// Reports that clients uploaded, and which uploads were seen, so that one that is sent twice counts once.
  ///
  /// In memory and bounded: what is oldest goes first.
  struct UploadStore: Sendable {
    /// Uploaded reports, in the order of their arrival.
    private(set) var observations: [WorldEpoch.Observation] = []
    private var known: Set<TurbulenceReport> = []
    private var receipts: [String: Receipt] = [:]
    private let capacity: Int

    private struct Receipt {
      let bodyDigest: UInt64
      let accepted: Int
      let at: Int64
    }

    /// How long an idempotency key is remembered, in seconds: 30 days.
    static let keyLifetimeSeconds: Int64 = 30 * 86_400
    /// How old an observation may be to be asked for by anyone, in seconds.
    static let longestHistory = DataHistoryTime.sixHours.seconds

    init(capacity: Int = 100_000) {
      self.capacity = max(capacity, 1)
    }

    /// Takes an upload in and returns how many reports it brought that are of use; for a key seen before, what was said then.
    ///
    /// - Throws: 409 where the key came with another body.
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
        // The newest half: dropping one by one would move all the others each time.
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
#endif

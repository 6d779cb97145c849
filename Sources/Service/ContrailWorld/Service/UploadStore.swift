import ContrailGeodesy
import ContrailH3
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
    /// The number of reports that the results list as held back.
    var heldBackCount = 0

    var count: Int { max(observations.count, receipts.count, heldBackCount) }
  }

  fileprivate struct Receipt {
    let bodyDigest: UInt64
    var answer: UploadAnswer
    let at: Int64
  }

  private var owners: [String: Owner] = [:]
  /// Changes when reports were removed before they expired.
  private(set) var trimCount = 0
  /// The maximum number of reports, of idempotency keys, and of reports that results list as held back, of an owner.
  private let capacity: Int
  /// The maximum number of each for all owners.
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

  /// Returns the reports of each owner other than one.
  func others(than owner: String) -> [(owner: String, report: TurbulenceReport)] {
    owners.lazy.filter { $0.key != owner }.flatMap { owner, held in held.observations.map { (owner, $0.report) } }
  }

  /// Returns the number of reports of an owner that arrived after a time.
  func count(of owner: String, after time: Int64) -> Int {
    owners[owner]?.observations.reversed().prefix { $0.arrival > time }.count ?? 0
  }

  /// Returns the earlier result for a known key, or nil for a new one.
  ///
  /// - Throws: 409 if the key was used with another body.
  func receipt(owner: String, key: String, bodyDigest: UInt64, now: Int64) throws(ServiceError) -> UploadAnswer? {
    guard let receipt = owners[owner]?.receipts[key], now - receipt.at < Self.keyLifetimeSeconds else { return nil }
    guard receipt.bodyDigest == bodyDigest else {
      throw ServiceError(
        status: 409, code: "IDEMPOTENCY_KEY_REUSED",
        message: "this Idempotency-Key came with another body before: use a new key for new reports")
    }
    return receipt.answer
  }

  /// Stores an upload and returns the number of recent reports, or the earlier result for a known key.
  ///
  /// - Parameters:
  ///   - upload: The plausible reports.
  ///   - heldBack: The others, which aren't stored.
  ///   - owner: The API key of the client.
  ///   - key: The idempotency key.
  /// - Throws: 409 if the key was used with another body.
  mutating func accept(
    _ upload: [WorldEpoch.Observation], heldBack: [UploadAnswer.HeldBack] = [], owner: String, key: String,
    bodyDigest: UInt64, now: Int64
  ) throws(ServiceError) -> UploadAnswer {
    if let known = try receipt(owner: owner, key: key, bodyDigest: bodyDigest, now: now) { return known }
    let fresh = upload.filter { Int64($0.report.observedAt) > now - Self.longestHistory }
    let answer = UploadAnswer(accepted: fresh.count, heldBack: heldBack)
    owners[owner, default: Owner()].add(fresh)
    owners[owner]?.add(Receipt(bodyDigest: bodyDigest, answer: answer, at: now), for: key)
    if owners[owner]?.trim(to: capacity, now: now) == true { trimCount += 1 }
    if owners.values.reduce(0, { $0 + $1.count }) > capacityInAll,
      let largest = owners.max(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) })
    {
      if owners[largest.key]?.trim(to: largest.value.count - 1, now: now) == true { trimCount += 1 }
    }
    return answer
  }
}

extension UploadStore.Owner {
  fileprivate mutating func add(_ fresh: [WorldEpoch.Observation]) {
    for observation in fresh where known.insert(observation.report).inserted { observations.append(observation) }
  }

  /// Stores the result of an upload. It replaces the result of an earlier upload with this key, which has expired.
  fileprivate mutating func add(_ receipt: UploadStore.Receipt, for key: String) {
    heldBackCount += receipt.answer.heldBack.count
    if let old = receipts.updateValue(receipt, forKey: key) { heldBackCount -= old.answer.heldBack.count }
  }

  /// Removes the oldest entries beyond a capacity. Of results, the lists of reports that are held back go first.
  ///
  /// - Returns: Whether reports were removed.
  fileprivate mutating func trim(to capacity: Int, now: Int64) -> Bool {
    let isFull = observations.count > capacity
    if isFull {
      // Keeps the newest half. Removing reports one by one would move the others each time.
      for gone in observations.dropLast(capacity / 2) { known.remove(gone.report) }
      observations.removeFirst(observations.count - capacity / 2)
    }
    guard max(receipts.count, heldBackCount) > capacity else { return isFull }
    keepReceipts { now - $0.at < UploadStore.keyLifetimeSeconds }
    if heldBackCount > capacity { dropLists(to: capacity / 2) }
    guard receipts.count > capacity else { return isFull }
    let cut = receipts.values.map(\.at).sorted()[receipts.count / 2]
    keepReceipts { $0.at > cut }
    return isFull
  }

  private mutating func keepReceipts(_ isKept: (UploadStore.Receipt) -> Bool) {
    receipts = receipts.filter { isKept($0.value) }
    heldBackCount = receipts.values.reduce(0) { $0 + $1.answer.heldBack.count }
  }

  /// Drops the lists of the oldest results, until the others have at most so many reports.
  private mutating func dropLists(to count: Int) {
    heldBackCount = 0
    var isFull = false
    for (key, receipt) in receipts.sorted(by: { ($0.value.at, $0.key) > ($1.value.at, $1.key) }) {
      isFull = isFull || heldBackCount + receipt.answer.heldBack.count > count
      if isFull {
        receipts[key]?.answer.heldBack = []
      } else {
        heldBackCount += receipt.answer.heldBack.count
      }
    }
  }
}

// MARK: - Snapshots

extension UploadStore {
  /// What a snapshot contains of an owner.
  struct Part: Sendable {
    struct Receipt: Hashable, Sendable {
      var key: String
      var bodyDigest: UInt64
      var answer: UploadAnswer
      var at: Int64
    }

    var owner: String
    var receipts: [Receipt] = []
    /// The reports with their arrivals.
    var reports: [(report: TurbulenceReport, arrival: Int64)] = []
  }

  /// The contents, in the order of the owners. Expired receipts and reports are left out.
  func parts(at now: Int64) -> [Part] {
    owners.sorted { $0.key < $1.key }.map { owner, held in
      Part(
        owner: owner,
        receipts: held.receipts.filter { now - $0.value.at < Self.keyLifetimeSeconds }
          .sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
          .map { Part.Receipt(key: $0, bodyDigest: $1.bodyDigest, answer: $1.answer, at: $1.at) },
        reports: held.observations.filter { Int64($0.report.observedAt) > now - LiveWorld.memorySeconds }
          .map { ($0.report, $0.arrival) })
    }
  }

  /// Removes the reports that no answer contains any more.
  mutating func forget(before time: Int64) {
    for (owner, var held) in owners where held.observations.contains(where: { Int64($0.report.observedAt) <= time }) {
      held.observations.removeAll { Int64($0.report.observedAt) <= time }
      held.known = Set(held.observations.map(\.report))
      owners[owner] = held
    }
  }

  mutating func restore(_ part: Part) {
    var owner = owners[part.owner] ?? Owner()
    for receipt in part.receipts {
      owner.add(Receipt(bodyDigest: receipt.bodyDigest, answer: receipt.answer, at: receipt.at), for: receipt.key)
    }
    owner.add(part.reports.compactMap { WorldEpoch.Observation($0.report, arrival: $0.arrival) })
    owners[part.owner] = owner
  }
}

extension WorldEpoch.Observation {
  /// Creates an observation with the centre of its cell; nil if the cell is invalid.
  init?(_ report: TurbulenceReport, arrival: Int64) {
    guard let cell = H3Cell(packed22: report.cell), let centre = FixedCoordinate(cell.center) else { return nil }
    self.init(report: report, centre: centre, arrival: arrival)
  }
}

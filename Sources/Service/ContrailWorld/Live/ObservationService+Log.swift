import ContrailGeodesy
package import ContrailLog
import ContrailWire

/// A live service: the world of a log, and the areas with handles.
package struct LiveService: Sendable {
  package let observations: ObservationService
  let areas: AreaRegistry
  /// The time of the log that services share; nil for a log of its own.
  package var shared: SharedTime?

  /// Opens the log of a service and folds it.
  ///
  /// - Parameters:
  ///   - path: The directory of the log, which is created if it doesn't exist.
  ///   - clock: The time in milliseconds since 1970.
  ///   - retentionSeconds: The maximum age of a delta's token.
  ///   - reader: Reads the answers of feeds.
  ///   - sources: The names of the sources, for the log.
  ///   - version: The version of the service, for the log.
  ///   - segmentBytes: The size of a segment, after which the next one begins with a snapshot.
  /// - Throws: ``ServiceLogError`` if the log can't be opened or is another one.
  package static func open(
    path: String, clock: @escaping @Sendable () -> Int64, retentionSeconds: Int64, reader: FeedReader,
    sources: [String], version: String, storage: any LogStorage = POSIXStorage(),
    segmentBytes: Int64 = 32 << 20
  ) async throws(ServiceLogError) -> LiveService {
    let (log, state) = try ServiceLog.open(
      path: path, at: clock(), reader: reader, storage: storage, segmentBytes: segmentBytes)
    let areas = AreaRegistry(state.rings, maximumCount: ServiceState.maximumAreas)
    let service = ObservationService(
      state: state, log: log, clock: clock, retentionSeconds: retentionSeconds)
    _ = try await service.record(.started(version: version, sources: sources))
    return LiveService(observations: service, areas: areas)
  }

  /// Creates a service for the state of a log, which it doesn't change.
  package static func replaying(
    _ state: ServiceState, clock: @escaping @Sendable () -> Int64, retentionSeconds: Int64
  ) -> LiveService {
    LiveService(
      observations: ObservationService(
        state: state, log: nil, clock: clock, retentionSeconds: retentionSeconds),
      areas: AreaRegistry(state.rings, maximumCount: ServiceState.maximumAreas))
  }
}

extension LiveService {
  /// Lets the world gain the records of a line of another log, and remembers the area of one.
  package func gain(_ entry: ServiceLine, at: Int64) async -> ServiceState.Change {
    if case .area(let ring) = entry { _ = areas.remember(ring) }
    return await observations.gain(entry, at: at)
  }
}

/// What operators see of a live service.
package struct ServiceStatus: Sendable {
  package var sources: [String: SourceState]
  /// The credits that are left on this day, for the sources that said it since the service started.
  package var creditsLeft: [String: Int64]
  /// The number of PIREPs, reports, advisories and aircraft that are valid now.
  package var held: [(name: String, count: Int)]
  package var accepted: Int64
  /// The number of reports that weren't served, by reason.
  package var quarantined: [(reason: String, count: Int)]
  package var areas: Int
  /// The number of bytes of all segments of the log; nil if services share it.
  package var logBytes: Int64?
  /// The number of bytes of the segment that is being written, and the sequence number of the last line.
  package var segmentBytes: Int64
  package var lastSeq: Int64
  /// The time of the last line in milliseconds since 1970.
  package var lastAt: Int64
}

extension ServiceStatus {
  /// Returns the credits that a source has left on the day of a time in milliseconds since 1970; nil without a budget.
  ///
  /// It is what the source said last, or else what its share of the budget leaves.
  package func creditsLeft(of source: FeedSource, at now: Int64) -> Int64? {
    guard let budget = source.budget else { return nil }
    let used = (sources[source.name] ?? SourceState()).creditsUsed(of: source, at: now) ?? 0
    return creditsLeft[source.name] ?? max(budget.creditsPerDay - used, 0)
  }
}

// One way into the world: a line is stored, then folded.

extension ObservationService {
  /// Stores a line, and lets the world gain its records.
  ///
  /// The line's time is not before the time of any answer so far, so that a later delta contains what the line adds.
  ///
  /// - Parameters:
  ///   - entry: The line.
  ///   - records: The records of an answer, if they have been read already.
  /// - Returns: What changed.
  /// - Throws: ``ServiceLogError`` if the line can't be stored. The world is then unchanged.
  package func record(
    _ entry: ServiceLine, records: FeedRecords? = nil
  ) async throws(ServiceLogError) -> ServiceState.Change {
    if let shared { return try await append(entry, to: shared.log) }
    let at = lineTime
    do throws(LogError) {
      try log?.append(entry, at: at) { state?.snapshotParts(at: at) ?? [] }
    } catch {
      throw .log(error)
    }
    return gain(entry, at: at, records: records)
  }

  /// Lets the world gain the records of a line that is stored: the one way in which a live world changes.
  package func gain(
    _ entry: ServiceLine, at: Int64, records: FeedRecords? = nil
  ) -> ServiceState.Change {
    state?.fold(entry, at: at, records: records) ?? ServiceState.Change.none
  }

  /// Stores an area before it gets a handle.
  func register(_ ring: Ring) async throws(ServiceLogError) { _ = try await record(.area(ring)) }

  /// Stores an upload, and returns when it is on stable storage. A repeated upload gets the same answer.
  ///
  /// - Throws: 409 if the idempotency key was used with another body, 503 if the upload can't be stored.
  func store(
    _ upload: ReportsUpload, owner: String, key: String, bodyDigest: UInt64
  ) async throws(ServiceError) -> UploadAnswer {
    let now = lineTime / 1000
    if let known = try state?.uploads.receipt(owner: owner, key: key, bodyDigest: bodyDigest, now: now) {
      return known
    }
    let change: ServiceState.Change
    do throws(ServiceLogError) {
      change = try await record(
        .uploaded(.init(owner: owner, key: key, bodyDigest: bodyDigest, reports: upload.reports)))
    } catch {
      throw Self.cannotStore
    }
    guard await isSynced() else { throw Self.cannotStore }
    switch change {
    case .uploaded(let answer): return answer
    case .refused(let error): throw error
    case .none, .gained: return UploadAnswer(accepted: 0)
    }
  }

  private static let cannotStore = ServiceError(
    status: 503, code: "STORAGE_FAILED", message: "reports can't be stored now: send them again later")

  /// Returns when all lines are on stable storage: whether they are. Callers at the same time share a sync.
  private func isSynced() async -> Bool {
    guard log != nil else { return true }
    return await withCheckedContinuation { continuation in
      syncWaiters.append(continuation)
      guard syncWaiters.count == 1 else { return }
      // Other uploads that wait for this actor are appended before.
      Task { syncNow() }
    }
  }

  private func syncNow() {
    let waiters = syncWaiters
    syncWaiters = []
    let at = lineTime
    var isSynced = true
    do throws(LogError) {
      try log?.sync(at: at) { state?.snapshotParts(at: at) ?? [] }
    } catch {
      isSynced = false
    }
    for waiter in waiters { waiter.resume(returning: isSynced) }
  }

  /// Syncs the log if it is time.
  package func syncIfDue() throws(LogError) { try log?.syncIfDue(at: lineTime) }

  /// The finished segments that aren't compressed yet.
  package var sealable: [LogSegment] { log?.sealable ?? [] }

  /// Removes the oldest segments beyond limits.
  package func retain(_ rule: LogRetention) throws(LogError) -> RetentionResult {
    try log?.retain(rule, at: lineTime) ?? RetentionResult()
  }

  /// Begins a new segment of the log, with a snapshot.
  package func roll() throws(LogError) {
    let at = lineTime
    try log?.roll(at: at, state?.snapshotParts(at: at) ?? [])
  }

  /// Syncs the log at the end of the service.
  package func finish() throws(LogError) {
    let at = lineTime
    try log?.sync(at: at) { state?.snapshotParts(at: at) ?? [] }
  }

  /// The repairs made while opening the log.
  package var recovery: LogRecovery { log?.recovery ?? LogRecovery() }

  package var sources: [String: SourceState] { state?.sources ?? [:] }

  /// Notes how much of its budget a source says is left.
  package func note(creditsLeft count: Int64, of source: String) {
    creditsLeft[source] = (count, clock() / 86_400_000)
  }

  package var status: ServiceStatus? {
    guard let state else { return nil }
    return ServiceStatus(
      sources: state.sources,
      creditsLeft: creditsLeft.filter { $0.value.day == clock() / 86_400_000 }.mapValues { $0.count },
      held: state.held(at: clock() / 1000), accepted: state.accepted,
      quarantined: ReportScreen.Reason.allCases.map { ($0.rawValue, state.quarantined[$0] ?? 0) },
      areas: state.areas.count, logBytes: log?.byteCount, segmentBytes: log?.segmentByteCount ?? 0,
      lastSeq: shared.map { $0.position - 1 } ?? log?.lastSeq ?? 0,
      lastAt: state.lastAt)
  }

  /// The time of the next line: not before the last one, and not before any answer.
  private var lineTime: Int64 { max(clock(), state?.lastAt ?? 0, served * 1000) }
}

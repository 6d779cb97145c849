package import ContrailLog

/// What a service knows of the log that it shares: how far it has folded it, and who waits for more.
struct SharedProgress {
  /// A caller that waits for the horizon.
  struct HorizonWaiter {
    var time: Int64
    /// The number of times the log may tell its time before the caller gives up.
    var patience = 3
    var continuation: CheckedContinuation<Bool, Never>
  }

  /// The number of results that are kept for callers that come late.
  static let keptResults: Int64 = 2048

  let log: any SharedLog
  let time: SharedTime
  /// The position of the last line that was folded.
  var position: Int64
  /// The bytes of the lines since the last snapshot.
  var bytesSinceSnapshot = 0
  /// Why the log can't be read; nil while it can.
  var failure: String?
  /// The results of the last uploads, by position.
  var results: [Int64: ServiceState.Change] = [:]
  var waiters: [Int64: [CheckedContinuation<ServiceState.Change?, Never>]] = [:]
  var horizonWaiters: [HorizonWaiter] = []
}

// A live service that shares its log: a line is appended, and folded when the log returns it in order.

extension ObservationService {
  /// Appends a line, and returns what it changed once all lines before it were folded too.
  func append(_ entry: ServiceLine, to log: any SharedLog) async throws(ServiceLogError) -> ServiceState.Change {
    let position = try await log.append(entry)
    guard let change = await result(of: position) else {
      throw .away(database: "", reason: shared?.failure ?? "the line is stored, but can't be read back")
    }
    return change
  }

  private func result(of position: Int64) async -> ServiceState.Change? {
    guard let shared else { return nil }
    if position <= shared.position { return shared.results[position] ?? ServiceState.Change.none }
    guard shared.failure == nil else { return nil }
    return await withCheckedContinuation { self.shared?.waiters[position, default: []].append($0) }
  }

  /// Folds lines of the shared log, and moves the horizon.
  ///
  /// - Parameter records: The records of the answers among the lines, if they have been read already.
  /// - Throws: ``ServiceLogError/brokenDatabase(database:reason:)`` if lines are missing.
  func receive(_ page: SharedPage, records: [Int64: FeedRecords]) throws(ServiceLogError) {
    guard var progress = shared.take() else { return }
    defer { shared = progress }
    for row in page.rows where row.position > progress.position {
      guard row.position == progress.position + 1 else {
        throw .brokenDatabase(
          database: "",
          reason: "the line \(progress.position + 1) was removed before this service read it; restart the service")
      }
      let change = gain(row.entry, at: row.at, records: records[row.position])
      progress.position = row.position
      progress.bytesSinceSnapshot += row.bytes
      // Of feeds, the poller's lines alone have callers, which come at once.
      progress.results[row.position] = change
      progress.results[row.position - SharedProgress.keptResults] = nil
      for waiter in progress.waiters.removeValue(forKey: row.position) ?? [] { waiter.resume(returning: change) }
    }
    progress.failure = nil
    if let time = page.time {
      progress.time.tell(time, isPoller: page.isPoller)
      let horizon = progress.time.horizon
      var rest: [SharedProgress.HorizonWaiter] = []
      for var waiter in progress.horizonWaiters {
        waiter.patience -= 1
        if waiter.time <= horizon || waiter.patience == 0 {
          waiter.continuation.resume(returning: waiter.time <= horizon)
        } else {
          rest.append(waiter)
        }
      }
      progress.horizonWaiters = rest
    }
  }

  /// Notes that the shared log can't be read. Callers that wait for it go on without it.
  func lose(_ reason: String) {
    guard var progress = shared else { return }
    progress.failure = reason
    progress.time.lose()
    for waiter in progress.waiters.values.joined() { waiter.resume(returning: nil) }
    for waiter in progress.horizonWaiters { waiter.continuation.resume(returning: false) }
    (progress.waiters, progress.horizonWaiters) = ([:], [])
    shared = progress
  }

  /// Waits until all lines before a time are known.
  ///
  /// - Parameter time: The time in milliseconds since 1970, at most a few seconds from now.
  /// - Returns: Whether they are. After three seconds, or without the log, they aren't.
  func isKnown(before time: Int64) async -> Bool {
    guard let shared, shared.time.horizon < time else { return true }
    guard shared.failure == nil, !shared.time.isAgeing else { return false }
    return await withCheckedContinuation { continuation in
      self.shared?.horizonWaiters.append(.init(time: time, continuation: continuation))
    }
  }

  /// Stores a snapshot in the shared log if enough lines have come since the last one.
  ///
  /// - Parameter bytes: The size of the lines from which a snapshot is due.
  /// - Returns: Whether a snapshot was stored.
  package func storeSnapshot(every bytes: Int64) async throws(ServiceLogError) -> Bool {
    guard let progress = shared, Int64(progress.bytesSinceSnapshot) >= bytes, let state else { return false }
    // What comes meanwhile belongs to the next one.
    shared?.bytesSinceSnapshot = 0
    try await progress.log.store(state.snapshotParts(at: state.lastAt), through: progress.position)
    return true
  }

  /// Removes the oldest lines of the shared log beyond limits.
  package func retainShared(_ rule: LogRetention) async throws(ServiceLogError) -> Int {
    guard let progress = shared else { return 0 }
    return try await progress.log.retain(rule, at: progress.time.now())
  }

  /// How far the shared log is known, and why it can't be read; nil if the log isn't shared.
  package var sharedStatus: (position: Int64, failure: String?)? { shared.map { ($0.position, $0.failure) } }
}

extension LiveService {
  /// Joins the services that share a log: folds it to its end.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - uptime: A time in milliseconds that never goes back.
  ///   - retentionSeconds: The maximum age of a delta's token.
  ///   - reader: Reads the answers of feeds.
  /// - Throws: ``ServiceLogError`` if the log can't be read.
  package static func join(
    _ log: any SharedLog, uptime: @escaping @Sendable () -> Int64, retentionSeconds: Int64, reader: FeedReader
  ) async throws(ServiceLogError) -> LiveService {
    let start = try await log.start()
    var state = ServiceState(beginning: start.beginning, reader: reader)
    for part in start.snapshot {
      do throws(ServiceLineError) {
        try state.restore(part)
      } catch {
        throw .brokenDatabase(database: "", reason: "the snapshot \(start.position): \(error)")
      }
    }
    let time = SharedTime(uptime: uptime)
    let areas = AreaRegistry(state.rings, maximumCount: ServiceState.maximumAreas)
    let observations = ObservationService(
      state: state, log: nil, shared: SharedProgress(log: log, time: time, position: start.position),
      clock: { time.now() }, retentionSeconds: retentionSeconds)
    let live = LiveService(observations: observations, areas: areas, shared: time)
    repeat {
      try await live.receive(try await log.next(after: observations.position, waits: false), reader)
    } while time.horizon == 0
    return live
  }

  /// Folds lines of the shared log. Answers of feeds are parsed before, apart from the thread that serves tablets.
  package func receive(_ page: SharedPage, _ reader: FeedReader) async throws(ServiceLogError) {
    try await observations.receive(page, records: await Self.records(page, reader))
    for case .area(let ring) in page.rows.lazy.map(\.entry) { _ = areas.remember(ring) }
  }

  @concurrent private static func records(_ page: SharedPage, _ reader: FeedReader) async -> [Int64: FeedRecords] {
    var records: [Int64: FeedRecords] = [:]
    for row in page.rows {
      guard case .answered(let answer) = row.entry else { continue }
      records[row.position] = try? reader.read(Array(answer.body.utf8), from: answer.source, expecting: nil)
    }
    return records
  }

  /// Reads the shared log until the task is cancelled.
  ///
  /// - Parameters:
  ///   - reader: Reads the answers of feeds.
  ///   - pause: Waits for milliseconds before the next attempt.
  ///   - failed: Is called with the reason of each failure after a success.
  package func follow(
    _ reader: FeedReader, pause: @Sendable (Int64) async -> Void, failed: @Sendable (String) -> Void
  ) async {
    guard let log = await observations.sharedLog else { return }
    var failures = 0
    while !Task.isCancelled {
      do throws(ServiceLogError) {
        let page = try await log.next(after: await observations.position, waits: true)
        try await receive(page, reader)
        failures = 0
      } catch {
        if Task.isCancelled { break }
        await observations.lose("\(error)")
        if failures == 0 { failed("\(error)") }
        await pause(min(100 << Int64(min(failures, 6)), 5000))
        failures += 1
      }
    }
    await observations.lose("the service stops")
  }
}

extension ObservationService {
  /// The position of the last line of the shared log that was folded.
  var position: Int64 { shared?.position ?? 0 }
  var sharedLog: (any SharedLog)? { shared?.log }
}

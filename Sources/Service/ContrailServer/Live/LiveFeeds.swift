package import ContrailLog
package import ContrailWorld
package import Logging
import ServiceLifecycle

/// Carries out what the poller of a live service decides: asks feeds, stores the lines, and looks after the log.
package actor LiveFeeds: Service {
  /// How feeds are asked.
  package enum Transport: Sendable {
    case network(FeedFetcher)
    /// A closure that answers instead, such as a demonstration.
    case local(@Sendable (Poller.Request, Int64) async -> Poller.Outcome)
  }

  private static let longestWaitMilliseconds: Int64 = 100
  private static let maintenanceMilliseconds: Int64 = 600_000
  private static let refusalMilliseconds: Int64 = 60_000
  private static let listingMilliseconds: Int64 = 60_000

  private let service: LiveService
  private let transport: Transport
  private let clock: @Sendable () -> Int64
  /// How many times faster than the real clock the service's clock runs.
  private let speed: Double
  private let retention: LogRetention
  /// The size of the lines after which a shared log gets a snapshot.
  private let snapshotBytes: Int64
  private let logger: Logger
  private let tell: @Sendable (String) -> Void
  private let listing: (@Sendable () -> [FeedSource])?
  private var poller: Poller
  private var maintainedAt: Int64?
  private var listedAt: Int64?

  /// - Parameters:
  ///   - service: The live service.
  ///   - sources: The sources.
  ///   - listing: Returns the sources of now, if some are directories, whose files may change. It is called each minute.
  ///   - transport: How feeds are asked.
  ///   - clock: The time of the service in milliseconds since 1970.
  ///   - speed: How many times faster than the real clock it runs.
  ///   - retention: The limits of the log.
  ///   - snapshotBytes: The size of the lines after which a log that services share gets a snapshot.
  ///   - tell: Is called with a line of text for each answer with news and each failure.
  package init(
    _ service: LiveService, sources: [FeedSource], listing: (@Sendable () -> [FeedSource])? = nil,
    transport: Transport, clock: @escaping @Sendable () -> Int64, speed: Double = 1, retention: LogRetention,
    snapshotBytes: Int64 = 16 << 20, logger: Logger, tell: @escaping @Sendable (String) -> Void
  ) {
    self.listing = listing
    (self.service, self.transport, self.clock, self.speed) = (service, transport, clock, speed)
    (self.retention, self.snapshotBytes, self.logger, self.tell) = (retention, snapshotBytes, logger, tell)
    poller = Poller(sources: sources, reader: .complete)
  }

  /// The sources with the names that the log has.
  package var sources: [FeedSource] { poller.sources }

  /// Asks the feeds until the service shuts down.
  package func run() async {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        while !Task.isCancelled {
          let now = self.clock()
          await self.list(at: now)
          // Of services that share a log, one polls for all.
          let isPoller = self.service.shared?.isPoller ?? true
          let (requests, next) = isPoller ? await self.due(at: now) : ([], nil)
          for request in requests { group.addTask { await self.ask(request) } }
          await self.maintain(at: now)
          let wait = min(max((next ?? Int64.max) - now, 1), Int64(Double(Self.longestWaitMilliseconds) * self.speed))
          try? await Task.sleep(for: .microseconds(max(Int64(Double(wait) * 1000 / self.speed), 500)))
        }
        group.cancelAll()
      }
    }
    do throws(LogError) {
      try await service.observations.finish()
    } catch {
      logger.error("the log can't be synced", metadata: ["error": "\(error)"])
    }
    if case .network(let fetcher) = transport { await fetcher.shutdown() }
  }

  /// Lists the files of directories again, if the time for it has come.
  func list(at now: Int64) {
    guard let listing else { return }
    if let listedAt, now - listedAt < Self.listingMilliseconds { return }
    listedAt = now
    for source in poller.update(listing()) {
      logger.notice("new file", metadata: ["source": "\(source.name)"])
      tell("\(source.name): a new file, read every \(source.intervalSeconds) s")
    }
  }

  private func due(at now: Int64) async -> (requests: [Poller.Request], next: Int64?) {
    poller.due(await service.observations.sources, at: now)
  }

  private func ask(_ request: Poller.Request) async {
    let name = request.source.name
    let outcome: Poller.Outcome
    switch transport {
    case .network(let fetcher): outcome = await fetcher.fetch(request, now: clock())
    case .local(let answer): outcome = await answer(request, clock())
    }
    if case .answer(_, _, _, _, let left?, _) = outcome {
      await service.observations.note(creditsLeft: left, of: name)
    }
    // At the end of the service, a request that was cancelled isn't a failure of the feed.
    guard !Task.isCancelled else { return poller.end(request) }
    let state = await service.observations.sources[name] ?? SourceState()
    let (line, records) = await Self.result(poller, outcome, request, state)
    do throws(ServiceLogError) {
      let change = try await service.observations.record(line, records: records)
      poller.end(request)
      report(line, change, wasFull: state.isFull)
    } catch {
      poller.end(request, retryAt: clock() + Self.refusalMilliseconds)
      logger.error("a line can't be stored", metadata: ["source": "\(name)", "error": "\(error)"])
      tell("\(name): the answer can't be stored: \(error)")
    }
  }

  /// Parses an answer off the thread that serves tablets.
  private nonisolated static func result(
    _ poller: Poller, _ outcome: Poller.Outcome, _ request: Poller.Request, _ state: SourceState
  ) async -> (line: ServiceLine, records: FeedRecords?) {
    poller.result(outcome, of: request, state)
  }

  private func report(_ line: ServiceLine, _ change: ServiceState.Change, wasFull: Bool) {
    switch (line, change) {
    case (.answered(let answer), .gained(let gain)):
      logger.info(
        "feed answered",
        metadata: [
          "source": "\(answer.source)", "bytes": "\(answer.body.utf8.count)", "records": "\(gain.file.records)",
          "gain": "\(gain.text)",
        ])
      tell("\(answer.source): \(gain.text), \(gain.extent)")
      // Where the sky is busy, each answer may be full. The first one is enough.
      if gain.isFull, !wasFull {
        logger.warning(
          "\(SourceState.fullWarning)",
          metadata: ["source": "\(answer.source)", "records": "\(gain.file.records)"])
      }
      for note in gain.file.notes where note.oddity.handling == .leftOut {
        logger.debug(
          "records skipped",
          metadata: [
            "source": "\(answer.source)", "count": "\(note.count)", "reason": "\(note.oddity.rawValue)",
            "first": "\(note.first)",
          ])
      }
    case (.failed(let failure), _):
      logger.warning(
        "feed failed",
        metadata: ["source": "\(failure.source)", "status": "\(failure.status ?? 0)", "reason": "\(failure.reason)"])
      tell("\(failure.source): \(failure.reason)")
    default: break
    }
  }

  /// Syncs, compresses and shortens the log.
  private func maintain(at now: Int64) async {
    if let shared = service.shared {
      if shared.isPoller { await maintainShared(at: now) }
      return
    }
    do throws(LogError) {
      try await service.observations.syncIfDue()
      if let maintainedAt, now - maintainedAt < Self.maintenanceMilliseconds { return }
      maintainedAt = now
      for segment in await service.observations.sealable { _ = try await Self.seal(segment) }
      let removed = try await service.observations.retain(retention)
      if !removed.segments.isEmpty {
        logger.notice("old segments removed", metadata: ["count": "\(removed.segments.count)"])
      }
    } catch {
      logger.error("the log can't be maintained", metadata: ["error": "\(error)"])
    }
  }

  /// Stores snapshots in the log that services share, and shortens it.
  private func maintainShared(at now: Int64) async {
    do throws(ServiceLogError) {
      if try await service.observations.storeSnapshot(every: snapshotBytes) { logger.notice("snapshot stored") }
      if let maintainedAt, now - maintainedAt < Self.maintenanceMilliseconds { return }
      maintainedAt = now
      let removed = try await service.observations.retainShared(retention)
      if removed > 0 { logger.notice("old lines removed", metadata: ["count": "\(removed)"]) }
    } catch {
      maintainedAt = now
      logger.error("the shared log can't be maintained", metadata: ["error": "\(error)"])
    }
  }

  private nonisolated static func seal(_ segment: LogSegment) async throws(LogError) -> LogSegment {
    try segment.sealed()
  }
}

public import ContrailAirportData
public import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog

/// Loads the airports of AIRAC cycles, logs the loads, and keeps the database consistent with the log.
///
/// ```swift
/// let heathrow = try await client.airports.search("heathr").first
/// ```
///
/// Unless ``ContrailClient/Configuration/airportDelivery`` is ``AirportDeliveryMode/manual``, the client loads airports by itself:
/// at launch, when the cycle in use expires, a week before the next one, and when the link returns. The log decides when
/// (rule `delivered`). If the server has a delta from the cycle in use, only the delta is downloaded.
///
/// The log keeps each downloaded file. If the database is deleted or damaged, it is rebuilt from these files, also offline, and
/// ``ClientUpdate/airportsRebuilt(_:)`` is sent. A cycle that isn't effective yet waits; the log decides when it is used (rule `switched`),
/// also offline.
public actor AirportService {
  private let path: String
  private let folder: String
  private let transport: any AirportTransport
  /// The directory of the server.
  nonisolated let online: any AirportSearchService
  /// Seconds since 1970, by the server's clock as far as it is known.
  private let now: @Sendable () -> Int64
  private let report: @Sendable (ClientUpdate) -> Void
  /// Writes entries to the log, and returns after they are written.
  private let write: @Sendable ([AirportsEntry]) async -> Void
  /// Waits until the log is open, and returns the airports that it names; nil if it can't be opened.
  private let holdings: @Sendable () async -> AirportHoldings?
  private let blobs: BlobStore
  private nonisolated let told = Lock<[AirportsEntry]>([])
  private var loader: AirportLoader?
  /// The load that the log requested.
  private var delivery: Task<Void, Never>?
  /// The error of the last load that the log requested, or of the last rebuild; nil if it succeeded.
  private var failure: ClientError?
  private var isStopped = false
  /// The last write of noted entries.
  private var drained: Task<Void, Never>?

  /// - Parameter directory: The directory of the log.
  init(
    directory: String, storage: any LogStorage, transport: any AirportTransport,
    online: any AirportSearchService, now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (ClientUpdate) -> Void,
    write: @escaping @Sendable ([AirportsEntry]) async -> Void,
    holdings: @escaping @Sendable () async -> AirportHoldings?
  ) {
    path = directory + "/airports.sqlite"
    folder = directory + "/airports"
    blobs = BlobStore(ofLogIn: directory, storage: storage)
    self.transport = transport
    self.online = online
    self.now = now
    self.report = report
    self.write = write
    self.holdings = holdings
  }

  // MARK: Database

  /// Returns the database with the cycles that the log names. If needed, it is rebuilt from the log's files.
  ///
  /// - Throws: ``AirportLoaderError/store(_:)`` if it can't be opened.
  public func database() async throws(AirportLoaderError) -> AirportDatabase { try await openLoader().database }

  /// Returns the loader, to observe its states or to create a view model. Its events are logged.
  ///
  /// - Throws: ``AirportLoaderError/store(_:)`` if the database can't be opened.
  public func openLoader() async throws(AirportLoaderError) -> AirportLoader {
    if let loader { return loader }
    let database: AirportDatabase
    do throws(AirportStoreError) {
      database = try AirportDatabase(path: path)
    } catch {
      throw .store(error)
    }
    let loader = AirportLoader(
      database: database, transport: transport, folder: folder, rebuildsFiles: true, activates: false, now: now,
      onEvent: { [weak self] event in self?.note(event) })
    self.loader = loader
    await level(database)
    return loader
  }

  /// Returns the airports whose name and city contain words that begin with the given words; an airport whose identifier
  /// equals the text comes first.
  ///
  /// - Throws: ``AirportLoaderError/store(_:)``.
  public func search(_ text: String, limit: Int = 25) async throws(AirportLoaderError) -> [Airport] {
    let database = try await database()
    do throws(AirportStoreError) {
      return try database.airports(matching: text, limit: limit)
    } catch {
      throw .store(error)
    }
  }

  // MARK: Loading

  /// Loads the effective cycle if it isn't in use.
  ///
  /// If its file isn't available yet, the current cycle remains in use. Without a current cycle, the previous one is loaded.
  ///
  /// - Returns: The cycle in use.
  /// - Throws: ``AirportLoaderError``. After ``AirportLoaderError/cycleNotAvailable(_:)``, which names the effective
  ///   cycle, try again later.
  @discardableResult
  public func loadCurrent() async throws(AirportLoaderError) -> LoadedCycle {
    let time = now()
    guard let wanted = AIRACCycle(at: time) else { throw .noCycle(time: time) }
    let status = try await status()
    let need = AirportLoadNeed(status, at: time)
    if need == .none, let current = status.current { return current }
    return try await load(wanted, need)
  }

  /// Loads a cycle, or the one before it if the cycle isn't available and there are no airports to use.
  private func load(_ wanted: AIRACCycle, _ need: AirportLoadNeed) async throws(AirportLoaderError) -> LoadedCycle {
    do throws(AirportLoaderError) {
      return try await load(wanted)
    } catch {
      guard let previous = need.fallback(for: wanted, after: error) else { throw error }
      do throws(AirportLoaderError) {
        return try await load(previous)
      } catch .cycleNotAvailable {
        // The application wants to know about the effective cycle.
        throw error
      }
    }
  }

  /// Loads the cycle after the effective one, so that it is available at its effective time.
  ///
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func loadNext() async throws(AirportLoaderError) -> LoadedCycle {
    let time = now()
    guard let next = AIRACCycle(at: time)?.next else { throw .noCycle(time: time) }
    let status = try await status()
    if let pending = status.pending, pending.cycle == next, pending.dataVersion == AirportDatabase.dataVersion {
      return pending
    }
    return try await load(next)
  }

  /// Downloads and loads a cycle. If it is effective, it is in use when the method returns; otherwise it waits.
  ///
  /// - Throws: ``AirportLoaderError``; the cycle in use stays in use.
  @discardableResult
  public func load(_ cycle: AIRACCycle) async throws(AirportLoaderError) -> LoadedCycle {
    let loader = try await openLoader()
    do throws(AirportLoaderError) {
      let loaded = try await loader.load(cycle)
      await drain()
      return loaded
    } catch {
      await drain()
      throw error
    }
  }

  /// Logs that the user deferred the load of a cycle.
  public func deferLoad(of cycle: AIRACCycle) async {
    note(.loadDeferred(cycle))
    await drain()
  }

  // MARK: Delivery

  /// Loads the cycle with an effective time, as the log requested.
  nonisolated func deliver(effectiveMS: Int64) { Task { await self.startDelivery(effectiveMS: effectiveMS) } }

  private func startDelivery(effectiveMS: Int64) {
    guard !isStopped else { return }
    let before = delivery
    delivery = Task {
      await before?.value
      await self.runDelivery(effectiveMS: effectiveMS)
    }
  }

  /// Returns after the loads that the log requested so far.
  func delivered() async { await delivery?.value }

  /// Ends a load that the log requested. The next launch resumes it.
  func stopDelivery() async {
    isStopped = true
    delivery?.cancel()
    await delivery?.value
  }

  /// Each request of the log is answered by an event, so that the log can decide about the next one.
  private func runDelivery(effectiveMS: Int64) async {
    guard !Task.isCancelled, let cycle = AIRACCycle(at: effectiveMS / 1000) else { return }
    var need = AirportLoadNeed.noData
    do throws(AirportLoaderError) {
      need = AirportLoadNeed(try await status(), at: now())
      _ = try await load(cycle, need)
    } catch {
      switch error {
      // The loader noted these.
      case .cycleNotAvailable, .transport, .data, .wrongCycle, .folder, .cancelled: break
      case .store, .alreadyLoading, .noCycle:
        note(.loadFailed(cycle, error))
        await drain()
      }
      tell(error, need)
    }
  }

  /// Reports the error of a load. A cycle that isn't published ahead of time is no error.
  private func tell(_ error: AirportLoaderError, _ need: AirportLoadNeed) {
    switch error {
    case .cancelled, .alreadyLoading: return
    case .cycleNotAvailable where need == .none: return
    default: tell(ClientError(delivering: error))
    }
  }

  /// Reports the beginning of an outage, and each other error in it.
  private func tell(_ error: ClientError) {
    defer { failure = error }
    if error != failure { report(.failed(error)) }
  }

  private func status() async throws(AirportLoaderError) -> AirportStatus {
    let database = try await database()
    do throws(AirportStoreError) {
      return try database.status()
    } catch {
      throw .store(error)
    }
  }

  // MARK: Writing to the log

  /// Logs an event of a loader or a view model. Can be called from any thread.
  public nonisolated func note(_ event: AirportEvent) {
    guard let entry = AirportsEntry(event) else { return }
    told.withLock { $0.append(entry) }
    Task { await self.drain() }
  }

  /// Returns after the noted events are written to the log and the database is consistent with it.
  private func drain() async {
    let before = drained
    let task = Task {
      await before?.value
      await self.writeTold()
    }
    drained = task
    await task.value
  }

  private func writeTold() async {
    let entries = told.withLock { told in
      defer { told = [] }
      return told
    }
    guard !entries.isEmpty else { return }
    await write(entries)
    if entries.contains(where: \.isLoad), failure.take() != nil { report(.recovered(.airports)) }
    if let loader { await level(loader.database) }
  }

  // MARK: Following the log

  /// Makes the database consistent with the log, if it is open. Called when another cycle may be in use.
  nonisolated func follow() { Task { await self.followLog() } }

  private func followLog() async {
    guard let loader else { return }
    await level(loader.database)
  }

  /// Makes the database consistent with the log.
  private func level(_ database: AirportDatabase) async {
    guard let holdings = await holdings() else { return }
    var rebuild: StoreRebuild?
    do {
      for held in [holdings.inUse, holdings.waiting].compactMap(\.self) {
        let status = try database.status()
        let isInUse = held == holdings.inUse
        if held.isHeld(as: status.current) || (!isInUse && held.isHeld(as: status.pending)) { continue }
        if !held.isHeld(as: status.pending) {
          guard let file = held.blob, let bytes = try? blobs.bytes(of: file.id(), count: file.byteCount) else {
            continue
          }
          try Self.load(bytes, file.sha256, into: database)
          rebuild = rebuild ?? Self.reason(database, status)
        }
        if isInUse { try database.activatePending(at: held.edition.effectiveMS / 1000) }
      }
    } catch {
      tell(ClientError(airports: error))
    }
    if let rebuild { report(.airportsRebuilt(rebuild)) }
  }

  private static func reason(_ database: AirportDatabase, _ status: AirportStatus) -> StoreRebuild {
    if let recovery = database.recovery { return .damaged(movedTo: recovery.movedTo, reason: recovery.reason) }
    return status.current == nil ? .missing : .fromAnotherLog
  }

  private static func load(_ bytes: [UInt8], _ sha256: String, into database: AirportDatabase) throws {
    let unpacker = AirportUnpacker()
    try bytes.withUnsafeBytes { try unpacker.append($0, isLast: true) }
    var load = try database.beginLoad(of: AirportReader(unpacked: unpacker.bytes), fingerprint: sha256)
    while try load.step() {}
  }
}

extension ClientError {
  /// Creates the error of a load that the client made by itself.
  init(delivering error: AirportLoaderError) {
    let (code, advice): (Code, String) =
      switch error {
      case .transport(let transport) where transport.status == 401 || transport.status == 403:
        (.unauthorized, "Set a valid key with setAPIKey(_:).")
      case .transport(let transport):
        switch transport.code {
        case .unreachable: (.network, "The client retries automatically, with increasing delays.")
        case .refused: (.server, "Check the URL of the airports. The client retries with increasing delays.")
        default: (.notTheService, "Check the URL of the airports, or sign in to the device's network.")
        }
      case .data, .wrongCycle:
        (.malformedAnswer, "Check the files on the server. The client retries with increasing delays.")
      case .cycleNotAvailable: (.server, "Publish the cycle. The client retries every hour.")
      case .noCycle: (.server, "Check the device's clock.")
      case .folder, .store: (.disk, "Check the free disk space. The client retries with increasing delays.")
      case .alreadyLoading, .cancelled: (.network, "The client retries automatically.")
      }
    self.init(
      code, scope: .airports, message: "No airports were loaded: \(error)", advice: advice,
      isTransient: code != .unauthorized)
  }

  init(airports error: any Error) {
    self.init(
      .store, scope: .airports, message: "The database of airports can't be rebuilt: \(error)",
      advice: "It is rebuilt at the next launch from the files in the log.", isTransient: true)
  }
}

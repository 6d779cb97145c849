public import ContrailAirportData
public import ContrailDeferred
import ContrailXZ
import Foundation

/// Downloads a cycle's airports, unpacks them and loads them into a database, one load at a time; says how far it is; can be
/// cancelled at any moment, and goes on from there the next time.
///
/// ```swift
/// let loader = AirportLoader(database: database, transport: transport, folder: caches + "/airports")
/// connection = loader.states.sinkOnMainThread { state in show(state) }
/// try await loader.load(at: now)
/// ```
///
/// Times are seconds since 1970, and always given: the loader has no clock, and decides nothing by itself about when to look again.
public actor AirportLoader {
  /// What the loader is doing. Progress runs from 0 to 1.
  public enum State: Hashable, Sendable {
    /// Nothing: not begun, or ended without success.
    case idle
    /// The file comes.
    case downloading(progress: Double)
    /// The file is unpacked.
    case extracting(progress: Double)
    /// The airports are written.
    case loading(progress: Double)
    /// The cycle is loaded.
    case finished
  }

  /// The states, to listen to: as a channel, or with `states.values()` as an asynchronous sequence.
  public nonisolated let states: Channel<State>
  /// The state, to be polled. It doesn't wait for the loader.
  public nonisolated var state: State { states.value ?? .idle }
  /// What is filled.
  public nonisolated let database: AirportDatabase

  private let source = ChannelSource(initial: State.idle)
  private let transport: any AirportTransport
  private let folder: URL
  private let sleep: @Sendable (Duration) async throws -> Void
  private let onEvent: @Sendable (AirportEvent) -> Void
  private var isLoading = false

  /// A file of more bytes isn't taken.
  private static let maximumFileBytes: Int64 = 64 << 20

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - database: What to fill.
  ///   - transport: Where files come from.
  ///   - folder: Where downloads stand until they are loaded; made if need be.
  ///   - onEvent: Is told what was done, on the loader's own thread, in order.
  ///   - sleep: Waits before a download that broke is tried again.
  public init(
    database: AirportDatabase, transport: any AirportTransport, folder: String,
    onEvent: @escaping @Sendable (AirportEvent) -> Void = { _ in },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.database = database
    self.transport = transport
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    self.sleep = sleep
    self.onEvent = onEvent
    states = source.channel
  }

  // MARK: What to load

  /// Sees to it that the airports of the cycle that is effective at a moment are in use: looks, and loads if need be.
  ///
  /// If there is no file of that cycle yet, the cycle in use stays; with none in use, the one before is loaded instead, which is better
  /// than nothing.
  ///
  /// - Returns: The cycle in use.
  /// - Throws: ``AirportLoaderError``; ``AirportLoaderError/cycleNotAvailable(_:)`` says to look again later.
  @discardableResult
  public func load(at time: Int64) async throws(AirportLoaderError) -> LoadedCycle {
    guard let wanted = AIRACCycle(at: time) else { throw .noCycle(time: time) }
    let (status, need) = try check(at: time)
    if need == .none, let current = status.current { return current }
    do throws(AirportLoaderError) {
      return try await load(wanted, at: time)
    } catch {
      guard case .cycleNotAvailable = error, need.isRequired, let previous = wanted.previous else { throw error }
      return try await load(previous, at: time)
    }
  }

  /// Loads the cycle after the effective one, if it can be expected to be published, so that it is there at its instant.
  ///
  /// - Parameters:
  ///   - time: The moment.
  ///   - leadDays: How long before its effective day a cycle is made available.
  /// - Returns: The cycle that waits; nil if it is too early.
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func loadNext(
    at time: Int64, leadDays: Int = AIRACCycle.receptionLeadDays
  ) async throws(AirportLoaderError) -> LoadedCycle? {
    guard let next = AIRACCycle(at: time)?.next, next.isPublished(at: time, leadDays: leadDays) else { return nil }
    let (status, _) = try check(at: time)
    if let pending = status.pending, pending.cycle == next, pending.dataVersion == AirportDatabase.dataVersion {
      return pending
    }
    return try await load(next, at: time)
  }

  /// Puts the cycle that waits in use, if it has begun.
  ///
  /// - Returns: What is held now.
  /// - Throws: ``AirportLoaderError/store(_:)``.
  @discardableResult
  public func activatePending(at time: Int64) throws(AirportLoaderError) -> AirportStatus {
    try onStore { () throws(AirportStoreError) in
      if let activated = try database.activatePending(at: time) {
        onEvent(.cycleActivated(activated.cycle, digest: activated.digest))
      }
      return try database.status()
    }
  }

  private func check(at time: Int64) throws(AirportLoaderError) -> (AirportStatus, AirportLoadNeed) {
    let status = try activatePending(at: time)
    let need = AirportLoadNeed(status, at: time)
    if let wanted = AIRACCycle(at: time) {
      onEvent(.cycleChecked(wanted: wanted, current: status.current?.cycle, need: need))
    }
    return (status, need)
  }

  // MARK: Loading

  /// Downloads and loads a cycle, and puts it in use if it has begun.
  ///
  /// - Returns: The cycle that was loaded.
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func load(_ cycle: AIRACCycle, at time: Int64) async throws(AirportLoaderError) -> LoadedCycle {
    try await alone(cycle) { () async throws(AirportLoaderError) in
      source.send(.downloading(progress: 0))
      let source = source
      let download = AirportDownload(
        cycle: cycle, folder: folder, transport: transport, maximumBytes: Self.maximumFileBytes, sleep: sleep,
        progress: { source.send(.downloading(progress: $0)) })
      let summary = try await download.run()
      onEvent(.downloadFinished(summary))
      do throws(AirportLoaderError) {
        let loaded = try await self.load(summary.path, sha256: summary.sha256, expected: cycle, at: time)
        download.remove()
        return loaded
      } catch {
        // What can't be read now can't be read later.
        switch error {
        case .data, .wrongCycle: download.remove()
        default: break
        }
        throw error
      }
    }
  }

  /// Loads a file that is here already, of whatever cycle, and puts it in use if its cycle has begun.
  ///
  /// - Returns: The cycle that was loaded.
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func load(contentsOf path: String, at time: Int64) async throws(AirportLoaderError) -> LoadedCycle {
    try await alone(nil) { () async throws(AirportLoaderError) in
      let sha256: String
      do {
        var blocks = try FileBlocks(path: path)
        let limit = AirportUnpacker.defaultLimits.outputBytes
        guard blocks.byteCount <= limit else {
          throw AirportDataError(.oversized, at: Int(clamping: limit), "there are more than \(limit) bytes")
        }
        sha256 = try blocks.sha256()
      } catch let error as AirportDataError {
        throw .data(error)
      } catch is CancellationError {
        throw .cancelled
      } catch {
        throw .folder(reason: error.localizedDescription)
      }
      return try await self.load(path, sha256: sha256, expected: nil, at: time)
    }
  }

  /// Runs the one load that may be.
  private func alone(
    _ cycle: AIRACCycle?, _ body: () async throws(AirportLoaderError) -> LoadedCycle
  ) async throws(AirportLoaderError) -> LoadedCycle {
    guard !isLoading else { throw .alreadyLoading }
    isLoading = true
    defer { isLoading = false }
    do throws(AirportLoaderError) {
      let loaded = try await body()
      source.send(.finished)
      return loaded
    } catch {
      source.send(.idle)
      if case .cycleNotAvailable(let cycle) = error {
        onEvent(.cycleNotAvailable(cycle))
      } else if let cycle {
        onEvent(.loadFailed(cycle, error))
      }
      throw error
    }
  }

  private func load(
    _ path: String, sha256: String, expected: AIRACCycle?, at time: Int64
  ) async throws(AirportLoaderError) -> LoadedCycle {
    let bytes = try await extract(path)
    let reader: AirportReader
    do throws(AirportDataError) {
      reader = try AirportReader(unpacked: bytes)
    } catch {
      throw .data(error)
    }
    if let expected, reader.header.cycle != expected {
      throw .wrongCycle(expected: expected, found: reader.header.cycle)
    }
    var isComplete = false
    do throws(AirportLoadError) {
      var load = try database.beginLoad(of: reader, fingerprint: sha256)
      source.send(.loading(progress: load.progress))
      while try load.step() {
        source.send(.loading(progress: load.progress))
        await Task.yield()
        if Task.isCancelled { break }
      }
      isComplete = load.isComplete
    } catch {
      throw AirportLoaderError(error)
    }
    guard isComplete else { throw .cancelled }
    return try finish(at: time)
  }

  /// Says what was loaded, and puts it in use if its cycle has begun.
  private func finish(at time: Int64) throws(AirportLoaderError) -> LoadedCycle {
    let pending = try onStore { () throws(AirportStoreError) in try database.status().pending }
    if let pending { onEvent(.loadFinished(pending)) }
    let status = try activatePending(at: time)
    try onStore { () throws(AirportStoreError) in try database.sweep() }
    guard let loaded = pending ?? status.current else {
      throw .store(AirportStoreError(.refused, file: database.path, reason: "the cycle that was loaded isn't there"))
    }
    return loaded
  }

  private func extract(_ path: String) async throws(AirportLoaderError) -> [UInt8] {
    source.send(.extracting(progress: 0))
    let unpacker = AirportUnpacker()
    do {
      var blocks = try FileBlocks(path: path)
      repeat {
        let block = try blocks.next()
        try block.withUnsafeBytes { try unpacker.append($0, isLast: blocks.isAtEnd) }
        let total = blocks.byteCount
        source.send(.extracting(progress: total == 0 ? 1 : Double(blocks.offset) / Double(total)))
        await Task.yield()
        try Task.checkCancellation()
      } while !blocks.isAtEnd
    } catch let error as AirportDataError {
      throw .data(error)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .folder(reason: error.localizedDescription)
    }
    return unpacker.bytes
  }

  private func onStore<T>(_ body: () throws(AirportStoreError) -> T) throws(AirportLoaderError) -> T {
    do throws(AirportStoreError) {
      return try body()
    } catch {
      throw .store(error)
    }
  }
}

public import ContrailAirportData
import ContrailCompression
public import ContrailHTTP
import Foundation

/// Downloads the airports of a cycle and loads them into a database, one load at a time.
///
/// ```swift
/// let loader = AirportLoader(database: database, transport: transport, folder: caches + "/airports")
/// connection = loader.states.sinkOnMainThread { state in show(state) }
/// try await loader.load()
/// ```
///
/// A load reports its progress and can be cancelled at any time. The next load of the same file resumes it. If the
/// transport has a delta from the cycle in use, only the delta is downloaded; if that fails, the complete file is.
///
/// The loader has no schedule. Times are parameters in seconds since 1970; the default is the device's time.
public actor AirportLoader {
  /// The state of a loader. Progress values run from 0 to 1.
  public enum State: Hashable, Sendable {
    /// No load is running.
    case idle
    /// The file is being downloaded.
    case downloading(progress: Double)
    /// The file is being decompressed.
    case extracting(progress: Double)
    /// The airports are being written.
    case loading(progress: Double)
    /// The cycle is loaded.
    case finished
  }

  /// The states as a channel. Use `states.values()` for an asynchronous sequence.
  public nonisolated let states: Channel<State>
  /// The current state. Reading it doesn't wait for the actor.
  public nonisolated var state: State { states.value ?? .idle }
  /// The database.
  public nonisolated let database: AirportDatabase

  /// The progress of downloads in bytes, as they arrive.
  public nonisolated let downloads: Channel<AirportDownloadProgress>

  private let source = ChannelSource(initial: State.idle)
  private let byteSource = ChannelSource<AirportDownloadProgress>()
  private let transport: any AirportTransport
  let folder: URL
  private let sleep: @Sendable (Duration) async throws -> Void
  let onEvent: @Sendable (AirportEvent) -> Void
  let rebuildsFiles: Bool
  /// Whether the loader activates a waiting cycle once it is effective. Otherwise its owner does.
  private let activates: Bool
  /// The current time in seconds since 1970.
  nonisolated let now: @Sendable () -> Int64
  private var isLoading = false

  /// The maximum size of a file.
  private static let maximumFileBytes: Int64 = 64 << 20

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - database: The database to fill.
  ///   - transport: The source of the files.
  ///   - folder: The folder for downloads. It is created if needed.
  ///   - rebuildsFiles: Whether ``AirportEvent/downloadFinished(_:)`` has the complete file also after a delta, for an
  ///     application that keeps the files.
  ///   - onEvent: A closure that the loader calls with each event, in order, on its executor.
  ///   - sleep: A function that waits before an interrupted download is retried.
  public init(
    database: AirportDatabase, transport: any AirportTransport, folder: String, rebuildsFiles: Bool = false,
    onEvent: @escaping @Sendable (AirportEvent) -> Void = { _ in },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.init(
      database: database, transport: transport, folder: folder, rebuildsFiles: rebuildsFiles, activates: true,
      now: Self.deviceTime, onEvent: onEvent, sleep: sleep)
  }

  /// Creates a loader for an owner that decides itself which cycle is in use.
  ///
  /// - Parameters:
  ///   - activates: Whether the loader activates a waiting cycle once it is effective.
  ///   - now: Returns the current time in seconds since 1970.
  package init(
    database: AirportDatabase, transport: any AirportTransport, folder: String, rebuildsFiles: Bool, activates: Bool,
    now: @escaping @Sendable () -> Int64, onEvent: @escaping @Sendable (AirportEvent) -> Void,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.activates = activates
    self.now = now
    self.database = database
    self.transport = transport
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    self.sleep = sleep
    self.onEvent = onEvent
    self.rebuildsFiles = rebuildsFiles
    states = source.channel
    downloads = byteSource.channel
  }

  /// Returns the device's time in seconds since 1970.
  public static func deviceTime() -> Int64 { Int64(Date().timeIntervalSince1970) }

  // MARK: Choosing a cycle

  /// Loads the effective cycle if it isn't in use.
  ///
  /// If the file of that cycle isn't available yet, the current cycle remains in use. Without one, the previous cycle
  /// is loaded instead.
  ///
  /// - Parameter time: The current time in seconds since 1970; nil for now.
  /// - Returns: The cycle in use.
  /// - Throws: ``AirportLoaderError``. After ``AirportLoaderError/cycleNotAvailable(_:)``, which names the effective
  ///   cycle, try again later.
  @discardableResult
  public func load(at time: Int64? = nil) async throws(AirportLoaderError) -> LoadedCycle {
    let time = time ?? now()
    guard let wanted = AIRACCycle(at: time) else { throw .noCycle(time: time) }
    let (status, need) = try check(at: time)
    if need == .none, let current = status.current { return current }
    do throws(AirportLoaderError) {
      return try await load(wanted, at: time)
    } catch {
      guard let previous = need.fallback(for: wanted, after: error) else { throw error }
      do throws(AirportLoaderError) {
        return try await load(previous, at: time)
      } catch .cycleNotAvailable {
        // The application wants to know about the effective cycle.
        throw error
      }
    }
  }

  /// Loads the cycle after the effective one in advance, if it should be published already.
  ///
  /// - Parameters:
  ///   - time: The current time in seconds since 1970; nil for now.
  ///   - leadDays: The number of days before its effective date that a cycle is published.
  /// - Returns: The pending cycle, or `nil` if it is too early.
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func loadNext(
    at time: Int64? = nil, leadDays: Int = AIRACCycle.receptionLeadDays
  ) async throws(AirportLoaderError) -> LoadedCycle? {
    let time = time ?? now()
    guard let next = AIRACCycle(at: time)?.next, next.isPublished(at: time, leadDays: leadDays) else { return nil }
    let (status, _) = try check(at: time)
    if let pending = status.pending, pending.cycle == next, pending.dataVersion == AirportDatabase.dataVersion {
      return pending
    }
    return try await load(next, at: time)
  }

  /// Activates the pending cycle, if it is effective.
  ///
  /// - Parameter time: The current time in seconds since 1970; nil for now.
  /// - Returns: The contents of the database.
  /// - Throws: ``AirportLoaderError/store(_:)``.
  @discardableResult
  public func activatePending(at time: Int64? = nil) throws(AirportLoaderError) -> AirportStatus {
    try onStore { () throws(AirportStoreError) in
      if activates, let activated = try database.activatePending(at: time ?? now()) {
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

  /// Creates the download of a cycle's file, or of the delta from a base.
  func download(of cycle: AIRACCycle, from base: AIRACCycle? = nil) -> AirportDownload {
    source.send(.downloading(progress: 0))
    let (source, byteSource) = (source, byteSource)
    return AirportDownload(
      cycle: cycle, base: base, folder: folder, transport: transport, maximumBytes: Self.maximumFileBytes, sleep: sleep,
      progress: { progress in
        byteSource.send(progress)
        if let fraction = progress.fraction { source.send(.downloading(progress: fraction)) }
      })
  }

  func showLoading(_ progress: Double) { source.send(.loading(progress: progress)) }

  /// Downloads and loads a cycle, and activates it if it is effective.
  ///
  /// - Parameters:
  ///   - cycle: The cycle.
  ///   - time: The current time in seconds since 1970; nil for now.
  /// - Returns: The loaded cycle.
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func load(
    _ cycle: AIRACCycle, at time: Int64? = nil
  ) async throws(AirportLoaderError) -> LoadedCycle {
    let time = time ?? now()
    return try await alone(cycle) { () async throws(AirportLoaderError) in
      if let loaded = try await loadDelta(to: cycle, at: time) { return loaded }
      let download = download(of: cycle)
      let summary = try await download.run()
      onEvent(.downloadFinished(summary))
      do throws(AirportLoaderError) {
        let loaded = try await self.load(summary.path, sha256: summary.sha256, expected: cycle, at: time)
        download.remove()
        return loaded
      } catch {
        // An unreadable file stays unreadable.
        switch error {
        case .data, .wrongCycle: download.remove()
        default: break
        }
        throw error
      }
    }
  }

  /// Loads a local file of any cycle, and activates the cycle if it is effective.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - time: The current time in seconds since 1970; nil for now.
  /// - Returns: The loaded cycle.
  /// - Throws: ``AirportLoaderError``.
  @discardableResult
  public func load(
    contentsOf path: String, at time: Int64? = nil
  ) async throws(AirportLoaderError) -> LoadedCycle {
    let time = time ?? now()
    return try await alone(nil) { () async throws(AirportLoaderError) in
      let sha256: String
      do {
        var blocks = try FileBlocks(path: path)
        let limit = AirportUnpacker.defaultLimits.outputBytes
        guard blocks.byteCount <= limit else {
          throw AirportDataError(.oversized, at: Int(clamping: limit), "the file is larger than \(limit) bytes")
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

  /// Runs a load, or throws an error if another one is running.
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
    try await load(unpacked: try await extract(path), sha256: sha256, expected: expected, at: time)
  }

  func load(
    unpacked bytes: [UInt8], sha256: String, expected: AIRACCycle?, at time: Int64
  ) async throws(AirportLoaderError) -> LoadedCycle {
    let reader: AirportReader
    do throws(AirportDataError) {
      reader = try AirportReader(unpacked: bytes)
    } catch {
      throw .data(error)
    }
    if let expected, reader.header.cycle != expected {
      throw .wrongCycle(expected: expected, found: reader.header.cycle)
    }
    var load = try database.beginLoad(of: reader, fingerprint: sha256)
    source.send(.loading(progress: load.progress))
    while try load.step() {
      source.send(.loading(progress: load.progress))
      await Task.yield()
      if Task.isCancelled { break }
    }
    guard load.isComplete else { throw .cancelled }
    return try finish(at: time)
  }

  /// Reports the loaded cycle, and activates it if it is effective.
  func finish(at time: Int64) throws(AirportLoaderError) -> LoadedCycle {
    let pending = try onStore { () throws(AirportStoreError) in try database.status().pending }
    if let pending { onEvent(.loadFinished(pending)) }
    let status = try activatePending(at: time)
    // The new cycle is in use without it, for example on a full disk. The next load sweeps before it begins.
    try? database.sweep()
    guard let loaded = pending ?? status.current else {
      throw .store(AirportStoreError(.refused, file: database.path, reason: "the loaded cycle is missing"))
    }
    return loaded
  }

  func extract(
    _ path: String, limits: XZDecoder.Limits = AirportUnpacker.defaultLimits
  ) async throws(AirportLoaderError) -> [UInt8] {
    source.send(.extracting(progress: 0))
    let unpacker = AirportUnpacker(limits: limits)
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

  func onStore<T>(_ body: () throws(AirportStoreError) -> T) throws(AirportLoaderError) -> T {
    do throws(AirportStoreError) {
      return try body()
    } catch {
      throw .store(error)
    }
  }
}

package import ContrailLog

/// An error of a service's log.
package enum ServiceLogError: Error, Sendable, CustomStringConvertible {
  /// The log can't be opened or read.
  case log(LogError)
  /// The log isn't one of a service.
  case otherLog(path: String, ServiceLineError)
  /// The directory holds other files than a log.
  case otherDirectory(path: String, name: String)
  /// The database can't be reached, or doesn't answer. A line that was to be stored may be stored all the same.
  case away(database: String, reason: String)
  /// Too many lines wait to be stored.
  case busy
  /// The database holds something else, or another version's tables.
  case otherDatabase(database: String, reason: String)
  /// What the database holds can't be read.
  case brokenDatabase(database: String, reason: String)

  /// A stable code of the error.
  package var code: String {
    switch self {
    case .log(let error): "log.\(error.code)"
    case .otherLog: "otherLog"
    case .otherDirectory: "otherDirectory"
    case .away: "away"
    case .busy: "busy"
    case .otherDatabase: "otherDatabase"
    case .brokenDatabase: "brokenDatabase"
    }
  }

  package var description: String {
    switch self {
    case .log(let error): "\(error)"
    case .otherLog(let path, let error): "\(path) isn't the log of a service: \(error). Use another directory"
    case .otherDirectory(let path, let name):
      "\(path) holds '\(name)', which isn't of a service's log. Use an empty directory, or one with such a log"
    case .away(let database, let reason): "\(Self.named(database)) can't be used now: \(reason)"
    case .busy: "too many lines wait for the database"
    case .otherDatabase(let database, let reason): "\(Self.named(database)): \(reason)"
    case .brokenDatabase(let database, let reason): "\(Self.named(database)) can't be read: \(reason)"
    }
  }
}

extension ServiceLogError {
  private static func named(_ database: String) -> String {
    database.isEmpty ? "the database" : "the database \(database)"
  }
}

/// The log of a live service, open for writing by one owner.
final class ServiceLog {
  /// The time in milliseconds after which lines of feeds are on stable storage.
  private static let syncMilliseconds: Int64 = 1000

  private let log: LogDirectory
  private let storage: any LogStorage
  private let segmentBytes: Int64

  /// Opens a log, repairs it, and folds its newest segment.
  ///
  /// - Throws: ``ServiceLogError``. If the directory holds something else, nothing in it is changed.
  static func open(
    path: String, at now: Int64, reader: FeedReader, storage: any LogStorage, segmentBytes: Int64
  ) throws(ServiceLogError) -> (log: ServiceLog, state: ServiceState) {
    try check(path, storage)
    var state = ServiceState(beginning: now / 1000, reader: reader)
    var isBegun = false
    var failure: ServiceLineError?
    let log: LogDirectory
    do throws(LogError) {
      log = try LogDirectory(
        path: path, at: now, policy: .interval(milliseconds: syncMilliseconds), storage: storage
      ) { (line) throws(LogError) in
        // Deltas are answered since the first line of the log, not only since the service started.
        if !isBegun { state = ServiceState(beginning: line.at / 1000, reader: reader) }
        isBegun = true
        do throws(ServiceLineError) { try state.fold(line) } catch { failure = failure ?? error }
      }
    } catch {
      throw .log(error)
    }
    if let failure { throw .otherLog(path: path, failure) }
    return (ServiceLog(log, storage, segmentBytes: segmentBytes), state)
  }

  private init(_ log: LogDirectory, _ storage: any LogStorage, segmentBytes: Int64) {
    (self.log, self.storage, self.segmentBytes) = (log, storage, segmentBytes)
  }

  /// Checks that a directory is empty, or has a service's log, before anything in it is repaired.
  private static func check(_ path: String, _ storage: any LogStorage) throws(ServiceLogError) {
    let names: [String]
    do throws(StorageError) {
      guard try storage.kind(of: path) == .directory else { return }
      names = try storage.names(in: path)
    } catch {
      return
    }
    guard !names.isEmpty else { return }
    let isOfLog = { (name: String) in
      name == "lock" || name == "blobs" || [".jsonl", ".xz", ".tmp", ".torn"].contains { name.hasSuffix($0) }
    }
    if let other = names.sorted().first(where: { !isOfLog($0) }) {
      throw .otherDirectory(path: path, name: other)
    }
    guard names.contains(where: { $0.hasSuffix(".jsonl") || $0.hasSuffix(".jsonl.xz") }) else { return }
    // A damaged log is reported when it is opened, which also repairs the end of an interrupted write.
    let reader = try? LogReader(path: path, from: .max, storage: storage)
    do throws(ServiceLineError) {
      while let line = try? reader?.next() {
        if line.isKind(LogKind.snapshotPart) {
          var probe = ServiceState(beginning: 0, reader: FeedReader())
          try probe.fold(line)
          return
        }
        if try ServiceLine(line) != nil { return }
      }
    } catch {
      throw .otherLog(path: path, error)
    }
  }

  // MARK: Writing

  /// Appends a line. It survives a crash of the process.
  ///
  /// - Parameter snapshot: Returns the parts of a snapshot, if the line is the first of a new segment.
  func append(
    _ entry: ServiceLine, at: Int64, snapshot: () -> [[UInt8]]
  ) throws(LogError) {
    if log.isFull(segmentBytes: segmentBytes) { try roll(at: at, snapshot()) }
    var batch = log.writer.batch()
    try batch.add(entry.kind, at: at, payload: entry.payload)
    try log.writer.append(batch)
  }

  /// Begins a new segment.
  func roll(at: Int64, _ parts: [[UInt8]]) throws(LogError) {
    try log.roll(at: at) { (batch) throws(LogError) in
      for part in parts { try batch.add(LogKind.snapshotPart, at: at, payload: part) }
      try batch.add(LogKind.snapshotEnded, at: at)
    }
  }

  /// Syncs the lines if the time for it has come.
  func syncIfDue(at now: Int64) throws(LogError) {
    if log.writer.isSyncDue(at: now) { try log.writer.sync(at: now) }
  }

  /// Syncs all lines. After a failure, a new segment with a snapshot replaces what may be lost.
  func sync(at now: Int64, snapshot: () -> [[UInt8]]) throws(LogError) {
    do throws(LogError) {
      try log.writer.sync(at: now)
    } catch {
      try roll(at: now, snapshot())
    }
  }

  /// The repairs made while opening.
  var recovery: LogRecovery { log.recovery }
  /// The finished segments that aren't compressed yet.
  var sealable: [LogSegment] { (try? log.sealable()) ?? [] }
  /// The number of bytes of all segments on disk.
  var byteCount: Int64? {
    guard let segments = try? log.segments() else { return nil }
    // A segment may be compressed meanwhile.
    return segments.reduce(0) { $0 + ((try? storage.open($1.path, .read).size()) ?? 0) }
  }
  /// The number of bytes of the segment that is being written.
  var segmentByteCount: Int64 { log.writer.byteCount }
  /// The sequence number of the last line.
  var lastSeq: Int64 { log.writer.last.seq }

  func retain(_ rule: LogRetention, at now: Int64) throws(LogError) -> RetentionResult { try log.retain(rule, at: now) }
}

// MARK: - Reading

/// Plays a service's log: folds it up to a time, and then line by line.
package final class ServiceLogPlayer {
  private let path: String
  private let reader: LogReader
  private var pending: (entry: ServiceLine, at: Int64)?
  /// The state after the lines so far.
  package private(set) var state: ServiceState

  /// Folds a log up to a time.
  ///
  /// - Parameters:
  ///   - path: The log's directory or file.
  ///   - time: The time in milliseconds since 1970, or `nil` for the end of the log.
  ///   - feeds: Reads the answers of feeds.
  /// - Throws: ``ServiceLogError``.
  package init(path: String, until time: Int64?, feeds: FeedReader) throws(ServiceLogError) {
    self.path = path
    do throws(LogError) {
      reader = try LogReader(path: path, from: time == nil ? .max : 0)
    } catch {
      throw .log(error)
    }
    state = ServiceState(beginning: 0, reader: feeds)
    var isFirst = true
    while let line = try nextLine() {
      if isFirst { state = ServiceState(beginning: line.at / 1000, reader: feeds) }
      isFirst = false
      if let time, line.at > time {
        do throws(ServiceLineError) {
          guard let entry = try ServiceLine(line) else { continue }
          pending = (entry, line.at)
        } catch {
          throw .otherLog(path: path, error)
        }
        return
      }
      do throws(ServiceLineError) {
        try state.fold(line)
      } catch {
        throw .otherLog(path: path, error)
      }
    }
  }

  private func nextLine() throws(ServiceLogError) -> LogLine? {
    do throws(LogError) { return try reader.next() } catch { throw .log(error) }
  }

  /// Returns the next line that isn't one of the log itself; nil at the end.
  package func next() throws(ServiceLogError) -> (entry: ServiceLine, at: Int64)? {
    if let next = pending.take() { return next }
    while let line = try nextLine() {
      do throws(ServiceLineError) {
        if let entry = try ServiceLine(line) { return (entry, line.at) }
      } catch {
        throw .otherLog(path: path, error)
      }
    }
    return nil
  }
}

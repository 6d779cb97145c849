import Foundation
import GRDB

/// Writes what the engine holds for a route, the turbulence polygons and the weather to one SQLite database.
///
/// The store is a cache. The log stays the truth: each transaction writes the rows of a ``StoreChange`` together with the
/// ``LogPosition`` up to which they go, so the store always holds what the log said at one moment. Whoever opens a store compares that
/// position with the log (``SyncStatus``), and catches up or rebuilds:
///
/// ```swift
/// let store = try ProjectionStore(path: directory + "/projections.sqlite")
/// if let recovery = store.recovery { report(recovery) }
/// switch try SyncStatus(of: store.position(), to: log.end, crc: log.crc(at:)) {
/// case .level: break
/// case .behind, .ahead: try store.catchUp(with: state, through: log.end)
/// case .empty, .fromAnotherLog: try store.rebuild(from: state, through: log.end)
/// }
/// ```
///
/// Calls wait for the disk and may come from any thread or task; reads go on while a change is written, each seeing one moment.
/// One process at a time writes, which the log's lock ensures. Others read with ``ProjectionReader``, also while it writes.
public final class ProjectionStore: Sendable {
  /// The path of the database.
  public let path: String
  /// The damaged database that was found in the store's place, if one was: rebuild, and say so.
  public let recovery: Recovery?

  let pool: DatabasePool

  /// A damaged database that was set aside.
  public struct Recovery: Hashable, Sendable {
    /// Where the damaged database is now. The last three are kept.
    public var movedTo: String
    /// What was wrong with it.
    public var reason: String
  }

  /// Opens the store of a path, or makes it, with the folders that lead there.
  ///
  /// An older version's database is brought up to date. A damaged one is moved aside whole, and an empty one made in its place:
  /// see ``recovery``. Deleting the file is safe at any time while no store is open.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Code/newerSchema``, ``StoreError/Code/notAStore``,
  ///   ``StoreError/Code/unopenable``, ``StoreError/Code/busy``, ``StoreError/Code/full``.
  /// - Complexity: O(rows): SQLite's quick check reads every page.
  public convenience init(path: String) throws(StoreError) {
    try self.init(path: path, schema: .current)
  }

  init(path: String, schema: Schema) throws(StoreError) {
    let file = StoreFile(path: path)
    try file.makeFolder()
    self.path = path
    let fault: StoreError
    do throws(StoreError) {
      pool = try Self.open(file, schema)
      recovery = nil
      return
    } catch {
      fault = error
    }
    guard fault.code == .damaged else { throw fault }
    recovery = Recovery(movedTo: try file.moveAside(), reason: fault.reason)
    pool = try Self.open(file, schema)
  }

  private static func open(_ file: StoreFile, _ schema: Schema) throws(StoreError) -> DatabasePool {
    do {
      try file.check()
      if file.exists { try inspect(file.path, schema.migrator) }
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      try schema.migrator.migrate(pool)
      return pool
    } catch {
      throw StoreError(error, file: file.path, doing: "opening")
    }
  }

  /// Finds out whether the file is ours, of a version that we know, and sound: over a connection that can't write, so that a file
  /// which is refused or moved aside stays as it was found.
  private static func inspect(_ path: String, _ migrator: DatabaseMigrator) throws {
    var configuration = Configuration()
    configuration.label = "ContrailStore.inspection"
    configuration.readonly = true
    configuration.busyMode = .timeout(2)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { try check($0, path, migrator) }
    try queue.close()
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ContrailStore"
    configuration.busyMode = .timeout(2)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      guard !db.configuration.readonly else { return }
      // A crash of the process loses nothing; a power failure may lose the last transactions, whole, and the log makes up for them.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      // What a rebuild wrote ahead is not kept as a file of that size for ever.
      try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
    }
    return configuration
  }

  private static func check(_ db: Database, _ path: String, _ migrator: DatabaseMigrator) throws {
    switch try SchemaStatus.fetch(db, migrator) {
    case .foreign: throw StoreError.foreign(path)
    case .newer: throw StoreError.newer(path)
    case .unfinished, .current: break
    }
    let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard verdict == "ok" else {
      throw StoreError(.damaged, file: path, reason: "the quick check says: \(verdict.prefix(200))")
    }
  }

  /// Closes the database; later calls throw ``StoreError/Code/closed``.
  ///
  /// Not needed before the process ends: what was applied is on disk already.
  public func close() throws(StoreError) {
    do {
      // Into one file; what a reader elsewhere keeps from it stays beside it, as good as ever.
      try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try pool.close()
    } catch {
      throw StoreError(error, file: path, doing: "closing")
    }
  }

  /// The line of the log up to which the rows go; nil before anything was written.
  public func position() throws(StoreError) -> LogPosition? {
    try read("reading the position") { try LogPosition.fetch($0) }
  }

  func read<T>(_ what: String, _ body: (Database) throws -> T) throws(StoreError) -> T {
    do {
      return try pool.read(body)
    } catch {
      throw StoreError(error, file: path, doing: what)
    }
  }

  func write<T>(_ what: String, _ body: (Database) throws -> T) throws(StoreError) -> T {
    do {
      return try pool.write(body)
    } catch {
      throw StoreError(error, file: path, doing: what)
    }
  }
}

extension LogPosition {
  static func fetch(_ db: Database) throws -> LogPosition? { try fetchWithOffset(db)?.position }

  /// The position, and the server's clock less the device's, in milliseconds.
  static func fetchWithOffset(_ db: Database) throws -> (position: LogPosition, serverOffsetMS: Int64?)? {
    guard let row = try Row.fetchOne(db, sql: "SELECT seq, crc, serverOffsetMS FROM position") else { return nil }
    let position = LogPosition(seq: try row.integer(0), crc: UInt32(truncatingIfNeeded: try row.integer(1)))
    return (position, try row.integerOrNull(2))
  }

  func save(_ db: Database, serverOffsetMS: Int64?) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO position (one, seq, crc, serverOffsetMS) VALUES (1, ?, ?, ?)"
    ).execute(arguments: [seq, crc, serverOffsetMS])
  }
}

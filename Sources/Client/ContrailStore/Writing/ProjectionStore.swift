import Foundation
import GRDB

/// Writes the held route data, turbulence polygons and weather to one SQLite database.
///
/// The store is a cache of the log. Each transaction writes the rows of a ``StoreChange`` together with its
/// ``LogPosition``, so the store always matches the log at one position. After opening a store, compare that position
/// with the log using ``SyncStatus``, then catch up or rebuild:
///
/// ```
/// let store = try ProjectionStore(path: directory + "/projections.sqlite")
/// if let recovery = store.recovery { report(recovery) }
/// switch try SyncStatus(of: store.position(), to: log.end, crc: log.crc(at:)) {
/// case .level: break
/// case .behind, .ahead: try store.catchUp(with: state, through: log.end)
/// case .empty, .fromAnotherLog: try store.rebuild(from: state, through: log.end)
/// }
/// ```
///
/// Calls block on disk access and are safe from any thread or task. Reads continue while a change is written, and each
/// sees one moment. Only one process writes at a time, which the lock of the log ensures. Other processes read with
/// ``ProjectionReader`` at any time.
package final class ProjectionStore: Sendable {
  /// The path of the database.
  package let path: String
  /// The damaged database that was replaced, if any. Rebuild the store and report it.
  package let recovery: Recovery?

  let pool: DatabasePool

  /// A damaged database that was moved aside.
  package struct Recovery: Hashable, Sendable {
    /// The current path of the damaged database. The three most recent ones are kept.
    package var movedTo: String
    /// The reason why the database is damaged.
    package var reason: String
  }

  /// Opens a store, or creates it and its parent folders.
  ///
  /// A database of an older version is migrated. A damaged database is moved aside and replaced by an empty one; see
  /// ``recovery``. You can delete the file whenever no store is open.
  ///
  /// - Parameter path: The path of the database.
  /// - Throws: ``StoreError``: ``StoreError/Code/newerSchema``, ``StoreError/Code/notAStore``,
  ///   ``StoreError/Code/unopenable``, ``StoreError/Code/busy``, ``StoreError/Code/full``.
  /// - Complexity: O(rows), because SQLite's quick check reads every page.
  package convenience init(path: String) throws(StoreError) {
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
      if file.exists { try inspect(file.path, schema.migrator) } else { file.createPrivate() }
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      try schema.migrator.migrate(pool)
      return pool
    } catch {
      throw StoreError(error, file: file.path, doing: "opening")
    }
  }

  /// Checks that the file is an undamaged store of a known version. The connection is read-only, so a refused or
  /// damaged file isn't changed.
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
      // A process crash loses nothing. A power failure can lose the last complete transactions, which the log still
      // contains.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      // Limits the write-ahead log after a rebuild, which would otherwise keep its size.
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
    let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no result"
    guard verdict == "ok" else {
      throw StoreError(.damaged, file: path, reason: "the quick check reports: \(verdict.prefix(200))")
    }
  }

  /// Closes the database. Later calls throw ``StoreError/Code/closed``.
  ///
  /// Closing isn't needed before the process ends, because applied changes are already on disk.
  package func close() throws(StoreError) {
    do {
      // Merges the write-ahead log into the database. If a reader prevents it, the log stays beside the file and
      // remains valid.
      try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try pool.close()
    } catch {
      throw StoreError(error, file: path, doing: "closing")
    }
  }

  /// Returns the log position of the rows, or `nil` if nothing has been written.
  package func position() throws(StoreError) -> LogPosition? {
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

  /// Returns the position, and the server time minus the device time in milliseconds.
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

import ContrailAirportData
import Foundation
public import GRDB

/// A database of the airports in use, for offline queries.
///
/// ```swift
/// let database = try AirportDatabase(path: folder + "/airports.sqlite")
/// try database.load(AirportReader(bytes), fingerprint: sha256, at: now)
/// let heathrow = try database.airport(icaoID: "EGLL")
/// ```
///
/// The database also stages a cycle that is being loaded or isn't effective yet. Queries don't return staged airports.
///
/// The database is a cache of downloaded files: you can delete it and load the airports again. Calls block on disk
/// access and are safe from any thread. Reads continue while a load writes, and each sees one moment. Only one process
/// may load at a time.
public final class AirportDatabase: Sendable {
  /// The path of the database, or a description of it.
  public let path: String
  /// The damaged database that was replaced, if any. Load the airports again and report it.
  public let recovery: Recovery?

  let writer: any DatabaseWriter

  /// A damaged database that was moved aside.
  public struct Recovery: Hashable, Sendable {
    /// The current path of the damaged database.
    public var movedTo: String
    /// The reason why the database is damaged.
    public var reason: String
  }

  /// The version of the stored airport data. Airports loaded with another version must be loaded again.
  public static let dataVersion = 1

  /// Opens a database, or creates it and its parent folders.
  ///
  /// A database of an older version is migrated. A damaged file is moved aside and replaced by an empty database; see
  /// ``recovery``.
  ///
  /// - Parameter path: The path of the database.
  /// - Throws: ``AirportStoreError``: ``AirportStoreError/Code/newerSchema``, ``AirportStoreError/Code/notAirports``,
  ///   ``AirportStoreError/Code/unopenable``, ``AirportStoreError/Code/busy``, ``AirportStoreError/Code/full``.
  public init(path: String) throws(AirportStoreError) {
    self.path = path
    let fault: AirportStoreError
    do throws(AirportStoreError) {
      writer = try Self.open(path)
      recovery = nil
      return
    } catch {
      fault = error
    }
    guard fault.code == .damaged else { throw fault }
    recovery = Recovery(movedTo: try Self.moveAside(path), reason: fault.reason)
    writer = try Self.open(path)
  }

  /// Stores the airports in an open database of the application, in separate tables.
  ///
  /// - Parameter writer: The database.
  /// - Throws: ``AirportStoreError``.
  public init(_ writer: any DatabaseWriter) throws(AirportStoreError) {
    path = "the given database"
    recovery = nil
    self.writer = writer
    do {
      try AirportSchema.migrator.migrate(writer)
    } catch {
      throw AirportStoreError(error, file: path, doing: "creating the tables")
    }
  }

  /// Closes the database. Later calls throw. Closing isn't needed before the process ends.
  public func close() throws(AirportStoreError) {
    do {
      try writer.close()
    } catch {
      throw AirportStoreError(error, file: path, doing: "closing")
    }
  }

  // MARK: Opening

  private static func open(_ path: String) throws(AirportStoreError) -> DatabasePool {
    do {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw AirportStoreError(
        .unopenable, file: path, reason: "its folder can't be created: \(error.localizedDescription)")
    }
    do {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
        guard !isFolder.boolValue else { throw AirportStoreError(.unopenable, file: path, reason: "it is a folder") }
        try inspect(path)
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      try AirportSchema.migrator.migrate(pool)
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA application_id = \(AirportSchema.applicationID)")
      }
      return pool
    } catch {
      throw AirportStoreError(error, file: path, doing: "opening")
    }
  }

  /// Checks that the file is an airport database of a known version. The connection is read-only, so a refused file
  /// isn't changed.
  private static func inspect(_ path: String) throws {
    var configuration = Configuration()
    configuration.label = "ContrailAirports.inspection"
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { db in
      let id = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
      let isOurs = try id == AirportSchema.applicationID || tables == 0 || db.tableExists("airportState")
      guard isOurs else {
        throw AirportStoreError(.notAirports, file: path, reason: "it is the database of another program")
      }
      if try AirportSchema.migrator.hasBeenSuperseded(db) {
        throw AirportStoreError(.newerSchema, file: path, reason: "it has tables that this version doesn't know")
      }
    }
    try queue.close()
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ContrailAirports"
    configuration.busyMode = .timeout(2)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      guard !db.configuration.readonly else { return }
      // A process crash loses nothing. A power failure can lose the last complete transactions, and the load then
      // resumes earlier.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
      // A load writes about 16 MiB. Frequent checkpoints would slow it down, because each waits for the disk.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 8192")
    }
    return configuration
  }

  private static func moveAside(_ path: String) throws(AirportStoreError) -> String {
    let copy = path + ".damaged"
    do {
      // The database is moved last. As long as it is in place, the damage is detected again.
      for suffix in ["-shm", "-wal", ""] {
        try? FileManager.default.removeItem(atPath: copy + suffix)
        guard FileManager.default.fileExists(atPath: path + suffix) else { continue }
        try FileManager.default.moveItem(atPath: path + suffix, toPath: copy + suffix)
      }
    } catch {
      throw AirportStoreError(
        .unopenable, file: path, reason: "it is damaged and can't be moved aside: \(error.localizedDescription)")
    }
    return copy
  }

  // MARK: Access

  func read<T>(_ what: String, _ body: (Database) throws -> T) throws(AirportStoreError) -> T {
    do {
      return try writer.read(body)
    } catch {
      throw AirportStoreError(error, file: path, doing: what)
    }
  }

  func write<T>(_ what: String, _ body: (Database) throws -> T) throws(AirportStoreError) -> T {
    do {
      return try writer.write(body)
    } catch {
      throw AirportStoreError(error, file: path, doing: what)
    }
  }

  /// Returns the generation in use, or 0 before the first.
  static func generation(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM airportState")) ?? 0
  }
}

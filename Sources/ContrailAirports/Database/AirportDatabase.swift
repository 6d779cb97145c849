import ContrailAirportData
import Foundation
public import GRDB

/// The airports of the cycle in use, on disk, to be asked offline; and, beside them, unseen, those of a cycle that is being loaded or
/// waits to become effective.
///
/// ```swift
/// let database = try AirportDatabase(path: folder + "/airports.sqlite")
/// try database.load(AirportReader(bytes), fingerprint: sha256, at: now)
/// let heathrow = try database.airport(icaoID: "EGLL")
/// ```
///
/// A database is a cache of what was downloaded: delete it, and load again. Calls wait for the disk and may come from any thread; reads
/// go on while a load writes, each seeing one moment. One process at a time loads.
public final class AirportDatabase: Sendable {
  /// The path of the database, or what stands for it.
  public let path: String
  /// The damaged database that was found at the path, if one was: load again, and say so.
  public let recovery: Recovery?

  let writer: any DatabaseWriter

  /// A damaged database that was set aside.
  public struct Recovery: Hashable, Sendable {
    /// Where the damaged database is now.
    public var movedTo: String
    /// What was wrong with it.
    public var reason: String
  }

  /// The version of what is held of an airport. Airports that were loaded with another must be loaded again.
  public static let dataVersion = 1

  /// Opens the database of a path, or makes it, with the folders that lead there.
  ///
  /// An older version's tables are brought up to date. A damaged file is moved aside, and an empty database made in its place: see
  /// ``recovery``.
  ///
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

  /// Keeps airports in a database that the application has opened already, in tables beside its own.
  ///
  /// - Throws: ``AirportStoreError``.
  public init(_ writer: any DatabaseWriter) throws(AirportStoreError) {
    path = "the database given"
    recovery = nil
    self.writer = writer
    do {
      try AirportSchema.migrator.migrate(writer)
    } catch {
      throw AirportStoreError(error, file: path, doing: "making the tables")
    }
  }

  /// Closes the database; later calls throw. Not needed before the process ends.
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
        .unopenable, file: path, reason: "its folder can't be made: \(error.localizedDescription)")
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

  /// Finds out whether the file is ours and of a version that we know, over a connection that can't write: a file that is refused stays
  /// as it was found.
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
        throw AirportStoreError(.notAirports, file: path, reason: "it is a database of another program")
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
      // A crash of the process loses nothing; a power failure may lose the last transactions, whole, and a load goes on from there.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
      // A load writes some 16 MiB: few checkpoints, for each of them waits for the disk.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 8192")
    }
    return configuration
  }

  private static func moveAside(_ path: String) throws(AirportStoreError) -> String {
    let copy = path + ".damaged"
    do {
      // The database last: as long as it is in its place, the damage is found again.
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

  /// The generation in use; 0 before the first.
  static func generation(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM airportState")) ?? 0
  }
}

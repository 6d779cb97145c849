import ContrailCore
public import Foundation
import GRDB

/// Reads a store that another process writes, such as from a widget, a watch app or a command-line tool.
///
/// ```swift
/// let reader = ProjectionReader(url: group.appending(path: "log/projections.sqlite"))
/// let items = try reader.read { (store) throws(StoreError) in
///   try store.turbulence(with: TurbulenceQuery(area: area), at: .now)
/// }
/// for await change in reader.changes(every: .seconds(30)) { refresh(change) }
/// ```
///
/// The reader needs no engine and no log. It opens the database read-only and never creates, changes, repairs or moves
/// it. Each call of ``read(_:)`` opens the file, reads one moment of the log and closes the file. A reader therefore
/// never blocks checkpoints between calls, and it notices a rebuilt or replaced database.
///
/// SQLite creates the files `-wal` and `-shm` beside the database if they don't exist, so the folder must be writable.
public struct ProjectionReader: Sendable {
  /// The path of the database.
  public let path: String
  private let schema: Schema
  private let timeout: Double

  /// Creates a reader for a database. The file isn't opened yet.
  public init(url: URL) { self.init(path: url.path) }

  /// Creates a reader for a database. The file isn't opened yet.
  public init(path: String) { self.init(path: path, schema: .current) }

  /// Creates a reader for a database. The file isn't opened yet.
  ///
  /// - Parameter timeout: How long to wait for a writer that recovers or rebuilds, in seconds.
  package init(path: String, waiting timeout: Double) { self.init(path: path, schema: .current, timeout: timeout) }

  init(path: String, schema: Schema, timeout: Double = 2) {
    self.path = path
    self.schema = schema
    self.timeout = timeout
  }

  /// Reads one moment of the log, even while the writer continues.
  ///
  /// - Parameter body: A closure that queries the snapshot. The snapshot is valid only during the call.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or ``StoreError``: ``StoreError/Code/missing``, ``StoreError/Code/unfinished``,
  ///   ``StoreError/Code/notAStore``, ``StoreError/Code/newerSchema``, ``StoreError/Code/damaged``,
  ///   ``StoreError/Code/unopenable``, ``StoreError/Code/busy``.
  /// - Complexity: O(1), plus the work of `body`.
  public func read<T>(
    _ body: (borrowing ProjectionSnapshot) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    try read(from: try open(), body)
  }

  /// Returns all contents of the store, with each scope verified against its digest.
  ///
  /// - Throws: ``StoreError`` as for ``read(_:)``, and ``StoreError/Code/damaged`` if the rows of a scope don't match
  ///   its digest.
  /// - Complexity: O(rows).
  package func contents() throws(StoreError) -> StoredContents {
    let contents = try read { (store) throws(StoreError) in try store.contents() }
    guard let unsound = contents.scopes.first(where: { !$0.addsUp }) else { return contents }
    throw StoreError(
      .damaged, file: path, reason: "the rows of \(unsound.summary.id.name) don't match their digest")
  }

  func read<T>(
    from queue: DatabaseQueue, _ body: (borrowing ProjectionSnapshot) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    do {
      return try queue.read { try body(ProjectionSnapshot($0, file: path)) }
    } catch {
      throw StoreError(error, file: path, doing: "reading")
    }
  }

  /// Opens a read-only connection to a store of this version.
  func open() throws(StoreError) -> DatabaseQueue {
    let file = StoreFile(path: path)
    guard file.exists else { throw StoreError(.missing, file: path, reason: "the file doesn't exist") }
    try file.check()
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      switch try queue.read({ try SchemaStatus.fetch($0, schema.migrator) }) {
      case .current: return queue
      case .unfinished:
        throw StoreError(.unfinished, file: path, reason: "its tables are missing or belong to an older version")
      case .foreign: throw StoreError.foreign(path)
      case .newer: throw StoreError.newer(path)
      }
    } catch {
      // A file that was removed in the meantime is reported as missing, whatever error SQLite returns.
      guard file.exists else { throw StoreError(.missing, file: path, reason: "the file doesn't exist") }
      throw StoreError(error, file: path, doing: "opening")
    }
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ContrailStore.reader"
    configuration.readonly = true
    // A writer blocks readers only briefly, while it recovers or rebuilds after a crash.
    configuration.busyMode = .timeout(timeout)
    return configuration
  }
}

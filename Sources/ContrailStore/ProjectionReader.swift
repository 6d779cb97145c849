import ContrailCore
public import Foundation
import GRDB

/// Reads a store that another process writes: for a widget, a watch app or a command-line tool.
///
/// ```swift
/// let reader = ProjectionReader(url: group.appending(path: "log/projections.sqlite"))
/// let items = try reader.read { (store) throws(StoreError) in
///   try store.turbulence(with: TurbulenceQuery(area: area), at: .now)
/// }
/// for await change in reader.changes(every: .seconds(30)) { refresh() }
/// ```
///
/// It needs no engine and no log, opens the database read-only, and never makes, changes, repairs or moves it. Each call of
/// ``read(_:)`` opens the file, sees one moment of the log, and closes it: nothing is held between calls, so a reader never keeps the
/// writer from tidying up, and finds a database that was rebuilt or replaced in the meantime.
///
/// What SQLite needs to share a database (`-wal` and `-shm` beside it) it makes if it isn't there, so the folder must be writable.
public struct ProjectionReader: Sendable {
  /// The path of the database.
  public let path: String
  private let schema: Schema
  private let timeout: Double

  /// Takes the database's place; nothing is opened yet.
  public init(url: URL) { self.init(path: url.path) }

  /// Takes the database's path; nothing is opened yet.
  public init(path: String) { self.init(path: path, schema: .current) }

  /// Takes the database's path; nothing is opened yet.
  ///
  /// - Parameter timeout: How long to wait for a writer that recovers or rebuilds, in seconds.
  package init(path: String, waiting timeout: Double) { self.init(path: path, schema: .current, timeout: timeout) }

  init(path: String, schema: Schema, timeout: Double = 2) {
    self.path = path
    self.schema = schema
    self.timeout = timeout
  }

  /// Reads one moment of the log, whatever is written meanwhile.
  ///
  /// - Parameter body: Asks the snapshot, which is valid only until it returns.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and ``StoreError``: ``StoreError/Code/missing``, ``StoreError/Code/unfinished``,
  ///   ``StoreError/Code/notAStore``, ``StoreError/Code/newerSchema``, ``StoreError/Code/damaged``,
  ///   ``StoreError/Code/unopenable``, ``StoreError/Code/busy``.
  /// - Complexity: O(1) beside what `body` does.
  public func read<T>(
    _ body: (borrowing ProjectionSnapshot) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    try read(from: try open(), body)
  }

  /// Returns all that the store holds, each scope checked against its digest.
  ///
  /// - Throws: ``StoreError``, as ``read(_:)``; ``StoreError/Code/damaged`` if a scope's rows aren't those that were written.
  /// - Complexity: O(rows).
  package func contents() throws(StoreError) -> StoredContents {
    let contents = try read { (store) throws(StoreError) in try store.contents() }
    guard let unsound = contents.scopes.first(where: { !$0.addsUp }) else { return contents }
    throw StoreError(
      .damaged, file: path, reason: "the rows of \(unsound.summary.id.name) are not those that were written")
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

  /// Opens a connection that can't write, to a store of this version.
  func open() throws(StoreError) -> DatabaseQueue {
    let file = StoreFile(path: path)
    guard file.exists else { throw StoreError(.missing, file: path, reason: "there is no such file") }
    try file.check()
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      switch try queue.read({ try SchemaStatus.fetch($0, schema.migrator) }) {
      case .current: return queue
      case .unfinished:
        throw StoreError(.unfinished, file: path, reason: "its tables aren't there, or are an older version's")
      case .foreign: throw StoreError.foreign(path)
      case .newer: throw StoreError.newer(path)
      }
    } catch {
      // A file that has gone since is missing, whatever SQLite makes of it.
      guard file.exists else { throw StoreError(.missing, file: path, reason: "there is no such file") }
      throw StoreError(error, file: path, doing: "opening")
    }
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ContrailStore.reader"
    configuration.readonly = true
    // Only a writer that recovers or rebuilds after a crash keeps readers out, and briefly.
    configuration.busyMode = .timeout(timeout)
    return configuration
  }
}

import Foundation
import GRDB

extension ProjectionReader {
  /// Returns a sequence of the positions that the writer has written: the current one, then each newer one.
  ///
  /// The sequence checks the file once per interval, and only while an element is awaited. Changes within one interval
  /// are one element. A missing or unreadable database also produces one element, and the sequence keeps checking.
  ///
  /// ```swift
  /// for await change in reader.changes(every: .seconds(30)) {
  ///   switch change {
  ///   case .success(let position): refresh(position)
  ///   case .failure(let error): show(error.advice)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter interval: The time between two checks, at least one millisecond.
  /// - Complexity: O(1) per check.
  public func changes(every interval: Duration) -> ProjectionChanges {
    changes(every: interval) { try await Task.sleep(for: $0) }
  }

  /// Returns the sequence with a custom delay, for tests.
  package func changes(
    every interval: Duration, wait: @escaping @Sendable (Duration) async throws -> Void
  ) -> ProjectionChanges {
    ProjectionChanges(reader: self, interval: max(interval, .milliseconds(1)), wait: wait)
  }
}

/// A sequence of the positions in a store, created by ``ProjectionReader/changes(every:)``.
///
/// The sequence ends when its task is cancelled.
public struct ProjectionChanges: AsyncSequence, Sendable {
  /// The log position of the store, `nil` if nothing has been written, or an error if the store can't be read.
  public typealias Element = Result<LogPosition?, StoreError>

  let reader: ProjectionReader
  let interval: Duration
  let wait: @Sendable (Duration) async throws -> Void

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  public struct Iterator: AsyncIteratorProtocol {
    private let changes: ProjectionChanges
    private var watch: Watch?
    private var failure: StoreError.Code?
    private var isFirst = true

    init(_ changes: ProjectionChanges) { self.changes = changes }

    /// Returns the next element, or `nil` when the task is cancelled.
    public mutating func next() async -> Element? {
      while !Task.isCancelled {
        if !isFirst {
          do { try await changes.wait(changes.interval) } catch { return nil }
          if Task.isCancelled { return nil }
        }
        isFirst = false
        if let element = look() { return element }
      }
      return nil
    }

    /// Returns the change since the last check, or `nil` if there is none.
    private mutating func look() -> Element? {
      do throws(StoreError) {
        let isSame = try watch?.isStillThere() ?? false
        if !isSame { watch = try Watch(changes.reader) }
        guard let (position, version) = try watch?.look() else { return nil }
        let isNew = !isSame || version != watch?.version
        watch?.version = version
        failure = nil
        return isNew ? .success(position) : nil
      } catch {
        watch = nil
        guard failure != error.code else { return nil }
        failure = error.code
        return .failure(error)
      }
    }
  }

  /// An open connection. SQLite reports whether another connection has written since the last check.
  private struct Watch {
    let reader: ProjectionReader
    let queue: DatabaseQueue
    /// The opened file, which another file may replace.
    let identity: StoreFile.Identity
    var version: Int64?

    init(_ reader: ProjectionReader) throws(StoreError) {
      self.reader = reader
      let file = StoreFile(path: reader.path)
      guard let identity = file.identity else {
        throw StoreError(.missing, file: reader.path, reason: "the file doesn't exist")
      }
      self.identity = identity
      queue = try reader.open()
    }

    func isStillThere() throws(StoreError) -> Bool {
      guard let now = StoreFile(path: reader.path).identity else {
        throw StoreError(.missing, file: reader.path, reason: "the file doesn't exist")
      }
      return now == identity
    }

    func look() throws(StoreError) -> (LogPosition?, version: Int64) {
      do {
        return try queue.read { db in
          // One transaction, so that no change falls between the two queries.
          let position = try LogPosition.fetch(db)
          return (position, try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0)
        }
      } catch {
        throw StoreError(error, file: reader.path, doing: "checking for changes")
      }
    }
  }
}

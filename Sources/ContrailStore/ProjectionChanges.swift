import Foundation
import GRDB

extension ProjectionReader {
  /// Returns a sequence of the moments that the writer has written: the present one first, then each newer one that is found.
  ///
  /// The file is looked at once per interval, and only while an element is awaited; changes that come closer together are one element.
  /// A database that isn't there yet, or can't be read now, is an element too, once, and is looked for again.
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
  /// - Parameter interval: How long to wait between two looks; at least a millisecond.
  /// - Complexity: O(1) a look.
  public func changes(every interval: Duration) -> ProjectionChanges {
    changes(every: interval) { try await Task.sleep(for: $0) }
  }

  /// The same with a way to wait that a test chooses.
  package func changes(
    every interval: Duration, wait: @escaping @Sendable (Duration) async throws -> Void
  ) -> ProjectionChanges {
    ProjectionChanges(reader: self, interval: max(interval, .milliseconds(1)), wait: wait)
  }
}

/// The moments that a store's writer has written, as ``ProjectionReader/changes(every:)`` finds them; ends when its task is cancelled.
public struct ProjectionChanges: AsyncSequence, Sendable {
  /// The line of the log that the store is as of (nil before anything was written), or why it can't be read.
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

    /// Returns the next moment, or nil when the task is cancelled.
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

    /// What has changed since the last look; nil for nothing.
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

  /// An open connection, which SQLite tells whether others have written since it last looked.
  private struct Watch {
    let reader: ProjectionReader
    let queue: DatabaseQueue
    /// Which file was opened: another one may take its place.
    let identity: StoreFile.Identity
    var version: Int64?

    init(_ reader: ProjectionReader) throws(StoreError) {
      self.reader = reader
      let file = StoreFile(path: reader.path)
      guard let identity = file.identity else {
        throw StoreError(.missing, file: reader.path, reason: "there is no such file")
      }
      self.identity = identity
      queue = try reader.open()
    }

    func isStillThere() throws(StoreError) -> Bool {
      guard let now = StoreFile(path: reader.path).identity else {
        throw StoreError(.missing, file: reader.path, reason: "there is no such file")
      }
      return now == identity
    }

    func look() throws(StoreError) -> (LogPosition?, version: Int64) {
      do {
        return try queue.read { db in
          // In one transaction, so that no change falls between the two.
          let position = try LogPosition.fetch(db)
          return (position, try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0)
        }
      } catch {
        throw StoreError(error, file: reader.path, doing: "looking for changes")
      }
    }
  }
}

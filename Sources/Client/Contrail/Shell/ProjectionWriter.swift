package import ContrailCore
package import ContrailEngine
import ContrailLog
package import ContrailStore

/// Performs the driver's commands on the database beside the log.
package final class ProjectionWriter {
  private let path: String
  /// Returns the CRC of a log line, by its `seq`; nil if the log no longer contains it.
  private let crc: @Sendable (Int64) -> UInt32?
  private var store: ProjectionStore?

  package init(path: String, crc: @escaping @Sendable (Int64) -> UInt32?) {
    self.path = path
    self.crc = crc
  }

  /// The open database, for comparisons with the state.
  package var openStore: ProjectionStore? { store }

  /// Reads the state in a database, for ``DriverAction/preview``; nil if it can't be read at once.
  ///
  /// - Complexity: O(rows).
  package static func preview(path: String) -> State? {
    (try? ProjectionReader(path: path, waiting: 0).contents())?.preview
  }

  package func perform(_ command: ProjectionCommand) -> ProjectionResult {
    do throws(StoreError) {
      switch command {
      case .open(let state, let tail): return .done(try open(state, tail))
      case .apply(let before, let after, let tail):
        let change = StoreChange(from: before, to: after)
        if !change.isEmpty { try opened(after, tail)?.apply(change, through: LogPosition(tail)) }
      case .catchUp(let state, let tail): try opened(state, tail)?.catchUp(with: state, through: LogPosition(tail))
      case .rebuild(let state, let tail):
        try opened(state, tail)?.rebuild(from: state, through: LogPosition(tail))
        return .done(.fromAnotherLog)
      }
      return .done(nil)
    } catch {
      return error.code == .outOfStep ? .outOfStep : .failed(ClientError(error))
    }
  }

  /// Returns the open database; nil if it was just opened and holds the state already.
  private func opened(_ state: State, _ tail: LogTail) throws(StoreError) -> ProjectionStore? {
    if let store { return store }
    _ = try open(state, tail)
    return nil
  }

  private func open(_ state: State, _ tail: LogTail) throws(StoreError) -> StoreRebuild? {
    let store: ProjectionStore
    if let opened = self.store { store = opened } else { store = try ProjectionStore(path: path) }
    let end = LogPosition(tail)
    let position = try store.position()
    let standing = SyncStatus(of: position, to: end) { (seq) throws(Never) in crc(seq) }
    var rebuild: StoreRebuild?
    var isAhead = false
    if let recovery = store.recovery {
      rebuild = .damaged(movedTo: recovery.movedTo, reason: recovery.reason)
    } else {
      switch standing {
      case .level, .behind: break
      // The line at this position was lost, even if the rows are still right. Another line will take its place.
      case .ahead: isAhead = true
      case .empty: rebuild = .missing
      case .fromAnotherLog: rebuild = .fromAnotherLog
      }
    }
    if rebuild != nil {
      try store.rebuild(from: state, through: end)
    } else {
      let isRight = isAhead ? false : try store.holds(state)
      if !isRight { try store.catchUp(with: state, through: end) }
    }
    self.store = store
    // At the first launch there is nothing to rebuild.
    if rebuild == .missing, !state.scopes.contains(where: { $0.have != nil }) { return nil }
    return rebuild
  }

  /// Closes the database. Errors are ignored, because all writes are on disk.
  package func close() {
    do throws(StoreError) { try store?.close() } catch {}
    store = nil
  }
}

extension LogPosition {
  init(_ tail: LogTail) {
    self.init(seq: tail.seq, crc: tail.crc)
  }
}

extension ClientError {
  init(_ error: StoreError) {
    self.init(
      .store, message: "\(error.file): \(error.reason)",
      advice: "The data is in the log and is shown anyway. \(error.advice)", isTransient: error.isTransient)
  }
}

package import ContrailCore
package import ContrailLog
package import ContrailStore

/// What the driver asks of the database beside the log.
package enum ProjectionCommand: Sendable {
  /// Open the database and make it hold a state.
  case open(State, LogTail)
  /// Write what has changed between two states.
  case apply(from: State, to: State, LogTail)
  /// Write whatever differs from a state.
  case catchUp(State, LogTail)
  /// Forget all rows and write those of a state.
  case rebuild(State, LogTail)
}

/// What became of a ``ProjectionCommand``.
package enum ProjectionResult: Sendable {
  /// The database holds the state; it was made anew for the reason given, if there is one.
  case done(StoreRebuild?)
  /// The database holds other rows than a change was made from.
  case outOfStep
  case failed(ClientError)
}

/// Carries out the driver's commands on the database beside the log.
package final class ProjectionWriter {
  private let path: String
  /// The check of a line of the log, by its `seq`; nil where the log no longer holds it.
  private let crc: @Sendable (Int64) -> UInt32?
  private var store: ProjectionStore?

  package init(path: String, crc: @escaping @Sendable (Int64) -> UInt32?) {
    self.path = path
    self.crc = crc
  }

  /// The open database, for those who compare it with the state.
  package var openStore: ProjectionStore? { store }

  /// Reads what a database holds, for ``DriverAction/preview``; nil if there is nothing sound that can be read at once.
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

  /// The open database; nil where it had to be opened first, and so holds the state already.
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
    if let recovery = store.recovery {
      rebuild = .damaged(movedTo: recovery.movedTo, reason: recovery.reason)
    } else {
      switch standing {
      case .level, .behind, .ahead: break
      case .empty: rebuild = .missing
      case .fromAnotherLog: rebuild = .fromAnotherLog
      }
    }
    if rebuild != nil {
      try store.rebuild(from: state, through: end)
    } else if try !store.holds(state) {
      try store.catchUp(with: state, through: end)
    }
    self.store = store
    // The first launch of all has nothing to make anew.
    if rebuild == .missing, !state.scopes.contains(where: { $0.have != nil }) { return nil }
    return rebuild
  }

  /// Closes the database. What was written is on disk: a connection that can't be closed loses nothing.
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

import ContrailCore
import ContrailLog
import ContrailStore

/// Keeps the database level with the state, behind the engine's back: the engine never waits for it, and several changes that come
/// while one is written are written as one.
actor StoreKeeper {
  private let path: String
  private let report: @Sendable (ClientUpdate) -> Void
  private var store: ProjectionStore?
  /// The state that the database holds.
  private var written = State()
  private let newest = Locked<Moment?>(nil)

  /// A state and the line that it is as of.
  private struct Moment {
    var state: State
    var position: LogPosition
  }

  init(directory: String, report: @escaping @Sendable (ClientUpdate) -> Void) {
    path = directory + "/projections.sqlite"
    self.report = report
  }

  /// Opens the database, and returns the line of the log that it is as of.
  func open() -> LogPosition? {
    do throws(StoreError) {
      let store = try ProjectionStore(path: path)
      self.store = store
      return try store.position()
    } catch {
      report(.failed(ClientError(error)))
      return nil
    }
  }

  /// Makes the database hold what the state holds, from scratch if it must.
  ///
  /// - Parameter crc: The check of the log's line that the database is as of; nil where the log doesn't hold it.
  func bringLevel(with state: State, through tail: LogTail, crc: UInt32?) {
    guard let store else { return }
    let end = LogPosition(seq: tail.seq, crc: tail.crc)
    do throws(StoreError) {
      let standing = SyncStatus(of: try store.position(), to: end) { _ in crc }
      let rebuild: StoreRebuild?
      if let recovery = store.recovery {
        rebuild = .damaged(movedTo: recovery.movedTo, reason: recovery.reason)
      } else {
        switch standing {
        case .level, .behind, .ahead: rebuild = nil
        case .empty: rebuild = .missing
        case .fromAnotherLog: rebuild = .fromAnotherLog
        }
      }
      if let rebuild {
        try store.rebuild(from: state, through: end)
        // The first launch of all has nothing to make anew.
        if rebuild != .missing || state.scopes.contains(where: { $0.have != nil }) { report(.rebuilt(rebuild)) }
      } else if try !store.holds(state) {
        try store.catchUp(with: state, through: end)
      }
      written = state
    } catch {
      // What can't be brought level now isn't written to either.
      self.store = nil
      report(.failed(ClientError(error)))
    }
  }

  /// Writes what has changed since the last call, soon.
  nonisolated func follow(_ state: State, through tail: LogTail) {
    let isFirst = newest.withLock { newest in
      defer { newest = Moment(state: state, position: LogPosition(seq: tail.seq, crc: tail.crc)) }
      return newest == nil
    }
    if isFirst { Task { await self.write() } }
  }

  /// Returns once everything that was to follow is written.
  func flush() { write() }

  private func write() {
    guard let moment = newest.withLock({ newest in newest.take() }), let store else { return }
    let change = StoreChange(from: written, to: moment.state)
    guard !change.isEmpty else { return }
    do throws(StoreError) {
      try store.apply(change, through: moment.position)
      written = moment.state
    } catch {
      recover(store, moment, after: error)
    }
  }

  /// A change that didn't fit, or wasn't taken, is made up for whole, if that can be; if not, at the next change.
  private func recover(_ store: ProjectionStore, _ moment: Moment, after error: StoreError) {
    do throws(StoreError) {
      if error.code == .outOfStep {
        try store.rebuild(from: moment.state, through: moment.position)
      } else {
        try store.catchUp(with: moment.state, through: moment.position)
      }
      written = moment.state
      if error.code == .outOfStep { report(.rebuilt(.fromAnotherLog)) }
    } catch {
      report(.failed(ClientError(error)))
    }
  }

  func close() {
    write()
    // What was applied is on disk: a connection that can't be closed loses nothing.
    do throws(StoreError) { try store?.close() } catch {}
    store = nil
  }
}

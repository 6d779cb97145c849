package import ContrailCore
package import ContrailLog

/// A command on the database beside the log.
package indirect enum ProjectionCommand: Sendable {
  /// Open the database and make it hold a state.
  case open(State, LogTail)
  /// Write the changes between two states.
  case apply(from: State, to: State, LogTail)
  /// Write all differences from a state.
  case catchUp(State, LogTail)
  /// Delete all rows and write those of a state.
  case rebuild(State, LogTail)
}

/// The result of a ``ProjectionCommand``.
package enum ProjectionResult: Sendable {
  /// The database holds the state. If it was rebuilt, the reason is attached.
  case done(StoreRebuild?)
  /// The rows of the database don't match the beginning of the change.
  case outOfStep
  case failed(ClientError)
}

/// The database beside the log, which follows it asynchronously. Changes during a write are combined into the next one.
struct Projection: Sendable {
  /// The command that makes the database hold the state.
  private enum Need {
    case open
    case apply
    case catchUp
    case rebuild
  }

  private var need = Need.open
  /// The state in the database.
  @Boxed private var written = State()
  /// The state that is being written.
  @Boxed private var writing: State?
  /// Whether the database doesn't hold the newest state.
  private var isBehind = false
  private var retry = Retry()

  /// Whether there is nothing to write, or writing failed.
  var isSettled: Bool { writing == nil && (!isBehind || retry.count > 0) }

  /// The time of the device at which ``pass(to:)`` is needed; nil for never.
  var wakesAt: Int64? { retry.until }

  /// Notes that the state of the log has changed.
  mutating func fallBehind() { isBehind = true }

  /// Lets the time pass.
  mutating func pass(to now: Int64) { if let at = retry.until, at <= now { retry.until = nil } }

  /// Returns the next command; nil if there is none, or one is in progress.
  mutating func next(_ state: State, _ tail: LogTail) -> ProjectionCommand? {
    guard writing == nil, isBehind, retry.until == nil else { return nil }
    writing = state
    isBehind = false
    return switch need {
    case .open: .open(state, tail)
    case .apply: .apply(from: written, to: state, tail)
    case .catchUp: .catchUp(state, tail)
    case .rebuild: .rebuild(state, tail)
    }
  }

  /// Takes the result of a command, and returns the error to report.
  mutating func take(_ result: ProjectionResult, at now: Int64) -> ClientUpdate? {
    guard let state = writing.take() else { return nil }
    switch result {
    case .done(let rebuild):
      written = state
      need = .apply
      retry.succeed()
      return rebuild.map { .rebuilt($0) }
    case .outOfStep:
      // The change doesn't match the rows. If that follows a rebuild, the next rebuild is delayed.
      if need == .rebuild || retry.count > 0 { retry.fail(at: now) }
      need = .rebuild
      isBehind = true
      return nil
    case .failed(let error):
      let isFirst = retry.count == 0
      if need == .apply { need = .catchUp }
      isBehind = true
      retry.fail(at: now)
      return isFirst ? .failed(error) : nil
    }
  }
}

import ContrailCore
import ContrailLog

// The database follows the log asynchronously. Changes during a write are combined into the next one.

extension Driver {
  struct Projection: Sendable {
    /// The command that makes the database hold the state.
    enum Need: Sendable {
      case open
      case apply
      case catchUp
      case rebuild
    }

    var need = Need.open
    /// The state in the database.
    @Boxed var written = State()
    /// The state that is being written.
    @Boxed var writing: State?
    /// Whether the database doesn't hold the newest state.
    var isBehind = false
    var retry = Retry()

    /// Whether there is nothing to write, or writing failed.
    var isSettled: Bool { writing == nil && (!isBehind || retry.count > 0) }
  }

  mutating func proceedProjection() {
    guard configuration.hasProjection, projection.writing == nil, projection.isBehind, projection.retry.until == nil,
      phase == .open || phase == .closing, let tail = status?.tail
    else { return }
    projection.writing = state
    projection.isBehind = false
    switch projection.need {
    case .open: actions.append(.project(.open(state, tail)))
    case .apply: actions.append(.project(.apply(from: projection.written, to: state, tail)))
    case .catchUp: actions.append(.project(.catchUp(state, tail)))
    case .rebuild: actions.append(.project(.rebuild(state, tail)))
    }
  }

  mutating func take(_ result: ProjectionResult) {
    guard let written = projection.writing.take() else { return }
    switch result {
    case .done(let rebuild):
      projection.written = written
      projection.need = .apply
      projection.retry.succeed()
      if let rebuild { publish([.rebuilt(rebuild)]) }
    case .outOfStep:
      // The change doesn't match the rows. If that follows a rebuild, the next rebuild is delayed.
      if projection.need == .rebuild || projection.retry.count > 0 { projection.retry.fail(at: time.now) }
      projection.need = .rebuild
      projection.isBehind = true
    case .failed(let error):
      if projection.retry.count == 0 { publish([.failed(error)]) }
      if projection.need == .apply { projection.need = .catchUp }
      projection.isBehind = true
      projection.retry.fail(at: time.now)
    }
  }
}

package import ContrailCore

/// Something that happened: an application's call, or the result of an action.
package enum DriverEvent: Sendable {
  /// The process has begun: open the log.
  case launched
  /// The projection has been read, after ``DriverAction/preview``: what the log held when it was last written.
  case previewed(State)
  /// What the application did, in order.
  case app([AppEvent])
  /// The log is open.
  case opened(OpenedLog)
  /// The log couldn't be opened.
  case openingFailed(EngineError)
  /// The log carried out the last command.
  case logged(LogStatus)
  /// The log refused the last command; nothing of it was done. Where the log stands may have changed.
  case logRefused(EngineError, LogStatus)
  /// What became of a request, by its number.
  case responded(Int64, RequestResult)
  /// The time came that ``DriverAction/setTimer(_:)`` named.
  case timerFired
  /// The projection carried out the last command.
  case projected(ProjectionResult)
  /// The log is closed, after ``DriverAction/close``.
  case closed
}

/// A log that has been opened: the state that it holds and where it stands.
package struct OpenedLog: Sendable {
  package var state: State
  package var status: LogStatus

  package init(state: State, status: LogStatus) {
    self.state = state
    self.status = status
  }
}

/// The time as the device tells it.
package struct EngineTime: Sendable, Hashable {
  /// Milliseconds since 1970 by a clock that never goes back while the process lives.
  package var now: Int64
  /// What the device shows, which can be set; milliseconds since 1970.
  package var wall: Int64

  package init(now: Int64, wall: Int64) {
    self.now = now
    self.wall = wall
  }
}

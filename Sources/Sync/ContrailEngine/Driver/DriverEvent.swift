package import ContrailCore
package import ContrailLog

/// An event for the driver: a call of the application, or the result of an action.
package indirect enum DriverEvent: Sendable {
  /// The process was launched: open the log.
  case launched
  /// The projection was read, after ``DriverAction/preview``. The state is that of its last write, or nil without a readable projection.
  case previewed(State?)
  /// Events of the application, in order.
  case app([AppEvent])
  /// The log is open.
  case opened(OpenedLog)
  /// The log couldn't be opened.
  case openingFailed(EngineError)
  /// The log performed the last command.
  case logged(LogStatus)
  /// The last command on the log failed, without effect. The status of the log may have changed.
  case logRefused(EngineError, LogStatus)
  /// The result of a request, by its number.
  case responded(Int64, RequestResult)
  /// The result of a call of the application's provider of credentials, by its number.
  case credential(Int64, CredentialAnswer)
  /// The signer's answer for a head: the bytes of the signature, or why there is none.
  case signed(LogHead, Result<[UInt8], SigningFailure>)
  /// The timer of ``DriverAction/setTimer(_:)`` fired.
  case timerFired
  /// The projection performed the last command.
  case projected(ProjectionResult)
  /// The log is closed, after ``DriverAction/close``.
  case closed
}

/// An opened log: its state and its status.
package struct OpenedLog: Sendable {
  package var state: State
  package var status: LogStatus

  package init(state: State, status: LogStatus) {
    self.state = state
    self.status = status
  }
}

/// The time of the device.
package struct EngineTime: Sendable, Hashable {
  /// The monotonic time, in milliseconds since 1970.
  package var now: Int64
  /// The wall clock, which can be set; in milliseconds since 1970.
  package var wall: Int64

  package init(now: Int64, wall: Int64) {
    self.now = now
    self.wall = wall
  }
}

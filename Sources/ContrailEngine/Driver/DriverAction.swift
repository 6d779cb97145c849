package import ContrailCore

/// Something for a shell to do. Results come back as ``DriverEvent``s; the driver never waits.
package enum DriverAction: Sendable {
  /// Read what the projection holds, to show it before the log is open; ``DriverEvent/previewed(_:)`` may follow.
  case preview
  /// Open the log; ``DriverEvent/opened(_:)`` or ``DriverEvent/openingFailed(_:)`` follows.
  case open
  /// Carry out a command on the log; ``DriverEvent/logged(_:)`` or ``DriverEvent/logRefused(_:)`` follows.
  case log(LogCommand)
  /// Send a request; ``DriverEvent/responded(_:_:)`` follows.
  case send(OutgoingRequest, Credentials)
  /// Give up a request. An answer that comes all the same is told like any other.
  case cancel(Int64)
  /// Send ``DriverEvent/timerFired`` at a time of the device, in milliseconds; nil for never. Replaces the time set before.
  case setTimer(Int64?)
  /// Carry out a command on the projection; ``DriverEvent/projected(_:)`` follows.
  case project(ProjectionCommand)
  /// Another cycle of airports is in use or waits: make the database of airports hold it.
  case levelAirports(AirportHoldings)
  /// Show this from now on.
  case publish(Publication)
  /// Somebody need not wait any longer; nil for no error.
  case complete(Ticket, ClientError?)
  /// Close the log and the projection, if they are open; ``DriverEvent/closed`` follows.
  case close
}

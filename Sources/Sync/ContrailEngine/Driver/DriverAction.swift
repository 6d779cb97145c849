package import ContrailCore
package import ContrailLog

/// An action for a shell. Results are returned as ``DriverEvent``s; the driver never waits.
package indirect enum DriverAction: Sendable {
  /// Read the projection, to publish it before the log is open; ``DriverEvent/previewed(_:)`` follows.
  case preview
  /// Open the log; ``DriverEvent/opened(_:)`` or ``DriverEvent/openingFailed(_:)`` follows.
  case open
  /// Perform a command on the log; ``DriverEvent/logged(_:)`` or ``DriverEvent/logRefused(_:_:)`` follows.
  case log(LogCommand)
  /// Send requests in one exchange; ``DriverEvent/responded(_:_:)`` follows for each.
  case send([OutgoingRequest], Credentials)
  /// Call the application's provider of credentials; ``DriverEvent/credential(_:_:)`` follows with the same number.
  case requestCredential(Int64, CredentialNeed)
  /// Cancel a call of the provider. If its result still arrives, it is handled like any other.
  case cancelCredential(Int64)
  /// Use other credentials from now on, also for what the driver doesn't send.
  case useCredentials(Credentials)
  /// Cancel a request. If its response still arrives, it is handled like any other.
  case cancel(Int64)
  /// Send ``DriverEvent/timerFired`` at a time of the device, in milliseconds; nil for never. Replaces the time set before.
  case setTimer(Int64?)
  /// Perform a command on the projection; ``DriverEvent/projected(_:)`` follows.
  case project(ProjectionCommand)
  /// Make the database of airports consistent with the cycles in use and waiting.
  case levelAirports(AirportHoldings)
  /// Load the airports of the cycle with an effective time in milliseconds. The result follows as airport events of the
  /// application.
  case loadAirports(effectiveMS: Int64)
  /// Sign the end of the log; ``DriverEvent/signed(_:_:)`` follows, or never.
  case sign(LogHead)
  /// Publish a state and changes to the application.
  case publish(Publication)
  /// Complete a caller's ticket, with an error if it failed.
  case complete(Ticket, ClientError?)
  /// Close the log and the projection, if they are open; ``DriverEvent/closed`` follows.
  case close
}

package import ContrailEngine

/// Gives a client its data: takes the events of the application, and publishes what follows from them.
package protocol ClientRunner: Sendable {
  /// Starts. Called once, before ``wake()``.
  func launch() async
  /// Handles the events of the application since the last call.
  func wake()
  /// The number of requests whose results haven't come. Cancelled ones count until their exchange ends.
  var requestCount: Int { get async }
}

/// The side of a client that its runner sees.
package struct ClientSide: Sendable {
  /// Removes and returns the events of the application, in order.
  package var takeEvents: @Sendable () -> [AppEvent]
  package var publish: @Sendable (Publication) -> Void
  package var complete: @Sendable (Ticket, ClientError?) -> Void
}

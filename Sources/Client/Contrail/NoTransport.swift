import ContrailAirports
import ContrailHTTP

/// The transport of a client that has no server.
struct NoTransport: ClosableTransport {
  private let reason: String

  /// - Parameter reason: Why there is none, as a sentence.
  init(_ reason: String) {
    self.reason = reason
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    throw TransportError(.network, reason)
  }

  func shutdown() async {}
}

/// The source of airport files of a service that has none.
struct NoAirports: AirportTransport {
  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer { .notAvailable }
}

import ContrailAirports
import ContrailHTTP
import ContrailWire

/// A transport without a server: each request fails.
struct NoTransport: ClosableTransport {
  private let reason: String

  /// - Parameter reason: The message of the error: a sentence that says why there is no server.
  init(_ reason: String) {
    self.reason = reason
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    throw TransportError(.network, reason)
  }

  func shutdown() async {}
}

/// A source of airport files without any: no cycle is available.
struct NoAirports: AirportTransport {
  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer { .notAvailable }
}

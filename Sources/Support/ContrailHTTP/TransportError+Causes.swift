import ContrailWire

extension TransportError {
  static func refused(_ host: String) -> TransportError {
    TransportError(.connectionRefused, "\(host) refused the connection; check that the server is running")
  }

  static func closed(_ host: String) -> TransportError {
    TransportError(.network, "\(host) closed the connection before the response was complete")
  }

  static func insecure(_ host: String) -> TransportError {
    TransportError(.security, "the TLS connection to \(host) failed; check the clock and the network")
  }

  static func unpinned(_ host: String, _ presented: String?) -> TransportError {
    TransportError(
      .security,
      "the certificate of \(host) has none of the pinned public keys"
        + (presented.map { "; its key is \($0)" } ?? ""))
  }

  static func certificateRefused(_ host: String) -> TransportError {
    TransportError(.security, "\(host) refused the client's certificate; use one that it accepts")
  }

  static func cancelled(_ host: String) -> TransportError {
    TransportError(.cancelled, "the request to \(host) was cancelled")
  }

  static func tooLarge(_ message: String) -> TransportError { TransportError(.tooLarge, message) }
}

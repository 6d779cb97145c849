/// An error of a server.
package enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server can't listen on the address.
  case cannotListen(host: String, port: Int, reason: String)
  /// The certificate or its private key can't be used.
  case certificate(ServerCertificate, reason: String)
  /// The server failed after it was listening.
  case failed(reason: String)

  /// A stable code of the error.
  package var code: String {
    switch self {
    case .cannotListen: "cannotListen"
    case .certificate: "certificate"
    case .failed: "failed"
    }
  }

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "can't listen on \(host):\(port): \(reason). Use another port, or 0 for a free port"
    case .certificate(let certificate, let reason):
      """
      the certificate '\(certificate.chain)' with the key '\(certificate.key)' can't be used: \(reason). \
      Both are PEM files
      """
    case .failed(let reason):
      "the server stopped: \(reason)"
    }
  }
}

package import ContrailWorld
import Foundation
package import Logging
package import ServiceLifecycle

/// The configuration of a reference server: that of its service, and that of its connections.
@dynamicMemberLookup package struct ServerConfiguration: Sendable {
  package var service: ServiceConfiguration
  /// The address to listen on.
  package var host = "127.0.0.1"
  /// The port to listen on. With 0, the system selects one.
  package var port = 0
  /// The certificate of the server for HTTPS, with HTTP/2; `nil` for HTTP.
  package var certificate: ServerCertificate?
  /// Lets ``certificate`` be read again while the server runs.
  package var renewal: CertificateRenewal?
  /// The maximum time to receive a request body, in seconds.
  package var bodyTimeoutSeconds = 15
  /// The maximum time in seconds to complete current answers when the server stops.
  package var drainSeconds = 5
  package var limits = ConnectionLimits()
  /// How many seconds of the service's clock pass in a second: more than one for a check that flies hours in minutes.
  package var clockRate = 1.0
  package var logger = Logger(label: "contrail.server")
  /// What operators ask; nil if the server doesn't answer them.
  package var operations: Operations?
  /// What runs beside the server, such as the poller of feeds. The server stops first.
  package var companions: [any Service] = []

  /// Creates a configuration for a free port of the loopback interface, with the system's clock.
  package init(seed: UInt64 = 1) {
    service = ServiceConfiguration(seed: seed, clock: { Int64(Date().timeIntervalSince1970 * 1000) })
    logger.logLevel = .warning
  }

  /// A part of the service's configuration.
  package subscript<Value>(dynamicMember path: WritableKeyPath<ServiceConfiguration, Value>) -> Value {
    get { service[keyPath: path] }
    set { service[keyPath: path] = newValue }
  }
}

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

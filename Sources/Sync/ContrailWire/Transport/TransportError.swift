/// An error of a transport.
package struct TransportError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// The server is unreachable, or the connection was lost.
    case network
    /// No server is listening on the port.
    case connectionRefused
    /// The response wasn't complete before the deadline.
    case timeout
    /// The TLS connection failed.
    case security
    /// The response exceeds the size limit of the request.
    case tooLarge
    /// The response isn't valid HTTP, or the request is invalid.
    case malformed
    /// The task was cancelled, or the stream was released.
    case cancelled
  }

  /// The kind of error.
  package var code: Code
  /// The host and the cause, without credentials.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Whether the same request can succeed later.
  package var isTransient: Bool {
    switch code {
    case .network, .connectionRefused, .timeout: true
    case .security, .tooLarge, .malformed, .cancelled: false
    }
  }
}

extension TransportError: CustomStringConvertible {
  package var description: String { "\(code.rawValue): \(message)" }
}

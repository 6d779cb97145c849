/// An error of a transport.
public struct TransportError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  public enum Code: String, CaseIterable, Hashable, Sendable {
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
  public var code: Code
  /// The host and the cause, without credentials.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Whether the same request can succeed later.
  public var isTransient: Bool {
    switch code {
    case .network, .connectionRefused, .timeout: true
    case .security, .tooLarge, .malformed, .cancelled: false
    }
  }
}

extension TransportError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(message)" }
}

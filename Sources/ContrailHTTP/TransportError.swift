/// Why a transport has no answer.
public struct TransportError: Error, Hashable, Sendable {
  /// The kind of failure. The names are stable: scripts and tests may rely on them.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The server could not be reached, or the connection broke.
    case network
    /// No server listens at that address.
    case connectionRefused
    /// The answer was not complete when the time was over.
    case timeout
    /// The connection could not be secured.
    case security
    /// The answer is larger than the request allows.
    case tooLarge
    /// The answer is no HTTP answer that is accepted, or the request is none that can be sent.
    case malformed
    /// The task was cancelled, or the stream released.
    case cancelled
  }

  /// The kind of failure.
  public var code: Code
  /// The host and the cause, without credentials.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Whether the same request may succeed later.
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

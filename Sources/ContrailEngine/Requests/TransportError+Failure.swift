public import ContrailCore
public import ContrailHTTP

extension TransportError {
  /// The failure as the log names it.
  public var failure: TransportFailure {
    switch code {
    case .network, .connectionRefused, .malformed, .cancelled: .network
    case .timeout: .timeout
    case .security: .security
    case .tooLarge: .tooLarge
    }
  }
}

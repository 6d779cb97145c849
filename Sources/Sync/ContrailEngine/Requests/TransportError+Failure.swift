package import ContrailCore
package import ContrailWire

extension TransportError {
  /// The failure as written in the log.
  package var failure: TransportFailure {
    switch code {
    case .network, .connectionRefused, .malformed, .cancelled: .network
    case .timeout: .timeout
    case .security: .security
    case .tooLarge: .tooLarge
    }
  }
}

import ContrailCore
import ContrailHTTP

extension TransportError {
  /// The failure as the log names it.
  var failure: TransportFailure {
    switch code {
    case .network, .connectionRefused, .malformed, .cancelled: .network
    case .timeout: .timeout
    case .security: .security
    case .tooLarge: .tooLarge
    }
  }
}

extension EngineError {
  init(_ error: ServerURLError) {
    self.init(code: .server, message: error.message)
  }
}

extension PlatformTransport {
  /// Makes a transport to the server of a configuration.
  ///
  /// - Throws: ``EngineError`` with ``EngineError/Code/server`` if the URL is invalid.
  static func connect(to server: String) throws(EngineError) -> any ClosableTransport {
    do throws(ServerURLError) {
      return try make(server: server)
    } catch {
      throw EngineError(error)
    }
  }
}

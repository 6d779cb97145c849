import ContrailEngine
import ContrailHTTP

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

import ContrailEngine
import ContrailHTTP
import Foundation

extension PlatformTransport {
  /// Creates a transport to the server of a configuration.
  ///
  /// - Throws: ``ClientError`` with code `server` if the URL is invalid.
  static func connect(to server: URL) throws(ClientError) -> any ClosableTransport {
    do throws(ServerURLError) {
      return try make(server: server.absoluteString)
    } catch {
      throw ClientError(EngineError(code: .server, message: error.message))
    }
  }
}

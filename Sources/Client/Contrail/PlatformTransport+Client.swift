import ContrailEngine
import ContrailHTTP
import Foundation

extension PlatformTransport {
  /// Creates a transport to a server of a configuration.
  ///
  /// - Throws: ``ClientError`` with code `server` if the URL is invalid, and with code `connection` if the connection is invalid, or the
  ///   platform lacks a part of it.
  static func connect(
    to server: URL, of configuration: ContrailClient.Configuration
  ) throws(ClientError) -> any ClosableTransport {
    let isServer =
      server.scheme == configuration.server.scheme && server.host() == configuration.server.host()
      && server.port == configuration.server.port
    let connection = isServer ? configuration.connection : configuration.connection.toOtherHosts
    do throws(ServerURLError) {
      return try make(server: server.absoluteString, connection: connection)
    } catch {
      throw ClientError(EngineError(code: error.isOfConnection ? .connection : .server, message: error.message))
    }
  }
}

public import ContrailHTTP
import ContrailWire
public import Foundation

/// Requests weather over HTTP, with limits for time and size.
///
/// It follows no redirects, so the token in a URL reaches no other host, and stores neither cookies nor responses.
public final class HTTPWeatherTransport: WeatherTransport {
  /// A response with 15 days and 360 hours has about 400 KB.
  private static let maximumBodyBytes = 8 << 20

  private let connection: Connection
  private let timeoutSeconds: Int
  /// The transport to the last service used.
  private let last = Lock<(server: String, transport: any ClosableTransport)?>(nil)

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - connection: The certificates, pins and proxy of the connection to the service. Its credentials aren't used: the token is a part
  ///     of the endpoint. If a setting is invalid, requests throw ``WeatherError`` with code `invalidEndpoint`.
  ///   - timeoutSeconds: The timeout of a whole request, up to the last byte of its response.
  public init(connection: Connection = Connection(), timeoutSeconds: Int = 30) {
    self.connection = connection
    self.timeoutSeconds = timeoutSeconds
  }

  public func get(_ url: URL) async throws -> WeatherTransportAnswer {
    guard var address = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw WeatherError(.invalidEndpoint, at: "service", reason: "the URL is invalid")
    }
    let path = address.percentEncodedPath.isEmpty ? "/" : address.percentEncodedPath
    let request = TransportRequest(
      method: "GET", target: path + (address.percentEncodedQuery.map { "?" + $0 } ?? ""),
      headers: [("Accept", "application/json"), ("Accept-Encoding", "gzip")], timeoutSeconds: timeoutSeconds,
      maximumBodyBytes: Self.maximumBodyBytes)
    address.percentEncodedPath = ""
    (address.percentEncodedQuery, address.percentEncodedFragment) = (nil, nil)
    let transport = try transport(to: address.string ?? "")
    do throws(TransportError) {
      let answer = try await transport.send(request)
      return WeatherTransportAnswer(
        status: answer.status, body: Data(try answer.unpackedBody(limit: Self.maximumBodyBytes)),
        wireBytes: Int(answer.wireBytes))
    } catch {
      throw Self.error(error)
    }
  }

  private func transport(to server: String) throws -> any ClosableTransport {
    try last.withLock { last in
      if let last, last.server == server { return last.transport }
      do throws(ServerURLError) {
        let transport = try PlatformTransport.make(server: server, connection: connection)
        last = (server, transport)
        return transport
      } catch {
        throw WeatherError(.invalidEndpoint, at: "service", reason: error.message)
      }
    }
  }

  private static func error(_ error: TransportError) -> WeatherError {
    switch error.code {
    case .network, .connectionRefused, .timeout, .security: WeatherError(.unreachable, reason: error.message)
    case .tooLarge, .malformed: WeatherError(.malformed, reason: error.message)
    case .cancelled: WeatherError(.cancelled, reason: "the request was cancelled")
    }
  }
}

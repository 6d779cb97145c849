public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// HTTP through URLSession, which keeps nothing on disk: addresses hold the token.
public final class URLSessionWeatherTransport: WeatherTransport {
  /// An answer of 15 days and 360 hours has some 400 KB.
  private static let maximumBodyBytes = 8 << 20

  private let session: URLSession

  /// - Parameter timeoutSeconds: How long the whole may take.
  public init(timeoutSeconds: TimeInterval = 30) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.timeoutIntervalForResource = timeoutSeconds
    session = URLSession(configuration: configuration)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  public func get(_ url: URL) async throws -> WeatherTransportAnswer {
    do {
      let (data, response) = try await session.data(from: url)
      guard let response = response as? HTTPURLResponse else {
        throw WeatherError(.unreachable, reason: "what came isn't an HTTP answer")
      }
      guard data.count <= Self.maximumBodyBytes else {
        throw WeatherError(.malformed, status: response.statusCode, reason: "it has \(data.count) bytes")
      }
      return WeatherTransportAnswer(status: response.statusCode, body: data)
    } catch let error as URLError {
      // The error's own text may hold the address.
      guard error.code != .cancelled else { throw WeatherError(.cancelled, reason: "the request was given up") }
      throw WeatherError(.unreachable, reason: "URLSession error \(error.code.rawValue)")
    }
  }
}

import ContrailWire
public import Foundation

/// Sends weather requests to the service. All requests go through this protocol.
public protocol WeatherTransport: Sendable {
  /// Requests a URL.
  ///
  /// - Parameter url: The URL. It contains the token: don't log it.
  /// - Returns: The response.
  /// - Throws: Any error. A ``WeatherError`` is passed on, without the token; of other errors, only the type name is
  ///   used. Cancelling the task should cancel the request.
  func get(_ url: URL) async throws -> WeatherTransportAnswer
}

/// The response from a ``WeatherTransport``.
public struct WeatherTransportAnswer: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The decompressed body.
  public var body: Data
  /// The bytes on the wire, headers and body as sent; nil if the transport doesn't count them.
  public var wireBytes: Int?

  public init(status: Int, body: Data, wireBytes: Int? = nil) {
    self.status = status
    self.body = body
    self.wireBytes = wireBytes
  }
}

/// A transport that calls a function.
public struct WeatherTransportFunction: WeatherTransport {
  private let function: @Sendable (URL) async throws -> (status: Int, body: Data)

  public init(_ function: @escaping @Sendable (URL) async throws -> (status: Int, body: Data)) {
    self.function = function
  }

  public func get(_ url: URL) async throws -> WeatherTransportAnswer {
    let answer = try await function(url)
    return WeatherTransportAnswer(status: answer.status, body: answer.body)
  }
}

public import Foundation

/// Carries a request for weather: the one door through which it leaves.
public protocol WeatherTransport: Sendable {
  /// Gets an address.
  ///
  /// - Parameter url: The address. It holds the token: not for logs.
  /// - Throws: Anything; a ``WeatherError`` goes to the caller as it is (but for the token), of any other only the
  ///   type's name is kept. Cancelling the task is to give up the request.
  func get(_ url: URL) async throws -> WeatherTransportAnswer
}

/// What a ``WeatherTransport`` brought.
public struct WeatherTransportAnswer: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The body, unpacked.
  public var body: Data

  public init(status: Int, body: Data) {
    self.status = status
    self.body = body
  }
}

/// A transport that is a function.
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

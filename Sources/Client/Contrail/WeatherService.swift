import ContrailWeather
public import Foundation

/// A weather service: its URL and its token.
///
/// ```swift
/// configuration.weather = WeatherService(token: token)
/// ```
public struct WeatherService: Sendable {
  /// The service's URL, such as `https://api.caiyunapp.com`.
  public var server: URL
  /// The service's token. It is part of the path of each request, and is never written to a file or a message.
  public var token: String?

  /// The URL of the Caiyun weather service.
  public static let url = WeatherEndpoint.serviceURL

  /// Creates a weather service.
  public init(server: URL = url, token: String?) {
    self.server = server
    self.token = token
  }
}

extension WeatherService: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WeatherService(\(server), token \(token == nil ? "none" : "set"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(
      self, children: ["server": server.absoluteString, "token": token == nil ? "none" : "set"], displayStyle: .struct)
  }
}

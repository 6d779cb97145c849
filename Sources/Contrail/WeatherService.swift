public import Foundation

/// Where the weather comes from.
///
/// ```swift
/// configuration.weather = WeatherService(token: token)
/// ```
public struct WeatherService: Sendable {
  /// The service's URL, such as `https://api.caiyunapp.com`.
  public var server: URL
  /// The service's token. It stands in the path of each request and is never written anywhere.
  public var token: String?

  /// The URL of the service itself.
  public static let url = URL(string: "https://api.caiyunapp.com") ?? URL(filePath: "/")

  /// Creates a weather service with its URL and its token.
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

/// Where the weather comes from.
///
/// ```swift
/// configuration.weather = WeatherService(server: "https://api.caiyunapp.com", token: token)
/// ```
public struct WeatherService: Sendable {
  /// The service's address, such as `https://api.caiyunapp.com`.
  public var server: String
  /// The service's token. It stands in the path of each request and is never written anywhere.
  public var token: String?

  public init(server: String = "https://api.caiyunapp.com", token: String?) {
    self.server = server
    self.token = token
  }
}

extension WeatherService: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WeatherService(\(server), token \(token == nil ? "none" : "set"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["server": server, "token": token == nil ? "none" : "set"], displayStyle: .struct)
  }
}

public import ContrailGeodesy
public import Foundation

/// What is asked of the weather service: a place, and how the answer is to be.
///
/// ```
/// var endpoint = WeatherEndpoint(token: token, coordinate: Coordinate(latitude: 31.0258, longitude: 121.4474))
/// endpoint.language = .englishUS
/// endpoint.url  // https://api.caiyunapp.com/v2.5/…/121.4474,31.0258/weather.json?alert=true&lang=en_US&…
/// ```
///
/// The token shows in ``url`` and nowhere else: descriptions, dumps and errors leave it out, and an endpoint isn't
/// `Codable`, so that it can't be saved by mistake.
///
/// Source of the parameters: Caiyun weather API v2.5, "General weather interface" (open.caiyunapp.com) and
/// docs.caiyunapp.com/weather-api/v2/v2.5.
public struct WeatherEndpoint: Hashable, Sendable {
  /// The place where an endpoint starts: 0°, 0°.
  public static let defaultCoordinate = Coordinate(latitude: 0, longitude: 0)
  /// How many hours and days the service foretells at most.
  public static let hourlyLengths = 1...360
  public static let dailyLengths = 1...15

  /// The token of the service's customer. A secret.
  public var token: String?
  /// The place; asked for with four decimals (``WeatherPlace``).
  public var coordinate: Coordinate
  /// The language of the answer's descriptions.
  public var language: WeatherLanguage = .chineseSimplified
  /// The unit system of the answer's numbers.
  public var measurementSystem: WeatherUnit = .metric
  /// Whether the answer is to hold official warnings.
  public var shouldIncludeAlerts = true
  /// Hours to foretell hour by hour, 1…360.
  public var hourlyLength = 48
  /// Days to foretell day by day, 1…15.
  public var dailyLength = 5
  /// The file asked for: which parts the answer has.
  public var file = "weather.json"
  /// The version of the interface.
  public var version = "v2.5"
  /// Scheme and host, with a port if need be, and without a slash at the end: the service's, or a server's of one's own.
  public var service = "https://api.caiyunapp.com"

  public init(token: String? = nil, coordinate: Coordinate = WeatherEndpoint.defaultCoordinate) {
    self.token = token
    self.coordinate = coordinate
  }

  /// The address to get, or nil where ``makeURL()`` throws: without a token above all. Holds the token.
  public var url: URL? { try? makeURL() }

  /// The address to get. Holds the token: not for logs.
  ///
  /// - Throws: ``WeatherError`` with `missingToken`, `invalidCoordinate` or `invalidEndpoint`.
  public func makeURL() throws(WeatherError) -> URL {
    guard let token, !token.isEmpty else { throw WeatherError(.missingToken, at: "token", reason: "there is none") }
    let place = try WeatherPlace(coordinate)
    try check("hourlyLength", hourlyLength, within: Self.hourlyLengths)
    try check("dailyLength", dailyLength, within: Self.dailyLengths)
    let parts = [("version", version), ("token", token), ("coordinate", place.key), ("file", file)]
    for (name, part) in parts where ["", ".", ".."].contains(part) {
      throw WeatherError(.invalidEndpoint, at: name, reason: "it can't be a part of a path")
    }
    guard var components = URLComponents(string: service), components.scheme != nil, components.host != nil,
      components.path.isEmpty
    else { throw WeatherError(.invalidEndpoint, at: "service", reason: "it isn't a scheme and a host") }
    components.percentEncodedPath = parts.reduce("") { path, part in
      // The comma stands as it is, as the service's own examples write it.
      path + "/" + (part.0 == "coordinate" ? part.1 : Secret.percentEncoded(part.1))
    }
    components.queryItems = [
      URLQueryItem(name: "alert", value: shouldIncludeAlerts ? "true" : "false"),
      URLQueryItem(name: "lang", value: language.rawValue),
      URLQueryItem(name: "unit", value: measurementSystem.rawValue),
      URLQueryItem(name: "dailysteps", value: String(dailyLength)),
      URLQueryItem(name: "hourlysteps", value: String(hourlyLength)),
    ]
    guard let url = components.url else {
      throw WeatherError(.invalidEndpoint, at: "service", reason: "no address can be made of it")
    }
    return url
  }

  private func check(_ name: String, _ value: Int, within range: ClosedRange<Int>) throws(WeatherError) {
    guard range.contains(value) else {
      throw WeatherError(
        .invalidEndpoint, at: name, reason: "\(value) is not within \(range.lowerBound)…\(range.upperBound)")
    }
  }
}

extension WeatherEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    let words = shown.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
    return "WeatherEndpoint(\(words))"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(self, children: shown.map { ($0.label, $0.value as Any) }, displayStyle: .struct)
  }

  /// All but the token, of which only is said whether there is one.
  private var shown: [(label: String, value: String)] {
    let secret = Secret(token)
    return [
      ("token", token == nil ? "none" : "set"),
      ("coordinate", (try? WeatherPlace(coordinate).key) ?? "invalid"),
      ("language", language.rawValue),
      ("measurementSystem", measurementSystem.rawValue),
      ("shouldIncludeAlerts", String(shouldIncludeAlerts)),
      ("hourlyLength", String(hourlyLength)),
      ("dailyLength", String(dailyLength)),
      ("file", secret.hidden(in: file)),
      ("version", secret.hidden(in: version)),
      ("service", secret.hidden(in: service)),
    ]
  }
}

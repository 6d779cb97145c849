public import ContrailGeodesy
public import Foundation

/// The parameters of a weather request: a place, and the form of the response.
///
/// ```
/// var endpoint = WeatherEndpoint(token: token, coordinate: Coordinate(latitude: 31.0258, longitude: 121.4474))
/// endpoint.language = .englishUS
/// endpoint.url  // https://api.caiyunapp.com/v2.5/…/121.4474,31.0258/weather.json?alert=true&lang=en_US&…
/// ```
///
/// Only ``url`` contains the token. Descriptions, dumps and errors omit it, and an endpoint isn't `Codable`, so that it
/// can't be saved by mistake.
///
/// Source of the parameters: Caiyun weather API v2.5, "General weather interface" (open.caiyunapp.com) and
/// docs.caiyunapp.com/weather-api/v2/v2.5; v2.6 has the same parameters (docs.caiyunapp.com/weather-api/v2/v2.6).
public struct WeatherEndpoint: Hashable, Sendable {
  /// The URL of the Caiyun weather service.
  public static let serviceURL = URL(string: "https://api.caiyunapp.com") ?? URL(filePath: "/")
  /// The initial coordinate of an endpoint: 0°, 0°.
  public static let defaultCoordinate = Coordinate(latitude: 0, longitude: 0)
  /// The supported lengths of the hourly forecast, in hours.
  public static let hourlyLengths = 1...360
  /// The supported lengths of the daily forecast, in days.
  public static let dailyLengths = 1...15
  /// The versions of the API whose responses ``WeatherResponse`` contains completely, oldest first.
  public static let versions = ["v2.5", "v2.6"]

  /// The customer's access token. A secret.
  public var token: String?
  /// The place. Requests use four decimals (``RoundedCoordinate``).
  public var coordinate: Coordinate
  /// The language of descriptions. The default is the service's, simplified Chinese, and doesn't depend on the device.
  ///
  /// For the user's language, use ``WeatherLanguage/current``.
  public var language: WeatherLanguage
  /// The unit system of numbers.
  public var measurementSystem: WeatherUnit = .metric
  /// Whether the response includes official warnings.
  public var shouldIncludeAlerts = true
  /// The number of hours in the hourly forecast, 1…360.
  public var hourlyLength = 48
  /// The number of days in the daily forecast, 1…15.
  public var dailyLength = 5
  /// The requested file, which determines the parts of the response.
  public var file = "weather.json"
  /// The version of the API, one of ``versions``. The default is `v2.5`; `v2.6` adds to its responses.
  public var version = "v2.5"
  /// The URL of the service or another server: a scheme, a host, and optionally a port.
  public var service = WeatherEndpoint.serviceURL

  public init(
    token: String? = nil, coordinate: Coordinate = WeatherEndpoint.defaultCoordinate,
    language: WeatherLanguage = .chineseSimplified
  ) {
    self.token = token
    self.coordinate = coordinate
    self.language = language
  }

  /// The URL of the request; nil if ``makeURL()`` throws, for example without a token. Contains the token.
  public var url: URL? { try? makeURL() }

  /// Returns the URL of the request. It contains the token: don't log it.
  ///
  /// - Throws: ``WeatherError`` with `missingToken`, `invalidCoordinate` or `invalidEndpoint`.
  public func makeURL() throws(WeatherError) -> URL {
    guard let token, !token.isEmpty else {
      throw WeatherError(.missingToken, at: "token", reason: "the endpoint has no token")
    }
    let place = try RoundedCoordinate(coordinate)
    try check("hourlyLength", hourlyLength, within: Self.hourlyLengths)
    try check("dailyLength", dailyLength, within: Self.dailyLengths)
    let parts = [("version", version), ("token", token), ("coordinate", place.key), ("file", file)]
    for (name, part) in parts where ["", ".", ".."].contains(part) {
      throw WeatherError(.invalidEndpoint, at: name, reason: "it must not be empty, '.' or '..'")
    }
    guard var components = URLComponents(url: service, resolvingAgainstBaseURL: true),
      components.scheme != nil, components.host?.isEmpty == false, ["", "/"].contains(components.path)
    else { throw WeatherError(.invalidEndpoint, at: "service", reason: "it must consist of a scheme and a host") }
    components.percentEncodedPath = parts.reduce("") { path, part in
      // The comma isn't encoded, as in the service's own examples.
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
      throw WeatherError(.invalidEndpoint, at: "service", reason: "it doesn't form a valid URL")
    }
    return url
  }

  private func check(_ name: String, _ value: Int, within range: ClosedRange<Int>) throws(WeatherError) {
    guard range.contains(value) else {
      throw WeatherError(
        .invalidEndpoint, at: name, reason: "\(value) is outside \(range.lowerBound)…\(range.upperBound)")
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

  /// All properties. For the token, only whether it is set.
  private var shown: [(label: String, value: String)] {
    let secret = Secret(token)
    return [
      ("token", token == nil ? "none" : "set"),
      ("coordinate", (try? RoundedCoordinate(coordinate).key) ?? "invalid"),
      ("language", language.rawValue),
      ("measurementSystem", measurementSystem.rawValue),
      ("shouldIncludeAlerts", String(shouldIncludeAlerts)),
      ("hourlyLength", String(hourlyLength)),
      ("dailyLength", String(dailyLength)),
      ("file", secret.hidden(in: file)),
      ("version", secret.hidden(in: version)),
      ("service", secret.hidden(in: service.absoluteString)),
    ]
  }
}

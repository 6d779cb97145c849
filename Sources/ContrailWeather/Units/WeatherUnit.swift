/// The unit systems in which the service answers.
///
/// Source: Caiyun weather API, table of unit systems (docs.caiyunapp.com/weather-api/v2/v2.4/tables/unit.html, the same
/// in v2.6). What each system's units are, see ``system``.
public enum WeatherUnit: String, Hashable, Sendable, CaseIterable {
  /// Metric, with precipitation as radar intensity now and by the minute, and in mm/h by the hour and day.
  case metric
  /// Metric, with precipitation as radar intensity.
  case metricV1 = "metric:v1"
  /// Metric, with precipitation in mm/h.
  case metricV2 = "metric:v2"
  case imperial
  /// Metres, seconds, kelvins, radians.
  case si = "SI"

  /// The units of each quantity.
  public var system: WeatherUnitSystem {
    switch self {
    case .metric: .metric
    case .metricV1: .metricV1
    case .metricV2: .metricV2
    case .imperial: .imperial
    case .si: .si
    }
  }
}

extension WeatherUnit: Codable {
  /// Decodes a name, in any case of letters.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let unit = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "it isn't a unit system that is known")
    }
    self = unit
  }
}

/// The unit systems of the service.
///
/// Source: Caiyun weather API, table of unit systems (docs.caiyunapp.com/weather-api/v2/v2.4/tables/unit.html,
/// unchanged in v2.6). For the units, see ``system``.
public enum WeatherUnit: String, Hashable, Sendable, CaseIterable {
  /// Metric, with current and minutely precipitation as radar intensity, and hourly and daily precipitation in mm/h.
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
  /// Creates a unit system from its name, ignoring case.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let unit = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown unit system")
    }
    self = unit
  }
}

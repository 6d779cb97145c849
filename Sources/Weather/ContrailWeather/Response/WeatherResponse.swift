public import ContrailGeodesy

/// A response of the weather service, v2.5 or v2.6.
///
/// - A response must have a status, a unit system and a result; everything else is optional.
/// - Unknown keys are ignored. ``unknownPaths(in:)`` lists them, and the cache keeps the response as it was received.
/// - v2.6 adds to v2.5: hourly apparent temperature; daily temperature, precipitation and wind by day and by night; the
///   probability of precipitation; the administrative divisions of warnings. In a response of v2.5 they are nil.
/// - Decoding and encoding preserves the value of each known key. Encoded responses have sorted keys.
/// - Numbers are in the response's unit system (``unit``). ``measured`` returns them with units, and ``converted(to:)``
///   converts a response to another system.
///
/// Source of the keys: docs.caiyunapp.com/weather-api/v2/v2.5 and docs.caiyunapp.com/weather-api/v2/v2.6 with its pages
/// `3-hourly`, `4-daily` and `5-alert`; v2.5 responses of the service of April and June 2021, and v2.6 responses of
/// March and November 2024.
public struct WeatherResponse: Hashable, Sendable {
  /// `status`: `ok`.
  public var responseStatus: String
  /// `api_version`, such as `v2.5`.
  public var version: String?
  /// `api_status`: `alpha`, `beta`, `active` or `deprecated`.
  public var apiStatus: String?
  /// `lang`, such as `en_US`.
  public var language: String?
  /// `unit`: the unit system of all numbers.
  public var unit: WeatherUnit
  /// `location`: the place, on the wire as `[latitude, longitude]`.
  public var coordinate: Coordinate?
  /// `server_time`: the time at which the response was created.
  public var serverTime: Datetime1970Based?
  /// `tzshift`: the local time zone as an offset.
  public var serverTimeZone: WeatherTimeZone?
  /// `timezone`: the name of the local time zone, such as `Asia/Shanghai`.
  public var serverTimeZoneName: String?
  /// `result`: the weather.
  public var result: WeatherResult

  public init(unit: WeatherUnit, result: WeatherResult = WeatherResult()) {
    responseStatus = "ok"
    self.unit = unit
    self.result = result
  }
}

extension WeatherResponse: Codable {
  private enum CodingKeys: String, CodingKey {
    case responseStatus = "status"
    case version = "api_version"
    case apiStatus = "api_status"
    case language = "lang"
    case unit
    case coordinate = "location"
    case serverTime = "server_time"
    case serverTimeZone = "tzshift"
    case serverTimeZoneName = "timezone"
    case result
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    responseStatus = try container.decode(String.self, forKey: .responseStatus)
    version = try container.decodeIfPresent(String.self, forKey: .version)
    apiStatus = try container.decodeIfPresent(String.self, forKey: .apiStatus)
    language = try container.decodeIfPresent(String.self, forKey: .language)
    unit = try container.decode(WeatherUnit.self, forKey: .unit)
    coordinate = try container.decodeIfPresent(LatitudeLongitude.self, forKey: .coordinate)?.coordinate
    serverTime = try container.decodeIfPresent(Datetime1970Based.self, forKey: .serverTime)
    serverTimeZone = try container.decodeIfPresent(WeatherTimeZone.self, forKey: .serverTimeZone)
    serverTimeZoneName = try container.decodeIfPresent(String.self, forKey: .serverTimeZoneName)
    result = try container.decode(WeatherResult.self, forKey: .result)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(responseStatus, forKey: .responseStatus)
    try container.encodeIfPresent(version, forKey: .version)
    try container.encodeIfPresent(apiStatus, forKey: .apiStatus)
    try container.encodeIfPresent(language, forKey: .language)
    try container.encode(unit, forKey: .unit)
    try container.encodeIfPresent(coordinate.map(LatitudeLongitude.init), forKey: .coordinate)
    try container.encodeIfPresent(serverTime, forKey: .serverTime)
    try container.encodeIfPresent(serverTimeZone, forKey: .serverTimeZone)
    try container.encodeIfPresent(serverTimeZoneName, forKey: .serverTimeZoneName)
    try container.encode(result, forKey: .result)
  }
}

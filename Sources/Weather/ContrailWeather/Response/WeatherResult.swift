/// `result`: the requested parts.
public struct WeatherResult: Hashable, Sendable, Codable {
  /// `alert`: official warnings.
  public var alert: WeatherAlert?
  /// `realtime`: the current weather.
  public var realtime: Realtime?
  /// `minutely`: the next two hours, by minute.
  public var minutely: Minutely?
  /// `hourly`: the hourly forecast.
  public var hourly: Hourly?
  /// `daily`: the daily forecast.
  public var daily: Daily?
  /// `forecast_keypoint`: a sentence with the most important information.
  public var keypoint: String?
  /// `primary`: an undocumented integer; 0 in all responses seen.
  public var primary: Int?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case alert
    case realtime
    case minutely
    case hourly
    case daily
    case keypoint = "forecast_keypoint"
    case primary
  }
}

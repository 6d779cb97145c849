/// `result`: the parts that were asked for.
public struct WeatherResult: Hashable, Sendable, Codable {
  /// `alert`: official warnings.
  public var alert: WeatherAlert?
  /// `realtime`: now.
  public var realtime: Realtime?
  /// `minutely`: the next two hours, minute by minute.
  public var minutely: Minutely?
  /// `hourly`: hour by hour.
  public var hourly: Hourly?
  /// `daily`: day by day.
  public var daily: Daily?
  /// `forecast_keypoint`: what matters most, in a sentence.
  public var keypoint: String?
  /// `primary`: an integer of the service's that it doesn't explain; 0 in all answers seen.
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

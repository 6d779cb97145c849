public import Foundation

extension Daily {
  /// Sunrise and sunset of a day, on the wire `{"date":…,"sunrise":{"time":"05:57"},"sunset":{"time":"19:00"}}`.
  public struct Astronomy: Hashable, Sendable {
    public var date: DatetimeServerType
    public var value: AstronomyContent

    public init(date: DatetimeServerType, value: AstronomyContent) {
      self.date = date
      self.value = value
    }
  }

  /// The times of sunrise and sunset.
  public struct AstronomyContent: Hashable, Sendable, Codable {
    public var sunrise: AstronomyTime?
    public var sunset: AstronomyTime?

    public init(sunrise: AstronomyTime? = nil, sunset: AstronomyTime? = nil) {
      self.sunrise = sunrise
      self.sunset = sunset
    }
  }

  /// A local time of day at the place.
  public struct AstronomyTime: Hashable, Sendable, Codable {
    /// The time in the service's form, `HH:MM`.
    public var time: String

    public init(time: String) {
      self.time = time
    }

    /// Creates a time of day.
    ///
    /// - Parameter minutes: Minutes since midnight, 0…1439. Other values are taken modulo one day.
    public init(minutes: Int) {
      let minute = ((minutes % 1440) + 1440) % 1440
      time = "\(CivilTime.padded(minute / 60, 2)):\(CivilTime.padded(minute % 60, 2))"
    }

    /// The local time in seconds since midnight; nil if ``time`` isn't a time of day.
    public var timeInterval: TimeInterval? {
      let parts = time.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
        let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
      else { return nil }
      return TimeInterval(hour * 3600 + minute * 60)
    }
  }
}

extension Daily.Astronomy: Codable {
  private enum CodingKeys: String, CodingKey {
    case date
  }

  public init(from decoder: any Decoder) throws {
    date = try decoder.container(keyedBy: CodingKeys.self).decode(DatetimeServerType.self, forKey: .date)
    value = try Daily.AstronomyContent(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(date, forKey: .date)
    try value.encode(to: encoder)
  }
}

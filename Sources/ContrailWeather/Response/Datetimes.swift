public import Foundation

/// A time as seconds since 1970.
public struct Datetime1970Based: Hashable, Sendable {
  public var time: Date

  public init(time: Date) {
    self.time = time
  }

  /// - Parameter seconds: Seconds since 1970.
  public init(seconds: Double) {
    time = Date(timeIntervalSince1970: seconds)
  }
}

extension Datetime1970Based: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(seconds: try decoder.singleValueContainer().decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(time.timeIntervalSince1970)
  }
}

/// A time by the place's clock, such as `2021-04-14T19:00+08:00`.
public struct DatetimeServerType: Hashable, Sendable {
  public var time: Date
  /// Seconds by which the place's clock is ahead of UTC.
  public var secondsFromGMT: Int

  public init(time: Date, secondsFromGMT: Int) {
    self.time = time
    self.secondsFromGMT = secondsFromGMT
  }
}

extension DatetimeServerType: LosslessStringConvertible {
  /// Reads ISO 8601 as the service writes it: minutes, perhaps seconds, and an offset or `Z`.
  public init?(_ description: String) {
    guard let civil = CivilTime(description) else { return nil }
    self.init(time: Date(timeIntervalSince1970: Double(civil.unixSeconds)), secondsFromGMT: civil.secondsFromGMT)
  }

  /// The time as the service spells it; seconds only where there are some, and no fractions of them.
  public var description: String {
    let seconds = time.timeIntervalSince1970.rounded(.down)
    // Beyond the year 9999 there is no spelling, and beyond this no date either.
    guard abs(seconds) < 1e14 else { return "" }
    return CivilTime(unixSeconds: Int(seconds), secondsFromGMT: secondsFromGMT).description
  }
}

extension DatetimeServerType: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = DatetimeServerType(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "it isn't a time such as 2021-04-14T19:00+08:00")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// `tzshift`: a time zone as an offset.
public struct WeatherTimeZone: Hashable, Sendable {
  /// Seconds by which the place's clock is ahead of UTC.
  public var secondsFromGMT: Int

  public init(secondsFromGMT: Int) {
    self.secondsFromGMT = secondsFromGMT
  }

  /// The zone; nil where no zone has such an offset.
  public var timeZone: TimeZone? { TimeZone(secondsFromGMT: secondsFromGMT) }
}

extension WeatherTimeZone: Codable {
  public init(from decoder: any Decoder) throws {
    secondsFromGMT = try decoder.singleValueContainer().decode(Int.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsFromGMT)
  }
}

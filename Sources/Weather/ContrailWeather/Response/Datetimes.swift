public import Foundation

/// A time in seconds since 1970.
public struct Datetime1970Based: Hashable, Sendable {
  public var time: Date

  public init(time: Date) {
    self.time = time
  }

  /// Creates a time.
  ///
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

/// A local time at the place, such as `2021-04-14T19:00+08:00`.
public struct DatetimeServerType: Hashable, Sendable {
  public var time: Date
  /// The offset of the local time from UTC, in seconds; positive east of Greenwich.
  public var secondsFromGMT: Int

  public init(time: Date, secondsFromGMT: Int) {
    self.time = time
    self.secondsFromGMT = secondsFromGMT
  }
}

extension DatetimeServerType: LosslessStringConvertible {
  /// Creates a time from the service's ISO 8601 format: minutes, optional seconds, and an offset or `Z`.
  public init?(_ description: String) {
    guard let civil = CivilTime(description) else { return nil }
    self.init(time: Date(timeIntervalSince1970: Double(civil.unixSeconds)), secondsFromGMT: civil.secondsFromGMT)
  }

  /// The time in the service's format. Zero seconds are omitted, and fractions are dropped.
  public var description: String {
    let seconds = time.timeIntervalSince1970.rounded(.down)
    // Years after 9999 have no representation.
    guard abs(seconds) < 1e14 else { return "" }
    return CivilTime(unixSeconds: Int(seconds), secondsFromGMT: secondsFromGMT).description
  }
}

extension DatetimeServerType: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = DatetimeServerType(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a time such as 2021-04-14T19:00+08:00")
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
  /// The offset of the local time from UTC, in seconds; positive east of Greenwich.
  public var secondsFromGMT: Int

  public init(secondsFromGMT: Int) {
    self.secondsFromGMT = secondsFromGMT
  }

  /// The time zone; nil if the offset is invalid.
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

public import ContrailGeodesy

/// How the weather service is to answer: `GET /v2.5/{token}/{longitude},{latitude}/weather.json?…`.
///
/// The words are the service's own, as they stand in its address. The token is none of a request's business: it is put in where the
/// request leaves the process, in the place of ``tokenMark``.
///
/// Source of the parameters and their defaults: Caiyun weather API v2.5 (docs.caiyunapp.com/weather-api/v2/v2.5).
public struct WeatherSpec: Hashable, Sendable {
  /// The language of descriptions, such as `en_US`.
  public var language: String
  /// The unit system of all numbers, such as `metric:v2`.
  public var unit: String
  /// Whether the answer is to hold official warnings.
  public var includesAlerts: Bool
  /// Hours to foretell hour by hour, clamped to ``hourLengths``.
  public var hours: Int64 {
    didSet { hours = Self.clamped(hours, to: Self.hourLengths) }
  }
  /// Days to foretell day by day, clamped to ``dayLengths``.
  public var days: Int64 {
    didSet { days = Self.clamped(days, to: Self.dayLengths) }
  }

  /// How many hours the service foretells.
  public static let hourLengths: ClosedRange<Int64> = 1...360
  /// How many days the service foretells.
  public static let dayLengths: ClosedRange<Int64> = 1...15
  /// Stands for the token in a request's target until it is sent.
  public static let tokenMark = "{token}"

  /// The spec of the service's own defaults, but for what is given.
  public init(
    language: String = "zh_CN", unit: String = "metric", includesAlerts: Bool = true, hours: Int64 = 48,
    days: Int64 = 5
  ) {
    self.language = language
    self.unit = unit
    self.includesAlerts = includesAlerts
    self.hours = Self.clamped(hours, to: Self.hourLengths)
    self.days = Self.clamped(days, to: Self.dayLengths)
  }

  private static func clamped(_ length: Int64, to range: ClosedRange<Int64>) -> Int64 {
    min(max(length, range.lowerBound), range.upperBound)
  }

  /// Whether an answer to this spec holds all that one to `other` does, in the same words and units.
  public func covers(_ other: WeatherSpec) -> Bool {
    language == other.language && unit == other.unit && (includesAlerts || !other.includesAlerts)
      && hours >= other.hours && days >= other.days
  }

  /// Path and query for a place, with ``tokenMark`` where the token goes.
  public func target(_ place: RoundedCoordinate) -> String {
    "/v2.5/\(Self.tokenMark)/\(place.key)/weather.json?alert=\(includesAlerts)&lang=\(Self.encoded(language))"
      + "&unit=\(Self.encoded(unit))&dailysteps=\(days)&hourlysteps=\(hours)"
  }

  /// Text as a part of an address: all but RFC 3986's unreserved characters, and the colon of the unit systems, percent-encoded.
  public static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F, 0x7E: bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

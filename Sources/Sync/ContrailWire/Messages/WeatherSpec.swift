public import ContrailGeodesy

/// The parameters of a weather request: `GET /{version}/{token}/{longitude},{latitude}/{file}?…`.
///
/// The values are those of the service's URL parameters. The access token isn't part of the request: it replaces
/// ``tokenMark`` when the request is sent.
///
/// Source of the parameters and their defaults: Caiyun weather API v2.5 (docs.caiyunapp.com/weather-api/v2/v2.5); v2.6 has the
/// same parameters. A data query with another language, unit system, version or file than the documented ones is rejected.
public struct WeatherSpec: Hashable, Sendable {
  /// The language of descriptions, one of ``languages``.
  public var language: String
  /// The unit system of all numbers, one of ``units``.
  public var unit: String
  /// The version of the service's interface, one of ``versions``. `v2.6` adds to the responses.
  public var version: String
  /// The requested file, one of ``files``, which determines the parts of the response.
  public var file: String
  /// Whether the response includes official warnings.
  public var includesAlerts: Bool
  /// The number of hours in the hourly forecast, clamped to ``hourLengths``.
  public var hours: Int64 {
    didSet { hours = Self.clamped(hours, to: Self.hourLengths) }
  }
  /// The number of days in the daily forecast, clamped to ``dayLengths``.
  public var days: Int64 {
    didSet { days = Self.clamped(days, to: Self.dayLengths) }
  }

  /// The supported languages.
  public static let languages = ["zh_CN", "zh_TW", "en_US", "en_GB", "ja"]
  /// The supported unit systems.
  public static let units = ["metric", "metric:v1", "metric:v2", "imperial", "SI"]
  /// The supported versions; the first is the default.
  public static let versions = ["v2.5", "v2.6"]
  /// The supported files; the first is the default and contains the others.
  public static let files = ["weather.json", "realtime.json", "minutely.json", "hourly.json", "daily.json"]
  /// The supported lengths of the hourly forecast, in hours.
  public static let hourLengths: ClosedRange<Int64> = 1...360
  /// The supported lengths of the daily forecast, in days.
  public static let dayLengths: ClosedRange<Int64> = 1...15
  /// The placeholder of the access token in a request's target until the request is sent.
  public static let tokenMark = "{token}"

  /// Creates a spec with the service's defaults, except for the given values.
  public init(
    language: String = "zh_CN", unit: String = "metric", includesAlerts: Bool = true, hours: Int64 = 48,
    days: Int64 = 5, version: String = "v2.5", file: String = "weather.json"
  ) {
    self.language = language
    self.unit = unit
    self.version = version
    self.file = file
    self.includesAlerts = includesAlerts
    self.hours = Self.clamped(hours, to: Self.hourLengths)
    self.days = Self.clamped(days, to: Self.dayLengths)
  }

  private static func clamped(_ length: Int64, to range: ClosedRange<Int64>) -> Int64 {
    min(max(length, range.lowerBound), range.upperBound)
  }

  /// Whether a response to this spec includes all data of a response to `other`.
  ///
  /// Language, units, version and file must be the same.
  public func covers(_ other: WeatherSpec) -> Bool {
    language == other.language && unit == other.unit && version == other.version && file == other.file
      && (includesAlerts || !other.includesAlerts)
      && hours >= other.hours && days >= other.days
  }

  /// The name of the first member whose value the service doesn't document; nil if there is none.
  package var unknownMember: String? {
    if !Self.languages.contains(language) { return "language" }
    if !Self.units.contains(unit) { return "unit" }
    if !Self.versions.contains(version) { return "version" }
    return Self.files.contains(file) ? nil : "file"
  }

  /// Returns the path and query for a place, with ``tokenMark`` in place of the access token.
  public func target(_ place: RoundedCoordinate) -> String {
    "/\(Self.encoded(version))/\(Self.tokenMark)/\(place.key)/\(Self.encoded(file))?alert=\(includesAlerts)"
      + "&lang=\(Self.encoded(language))"
      + "&unit=\(Self.encoded(unit))&dailysteps=\(days)&hourlysteps=\(hours)"
  }

  /// Returns text percent-encoded for a URL.
  ///
  /// All characters are encoded, except RFC 3986's unreserved ones and the colon, which unit systems contain.
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

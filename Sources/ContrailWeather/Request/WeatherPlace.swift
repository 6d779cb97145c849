public import ContrailGeodesy

/// A place as the weather service and the cache know it: a coordinate rounded to four decimals (about 11 m north to south).
///
/// ```
/// try WeatherPlace(Coordinate(latitude: 31.025785, longitude: 121.447447)).key  // "121.4474,31.0258"
/// ```
///
/// - Rounding: each part times 10⁴, as a `Double`, to the nearest integer, halves away from zero. Rounding a rounded
///   coordinate changes nothing.
/// - Longitudes are read modulo 360 into (−180, 180]: −180 and 180, and whatever rounds to either, are `180.0000`.
/// - Negative zero is zero: the parts are kept as integers, which have one zero only.
/// - A pole has a place for each longitude: the service answers for the longitude it was asked for.
///
/// Places are ordered by longitude, then latitude.
public struct WeatherPlace: Hashable, Sendable {
  /// Longitude in units of 10⁻⁴ degree, −1,799,999…1,800,000.
  public let longitudeE4: Int32
  /// Latitude in units of 10⁻⁴ degree, −900,000…900,000.
  public let latitudeE4: Int32

  /// The place of a coordinate.
  ///
  /// - Throws: ``WeatherError/Code/invalidCoordinate`` unless ``/ContrailGeodesy/Coordinate/isValid``.
  public init(_ coordinate: Coordinate) throws(WeatherError) {
    guard coordinate.isValid else {
      throw WeatherError(
        .invalidCoordinate, at: "coordinate",
        reason: "\(coordinate.longitude),\(coordinate.latitude) is not a longitude and latitude in degrees")
    }
    var longitude = Int32((coordinate.longitude * 10_000).rounded(.toNearestOrAwayFromZero))
    if longitude > 1_800_000 { longitude -= 3_600_000 }
    if longitude <= -1_800_000 { longitude += 3_600_000 }
    longitudeE4 = longitude
    latitudeE4 = Int32((coordinate.latitude * 10_000).rounded(.toNearestOrAwayFromZero))
  }

  /// The rounded coordinate.
  public var coordinate: Coordinate {
    Coordinate(latitude: Double(latitudeE4) / 10_000, longitude: Double(longitudeE4) / 10_000)
  }

  /// `<longitude>,<latitude>` with four decimals each: the last part but one of the service's path, and the name of
  /// the place's file in the cache.
  public var key: String { "\(Self.decimal(longitudeE4)),\(Self.decimal(latitudeE4))" }

  private static func decimal(_ value: Int32) -> String {
    let magnitude = value.magnitude
    let fraction = String(magnitude % 10_000)
    let zeros = String(repeating: "0", count: 4 - fraction.count)
    return "\(value < 0 ? "-" : "")\(magnitude / 10_000).\(zeros)\(fraction)"
  }
}

extension WeatherPlace: Comparable {
  public static func < (lhs: WeatherPlace, rhs: WeatherPlace) -> Bool {
    (lhs.longitudeE4, lhs.latitudeE4) < (rhs.longitudeE4, rhs.latitudeE4)
  }
}

extension WeatherPlace: LosslessStringConvertible {
  /// The place of a ``key``; nil for any other spelling.
  public init?(_ description: String) {
    let parts = description.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let longitude = Double(parts[0]), let latitude = Double(parts[1]),
      let place = try? WeatherPlace(Coordinate(latitude: latitude, longitude: longitude)), place.key == description
    else { return nil }
    self = place
  }

  public var description: String { key }
}

extension WeatherPlace: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let place = WeatherPlace(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the key of a place")
    }
    self = place
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(key)
  }
}

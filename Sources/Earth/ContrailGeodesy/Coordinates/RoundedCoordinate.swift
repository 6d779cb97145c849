/// A coordinate rounded to four decimals, about 11 m from north to south. It identifies a place in weather requests and
/// storage.
///
/// ```
/// RoundedCoordinate(rounding: Coordinate(latitude: 31.025785, longitude: 121.447447))?.key  // "121.4474,31.0258"
/// ```
///
/// - Each part is multiplied by 10⁴ as a `Double` and rounded to the nearest integer, halves away from zero. Rounding
///   again changes nothing.
/// - Longitudes are taken modulo 360 into (−180, 180]: −180 and 180, and values rounded to either, are `180.0000`.
/// - Negative zero is zero: the parts are stored as integers, which have only one zero.
/// - A pole has one place for each longitude.
///
/// Places are ordered by longitude, then latitude.
public struct RoundedCoordinate: Hashable, Sendable {
  /// The longitude in units of 10⁻⁴ degrees, −1,799,999…1,800,000.
  public let longitudeE4: Int32
  /// The latitude in units of 10⁻⁴ degrees, −900,000…900,000.
  public let latitudeE4: Int32

  /// Creates a place from units of 10⁻⁴ degrees.
  ///
  /// The longitude is taken modulo 360 degrees, the latitude clamped to ±90.
  public init(longitudeE4: Int32, latitudeE4: Int32) {
    var longitude = longitudeE4 % 3_600_000
    if longitude > 1_800_000 { longitude -= 3_600_000 }
    if longitude <= -1_800_000 { longitude += 3_600_000 }
    self.longitudeE4 = longitude
    self.latitudeE4 = min(max(latitudeE4, -900_000), 900_000)
  }

  /// Creates the place of a coordinate; nil unless ``Coordinate/isValid``.
  public init?(rounding coordinate: Coordinate) {
    guard coordinate.isValid else { return nil }
    self.init(
      longitudeE4: Int32((coordinate.longitude * 10_000).rounded(.toNearestOrAwayFromZero)),
      latitudeE4: Int32((coordinate.latitude * 10_000).rounded(.toNearestOrAwayFromZero)))
  }

  /// The rounded coordinate.
  public var coordinate: Coordinate {
    Coordinate(latitude: Double(latitudeE4) / 10_000, longitude: Double(longitudeE4) / 10_000)
  }

  /// The text `<longitude>,<latitude>`, with four decimals each, which is used in URL paths and as file name.
  public var key: String { "\(Self.decimal(longitudeE4)),\(Self.decimal(latitudeE4))" }

  private static func decimal(_ value: Int32) -> String {
    let magnitude = value.magnitude
    let fraction = String(magnitude % 10_000)
    let zeros = String(repeating: "0", count: 4 - fraction.count)
    return "\(value < 0 ? "-" : "")\(magnitude / 10_000).\(zeros)\(fraction)"
  }
}

extension RoundedCoordinate: Comparable {
  public static func < (lhs: RoundedCoordinate, rhs: RoundedCoordinate) -> Bool {
    (lhs.longitudeE4, lhs.latitudeE4) < (rhs.longitudeE4, rhs.latitudeE4)
  }
}

extension RoundedCoordinate: LosslessStringConvertible {
  /// Creates the place of a ``key``; nil for any other form.
  public init?(_ description: String) {
    let parts = description.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let longitude = Double(parts[0]), let latitude = Double(parts[1]) else { return nil }
    self.init(rounding: Coordinate(latitude: latitude, longitude: longitude))
    guard key == description else { return nil }
  }

  public var description: String { key }
}

#if !hasFeature(Embedded)
  extension RoundedCoordinate: Codable {
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let place = RoundedCoordinate(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the key of a place")
      }
      self = place
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(key)
    }
  }
#endif

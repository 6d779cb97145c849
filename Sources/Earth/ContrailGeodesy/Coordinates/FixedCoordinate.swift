/// A point in integers of 1e-7 degrees (about 11 mm).
///
/// It is used for logging, comparing and hashing, with the same result on every machine.
public struct FixedCoordinate: Hashable, Sendable {
  /// One degree in these units.
  public static let degree: Int64 = 10_000_000

  /// The latitude in 1e-7 degrees north of the equator.
  public var latitudeE7: Int64
  /// The longitude in 1e-7 degrees east of Greenwich.
  public var longitudeE7: Int64

  public init(latitudeE7: Int64, longitudeE7: Int64) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
  }

  /// Creates the nearest point of the grid, ties to even.
  ///
  /// Nil for NaN, infinities, and values beyond ±1000 degrees.
  public init?(_ coordinate: Coordinate) {
    guard let latitude = Self.quantised(coordinate.latitude), let longitude = Self.quantised(coordinate.longitude)
    else { return nil }
    self.init(latitudeE7: latitude, longitudeE7: longitude)
  }

  /// The point in floating-point degrees.
  public var coordinate: Coordinate {
    Coordinate(latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
  }

  private static func quantised(_ degrees: Double) -> Int64? {
    guard degrees.isFinite, abs(degrees) <= 1000 else { return nil }
    return Int64((degrees * 1e7).rounded(.toNearestOrEven))
  }

  /// Returns the equivalent longitude in −180 ..< 180 degrees, in 1e-7 degrees.
  package static func wrapped(_ longitudeE7: Int64) -> Int64 {
    if (-180 * degree..<180 * degree).contains(longitudeE7) { return longitudeE7 }
    let turn = 360 * degree
    let remainder = (longitudeE7 + 180 * degree) % turn
    return (remainder < 0 ? remainder + turn : remainder) - 180 * degree
  }
}

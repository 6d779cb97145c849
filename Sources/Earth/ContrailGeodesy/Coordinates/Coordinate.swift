/// A point on the earth, in degrees on WGS 84.
///
/// The property names are those of Core Location's `CLLocationCoordinate2D`. If Core Location is available, the two
/// types convert into each other. A coordinate stores any values; functions that require a valid point check it (see
/// ``isValid``).
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90…90.
  public var latitude: Double
  /// Degrees east of Greenwich. Values beyond ±180 are taken modulo 360.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both parts are finite, the latitude within ±90 and the longitude within ±360 degrees.
  public var isValid: Bool {
    latitude.isFinite && longitude.isFinite && abs(latitude) <= 90 && abs(longitude) <= 360
  }
}

#if !hasFeature(Embedded)
  extension Coordinate: Codable {}
#endif

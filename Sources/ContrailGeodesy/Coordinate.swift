/// A point on the earth, in degrees on WGS 84.
///
/// The names are those of Core Location's `CLLocationCoordinate2D`; where Core Location exists, the two convert into each other.
/// A coordinate holds whatever it is given: what asks for a point on the earth checks and reports (see ``isValid``).
public struct Coordinate: Hashable, Sendable, Codable {
  /// Degrees north of the equator, −90…90.
  public var latitude: Double
  /// Degrees east of Greenwich. Values beyond ±180 are read modulo 360.
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

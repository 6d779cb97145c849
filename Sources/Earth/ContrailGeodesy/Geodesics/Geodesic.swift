/// Geodesics on WGS 84, after Karney 2013, "Algorithms for geodesics", doi:10.1007/s00190-012-0578-z.
///
/// The series are used to the sixth order: distances and positions have errors of about ten nanometres for all pairs of
/// points, including antipodal ones.
///
/// Azimuths are in degrees clockwise from north, 0 ..< 360; lengths are in metres. Longitudes are taken modulo 360
/// degrees and returned within ±180. Values that aren't finite, or a latitude beyond ±90, give NaN; nothing traps.
public enum Geodesic {
  /// The shortest path between two points.
  public struct Inverse: Hashable, Sendable {
    /// The length in metres.
    public var distanceMeters: Double
    /// The azimuth at the start.
    public var initialAzimuth: Double
    /// The forward azimuth at the end.
    public var finalAzimuth: Double

    /// The length in nautical miles.
    public var distanceNM: Double { distanceMeters / Earth.metersPerNM }
  }

  /// The end of a geodesic.
  public struct Direct: Hashable, Sendable {
    /// The end point.
    public var coordinate: Coordinate
    /// The forward azimuth at the end point.
    public var finalAzimuth: Double
  }

  /// Returns the shortest path between two points; one of them, if several are equally short.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Inverse {
    guard let solution = InverseSolution(from: start, to: end) else {
      return Inverse(distanceMeters: .nan, initialAzimuth: .nan, finalAzimuth: .nan)
    }
    return Inverse(
      distanceMeters: solution.distance, initialAzimuth: solution.start.azimuth, finalAzimuth: solution.end.azimuth)
  }

  /// Returns the end of a geodesic after a distance, and its azimuth there.
  ///
  /// A negative distance is backwards.
  public static func direct(from start: Coordinate, azimuth: Double, distanceMeters: Double) -> Direct {
    GeodesicLine(from: start, azimuth: azimuth).position(atMeters: distanceMeters)
  }
}

extension Coordinate {
  /// Returns the geodesic distance on WGS 84 in metres; see ``Geodesic/inverse(from:to:)``.
  public func geodesicDistanceMeters(to other: Coordinate) -> Double {
    Geodesic.inverse(from: self, to: other).distanceMeters
  }

  /// Returns the geodesic distance on WGS 84 in nautical miles.
  public func geodesicDistanceNM(to other: Coordinate) -> Double {
    Geodesic.inverse(from: self, to: other).distanceNM
  }
}

/// A direction as sine and cosine, exact for multiples of 90°.
struct Direction {
  var sin: Double
  var cos: Double

  @inline(__always) init(sin: Double, cos: Double) {
    self.sin = sin
    self.cos = cos
  }

  /// Creates the direction of an angle in degrees.
  init(degrees: Double) {
    let rest = degrees.remainder(dividingBy: 90)
    let quarter = ((degrees - rest) / 90).remainder(dividingBy: 4)
    let (s, c) = (Libm.sin(rest * Earth.radian), Libm.cos(rest * Earth.radian))
    switch quarter {
    case 0: self.init(sin: s, cos: c)
    case 1: self.init(sin: c, cos: -s)
    case -1: self.init(sin: -c, cos: s)
    default: self.init(sin: -s, cos: -c)
    }
    // Avoid negative zero, which would change an azimuth by 180°.
    cos += 0
    if sin == 0, degrees == 0 { sin = 0 }
  }

  /// The angle in degrees within ±180.
  var degrees: Double { Libm.atan2(sin, cos) / Earth.radian }

  /// The angle in degrees clockwise from north, 0 ..< 360.
  var azimuth: Double {
    let degrees = degrees
    if degrees >= 0 { return degrees + 0 }
    let turned = degrees + 360
    return turned >= 360 ? 0 : turned
  }

  @inline(__always) mutating func normalise() {
    let length = Libm.hypot(sin, cos)
    sin /= length
    cos /= length
  }

  /// Returns the reduced latitude. At the poles, the cosine stays above zero, so that the meridian is preserved.
  static func reduced(latitude degrees: Double) -> Direction {
    var latitude = Direction(degrees: degrees)
    latitude.sin *= 1 - Earth.flattening
    latitude.normalise()
    latitude.cos = max(Geodesic.tiny, latitude.cos)
    return latitude
  }
}

/// Shortest ways on WGS 84, by Karney 2013, "Algorithms for geodesics", doi:10.1007/s00190-012-0578-z, its series taken to the sixth
/// order: distances and positions are good to some ten nanometres, for all pairs of points, opposite ones included.
///
/// Azimuths are degrees clockwise from north, 0 ..< 360; lengths are metres. Longitudes are read modulo 360 degrees and answered within
/// ±180. A part that is not finite, or a latitude beyond ±90, gives answers that are NaN; nothing traps.
public enum Geodesic {
  /// A shortest way between two points.
  public struct Inverse: Hashable, Sendable {
    /// Its length in metres.
    public var distanceMeters: Double
    /// The azimuth at its start.
    public var initialAzimuth: Double
    /// The azimuth at its end, onwards.
    public var finalAzimuth: Double

    /// Its length in nautical miles.
    public var distanceNM: Double { distanceMeters / Earth.metersPerNM }
  }

  /// Where a geodesic leads.
  public struct Direct: Hashable, Sendable {
    /// The point reached.
    public var coordinate: Coordinate
    /// The azimuth there, onwards.
    public var finalAzimuth: Double
  }

  /// The shortest way from one point to another; where several are equally short, one of them.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Inverse {
    guard let solution = InverseSolution(from: start, to: end) else {
      return Inverse(distanceMeters: .nan, initialAzimuth: .nan, finalAzimuth: .nan)
    }
    return Inverse(
      distanceMeters: solution.distance, initialAzimuth: solution.start.azimuth, finalAzimuth: solution.end.azimuth)
  }

  /// The point that a geodesic reaches after a distance (negative: backwards), and how it arrives.
  public static func direct(from start: Coordinate, azimuth: Double, distanceMeters: Double) -> Direct {
    GeodesicLine(from: start, azimuth: azimuth).position(atMeters: distanceMeters)
  }
}

extension Coordinate {
  /// The length in metres of the shortest way on WGS 84; see ``Geodesic/inverse(from:to:)``.
  public func geodesicDistanceMeters(to other: Coordinate) -> Double {
    Geodesic.inverse(from: self, to: other).distanceMeters
  }

  /// The length in nautical miles of the shortest way on WGS 84.
  public func geodesicDistanceNM(to other: Coordinate) -> Double {
    Geodesic.inverse(from: self, to: other).distanceNM
  }
}

/// A direction by its sine and cosine, exact for multiples of 90°.
struct Direction {
  var sin: Double
  var cos: Double

  @inline(__always) init(sin: Double, cos: Double) {
    self.sin = sin
    self.cos = cos
  }

  /// An angle in degrees.
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
    // No minus zero: it would turn an azimuth by half a circle.
    cos += 0
    if sin == 0, degrees == 0 { sin = 0 }
  }

  /// Degrees within ±180.
  var degrees: Double { Libm.atan2(sin, cos) / Earth.radian }

  /// Degrees clockwise from north, 0 ..< 360.
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

  /// The reduced latitude of a geographic one; at the poles the cosine stays above zero, so that a meridian is still known.
  static func reduced(latitude degrees: Double) -> Direction {
    var latitude = Direction(degrees: degrees)
    latitude.sin *= 1 - Earth.flattening
    latitude.normalise()
    latitude.cos = max(Geodesic.tiny, latitude.cos)
    return latitude
  }
}

// Great circles on the sphere of radius `Earth.meanRadiusMeters`, with unconverted latitudes. Distances differ from
// those on the ellipsoid by up to 0.56 %; `Geodesic` computes exact ones. Vector formulas after Gade 2010,
// doi:10.1017/S0373463309990415. Coordinates that aren't finite give results that aren't finite; nothing traps.

extension Coordinate {
  /// Returns the great-circle distance in nautical miles.
  public func distanceNM(to other: Coordinate) -> Double {
    UnitVector(self).angle(to: UnitVector(other)) * Earth.meanRadiusNM
  }

  /// Returns the initial azimuth of the great circle to another point.
  ///
  /// The result is in degrees clockwise from north, 0 ..< 360.
  ///
  /// The azimuth is 0 if the points are equal. At a pole, north is the meridian of this coordinate's longitude.
  public func azimuth(to other: Coordinate) -> Double {
    let (a, b) = (latitude * Earth.radian, other.latitude * Earth.radian)
    let turn = (other.longitude - longitude).remainder(dividingBy: 360) * Earth.radian
    let y = Libm.sin(turn) * Libm.cos(b)
    let x = Libm.cos(a) * Libm.sin(b) - Libm.sin(a) * Libm.cos(b) * Libm.cos(turn)
    let degrees = Libm.atan2(y, x) / Earth.radian
    return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
  }

  /// Returns the point at a distance along the great circle with an initial azimuth.
  ///
  /// The azimuth is in degrees clockwise from north.
  public func destination(azimuth: Double, distanceNM: Double) -> Coordinate {
    let (latitude, longitude) = (latitude * Earth.radian, longitude.remainder(dividingBy: 360) * Earth.radian)
    let (sinLatitude, cosLatitude) = (Libm.sin(latitude), Libm.cos(latitude))
    let (sinLongitude, cosLongitude) = (Libm.sin(longitude), Libm.cos(longitude))
    let (sinAzimuth, cosAzimuth) = (Libm.sin(azimuth * Earth.radian), Libm.cos(azimuth * Earth.radian))
    let here = UnitVector(x: cosLatitude * cosLongitude, y: cosLatitude * sinLongitude, z: sinLatitude)
    let north = UnitVector(x: -sinLatitude * cosLongitude, y: -sinLatitude * sinLongitude, z: cosLatitude)
    let east = UnitVector(x: -sinLongitude, y: cosLongitude, z: 0)
    let angle = distanceNM / Earth.meanRadiusNM
    return (here * Libm.cos(angle) + (north * cosAzimuth + east * sinAzimuth) * Libm.sin(angle)).coordinate
  }

  /// Returns the point at a fraction of the great circle to another point.
  ///
  /// The fraction 0 is this point, 1 the other.
  ///
  /// Other fractions continue along the circle. Between opposite points, where every great circle is a shortest path,
  /// one of them is chosen.
  public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
    if fraction == 0 { return self }
    if fraction == 1 { return other }
    let (a, b) = (UnitVector(self), UnitVector(other))
    let angle = a.angle(to: b)
    guard angle > 0 else { return self }
    let across = a.cross(b).normalised ?? a.anyPerpendicular
    let forward = across.cross(a)
    return (a * Libm.cos(fraction * angle) + forward * Libm.sin(fraction * angle)).coordinate
  }

  /// Returns the distance from the great circle through `start` and `end`, in nautical miles.
  ///
  /// The distance is positive to the right of the direction from `start` to `end`, negative to the left. If the two are
  /// equal or opposite, it is the distance from `start`.
  public func crossTrackNM(from start: Coordinate, to end: Coordinate) -> Double {
    let here = UnitVector(self)
    guard let left = UnitVector(start).cross(UnitVector(end)).normalised else { return distanceNM(to: start) }
    return -Libm.asin(min(1, max(-1, here.dot(left)))) * Earth.meanRadiusNM
  }

  /// Returns the along-track distance from `start` to the point abeam of this one.
  ///
  /// The distance is in nautical miles, along the great circle from `start` towards `end`.
  ///
  /// The distance is negative if that point is behind `start`, and 0 if `start` and `end` are equal or opposite.
  public func alongTrackNM(from start: Coordinate, to end: Coordinate) -> Double {
    let (here, origin) = (UnitVector(self), UnitVector(start))
    guard let left = origin.cross(UnitVector(end)).normalised else { return 0 }
    return Libm.atan2(here.dot(left.cross(origin)), here.dot(origin)) * Earth.meanRadiusNM
  }

  /// Returns the distance to the nearest point of the great-circle leg between two points, in nautical miles.
  public func distanceNM(toLegFrom start: Coordinate, to end: Coordinate) -> Double {
    let (here, a, b) = (UnitVector(self), UnitVector(start), UnitVector(end))
    let ends = min(here.angle(to: a), here.angle(to: b))
    guard let left = a.cross(b).normalised, here.dot(left.cross(a)) > 0, here.dot(b.cross(left)) > 0 else {
      return ends * Earth.meanRadiusNM
    }
    return abs(Libm.asin(min(1, max(-1, here.dot(left))))) * Earth.meanRadiusNM
  }
}

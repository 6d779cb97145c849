/// A conformal map of WGS 84 to a sphere, with slowly varying scale, on which corridors are computed.
///
/// Latitudes are mapped to conformal latitudes with the series in the third flattening of Karney 2023, "On auxiliary
/// latitudes", doi:10.1080/00396265.2023.2217604, to its third power, with an error of 0.3 mm. A length is an angle
/// times the local radius, which depends only on the latitude.
enum ConformalSphere {
  private static let n = Earth.flattening / (2 - Earth.flattening)
  private static let toConformal = (
    -2 * n + 2.0 / 3 * n * n + 4.0 / 3 * n * n * n,
    5.0 / 3 * n * n - 16.0 / 15 * n * n * n,
    -26.0 / 15 * n * n * n
  )
  private static let toGeodetic = (
    2 * n - 2.0 / 3 * n * n - 2 * n * n * n,
    7.0 / 3 * n * n - 8.0 / 5 * n * n * n,
    56.0 / 15 * n * n * n
  )

  /// Returns the direction on the sphere of a coordinate on the ellipsoid.
  static func vector(of coordinate: Coordinate) -> UnitVector {
    let latitude = coordinate.latitude * Earth.radian
    let longitude = coordinate.turnedLongitude * Earth.radian
    let (s, c) = (Libm.sin(latitude), Libm.cos(latitude))
    let change = series(sin2: 2 * s * c, cos2: (c - s) * (c + s), toConformal)
    // The change is less than 0.0034, so these terms are precise to 53 bits.
    let square = change * change
    let sinChange = change * (1 - square / 6 * (1 - square / 20))
    let cosChange = 1 - square / 2 * (1 - square / 12)
    let horizontal = c * cosChange - s * sinChange
    return UnitVector(
      x: horizontal * Libm.cos(longitude), y: horizontal * Libm.sin(longitude), z: s * cosChange + c * sinChange)
  }

  /// Returns the coordinate on the ellipsoid of a direction on the sphere, in 1e-7 degrees, with the longitude within
  /// ±180°.
  static func fixed(_ vector: UnitVector) -> GridPoint {
    let horizontal = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    let conformal = Libm.atan2(vector.z, horizontal)
    let sin2 = 2 * vector.z * horizontal
    let cos2 = (horizontal - vector.z) * (horizontal + vector.z)
    let latitude = conformal + series(sin2: sin2, cos2: cos2, toGeodetic)
    let longitude = Libm.atan2(vector.y, vector.x)
    // The null vector has no coordinate; callers never pass it.
    guard latitude.isFinite, longitude.isFinite else { return GridPoint(x: 0, y: 0) }
    return GridPoint(
      x: Int64((longitude * unitsPerRadian).rounded()),
      y: Int64((min(max(latitude * unitsPerRadian, -900_000_000), 900_000_000)).rounded()))
  }

  private static let unitsPerRadian = 1e7 * 180 / Double.pi

  /// Returns the metres on the ellipsoid per radian on the sphere, with `z` the sine of the conformal latitude.
  ///
  /// A least-squares fit in *z*² to *N* cos φ / cos χ, with an error of at most 1 mm.
  @inline(__always) static func radiusMeters(z: Double) -> Double {
    let q = z * z
    return 6_378_137.0 + q * (-21_492.714_388 + q * (157.231_725 - q * 1.468_445))
  }

  @inline(__always) private static func series(
    sin2: Double, cos2: Double, _ k: (Double, Double, Double)
  ) -> Double {
    // sin 4φ = 2 sin 2φ cos 2φ; sin 6φ = sin 2φ (4 cos² 2φ − 1).
    sin2 * (k.0 + 2 * k.1 * cos2 + k.2 * (4 * cos2 * cos2 - 1))
  }
}

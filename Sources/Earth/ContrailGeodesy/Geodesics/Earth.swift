/// Constants of the earth used by this library.
public enum Earth {
  /// Metres per nautical mile, exactly.
  public static let metersPerNM = 1852.0

  /// The radius of the sphere for great circles, in metres.
  ///
  /// It is the mean radius R₁ of the IUGG, (2*a* + *b*) / 3 on WGS 84 (Moritz 2000, doi:10.1007/s001900050278).
  public static let meanRadiusMeters = 6_371_008.7714

  /// The radius of the sphere for great circles, in nautical miles.
  public static let meanRadiusNM = meanRadiusMeters / metersPerNM

  /// The equatorial radius of WGS 84 in metres.
  public static let equatorialRadiusMeters = 6_378_137.0

  /// The flattening of WGS 84.
  public static let flattening = 1 / 298.257_223_563

  /// Radians per degree.
  static let radian = Double.pi / 180
}

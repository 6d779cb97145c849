/// A geodesic from a point at an azimuth, for computing many positions along it efficiently.
public struct GeodesicLine: Sendable {
  /// The start point.
  public let start: Coordinate
  /// The initial azimuth, in degrees clockwise from north.
  public let azimuth: Double

  // Karney 2013, section 3 and figure 1: α₀ is the azimuth at the equator, σ the arc from there, ω the longitude on the
  // sphere.
  private let azimuth0: Direction
  private let sigma1: Direction
  private let omega1: Direction
  private let tau1: Direction
  private let a1: Double
  private let a3: Double
  private let b11: Double
  private let b31: Double
  private let c1Inverse: Geodesic.Six
  private let c3: Geodesic.Six

  public init(from start: Coordinate, azimuth: Double) {
    self.init(from: start, azimuth: azimuth, direction: Direction(degrees: azimuth.remainder(dividingBy: 360)))
  }

  /// Creates the geodesic of the shortest path between two points; nil if a point is invalid.
  ///
  /// Use ``Geodesic/inverse(from:to:)`` for its length.
  public init?(from start: Coordinate, to end: Coordinate) {
    guard let solution = InverseSolution(from: start, to: end) else { return nil }
    self.init(from: start, azimuth: solution.start.azimuth, direction: solution.start)
  }

  private init(from start: Coordinate, azimuth: Double, direction: Direction) {
    self.start = start
    self.azimuth = azimuth
    let latitude = abs(start.latitude) <= 90 ? start.latitude : .nan
    let beta1 = Direction.reduced(latitude: latitude)
    let azimuth0 = Direction(
      sin: direction.sin * beta1.cos, cos: Libm.hypot(direction.cos, direction.sin * beta1.sin))
    var sigma1 = Direction(
      sin: beta1.sin, cos: beta1.sin != 0 || direction.cos != 0 ? beta1.cos * direction.cos : 1)
    omega1 = Direction(sin: azimuth0.sin * beta1.sin, cos: sigma1.cos)
    sigma1.normalise()
    self.azimuth0 = azimuth0
    self.sigma1 = sigma1

    let e = Geodesic.epsilon(azimuth0.cos * azimuth0.cos * Geodesic.ep2)
    a1 = Geodesic.a1(e)
    b11 = Geodesic.sineSum(sigma1.sin, sigma1.cos, Geodesic.c1(e))
    let (s, c) = (Libm.sin(b11), Libm.cos(b11))
    tau1 = Direction(sin: sigma1.sin * c + sigma1.cos * s, cos: sigma1.cos * c - sigma1.sin * s)
    c1Inverse = Geodesic.c1Inverse(e)
    c3 = Geodesic.c3(e)
    a3 = -Earth.flattening * azimuth0.sin * Geodesic.a3(e)
    b31 = Geodesic.sineSum(sigma1.sin, sigma1.cos, c3)
  }

  /// Returns the point at a distance in metres, and the azimuth there.
  ///
  /// A negative distance is behind the start.
  public func position(atMeters distance: Double) -> Geodesic.Direct {
    let tau12 = distance / (Geodesic.b * a1)
    let (st, ct) = (Libm.sin(tau12), Libm.cos(tau12))
    let b12 = -Geodesic.sineSum(
      tau1.sin * ct + tau1.cos * st, tau1.cos * ct - tau1.sin * st, c1Inverse)
    let sigma12 = tau12 - (b12 - b11)
    let (s12, c12) = (Libm.sin(sigma12), Libm.cos(sigma12))
    var sigma2 = Direction(
      sin: sigma1.sin * c12 + sigma1.cos * s12, cos: sigma1.cos * c12 - sigma1.sin * s12)
    let sinBeta2 = azimuth0.cos * sigma2.sin
    var cosBeta2 = Libm.hypot(azimuth0.sin, azimuth0.cos * sigma2.cos)
    if cosBeta2 == 0 {
      cosBeta2 = Geodesic.tiny
      sigma2.cos = Geodesic.tiny
    }
    let azimuth2 = Direction(sin: azimuth0.sin, cos: azimuth0.cos * sigma2.cos)
    let omega2 = Direction(sin: azimuth0.sin * sigma2.sin, cos: sigma2.cos)
    let omega12 = Libm.atan2(
      omega2.sin * omega1.cos - omega2.cos * omega1.sin, omega2.cos * omega1.cos + omega2.sin * omega1.sin)
    let b32 = Geodesic.sineSum(sigma2.sin, sigma2.cos, c3)
    let turn = (omega12 + a3 * (sigma12 + (b32 - b31))) / Earth.radian
    let longitude = start.longitude.remainder(dividingBy: 360) + turn.remainder(dividingBy: 360)
    return Geodesic.Direct(
      coordinate: Coordinate(
        latitude: Libm.atan2(sinBeta2, (1 - Earth.flattening) * cosBeta2) / Earth.radian,
        longitude: longitude.remainder(dividingBy: 360)),
      finalAzimuth: azimuth2.azimuth)
  }
}

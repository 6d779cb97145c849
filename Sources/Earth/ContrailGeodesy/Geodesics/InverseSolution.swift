/// The solution of the inverse problem: Karney 2013, sections 4 and 5.
///
/// The points are first mirrored and swapped so that the start is the southern one, at least as far from the equator as
/// the end, and the end is to the east. Then the azimuth at the start is determined for which the geodesic meets the
/// end's meridian at its latitude.
struct InverseSolution {
  /// The distance in metres.
  private(set) var distance: Double
  /// The azimuth at the start.
  private(set) var start: Direction
  /// The forward azimuth at the end.
  private(set) var end: Direction
  /// The area between the path, the equator and the meridians of the ends, in square metres, positive eastwards in the
  /// north.
  private(set) var areaBelow: Double

  init?(from first: Coordinate, to second: Coordinate, withArea: Bool = false) {
    guard abs(first.latitude) <= 90, abs(second.latitude) <= 90, first.longitude.isFinite, second.longitude.isFinite
    else { return nil }
    let (difference, rest) = Self.difference(first.longitude, second.longitude)
    let lonSign: Double = difference < 0 || (difference == 0 && rest < 0) ? -1 : 1
    let swaps = abs(first.latitude) < abs(second.latitude)
    let (near, far) = swaps ? (first.latitude, second.latitude) : (second.latitude, first.latitude)
    let swapSign: Double = swaps ? -1 : 1
    let latSign: Double = far < 0 ? 1 : -1

    var beta1 = Direction.reduced(latitude: far * latSign)
    var beta2 = Direction.reduced(latitude: near * latSign)
    // Equal latitudes must remain equal to the last bit.
    if beta1.cos < -beta1.sin {
      if beta2.cos == beta1.cos { beta2.sin = beta2.sin < 0 ? beta1.sin : -beta1.sin }
    } else if abs(beta2.sin) == -beta1.sin {
      beta2.cos = beta1.cos
    }
    // Avoid negative zero.
    beta1.sin += 0
    beta2.sin += 0

    var solver = Solver(
      beta1: beta1, beta2: beta2, longitude: lonSign * difference, rest: lonSign * rest,
      isPolar: far * latSign == -90, withArea: withArea)
    solver.solve()
    distance = solver.distance + 0
    let (a1, a2) = swaps ? (solver.azimuth2, solver.azimuth1) : (solver.azimuth1, solver.azimuth2)
    start = Direction(sin: a1.sin * lonSign, cos: a1.cos * swapSign * latSign)
    end = Direction(sin: a2.sin * lonSign, cos: a2.cos * swapSign * latSign)
    areaBelow = solver.area * lonSign * latSign
  }

  /// Returns `b` − `a` reduced to ±180, and its rounding error.
  private static func difference(_ a: Double, _ b: Double) -> (Double, Double) {
    let (x, y) = ((-a).remainder(dividingBy: 360), b.remainder(dividingBy: 360))
    let (sum, rest) = exactSum(x, y)
    let (d, e) = exactSum(sum.remainder(dividingBy: 360), rest)
    if d == 0 || abs(d) == 180 {
      // The rounding error determines the side of the cut; without one, east.
      let sign: Double = e == 0 ? 1 : -e
      return (abs(d) == 180 ? (sign > 0 ? 180 : -180) : d, e)
    }
    return (d, e)
  }

  private static func exactSum(_ a: Double, _ b: Double) -> (Double, Double) {
    let sum = a + b
    let back = sum - b
    return (sum, (a - back) + (b - (sum - back)))
  }
}

private struct Solver {
  let beta1: Direction
  let beta2: Direction
  /// The difference in longitude, 0…π: in radians, as a direction, and its supplement to π.
  private let lambda12: Double
  private let lambda: Direction
  private let supplement: Double
  private let isPolar: Bool
  private let withArea: Bool
  private let dn1: Double
  private let dn2: Double

  private(set) var azimuth1 = Direction(sin: 0, cos: 1)
  private(set) var azimuth2 = Direction(sin: 0, cos: 1)
  private(set) var distance = 0.0
  private(set) var area = 0.0

  private static let epsilon = Double.ulpOfOne
  private static let rootEpsilon = Double.ulpOfOne.squareRoot()
  private static let f = Earth.flattening
  private static let f1 = 1 - Earth.flattening
  /// The distance below which the spherical starting point is the solution.
  private static let shortest = 0.1 * rootEpsilon / (0.003_352_810_664_747_480_7 * (1 - f / 2) / 2).squareRoot()

  init(beta1: Direction, beta2: Direction, longitude: Double, rest: Double, isPolar: Bool, withArea: Bool) {
    self.beta1 = beta1
    self.beta2 = beta2
    self.isPolar = isPolar
    self.withArea = withArea
    // Near 180°, the supplement is more precise.
    if longitude > 90 {
      let small = (180 - longitude) - rest
      supplement = small * Earth.radian
      lambda12 = .pi - supplement
      lambda = Direction(sin: Libm.sin(supplement), cos: -Libm.cos(supplement))
    } else {
      lambda12 = (longitude + rest) * Earth.radian
      supplement = .pi - lambda12
      lambda = Direction(sin: Libm.sin(lambda12), cos: Libm.cos(lambda12))
    }
    dn1 = (1 + Geodesic.ep2 * beta1.sin * beta1.sin).squareRoot()
    dn2 = (1 + Geodesic.ep2 * beta2.sin * beta2.sin).squareRoot()
  }

  mutating func solve() {
    if isPolar || lambda.sin == 0 {
      solveMeridian()
    } else if beta1.sin == 0, supplement >= Self.f * .pi {
      // The path is along the equator, with no area below it.
      azimuth1 = Direction(sin: 1, cos: 0)
      azimuth2 = azimuth1
      distance = Earth.equatorialRadiusMeters * lambda12
    } else {
      solveGeneral()
    }
  }

  /// Solves paths along a meridian, which are the shortest on an oblate ellipsoid, even between opposite sides of the
  /// earth.
  private mutating func solveMeridian() {
    (azimuth1, azimuth2) = (lambda, Direction(sin: 0, cos: 1))
    let sigma1 = Direction(sin: beta1.sin, cos: azimuth1.cos * beta1.cos)
    let sigma2 = Direction(sin: beta2.sin, cos: azimuth2.cos * beta2.cos)
    let sigma12 = Self.arc(sigma1, sigma2)
    distance =
      sigma12 < 3 * Geodesic.tiny ? 0 : lengths(Geodesic.epsilon(Geodesic.ep2), sigma12, sigma1, sigma2).distance
    if withArea { area = area(omega12: nil) }
  }

  private static func arc(_ a: Direction, _ b: Direction) -> Double {
    Libm.atan2(max(0, a.cos * b.sin - a.sin * b.cos) + 0, a.cos * b.cos + a.sin * b.sin)
  }

  /// Returns the distance and reduced length between two arcs of a geodesic in metres, eqs. 7 and 38–40.
  private func lengths(
    _ e: Double, _ sigma12: Double, _ sigma1: Direction, _ sigma2: Direction
  ) -> (distance: Double, reduced: Double) {
    let (a1, a2) = (Geodesic.a1(e), Geodesic.a2(e))
    let (c1, c2) = (Geodesic.c1(e), Geodesic.c2(e))
    let b1 = Geodesic.sineSum(sigma2.sin, sigma2.cos, c1) - Geodesic.sineSum(sigma1.sin, sigma1.cos, c1)
    let b2 = Geodesic.sineSum(sigma2.sin, sigma2.cos, c2) - Geodesic.sineSum(sigma1.sin, sigma1.cos, c2)
    let j12 = (a1 - a2) * sigma12 + (a1 * b1 - a2 * b2)
    let reduced =
      dn2 * (sigma1.cos * sigma2.sin) - dn1 * (sigma1.sin * sigma2.cos) - sigma1.cos * sigma2.cos * j12
    return (Geodesic.b * a1 * (sigma12 + b1), Geodesic.b * reduced)
  }

  // MARK: Starting point

  /// Returns a first azimuth. For very short paths, also returns the solution: arc and longitude on the sphere.
  ///
  /// The arc is in units of the radius at the midpoint.
  private mutating func begin() -> (azimuth: Direction, short: (arc: Double, omega12: Direction)?) {
    // β₂ − β₁ and β₂ + β₁.
    let less = Direction(
      sin: beta2.sin * beta1.cos - beta2.cos * beta1.sin, cos: beta2.cos * beta1.cos + beta2.sin * beta1.sin)
    let more = beta2.sin * beta1.cos + beta2.cos * beta1.sin
    let isShort = less.cos >= 0 && less.sin < 0.5 && beta2.cos * lambda12 < 0.5
    var omega = lambda
    var dnMiddle = 1.0
    if isShort {
      var square = (beta1.sin + beta2.sin) * (beta1.sin + beta2.sin)
      square /= square + (beta1.cos + beta2.cos) * (beta1.cos + beta2.cos)
      dnMiddle = (1 + Geodesic.ep2 * square).squareRoot()
      let angle = lambda12 / (Self.f1 * dnMiddle)
      omega = Direction(sin: Libm.sin(angle), cos: Libm.cos(angle))
    }
    var azimuth = Direction(
      sin: beta2.cos * omega.sin,
      cos: omega.cos >= 0
        ? less.sin + beta2.cos * beta1.sin * omega.sin * omega.sin / (1 + omega.cos)
        : more - beta2.cos * beta1.sin * omega.sin * omega.sin / (1 - omega.cos))
    let sigma = Direction(
      sin: Libm.hypot(azimuth.sin, azimuth.cos), cos: beta1.sin * beta2.sin + beta1.cos * beta2.cos * omega.cos)
    if isShort, sigma.sin < Self.shortest {
      let versine = omega.cos >= 0 ? omega.sin * omega.sin / (1 + omega.cos) : 1 - omega.cos
      azimuth2 = Direction(sin: beta1.cos * omega.sin, cos: less.sin - beta1.cos * beta2.sin * versine)
      azimuth2.normalise()
      azimuth.normalise()
      return (azimuth, (Libm.atan2(sigma.sin, sigma.cos) * dnMiddle, omega))
    }
    if sigma.cos < 0, sigma.sin < 6 * Geodesic.n * .pi * beta1.cos * beta1.cos {
      return (nearOppositeStart(more), nil)
    }
    if azimuth.sin > 0 {
      azimuth.normalise()
    } else {
      azimuth = Direction(sin: 1, cos: 0)
    }
    return (azimuth, nil)
  }

  /// Returns the first azimuth for nearly antipodal points, in coordinates scaled to the astroid enveloped by geodesics
  /// (section 5).
  private func nearOppositeStart(_ sinMore: Double) -> Direction {
    let e = Geodesic.epsilon(beta1.sin * beta1.sin * Geodesic.ep2)
    let lambdaScale = Self.f * beta1.cos * Geodesic.a3(e) * .pi
    let betaScale = lambdaScale * beta1.cos
    let x = -supplement / lambdaScale
    let y = sinMore / betaScale
    var azimuth: Direction
    if y > -200 * Self.epsilon, x > -1 - 1000 * Self.rootEpsilon {
      let s = min(1, -x)
      azimuth = Direction(sin: s, cos: -(max(0, 1 - s * s)).squareRoot())
    } else {
      let k = Self.astroid(x, y)
      let angle = lambdaScale * -x * k / (1 + k)
      let (s, c) = (Libm.sin(angle), -Libm.cos(angle))
      azimuth = Direction(sin: beta2.cos * s, cos: sinMore - beta2.cos * beta1.sin * s * s / (1 - c))
    }
    guard azimuth.sin > 0 else { return Direction(sin: 1, cos: 0) }
    azimuth.normalise()
    return azimuth
  }

  /// Returns the positive root k of k⁴ + 2k³ − (x² + y² − 1) k² − 2y² k − y² = 0, eq. 55, by its cubic resolvent.
  private static func astroid(_ x: Double, _ y: Double) -> Double {
    let (p, q) = (x * x, y * y)
    let r = (p + q - 1) / 6
    if q == 0, r <= 0 { return 0 }
    let s = p * q / 4
    let (r2, r3) = (r * r, r * r * r)
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      var t3 = s + r3
      t3 += t3 < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()
      let t = Libm.cbrt(t3)
      u += t + (t != 0 ? r2 / t : 0)
    } else {
      let angle = Libm.atan2((-discriminant).squareRoot(), -(s + r3))
      u += 2 * r * Libm.cos(angle / 3)
    }
    let v = (u * u + q).squareRoot()
    let uv = u < 0 ? q / (v - u) : u + v
    let w = (uv - q) / (2 * v)
    return uv / ((uv + w * w).squareRoot() + w)
  }

  // MARK: Search

  private struct Trial {
    var azimuth2: Direction
    var sigma12: Double
    var sigma1: Direction
    var sigma2: Direction
    var epsilon: Double
    /// The difference by which the end's meridian is overshot, in radians.
    var excess: Double
    /// The part of it that is due to the ellipsoid.
    var ellipsoidal: Double
    var slope: Double
  }

  /// Computes where the geodesic at an azimuth meets the end's latitude.
  private func attempt(_ given: Direction, withSlope: Bool) -> Trial {
    var azimuth1 = given
    if beta1.sin == 0, azimuth1.cos == 0 { azimuth1.cos = -Geodesic.tiny }
    let sin0 = azimuth1.sin * beta1.cos
    let cos0 = Libm.hypot(azimuth1.cos, azimuth1.sin * beta1.sin)
    var sigma1 = Direction(sin: beta1.sin, cos: azimuth1.cos * beta1.cos)
    let omega1 = Direction(sin: sin0 * beta1.sin, cos: sigma1.cos)
    sigma1.normalise()

    let sin2 = beta2.cos != beta1.cos ? sin0 / beta2.cos : azimuth1.sin
    let cos2: Double
    if beta2.cos != beta1.cos || abs(beta2.sin) != -beta1.sin {
      let flat = azimuth1.cos * beta1.cos
      let change =
        beta1.cos < -beta1.sin
        ? (beta2.cos - beta1.cos) * (beta1.cos + beta2.cos) : (beta1.sin - beta2.sin) * (beta1.sin + beta2.sin)
      cos2 = max(0, flat * flat + change).squareRoot() / beta2.cos
    } else {
      cos2 = abs(azimuth1.cos)
    }
    var sigma2 = Direction(sin: beta2.sin, cos: cos2 * beta2.cos)
    let omega2 = Direction(sin: sin0 * beta2.sin, cos: sigma2.cos)
    sigma2.normalise()

    let sigma12 = Self.arc(sigma1, sigma2)
    let omega12 = Direction(
      sin: max(0, omega1.cos * omega2.sin - omega1.sin * omega2.cos) + 0,
      cos: omega1.cos * omega2.cos + omega1.sin * omega2.sin)
    let eta = Libm.atan2(
      omega12.sin * lambda.cos - omega12.cos * lambda.sin, omega12.cos * lambda.cos + omega12.sin * lambda.sin)
    let e = Geodesic.epsilon(cos0 * cos0 * Geodesic.ep2)
    let c3 = Geodesic.c3(e)
    let b3 = Geodesic.sineSum(sigma2.sin, sigma2.cos, c3) - Geodesic.sineSum(sigma1.sin, sigma1.cos, c3)
    let ellipsoidal = -Self.f * Geodesic.a3(e) * sin0 * (sigma12 + b3)
    var slope = 0.0
    if withSlope {
      if cos2 == 0 {
        slope = -2 * Self.f1 * dn1 / beta1.sin
      } else {
        slope = lengths(e, sigma12, sigma1, sigma2).reduced / Geodesic.b * Self.f1 / (cos2 * beta2.cos)
      }
    }
    return Trial(
      azimuth2: Direction(sin: sin2, cos: cos2), sigma12: sigma12, sigma1: sigma1, sigma2: sigma2, epsilon: e,
      excess: eta + ellipsoidal, ellipsoidal: ellipsoidal, slope: slope)
  }

  private mutating func solveGeneral() {
    let (first, short) = begin()
    if let short {
      azimuth1 = first
      distance = short.arc * Geodesic.b
      if withArea { area = area(omega12: short.omega12) }
      return
    }
    // Newton's method with a bracket, which is bisected if a step leaves it or after too many steps.
    var azimuth = first
    var low = Direction(sin: Geodesic.tiny, cos: 1)
    var high = Direction(sin: Geodesic.tiny, cos: -1)
    var trial = attempt(azimuth, withSlope: true)
    var tolerance = Self.epsilon
    for iteration in 1...83 {
      // Written so that NaN ends the loop.
      guard abs(trial.excess) >= tolerance else { break }
      let isNewton = iteration < 20
      if trial.excess > 0, !isNewton || azimuth.cos / azimuth.sin > high.cos / high.sin {
        high = azimuth
      } else if trial.excess < 0, !isNewton || azimuth.cos / azimuth.sin < low.cos / low.sin {
        low = azimuth
      }
      var next: Direction?
      if isNewton, trial.slope > 0 {
        let step = -trial.excess / trial.slope
        let (s, c) = (Libm.sin(step), Libm.cos(step))
        let sine = azimuth.sin * c + azimuth.cos * s
        if abs(step) < .pi, sine > 0 { next = Direction(sin: sine, cos: azimuth.cos * c - azimuth.sin * s) }
      }
      if let next {
        azimuth = next
        // This close, the next step is as precise as possible.
        tolerance = Self.epsilon * (abs(trial.excess) <= 16 * Self.epsilon ? 8 : 1)
      } else {
        azimuth = Direction(sin: (low.sin + high.sin) / 2, cos: (low.cos + high.cos) / 2)
        tolerance = Self.epsilon
      }
      azimuth.normalise()
      trial = attempt(azimuth, withSlope: isNewton)
      if next == nil, Self.isNear(low, azimuth) || Self.isNear(azimuth, high) { break }
    }
    azimuth1 = azimuth
    azimuth2 = trial.azimuth2
    distance = lengths(trial.epsilon, trial.sigma12, trial.sigma1, trial.sigma2).distance
    if withArea {
      let (s, c) = (Libm.sin(trial.ellipsoidal), Libm.cos(trial.ellipsoidal))
      // ω₁₂ = λ₁₂ − the ellipsoidal part.
      area = area(
        omega12: Direction(sin: lambda.sin * c - lambda.cos * s, cos: lambda.cos * c + lambda.sin * s))
    }
  }

  private static func isNear(_ a: Direction, _ b: Direction) -> Bool {
    abs(a.sin - b.sin) + (a.cos - b.cos) < epsilon
  }

  // MARK: Area

  /// Returns the area, eqs. 58–64.
  ///
  /// Without ω₁₂, on a meridian, and if it is large, the spherical excess is the difference of the azimuths.
  private func area(omega12: Direction?) -> Double {
    let sin0 = azimuth1.sin * beta1.cos
    let cos0 = Libm.hypot(azimuth1.cos, azimuth1.sin * beta1.sin)
    var below = 0.0
    if cos0 != 0, sin0 != 0 {
      var sigma1 = Direction(sin: beta1.sin, cos: azimuth1.cos * beta1.cos)
      var sigma2 = Direction(sin: beta2.sin, cos: azimuth2.cos * beta2.cos)
      sigma1.normalise()
      sigma2.normalise()
      let c4 = Geodesic.c4(Geodesic.epsilon(cos0 * cos0 * Geodesic.ep2))
      let a = Earth.equatorialRadiusMeters
      below =
        a * a * cos0 * sin0 * Geodesic.e2
        * (Geodesic.cosineSum(sigma2.sin, sigma2.cos, c4) - Geodesic.cosineSum(sigma1.sin, sigma1.cos, c4))
    }
    let turn: Double
    if let omega = omega12, omega.cos > -0.7071, beta2.sin - beta1.sin < 1.75 {
      let (one, d1, d2) = (1 + omega.cos, 1 + beta1.cos, 1 + beta2.cos)
      turn =
        2
        * Libm.atan2(
          omega.sin * (beta1.sin * d2 + beta2.sin * d1), one * (beta1.sin * beta2.sin + d1 * d2))
    } else {
      var s = azimuth2.sin * azimuth1.cos - azimuth2.cos * azimuth1.sin
      var c = azimuth2.cos * azimuth1.cos + azimuth2.sin * azimuth1.sin
      if s == 0, c < 0 {
        s = Geodesic.tiny * azimuth1.cos
        c = -1
      }
      turn = Libm.atan2(s, c)
    }
    return below + Geodesic.squaredAuthalicRadius * turn
  }
}

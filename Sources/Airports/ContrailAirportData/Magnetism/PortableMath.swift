/// Trigonometric functions that give the same bits on every machine.
///
/// The functions of the C library differ in the last bit between systems. These use only operations that IEEE 754
/// defines exactly: addition, multiplication, division, square root and fused multiplication. Their error is below two
/// units in the last place.
enum PortableMath {
  private static let halfPi = Double.pi / 2
  /// π/2 less ``halfPi``.
  private static let halfPiRest = 6.123233995736766e-17

  /// The coefficients of the Taylor series of sin(x)/x - 1 and of cos(x) - 1 + x²/2, in powers of x².
  private static let sineTerms = series(from: 3, count: 8)
  private static let cosineTerms = series(from: 4, count: 7).map { -$0 }

  private static func series(from first: Int, count: Int) -> [Double] {
    (0..<count).map { index in
      let order = first + 2 * index
      let factorial = (1...order).reduce(1.0) { $0 * Double($1) }
      return (index.isMultiple(of: 2) ? -1 : 1) / factorial
    }
  }

  /// Returns the sine and the cosine of an angle in radians between -2π and 2π.
  static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    let quarter = (angle / halfPi).rounded()
    let x = (angle - quarter * halfPi) - quarter * halfPiRest
    let square = x * x
    var (rest, other) = (0.0, 0.0)
    for term in sineTerms.reversed() { rest = rest * square + term }
    for term in cosineTerms.reversed() { other = other * square + term }
    let sine = x + x * square * rest
    let half = square / 2
    let base = 1 - half
    let cosine = base + (((1 - base) - half) + square * square * other)
    switch Int(quarter) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// Returns the angle of a vector in radians, from -π to π. The vector must not be zero.
  static func angle(y: Double, x: Double) -> Double {
    let (long, short) = (max(y.magnitude, x.magnitude), min(y.magnitude, x.magnitude))
    let slope = short / long
    var angle = slope / (1 + 0.28 * slope * slope)
    // The error of a step is the cube of the error before it.
    for _ in 0..<2 {
      let (sine, cosine) = sineAndCosine(angle)
      angle += (-sine).addingProduct(slope, cosine) / (cosine + slope * sine)
    }
    if y.magnitude > x.magnitude { angle = halfPi - angle + halfPiRest }
    if x < 0 { angle = Double.pi - angle + 2 * halfPiRest }
    return y < 0 ? -angle : angle
  }
}

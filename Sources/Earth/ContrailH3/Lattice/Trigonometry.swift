/// Sine, cosine and arc tangent in basic arithmetic, two at a time, with the same results on every machine.
///
/// The polynomials interpolate at Chebyshev nodes (`Scripts/oracles/h3_frames.py`). Results are within about 3e-16 of
/// the exact value.
enum Trigonometry {
  /// Returns the sine and cosine of two angles within ±360 degrees.
  @inline(__always)
  static func sineCosine(degrees: SIMD2<Double>) -> (sine: SIMD2<Double>, cosine: SIMD2<Double>) {
    // Adding and subtracting 1.5 · 2^52 rounds to the nearest integer. The remainder after removing quarter turns is
    // exact.
    let shifter = SIMD2<Double>(repeating: 6_755_399_441_055_744)
    let quarters = (degrees * (1 / 90.0) + shifter) - shifter
    let x = (degrees - quarters * 90) * (Double.pi / 180)
    let s = x * x
    var sine = SIMD2<Double>(repeating: 1.5894736651849094e-10)
    sine = sine * s - 2.5050716974102745e-08
    sine = sine * s + 2.755731337640013e-06
    sine = sine * s - 0.000198412698286503
    sine = sine * s + 0.008333333333320363
    sine = sine * s - 0.16666666666666616
    sine = sine * s * x + x
    var cosine = SIMD2<Double>(repeating: -1.1353379638297575e-11)
    cosine = cosine * s + 2.0875582380663952e-09
    cosine = cosine * s - 2.7557313097790086e-07
    cosine = cosine * s + 2.4801587283881152e-05
    cosine = cosine * s - 0.0013888888888861095
    cosine = cosine * s + 0.04166666666666645
    cosine = cosine * s - 0.5
    cosine = cosine * s + 1
    let a = turned(sine[0], cosine[0], quarters: quarters[0])
    let b = turned(sine[1], cosine[1], quarters: quarters[1])
    return (SIMD2(a.0, b.0), SIMD2(a.1, b.1))
  }

  @inline(__always)
  private static func turned(_ sine: Double, _ cosine: Double, quarters: Double) -> (Double, Double) {
    let turn = Int32(quarters) & 3
    let s = turn & 1 == 0 ? sine : cosine
    let c = turn & 1 == 0 ? cosine : sine
    return (turn & 2 == 0 ? s : -s, (turn &+ 1) & 2 == 0 ? c : -c)
  }

  /// Returns the angles, in radians from −π to π, of two vectors (x, y).
  @inline(__always)
  static func arcTangent(y: SIMD2<Double>, x: SIMD2<Double>) -> SIMD2<Double> {
    let ax = SIMD2(x[0].magnitude, x[1].magnitude)
    let ay = SIMD2(y[0].magnitude, y[1].magnitude)
    let isSteep = ay .> ax
    let small = ay.replacing(with: ax, where: isSteep)
    let large = ax.replacing(with: ay, where: isSteep)
    // Beyond 22.5°, measure from 45°, so that the polynomial's argument stays within ±tan 22.5°.
    let isFar = small .> large * 0.414_213_562_373_095_05
    let numerator = small.replacing(with: small - large, where: isFar)
    let denominator = large.replacing(with: small + large, where: isFar)
    let u = numerator / denominator.replacing(with: 1, where: denominator .== 0)
    let s = u * u
    var p = SIMD2<Double>(repeating: -0.017805397205419446)
    p = p * s + 0.03796525745386593
    p = p * s - 0.05035102456601552
    p = p * s + 0.05846878297330872
    p = p * s - 0.06662951813629191
    p = p * s + 0.07692045330902225
    p = p * s - 0.09090896809064027
    p = p * s + 0.11111110744919658
    p = p * s - 0.14285714279250245
    p = p * s + 0.19999999999940893
    p = p * s - 0.3333333333333312
    var angle = p * s * u + u
    angle = angle.replacing(with: angle + (Double.pi / 4), where: isFar)
    angle = angle.replacing(with: (Double.pi / 2) - angle, where: isSteep)
    angle = angle.replacing(with: Double.pi - angle, where: x .< 0)
    return SIMD2(
      Double(signOf: y[0], magnitudeOf: angle[0]), Double(signOf: y[1], magnitudeOf: angle[1]))
  }
}

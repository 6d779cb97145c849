/// The magnetic declination at sea level by the World Magnetic Model of NOAA NCEI and the British Geological Survey.
///
/// The field is the gradient of a series of spherical harmonics of degree 12 (The US/UK World Magnetic Model for
/// 2020-2025, doi:10.25923/ytk1-yx35). The result has the same bits on every machine, so that a delta file can store
/// the difference from it.
struct MagneticModel: Sendable {
  /// A set of coefficients. The raw values are stored in files.
  enum Edition: Int, CaseIterable, Sendable {
    case wmm2020 = 1
    case wmm2025 = 2

    var epoch: Double {
      switch self {
      case .wmm2020: 2020
      case .wmm2025: 2025
      }
    }
  }

  private static let degree = 12
  private static let stride = degree + 1
  /// The equatorial and polar radii of WGS 84 and the reference radius of the model, in kilometres.
  private static let (equator, pole, reference) = (6378.137, 6356.7523142, 6371.2)

  let edition: Edition
  /// The date as a decimal year.
  let year: Double

  /// The coefficients of the cosines and sines for the date, and the factors of the recursion, by degree and order.
  private var cosines: [Double]
  private var sines: [Double]
  private var factors: [Double]
  /// The Legendre functions without normalisation, and their derivatives.
  private var legendre = [Double](repeating: 0, count: stride * stride)
  private var slopes = [Double](repeating: 0, count: stride * stride)

  init(_ edition: Edition, year: Double) {
    self.edition = edition
    self.year = year
    cosines = [Double](repeating: 0, count: Self.stride * Self.stride)
    (sines, factors) = (cosines, cosines)
    let tenths = edition.tenths
    let elapsed = year - edition.epoch
    var next = 0
    var zonal = 1.0
    for n in 1...Self.degree {
      zonal = zonal * Double(2 * n - 1) / Double(n)
      // The Schmidt normalisation of each function is applied to its coefficients once.
      var norm = zonal
      for m in 0...n {
        if m > 0 { norm *= (Double((n - m + 1) * (m == 1 ? 2 : 1)) / Double(n + m)).squareRoot() }
        func value(_ index: Int) -> Double { norm * (Double(tenths[next + index]) / 10) }
        cosines[n * Self.stride + m] = value(0) + elapsed * value(2)
        sines[n * Self.stride + m] = value(1) + elapsed * value(3)
        factors[n * Self.stride + m] =
          n == 1 ? 0 : Double((n - 1) * (n - 1) - m * m) / Double((2 * n - 1) * (2 * n - 3))
        next += 4
      }
    }
  }

  /// Returns the declination in degrees, positive east. Returns zero at a pole, where it isn't defined.
  mutating func declination(latitude: Double, longitude: Double) -> Double {
    let (sinLatitude, cosLatitude) = PortableMath.sineAndCosine(latitude * .pi / 180)
    let (sinLongitude, cosLongitude) = PortableMath.sineAndCosine(longitude * .pi / 180)
    let (sin2, cos2) = (sinLatitude * sinLatitude, cosLatitude * cosLatitude)
    let (a2, b2) = (Self.equator * Self.equator, Self.pole * Self.pole)
    let (a4, b4, c2) = (a2 * a2, b2 * b2, a2 - b2)
    // From geodetic to spherical coordinates.
    let q = (a2 - c2 * sin2).squareRoot()
    let r = ((a4 - (a4 - b4) * sin2) / (q * q)).squareRoot()
    let ratio = a2 / b2
    let cosTheta = sinLatitude / (ratio * ratio * cos2 + sin2).squareRoot()
    let sinTheta = (1 - cosTheta * cosTheta).squareRoot()
    let d = (a2 * cos2 + b2 * sin2).squareRoot()
    let (cosTurn, sinTurn) = (d / r, c2 * cosLatitude * sinLatitude / (r * d))
    guard sinTheta > 0 else { return 0 }
    var sinM = [Double](repeating: 0, count: Self.stride)
    var cosM = [Double](repeating: 1, count: Self.stride)
    (sinM[1], cosM[1]) = (sinLongitude, cosLongitude)
    for m in 2...Self.degree {
      sinM[m] = sinLongitude * cosM[m - 1] + cosLongitude * sinM[m - 1]
      cosM[m] = cosLongitude * cosM[m - 1] - sinLongitude * sinM[m - 1]
    }
    let scale = Self.reference / r
    var power = scale * scale
    var (radial, south, east) = (0.0, 0.0, 0.0)
    legendre[0] = 1
    slopes[0] = 0
    for n in 1...Self.degree {
      power *= scale
      for m in 0...n {
        let at = n * Self.stride + m
        let above = at - Self.stride
        if m == n {
          legendre[at] = sinTheta * legendre[above - 1]
          slopes[at] = sinTheta * slopes[above - 1] + cosTheta * legendre[above - 1]
        } else {
          let (p, dp) = m > n - 2 ? (0, 0) : (legendre[above - Self.stride], slopes[above - Self.stride])
          legendre[at] = cosTheta * legendre[above] - factors[at] * p
          slopes[at] = cosTheta * slopes[above] - sinTheta * legendre[above] - factors[at] * dp
        }
        let par = power * legendre[at]
        var (with, across) = (cosines[at] * cosM[m], cosines[at] * sinM[m])
        if m > 0 {
          with += sines[at] * sinM[m]
          across -= sines[at] * cosM[m]
        }
        south -= power * with * slopes[at]
        east += Double(m) * across * par
        radial += Double(n + 1) * with * par
      }
    }
    let north = -south * cosTurn - radial * sinTurn
    east /= sinTheta
    guard north != 0 || east != 0 else { return 0 }
    return PortableMath.angle(y: east, x: north) * (180 / .pi)
  }
}

// The series of Karney 2013 in the third flattening n and the expansion parameter ε, to the sixth order.

extension Geodesic {
  /// A number whose square is slightly above zero.
  static let tiny = 1.491_668_146_240_041_3e-154

  /// n, the third flattening of WGS 84.
  static let n = Earth.flattening / (2 - Earth.flattening)
  /// e², the squared eccentricity.
  static let e2 = Earth.flattening * (2 - Earth.flattening)
  /// e′², the squared second eccentricity.
  static let ep2 = e2 / ((1 - Earth.flattening) * (1 - Earth.flattening))
  /// The polar radius in metres.
  static let b = Earth.equatorialRadiusMeters * (1 - Earth.flattening)

  /// Coefficients of sin 2lσ, l = 1…6.
  typealias Six = (Double, Double, Double, Double, Double, Double)

  /// ε for k², eq. 16.
  @inline(__always) static func epsilon(_ k2: Double) -> Double { k2 / (2 * (1 + (1 + k2).squareRoot()) + k2) }

  /// Returns the last two terms of Clenshaw's recurrence.
  @inline(__always) private static func clenshaw(_ s: Double, _ c: Double, _ k: Six) -> (y1: Double, y0: Double) {
    let x = 2 * (c - s) * (c + s)
    var (y1, y0) = (0.0, k.5)
    (y1, y0) = (y0, x * y0 - y1 + k.4)
    (y1, y0) = (y0, x * y0 - y1 + k.3)
    (y1, y0) = (y0, x * y0 - y1 + k.2)
    (y1, y0) = (y0, x * y0 - y1 + k.1)
    (y1, y0) = (y0, x * y0 - y1 + k.0)
    return (y1, y0)
  }

  /// Returns the sum of cₗ sin 2lσ.
  @inline(__always) static func sineSum(_ s: Double, _ c: Double, _ k: Six) -> Double {
    2 * s * c * clenshaw(s, c, k).y0
  }

  /// A₁, eq. 17.
  static func a1(_ e: Double) -> Double {
    let q = e * e
    return (1 + q * (1.0 / 4 + q * (1.0 / 64 + q / 256))) / (1 - e)
  }

  /// C₁, eq. 18.
  static func c1(_ e: Double) -> Six {
    let q = e * e
    let e3 = q * e
    return (
      e * (-1.0 / 2 + q * (3.0 / 16 - q / 32)),
      q * (-1.0 / 16 + q * (1.0 / 32 - q * 9 / 2048)),
      e3 * (-1.0 / 48 + q * 3 / 256),
      q * q * (-5.0 / 512 + q * 3 / 512),
      q * e3 * (-7.0 / 1280),
      e3 * e3 * (-7.0 / 2048)
    )
  }

  /// C′₁, the inverse of C₁, eq. 21.
  static func c1Inverse(_ e: Double) -> Six {
    let q = e * e
    let e3 = q * e
    return (
      e * (1.0 / 2 + q * (-9.0 / 32 + q * 205 / 1536)),
      q * (5.0 / 16 + q * (-37.0 / 96 + q * 1335 / 4096)),
      e3 * (29.0 / 96 - q * 75 / 128),
      q * q * (539.0 / 1536 - q * 2391 / 2560),
      q * e3 * (3467.0 / 7680),
      e3 * e3 * (38081.0 / 61440)
    )
  }

  /// A₂, eq. 42.
  static func a2(_ e: Double) -> Double {
    let q = e * e
    return (1 + q * (1.0 / 4 + q * (9.0 / 64 + q * 25 / 256))) * (1 - e)
  }

  /// C₂, eq. 43.
  static func c2(_ e: Double) -> Six {
    let q = e * e
    let e3 = q * e
    return (
      e * (1.0 / 2 + q * (1.0 / 16 + q / 32)),
      q * (3.0 / 16 + q * (1.0 / 32 + q * 35 / 2048)),
      e3 * (5.0 / 48 + q * 5 / 256),
      q * q * (35.0 / 512 + q * 7 / 512),
      q * e3 * (63.0 / 1280),
      e3 * e3 * (77.0 / 2048)
    )
  }

  /// A₃, eq. 24.
  static func a3(_ e: Double) -> Double {
    1
      - e
      * ((1 - n) / 2
        + e
        * ((1.0 / 4 + n * (1.0 / 8 - n * 3 / 8))
          + e * ((1.0 / 16 + n * (3.0 / 16 + n / 16)) + e * ((3.0 / 64 + n / 32) + e * 3 / 128))))
  }

  /// C₃, eq. 25; the sixth coefficient is zero at this order.
  static func c3(_ e: Double) -> Six {
    let q = e * e
    let e3 = q * e
    let c31 =
      (1 - n) / 4 + e
      * ((1 - n * n) / 8 + e * (3.0 / 64 + n * (3.0 / 64 - n / 64) + e * (5.0 / 128 + n / 64 + e * 3 / 128)))
    let c32 =
      1.0 / 16 + n * (-3.0 / 32 + n / 32)
      + e * (3.0 / 64 + n * (-1.0 / 32 - n * 3 / 64) + e * (3.0 / 128 + n / 128 + e * 5 / 256))
    let c33 = 5.0 / 192 + n * (-3.0 / 64 + n * 5 / 192) + e * (3.0 / 128 - n * 5 / 192 + e * 7 / 512)
    let c34 = 7.0 / 512 - n * 7 / 256 + e * 7 / 512
    return (e * c31, q * c32, e3 * c33, q * q * c34, q * e3 * (21.0 / 2560), 0)
  }

  /// C₄ of eq. 62: the coefficients of cos (2l+1)σ, l = 0…5, each a polynomial in ε (constant term first) times εˡ.
  ///
  /// Its polynomials in n are evaluated at the n of WGS 84. The values are from GeographicLib 2.1 (MIT), which provides
  /// the sixth order.
  private static let c4Table: [[Double]] = [
    [
      0.666_219_089_464_260_3, -0.199_233_215_559_842_39, -0.019_217_322_232_448_65, 0.034_742_279_454_780_166,
      0.003_503_762_721_287_278_7, 0.006_460_206_460_206_46,
    ],
    [
      0.022_137_023_951_093_6, -0.018_934_136_912_355_92, -0.009_510_765_372_597_735, 0.003_426_620_602_971_002,
      0.000_111_000_111_000_111,
    ],
    [0.007_584_982_177_746_079, -0.005_042_251_763_050_09, -0.004_142_006_291_321_442, 0.000_745_920_745_920_745_9],
    [0.003_610_426_591_343_891_3, -0.001_962_613_370_670_692, -0.002_156_573_585_145_013_8],
    [0.002_041_664_991_331_773_5, -0.000_947_200_947_200_947_2],
    [0.001_291_637_655_264_018_9],
  ]

  static func c4(_ e: Double) -> Six {
    var power = 1.0
    var result: Six = (0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &result) { bytes in
      let values = bytes.bindMemory(to: Double.self)
      for (order, row) in c4Table.enumerated() where order < values.count {
        values[order] = row.reversed().reduce(0) { $0 * e + $1 } * power
        power *= e
      }
    }
    return result
  }

  /// Returns the sum of cₗ cos (2l+1)σ.
  static func cosineSum(_ s: Double, _ c: Double, _ k: Six) -> Double {
    let (y1, y0) = clenshaw(s, c, k)
    return c * (y0 - y1)
  }
}

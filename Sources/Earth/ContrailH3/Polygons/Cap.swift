import ContrailGeodesy

/// A circle on the sphere that contains the centres of all descendants of a cell, and its latitude-longitude box.
struct Cap {
  /// The centre of the circle, which is the cell's centre, in radians.
  var latitude: Double
  var longitude: Double
  /// Half the height of the box, in radians.
  var halfHeight: Double
  /// Half the width of the box, in radians; nil if the circle is near a pole and includes all longitudes.
  var halfWidth: Double?

  /// The maximum distance of a descendant's centre from the cell's, in the cell's lattice units: 1/√7 + 1/7 + …,
  /// rounded up.
  ///
  /// A step in the plane of a face is never longer on the sphere, and of equal length at the face's centre.
  static let descent = 0.6077
  /// The distance of a cell's vertices from its centre, in the same units: 1/√3, rounded up.
  static let circumradius = 0.5774
  /// The lattice unit of a resolution in a face's plane, in radians. It decreases by √7 per resolution.
  @inline(__always)
  static func unit(_ resolution: Int) -> Double { units[resolution & 15] }

  private static let units: [Double] = [
    0.381966011250105, 0.14436958214958248, 0.05456657303572929, 0.020624226021368926, 0.007795224719389898,
    0.0029463180030527038, 0.001113603531341414, 0.000420902571864672, 0.00015908621876305914, 6.012893883781029e-05,
    2.272660268043702e-05, 8.58984840540147e-06, 3.246657525776717e-06, 1.2271212007716384e-06, 4.6380821796810245e-07,
    1.7530302868166264e-07,
  ]

  /// Creates the circle around a point.
  ///
  /// - Parameters:
  ///   - vector: The centre.
  ///   - radius: The radius in radians, less than π/2.
  @inline(__always)
  init(_ vector: SIMD3<Double>, radius: Double) {
    let levelSquared = vector.x * vector.x + vector.y * vector.y
    let level = levelSquared.squareRoot()
    let angles = Trigonometry.arcTangent(y: SIMD2(vector.z, vector.y), x: SIMD2(level, vector.x))
    (latitude, longitude, halfHeight) = (angles[0], angles[1], radius)
    // sin w = sin r / cos φ for the true half width w; tan w exceeds w, and r exceeds sin r.
    let squared = radius * radius * (levelSquared + vector.z * vector.z) / levelSquared
    halfWidth = squared < 0.9 ? (squared / (1 - squared)).squareRoot() : nil
  }
}

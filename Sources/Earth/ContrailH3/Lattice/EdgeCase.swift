import CContrail
import ContrailGeodesy

/// The cell of a point that is so close to an edge that rounding determines the result.
///
/// The computation follows the steps of libh3 (H3 4.5, `latLng.c`, `faceijk.c`, `coordijk.h`), which use angles. All
/// operations are in the same order, so that with the same libm the result is identical to the last bit.
enum EdgeCase {
  @inline(never)
  static func lattice(of coordinate: Coordinate, resolution: Int) -> Lattice {
    let latitude = coordinate.latitude * 0.017453292519943295
    let longitude = coordinate.longitude * 0.017453292519943295
    let level = contrail_cos(latitude)
    let point = SIMD3(contrail_cos(longitude) * level, contrail_sin(longitude) * level, contrail_sin(latitude))
    let (face, squaredDistance) = nearestFace(point)
    let (x, y) = plane(point, face: face, squaredDistance: squaredDistance, resolution: resolution)
    let (i, j) = rounded(x: x, y: y)
    return Lattice(face: face, i: i, j: j)
  }

  private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }

  private static func normalised(_ a: SIMD3<Double>) -> SIMD3<Double> {
    let norm = dot(a, a).squareRoot()
    return a * (norm > 0 ? 1 / norm : 0)
  }

  private static func centre(_ face: Int) -> SIMD3<Double> {
    SIMD3(
      FaceTables.publishedCentre[3 * face], FaceTables.publishedCentre[3 * face + 1],
      FaceTables.publishedCentre[3 * face + 2])
  }

  private static func nearestFace(_ point: SIMD3<Double>) -> (face: Int, squaredDistance: Double) {
    var nearest = (face: 0, squaredDistance: 5.0)
    for face in 0..<20 {
      let between = centre(face) - point
      let squared = dot(between, between)
      if squared < nearest.squaredDistance { nearest = (face, squared) }
    }
    return nearest
  }

  private static func positive(_ radians: Double) -> Double {
    let turned = radians < 0 ? radians + 2 * Double.pi : radians
    return radians >= 2 * Double.pi ? turned - 2 * Double.pi : turned
  }

  /// Returns the point in the face's plane, with x along the i axis, in lattice units of the resolution.
  private static func plane(
    _ point: SIMD3<Double>, face: Int, squaredDistance: Double, resolution: Int
  ) -> (x: Double, y: Double) {
    var radius = contrail_acos(1 - squaredDistance * 0.5)
    if radius < 1e-16 { return (0, 0) }
    let centre = centre(face)
    let pole = SIMD3(0.0, 0.0, 1.0)
    let north = normalised(pole + (-dot(pole, centre)) * centre)
    let east = SIMD3(
      north.y * centre.z - north.z * centre.y, north.z * centre.x - north.x * centre.z,
      north.x * centre.y - north.y * centre.x)
    let across = normalised(point + (-dot(point, centre)) * centre)
    let azimuth = contrail_atan2(dot(across, east), dot(across, north))
    var theta = positive(FaceTables.publishedAzimuth[face] - positive(azimuth))
    if resolution & 1 == 1 { theta = positive(theta - 0.333473172251832115336090755351601070065900389) }
    radius = contrail_tan(radius) * 2.61803398874989588842
    for _ in 0..<resolution { radius *= 2.6457513110645905905016157536392604257102 }
    return (radius * contrail_cos(theta), radius * contrail_sin(theta))
  }

  /// Returns the nearest lattice point, computed in one quadrant and mirrored to the others.
  private static func rounded(x: Double, y: Double) -> (i: Int, j: Int) {
    let across = y.magnitude * 1.1547005383792515290182975610039149112953
    let along = x.magnitude + across / 2
    let m = Int(along)
    let n = Int(across)
    let r = along - Double(m)
    let s = across - Double(n)
    var i = m
    var j = n
    if r < 0.5 {
      if r < 1.0 / 3.0 {
        if !(s < (1 + r) / 2) { j += 1 }
      } else {
        if !(s < 1 - r) { j += 1 }
        if 1 - r <= s && s < 2 * r { i += 1 }
      }
    } else if r < 2.0 / 3.0 {
      if !(s < 1 - r) { j += 1 }
      if !(2 * r - 1 < s && s < 1 - r) { i += 1 }
    } else {
      i += 1
      if !(s < r / 2) { j += 1 }
    }
    if x < 0 {
      if j % 2 == 0 {
        i -= 2 * (i - j / 2)
      } else {
        i -= 2 * (i - (j + 1) / 2) + 1
      }
    }
    if y < 0 {
      i -= (2 * j + 1) / 2
      j = -j
    }
    return (i, j)
  }
}

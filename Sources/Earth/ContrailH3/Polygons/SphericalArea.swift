import CContrail
import ContrailGeodesy

/// Areas on the unit sphere, bounded by great circles.
enum SphericalArea {
  /// Returns the area to the left of a loop, 0 to 4π, as the sum of Cagnoli's term over its edges.
  static func steradians(_ loop: some RandomAccessCollection<Coordinate>) -> Double {
    guard var last = loop.last else { return 0 }
    var sum = 0.0
    var lost = 0.0
    for point in loop {
      // Kahan summation: the rounding error of each addition is carried to the next.
      let term = cagnoli(last, point) - lost
      let total = sum + term
      lost = (total - sum) - term
      sum = total
      last = point
    }
    return sum < 0 ? sum + 4 * Double.pi : sum
  }

  private static func cagnoli(_ a: Coordinate, _ b: Coordinate) -> Double {
    let x = a.latitude * (Double.pi / 360) + Double.pi / 4
    let y = b.latitude * (Double.pi / 360) + Double.pi / 4
    var degrees = b.longitude - a.longitude
    // Normalize before rounding: whole turns would cost small differences their precision.
    if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
    let across = degrees * (Double.pi / 180)
    let sines = contrail_sin(x) * contrail_sin(y)
    let cosines = contrail_cos(x) * contrail_cos(y)
    return -2 * contrail_atan2(sines * contrail_sin(across), sines * contrail_cos(across) + cosines)
  }

  /// Returns the area of a small counter-clockwise loop around a point, as the sum of the triangles from the point to
  /// the edges.
  ///
  /// Only differences are used, so that no precision is lost, even at the poles.
  static func steradians(about center: Coordinate, _ loop: some RandomAccessCollection<Coordinate>) -> Double {
    guard let last = loop.last else { return 0 }
    let c = Projection.unitVector(center)
    var a = Projection.unitVector(last)
    var sum = 0.0
    for point in loop {
      let b = Projection.unitVector(point)
      let (u, v) = (a - c, b - c)
      let x = u.y * v.z - u.z * v.y
      let y = u.z * v.x - u.x * v.z
      let z = u.x * v.y - u.y * v.x
      // Source: Van Oosterom and Strackee (1983), doi:10.1109/TBME.1983.325207.
      sum += 2 * contrail_atan2(c.x * x + c.y * y + c.z * z, 1 + (a * b).sum() + (b * c).sum() + (c * a).sum())
      a = b
    }
    return sum
  }
}

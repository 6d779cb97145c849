import ContrailGeodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Areas on the unit sphere between great circles.
enum SphericalArea {
  /// The area to the left of a loop, 0 to 4π: the sum of Cagnoli's term over its edges.
  static func steradians(_ loop: some RandomAccessCollection<Coordinate>) -> Double {
    guard var last = loop.last else { return 0 }
    var sum = 0.0
    var lost = 0.0
    for point in loop {
      // Kahan's sum: what one addition loses is given to the next.
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
    let across = (b.longitude - a.longitude) * (Double.pi / 180)
    let sines = sin(x) * sin(y)
    let cosines = cos(x) * cos(y)
    return -2 * atan2(sines * sin(across), sines * cos(across) + cosines)
  }
}

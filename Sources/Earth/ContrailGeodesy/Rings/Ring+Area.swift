extension Ring {
  /// The area on WGS 84 in square metres, with edges straight in longitude and latitude.
  ///
  /// If the ring crosses itself, clockwise parts count as negative. For geodesic edges, see ``Geodesic/area(of:)``.
  ///
  /// - Complexity: O(*n*).
  public var areaSquareMeters: Double {
    // Green's theorem: minus the integral along the ring of the area down to the equator, per radian of longitude.
    var sum = 0.0
    for index in plane.indices.dropFirst() {
      let (a, b) = (plane[index - 1], plane[index])
      let run = Double(b.longitudeE7 - a.longitudeE7) * (Earth.radian / 1e7)
      let (start, end) = (Double(a.latitudeE7) * (Earth.radian / 1e7), Double(b.latitudeE7) * (Earth.radian / 1e7))
      sum -= run * Self.meanZone(start, end)
    }
    // A ring around the south pole has its area to the right.
    return pole == .south ? -sum : sum
  }

  /// Returns the mean over a range of latitudes of the area between the equator and a latitude, per radian of
  /// longitude.
  private static func meanZone(_ start: Double, _ end: Double) -> Double {
    if start == end { return zone(start) }
    // Five-point Gauss–Legendre quadrature on pieces of at most 10°, with an error of 1e-13.
    let parts = max((abs(end - start) / (10 * Earth.radian)).rounded(.up), 1)
    let width = (end - start) / parts
    var sum = 0.0
    for part in 0..<Int(parts) {
      let middle = start + (Double(part) + 0.5) * width
      for (node, weight) in zip(gaussNodes, gaussWeights) { sum += weight * zone(middle + node * width / 2) }
    }
    return sum / 2 / parts
  }

  private static let gaussNodes = [
    0, 0.538_469_310_105_683_1, -0.538_469_310_105_683_1, 0.906_179_845_938_664, -0.906_179_845_938_664,
  ]
  private static let gaussWeights = [
    0.568_888_888_888_888_9, 0.478_628_670_499_366_5, 0.478_628_670_499_366_5, 0.236_926_885_056_189_1,
    0.236_926_885_056_189_1,
  ]

  /// Returns the area between the equator and a latitude, per radian of longitude.
  ///
  /// Snyder 1987, "Map projections", eq. 3-12, as an area: *b*²/2 (sin φ / (1 − e² sin² φ) + artanh(e sin φ) / e).
  private static func zone(_ latitude: Double) -> Double {
    let (s, e) = (Libm.sin(latitude), Geodesic.e2.squareRoot())
    return Geodesic.b * Geodesic.b / 2 * (s / (1 - Geodesic.e2 * s * s) + Libm.atanh(e * s) / e)
  }
}

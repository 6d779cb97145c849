extension Geodesic {
  /// The squared radius of the sphere with the earth's surface area, in m².
  static let squaredAuthalicRadius: Double = {
    let e = e2.squareRoot()
    return (Earth.equatorialRadiusMeters * Earth.equatorialRadiusMeters + b * b * Libm.atanh(e) / e) / 2
  }()

  /// The surface area of WGS 84, in square metres.
  public static let earthAreaSquareMeters = 4 * Double.pi * squaredAuthalicRadius

  /// Returns the area of a polygon with geodesic edges, in square metres: positive counter-clockwise, negative
  /// clockwise.
  ///
  /// The last point may repeat the first. The area of a polygon around a pole is measured to the pole on its left. Of
  /// the two areas that the boundary separates, the smaller one is returned. The result is NaN if a point is invalid.
  /// Karney 2013, section 6.
  ///
  /// - Complexity: O(*n*), with one to two microseconds per edge.
  public static func area(of polygon: [Coordinate]) -> Double {
    guard let first = polygon.first else { return 0 }
    var sum = CompensatedSum()
    var crossings = 0
    var previous = first
    for point in polygon.dropFirst() + [first] {
      guard let edge = InverseSolution(from: previous, to: point, withArea: true) else { return .nan }
      sum.add(edge.areaBelow)
      crossings += transit(from: previous.longitude, to: point.longitude)
      previous = point
    }
    // The sum contains the areas below eastward edges, which is the area to the right.
    let area = sum.value.remainder(dividingBy: earthAreaSquareMeters)
    guard crossings % 2 != 0 else { return -area }
    // The sum is the area down to the equator, which differs from that to the pole by half the earth.
    return -(area + (area < 0 ? 1 : -1) * earthAreaSquareMeters / 2)
  }

  /// Returns 1 for an edge that crosses the meridian of Greenwich eastwards, −1 westwards, otherwise 0.
  private static func transit(from a: Double, to b: Double) -> Int {
    let start = wrapped(a)
    let end = wrapped(b)
    var step = (end - start).remainder(dividingBy: 360)
    if step == -180 { step = 180 }
    if step > 0, start < 0, end >= 0 { return 1 }
    if step < 0, start >= 0, end < 0 { return -1 }
    return 0
  }

  private static func wrapped(_ longitude: Double) -> Double {
    let rest = longitude.remainder(dividingBy: 360)
    return rest == 180 ? -180 : rest
  }

  /// Neumaier's summation: terms of the size of the earth may cancel to areas of any size.
  private struct CompensatedSum {
    private var sum = 0.0
    private var rest = 0.0
    var value: Double { sum + rest }

    mutating func add(_ term: Double) {
      let next = sum + term
      rest += abs(sum) >= abs(term) ? (sum - next) + term : (term - next) + sum
      sum = next
    }
  }
}

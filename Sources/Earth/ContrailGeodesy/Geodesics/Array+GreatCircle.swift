extension Array where Element: GeographicPoint {
  /// The length along great circles, in nautical miles.
  public var lengthNM: Double {
    var sum = 0.0
    for index in indices.dropFirst() { sum += self[index - 1].coordinate.distanceNM(to: self[index].coordinate) }
    return sum
  }

  /// Returns the distance from a point to the nearest point of the route, in nautical miles.
  ///
  /// The distance is infinite if the route is empty.
  ///
  /// - Complexity: O(*n*).
  public func distanceNM(to point: Coordinate) -> Double {
    guard count > 1 else { return first?.coordinate.distanceNM(to: point) ?? .infinity }
    var least = Double.infinity
    for index in indices.dropFirst() {
      least = Swift.min(least, point.distanceNM(toLegFrom: self[index - 1].coordinate, to: self[index].coordinate))
    }
    return least
  }

  /// Returns the route with points added, so that no leg exceeds `maximumNM`.
  ///
  /// The points are added along the great circles, evenly within each leg; the given points are unchanged. Nothing is
  /// added if the maximum is not a positive number, or next to a point that is not finite. A leg is divided into at
  /// most ``Coordinate/mostPartsPerLeg`` parts.
  public func densified(maximumNM: Double) -> [Element] {
    guard maximumNM > 0, let first else { return self }
    var result = [first]
    result.reserveCapacity(count)
    for index in indices.dropFirst() {
      let (a, b) = (self[index - 1].coordinate, self[index].coordinate)
      let parts = (a.distanceNM(to: b) / maximumNM).rounded(.up)
      if parts.isFinite, parts > 1 {
        let count = Int(Swift.min(parts, Double(Coordinate.mostPartsPerLeg)))
        for part in 1..<count {
          result.append(Element(a.interpolated(to: b, fraction: Double(part) / Double(count))))
        }
      }
      result.append(self[index])
    }
    return result
  }

  /// Returns the point at a fraction of the route's length; nil if the route is empty.
  ///
  /// The fraction 0 is the first point, 1 the last.
  ///
  /// Fractions outside 0…1 return the nearest end.
  public func interpolated(fraction: Double) -> Element? {
    guard let first, let last else { return nil }
    guard fraction > 0 else { return first }
    guard fraction < 1 else { return last }
    var left = lengthNM * fraction
    for index in indices.dropFirst() {
      let (a, b) = (self[index - 1].coordinate, self[index].coordinate)
      let leg = a.distanceNM(to: b)
      if left <= leg { return leg > 0 ? Element(a.interpolated(to: b, fraction: left / leg)) : self[index] }
      left -= leg
    }
    return last
  }
}

extension Coordinate {
  /// The maximum number of parts into which a leg is divided by densifying.
  public static let mostPartsPerLeg = 100_000
}

extension Array where Element: GeographicPoint {
  /// The same line or ring with longitudes that run on across the antimeridian (beyond ±180°) instead of jumping.
  ///
  /// A ring round a pole is closed over it, by way of the pole's edge of the map. Points that are no coordinates come back as they are.
  public func unwrapped() -> [Element] {
    guard let path = PlanePath(asCoordinates) else { return self }
    return path.closedOverPole.map {
      Element(latitude: Double($0.y) / 1e7, longitude: Double($0.x) / 1e7)
    }
  }
}

extension PlanePath {
  /// The points, with those along the pole's edge of the map where the ring goes round the earth.
  var closedOverPole: [GridPoint] {
    guard isClosed, winding != 0 else { return points }
    let latitudes = points.dropLast().reduce(Int64(0)) { $0 + $1.y }
    let pole = (latitudes >= 0 ? 90 : -90) * FixedCoordinate.degree
    let end = points[points.count - 1]
    return points + [GridPoint(x: end.x, y: pole), GridPoint(x: points[0].x, y: pole), points[0]]
  }
}

/// A circle on the earth with all that lies within: a quick first test before exact ones.
///
/// On the sphere of ``Earth/meanRadiusMeters``, latitudes taken as they are.
public struct BoundingCap: Hashable, Sendable {
  /// The middle.
  public let center: Coordinate
  /// The radius in nautical miles.
  public let radiusNM: Double

  /// A cap by its middle and radius; a radius below 0 makes it a point.
  public init(center: Coordinate, radiusNM: Double) {
    self.center = center
    self.radiusNM = max(0, radiusNM)
  }

  /// A cap round points, at most some percent larger than the smallest; nil without points, or where one is no coordinate.
  ///
  /// Great-circle legs between the points lie within too, if the radius is less than a quarter of the earth.
  ///
  /// - Complexity: O(*n*).
  public init?(containing points: [some GeographicPoint]) {
    let vectors = points.lazy.map(\.coordinate).filter(\.isValid).map(UnitVector.init)
    guard vectors.count == points.count, let cap = BoundingCap(around: Array(vectors), margin: 0) else { return nil }
    self = cap
  }

  /// A cap round a ring's whole area.
  ///
  /// - Complexity: O(*n*).
  public init(containing ring: Ring) {
    let plane = ring.plane
    let extent = zip(plane, plane.dropFirst()).reduce(Int64(1)) { most, edge in
      max(most, abs(edge.1.longitudeE7 - edge.0.longitudeE7), abs(edge.1.latitudeE7 - edge.0.latitudeE7))
    }
    // Edges that are straight on the map bulge from great circles: points along them, and half their distance for what is between.
    let step = Double(extent) / 16
    var vectors: [UnitVector] = []
    for (a, b) in zip(plane, plane.dropFirst()) {
      let (dx, dy) = (Double(b.longitudeE7 - a.longitudeE7), Double(b.latitudeE7 - a.latitudeE7))
      let parts = max((max(abs(dx), abs(dy)) / step).rounded(.up), 1)
      for part in 0..<Int(parts) {
        let share = Double(part) / parts
        vectors.append(
          UnitVector(
            Coordinate(
              latitude: (Double(a.latitudeE7) + share * dy) / 1e7,
              longitude: (Double(a.longitudeE7) + share * dx) / 1e7)))
      }
    }
    let margin = step * 0.75e-7 * Earth.radian
    let whole = BoundingCap(center: Coordinate(latitude: 0, longitude: 0), radiusNM: .pi * Earth.meanRadiusNM)
    guard let cap = BoundingCap(around: vectors, margin: margin) else {
      self = whole
      return
    }
    // What lies outside the cap meets no edge, so it is all inside the ring or all outside.
    let opposite = -UnitVector(cap.center)
    self = ring.contains(opposite.coordinate) ? whole : cap
  }

  private init?(around vectors: [UnitVector], margin: Double) {
    guard !vectors.isEmpty else { return nil }
    var sum = UnitVector(x: 0, y: 0, z: 0)
    for vector in vectors { sum = sum + vector }
    var center = sum.normalised ?? vectors[0]
    // Towards the farthest, by ever smaller steps (Bădoiu and Clarkson 2003).
    for round in 1...24 {
      let farthest = vectors.min { $0.dot(center) < $1.dot(center) } ?? center
      center = (center + (farthest - center) * (1 / Double(round + 1))).normalised ?? center
    }
    let radius = vectors.reduce(0) { max($0, center.angle(to: $1)) }
    // A hair for rounding.
    self.init(
      center: center.coordinate, radiusNM: min(radius * (1 + 1e-12) + 1e-12 + margin, .pi) * Earth.meanRadiusNM)
  }

  /// Whether the point lies within, the rim included.
  public func contains(_ point: Coordinate) -> Bool { center.distanceNM(to: point) <= radiusNM }

  /// Whether two caps share a point.
  public func intersects(_ other: BoundingCap) -> Bool {
    center.distanceNM(to: other.center) <= radiusNM + other.radiusNM
  }
}

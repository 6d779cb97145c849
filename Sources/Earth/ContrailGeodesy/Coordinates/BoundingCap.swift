/// A circle on the earth, including its interior, for fast tests before exact ones.
///
/// It is computed on the sphere of ``Earth/meanRadiusMeters``, with unconverted latitudes.
public struct BoundingCap: Hashable, Sendable {
  /// The centre.
  public let center: Coordinate
  /// The radius in nautical miles.
  public let radiusNM: Double

  /// Creates a cap from its centre and radius. A negative radius counts as 0.
  public init(center: Coordinate, radiusNM: Double) {
    self.center = center
    self.radiusNM = max(0, radiusNM)
  }

  /// Creates a cap that contains points; nil if there are none, or if one is invalid.
  ///
  /// Its radius exceeds the smallest possible one by at most a few percent. It also contains the great-circle legs
  /// between the points, if the radius is less than a quarter of the earth's circumference.
  ///
  /// - Complexity: O(*n*).
  public init?(containing points: [some GeographicPoint]) {
    let vectors = points.lazy.map(\.coordinate).filter(\.isValid).map(UnitVector.init)
    guard vectors.count == points.count, let cap = BoundingCap(around: Array(vectors), margin: 0) else { return nil }
    self = cap
  }

  /// Creates a cap that contains the whole area of a ring.
  ///
  /// - Complexity: O(*n*).
  public init(containing ring: Ring) {
    let plane = ring.plane
    let extent = zip(plane, plane.dropFirst()).reduce(Int64(1)) { most, edge in
      max(most, abs(edge.1.longitudeE7 - edge.0.longitudeE7), abs(edge.1.latitudeE7 - edge.0.latitudeE7))
    }
    // Edges that are straight on the map deviate from great circles: sample points along them, and add half of their
    // distance.
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
    // No edge is outside the cap, so its exterior is entirely inside or entirely outside the ring.
    let opposite = -UnitVector(cap.center)
    self = ring.contains(opposite.coordinate) ? whole : cap
  }

  private init?(around vectors: [UnitVector], margin: Double) {
    guard !vectors.isEmpty else { return nil }
    var sum = UnitVector(x: 0, y: 0, z: 0)
    for vector in vectors { sum = sum + vector }
    var center = sum.normalised ?? vectors[0]
    // Move towards the farthest point, in decreasing steps (Bădoiu and Clarkson 2003).
    for round in 1...24 {
      let farthest = vectors.min { $0.dot(center) < $1.dot(center) } ?? center
      center = (center + (farthest - center) * (1 / Double(round + 1))).normalised ?? center
    }
    let radius = vectors.reduce(0) { max($0, center.angle(to: $1)) }
    // A small margin for rounding.
    self.init(
      center: center.coordinate, radiusNM: min(radius * (1 + 1e-12) + 1e-12 + margin, .pi) * Earth.meanRadiusNM)
  }

  /// Whether the point is within the cap, including its edge.
  public func contains(_ point: Coordinate) -> Bool { center.distanceNM(to: point) <= radiusNM }

  /// Whether two caps intersect.
  public func intersects(_ other: BoundingCap) -> Bool {
    center.distanceNM(to: other.center) <= radiusNM + other.radiusNM
  }
}

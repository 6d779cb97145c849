import ContrailGeodesy

/// A route as geodesics, with the distance along the route at the start of each leg.
struct RouteLine: Sendable {
  struct Leg: Sendable {
    var start: Coordinate
    var end: Coordinate
    var line: GeodesicLine
    var lengthNM: Double
    /// The distance along the route at the start of the leg.
    var startNM: Double
  }

  let points: [Coordinate]
  private(set) var legs: [Leg] = []
  private(set) var lengthNM = 0.0

  /// Creates the line of a route.
  ///
  /// - Throws: ``QueryError/route(index:)`` for the first invalid point.
  init(_ points: [Coordinate]) throws(QueryError) {
    self.points = points
    for (index, point) in points.enumerated() {
      guard point.isValid else { throw .route(index: index) }
      guard index > 0 else { continue }
      let way = Geodesic.inverse(from: points[index - 1], to: point)
      // A repeated point adds no leg.
      guard way.distanceMeters > 1, let line = GeodesicLine(from: points[index - 1], to: point) else { continue }
      legs.append(
        Leg(start: points[index - 1], end: point, line: line, lengthNM: way.distanceNM, startNM: lengthNM))
      lengthNM += way.distanceNM
    }
  }

  /// The position of an aircraft relative to the route.
  struct Progress: Hashable, Sendable {
    /// The distance from the start of the route, in nautical miles.
    var alongNM: Double
    /// The distance from the route, in nautical miles.
    var offNM: Double
  }

  /// The distance by which a leg against the direction of flight must be nearer to be chosen, in nautical miles.
  private static let oppositeNM = 10.0
  /// The penalty per nautical mile ahead of the last position.
  private static let jumpNM = 0.02
  /// The penalty per nautical mile behind the last position, which is higher because routes are flown forwards.
  private static let backNM = 0.05
  /// Legs farther than the nearest one by more than this distance are ignored.
  private static let reachNM = 25.0

  /// Returns the position of the aircraft relative to the route; nil without legs.
  ///
  /// The nearest leg is chosen. If several legs are about equally near, because the route crosses or repeats itself,
  /// the one that leads in the direction of flight and follows the last position is preferred.
  ///
  /// - Complexity: O(legs).
  func progress(of aircraft: AircraftPosition, after last: Double?) -> Progress? {
    let here = aircraft.coordinate
    let distances = legs.map { here.distanceNM(toLegFrom: $0.start, to: $0.end) }
    guard let nearest = distances.min() else { return nil }
    var best: (score: Double, progress: Progress)?
    for (leg, rough) in zip(legs, distances) where rough <= nearest + Self.reachNM {
      let foot = Self.foot(of: here, on: leg)
      var score = foot.offNM
      if let track = aircraft.knownTrack {
        score += Self.oppositeNM * (1 - Libm.sineAndCosine(degrees: foot.course - track).cosine) / 2
      }
      let progress = Progress(alongNM: leg.startNM + foot.alongNM, offNM: foot.offNM)
      if let last {
        let step = progress.alongNM - last
        score += step < 0 ? -step * Self.backNM : step * Self.jumpNM
      }
      if let best, score >= best.score - 1e-6 { continue }
      best = (score, progress)
    }
    return best?.progress
  }

  /// Returns the point of a leg nearest to a place.
  ///
  /// Starts at the point on the great circle, and iterates until the line to the place is perpendicular to the leg.
  private static func foot(
    of place: Coordinate, on leg: Leg
  ) -> (alongNM: Double, offNM: Double, course: Double) {
    var along = min(max(place.alongTrackNM(from: leg.start, to: leg.end), 0), leg.lengthNM)
    var position = leg.line.position(atMeters: along * Earth.metersPerNM)
    var way = Geodesic.inverse(from: position.coordinate, to: place)
    for _ in 0..<4 {
      let step = way.distanceNM * Libm.sineAndCosine(degrees: way.initialAzimuth - position.finalAzimuth).cosine
      let next = min(max(along + step, 0), leg.lengthNM)
      let isDone = abs(next - along) < 1e-4
      along = next
      if isDone { break }
      position = leg.line.position(atMeters: along * Earth.metersPerNM)
      way = Geodesic.inverse(from: position.coordinate, to: place)
    }
    return (along, way.distanceNM, position.finalAzimuth)
  }

  /// Returns the points of a part of the route, at most `stepNM` apart, each with its distance along the route.
  func part(from start: Double, to end: Double, stepNM: Double) -> [(point: Coordinate, alongNM: Double)] {
    var part: [(point: Coordinate, alongNM: Double)] = []
    for leg in legs {
      let (from, to) = (max(start, leg.startNM), min(end, leg.startNM + leg.lengthNM))
      guard from <= to, leg.startNM <= end, leg.startNM + leg.lengthNM >= start else { continue }
      let pieces = max(1, Int(((to - from) / stepNM).rounded(.up)))
      for piece in 0...pieces {
        let along = piece == pieces ? to : from + (to - from) * Double(piece) / Double(pieces)
        if let last = part.last, along <= last.alongNM { continue }
        part.append((leg.line.position(atMeters: (along - leg.startNM) * Earth.metersPerNM).coordinate, along))
      }
    }
    return part
  }
}

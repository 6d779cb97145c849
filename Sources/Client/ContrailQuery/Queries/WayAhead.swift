import ContrailGeodesy
import ContrailH3

/// The area ahead of the aircraft, in a plane centred on the aircraft.
///
/// The projection is azimuthal equidistant on WGS 84: every point is at its true distance and direction from the
/// aircraft. The plane has no poles and no antimeridian. Lengths are in nautical miles, with x east and y north.
///
/// Perpendicular to the direction to the aircraft, the projection stretches lengths by a fraction of (*d* / *R*)² / 6:
/// 0.02 % at 120 NM, 0.4 % at 500.
struct WayAhead {
  typealias Point = PlaneSegment.Point

  let mode: TurbulenceAlert.Mode
  private let origin: Coordinate
  private let ownCell: H3Cell?
  /// The line ahead, as straight stretches.
  private var stretches: [Stretch] = []
  /// The line ahead.
  private let line: [Coordinate]
  private let distanceNM: Double
  private let halfWidthNM: Double
  /// The cosine of half the beam's angle.
  private let beamCosine: Double

  private struct Stretch {
    var start: Point
    var along: Point
    var lengthNM: Double
    var startNM: Double

    /// Returns the distance of a point from the line, and the distance of its nearest point along the line.
    func nearest(to point: Point) -> (offNM: Double, alongNM: Double) {
      let way = point - start
      let share = min(max((way * along).sum(), 0), lengthNM)
      let rest = way - along * share
      return ((rest * rest).sum().squareRoot(), startNM + share)
    }
  }

  /// The upper bound of the distance from the centre of a hexagon of resolution 5 to its vertices, in nautical miles.
  static let hexagonNM = 7.0
  /// The distance from the aircraft beyond which nothing is in its way.
  var reachNM: Double { distanceNM + 2 * halfWidthNM + 2 * Self.hexagonNM }
  /// The maximum length of a stretch that is treated as straight.
  private static let stepNM = 25.0
  /// The distance by which the line must approach again to count as another pass.
  private static let passNM = 1.0

  /// Creates the area ahead of an aircraft.
  ///
  /// - Throws: Without a track, ``QueryError/offRoute(distanceNM:)`` away from the route, and ``QueryError/direction`` without a
  ///   route.
  init(
    _ query: AlertQuery, _ aircraft: AircraftPosition, route: RouteLine?, progress: RouteLine.Progress?
  ) throws(QueryError) {
    origin = aircraft.coordinate
    ownCell = try? H3Cell(aircraft.coordinate, resolution: 5)
    distanceNM = query.distanceNM
    halfWidthNM = query.widthNM / 2
    beamCosine = Libm.sineAndCosine(degrees: query.beamDegrees / 2).cosine
    if let route, let progress, progress.offNM <= query.widthNM / 2, progress.alongNM < route.lengthNM - 1e-3 {
      mode = .route
      // Extend the line, so that hexagons past the distance aren't treated as abeam of its end.
      let part = route.part(
        from: progress.alongNM, to: progress.alongNM + distanceNM + halfWidthNM, stepNM: Self.stepNM)
      line = part.map({ $0.point })
      let points = part.map { (point: planePoint($0.point), alongNM: $0.alongNM - progress.alongNM) }
      for (a, b) in zip(points, points.dropFirst()) { append(from: a.point, to: b.point, startNM: a.alongNM) }
      return
    }
    guard let track = aircraft.knownTrack else {
      guard route != nil, let progress else { throw .direction }
      guard progress.offNM <= query.widthNM / 2 else { throw .offRoute(distanceNM: progress.offNM) }
      // At the end of the route, nothing is ahead.
      mode = .route
      line = []
      return
    }
    mode = .beam
    let axis = GeodesicLine(from: aircraft.coordinate, azimuth: track)
    line = [aircraft.coordinate, axis.position(atMeters: distanceNM * Earth.metersPerNM).coordinate]
    let (sine, cosine) = Libm.sineAndCosine(degrees: track)
    append(from: .zero, to: Point(sine, cosine) * distanceNM, startNM: 0)
  }

  private mutating func append(from start: Point, to end: Point, startNM: Double) {
    let way = end - start
    let length = (way * way).sum().squareRoot()
    guard length > 1e-6 else { return }
    stretches.append(Stretch(start: start, along: way / length, lengthNM: length, startNM: startNM))
  }

  private func planePoint(_ coordinate: Coordinate) -> Point {
    let way = Geodesic.inverse(from: origin, to: coordinate)
    let (sine, cosine) = Libm.sineAndCosine(degrees: way.initialAzimuth)
    return Point(sine, cosine) * way.distanceNM
  }

  /// A ring around all cells that can be in the way; nil if they are everywhere.
  ///
  /// It is around the line: distances in the plane are never less than on the ground, and the margin is more than the difference between
  /// the lines of both.
  var ring: Ring? {
    let beamNM = distanceNM * (1 - beamCosine * beamCosine).squareRoot()
    let reachNM = Self.hexagonNM + (mode == .route ? halfWidthNM : beamNM)
    return (try? line.corridor(widthNM: 2 * (1.01 * reachNM + 1))).flatMap { try? Ring($0) }
  }

  /// Returns the distance ahead of a cell in nautical miles; nil if it isn't in the way.
  ///
  /// If the route passes a cell more than once, the first pass counts.
  ///
  /// - Complexity: O(stretches).
  func distanceNM(to cell: H3Cell) -> Double? {
    if cell == ownCell { return 0 }
    // Most cells are too far, by the spherical distance, whose error is less than 1 %.
    guard origin.distanceNM(to: cell.center) <= 1.01 * reachNM else { return nil }
    let center = planePoint(cell.center)
    switch mode {
    case .beam:
      let length = (center * center).sum().squareRoot()
      guard length <= distanceNM, let axis = stretches.first else { return nil }
      let ahead = (center * axis.along).sum()
      if length > 0, ahead >= beamCosine * length { return length }
      return ahead >= 0 && leads(through: cell, axis, off: axis.nearest(to: center).offNM) ? length : nil
    case .route:
      return alongRoute(to: cell, center)
    }
  }

  private func alongRoute(to cell: H3Cell, _ center: Point) -> Double? {
    /// The current pass: its smallest distance so far, and where. Cells behind the start of the line don't count.
    var pass: (offNM: Double, alongNM: Double, isMet: Bool)?
    var farthest = -Double.infinity
    func met(_ stretch: Stretch, _ off: Double, _ along: Double) -> Bool {
      if along <= 0, (center * stretch.along).sum() < (stretch.start * stretch.along).sum() - 1e-9 { return false }
      return along <= distanceNM && (off <= halfWidthNM || leads(through: cell, stretch, off: off))
    }
    for stretch in stretches {
      let (off, along) = stretch.nearest(to: center)
      if let current = pass {
        if off < current.offNM {
          pass = (off, along, met(stretch, off, along))
        } else if off > current.offNM + Self.passNM {
          if current.isMet { return current.alongNM }
          (pass, farthest) = (nil, off)
        }
      } else if off < farthest - Self.passNM || farthest < 0 {
        pass = (off, along, met(stretch, off, along))
      } else {
        farthest = max(farthest, off)
      }
    }
    guard let pass, pass.isMet else { return nil }
    return pass.alongNM
  }

  /// Whether a stretch passes through a cell, given the distance of its centre.
  private func leads(through cell: H3Cell, _ stretch: Stretch, off: Double) -> Bool {
    guard off <= Self.hexagonNM else { return false }
    let corners = cell.boundary.map(planePoint)
    let line = PlaneSegment(start: stretch.start, end: stretch.start + stretch.along * stretch.lengthNM)
    guard let last = corners.last else { return false }
    let edges = zip([last] + corners, corners).map { PlaneSegment(start: $0, end: $1) }
    // The corners run counter-clockwise.
    return edges.contains { $0.meets(line) } || edges.allSatisfy { $0.side(of: line.start) >= 0 }
  }
}

/// Computes the outline of all places within half the width of a route.
///
/// The computation has three steps. First, the route is mapped to the ``ConformalSphere``, with enough points for its
/// legs and their parallels to be straight there. Then a curve is traced at the given distance: along the right side,
/// around the end, along the left side, and around the start. At bends, it turns around the corner, forwards on the
/// outside and backwards on the inside. The curve encloses each place as often as the route passes it, so its outer
/// boundary (``Outline``) is that of the corridor. For most routes, the curve doesn't intersect itself and is the
/// boundary.
struct Corridor {
  private let halfWidthMeters: Double
  /// The half width in radians, with the mean radius as local radius.
  private let reference: Double
  private let sinReference: Double
  private let cosReference: Double
  private let sinHalfReference: Double
  private let cosHalfReference: Double
  /// The maximum turn per step of an arc. The chords are then 0.05 % closer than the arc.
  private let arcStep: Double

  private static let fineArcStep = Double.pi / 50

  init(halfWidthMeters: Double, arcStep: Double = Corridor.fineArcStep) {
    self.halfWidthMeters = halfWidthMeters
    self.arcStep = arcStep
    reference = halfWidthMeters / Earth.meanRadiusMeters
    sinReference = Libm.sin(reference)
    cosReference = Libm.cos(reference)
    sinHalfReference = Libm.sin(reference / 2)
    cosHalfReference = Libm.cos(reference / 2)
  }

  /// Returns the ring around a route, in 1e-7 degrees: counter-clockwise, closed, unwrapped.
  static func outline(of route: [Coordinate], widthNM: Double) throws(GeodesyError) -> PlanePath {
    guard widthNM >= GeodesyError.leastWidthNM, widthNM <= GeodesyError.mostWidthNM else { throw .width }
    guard !route.isEmpty else { throw .routeEmpty }
    guard route.count <= GeodesyError.mostRoutePoints else { throw .routeTooLong(route.count) }
    let halfWidth = widthNM / 2 * Earth.metersPerNM
    // Later attempts displace a boundary that passes through a pole or touches itself in a point, by less than the
    // specified error.
    var fault = GeodesyError.tooTangled
    for (stretch, steps) in [(1.0, 1.0), (1.000_1, 1.5), (0.999_83, 2.0)] {
      let corridor = Corridor(halfWidthMeters: halfWidth * stretch, arcStep: fineArcStep / steps)
      let line = try corridor.line(of: route, fineness: steps)
      do throws(GeodesyError) {
        if let ring = try corridor.outline(of: line) { return ring }
      } catch {
        fault = error
        if error != .tooTangled { throw error }
      }
    }
    throw fault
  }

  private func outline(of line: [UnitVector]) throws(GeodesyError) -> PlanePath? {
    let curve = self.curve(along: line)
    if let ring = plain(curve) { return ring }
    guard let outside = Outline.place(clearOf: line, by: reference) else { throw .coversEarth }
    let edges = line.count > 1 ? LegTree(line, halfWidthMeters: halfWidthMeters).outerEdges(of: curve) : nil
    guard let outline = Outline(of: curve, edges: edges, seenFrom: outside, distance: reference) else {
      throw .tooTangled
    }
    guard let ring = outline.ring() else { return nil }
    // A pole may also be in a hole that is filled.
    let poles = [1.0, -1.0].map { outline.encloses(UnitVector(x: 0, y: 0, z: $0)) }
    guard !(poles[0] && poles[1]) else { throw .coversEarth }
    if ring.winding == 0 { return poles[0] || poles[1] ? nil : ring }
    guard poles[0] || poles[1], abs(ring.winding) == PlanePath.turn else { return nil }
    guard ring.holdsNorth(ring.points.indices.dropLast()) == poles[0] else { throw .farPole }
    return ring
  }

  // MARK: Route

  /// Returns the route on the sphere, without repeated or indistinguishable points, and with legs short enough to be
  /// straight.
  private func line(of route: [Coordinate], fineness: Double) throws(GeodesyError) -> [UnitVector] {
    var line: [UnitVector] = []
    line.reserveCapacity(route.count)
    var previous = 0
    var shortest = 4.0
    for (index, coordinate) in route.enumerated() {
      guard coordinate.latitude.isFinite, coordinate.longitude.isFinite else { throw .notFinite(index: index) }
      guard abs(coordinate.latitude) <= 90 else { throw .latitude(index: index) }
      guard abs(coordinate.longitude) <= 360 else { throw .longitude(index: index) }
      let vector = ConformalSphere.vector(of: coordinate)
      if let last = line.last {
        let step = vector - last
        let square = step.dot(step)
        // 1e-9 radians are 6 mm.
        if square < 1e-18 { continue }
        if square > 4 - 1e-4 { throw .antipodal(index: index - 1) }
        shortest = min(shortest, square)
        if square > longLeg * longLeg {
          appendGeodesic(from: route[previous], to: coordinate, chord: square.squareRoot(), &line)
        }
      }
      previous = index
      line.append(vector)
    }
    if shortest < reference * reference / 100 { line = thinned(line) }
    return densified(line, fineness: fineness)
  }

  /// The length, in radians, from which a leg follows the ellipsoid.
  ///
  /// In the middle of a leg, a geodesic and the sphere's great circle are up to 0.0033 *L*² / 8 apart. This must be at
  /// most 0.02 % of the half width.
  private var longLeg: Double { min((0.47 * reference).squareRoot(), 0.05) }

  /// Appends points along the geodesic between two points, without the ends.
  private func appendGeodesic(
    from start: Coordinate, to end: Coordinate, chord: Double, _ line: inout [UnitVector]
  ) {
    guard let geodesic = GeodesicLine(from: start, to: end) else { return }
    let length = Geodesic.inverse(from: start, to: end).distanceMeters
    let parts = (2 * Libm.asin(min(chord / 2, 1)) / longLeg).rounded(.up)
    for part in 1..<max(Int(parts), 1) {
      let position = geodesic.position(atMeters: length * Double(part) / parts).coordinate
      line.append(ConformalSphere.vector(of: position))
    }
  }

  /// Returns the route without points within 0.04 % of the half width of the remaining line.
  ///
  /// From each kept point, the next one is the farthest that is visible through gates of that width around the points
  /// in between (the sleeve of Zhao and Saalfeld 1997). Without thinning, the jitter of a dense track would make the
  /// outline fluctuate, which is expensive to resolve.
  private func thinned(_ line: [UnitVector]) -> [UnitVector] {
    let tolerance = reference * 0.000_4
    let reach = min(reference / 2, 0.02)
    var result = [line[0]]
    var anchor = 0
    while anchor < line.count - 1 {
      let origin = line[anchor]
      let right = origin.anyPerpendicular
      let up = origin.cross(right)
      var next = anchor + 1
      var gate: (centre: UnitVector, low: Double, high: Double)?
      var farthest = 0.0
      var index = anchor + 1
      while index < line.count {
        let (x, y) = (line[index].dot(right), line[index].dot(up))
        let distance = (x * x + y * y).squareRoot()
        if distance > reach || distance < farthest - tolerance { break }
        if distance > tolerance {
          let direction = UnitVector(x: x / distance, y: y / distance, z: 0)
          let half = Libm.asin(tolerance / distance)
          if let open = gate {
            let bearing = Libm.atan2(open.centre.cross(direction).z, open.centre.dot(direction))
            if bearing < open.low || bearing > open.high { break }
            gate = (open.centre, max(open.low, bearing - half), min(open.high, bearing + half))
          } else {
            gate = (direction, -half, half)
          }
          farthest = max(farthest, distance)
        }
        next = index
        index += 1
      }
      // The path may have returned to its start.
      let step = line[next] - origin
      if step.dot(step) >= 1e-18 { result.append(line[next]) }
      anchor = next
    }
    return result
  }

  /// Returns the line with points added so that legs and their parallels are straight in longitude and latitude.
  ///
  /// The deviation is at most 0.05 % of the half width: a great-circle arc of length *L* deviates by *L*² tan φ / 8
  /// *R*.
  private func densified(_ line: [UnitVector], fineness: Double) -> [UnitVector] {
    var result: [UnitVector] = []
    result.reserveCapacity(line.count)
    for (index, vector) in line.enumerated() {
      if index > 0 {
        let last = line[index - 1]
        let step = vector - last
        let height = min(0.9999, max(abs(vector.z), abs(last.z)) + reference)
        let slope = max(0.1, height / (1 - height * height).squareRoot())
        // In units of the sphere's radius; 0.016 is 100 km.
        let most = max(min((0.004 * reference / slope).squareRoot(), 0.016), reference / 20, 1e-6) / fineness
        if step.dot(step) > most * most {
          let angle = last.angle(to: vector)
          let across = last.cross(vector)
          let forward = across.cross(last) * (1 / across.length)
          let parts = (angle / most).rounded(.up)
          for part in 1..<max(Int(parts), 1) {
            let turn = angle * Double(part) / parts
            result.append(last * Libm.cos(turn) + forward * Libm.sin(turn))
          }
        }
      }
      result.append(vector)
    }
    return result
  }

  // MARK: Curve

  /// Returns the closed curve around the line, counter-clockwise, without repeating its first point.
  private func curve(along line: [UnitVector]) -> [UnitVector] {
    var curve: [UnitVector] = []
    curve.reserveCapacity(2 * line.count + 128)
    guard line.count > 1 else {
      appendArc(about: line[0], from: line[0].anyPerpendicular, turn: 2 * .pi, includesEnd: false, to: &curve)
      return curve
    }
    var lefts: [UnitVector] = []
    lefts.reserveCapacity(line.count - 1)
    for index in 1..<line.count {
      let left = line[index - 1].cross(line[index])
      lefts.append(left * (1 / left.length))
    }
    let last = line.count - 1
    curve.append(offset(line[0], towards: -lefts[0]))
    for index in 1..<last { appendCorner(at: line[index], from: -lefts[index - 1], to: -lefts[index], curve: &curve) }
    appendArc(about: line[last], from: -lefts[last - 1], turn: .pi, includesEnd: true, to: &curve)
    for index in (1..<max(last, 1)).reversed() {
      appendCorner(at: line[index], from: lefts[index], to: lefts[index - 1], curve: &curve)
    }
    appendArc(about: line[0], from: lefts[0], turn: .pi, includesEnd: false, to: &curve)
    return curve
  }

  /// Appends one point on the bisector if the bend is less than a step of an arc, otherwise the arc.
  @inline(__always)
  private func appendCorner(at corner: UnitVector, from: UnitVector, to: UnitVector, curve: inout [UnitVector]) {
    let cosTurn = from.dot(to)
    if cosTurn > 0.9980 {
      // 1 / |from + to|, by the half-angle formula.
      let bisector = (from + to) * (1 / (2 + 2 * cosTurn).squareRoot())
      curve.append(offset(corner, towards: bisector))
    } else {
      let turn = Libm.atan2(from.cross(to).dot(corner), cosTurn)
      appendArc(about: corner, from: from, turn: turn, includesEnd: true, to: &curve)
    }
  }

  private func appendArc(
    about centre: UnitVector, from: UnitVector, turn: Double, includesEnd: Bool, to curve: inout [UnitVector]
  ) {
    let steps = max((abs(turn) / arcStep).rounded(.up), 1)
    let across = centre.cross(from)
    for step in 0..<(Int(steps) + (includesEnd ? 1 : 0)) {
      let angle = turn * Double(step) / steps
      curve.append(offset(centre, towards: from * Libm.cos(angle) + across * Libm.sin(angle)))
    }
  }

  /// Returns the point at half the width from another, in a direction perpendicular to it.
  ///
  /// The local radius at the midpoint gives the length on the sphere, with an error of 1e-6 up to 600 km, 2e-4 up to
  /// 5,000 km.
  @inline(__always)
  private func offset(_ from: UnitVector, towards: UnitVector) -> UnitVector {
    let middle = from.z * cosHalfReference + towards.z * sinHalfReference
    // Sine and cosine from those of the reference angle; the remainder is less than 0.007.
    let rest = halfWidthMeters / ConformalSphere.radiusMeters(z: middle) - reference
    let square = rest * rest
    let sinRest = rest * (1 - square / 6)
    let cosRest = 1 - square / 2 * (1 - square / 12)
    return from * (cosReference * cosRest - sinReference * sinRest)
      + towards * (sinReference * cosRest + cosReference * sinRest)
  }

  // MARK: Boundary

  /// Returns the curve itself, if it doesn't intersect itself and isn't near a pole.
  private func plain(_ curve: [UnitVector]) -> PlanePath? {
    var points: [GridPoint] = []
    points.reserveCapacity(curve.count + 1)
    for vector in curve {
      let point = ConformalSphere.fixed(vector)
      if point != points.last { points.append(point) }
    }
    guard points.count > 3 else { return nil }
    if points[0] != points[points.count - 1] { points.append(points[0]) }
    PlanePath.unroll(&points)
    let ring = PlanePath(closed: points)
    guard ring.winding == 0 else { return nil }
    // Near a pole, or for a ring as wide as the earth, the plane isn't suitable.
    var (west, east) = (points[0].x, points[0].x)
    for index in points.indices.dropFirst() {
      guard abs(points[index].x - points[index - 1].x) < 15 * FixedCoordinate.degree else { return nil }
      west = min(west, points[index].x)
      east = max(east, points[index].x)
    }
    guard east - west < 355 * FixedCoordinate.degree else { return nil }
    var contacts: [(Int, Int)] = []
    let isTangled = ContactFinder(ring).forEach { i, j in
      contacts.append((i, j))
      return contacts.count > 64
    }
    if contacts.isEmpty { return ring }
    return isTangled ? nil : Self.withoutInnerTangles(ring, contacts)
  }

  /// Returns the curve without the loops on the inside of bends; nil for more complex intersections.
  ///
  /// Following the curve, the loop that starts at each intersection is removed. It is inside the remainder if the curve
  /// turns right at the cut, and if the remainder meets it nowhere else.
  private static func withoutInnerTangles(_ ring: PlanePath, _ contacts: [(Int, Int)]) -> PlanePath? {
    let edges = ring.points.count - 1
    var meetings: [(edge: Int, other: Int, point: GridPoint, far: Int64)] = []
    for (i, j) in contacts {
      let (first, second) = (ring.edge(i), ring.edge(j))
      guard let point = first.crossing(second) else { return nil }
      meetings.append((i, j, point, first.far(point)))
      meetings.append((j, i, point, second.far(point)))
    }
    meetings.sort { ($0.edge, $0.far) < ($1.edge, $1.far) }
    var points: [GridPoint] = []
    points.reserveCapacity(ring.points.count)
    var cuts: [Int] = []
    var edge = 0
    var far: Int64 = -1
    for meeting in meetings where meeting.edge > edge || (meeting.edge == edge && meeting.far > far) {
      let (start, end) = (ring.edge(meeting.edge), ring.edge(meeting.other))
      guard meeting.other - meeting.edge > 1, meeting.other - meeting.edge < edges / 2,
        GridPoint.orientation(start.a, start.b, end.b) < 0
      else { return nil }
      points.append(contentsOf: ring.points[(points.isEmpty ? 0 : edge + 1)..<(meeting.edge + 1)])
      guard meeting.point != points.last, meeting.point != end.b else { return nil }
      cuts.append(points.count)
      points.append(meeting.point)
      edge = meeting.other
      far = end.far(meeting.point)
    }
    points.append(contentsOf: ring.points[(edge + 1)...])
    // If the remainder is clockwise, the loops are the outline.
    guard !PlanePath.isClockwise(points) else { return nil }
    let result = PlanePath(closed: points)
    // Rounding has moved the cuts, and the adjacent edges, by up to half a unit.
    let finder = ContactFinder(result)
    for cut in cuts where finder.forEach(of: cut, { _, _ in true }) || finder.forEach(of: cut - 1, { _, _ in true }) {
      return nil
    }
    return result
  }
}

extension Array where Element: GeographicPoint {
  /// Returns the line or ring with longitudes that continue across the antimeridian, beyond ±180°, without a jump.
  ///
  /// A ring around a pole is closed along the pole's edge of the map. If a point is not a valid coordinate, the array
  /// is returned unchanged.
  public func unwrapped() -> [Element] {
    guard let path = PlanePath(asCoordinates) else { return self }
    return path.closedOverPole.map(Element.init(plane:))
  }

  /// Returns the line or ring split at the antimeridian into parts within ±180°.
  ///
  /// The result conforms to RFC 7946, section 3.1.9.
  ///
  /// The parts of a ring are counter-clockwise rings (the members of a MultiPolygon), those of a line are lines. A line
  /// or ring that doesn't cross the antimeridian is the only part. A ring around a pole becomes one along the map's
  /// edges to the pole and back. If a point is not a valid coordinate, the array is returned unchanged.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *k* crossings.
  public func splitAtAntimeridian() -> [[Element]] {
    guard let path = PlanePath(asCoordinates) else { return [self] }
    return path.partsWithinHalfTurn().map { part in part.map(Element.init(plane:)) }
  }
}

extension GeographicPoint {
  fileprivate init(plane point: GridPoint) {
    self.init(latitude: Double(point.y) / 1e7, longitude: Double(point.x) / 1e7)
  }
}

extension PlanePath {
  /// The latitude of the pole inside a ring that winds around the earth, in 1e-7 degrees.
  private var poleE7: Int64 { (holdsNorth(points.indices.dropLast()) ? 90 : -90) * FixedCoordinate.degree }

  /// The points. For a ring that winds around the earth, also those along the pole's edge of the map.
  var closedOverPole: [GridPoint] {
    guard isClosed, winding != 0 else { return points }
    let pole = poleE7
    let end = points[points.count - 1]
    return points + [GridPoint(x: end.x, y: pole), GridPoint(x: points[0].x, y: pole), points[0]]
  }

  /// Returns the parts between −180° and 180°, for any number of turns.
  fileprivate func partsWithinHalfTurn() -> [[GridPoint]] {
    guard isClosed else { return lineParts() }
    var ring = closedOverPole
    if winding != 0 {
      // Use three turns, so that the middle one is complete and its sides are the cuts.
      let corners = points.dropLast()
      let step = winding.signum() * Self.turn
      let base = points[0].x - FixedCoordinate.wrapped(points[0].x)
      ring = []
      for turns in Int64(-1)...1 {
        ring += corners.map { GridPoint(x: $0.x - base + turns * step, y: $0.y) }
      }
      ring.append(GridPoint(x: points[0].x - base + 2 * step, y: points[0].y))
      ring.append(GridPoint(x: ring[ring.count - 1].x, y: poleE7))
      ring.append(GridPoint(x: ring[0].x, y: poleE7))
      ring.append(ring[0])
    }
    if Self.isClockwise(ring) { ring.reverse() }
    var rest = [ring]
    var parts: [[GridPoint]] = []
    let half = Self.turn / 2
    let west = ring.reduce(Int64.max) { min($0, $1.x) }
    let east = ring.reduce(Int64.min) { max($0, $1.x) }
    var cut = Self.floored(west + half) * Self.turn - half
    // Divide from west to east, strip by strip.
    while !rest.isEmpty, cut < east || parts.isEmpty {
      cut += Self.turn
      var beyond: [[GridPoint]] = []
      for piece in rest {
        let (left, right) = Self.divided(piece, at: cut)
        let isWanted = winding == 0 || cut == half
        if isWanted { parts += left.map { $0.map { GridPoint(x: $0.x - cut + half, y: $0.y) } } }
        beyond += right
      }
      rest = beyond
    }
    return parts
  }

  private static func floored(_ x: Int64) -> Int64 {
    let quotient = x / turn
    return x % turn < 0 ? quotient - 1 : quotient
  }

  /// Whether a closed ring in the plane is clockwise.
  static func isClockwise(_ ring: [GridPoint]) -> Bool {
    guard let origin = ring.first else { return false }
    var sum = 0.0
    for (a, b) in zip(ring, ring.dropFirst()) {
      sum += Double(b.x - a.x) * (Double(a.y - origin.y) + Double(b.y - origin.y))
    }
    return sum > 0
  }

  /// Returns the parts of a simple counter-clockwise ring west and east of a meridian.
  private static func divided(_ ring: [GridPoint], at cut: Int64) -> (west: [[GridPoint]], east: [[GridPoint]]) {
    guard ring.contains(where: { $0.x > cut }) else { return ([ring], []) }
    guard ring.contains(where: { $0.x < cut }) else { return ([], [ring]) }
    // The sections on either side, from crossing to crossing. Points on the meridian count as east of it.
    var stretches: [(isWest: Bool, points: [GridPoint])] = []
    var current: [GridPoint] = []
    var isWest = ring[0].x < cut
    for (index, point) in ring.dropLast().enumerated() {
      if (point.x < cut) != isWest {
        let crossing = Self.crossing(ring[index - 1], point, at: cut)
        current.append(crossing)
        stretches.append((isWest, current))
        current = [crossing]
        isWest.toggle()
      }
      if point != current.last { current.append(point) }
    }
    // Join the last section to the first: both are on the same side, or the closing edge crosses the meridian.
    if (ring[0].x < cut) != isWest {
      let crossing = Self.crossing(ring[ring.count - 2], ring[0], at: cut)
      current.append(crossing)
      stretches.append((isWest, current))
      stretches[0].points.insert(crossing, at: 0)
    } else if !stretches.isEmpty {
      stretches[0].points = current + stretches[0].points
    }
    return (
      linked(stretches.filter { $0.isWest }.map { $0.points }, upwards: true),
      linked(stretches.filter { !$0.isWest }.map { $0.points }, upwards: false)
    )
  }

  private static func crossing(_ a: GridPoint, _ b: GridPoint, at cut: Int64) -> GridPoint {
    let share = Double(cut - a.x) / Double(b.x - a.x)
    return GridPoint(x: cut, y: a.y + Int64((share * Double(b.y - a.y)).rounded()))
  }

  /// Closes the sections of one side along the meridian.
  ///
  /// With the area to the left, each end is joined to the nearest start: to the north on the west side, to the south on
  /// the east side.
  private static func linked(_ stretches: [[GridPoint]], upwards: Bool) -> [[GridPoint]] {
    var crossings: [(y: Int64, stretch: Int, isEnd: Bool)] = []
    for (index, stretch) in stretches.enumerated() {
      guard let first = stretch.first, let last = stretch.last else { continue }
      crossings.append((first.y, index, false))
      crossings.append((last.y, index, true))
    }
    crossings.sort {
      // At equal latitudes, an end precedes the start that continues it.
      $0.y != $1.y ? (upwards ? $0.y < $1.y : $0.y > $1.y) : ($0.isEnd && !$1.isEnd)
    }
    var next = [Int?](repeating: nil, count: stretches.count)
    var open: [Int] = []
    for crossing in crossings {
      if crossing.isEnd {
        open.append(crossing.stretch)
      } else if let end = open.popLast() {
        next[end] = crossing.stretch
      }
    }
    var isDone = [Bool](repeating: false, count: stretches.count)
    var rings: [[GridPoint]] = []
    for start in stretches.indices where !isDone[start] {
      var ring: [GridPoint] = []
      var current: Int? = start
      while let stretch = current, !isDone[stretch] {
        isDone[stretch] = true
        for point in stretches[stretch] where point != ring.last { ring.append(point) }
        current = next[stretch]
      }
      if let first = ring.first, ring.last != first { ring.append(first) }
      if ring.count > 3 { rings.append(ring) }
    }
    return rings
  }

  private func lineParts() -> [[GridPoint]] {
    guard let first = points.first else { return [] }
    let half = Self.turn / 2
    func strip(_ x: Int64) -> Int64 { Self.floored(x + half) }
    func moved(_ point: GridPoint, _ strip: Int64) -> GridPoint {
      GridPoint(x: point.x - strip * Self.turn, y: point.y)
    }
    var parts: [[GridPoint]] = []
    var here = strip(first.x)
    // A first point on the meridian belongs to the side of the next point.
    if points.count > 1, first.x == here * Self.turn - half, points[1].x < first.x { here -= 1 }
    var current = [moved(first, here)]
    for (a, b) in zip(points, points.dropFirst()) {
      while true {
        let (west, east) = (here * Self.turn - half, here * Self.turn + half)
        if b.x >= west, b.x <= east { break }
        let cut = b.x > east ? east : west
        let crossing = Self.crossing(a, b, at: cut)
        if moved(crossing, here) != current.last { current.append(moved(crossing, here)) }
        parts.append(current)
        here += b.x > east ? 1 : -1
        current = [moved(crossing, here)]
      }
      if moved(b, here) != current.last { current.append(moved(b, here)) }
    }
    parts.append(current)
    return parts.count > 1 ? parts.filter { $0.count > 1 } : parts
  }
}

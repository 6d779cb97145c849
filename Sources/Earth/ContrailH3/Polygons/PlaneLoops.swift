import ContrailGeodesy

/// The loops of an area in the plane of longitude and latitude, in integer units, with unwrapped longitudes.
struct PlaneLoops {
  /// An edge of a loop, starting at its southern end.
  struct Edge {
    var south: Int64
    var southLongitude: Int64
    var north: Int64
    var northLongitude: Int64
    /// The loop's bit: 1 for the outer loop; 0 for a copy of it that only cells across its seam meet.
    var loop: UInt64
    /// Whether the edge only closes a loop along a pole.
    var isSeam: Bool

    @inline(__always)
    var west: Int64 { min(southLongitude, northLongitude) }
    @inline(__always)
    var east: Int64 { max(southLongitude, northLongitude) }

    /// Whether a line from the point to the east crosses the edge.
    @inline(__always)
    func isCrossed(latitude: Int64, longitude: Int64) -> Bool {
      guard latitude >= south, latitude < north, longitude < east else { return false }
      if longitude < west { return true }
      return PlaneLoops.side(
        of: (latitude, longitude), from: (south, southLongitude), to: (north, northLongitude)) > 0
    }
  }

  /// The units per degree: 1e7 for a ring's grid, 2^42 for unrounded coordinates.
  ///
  /// They need 64 bits, also where `Int` has 32.
  let unitsPerDegree: Int64
  private(set) var edges: [Edge] = []
  private(set) var west = Int64.max
  private(set) var east = Int64.min
  private(set) var south = Int64.max
  private(set) var north = Int64.min
  /// Whether the outer loop encloses the north pole.
  private(set) var holdsNorthPole = false

  typealias Point = (latitude: Int64, longitude: Int64)

  private var turn: Int64 { 360 * unitsPerDegree }

  init(_ ring: Ring) {
    unitsPerDegree = FixedCoordinate.degree
    // A ring never winds twice, and with at most 250 points it stays within this number of turns.
    _ = add(ring.points.map { ($0.latitudeE7, $0.longitudeE7) }, readsShortWay: true, loop: 0, turns: 125)
  }

  /// Creates the loops of a polygon.
  ///
  /// - Throws: The error of the first invalid loop.
  init(_ polygon: H3Polygon) throws(H3Error) {
    unitsPerDegree = 1 << 42
    for (index, loop) in ([polygon.outer] + polygon.holes).enumerated() {
      var coordinates = loop[...]
      if let first = coordinates.first, coordinates.count > 1, coordinates.last == first { coordinates.removeLast() }
      guard coordinates.count >= 3 else {
        // An empty hole has no effect.
        if index > 0 && coordinates.isEmpty { continue }
        throw H3Error.tooFewPoints(loop: index)
      }
      var points: [Point] = []
      points.reserveCapacity(coordinates.count + 1)
      for (place, coordinate) in coordinates.enumerated() {
        guard coordinate.isValid else { throw H3Error.loopCoordinate(loop: index, point: place) }
        points.append((rounded(coordinate.latitude), rounded(coordinate.longitude)))
      }
      points.append(points[0])
      let readsShortWay = coordinates.allSatisfy { abs($0.longitude) <= 180 }
      guard add(points, readsShortWay: readsShortWay, loop: index, turns: 2) else {
        throw H3Error.windsTwice(loop: index)
      }
    }
  }

  /// Returns an angle in degrees, rounded to the nearest unit.
  @inline(__always)
  func rounded(_ degrees: Double) -> Int64 {
    // Adding and subtracting 1.5 · 2^52 rounds to the nearest integer, ties to even.
    let shifter = 6_755_399_441_055_744.0
    return Int64((degrees * Double(unitsPerDegree) + shifter) - shifter)
  }

  /// Unwraps a closed loop; returns false if it winds more than once or exceeds the number of turns.
  private mutating func add(_ points: [Point], readsShortWay: Bool, loop: Int, turns: Int64) -> Bool {
    var plane: [Point] = []
    plane.reserveCapacity(points.count + 3)
    for point in points {
      guard let first = plane.first, let last = plane.last else {
        plane.append(point)
        continue
      }
      var step = point.longitude - points[plane.count - 1].longitude
      if readsShortWay {
        while step > turn / 2 { step -= turn }
        while step < -turn / 2 { step += turn }
      }
      guard abs(last.longitude + step - first.longitude) <= turns * turn else { return false }
      plane.append((point.latitude, last.longitude + step))
    }
    guard let first = plane.first, let last = plane.last else { return true }
    let seam = plane.count
    let isWinding = first.longitude != last.longitude
    if isWinding {
      guard abs(last.longitude - first.longitude) == turn else { return false }
      // Closed along the nearer pole.
      let isNorth = plane.dropLast().reduce(0.0) { $0 + Double($1.latitude) } >= 0
      let pole = (isNorth ? 90 : -90) * unitsPerDegree
      plane.append((pole, last.longitude))
      plane.append((pole, first.longitude))
      plane.append(first)
      if loop == 0 && isNorth { holdsNorthPole = true }
    }
    if loop == 0 {
      for point in plane {
        west = min(west, point.longitude)
        east = max(east, point.longitude)
        south = min(south, point.latitude)
        north = max(north, point.latitude)
      }
      append(plane, seam: seam, shift: 0, bit: 1)
      if isWinding {
        // A cell across the seam meets edges at the other end.
        append(Array(plane[..<seam]), seam: seam, shift: turn, bit: 0)
        append(Array(plane[..<seam]), seam: seam, shift: -turn, bit: 0)
      }
    } else {
      // The last bit counts all holes beyond 62 together, which is equivalent if holes don't overlap.
      let bit = UInt64(1) << UInt64(min(loop, 63))
      // Add a hole at all longitudes at which it can lie in the outer loop.
      let least = plane.reduce(Int64.max) { min($0, $1.longitude) }
      let most = plane.reduce(Int64.min) { max($0, $1.longitude) }
      var shift = turn * ((west - most) / turn - 1)
      while least + shift <= east {
        if most + shift >= west { append(plane, seam: seam, shift: shift, bit: bit) }
        shift += turn
      }
    }
    return true
  }

  /// Appends the edges of a loop.
  ///
  /// - Parameter seam: The index from which points close the loop along a pole.
  private mutating func append(_ plane: [Point], seam: Int, shift: Int64, bit: UInt64) {
    for index in plane.indices.dropFirst() {
      let (last, point) = (plane[index - 1], plane[index])
      // No centre is beyond a pole, so an edge along one separates nothing.
      if last.latitude == point.latitude && abs(point.latitude) == 90 * unitsPerDegree { continue }
      let (low, high) = last.latitude <= point.latitude ? (last, point) : (point, last)
      edges.append(
        Edge(
          south: low.latitude, southLongitude: low.longitude + shift, north: high.latitude,
          northLongitude: high.longitude + shift, loop: bit, isSeam: index >= seam))
    }
  }

  /// Returns the side of the line from a to b on which a point lies: positive to the left, 0 on the line. The result is
  /// exact.
  @inline(__always)
  static func side(of point: Point, from a: Point, to b: Point) -> Int {
    let x = (b.longitude &- a.longitude).multipliedFullWidth(by: point.latitude &- a.latitude)
    let y = (b.latitude &- a.latitude).multipliedFullWidth(by: point.longitude &- a.longitude)
    if x.high != y.high { return x.high > y.high ? 1 : -1 }
    return x.low == y.low ? 0 : x.low > y.low ? 1 : -1
  }

  /// Whether two segments that aren't parallel intersect.
  static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let (p, q) = (side(of: c, from: a, to: b), side(of: d, from: a, to: b))
    guard p * q <= 0 else { return false }
    let (r, s) = (side(of: a, from: c, to: d), side(of: b, from: c, to: d))
    guard r * s <= 0 else { return false }
    return !(p == 0 && q == 0)
  }
}

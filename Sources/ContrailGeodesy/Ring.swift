/// A closed area on the earth in its one canonical form: two rings that bound the same points in the same cyclic order are equal.
///
/// Edges are straight in longitude and latitude, as RFC 7946 draws them. Coordinates are whole 1e-7 degrees, so everything a ring
/// answers is exact and the same on every machine.
///
/// How the points given to ``init(_:)`` are read:
///
/// - The ring is closed (its last point repeats its first) and has 4 to 250 points, latitudes within ±90°, longitudes within ±360°.
/// - When every longitude lies within ±180°, an edge goes the short way round, so 179° → −179° crosses the antimeridian.
///   When any lies beyond, the longitudes are taken as they stand. Either way an edge must span less than 180°.
/// - Inside is what the edges enclose on a map on which they are drawn that way: of a ring that spans less than 180°, the smaller side.
///   Neither the direction nor the first corner matters.
/// - A ring that goes once round the earth holds the pole that is nearer to it.
///
/// So a rectangle wider than 180° needs points along its parallels: ``BoundingBox`` says such an area and has its ring.
public struct Ring: Hashable, Sendable {
  /// The fewest points of a ring, the repeated first one included.
  public static let minimumCount = 4
  /// The most points of a ring, the repeated first one included.
  public static let maximumCount = 250

  /// The canonical points: closed, counter-clockwise (a ring round a pole: eastward), from the southernmost, then westernmost;
  /// longitudes in −180 ..< 180°, each edge going the short way.
  public let points: [FixedCoordinate]

  /// A pole that the ring holds by going round the earth.
  public enum Pole: Sendable, Hashable {
    case north
    case south
  }

  /// The pole that is held, if the ring winds round the earth.
  public let pole: Pole?

  /// The ring unrolled into the plane and closed over the pole if it holds one; the last point equals the first.
  let plane: [FixedCoordinate]
  let westE7: Int64
  let eastE7: Int64
  private let southE7: Int64
  private let northE7: Int64

  /// Reads a ring; a point that is nil stands for one that was not finite.
  ///
  /// - Throws: ``RingFault`` with the first fault and its place.
  /// - Complexity: O(*n*).
  public init(_ given: [FixedCoordinate?]) throws(RingFault) {
    let unrolled = try Self.unrolled(try Self.checked(given))
    let winding = unrolled[unrolled.count - 1].longitudeE7 - unrolled[0].longitudeE7
    guard abs(winding) <= PlanePath.turn else { throw RingFault.windsTwice }
    self.init(unrolled: unrolled)
  }

  /// Takes the normal form of points whose longitudes run on without a jump, closed after at most one turn.
  init(unrolled: [FixedCoordinate]) {
    let winding = unrolled[unrolled.count - 1].longitudeE7 - unrolled[0].longitudeE7
    var corners = Array(unrolled.dropLast())
    let area = winding == 0 ? Self.shoelaceSign(corners) : Int(winding.signum())
    if area < 0 { corners.reverse() }
    corners = corners.map {
      FixedCoordinate(latitudeE7: $0.latitudeE7, longitudeE7: FixedCoordinate.wrapped($0.longitudeE7))
    }
    var points = Self.closedAtSmallest(corners)
    if area == 0 {
      // Without an area neither way round is the right one: the smaller is taken.
      let backward = Self.closedAtSmallest(corners.reversed())
      if backward.lexicographicallyPrecedes(points, by: Self.precedes) { points = backward }
    }
    self.points = points

    var plane = [points[0]]
    for point in points.dropFirst() {
      let previous = plane[plane.count - 1].longitudeE7
      let longitude = previous + FixedCoordinate.wrapped(point.longitudeE7 - previous)
      plane.append(FixedCoordinate(latitudeE7: point.latitudeE7, longitudeE7: longitude))
    }
    if winding == 0 {
      pole = nil
    } else {
      let latitudes = points.dropLast().reduce(Int64(0)) { $0 + $1.latitudeE7 }
      pole = latitudes >= 0 ? .north : .south
      let poleE7 = (latitudes >= 0 ? 90 : -90) * FixedCoordinate.degree
      plane.append(FixedCoordinate(latitudeE7: poleE7, longitudeE7: plane[plane.count - 1].longitudeE7))
      plane.append(FixedCoordinate(latitudeE7: poleE7, longitudeE7: plane[0].longitudeE7))
      plane.append(plane[0])
    }
    self.plane = plane
    westE7 = plane.reduce(Int64.max) { min($0, $1.longitudeE7) }
    eastE7 = plane.reduce(Int64.min) { max($0, $1.longitudeE7) }
    southE7 = plane.reduce(Int64.max) { min($0, $1.latitudeE7) }
    northE7 = plane.reduce(Int64.min) { max($0, $1.latitudeE7) }
  }

  /// Reads a ring of coordinates, each rounded to 1e-7 degrees.
  ///
  /// - Throws: ``RingFault`` with the first fault and its place.
  public init(_ coordinates: [Coordinate]) throws(RingFault) {
    try self.init(coordinates.map(FixedCoordinate.init))
  }

  /// The points in floating-point degrees, closed, longitudes in −180 ..< 180°.
  public var coordinates: [Coordinate] { points.map(\.coordinate) }

  /// Whether the point lies inside, by the even-odd rule; of two areas that share an edge, a point on it is in exactly one.
  ///
  /// - Complexity: O(*n*), without allocation.
  public func contains(_ point: FixedCoordinate) -> Bool {
    guard point.latitudeE7 >= southE7, point.latitudeE7 <= northE7 else { return false }
    let turn = 360 * FixedCoordinate.degree
    // From the westernmost equivalent that is not west of the ring. Where the plane has the place more than once, each time counts:
    // a ring round a pole may fold back over its seam.
    var longitude = westE7 + FixedCoordinate.wrapped(point.longitudeE7 % turn - westE7)
    if longitude < westE7 { longitude += turn }
    var isInside = false
    while longitude <= eastE7 {
      if planeContains(FixedCoordinate(latitudeE7: point.latitudeE7, longitudeE7: longitude)) { isInside.toggle() }
      longitude += turn
    }
    return isInside
  }

  /// Whether the coordinate, rounded to 1e-7 degrees, lies inside; false where it is not finite.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard let point = FixedCoordinate(coordinate) else { return false }
    return contains(point)
  }

  private func planeContains(_ point: FixedCoordinate) -> Bool {
    var isInside = false
    // Nothing lies north of the pole, so an area that reaches it holds it, as at the other end.
    let latitude = min(point.latitudeE7, 90 * FixedCoordinate.degree - 1)
    plane.withUnsafeBufferPointer { plane in
      for index in 1..<plane.count {
        let a = plane[index - 1]
        let b = plane[index]
        guard (a.latitudeE7 > latitude) != (b.latitudeE7 > latitude) else { continue }
        if point.longitudeE7 < min(a.longitudeE7, b.longitudeE7) {
          isInside.toggle()
        } else if point.longitudeE7 < max(a.longitudeE7, b.longitudeE7) {
          // Each factor is below 1.8e9, so the products are exact in 64 bits.
          let run = (point.longitudeE7 - a.longitudeE7) * (b.latitudeE7 - a.latitudeE7)
          let rise = (latitude - a.latitudeE7) * (b.longitudeE7 - a.longitudeE7)
          if (b.latitudeE7 > a.latitudeE7) == (run < rise) && run != rise { isInside.toggle() }
        }
      }
    }
    return isInside
  }

  public static func == (a: Ring, b: Ring) -> Bool { a.points == b.points }

  public func hash(into hasher: inout Hasher) { hasher.combine(points) }
}

extension Ring {
  /// The points, if each is on the map and the last repeats the first.
  static func checked(
    _ given: [FixedCoordinate?], most: Int = maximumCount
  ) throws(RingFault) -> [FixedCoordinate] {
    guard given.count >= minimumCount else { throw RingFault.tooFewPoints(given.count) }
    guard given.count <= most else { throw RingFault.tooManyPoints(given.count) }
    var points: [FixedCoordinate] = []
    points.reserveCapacity(given.count)
    for (index, point) in given.enumerated() {
      guard let point else { throw RingFault.notFinite(index: index) }
      guard point.latitudeE7.magnitude <= 90 * UInt64(FixedCoordinate.degree) else {
        throw RingFault.latitude(index: index)
      }
      guard point.longitudeE7.magnitude <= 360 * UInt64(FixedCoordinate.degree) else {
        throw RingFault.longitude(index: index)
      }
      points.append(point)
    }
    guard points[0] == points[points.count - 1] else { throw RingFault.open }
    return points
  }

  /// The points with longitudes that run on without a jump.
  static func unrolled(_ points: [FixedCoordinate]) throws(RingFault) -> [FixedCoordinate] {
    let half = 180 * FixedCoordinate.degree
    let isWrapped = points.allSatisfy { abs($0.longitudeE7) <= half }
    var result = [points[0]]
    for index in 1..<points.count {
      var step = points[index].longitudeE7 - points[index - 1].longitudeE7
      if isWrapped { step = FixedCoordinate.wrapped(step) }
      guard abs(step) < half else { throw RingFault.longEdge(index: index - 1) }
      let longitude = result[index - 1].longitudeE7 + step
      result.append(FixedCoordinate(latitudeE7: points[index].latitudeE7, longitudeE7: longitude))
    }
    return result
  }

  /// The sign of the area within corners that do not wind round the earth: 1 counter-clockwise, −1 clockwise.
  private static func shoelaceSign(_ corners: [FixedCoordinate]) -> Int {
    // The sum of twice the trapezoids below the edges, negative when counter-clockwise, in 128 bits.
    var high: Int64 = 0
    var low: UInt64 = 0
    let origin = corners[0]
    for index in corners.indices {
      let a = corners[index]
      let b = corners[(index + 1) % corners.count]
      let run = b.longitudeE7 - a.longitudeE7
      let height = (a.latitudeE7 - origin.latitudeE7) + (b.latitudeE7 - origin.latitudeE7)
      let product = run.multipliedFullWidth(by: height)
      let sum = low.addingReportingOverflow(product.low)
      low = sum.partialValue
      high = high &+ product.high &+ (sum.overflow ? 1 : 0)
    }
    return high < 0 ? 1 : high == 0 && low == 0 ? 0 : -1
  }

  private static func precedes(_ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
    (a.latitudeE7, a.longitudeE7) < (b.latitudeE7, b.longitudeE7)
  }

  /// The lexicographically smallest rotation, closed; ties between equal corners are settled by what follows them.
  private static func closedAtSmallest(_ corners: [FixedCoordinate]) -> [FixedCoordinate] {
    func isSmaller(_ a: Int, _ b: Int) -> Bool {
      for offset in corners.indices {
        let x = corners[(a + offset) % corners.count]
        let y = corners[(b + offset) % corners.count]
        if x != y { return precedes(x, y) }
      }
      return false
    }
    var start = 0
    for candidate in corners.indices.dropFirst() where isSmaller(candidate, start) { start = candidate }
    return Array(corners[start...] + corners[..<start] + [corners[start]])
  }
}

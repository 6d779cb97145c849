/// A closed area on the earth in canonical form. Rings with the same points in the same cyclic order are equal.
///
/// Edges are straight in longitude and latitude, as in RFC 7946. Coordinates are integers of 1e-7 degrees, so all
/// results are exact and the same on every machine.
///
/// The points passed to ``init(_:)`` are read as follows:
///
/// - The ring is closed (its last point repeats its first) and has 4 to 250 points, with latitudes within ±90° and
///   longitudes within ±360°.
/// - If all longitudes are within ±180°, each edge takes the shorter way, so that 179° → −179° crosses the
///   antimeridian. Otherwise, longitudes are used unchanged. In both cases, an edge must span less than 180°.
/// - The inside is the area that the edges enclose on a map with these edges. For a ring that spans less than 180°, it
///   is the smaller side. The orientation and the first corner don't matter.
/// - A ring that winds once around the earth contains the pole nearer to it.
///
/// A rectangle wider than 180° therefore requires points along its parallels. Use ``BoundingBox`` for such an area.
public struct Ring: Hashable, Sendable {
  /// The minimum number of points of a ring, including the repeated first one.
  public static let minimumCount = 4
  /// The maximum number of points of a ring, including the repeated first one.
  public static let maximumCount = 250

  /// The canonical points of the ring.
  ///
  /// They are closed and counter-clockwise (eastward for a ring around a pole), starting at the southernmost, then
  /// westernmost point. Longitudes are in −180 ..< 180°, and each edge takes the shorter way.
  public var points: [FixedCoordinate] { form.points }

  /// A pole contained in a ring that winds around the earth.
  public enum Pole: Sendable, Hashable {
    case north
    case south
  }

  /// The pole inside the ring, if the ring winds around the earth.
  public var pole: Pole? { form.pole }

  var plane: [FixedCoordinate] { form.plane }
  var westE7: Int64 { form.westE7 }
  var eastE7: Int64 { form.eastE7 }

  private let form: Form

  /// The points and what is derived from them. Copies of a ring share them.
  private final class Form: Sendable {
    let points: [FixedCoordinate]
    let pole: Pole?
    /// The ring unwrapped into the plane and closed along the pole, if it contains one. The last point equals the first.
    let plane: [FixedCoordinate]
    let westE7: Int64
    let eastE7: Int64
    let southE7: Int64
    let northE7: Int64

    init(points: [FixedCoordinate], pole: Pole?, plane: [FixedCoordinate]) {
      self.points = points
      self.pole = pole
      self.plane = plane
      westE7 = plane.reduce(Int64.max) { min($0, $1.longitudeE7) }
      eastE7 = plane.reduce(Int64.min) { max($0, $1.longitudeE7) }
      southE7 = plane.reduce(Int64.max) { min($0, $1.latitudeE7) }
      northE7 = plane.reduce(Int64.min) { max($0, $1.latitudeE7) }
    }
  }

  /// Creates a ring from points. Nil stands for a point that was not finite.
  ///
  /// - Throws: ``GeodesyError`` with the first fault and its position.
  /// - Complexity: O(*n*).
  public init(_ given: [FixedCoordinate?]) throws(GeodesyError) {
    let unrolled = try Self.unrolled(try Self.checked(given))
    let winding = unrolled[unrolled.count - 1].longitudeE7 - unrolled[0].longitudeE7
    guard abs(winding) <= PlanePath.turn else { throw GeodesyError.windsTwice }
    self.init(unrolled: unrolled)
  }

  /// Creates the canonical form from points with unwrapped longitudes, closed after at most one turn.
  init(unrolled: [FixedCoordinate]) {
    let winding = unrolled[unrolled.count - 1].longitudeE7 - unrolled[0].longitudeE7
    var corners = Array(unrolled.dropLast())
    let area = winding == 0 ? Self.shoelaceSign(corners) : Int(winding.signum())
    if area < 0 { corners.reverse() }
    for index in corners.indices { corners[index].longitudeE7 = FixedCoordinate.wrapped(corners[index].longitudeE7) }
    var points = Self.closedAtSmallest(corners)
    if area == 0 {
      // Without an area, neither orientation is preferred, so the lexicographically smaller one is used.
      let backward = Self.closedAtSmallest(corners.reversed())
      if backward.lexicographicallyPrecedes(points, by: Self.precedes) { points = backward }
    }
    var plane: [FixedCoordinate] = []
    // Not a copy of the points that is changed: as Swift 6.3 compiles it for the page, that changes the points too. A pole
    // adds three.
    plane.reserveCapacity(points.count + 3)
    plane.append(points[0])
    for point in points.dropFirst() {
      let previous = plane[plane.count - 1].longitudeE7
      let longitude = previous + FixedCoordinate.wrapped(point.longitudeE7 - previous)
      plane.append(FixedCoordinate(latitudeE7: point.latitudeE7, longitudeE7: longitude))
    }
    var pole: Pole?
    if winding != 0 {
      let latitudes = points.dropLast().reduce(Int64(0)) { $0 + $1.latitudeE7 }
      pole = latitudes >= 0 ? .north : .south
      let poleE7 = (latitudes >= 0 ? 90 : -90) * FixedCoordinate.degree
      plane.append(FixedCoordinate(latitudeE7: poleE7, longitudeE7: plane[plane.count - 1].longitudeE7))
      plane.append(FixedCoordinate(latitudeE7: poleE7, longitudeE7: plane[0].longitudeE7))
      plane.append(plane[0])
    }
    form = Form(points: points, pole: pole, plane: plane)
  }

  /// Creates a ring from coordinates, each rounded to 1e-7 degrees.
  ///
  /// - Throws: ``GeodesyError`` with the first fault and its position.
  public init(_ coordinates: [Coordinate]) throws(GeodesyError) {
    try self.init(coordinates.map(FixedCoordinate.init))
  }

  /// The points in floating-point degrees, closed, with longitudes in −180 ..< 180°.
  public var coordinates: [Coordinate] { points.map { $0.coordinate } }

  /// Whether the point is inside, by the even-odd rule. A point on the common edge of two areas is in exactly one.
  ///
  /// - Complexity: O(*n*), without allocation.
  public func contains(_ point: FixedCoordinate) -> Bool {
    guard point.latitudeE7 >= form.southE7, point.latitudeE7 <= form.northE7 else { return false }
    let turn = 360 * FixedCoordinate.degree
    // Start at the westernmost equivalent that isn't west of the ring. If the plane contains the place more than once,
    // each one counts, because a ring around a pole may fold back over its seam.
    var longitude = westE7 + FixedCoordinate.wrapped(point.longitudeE7 % turn - westE7)
    if longitude < westE7 { longitude += turn }
    var isInside = false
    while longitude <= eastE7 {
      if planeContains(FixedCoordinate(latitudeE7: point.latitudeE7, longitudeE7: longitude)) { isInside.toggle() }
      longitude += turn
    }
    return isInside
  }

  /// Whether the coordinate, rounded to 1e-7 degrees, is inside; false if it is not finite.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard let point = FixedCoordinate(coordinate) else { return false }
    return contains(point)
  }

  private func planeContains(_ point: FixedCoordinate) -> Bool {
    var isInside = false
    // Nothing is north of the pole, so an area with this edge contains it, as at the south pole.
    let latitude = min(point.latitudeE7, 90 * FixedCoordinate.degree - 1)
    plane.withUnsafeBufferPointer { plane in
      for index in 1..<plane.count {
        let a = plane[index - 1]
        let b = plane[index]
        guard (a.latitudeE7 > latitude) != (b.latitudeE7 > latitude) else { continue }
        if point.longitudeE7 < min(a.longitudeE7, b.longitudeE7) {
          isInside.toggle()
        } else if point.longitudeE7 < max(a.longitudeE7, b.longitudeE7) {
          // Each factor is less than 1.8e9, so the products are exact in 64 bits.
          let run = (point.longitudeE7 - a.longitudeE7) * (b.latitudeE7 - a.latitudeE7)
          let rise = (latitude - a.latitudeE7) * (b.longitudeE7 - a.longitudeE7)
          if (b.latitudeE7 > a.latitudeE7) == (run < rise) && run != rise { isInside.toggle() }
        }
      }
    }
    return isInside
  }

  public static func == (a: Ring, b: Ring) -> Bool { a.form === b.form || a.points == b.points }

  public func hash(into hasher: inout Hasher) { hasher.combine(points) }
}

extension Ring {
  /// Checks that each point is valid and that the last one repeats the first, and returns the points.
  static func checked(
    _ given: [FixedCoordinate?], most: Int = maximumCount
  ) throws(GeodesyError) -> [FixedCoordinate] {
    guard given.count >= minimumCount else { throw GeodesyError.tooFewPoints(given.count) }
    guard given.count <= most else { throw GeodesyError.tooManyPoints(given.count) }
    var points: [FixedCoordinate] = []
    points.reserveCapacity(given.count)
    for (index, point) in given.enumerated() {
      guard let point else { throw GeodesyError.notFinite(index: index) }
      guard point.latitudeE7.magnitude <= 90 * UInt64(FixedCoordinate.degree) else {
        throw GeodesyError.latitude(index: index)
      }
      guard point.longitudeE7.magnitude <= 360 * UInt64(FixedCoordinate.degree) else {
        throw GeodesyError.longitude(index: index)
      }
      points.append(point)
    }
    guard points[0] == points[points.count - 1] else { throw GeodesyError.open }
    return points
  }

  /// Returns the points with unwrapped longitudes.
  static func unrolled(_ points: [FixedCoordinate]) throws(GeodesyError) -> [FixedCoordinate] {
    let half = 180 * FixedCoordinate.degree
    let isWrapped = points.allSatisfy { abs($0.longitudeE7) <= half }
    var result: [FixedCoordinate] = []
    result.reserveCapacity(points.count)
    result.append(points[0])
    for index in 1..<points.count {
      var step = points[index].longitudeE7 - points[index - 1].longitudeE7
      if isWrapped { step = FixedCoordinate.wrapped(step) }
      guard abs(step) < half else { throw GeodesyError.longEdge(index: index - 1) }
      let longitude = result[index - 1].longitudeE7 + step
      result.append(FixedCoordinate(latitudeE7: points[index].latitudeE7, longitudeE7: longitude))
    }
    return result
  }

  /// Returns the sign of the area of corners that don't wind around the earth: 1 counter-clockwise, −1 clockwise.
  private static func shoelaceSign(_ corners: [FixedCoordinate]) -> Int {
    // The sum of twice the trapezoids below the edges, negative if counter-clockwise, in 128 bits.
    var high: Int64 = 0
    var low: UInt64 = 0
    let origin = corners[0]
    var a = corners[corners.count - 1]
    for b in corners {
      defer { a = b }
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

  /// Returns the lexicographically smallest rotation, closed. Ties between equal corners are resolved by the following
  /// ones.
  private static func closedAtSmallest(_ corners: [FixedCoordinate]) -> [FixedCoordinate] {
    func isSmaller(_ a: Int, _ b: Int) -> Bool {
      var (i, j) = (a, b)
      for _ in corners.indices {
        if corners[i] != corners[j] { return precedes(corners[i], corners[j]) }
        i = i + 1 == corners.count ? 0 : i + 1
        j = j + 1 == corners.count ? 0 : j + 1
      }
      return false
    }
    var start = 0
    for candidate in corners.indices.dropFirst() where isSmaller(candidate, start) { start = candidate }
    var points: [FixedCoordinate] = []
    points.reserveCapacity(corners.count + 1)
    points += corners[start...]
    points += corners[...start]
    return points
  }
}

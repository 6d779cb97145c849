/// An area between two parallels and two meridians, such as the visible region of a map.
///
/// Its edges are in degrees.
///
/// ```swift
/// dataQuery.viewport = try BoundingBox(north: 55, south: 45, west: 170, east: -130).ring
/// ```
///
/// This is the bounding box of RFC 7946, section 5. It extends eastward from ``west`` to ``east``, across the
/// antimeridian if `west` is greater than `east`, and may be up to 360° wide. A ``Ring`` of its four corners is
/// equivalent only up to a width of 180°, because the edges of a ring take the shorter way. ``ring`` has additional
/// points along the parallels and is correct for any width.
public struct BoundingBox: Hashable, Sendable {
  /// An edge of a box.
  public enum Edge: String, Hashable, Sendable {
    case north
    case south
    case west
    case east
  }

  /// The northern edge, in degrees.
  public let north: Double
  /// The southern edge, in degrees.
  public let south: Double
  /// The western edge, in degrees.
  public let west: Double
  /// The eastern edge, in degrees.
  public let east: Double

  fileprivate let outline: BoxOutline

  /// Creates a box from its edges.
  ///
  /// The edges are compared with a precision of 1e-7 degrees, as in a ``Ring``.
  ///
  /// - Parameters:
  ///   - north: The northern edge, −90…90, greater than `south`.
  ///   - south: The southern edge, −90…90.
  ///   - west: The western edge, −360…360.
  ///   - east: The eastern edge, −360…360. If it is less than `west`, the box crosses the antimeridian.
  /// - Throws: ``GeodesyError`` with the first invalid edge and its value.
  public init(north: Double, south: Double, west: Double, east: Double) throws(GeodesyError) {
    for (edge, value) in [(Edge.north, north), (.south, south), (.west, west), (.east, east)] {
      guard value.isFinite else { throw .edgeNotFinite(edge) }
      switch edge {
      case .north, .south: guard abs(value) <= 90 else { throw .edgeLatitude(edge, value) }
      case .west, .east: guard abs(value) <= 360 else { throw .edgeLongitude(edge, value) }
      }
    }
    guard let low = FixedCoordinate(Coordinate(latitude: south, longitude: west)),
      let high = FixedCoordinate(Coordinate(latitude: north, longitude: east))
    else { throw .edgeNotFinite(.north) }
    guard high.latitudeE7 > low.latitudeE7 else { throw .noHeight(north: north, south: south) }
    var width = high.longitudeE7 - low.longitudeE7
    if width < 0 { width = (width % PlanePath.turn + PlanePath.turn) % PlanePath.turn }
    guard width > 0 else { throw .noWidth(west: west, east: east) }
    guard width <= PlanePath.turn else { throw .tooWide(west: west, east: east) }
    outline = BoxOutline(north: high.latitudeE7, south: low.latitudeE7, west: low.longitudeE7, width: width)
    (self.north, self.south, self.west, self.east) = (north, south, west, east)
  }

  /// The width from west to east, in degrees: more than 0, at most 360.
  public var widthDegrees: Double { Double(outline.width) / 1e7 }

  /// The closed ring around the box, counter-clockwise from the south-west corner, with longitudes within ±180°.
  ///
  /// A box wider than 120° has points along its parallels, at most 120° apart, so that every edge takes the shorter
  /// way.
  public var ring: [Coordinate] { [Coordinate](self) }

  /// Whether the coordinate, rounded to 1e-7 degrees, is inside; false if it is not finite.
  ///
  /// The result is the same as that of ``Ring/init(_:)-(BoundingBox)``: a point on the common edge of two boxes is in
  /// exactly one.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard let point = FixedCoordinate(coordinate) else { return false }
    return outline.contains(point)
  }

  public static func == (a: BoundingBox, b: BoundingBox) -> Bool { a.outline == b.outline }

  public func hash(into hasher: inout Hasher) { hasher.combine(outline) }
}

extension Array where Element: GeographicPoint {
  /// Creates the closed ring around a box; see ``BoundingBox/ring``.
  public init(_ box: BoundingBox) { self.init(box.outline) }

  fileprivate init(_ outline: BoxOutline) {
    let half = PlanePath.turn / 2
    self = outline.points.map { point in
      let longitude = abs(point.longitudeE7) <= half ? point.longitudeE7 : FixedCoordinate.wrapped(point.longitudeE7)
      return Element(latitude: Double(point.latitudeE7) / 1e7, longitude: Double(longitude) / 1e7)
    }
  }
}

extension Ring {
  /// Creates the ring around a box of any width.
  public init(_ box: BoundingBox) {
    self.init(unrolled: box.outline.points)
  }
}

extension Array where Element == Coordinate {
  /// This ring, or the ring around the box that it draws on a map, if it is a rectangle that is 180° wide or more.
  ///
  /// The edges of a ``Ring`` take the shorter way around the globe, so the four corners of such a rectangle would bound the other side.
  /// A rectangle begins with a western corner, as in `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]` and in the bounding boxes
  /// of RFC 7946. One whose eastern longitude is less than its western one crosses the antimeridian, and stays as it is.
  package var readAsMapRectangle: [Coordinate] {
    let points = compactMap(FixedCoordinate.init)
    guard points.count == count, let outline = BoxOutline(wideCorners: points) else { return self }
    return [Coordinate](outline)
  }
}

/// The edges of a box in 1e-7 degrees.
private struct BoxOutline: Hashable {
  var north: Int64
  var south: Int64
  var west: Int64
  var width: Int64

  init(north: Int64, south: Int64, west: Int64, width: Int64) {
    (self.north, self.south, self.west, self.width) = (north, south, west, width)
  }

  /// Creates the rectangle with these corners, a western one first; nil for any other ring, and for a rectangle less than 180° wide.
  init?(wideCorners points: [FixedCoordinate]) {
    guard points.count == 5, points[4] == points[0] else { return nil }
    let (first, opposite) = (points[0], points[2])
    let isDrawnAlongParallel =
      points[1].latitudeE7 == first.latitudeE7 && points[1].longitudeE7 == opposite.longitudeE7
      && points[3].latitudeE7 == opposite.latitudeE7 && points[3].longitudeE7 == first.longitudeE7
    let isDrawnAlongMeridian =
      points[1].longitudeE7 == first.longitudeE7 && points[1].latitudeE7 == opposite.latitudeE7
      && points[3].longitudeE7 == opposite.longitudeE7 && points[3].latitudeE7 == first.latitudeE7
    guard isDrawnAlongParallel || isDrawnAlongMeridian else { return nil }
    (north, south) = (max(first.latitudeE7, opposite.latitudeE7), min(first.latitudeE7, opposite.latitudeE7))
    west = first.longitudeE7
    width = opposite.longitudeE7 - west
    let pole = 90 * FixedCoordinate.degree
    guard north > south, north <= pole, south >= -pole, 2 * width >= PlanePath.turn, width <= PlanePath.turn,
      max(abs(west), abs(west + width)) <= PlanePath.turn
    else { return nil }
  }

  /// The ring around the box, counter-clockwise, with unwrapped longitudes. Parallels are divided into parts of at most
  /// 120°.
  var points: [FixedCoordinate] {
    let longest = 120 * FixedCoordinate.degree
    let parts = (width + longest - 1) / longest
    var result: [FixedCoordinate] = []
    for part in 0...parts {
      result.append(FixedCoordinate(latitudeE7: south, longitudeE7: west + width * part / parts))
    }
    for part in (0...parts).reversed() {
      result.append(FixedCoordinate(latitudeE7: north, longitudeE7: west + width * part / parts))
    }
    result.append(result[0])
    return result
  }

  func contains(_ point: FixedCoordinate) -> Bool {
    let pole = 90 * FixedCoordinate.degree
    guard point.latitudeE7 <= pole else { return false }
    // Nothing is north of the pole, so a box with this edge contains it.
    let latitude = min(point.latitudeE7, pole - 1)
    guard latitude >= south, latitude < north else { return false }
    let offset = (point.longitudeE7 - west) % PlanePath.turn
    return (offset < 0 ? offset + PlanePath.turn : offset) < width
  }
}

/// The reason why points don't bound an area, edges a box, or a route a corridor, with its position.
public enum GeodesyError: Error, Hashable, Sendable {
  // MARK: Points of a ring or a route

  /// A coordinate is not a finite number.
  case notFinite(index: Int)
  /// A latitude is beyond ±90°.
  case latitude(index: Int)
  /// A longitude is beyond ±360°.
  case longitude(index: Int)

  // MARK: Rings

  /// There are fewer than four points, including the repeated first one.
  case tooFewPoints(Int)
  /// There are more than 250 points.
  case tooManyPoints(Int)
  /// The last point does not repeat the first.
  case open
  /// The edge that starts at the point spans 180° of longitude or more, so that its direction is ambiguous.
  case longEdge(index: Int)
  /// The ring winds around the earth more than once.
  case windsTwice

  // MARK: Simple areas

  // ``Ring`` accepts such rings and applies the even-odd rule; GeoJSON and most other software reject them. Edge *i* connects
  // point *i* and the next one.

  /// Two edges cross or overlap.
  case crossing(edge: Int, other: Int, at: Coordinate)
  /// Two edges that aren't neighbours touch.
  case touching(edge: Int, other: Int, at: Coordinate)
  /// The ring doubles back on itself at the point.
  case spike(index: Int, at: Coordinate)

  // MARK: Boxes

  /// The edge of a box is not a finite number.
  case edgeNotFinite(BoundingBox.Edge)
  /// The latitude of an edge is beyond ±90°.
  case edgeLatitude(BoundingBox.Edge, Double)
  /// The longitude of an edge is beyond ±360°.
  case edgeLongitude(BoundingBox.Edge, Double)
  /// The northern edge is not north of the southern one.
  case noHeight(north: Double, south: Double)
  /// West and east are the same meridian, so that the width, 0 or 360°, is ambiguous.
  case noWidth(west: Double, east: Double)
  /// East is more than 360° beyond west.
  case tooWide(west: Double, east: Double)

  // MARK: Corridors

  /// The route has no points.
  case routeEmpty
  /// The route has more points than ``mostRoutePoints``.
  case routeTooLong(Int)
  /// The leg that starts at this point leads to the (nearly) opposite side of the earth, so that its direction is
  /// ambiguous.
  case antipodal(index: Int)
  /// The width is not a number from ``leastWidthNM`` to ``mostWidthNM``.
  case width
  /// The tolerance is negative or not a number.
  case tolerance
  /// The corridor contains both poles, or nearly the whole earth, so that no single ring bounds it.
  case coversEarth
  /// The corridor contains a pole, but a ring of its points would be read to contain the other, to which they are
  /// nearer.
  case farPole
  /// The corridor is too narrow for its length: no ring of ``Ring/maximumCount`` points contains the route.
  case tooNarrow
  /// The corridor overlaps itself in too many places.
  case tooTangled

  /// The maximum number of points of a route.
  public static let mostRoutePoints = 200_000
  /// The minimum width of a corridor, in nautical miles. With a smaller one, a grid of 1e-7 degrees is less precise than 0.1 %.
  public static let leastWidthNM = 0.01
  /// The maximum width of a corridor, in nautical miles: a quarter of the earth's circumference.
  public static let mostWidthNM = 5400.0

  /// A stable code for logs and programs.
  public var code: String {
    switch self {
    case .notFinite, .edgeNotFinite: "notFinite"
    case .latitude, .edgeLatitude: "latitudeOutOfRange"
    case .longitude, .edgeLongitude: "longitudeOutOfRange"
    case .tooFewPoints: "tooFewPoints"
    case .tooManyPoints, .routeTooLong: "tooManyPoints"
    case .open: "ringOpen"
    case .longEdge: "longEdge"
    case .windsTwice: "windsTwice"
    case .crossing: "selfCrossing"
    case .touching: "selfTouching"
    case .spike: "spike"
    case .noHeight: "boxWithoutHeight"
    case .noWidth: "boxWithoutWidth"
    case .tooWide: "boxTooWide"
    case .routeEmpty: "routeEmpty"
    case .antipodal: "antipodalLeg"
    case .width: "widthOutOfRange"
    case .tolerance: "toleranceOutOfRange"
    case .coversEarth: "coversEarth"
    case .farPole: "farPole"
    case .tooNarrow: "tooNarrow"
    case .tooTangled: "tooTangled"
    }
  }

  /// The index of the invalid point or of the start of the first invalid edge, or a ring's invalid number of points.
  ///
  /// Nil if the fault concerns the whole ring or route, or a box.
  public var index: Int? {
    switch self {
    case .notFinite(let index), .latitude(let index), .longitude(let index), .longEdge(let index),
      .antipodal(let index), .crossing(let index, _, _), .touching(let index, _, _), .spike(let index, _):
      index
    case .tooFewPoints(let count), .tooManyPoints(let count): count
    default: nil
    }
  }

  /// The position at which a ring crosses or touches itself; nil for other errors.
  public var coordinate: Coordinate? {
    switch self {
    case .crossing(_, _, let at), .touching(_, _, let at), .spike(_, let at): at
    default: nil
    }
  }

  /// The invalid edge of a box; if two edges contradict each other, the first. Nil for other errors.
  public var edge: BoundingBox.Edge? {
    switch self {
    case .edgeNotFinite(let edge), .edgeLatitude(let edge, _), .edgeLongitude(let edge, _): edge
    case .noHeight: .north
    case .noWidth, .tooWide: .west
    default: nil
    }
  }
}

extension GeodesyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFinite(let index): "point \(index) has a coordinate that is not a finite number"
    case .latitude(let index): "point \(index) has a latitude beyond ±90 degrees"
    case .longitude(let index): "point \(index) has a longitude beyond ±360 degrees"
    case .tooFewPoints(0):
      "the ring is empty; buffer(widthNM:) returns this if there is no corridor: use corridor(widthNM:), which throws the reason"
    case .tooFewPoints(let count):
      "the ring has \(count) point\(count == 1 ? "" : "s"): use at least \(Ring.minimumCount), with the first repeated at the end"
    case .tooManyPoints(let count):
      "the ring has \(count) points, more than \(Ring.maximumCount): simplify it with a larger tolerance"
    case .open: "the ring is open: repeat its first point at the end"
    case .longEdge(let index): "the edge from point \(index) spans 180 degrees of longitude or more: add points to it"
    case .windsTwice: "the ring winds around the earth more than once"
    case .crossing(let edge, let other, let at):
      "the edges from points \(edge) and \(other) cross at \(at.latitude), \(at.longitude): reorder or remove points"
    case .touching(let edge, let other, let at):
      "the edges from points \(edge) and \(other) touch at \(at.latitude), \(at.longitude): move them apart"
    case .spike(let index, let at):
      "the ring doubles back on itself at point \(index) (\(at.latitude), \(at.longitude)): remove this point"
    case .edgeNotFinite(let edge): "\(edge.rawValue) is not a finite number: use degrees"
    case .edgeLatitude(let edge, let value): "\(edge.rawValue) is \(value): use a latitude of −90 to 90 degrees"
    case .edgeLongitude(let edge, let value): "\(edge.rawValue) is \(value): use a longitude of −360 to 360 degrees"
    case .noHeight(let north, let south): "north is \(north) and south is \(south): north must be greater than south"
    case .noWidth(let west, let east):
      "west is \(west) and east is \(east), the same meridian: for all longitudes, use −180 and 180"
    case .tooWide(let west, let east): "east is \(east), more than 360 degrees beyond west, \(west): reduce the width"
    case .routeEmpty: "the route has no points: add at least one"
    case .routeTooLong(let count):
      "the route has \(count) points, more than \(Self.mostRoutePoints): simplify it first"
    case .antipodal(let index):
      "the leg from point \(index) leads to the opposite side of the earth: add points to it"
    case .width: "the width must be \(Self.leastWidthNM) to \(Int(Self.mostWidthNM)) nautical miles"
    case .tolerance: "the tolerance must be 0 or more nautical miles"
    case .coversEarth:
      "the corridor contains both poles or nearly the whole earth: reduce the width or split the route"
    case .farPole:
      "the corridor contains a pole but is mostly in the other hemisphere: split the route at the equator"
    case .tooNarrow:
      "the corridor is too narrow for its length and \(Ring.maximumCount) points: increase the width or set a tolerance"
    case .tooTangled: "the corridor overlaps itself in too many places: simplify the route first"
    }
  }
}

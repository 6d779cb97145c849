/// Why a route has no corridor, and where.
public enum BufferFault: Error, Hashable, Sendable {
  /// There is no point at all.
  case empty
  /// More points than ``BufferFault/mostPoints``.
  case tooManyPoints(Int)
  /// A coordinate is not a finite number.
  case notFinite(index: Int)
  /// A latitude beyond ±90°.
  case latitude(index: Int)
  /// A longitude beyond ±360°.
  case longitude(index: Int)
  /// The leg that begins at the point leads to (nearly) the opposite side of the earth, so which way it goes is open.
  case antipodal(index: Int)
  /// The width is not a number from ``BufferFault/leastWidthNM`` to ``BufferFault/mostWidthNM``.
  case width
  /// The tolerance is negative or not a number.
  case tolerance
  /// The corridor holds both poles, or leaves no room outside: no single ring bounds it.
  case coversEarth
  /// The corridor goes round a pole that a ring of its points would not be read to hold, because they lie nearer to the other.
  case farPole
  /// The corridor is so narrow for its length that no ring of ``Ring/maximumCount`` points would hold the route.
  case tooNarrow
  /// The corridor overlaps itself in too many places.
  case tooTangled

  /// The most points of a route.
  public static let mostPoints = 200_000
  /// The least width, in nautical miles: below, a grid of 1e-7 degrees couldn't keep the edge to 0.1 %.
  public static let leastWidthNM = 0.01
  /// The greatest width, in nautical miles: a quarter of the way round the earth.
  public static let mostWidthNM = 5400.0

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .empty: "routeEmpty"
    case .tooManyPoints: "tooManyPoints"
    case .notFinite: "notFinite"
    case .latitude: "latitudeOutOfRange"
    case .longitude: "longitudeOutOfRange"
    case .antipodal: "antipodalLeg"
    case .width: "widthOutOfRange"
    case .tolerance: "toleranceOutOfRange"
    case .coversEarth: "coversEarth"
    case .farPole: "farPole"
    case .tooNarrow: "tooNarrow"
    case .tooTangled: "tooTangled"
    }
  }

  /// The index of the faulty point; nil where the fault is the route's as a whole.
  public var index: Int? {
    switch self {
    case .notFinite(let index), .latitude(let index), .longitude(let index), .antipodal(let index): index
    case .empty, .tooManyPoints, .width, .tolerance, .coversEarth, .farPole, .tooNarrow, .tooTangled: nil
    }
  }
}

extension BufferFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "the route has no points: give at least one"
    case .tooManyPoints(let count): "the route has \(count) points, \(Self.mostPoints) are the most: simplify it first"
    case .notFinite(let index): "point \(index) has a coordinate that is not a finite number"
    case .latitude(let index): "point \(index) has a latitude beyond ±90 degrees"
    case .longitude(let index): "point \(index) has a longitude beyond ±360 degrees"
    case .antipodal(let index):
      "the leg from point \(index) leads to the opposite side of the earth: add points between"
    case .width: "the width must be \(Self.leastWidthNM) to \(Self.mostWidthNM) nautical miles"
    case .tolerance: "the tolerance must be 0 or more nautical miles"
    case .coversEarth:
      "the corridor holds both poles or all of the earth, so no single ring bounds it: use less width or part of the route"
    case .farPole:
      "the corridor holds a pole but lies mostly in the other hemisphere: split the route at the equator"
    case .tooNarrow:
      "a ring of \(Ring.maximumCount) points can't follow so narrow a corridor of this length: give more width or a tolerance"
    case .tooTangled: "the corridor overlaps itself in too many places: simplify the route first"
    }
  }
}

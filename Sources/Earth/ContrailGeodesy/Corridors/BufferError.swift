/// The reason why a route has no corridor, with its position.
public enum BufferError: Error, Hashable, Sendable {
  /// The route has no points.
  case empty
  /// The route has more points than ``BufferError/mostPoints``.
  case tooManyPoints(Int)
  /// A coordinate is not a finite number.
  case notFinite(index: Int)
  /// A latitude is beyond ±90°.
  case latitude(index: Int)
  /// A longitude is beyond ±360°.
  case longitude(index: Int)
  /// The leg that starts at this point leads to the (nearly) opposite side of the earth, so that its direction is
  /// ambiguous.
  case antipodal(index: Int)
  /// The width is not a number from ``BufferError/leastWidthNM`` to ``BufferError/mostWidthNM``.
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
  public static let mostPoints = 200_000
  /// The minimum width, in nautical miles. With a smaller one, a grid of 1e-7 degrees is less precise than 0.1 %.
  public static let leastWidthNM = 0.01
  /// The maximum width, in nautical miles: a quarter of the earth's circumference.
  public static let mostWidthNM = 5400.0

  /// A stable code for logs and programs.
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

  /// The index of the invalid point; nil if the fault concerns the whole route.
  public var index: Int? {
    switch self {
    case .notFinite(let index), .latitude(let index), .longitude(let index), .antipodal(let index): index
    case .empty, .tooManyPoints, .width, .tolerance, .coversEarth, .farPole, .tooNarrow, .tooTangled: nil
    }
  }
}

extension BufferError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "the route has no points: add at least one"
    case .tooManyPoints(let count): "the route has \(count) points, more than \(Self.mostPoints): simplify it first"
    case .notFinite(let index): "point \(index) has a coordinate that is not a finite number"
    case .latitude(let index): "point \(index) has a latitude beyond ±90 degrees"
    case .longitude(let index): "point \(index) has a longitude beyond ±360 degrees"
    case .antipodal(let index):
      "the leg from point \(index) leads to the opposite side of the earth: add points to it"
    case .width: "the width must be \(Self.leastWidthNM) to \(Self.mostWidthNM) nautical miles"
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

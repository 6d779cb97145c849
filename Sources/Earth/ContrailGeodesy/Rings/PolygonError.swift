/// The first reason why a ring doesn't bound a simple area, with its position.
///
/// ``Ring`` accepts such rings and applies the even-odd rule; GeoJSON and most other software reject them. Edge *i*
/// connects point *i* and the next one.
public enum PolygonError: Error, Hashable, Sendable {
  /// The points are not a ring.
  case unreadable(RingError)
  /// Two edges cross or overlap.
  case crossing(edge: Int, other: Int, at: Coordinate)
  /// Two edges that aren't neighbours touch.
  case touching(edge: Int, other: Int, at: Coordinate)
  /// The ring doubles back on itself at the point.
  case spike(index: Int, at: Coordinate)

  /// A stable code for logs and programs.
  public var code: String {
    switch self {
    case .unreadable(let fault): fault.code
    case .crossing: "selfCrossing"
    case .touching: "selfTouching"
    case .spike: "spike"
    }
  }

  /// The index of the invalid point, or of the start of the first invalid edge.
  ///
  /// Nil if the fault concerns the whole ring.
  public var index: Int? {
    switch self {
    case .unreadable(let fault): fault.index
    case .crossing(let edge, _, _), .touching(let edge, _, _): edge
    case .spike(let index, _): index
    }
  }

  /// The position on the earth; nil if the points are not a ring.
  public var coordinate: Coordinate? {
    switch self {
    case .unreadable: nil
    case .crossing(_, _, let at), .touching(_, _, let at), .spike(_, let at): at
    }
  }
}

extension PolygonError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let fault): fault.description
    case .crossing(let edge, let other, let at):
      "the edges from points \(edge) and \(other) cross at \(at.latitude), \(at.longitude): reorder or remove points"
    case .touching(let edge, let other, let at):
      "the edges from points \(edge) and \(other) touch at \(at.latitude), \(at.longitude): move them apart"
    case .spike(let index, let at):
      "the ring doubles back on itself at point \(index) (\(at.latitude), \(at.longitude)): remove this point"
    }
  }
}

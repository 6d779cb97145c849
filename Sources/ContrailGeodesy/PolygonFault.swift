/// Why a ring does not bound one plain area, and where: the first fault along it.
///
/// ``Ring`` reads such rings all the same, by the even-odd rule; GeoJSON and most other software refuse them. Edge *i* runs from point
/// *i* to the next one.
public enum PolygonFault: Error, Hashable, Sendable {
  /// The points are no ring at all.
  case unreadable(RingFault)
  /// Two edges cross, or share a stretch.
  case crossing(edge: Int, other: Int, at: Coordinate)
  /// Two edges that are not neighbours share a point.
  case touching(edge: Int, other: Int, at: Coordinate)
  /// At the point, the ring goes back the way it came.
  case spike(index: Int, at: Coordinate)

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .unreadable(let fault): fault.code
    case .crossing: "selfCrossing"
    case .touching: "selfTouching"
    case .spike: "spike"
    }
  }

  /// The index of the faulty point, or of the first point of the first faulty edge; nil where the fault is the ring's as a whole.
  public var index: Int? {
    switch self {
    case .unreadable(let fault): fault.index
    case .crossing(let edge, _, _), .touching(let edge, _, _): edge
    case .spike(let index, _): index
    }
  }

  /// Where on the earth; nil where the points are no ring.
  public var coordinate: Coordinate? {
    switch self {
    case .unreadable: nil
    case .crossing(_, _, let at), .touching(_, _, let at), .spike(_, let at): at
    }
  }
}

extension PolygonFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let fault): fault.description
    case .crossing(let edge, let other, let at):
      "the edges from points \(edge) and \(other) cross at \(at.latitude), \(at.longitude): reorder or drop points"
    case .touching(let edge, let other, let at):
      "the edges from points \(edge) and \(other) touch at \(at.latitude), \(at.longitude): move them apart"
    case .spike(let index, let at):
      "the ring goes back the way it came at point \(index) (\(at.latitude), \(at.longitude)): drop that point"
    }
  }
}

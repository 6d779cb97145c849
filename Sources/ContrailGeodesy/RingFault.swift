/// Why points do not bound an area, and where.
public enum RingFault: Error, Hashable, Sendable {
  /// Fewer than four points, the repeated first one included.
  case tooFewPoints(Int)
  /// More than 250 points.
  case tooManyPoints(Int)
  /// The last point does not repeat the first.
  case open
  /// A coordinate is not a finite number.
  case notFinite(index: Int)
  /// A latitude beyond ±90°.
  case latitude(index: Int)
  /// A longitude beyond ±360°.
  case longitude(index: Int)
  /// The edge that begins at the point spans 180° of longitude or more, so which way it goes is open.
  case longEdge(index: Int)
  /// The ring goes round the earth more than once.
  case windsTwice

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .tooFewPoints: "tooFewPoints"
    case .tooManyPoints: "tooManyPoints"
    case .open: "ringOpen"
    case .notFinite: "notFinite"
    case .latitude: "latitudeOutOfRange"
    case .longitude: "longitudeOutOfRange"
    case .longEdge: "longEdge"
    case .windsTwice: "windsTwice"
    }
  }

  /// The index of the faulty point, or the count that is wrong; nil where the fault is the ring's as a whole.
  public var index: Int? {
    switch self {
    case .notFinite(let index), .latitude(let index), .longitude(let index), .longEdge(let index): index
    case .tooFewPoints(let count), .tooManyPoints(let count): count
    case .open, .windsTwice: nil
    }
  }
}

extension RingFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooFewPoints(0):
      "the ring is empty, as buffer(widthNM:) returns it if there is no corridor: call corridor(widthNM:), which throws the reason"
    case .tooFewPoints(let count):
      "a ring needs at least \(Ring.minimumCount) points, its first repeated at the end; this one has \(count)"
    case .tooManyPoints(let count):
      "a ring may have at most \(Ring.maximumCount) points; this one has \(count): simplify it with more tolerance"
    case .open: "the ring is open: repeat its first point at the end"
    case .notFinite(let index): "point \(index) has a coordinate that is not a finite number"
    case .latitude(let index): "point \(index) has a latitude beyond ±90 degrees"
    case .longitude(let index): "point \(index) has a longitude beyond ±360 degrees"
    case .longEdge(let index): "the edge from point \(index) spans 180 degrees of longitude or more: add points between"
    case .windsTwice: "the ring goes round the earth more than once"
    }
  }
}

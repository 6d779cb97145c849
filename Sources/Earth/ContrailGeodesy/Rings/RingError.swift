/// The reason why points don't bound an area, with its position.
public enum RingError: Error, Hashable, Sendable {
  /// There are fewer than four points, including the repeated first one.
  case tooFewPoints(Int)
  /// There are more than 250 points.
  case tooManyPoints(Int)
  /// The last point does not repeat the first.
  case open
  /// A coordinate is not a finite number.
  case notFinite(index: Int)
  /// A latitude is beyond ±90°.
  case latitude(index: Int)
  /// A longitude is beyond ±360°.
  case longitude(index: Int)
  /// The edge that starts at the point spans 180° of longitude or more, so that its direction is ambiguous.
  case longEdge(index: Int)
  /// The ring winds around the earth more than once.
  case windsTwice

  /// A stable code for logs and programs.
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

  /// The index of the invalid point, or the invalid number of points.
  ///
  /// Nil if the fault concerns the whole ring.
  public var index: Int? {
    switch self {
    case .notFinite(let index), .latitude(let index), .longitude(let index), .longEdge(let index): index
    case .tooFewPoints(let count), .tooManyPoints(let count): count
    case .open, .windsTwice: nil
    }
  }
}

extension RingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooFewPoints(0):
      "the ring is empty; buffer(widthNM:) returns this if there is no corridor: use corridor(widthNM:), which throws the reason"
    case .tooFewPoints(let count):
      "the ring has \(count) points: use at least \(Ring.minimumCount), with the first repeated at the end"
    case .tooManyPoints(let count):
      "the ring has \(count) points, more than \(Ring.maximumCount): simplify it with a larger tolerance"
    case .open: "the ring is open: repeat its first point at the end"
    case .notFinite(let index): "point \(index) has a coordinate that is not a finite number"
    case .latitude(let index): "point \(index) has a latitude beyond ±90 degrees"
    case .longitude(let index): "point \(index) has a longitude beyond ±360 degrees"
    case .longEdge(let index): "the edge from point \(index) spans 180 degrees of longitude or more: add points to it"
    case .windsTwice: "the ring winds around the earth more than once"
    }
  }
}

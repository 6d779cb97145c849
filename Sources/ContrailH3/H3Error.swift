/// Why an H3 function has no answer.
public enum H3Error: Error, Hashable, Sendable {
  /// The resolution is not within 0…15.
  case resolution(Int)
  /// The coordinate is not finite, or its latitude lies beyond ±90° or its longitude beyond ±360°.
  case coordinate
  /// The resolutions of two cells, or of a cell and its wanted kin, don't go together.
  case resolutionMismatch(Int, Int)
  /// The same cell was given twice.
  case duplicate(H3Cell)
  /// The distance is negative.
  case negativeDistance(Int)
  /// The answer would hold more cells than the limit.
  case tooManyCells(limit: Int)
  /// The lattice between the two cells is broken by a pentagon or reaches too far to be counted in.
  case unreachable(H3Cell, H3Cell)
  /// The cells don't share an edge.
  case notNeighbours(H3Cell, H3Cell)
  /// A loop has fewer than three points; the index is 0 for the outer loop, then that of the hole.
  case tooFewPoints(loop: Int)
  /// A point of a loop is not a coordinate; the loop as in ``tooFewPoints(loop:)``.
  case loopCoordinate(loop: Int, point: Int)
  /// A loop goes round the earth more than once, or up and down it without end; the loop as in ``tooFewPoints(loop:)``.
  case windsTwice(loop: Int)

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .resolution: "resolution"
    case .coordinate: "coordinate"
    case .resolutionMismatch: "resolutionMismatch"
    case .duplicate: "duplicate"
    case .negativeDistance: "negativeDistance"
    case .tooManyCells: "tooManyCells"
    case .unreachable: "unreachable"
    case .notNeighbours: "notNeighbours"
    case .tooFewPoints: "tooFewPoints"
    case .loopCoordinate: "loopCoordinate"
    case .windsTwice: "windsTwice"
    }
  }
}

extension H3Error: CustomStringConvertible {
  public var description: String {
    switch self {
    case .resolution(let resolution):
      "resolution \(resolution) does not exist: use 0 to 15"
    case .coordinate:
      "the coordinate is no point on the earth: give a latitude within ±90 and a longitude within ±360 degrees"
    case .resolutionMismatch(let a, let b):
      "resolutions \(a) and \(b) don't go together here"
    case .duplicate(let cell):
      "cell \(cell) was given more than once: remove duplicates first"
    case .negativeDistance(let distance):
      "a grid distance can't be negative; this one is \(distance)"
    case .tooManyCells(let limit):
      "the answer holds more than \(limit) cells: ask for a coarser resolution or a smaller area"
    case .unreachable(let a, let b):
      "the grid between \(a) and \(b) can't be counted in: they are too far apart or a pentagon lies between"
    case .notNeighbours(let a, let b):
      "cells \(a) and \(b) don't share an edge"
    case .tooFewPoints(let loop):
      "\(Self.name(ofLoop: loop)) has fewer than three points"
    case .loopCoordinate(let loop, let point):
      "point \(point) of \(Self.name(ofLoop: loop)) is no point on the earth"
    case .windsTwice(let loop):
      "\(Self.name(ofLoop: loop)) goes round the earth more than once"
    }
  }

  private static func name(ofLoop loop: Int) -> String { loop == 0 ? "the outer loop" : "hole \(loop)" }
}

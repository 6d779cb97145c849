/// An error of an H3 function.
public enum H3Error: Error, Hashable, Sendable {
  /// The resolution is outside 0…15.
  case resolution(Int)
  /// The coordinate isn't finite, or its latitude is beyond ±90° or its longitude beyond ±360°.
  case coordinate
  /// The resolutions of two cells, or of a cell and the requested relative, aren't compatible.
  case resolutionMismatch(Int, Int)
  /// The same cell occurs twice.
  case duplicate(H3Cell)
  /// The distance is negative.
  case negativeDistance(Int)
  /// The result has more cells than the limit.
  case tooManyCells(limit: Int)
  /// The two cells are too far apart, or separated by a pentagon, so that no distance or path can be computed.
  case unreachable(H3Cell, H3Cell)
  /// The cells don't share an edge.
  case notNeighbors(H3Cell, H3Cell)
  /// A loop has fewer than three points. Loop 0 is the outer loop, followed by the holes.
  case tooFewPoints(loop: Int)
  /// A point of a loop is invalid; the loop is numbered as in ``tooFewPoints(loop:)``.
  case loopCoordinate(loop: Int, point: Int)
  /// A loop winds around the earth more than once, or spans too many turns; numbered as in ``tooFewPoints(loop:)``.
  case windsTwice(loop: Int)

  /// A stable code for logs and programs.
  public var code: String {
    switch self {
    case .resolution: "resolution"
    case .coordinate: "coordinate"
    case .resolutionMismatch: "resolutionMismatch"
    case .duplicate: "duplicate"
    case .negativeDistance: "negativeDistance"
    case .tooManyCells: "tooManyCells"
    case .unreachable: "unreachable"
    case .notNeighbors: "notNeighbors"
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
      "resolution \(resolution) is invalid: use 0 to 15"
    case .coordinate:
      "the coordinate is invalid: use a latitude within ±90 and a longitude within ±360 degrees"
    case .resolutionMismatch(let a, let b):
      "the resolutions \(a) and \(b) are incompatible in this operation"
    case .duplicate(let cell):
      "cell \(cell) occurs more than once: remove duplicates first"
    case .negativeDistance(let distance):
      "the grid distance \(distance) is negative: use 0 or more"
    case .tooManyCells(let limit):
      "the result has more than \(limit) cells: use a coarser resolution or a smaller area"
    case .unreachable(let a, let b):
      "no grid distance between \(a) and \(b): they are too far apart, or separated by a pentagon"
    case .notNeighbors(let a, let b):
      "cells \(a) and \(b) don't share an edge"
    case .tooFewPoints(let loop):
      "\(Self.name(ofLoop: loop)) has fewer than three points"
    case .loopCoordinate(let loop, let point):
      "point \(point) of \(Self.name(ofLoop: loop)) isn't a valid coordinate"
    case .windsTwice(let loop):
      "\(Self.name(ofLoop: loop)) winds around the earth more than once"
    }
  }

  private static func name(ofLoop loop: Int) -> String { loop == 0 ? "the outer loop" : "hole \(loop)" }
}

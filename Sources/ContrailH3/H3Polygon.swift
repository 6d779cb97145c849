public import ContrailGeodesy

/// An area to find cells in, or the outline of cells: a loop and the holes in it.
///
/// A loop's edges are straight in longitude and latitude; its first point may be repeated at the end or not. When all
/// its longitudes lie within ±180°, an edge goes the short way round, so a loop may lie across the antimeridian; when
/// any lies beyond, longitudes are taken as they stand. A loop that goes once round the earth holds the pole that is
/// nearer to it. Points in a hole are outside.
public struct H3Polygon: Hashable, Sendable {
  public var outer: [Coordinate]
  public var holes: [[Coordinate]]

  public init(outer: [Coordinate], holes: [[Coordinate]] = []) {
    self.outer = outer
    self.holes = holes
  }
}

/// When a cell belongs to an area.
public enum H3Containment: Hashable, Sendable, CaseIterable {
  /// The cell's centre lies inside: adjacent areas share no cell and leave none out.
  case center
  /// All of the cell lies inside.
  case full
  /// Any part of the cell lies inside.
  case overlapping
}

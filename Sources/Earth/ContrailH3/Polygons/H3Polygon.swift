public import ContrailGeodesy

/// An area to find cells in, or the outline of cells: a loop and its holes.
///
/// The edges of a loop are straight in longitude and latitude. The first point may be repeated at the end. If all
/// longitudes of a loop are within ±180°, each edge takes the shorter way, so that a loop may cross the antimeridian;
/// otherwise, longitudes are used unchanged. A loop that winds around the earth once contains the pole nearer to it.
/// Points in a hole are outside.
public struct H3Polygon: Hashable, Sendable {
  public var outer: [Coordinate]
  public var holes: [[Coordinate]]

  public init(outer: [Coordinate], holes: [[Coordinate]] = []) {
    self.outer = outer
    self.holes = holes
  }
}

/// The criterion for a cell to belong to an area.
public enum H3Containment: Hashable, Sendable, CaseIterable {
  /// The cell's centre is inside. Adjacent areas share no cell and omit none.
  case center
  /// The whole cell is inside.
  case full
  /// Any part of the cell is inside.
  case overlapping
}

public import ContrailGeodesy

extension H3Cell {
  /// The cell that holds a point.
  ///
  /// The answer rests on plain arithmetic and is the same on every machine, but for points within rounding of the edge
  /// of two cells: there libh3's own steps are followed, to its answer, whose last bit is the platform's libm's.
  ///
  /// - Parameter resolution: 0 to 15.
  /// - Throws: ``H3Error/resolution(_:)``; ``H3Error/coordinate`` where the coordinate is not valid.
  /// - Complexity: O(resolution), without allocation.
  public init(_ coordinate: Coordinate, resolution: Int) throws(H3Error) {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    guard coordinate.isValid else { throw H3Error.coordinate }
    let lattice =
      Lattice(nearest: coordinate, resolution: resolution)
      ?? EdgeCase.lattice(of: coordinate, resolution: resolution)
    self.init(trusted: lattice.index(resolution: resolution))
  }

  /// The cell's centre.
  ///
  /// - Complexity: O(resolution), without allocation.
  public var center: Coordinate {
    Projection.coordinate(Lattice(centreOf: rawValue).vector(resolution: resolution))
  }
}

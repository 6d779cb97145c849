public import ContrailGeodesy

extension H3Cell {
  /// Creates the cell that contains a point.
  ///
  /// The result is computed with basic arithmetic and is the same on every machine. The exception are points within
  /// rounding error of an edge: for these, the computation follows the steps of libh3, whose last bit depends on the
  /// platform's libm.
  ///
  /// - Parameters:
  ///   - coordinate: The point.
  ///   - resolution: The resolution, 0 to 15.
  /// - Throws: ``H3Error/resolution(_:)``, or ``H3Error/coordinate`` if the coordinate is invalid.
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

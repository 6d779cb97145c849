public import ContrailGeodesy

extension H3Cell {
  /// The cells of a resolution whose centres lie in a ring, in ascending order.
  ///
  /// Exactly those for which `ring.contains(cell.center)`; the hierarchy is descended, and only near the ring's edges is a centre tested.
  ///
  /// - Parameters:
  ///   - resolution: 0 to 15.
  ///   - limit: the most cells that the answer may hold.
  /// - Throws: ``H3Error/resolution(_:)``, ``H3Error/tooManyCells(limit:)``.
  /// - Complexity: O(*e* · *n* + *c*), where *e* is the cells along the edge, *n* the edges near one of them, and *c* the cells.
  public static func cells(in ring: Ring, resolution: Int, limit: Int = .max) throws(H3Error) -> [H3Cell] {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    var fill = RingFill(ring: ring, resolution: resolution, limit: limit)
    guard fill.run() else { throw H3Error.tooManyCells(limit: limit) }
    return fill.cells
  }
}

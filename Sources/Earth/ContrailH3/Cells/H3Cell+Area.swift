public import ContrailGeodesy

extension H3Cell {
  /// Returns the cells of a resolution that belong to a ring, in ascending order.
  ///
  /// By centre, these are exactly the cells for which `ring.contains(cell.center)` is true, on the ring's grid of 1e-7
  /// degrees. The algorithm descends the hierarchy, and tests individual cells only near the ring's edges.
  ///
  /// - Parameters:
  ///   - ring: The ring.
  ///   - resolution: The resolution, 0 to 15.
  ///   - containment: The criterion for cells to belong to the ring. The default is by centre.
  ///   - limit: The maximum number of cells in the result.
  /// - Throws: ``H3Error/resolution(_:)``, ``H3Error/tooManyCells(limit:)``.
  /// - Complexity: O(*e* · *n* + *c*), with *e* cells along the edge, *n* edges near each of them, and *c* resulting
  ///   cells.
  public static func cells(
    in ring: Ring, resolution: Int, containment: H3Containment = .center, limit: Int = maximumCount
  ) throws(H3Error) -> [H3Cell] {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    return try cells(
      in: PlaneLoops(ring), first: ring.coordinates.first, resolution: resolution, containment: containment,
      limit: limit)
  }

  /// Returns the cells of a resolution that belong to a polygon, in ascending order.
  ///
  /// This corresponds to libh3's `polygonToCells`, but loops may contain a pole.
  ///
  /// - Parameters:
  ///   - polygon: The polygon.
  ///   - resolution: The resolution, 0 to 15.
  ///   - containment: The criterion for cells to belong to the polygon. The default is by centre.
  ///   - limit: The maximum number of cells in the result.
  /// - Throws: ``H3Error/resolution(_:)``, ``H3Error/tooManyCells(limit:)``; for the first invalid loop
  ///   ``H3Error/tooFewPoints(loop:)``, ``H3Error/loopCoordinate(loop:point:)`` or ``H3Error/windsTwice(loop:)``.
  /// - Complexity: O(*e* · *n* + *c*), with *e* cells along the edges, *n* edges near each of them, and *c* resulting
  ///   cells.
  public static func cells(
    in polygon: H3Polygon, resolution: Int, containment: H3Containment = .center, limit: Int = maximumCount
  ) throws(H3Error) -> [H3Cell] {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    return try cells(
      in: PlaneLoops(polygon), first: polygon.outer.first, resolution: resolution, containment: containment,
      limit: limit)
  }

  private static func cells(
    in loops: PlaneLoops, first: Coordinate?, resolution: Int, containment: H3Containment, limit: Int
  ) throws(H3Error) -> [H3Cell] {
    var fill = PlaneFill(
      loops: loops, resolution: resolution, containment: containment, first: first, limit: limit)
    guard fill.run() else { throw H3Error.tooManyCells(limit: limit) }
    return fill.cells
  }
}

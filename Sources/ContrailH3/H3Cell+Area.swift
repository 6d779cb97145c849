public import ContrailGeodesy

extension H3Cell {
  /// The cells of a resolution that belong to a ring, in ascending order.
  ///
  /// By centre, those are exactly the cells for which `ring.contains(cell.center)`, on the ring's grid of 1e-7 degrees.
  /// The hierarchy is descended, and only near the ring's edges is a cell tested.
  ///
  /// - Parameters:
  ///   - resolution: 0 to 15.
  ///   - containment: when a cell belongs; by its centre if not said.
  ///   - limit: the most cells that the answer may hold.
  /// - Throws: ``H3Error/resolution(_:)``, ``H3Error/tooManyCells(limit:)``.
  /// - Complexity: O(*e* · *n* + *c*): *e* the cells along the edge, *n* the edges near one of them, *c* the cells.
  public static func cells(
    in ring: Ring, resolution: Int, containment: H3Containment = .center, limit: Int = maximumCount
  ) throws(H3Error) -> [H3Cell] {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    return try cells(
      in: PlaneLoops(ring), first: ring.coordinates.first, resolution: resolution, containment: containment,
      limit: limit)
  }

  /// The cells of a resolution that belong to a polygon, in ascending order.
  ///
  /// As libh3's `polygonToCells`, but loops may also go round a pole.
  ///
  /// - Parameters:
  ///   - resolution: 0 to 15.
  ///   - containment: when a cell belongs; by its centre if not said.
  ///   - limit: the most cells that the answer may hold.
  /// - Throws: ``H3Error/resolution(_:)``, ``H3Error/tooManyCells(limit:)``; ``H3Error/tooFewPoints(loop:)`` and
  ///   ``H3Error/loopCoordinate(loop:point:)`` for the first fault of the polygon.
  /// - Complexity: O(*e* · *n* + *c*): *e* the cells along the edges, *n* the edges near one of them, *c* the cells.
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

extension Array where Element: GeographicPoint {
  /// The ring or route with fewer points, chosen among its own, so that no point left out lies farther than `tolerance` from the edges
  /// that stay.
  ///
  /// A ring (its last point repeats its first) stays closed and keeps at least four points; a route keeps its ends. Edges are read as
  /// ``Ring`` reads them. What did not meet itself before does not afterwards: where leaving points out would make it, more of them
  /// stay than the tolerance asks for.
  ///
  /// - Parameter tolerance: in nautical miles on the ground. Nil, the default, leaves out only what must go for
  ///   ``Ring/maximumCount`` points to remain; a line of no more than that comes back as it is.
  /// - Returns: points of this array in their order. The array itself where a point is not a coordinate (``Coordinate/isValid``),
  ///   there are too few to leave one out, or a ring round the earth would come to hold its other pole.
  /// - Complexity: O(*n* log *n*) on lines as they occur; O(*n*²) at worst.
  public func simplified(tolerance: Double? = nil) -> [Element] {
    if tolerance == nil, count <= Ring.maximumCount { return self }
    if let tolerance, !(tolerance >= 0) { return self }
    guard count > 2, let path = PlanePath(asCoordinates), !path.isClosed || count > 4 else { return self }
    let kept = Simplifier(path).kept(toleranceNM: tolerance, most: Ring.maximumCount).indices
    guard kept.count >= (path.isClosed ? 3 : 2) else { return self }
    // A ring round the earth that lies on both sides of the equator might come to hold the other pole.
    guard path.winding == 0 || path.holdsNorth(kept) == path.holdsNorth(path.points.indices.dropLast()) else {
      return self
    }
    var result = kept.map { self[$0] }
    if path.isClosed { result.append(self[kept[0]]) }
    return result
  }

  /// The same as ``simplified(tolerance:)``: the SDK that this one follows has the function under both names, and returns the result
  /// from either.
  public func simplify(tolerance: Double? = nil) -> [Element] { simplified(tolerance: tolerance) }
}

extension Array where Element: GeographicPoint {
  /// Returns the ring or route with fewer of its points.
  ///
  /// Removed points are within `tolerance` of the remaining edges.
  ///
  /// A ring (its last point repeats its first) remains closed and keeps at least four points; a route keeps its ends.
  /// Edges are read as in ``Ring``. A line that doesn't intersect itself doesn't do so afterwards: if removing points
  /// would cause it, more of them are kept than the tolerance requires.
  ///
  /// - Parameter tolerance: The tolerance in nautical miles on the ground. If nil, the default, only as many points are
  ///   removed as required to leave ``Ring/maximumCount``; a line with at most that many is returned unchanged.
  /// - Returns: Points of this array in their order. The array is unchanged if a point is invalid
  ///   (``Coordinate/isValid``), if there are too few points to remove one, or if a ring around the earth would then
  ///   contain the other pole.
  /// - Complexity: O(*n* log *n*) for typical lines; O(*n*²) in the worst case.
  public func simplified(tolerance: Double? = nil) -> [Element] {
    if tolerance == nil, count <= Ring.maximumCount { return self }
    if let tolerance, !(tolerance >= 0) { return self }
    guard count > 2, let path = PlanePath(asCoordinates), !path.isClosed || count > 4 else { return self }
    let kept = Simplifier(path).kept(toleranceNM: tolerance, most: Ring.maximumCount).indices
    guard kept.count >= (path.isClosed ? 3 : 2) else { return self }
    // A ring around the earth on both sides of the equator might then contain the other pole.
    guard path.winding == 0 || path.holdsNorth(kept) == path.holdsNorth(path.points.indices.dropLast()) else {
      return self
    }
    var result = kept.map { self[$0] }
    if path.isClosed { result.append(self[kept[0]]) }
    return result
  }

  /// Returns the same as ``simplified(tolerance:)``.
  ///
  /// The SDK whose API this package follows has both names, and both return the result.
  public func simplify(tolerance: Double? = nil) -> [Element] { simplified(tolerance: tolerance) }
}

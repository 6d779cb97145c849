extension Array where Element: GeographicPoint {
  /// Returns the corridor of a route as a closed ring, or an empty ring if there is none.
  ///
  /// ```swift
  /// dataQuery.polygon = route.buffer(widthNM: 100)
  /// ```
  ///
  /// This method returns the same ring as ``corridor(widthNM:simplify:tolerance:)``, but never throws. If there is no
  /// corridor, it returns an empty ring, which a data query rejects, and passes the reason to `onFault`:
  ///
  /// ```swift
  /// dataQuery.polygon = route.buffer(widthNM: width) { fault in show(fault.description) }
  /// ```
  ///
  /// - Parameters:
  ///   - widthNM: The full width, in nautical miles.
  ///   - simplify: Whether to simplify the ring.
  ///   - tolerance: The tolerance of the simplification, in nautical miles.
  ///   - onFault: Called once, before the method returns, if there is no corridor.
  public func buffer(
    widthNM: Double, simplify: Bool = true, tolerance: Double? = nil, onFault: (GeodesyError) -> Void = { _ in }
  ) -> [Element] {
    do {
      return try corridor(widthNM: widthNM, simplify: simplify, tolerance: tolerance)
    } catch {
      onFault(error)
      return []
    }
  }

  /// Returns the corridor of a route as a closed ring.
  ///
  /// The ring is at half of `widthNM` from the route, with round ends and joins.
  ///
  /// Distances refer to WGS 84: each point of the ring is at half the width from the route, within 0.1 %. Where the
  /// route approaches itself, the corridor is merged into one ring, and remaining holes are filled; a ring is therefore
  /// buffered outwards. A single point gives a circle. The ring is counter-clockwise. Its longitudes are within ±180°,
  /// and edges cross the antimeridian the shorter way, as ``Ring`` reads them; ``unwrapped()`` and
  /// ``splitAtAntimeridian()`` return the other forms. Around a pole, the ring winds once around the earth. The points
  /// are integers of 1e-7 degrees, and the ring doesn't intersect itself.
  ///
  /// - Parameters:
  ///   - widthNM: The full width from the left to the right edge, in nautical miles; ``GeodesyError/leastWidthNM`` to
  ///     ``GeodesyError/mostWidthNM``.
  ///   - simplify: Whether to remove points as in ``simplified(tolerance:)``. The whole route remains inside as long as
  ///     the tolerance is less than half the width. Without a tolerance, the method throws otherwise.
  ///   - tolerance: The tolerance in nautical miles; nil for the smallest one that leaves ``Ring/maximumCount`` points.
  /// - Throws: ``GeodesyError`` with the first fault and its position.
  /// - Complexity: O(*n* log *n*) for *n* points and as many intersections of the corridor with itself.
  public func corridor(
    widthNM: Double, simplify: Bool = true, tolerance: Double? = nil
  ) throws(GeodesyError) -> [Element] {
    if let tolerance, !(tolerance >= 0) { throw .tolerance }
    let ring = try Corridor.outline(of: asCoordinates, widthNM: widthNM)
    let corners: [Int]
    if simplify {
      let kept = Simplifier(ring).kept(toleranceNM: tolerance, most: Ring.maximumCount)
      corners = kept.indices
      // An edge displaced by half the width would leave part of the route outside. An explicit tolerance allows that.
      let isFaithful = kept.toleranceNM < 0.45 * widthNM && corners.count < Ring.maximumCount
      guard tolerance != nil || isFaithful else { throw .tooNarrow }
      let isSamePole = ring.holdsNorth(corners) == ring.holdsNorth(ring.points.indices.dropLast())
      guard ring.winding == 0 || isSamePole else { throw .farPole }
    } else {
      corners = Array<Int>(ring.points.indices.dropLast())
    }
    var result: [Element] = []
    result.reserveCapacity(corners.count + 1)
    for corner in corners {
      let point = ring.points[corner]
      result.append(
        Element(latitude: Double(point.y) / 1e7, longitude: Double(FixedCoordinate.wrapped(point.x)) / 1e7))
    }
    if let first = result.first { result.append(first) }
    return result
  }
}

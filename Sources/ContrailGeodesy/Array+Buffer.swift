extension Array where Element: GeographicPoint {
  /// The corridor of a route: a closed ring that runs half of `widthNM` from it on the earth, with round ends and joins.
  ///
  /// ```swift
  /// dataQuery.polygon = route.buffer(widthNM: 100)
  /// ```
  ///
  /// The same as ``corridor(widthNM:simplify:tolerance:)``, as an expression that never throws: if there is no corridor, the ring is
  /// empty, `onFault` gets the reason, and a data query rejects the empty ring.
  ///
  /// ```swift
  /// dataQuery.polygon = route.buffer(widthNM: width) { fault in show(fault.description) }
  /// ```
  ///
  /// - Parameter onFault: called once, before the return, if there is no corridor.
  public func buffer(
    widthNM: Double, simplify: Bool = true, tolerance: Double? = nil, onFault: (BufferFault) -> Void = { _ in }
  ) -> [Element] {
    do {
      return try corridor(widthNM: widthNM, simplify: simplify, tolerance: tolerance)
    } catch {
      onFault(error)
      return []
    }
  }

  /// The corridor of a route: a closed ring that runs half of `widthNM` from it on the earth, with round ends and joins.
  ///
  /// Distances are on WGS 84: each point of the ring lies half the width from the route to 0.1 %. Where the route comes near itself, all
  /// of it is united into one ring, and holes that are left within it are dropped; a ring is therefore buffered outwards. A single
  /// point gives a circle. The ring runs counter-clockwise; longitudes are within ±180°, and across the antimeridian an edge goes the
  /// short way, as ``Ring`` reads it (``unwrapped()`` and ``splitAtAntimeridian()`` give the other forms). Round a pole it goes once
  /// round the earth. Points are whole 1e-7 degrees, and the ring does not meet itself.
  ///
  /// - Parameters:
  ///   - widthNM: from the left to the right edge, in nautical miles; ``BufferFault/leastWidthNM`` to ``BufferFault/mostWidthNM``.
  ///   - simplify: whether to leave out points as ``simplified(tolerance:)`` does. Those that stay are on the same edge; no point of the
  ///     route comes to lie outside as long as the tolerance is less than half the width. Without a tolerance that is so, or it throws.
  ///   - tolerance: in nautical miles; nil for as little as leaves ``Ring/maximumCount`` points.
  /// - Throws: ``BufferFault`` with the first fault and its place.
  /// - Complexity: O(*n* log *n*) for *n* points and as many meetings of the corridor with itself.
  public func corridor(
    widthNM: Double, simplify: Bool = true, tolerance: Double? = nil
  ) throws(BufferFault) -> [Element] {
    if let tolerance, !(tolerance >= 0) { throw .tolerance }
    let ring = try Corridor.outline(of: asCoordinates, widthNM: widthNM)
    let corners: [Int]
    if simplify {
      let kept = Simplifier(ring).kept(toleranceNM: tolerance, most: Ring.maximumCount)
      corners = kept.indices
      // An edge that strays half the width would leave route outside; whoever wants that gives the tolerance.
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

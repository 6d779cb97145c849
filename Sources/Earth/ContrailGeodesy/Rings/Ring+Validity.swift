extension Array where Element: GeographicPoint {
  /// Returns the first reason why the points don't bound a simple area, with its position.
  ///
  /// Nil if they bound a simple area.
  ///
  /// Points are read as in ``Ring``. Consecutive equal points are allowed.
  ///
  /// - Parameter maximumCount: The maximum number of points.
  /// - Complexity: O(*n* log *n*) for typical rings.
  public func polygonError(maximumCount: Int = Ring.maximumCount) -> GeodesyError? {
    Ring.polygonError(of: asCoordinates.map(FixedCoordinate.init), maximumCount: maximumCount)
  }

  /// The orientation of a ring.
  ///
  /// Nil if the points are not a ring (of any count), or if it has no area.
  public var orientation: Orientation? {
    guard let path = PlanePath(asCoordinates), path.isClosed else { return nil }
    let points = path.closedOverPole
    guard let origin = points.first else { return nil }
    // The sum has 128 bits, in two parts.
    var (high, low) = (Int64(0), UInt64(0))
    for index in points.indices.dropFirst() {
      let (a, b) = (points[index - 1], points[index])
      let product = (a.x &- b.x).multipliedFullWidth(by: (a.y &- origin.y) &+ (b.y &- origin.y))
      let sum = low.addingReportingOverflow(product.low)
      low = sum.partialValue
      high = high &+ product.high &+ (sum.overflow ? 1 : 0)
    }
    if high == 0, low == 0 { return nil }
    return high >= 0 ? .counterClockwise : .clockwise
  }
}

/// The orientation of a ring, seen from above.
public enum Orientation: Hashable, Sendable {
  /// The area is to the left, as RFC 7946 requires for outer rings.
  case counterClockwise
  /// The area is to the right.
  case clockwise
}

extension Ring {
  /// The first reason why the ring doesn't bound a simple area; nil if it does.
  ///
  /// Indices refer to ``points``.
  public var polygonError: GeodesyError? { Self.polygonError(of: points.map { $0 }) }

  /// Creates a ring that must bound a simple area. Nil stands for a point that was not finite.
  ///
  /// - Throws: ``GeodesyError`` with the first fault and its position.
  /// - Complexity: O(*n* log *n*) for typical rings.
  package init(simple given: [FixedCoordinate?]) throws(GeodesyError) {
    if let fault = Self.polygonError(of: given) { throw fault }
    try self.init(given)
  }

  fileprivate static func polygonError(
    of given: [FixedCoordinate?], maximumCount: Int = maximumCount
  ) -> GeodesyError? {
    do throws(GeodesyError) {
      let unrolled = try unrolled(try checked(given, most: maximumCount))
      var corners: [GridPoint] = []
      var numbers: [Int] = []
      for (number, point) in unrolled.enumerated() {
        let corner = GridPoint(x: point.longitudeE7, y: point.latitudeE7)
        if corner == corners.last { continue }
        corners.append(corner)
        numbers.append(number)
      }
      let path = PlanePath(closed: corners)
      guard abs(path.winding) <= PlanePath.turn else { return .windsTwice }
      guard corners.count > 1 else { return .spike(index: 0, at: unrolled[0].coordinate) }
      return path.firstFault(numbers)
    } catch {
      return error
    }
  }
}

extension PlanePath {
  /// Returns the first fault along a ring without repeated points; `numbers` are the indices of its points in the
  /// input.
  fileprivate func firstFault(_ numbers: [Int]) -> GeodesyError? {
    let edges = points.count - 1
    let finder = ContactFinder(self)
    // Testing all edges at once is faster than one by one, and most rings are simple.
    guard finder.forEach({ _, _ in true }) else { return nil }
    for edge in 0..<edges {
      var other = Int.max
      _ = finder.forEach(of: edge) { i, j in
        other = min(other, i == edge ? j : i)
        return false
      }
      guard other < edges else { continue }
      return fault(edge, other, numbers)
    }
    return nil
  }

  private func fault(_ i: Int, _ j: Int, _ numbers: [Int]) -> GeodesyError {
    let (edge, other) = (min(i, j), max(i, j))
    let first = self.edge(edge)
    // Move the other edge, which may be a turn away, next to the first.
    var second = self.edge(other)
    for turns in -3...3 {
      let shift = Int64(turns) * PlanePath.turn
      let moved = GridSegment(
        GridPoint(x: second.a.x + shift, y: second.a.y), GridPoint(x: second.b.x + shift, y: second.b.y))
      if moved.box.meets(first.box), moved.touches(first) {
        second = moved
        break
      }
    }
    if first.b == second.a, first.foldsBack(into: second) {
      return .spike(index: numbers[other], at: Self.coordinate(second.a))
    }
    if second.b == first.a, second.foldsBack(into: first) {
      return .spike(index: numbers[edge], at: Self.coordinate(first.a))
    }
    if let point = first.crossing(second) {
      return .crossing(edge: numbers[edge], other: numbers[other], at: Self.coordinate(point))
    }
    let shared =
      [second.a, second.b].filter {
        GridPoint.orientation(first.a, first.b, $0) == 0 && first.spans($0)
      }
      + [first.a, first.b].filter {
        GridPoint.orientation(second.a, second.b, $0) == 0 && second.spans($0)
      }
    let at = Self.coordinate(shared.first ?? first.a)
    return Set(shared).count > 1
      ? .crossing(edge: numbers[edge], other: numbers[other], at: at)
      : .touching(edge: numbers[edge], other: numbers[other], at: at)
  }

  private static func coordinate(_ point: GridPoint) -> Coordinate {
    FixedCoordinate(latitudeE7: point.y, longitudeE7: FixedCoordinate.wrapped(point.x)).coordinate
  }
}

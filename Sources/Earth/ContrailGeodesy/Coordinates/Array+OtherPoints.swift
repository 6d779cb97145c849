// The same methods for points of another type, such as `CLLocationCoordinate2D`, where ``Coordinate`` values are expected:
// `client.dataQuery.polygon = route.buffer(widthNM: 100)` compiles for both. Where the result's type is open, it is that of the points.

extension Array where Element: GeographicPoint {
  /// Returns the corridor of a route as ``Coordinate`` values; see ``buffer(widthNM:simplify:tolerance:onFault:)-[Element]``.
  @_disfavoredOverload
  public func buffer(
    widthNM: Double, simplify: Bool = true, tolerance: Double? = nil, onFault: (GeodesyError) -> Void = { _ in }
  ) -> [Coordinate] {
    asCoordinates.buffer(widthNM: widthNM, simplify: simplify, tolerance: tolerance, onFault: onFault)
  }

  /// Returns the corridor of a route as ``Coordinate`` values; see ``corridor(widthNM:simplify:tolerance:)-[Element]``.
  ///
  /// - Throws: ``GeodesyError`` with the first fault and its position.
  @_disfavoredOverload
  public func corridor(
    widthNM: Double, simplify: Bool = true, tolerance: Double? = nil
  ) throws(GeodesyError) -> [Coordinate] {
    try asCoordinates.corridor(widthNM: widthNM, simplify: simplify, tolerance: tolerance)
  }

  /// Returns the ring or route with fewer of its points, as ``Coordinate`` values; see ``simplified(tolerance:)-[Element]``.
  ///
  /// Never nil. The result is optional, as the areas of a data query are, so that `buffer(widthNM: 100).simplified()` has one
  /// meaning.
  @_disfavoredOverload
  public func simplified(tolerance: Double? = nil) -> [Coordinate]? { asCoordinates.simplified(tolerance: tolerance) }

  /// Returns the same as ``simplified(tolerance:)-[Coordinate]``.
  @_disfavoredOverload
  public func simplify(tolerance: Double? = nil) -> [Coordinate]? { asCoordinates.simplified(tolerance: tolerance) }
}

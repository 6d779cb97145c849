public import ContrailGeodesy

extension RoundedCoordinate {
  /// Creates the place of a coordinate.
  ///
  /// - Throws: ``WeatherError/Code/invalidCoordinate`` unless ``/ContrailGeodesy/Coordinate/isValid``.
  public init(_ coordinate: Coordinate) throws(WeatherError) {
    guard let place = RoundedCoordinate(rounding: coordinate) else {
      throw WeatherError(
        .invalidCoordinate, at: "coordinate",
        reason: "\(coordinate.longitude),\(coordinate.latitude) is not a longitude and latitude in degrees")
    }
    self = place
  }
}

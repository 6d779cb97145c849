public import ContrailGeodesy

/// The identity of a place for the service and the cache: a coordinate rounded to four decimals.
///
/// Its key is `<longitude>,<latitude>`. ``/ContrailGeodesy/RoundedCoordinate`` describes the rounding, and the handling
/// of ±180 and −0.
public typealias WeatherPlace = RoundedCoordinate

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

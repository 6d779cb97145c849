public import ContrailGeodesy

/// A place as the weather service and the cache know it: a coordinate rounded to four decimals, and its key
/// `<longitude>,<latitude>`. How it is rounded, and what becomes of ±180 and −0: see the type itself.
public typealias WeatherPlace = RoundedCoordinate

extension RoundedCoordinate {
  /// The place of a coordinate.
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

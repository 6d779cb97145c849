public import ContrailGeodesy

extension WeatherResponse {
  /// The largest distance between the requested place and the place of a response, in kilometres.
  ///
  /// The service's forecasts have a resolution of 1 km (open.caiyunapp.com, "Caiyun weather API overview").
  public static let maximumPlaceDistanceKilometers = 1.0

  /// Checks that the response is for a place, or states no place.
  ///
  /// - Throws: ``WeatherError/Code/answeredForAnotherPlace`` if the response states a place farther away than
  ///   ``maximumPlaceDistanceKilometers``, or a place that isn't on the earth.
  public func checkPlace(_ place: RoundedCoordinate) throws(WeatherError) {
    guard let coordinate else { return }
    guard let own = RoundedCoordinate(rounding: coordinate) else {
      throw WeatherError(
        .answeredForAnotherPlace, at: place.key, reason: "the response's location is not a place on the earth")
    }
    let kilometers = own.coordinate.distanceNM(to: place.coordinate) * 1.852
    guard kilometers <= Self.maximumPlaceDistanceKilometers else {
      throw WeatherError(
        .answeredForAnotherPlace, at: place.key,
        reason: "the response is for \(own.key), \(Int(kilometers.rounded())) km away")
    }
  }
}

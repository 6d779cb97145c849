import ContrailGeodesy

/// Reads positions from numbers or strings.
enum DayPosition {
  /// Returns a position in degrees. Longitudes beyond ±180° are normalised.
  static func read(latitude: LooseJSON, longitude: LooseJSON) -> Result<FixedCoordinate, DayPositionError> {
    guard let latitude = latitude.scaled(by: 7), let longitude = longitude.scaled(by: 7) else {
      return .failure(DayPositionError(oddity: .withoutPosition))
    }
    let degree = FixedCoordinate.degree
    guard abs(latitude) <= 90 * degree, abs(longitude) <= 360 * degree else {
      return .failure(DayPositionError(oddity: .impossiblePosition))
    }
    let wrapped =
      abs(longitude) <= 180 * degree ? longitude : longitude - (longitude > 0 ? 360 * degree : -360 * degree)
    return .success(FixedCoordinate(latitudeE7: latitude, longitudeE7: wrapped))
  }
}

/// The error for an invalid position.
struct DayPositionError: Error {
  let oddity: DayOddity
}

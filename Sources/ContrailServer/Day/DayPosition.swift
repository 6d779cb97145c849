#if Online
  import ContrailGeodesy

  /// Reads positions, which may be numbers or text.
  enum DayPosition {
    /// Why a position is none.
    struct Fault: Error {
      let oddity: DayOddity
    }

    /// A position in degrees; a longitude beyond ±180° is brought back.
    static func read(latitude: LooseJSON, longitude: LooseJSON) -> Result<FixedCoordinate, Fault> {
      guard let latitude = latitude.scaled(by: 7), let longitude = longitude.scaled(by: 7) else {
        return .failure(Fault(oddity: .withoutPosition))
      }
      let degree = FixedCoordinate.degree
      guard abs(latitude) <= 90 * degree, abs(longitude) <= 360 * degree else {
        return .failure(Fault(oddity: .impossiblePosition))
      }
      let wrapped =
        abs(longitude) <= 180 * degree ? longitude : longitude - (longitude > 0 ? 360 * degree : -360 * degree)
      return .success(FixedCoordinate(latitudeE7: latitude, longitudeE7: wrapped))
    }
  }
#endif

import ContrailGeodesy

/// A coordinate as the service's answers spell it: `[latitude, longitude]` (in requests it is the other way round).
struct LatitudeLongitude: Codable {
  let coordinate: Coordinate

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let latitude = try container.decode(Double.self)
    let longitude = try container.decode(Double.self)
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(coordinate.latitude)
    try container.encode(coordinate.longitude)
  }
}

import ContrailGeodesy

/// A coordinate in the form of the service's responses: `[latitude, longitude]`. Requests use the opposite order.
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

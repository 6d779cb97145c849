import ContrailGeodesy
import Testing

@Suite struct RoundedCoordinateTests {
  @Test func unitsBeyondTheEarthAreBroughtBack() {
    let cases: [(given: (Int32, Int32), key: String)] = [
      ((0, 0), "0.0000,0.0000"), ((-1_800_000, 900_001), "180.0000,90.0000"),
      ((1_800_001, -900_001), "-179.9999,-90.0000"),
      ((3_600_000, 1), "0.0000,0.0001"), ((.max, .max), "-171.6353,90.0000"), ((.min, .min), "171.6352,-90.0000"),
    ]
    for (given, key) in cases {
      let place = RoundedCoordinate(longitudeE4: given.0, latitudeE4: given.1)
      #expect(place.key == key, "\(given)")
      #expect(RoundedCoordinate(key) == place && RoundedCoordinate(rounding: place.coordinate) == place)
    }
  }

  @Test func whatIsNoPointOnTheEarthHasNoPlace() {
    for (latitude, longitude) in [(91.0, 0.0), (0, 361), (.nan, 0), (0, .infinity)] {
      #expect(RoundedCoordinate(rounding: Coordinate(latitude: latitude, longitude: longitude)) == nil)
    }
  }
}

import ContrailGeodesy
import ContrailTestSupport
import ContrailWeather
import Foundation
import Testing

struct PlaceTests {
  private func key(_ longitude: Double, _ latitude: Double) throws -> String {
    try RoundedCoordinate(Coordinate(latitude: latitude, longitude: longitude)).key
  }

  @Test func theSeedsCoordinateHasTheSeedsKey() throws {
    #expect(try key(121.4474754473953, 31.025785475418274) == "121.4475,31.0258")
  }

  @Test func partsAreRoundedToTheNearestHalvesAwayFromZero() throws {
    #expect(try key(8.00004999, -8.00004999) == "8.0000,-8.0000")
    #expect(try key(0.00005, -0.00005) == "0.0001,-0.0001")
    #expect(try key(0.03125, -0.03125) == "0.0313,-0.0313")
  }

  @Test func theTwoSidesOfTheAntimeridianAreOnePlace() throws {
    for longitude in [180, -180, 179.99996, -179.99996, -180.00004, 540 - 360.0] {
      #expect(try key(longitude, 0) == "180.0000,0.0000")
    }
    #expect(try key(179.9999, 0) == "179.9999,0.0000")
    #expect(try key(-179.9999, 0) == "-179.9999,0.0000")
  }

  @Test func longitudesAreReadModulo360() throws {
    #expect(try key(190, 1) == "-170.0000,1.0000")
    #expect(try key(-190, 1) == "170.0000,1.0000")
    #expect(try key(360, 1) == "0.0000,1.0000")
    #expect(try key(-360, 1) == "0.0000,1.0000")
  }

  @Test func thereIsNoNegativeZero() throws {
    #expect(try key(-0.0, -0.0) == "0.0000,0.0000")
    #expect(try key(-0.00004, -0.00004) == "0.0000,0.0000")
  }

  @Test func thePolesAreReached() throws {
    #expect(try key(5, 90) == "5.0000,90.0000")
    #expect(try key(5, -89.99996) == "5.0000,-90.0000")
  }

  @Test(arguments: [(Double.nan, 0.0), (0, .infinity), (0, 90.001), (360.1, 0)])
  func whatIsNoPointOnTheEarthIsRefused(longitude: Double, latitude: Double) {
    #expect {
      try RoundedCoordinate(Coordinate(latitude: latitude, longitude: longitude))
    } throws: {
      ($0 as? WeatherError)?.code == .invalidCoordinate
    }
  }

  @Test func roundingAgainAndReadingTheKeyChangeNothing() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<2000 {
      let coordinate = Coordinate(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -360...360, using: &random))
      let place = try RoundedCoordinate(coordinate)
      #expect(try RoundedCoordinate(place.coordinate) == place)
      #expect(RoundedCoordinate(place.key) == place)
      #expect(abs(place.coordinate.latitude - coordinate.latitude) <= 0.00005000001)
    }
  }

  @Test(arguments: [
    "", ",", "1,2", "1.0000", "1.0000,2.0000,3.0000", "-0.0000,0.0000", "+1.0000,2.0000", "nan,0.0000",
    "-180.0000,0.0000", "1.00000,2.0000", " 1.0000,2.0000",
  ])
  func otherSpellingsAreNoKeys(text: String) {
    #expect(RoundedCoordinate(text) == nil)
  }

  @Test func placesAreOrderedByLongitudeThenLatitude() throws {
    let places = try [(1.0, 5.0), (-3, 9), (1, -5), (0, 0)].map {
      try RoundedCoordinate(Coordinate(latitude: $0.1, longitude: $0.0))
    }
    #expect(places.sorted().map(\.key) == ["-3.0000,9.0000", "0.0000,0.0000", "1.0000,-5.0000", "1.0000,5.0000"])
  }

  @Test func aPlaceIsEncodedAsItsKey() throws {
    let place = try RoundedCoordinate(Coordinate(latitude: 47.4583, longitude: 8.5492))
    let data = try JSONEncoder().encode([place])
    #expect(String(decoding: data, as: UTF8.self) == #"["8.5492,47.4583"]"#)
    #expect(try JSONDecoder().decode([RoundedCoordinate].self, from: data) == [place])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RoundedCoordinate].self, from: Data(#"["x"]"#.utf8))
    }
  }
}

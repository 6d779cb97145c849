import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import Testing

@Suite struct DirectoryQueryTests {
  private static func airport(
    _ recordID: String, _ locationID: String, icao: String? = nil, iata: String? = nil, _ name: String,
    city: String? = nil, _ latitude: Double, _ longitude: Double, lengths: [Double] = []
  ) -> Airport {
    Airport(
      recordID: recordID, locationID: locationID, icaoID: icao, iataID: iata, name: name, city: city,
      dataSource: .ourAirports, coordinate: Coordinate(latitude: latitude, longitude: longitude),
      runways: lengths.enumerated().map { Runway(name: "\($0.offset + 1)", lengthMeters: $0.element) })
  }

  private static let few = [
    airport(
      "1", "LHR", icao: "EGLL", iata: "LHR", "London Heathrow Airport", city: "London", 51.4706, -0.4619,
      lengths: [3902, 3660]),
    airport(
      "2", "LTN", icao: "EGGW", iata: "LTN", "London Luton Airport", city: "London", 51.8747, -0.3683, lengths: [2162]),
    airport("3", "2ID4", "Heathrow Ranch", city: "Robinson", 44, -116, lengths: [500]),
    airport(
      "4", "GRU", icao: "SBGR", iata: "GRU", "Aeroporto Internacional André Franco Montoro", city: "São Paulo", -23.43,
      -46.47),
    airport("5", "LCJ", icao: "EPLL", iata: "LCJ", "Port Lotniczy Łódź im. Reymonta", city: "Łódź", 51.72, 19.4),
    airport(
      "6", "ORD", icao: "KORD", iata: "ORD", "CHICAGO O'HARE INTL", city: "CHICAGO", 41.98, -87.9, lengths: [3962]),
    airport("7", "NDY", icao: "KNDY", "DAHLGREN", 38.3, -77.0, lengths: [300]),
    airport("8", "NDY", icao: "KNDY", "DAHLGREN NAVAL", 38.3, -77.1, lengths: [1000, 1200]),
    airport("9", "FNM", icao: "NFNM", "Matei", 16.69, -179.877),
    airport("10", "FNL", icao: "NFNL", "Labasa", 16.47, 179.341),
    airport("11", "NZSP", icao: "NZSP", "South Pole Station", -90, -1),
  ]

  private func database(_ airports: [Airport], _ scratch: Scratch) throws -> AirportDatabase {
    let database = try scratch.database()
    try database.load(airports, Times.cycle)
    return database
  }

  @Test func airportsAreFoundByEachIdentifier() throws {
    let scratch = try Scratch()
    let database = try database(Self.few, scratch)
    #expect(try database.airport(icaoID: "EGLL")?.recordID == "1")
    #expect(try database.airport(icaoID: "egll")?.recordID == "1")
    #expect(try database.airport(iataID: "lhr")?.recordID == "1")
    #expect(try database.airport(recordID: "3")?.name == "Heathrow Ranch")
    #expect(try database.airports(locationID: "NDY").map(\.recordID) == ["8", "7"])
    #expect(try database.airport(icaoID: "KNDY")?.recordID == "8")
    #expect(try database.airport(identifier: "2id4")?.recordID == "3")
    #expect(try database.airport(identifier: "4")?.recordID == "4")
    #expect(try database.airport(icaoID: "LHR") == nil)
    #expect(try database.airport(identifier: "'; DROP TABLE airports; --") == nil)
  }

  @Test(arguments: [
    ("heathr", ["1", "3"]), ("HEATHROW lond", ["1"]), ("london", ["1", "2"]), ("sao paulo", ["4"]), ("são", ["4"]),
    ("andre", ["4"]), ("lodz", ["5"]), ("łódź", ["5"]), ("LODZ REYM", ["5"]), ("ohare", ["6"]), ("o'hare", ["6"]),
    ("O\u{2019}Hare", ["6"]), ("kord", ["6"]), ("dahl", ["8", "7"]), ("ndy", ["8"]), ("x", []), ("", []), ("  ", []),
    ("\"", []), ("heathr*", ["1", "3"]), ("NOT heathr", []), ("name:london", []), ("eathrow", []),
    ("Lon\u{0}don", []), ("a OR b AND (", []),
  ])
  func wordsAreFoundByTheirBeginnings(_ text: String, _ expected: [String]) throws {
    let scratch = try Scratch()
    #expect(try database(Self.few, scratch).airports(matching: text).map(\.recordID) == expected)
  }

  @Test func noMoreAreFoundThanAskedFor() throws {
    let scratch = try Scratch()
    let database = try database(Self.few, scratch)
    #expect(try database.airports(matching: "london", limit: 1).map(\.recordID) == ["1"])
    #expect(try database.airports(matching: "london", limit: 0).isEmpty)
    #expect(try database.airports(nearest: Self.few[0].coordinate, count: 0).isEmpty)
    #expect(try database.airports(nearest: Self.few[0].coordinate, count: 100).count == Self.few.count)
  }

  @Test func theNearestAreFoundAcrossTheAntimeridianAndAtThePoles() throws {
    let scratch = try Scratch()
    let database = try database(Self.few, scratch)
    let matei = try #require(
      try database.airports(nearest: Coordinate(latitude: 16.6, longitude: 179.99), count: 2).first)
    #expect(matei.airport.recordID == "9")
    #expect(matei.azimuth < 90)
    for longitude in [-180.0, -91, 0, 44, 180] {
      let point = Coordinate(latitude: -90, longitude: longitude)
      let nearest = try #require(try database.airports(nearest: point, count: 1).first)
      #expect(nearest.airport.recordID == "11")
      #expect(nearest.distanceNM < 1e-6)
    }
    #expect(
      try database.airports(nearest: Coordinate(latitude: 90, longitude: 0), count: 11).last?.airport.recordID == "11")
    #expect(try database.airports(nearest: Coordinate(latitude: .nan, longitude: 0), count: 1).isEmpty)
  }

  @Test func placesAreFoundAsAScanOfAllFindsThem() throws {
    let scratch = try Scratch()
    var random = RandomAirports(seed: 11)
    let airports = random.make(400)
    let database = try database(airports, scratch)
    let poles = [Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -89.99, longitude: 170)]
    let points =
      poles
      + (0..<30).map { _ in
        Coordinate(
          latitude: .random(in: -90...90, using: &random.random),
          longitude: .random(in: -180...180, using: &random.random))
      }
    for point in points {
      let ranked = airports.map { ($0.recordID, point.distanceNM(to: $0.coordinate)) }.sorted { $0.1 < $1.1 }
      let nearest = try database.airports(nearest: point, count: 10)
      #expect(nearest.map(\.distanceNM) == ranked.prefix(10).map(\.1))
      for radius in [0, 100, 2000, 9000.0, 1e6] {
        let within = try database.airports(within: radius, of: point)
        #expect(within.map(\.distanceNM) == ranked.filter { $0.1 <= radius }.map(\.1))
      }
    }
  }

  @Test func aCorridorHoldsWhatIsNearTheRouteInItsOrder() throws {
    let scratch = try Scratch()
    var random = RandomAirports(seed: 12)
    let airports = random.make(600)
    let database = try database(airports, scratch)
    let routes = [
      [Coordinate(latitude: 51, longitude: 0), Coordinate(latitude: 40, longitude: -74)],
      [
        Coordinate(latitude: 35, longitude: 140), Coordinate(latitude: 50, longitude: -170),
        Coordinate(latitude: 37, longitude: -122),
      ],
      [Coordinate(latitude: 70, longitude: 20), Coordinate(latitude: 75, longitude: -160)],
      [Coordinate(latitude: 10, longitude: 10)],
    ]
    for route in routes {
      for width in [200.0, 1000] {
        let found = try database.airports(along: route, widthNM: width)
        let expected = Set(airports.filter { route.distanceNM(to: $0.coordinate) <= width / 2 }.map(\.recordID))
        #expect(Set(found.map(\.airport.recordID)) == expected)
        #expect(found.map(\.alongNM) == found.map(\.alongNM).sorted())
        #expect(found.allSatisfy { (0...route.lengthNM + 1e-6).contains($0.alongNM) && $0.distanceNM <= width / 2 })
      }
    }
    #expect(try database.airports(along: [], widthNM: 10).isEmpty)
  }

  @Test func anAreaHoldsWhatItsRingContains() throws {
    let scratch = try Scratch()
    var random = RandomAirports(seed: 13)
    let airports = random.make(500)
    let database = try database(airports, scratch)
    let ring = try Ring([
      Coordinate(latitude: 60, longitude: 150), Coordinate(latitude: 60, longitude: 210),
      Coordinate(latitude: -20, longitude: 210), Coordinate(latitude: -20, longitude: 150),
      Coordinate(latitude: 60, longitude: 150),
    ])
    let expected = airports.filter { ring.contains($0.coordinate) }.map(\.recordID).sorted()
    #expect(try database.airports(in: ring).map(\.recordID) == expected)
    #expect(!expected.isEmpty)
  }

  @Test func runwaysTooShortCanBeLeftOut() throws {
    let scratch = try Scratch()
    let database = try database(Self.few, scratch)
    let point = Coordinate(latitude: 38.3, longitude: -77)
    #expect(try database.airports(nearest: point, count: 1, minimumRunwayMeters: 1200).first?.airport.recordID == "8")
    #expect(try database.airports(within: 20_000, of: point, minimumRunwayMeters: 3000).count == 2)
    #expect(try #require(Self.few.first).runwaysLongestFirst.map(\.lengthMeters) == [3902, 3660])
  }

  @Test func anIdentifierOfTwoCharactersAndALongOneComeFirst() throws {
    let scratch = try Scratch()
    let airports = [
      Self.airport("1", "4K", "FIRST", 1, 1, lengths: [100]), Self.airport("2", "X1", "4K BIG", 1, 2, lengths: [3000]),
      Self.airport("1234.5*A", "X2", "LAST", 1, 3), Self.airport("3", "X3", "1234 5 A", 1, 4, lengths: [900]),
    ]
    let database = try database(airports, scratch)
    #expect(try database.airports(matching: "4k").map(\.recordID) == ["1", "2"])
    #expect(try database.airports(matching: " 1234.5*A ").map(\.recordID) == ["1234.5*A", "3"])
    #expect(try database.airports(matching: "4k", limit: 1).map(\.recordID) == ["1"])
    // An airport that is found by both is found once.
    #expect(try database.airports(matching: "x1").map(\.recordID) == ["2"])
    #expect(try database.airports(matching: "first").map(\.recordID) == ["1"])
  }

  @Test func anAirportNamedLikeItsIdentifierIsFoundOnce() throws {
    let scratch = try Scratch()
    let airports = [
      Self.airport("1", "LODI", "LODI AIRPARK", city: "LODI", 38, -121), Self.airport("2", "X", "LODI OTHER", 38, -122),
    ]
    #expect(try database(airports, scratch).airports(matching: "lodi").map(\.recordID) == ["1", "2"])
  }

  /// Names with letters, marks and signs of several kinds, and texts that find them.
  @Test(arguments: [
    ("Zürich–Kloten", ["zurich kloten", "ZÜRICH", "Kloten", "zu\u{308}rich"]),
    ("Straße", ["strasse", "STRASSE", "Straße"]),
    ("İzmir Çiğli", ["izmir", "cigli", "İZMİR"]), ("Ærø", ["aero", "ÆRØ"]),
    ("St. John's / Ünï", ["johns", "st john", "uni"]),
    ("D’Aéro", ["daero"]), ("Ⅳ Field", ["ⅳ"]), ("飛行場 7", ["飛行", "7"]), ("A\u{200D}é", ["ae"]),
  ])
  func lettersAreFoundInEveryWriting(_ name: String, _ texts: [String]) throws {
    let scratch = try Scratch()
    let database = try database([Self.airport("1", "X", name, 1, 1)], scratch)
    for text in texts { #expect(try database.airports(matching: text).count == 1, "\(text)") }
  }
}

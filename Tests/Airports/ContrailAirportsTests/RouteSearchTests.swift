import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import Testing

/// Searches at the edges of circles and corridors.
@Suite struct RouteSearchTests {
  private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A database with airports at some places, which are numbered from 0.
  private func database(_ scratch: Scratch, _ places: [Coordinate]) throws -> AirportDatabase {
    let database = try scratch.database()
    let airports = places.enumerated().map { index, place in
      Airport(
        recordID: "\(index)", locationID: "X", name: "AIRPORT \(index)", dataSource: .nasr, coordinate: place,
        runways: [])
    }
    try database.load(airports, Times.cycle)
    return database
  }

  private func found(_ airports: [RouteAirport]) -> [String] { airports.map(\.airport.recordID) }

  @Test func aCircleHoldsItsCentreAndItsEdge() throws {
    let scratch = try Scratch()
    let (center, other) = (Self.place(47, 8), Self.place(47.9, 8.4))
    let database = try database(scratch, [center, other])
    let edge = center.distanceNM(to: other)
    for (radius, expected) in [(0, ["0"]), (edge.nextDown, ["0"]), (edge, ["0", "1"]), (-1, []), (.nan, [])] {
      #expect(try database.airports(within: radius, of: center).map(\.airport.recordID) == expected, "\(radius)")
    }
    #expect(try database.airports(within: 100, of: Self.place(91, 8)).isEmpty)
    #expect(try database.airports(nearest: center, count: 1).map(\.airport.recordID) == ["0"])
    #expect(try database.airports(nearest: center, count: -1).isEmpty)
  }

  /// The ends of these legs are at the corners of cells, which a slightly smaller circle doesn't touch.
  @Test(arguments: [
    [place(0, -3), place(0, 0)], [place(0, 0), place(0, -3)], [place(-3, 0), place(0, 0)], [place(0, 3), place(0, 6)],
    [place(0, -3), place(0, 0), place(0, 3)], [place(0, 0), place(3, 0), place(0, 0.5)],
  ])
  func aRouteWithoutWidthHoldsItsPoints(_ route: [Coordinate]) throws {
    let scratch = try Scratch()
    let database = try database(scratch, route + [Self.place(1, -1.5), Self.place(-0.1, 0.7)])
    let airports = try database.airports(along: route, widthNM: 0)
    #expect(found(airports) == route.indices.map(String.init))
    var length = 0.0
    for (index, airport) in airports.prefix(route.count).enumerated() {
      if index > 0 { length += route[index - 1].distanceNM(to: route[index]) }
      #expect(airport.distanceNM == 0 && abs(airport.alongNM - length) < 1e-6)
    }
  }

  @Test func aRouteOfOnePointIsACircle() throws {
    let scratch = try Scratch()
    let (center, other) = (Self.place(47, 8), Self.place(47, 8.5))
    let database = try database(scratch, [center, other])
    let edge = center.distanceNM(to: other)
    for (width, expected) in [(0, ["0"]), (edge, ["0"]), (edge * 2, ["0", "1"]), (-1, []), (.nan, [])] {
      #expect(found(try database.airports(along: [center], widthNM: width)) == expected, "\(width)")
    }
    #expect(try database.airports(along: [center], widthNM: 200).map(\.alongNM) == [0, 0])
    #expect(try database.airports(along: [center], widthNM: 200).map(\.distanceNM) == [0, edge])
    #expect(try database.airports(along: [center, Self.place(.nan, 8)], widthNM: 200).isEmpty)
  }

  /// An airport belongs to the first of the legs that are equally near.
  @Test func anAirportThatIsPassedTwiceIsWhereItIsPassedFirst() throws {
    let scratch = try Scratch()
    let (start, end) = (Self.place(10, 10), Self.place(12, 10))
    let database = try database(scratch, [end, start])
    let airports = try database.airports(along: [start, end, start], widthNM: 10)
    #expect(found(airports) == ["1", "0"])
    let length = start.distanceNM(to: end)
    #expect(zip(airports, [0, length]).allSatisfy { abs($0.alongNM - $1) < 1e-6 })
  }

  /// Airports at the same place of the route are sorted by distance, then by when they were stored.
  @Test func airportsAtOnePlaceOfTheRouteAreInTheOrderOfTheirDistance() throws {
    let scratch = try Scratch()
    let (start, end) = (Self.place(0, 0), Self.place(0, 2))
    // Behind the start, so that each one's nearest point is the start.
    let database = try database(
      scratch, [Self.place(0, -0.3), Self.place(0, -0.1), Self.place(0, -0.2), Self.place(0, -0.1), Self.place(0, 1)])
    let airports = try database.airports(along: [start, end], widthNM: 60)
    #expect(found(airports) == ["1", "3", "2", "0", "4"])
    #expect(try database.airports(nearest: start, count: 3).map(\.airport.recordID) == ["1", "3", "2"])
  }

  /// An airport in a cell that has neither end of the leg, and airports a little too far from the leg.
  @Test func aShortLegIsSearchedAsAWhole() throws {
    let scratch = try Scratch()
    let database = try database(scratch, [Self.place(1.1, 1), Self.place(1.3, 1), Self.place(1.1, 2.8)])
    #expect(found(try database.airports(along: [Self.place(1, -0.5), Self.place(1, 2.5)], widthNM: 13)) == ["0"])
  }
}

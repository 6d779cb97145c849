import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import ContrailHTTP
import Testing

@Suite struct SearchManagerTests {
  private struct Refusing: AirportSearchService {
    struct Refusal: Error {}

    func airport(identifier: String) async throws -> Airport? { throw Refusal() }
    func airports(matching text: String, limit: Int) async throws -> [Airport] { throw Refusal() }
    func airports(nearest point: Coordinate, count: Int) async throws -> [NearbyAirport] { throw Refusal() }
  }

  @Test func anAirportIsFoundByItsIdAndWhatIsNotFoundIsNil() async throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    var random = RandomAirports(seed: 71)
    var airport = random.airport("1")
    airport.icaoID = "EGLL"
    airport.name = "Heathrow"
    airport.runways = [Runway(name: "A", lengthMeters: 1), Runway(name: "B"), Runway(name: "C", lengthMeters: 9)]
    try database.load([airport], Times.cycle)
    let search = AirportSearchManager.createOfflineManager(database: database)
    #expect(try await search.searchById("egll").value == airport)
    #expect(try await search.searchById("none").value == nil)
    #expect(try await search.searchByText("heathr").value == [airport])
    #expect(try await search.searchByText("nothing").value == [])
    #expect(try await search.searchNearest(to: airport.coordinate).value.map(\.airport) == [airport])
    #expect(try await search.searchRunways(ofAirportWithId: "1").value.map(\.name) == ["C", "A", "B"])
    #expect(try await search.searchRunways(ofAirportWithId: "none").value == [])
  }

  @Test func aServiceThatFailsIsAFailure() async throws {
    let search = AirportSearchManager.createOnlineManager(service: Refusing())
    await #expect(throws: Refusing.Refusal.self) { try await search.searchById("EGLL").value }
  }
}

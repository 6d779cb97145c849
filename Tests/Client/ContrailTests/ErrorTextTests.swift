import ContrailEngine
import ContrailHTTP
import ContrailQuery
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import Foundation
import Testing

@testable import Contrail

/// What an application shows of an error: words, and no names of the code.
@Suite(.timeLimit(.minutes(30))) struct ErrorTextTests {
  private static func client(
    _ folder: String, _ transport: any ClosableTransport = NoTransport("There is no server.")
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(server: "http://127.0.0.1:9", directory: folder + "/log")
    configuration.followsSystemLink = false
    return try ContrailClient(configuration, transport: transport, clock: ManualClock())
  }

  private static func check(_ error: ClientError, _ text: String) {
    #expect(error.localizedDescription == text)
    #expect(error.recoverySuggestion == error.advice && error.advice.hasSuffix("."))
    // Two full stops, the name of a scope such as that of the polygons, and that of an error.
    let shown = "\(error)"
    #expect(!shown.contains("..") && shown.firstMatch(of: #/[a-z]\.\d/#) == nil, "\(shown)")
    #expect(error.message.firstMatch(of: #/\b[a-z]+[A-Z]/#) == nil, "\(error.message)")
  }

  /// A ring that crosses itself.
  private static let bow = [(50, 0), (40, 10), (50, 10), (40, 0), (50, 0)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
  }

  @Test func anInvalidPartOfTheQueryIsDescribedInWords() async throws {
    var queries: [(query: DataQuery, text: String)] = []
    func add(_ text: String, _ edit: (inout DataQuery) throws -> Void) rethrows {
      var query = DataQuery()
      try edit(&query)
      queries.append((query, text))
    }
    add("The polygon of the data query has too few points (2)") { $0.polygon = line }
    add("The polygon of the data query isn't closed") { $0.polygon = line + Self.bow }
    add("The polygon of the data query has a coordinate that isn't a number at point 1") {
      $0.polygon = [line[0], Coordinate(latitude: .nan, longitude: 0), line[1], line[0]]
    }
    add("The viewport of the data query crosses itself at point 0") { $0.viewport = Self.bow }
    add("The width of the route is missing") { $0.route = line }
    add("The width of the route is out of range") { ($0.route, $0.routeWidth) = (line, -1) }
    add("The route of the data query has a single point") { ($0.route, $0.routeWidth) = ([line[0]], 60) }
    try add("The unit system of the weather isn't one that the service documents") {
      $0.weather.places = [try RoundedCoordinate(line[0])]
      $0.weather.spec.unit = "furlongs"
    }
    try await withFolder { [queries] folder in
      let client = try Self.client(folder)
      for (query, text) in queries {
        let error = #expect(throws: ClientError.self) { try client.setDataQuery(query) }
        #expect(error?.code == .invalidQuery)
        Self.check(try #require(error), text)
      }
      await client.stop()
    }
  }

  @Test func anInvalidQueryOfStoredDataIsDescribedInWords() async throws {
    try await withFolder { folder in
      let client = try Self.client(folder)
      for (query, text) in [
        (TurbulenceQuery(area: .polygon(line + Self.bow)), "The ring is open: repeat its first point at the end"),
        (
          TurbulenceQuery(scope: .outbox),
          "This query can't read the ownship reports: use the corridor, the viewport, or nil for both"
        ),
      ] {
        let error = #expect(throws: ClientError.self) { try client.turbulence(with: query) }
        Self.check(try #require(error), text)
      }
      await client.stop()
    }
  }

  /// What the server answers, what the application is told, and how the advice begins.
  @Test(arguments: [
    (
      404, Array("{}".utf8), DataTypeOptions.turbulence,
      "The server doesn't know the path of the request for the corridor (404)", "Correct the server URL"
    ),
    (400, Array("{}".utf8), .turbulence, "The server rejected the request for the corridor", "Change the data query."),
    (
      400, Array("{}".utf8), .turbulencePolygons, "The server rejected the request for the turbulence areas of 2 h",
      "Change the data query."
    ),
    // A compact answer that is cut isn't the page of a portal.
    (200, [0xC1, 9], .turbulence, "127.0.0.1 sent a response that can't be decoded", "The client retries"),
    (
      200, Array("<html>".utf8), .turbulence, "127.0.0.1 sent a response that isn't from the service (200)",
      "Sign in to the device's network."
    ),
  ]) func aUselessAnswerIsDescribedInWords(
    _ status: Int, _ body: [UInt8], _ types: DataTypeOptions, _ text: String, _ advice: String
  ) async throws {
    try await withFolder { folder in
      let server = try ScriptedServer(.answer(status, [:], body))
      let client = try Self.client(folder, try PlatformTransport.make(server: server.address))
      let updates = client.updates
      client.dataQuery.types = types
      client.dataQuery.polygon = line.buffer(widthNM: 100)
      for await case .failed(let error) in updates {
        Self.check(error, text)
        #expect(error.advice.hasPrefix(advice))
        break
      }
      await client.stop()
    }
  }
}

#if AsyncHTTPClient && os(Linux)
  import Contrail
  import ContrailCore
  import ContrailEngine
  import ContrailGeodesy
  import ContrailHTTP
  import ContrailTestSupport
  import ContrailTesting
  import ContrailWire
  import Foundation
  import Testing

  /// A client of a service of which only the public pages are known, against a stub that was written from these pages.
  @Suite(.timeLimit(.minutes(10))) struct CorridorV5Tests {
    private static let start: Int64 = 1_740_000_000_000
    private static let square = [(40.0, -40.0), (40, -30), (50, -30), (50, -40), (40, -40)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    private static let corridor =
      #"{"corridor":{"type":"Polygon","coordinates":[[[-40,40],[-30,40],[-30,50],[-40,50],[-40,40]]]},"#

    /// A client, its clock, and the errors that it told.
    private struct Flight {
      var client: ContrailClient
      var clock: ManualClock
      var errors: Lock<[ClientError]>

      init(
        _ folder: String, _ stub: CorridorV5Stub, _ clock: ManualClock = ManualClock(at: CorridorV5Tests.start),
        _ change: (inout ContrailClient.Configuration) -> Void = { _ in }
      ) throws {
        var configuration = ContrailClient.Configuration(
          server: stub.address, apiKey: "key", directory: folder + "/log")
        configuration.service = .corridorV5()
        change(&configuration)
        client = try ContrailClient(configuration, clock: clock)
        self.clock = clock
        let errors = Lock<[ClientError]>([])
        self.errors = errors
        let updates = client.updates
        Task {
          for await update in updates {
            if case .failed(let error) = update { errors.withLock { $0.append(error) } }
          }
        }
      }

      var codes: [ClientError.Code] { errors.withLock { $0.map(\.code) } }

      /// Returns when nothing is under way or due.
      func settle() async { #expect(await client.settle(within: .seconds(60))) }

      func pass(seconds: Int64, _ stub: CorridorV5Stub) async {
        clock.advance(by: seconds * 1000)
        stub.setTime(Int(clock.now / 1000))
        await settle()
      }

      /// Returns when an error with the code was told.
      func untilTold(_ code: ClientError.Code) async {
        while !codes.contains(code) { await Task.yield() }
      }
    }

    @Test func aFlightFetchesUpdatesGoesOfflineAndIsRefused() async throws {
      let stub = try CorridorV5Stub(credential: "key", second: Int(Self.start / 1000))
      try await withFolder { folder in
        let start = Int(Self.start / 1000)
        stub.add(.init(observedAt: start - 100))
        stub.add(.init(id: "85283087fffffff", alt: 3, observedAt: start - 90))
        stub.add(.init(alt: 40, observedAt: start - 3 * 3600))
        let flight = try Flight(folder, stub)
        let client = flight.client
        client.dataQuery.polygon = Self.square
        await flight.settle()
        #expect(stub.bodies == [Self.corridor + #""hours":2,"aircraftCategory":"C60","altFrom":5,"altTo":52}"#])
        #expect(client.data(of: .corridor).turbulence.map(\.observedAt) == [UInt32(start - 100)])

        // An update is what has changed since the last answer.
        stub.add(.init(alt: 36, observedAt: start + 30))
        await flight.pass(seconds: 60, stub)
        #expect(
          stub.bodies.last
            == Self.corridor
            + #""lastUpdatedAt":\#(start),"hours":2,"aircraftCategory":"C60","altFrom":5,"altTo":52}"#)
        #expect(client.data(of: .corridor).turbulence.count == 2)

        // Offline, nothing is asked and the data stays; then the update goes on from the last answer.
        client.isOnline = false
        await flight.settle()
        stub.add(.init(alt: 34, observedAt: start + 200))
        await flight.pass(seconds: 600, stub)
        #expect(stub.requests.count == 2 && client.data(of: .corridor).turbulence.count == 2)
        client.isOnline = true
        await flight.settle()
        #expect(stub.requests.count == 3 && stub.bodies.last?.contains(#""lastUpdatedAt":\#(start + 60),"#) == true)
        #expect(client.data(of: .corridor).turbulence.count == 3)

        // The rate is limited.
        stub.refuse(429, retryAfter: 120)
        await flight.pass(seconds: 60, stub)
        await flight.untilTold(.rateLimited)
        await flight.pass(seconds: 60, stub)
        #expect(stub.requests.count == 4)
        await flight.pass(seconds: 120, stub)
        #expect(stub.requests.count == 5 && client.status(of: .corridor).lastError == nil)

        // The key is refused until it is changed.
        stub.setCredential("new")
        await flight.pass(seconds: 60, stub)
        await flight.untilTold(.unauthorized)
        await flight.pass(seconds: 600, stub)
        #expect(stub.requests.count == 6)
        client.setAPIKey("new")
        await flight.settle()
        #expect(stub.requests.count == 7 && client.status(of: .corridor).lastError == nil)

        // A request is refused until the query is changed. Another area is fetched in full.
        stub.refuse(400)
        await flight.pass(seconds: 60, stub)
        await flight.untilTold(.badRequest)
        client.dataQuery.polygon = line.buffer(widthNM: 100)
        await flight.settle()
        #expect(stub.requests.count == 9 && stub.bodies.last?.contains("lastUpdatedAt") == false)
        #expect(stub.faults == [] && flight.codes == [.rateLimited, .unauthorized, .badRequest])
        await client.stop()

        // The next launch goes on from the log.
        let next = try Flight(folder, stub, flight.clock) { $0.apiKey = "new" }
        await next.pass(seconds: 60, stub)
        #expect(stub.bodies.last?.contains("lastUpdatedAt") == true && stub.faults == [] && next.codes == [])
        await next.client.stop()
        try Recording(URL(filePath: folder + "/log")).verify()
      }
    }

    @Test func aTokenIsSentAsBearer() async throws {
      let stub = try CorridorV5Stub(
        field: "authorization", credential: "Bearer t.o.ken", second: Int(Self.start / 1000))
      try await withFolder { folder in
        let flight = try Flight(folder, stub) {
          $0.service = .corridorV5(aircraftCategory: "C20")
          $0.connection.credentialField = .bearer
          $0.apiKey = "t.o.ken"
        }
        flight.client.dataHistoryTime = .halfHour
        flight.client.dataQuery.altRange = 2000...30_000
        flight.client.dataQuery.polygon = Self.square
        await flight.settle()
        #expect(stub.bodies == [Self.corridor + #""hours":0.5,"aircraftCategory":"C20","altFrom":5,"altTo":30}"#])
        #expect(stub.faults == [] && flight.codes == [])
        await flight.client.stop()
      }
    }

    @Test func whatTheServiceLacksIsRefusedAtTheCallOrToldAndNeverAsked() async throws {
      let stub = try CorridorV5Stub(credential: "key", second: Int(Self.start / 1000))
      try await withFolder { folder in
        let flight = try Flight(folder, stub) { $0.airportDelivery = .automatic }
        let client = flight.client
        client.dataQuery.polygon = Self.square
        for change: (inout DataQuery) -> Void in [
          { $0.types = [.turbulence, .pireps] }, { $0.types = .turbulencePolygons }, { $0.viewportTypes = .traffic },
          { $0.weather.places = [RoundedCoordinate("0.0000,50.0000")!] }, { $0.altRange = 0...4000 },
          { $0.polygon = try? BoundingBox(north: 10, south: 0, west: 170, east: -170).ring },
          { $0.polygon = Array(repeating: Self.square[0], count: 251) },
        ] {
          var query = client.dataQuery
          change(&query)
          let error = #expect(throws: ClientError.self) { try client.setDataQuery(query) }
          #expect(error?.code == .invalidQuery && error?.advice.isEmpty == false)
        }
        let refusal = await #expect(throws: ClientError.self) {
          try await client.report(at: line[0], altitudeFeet: 31_000, severity: .light, edr: 0.1)
        }
        #expect(refusal?.code == .unsupported && refusal?.advice.isEmpty == false && client.pendingReportCount == 0)
        await #expect(throws: AirportLoaderError.self) { try await client.airports.loadCurrent() }

        // Properties take any value, and what the service has is fetched.
        client.dataQuery.types = [.turbulence, .pireps, .traffic, .turbulencePolygons]
        client.dataHistoryTime = .sixHours
        await flight.untilTold(.invalidQuery)
        await flight.settle()
        #expect(stub.bodies.last?.contains(#""hours":4,"#) == true && stub.faults == [])
        #expect(Set(stub.requests.map(\.target)) == ["/observations/v5/corridor"])
        #expect(Set(flight.codes) == [.invalidQuery])
        await client.stop()
        try Recording(URL(filePath: folder + "/log")).verify()
      }
    }

    @Test func aCategoryThatIsNoneIsRefused() async throws {
      let stub = try CorridorV5Stub(credential: "key", second: 0)
      for category in ["", "C 60", "\"", "123456789"] {
        let error = #expect(throws: ClientError.self) {
          try Flight("/nowhere", stub) { $0.service = .corridorV5(aircraftCategory: category) }
        }
        #expect(error?.code == .unsupported)
      }
    }
  }
#endif

import ContrailAirportData
import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailLog
import ContrailServer
import ContrailTestSupport
import ContrailWire
import ContrailWorld
import Foundation
import Testing

@testable import Contrail

/// The life of a client: opening, telling those who come late, release.
@Suite(.timeLimit(.minutes(30))) struct LifeTests {
  private func configuration(_ folder: String, _ server: String = "http://127.0.0.1:9")
    -> ContrailClient.Configuration
  {
    .init(server: server, apiKey: "a-key-of-its-own", directory: folder + "/log")
  }

  @Test func aClientThatNobodyHoldsStopsAndFreesItsLog() async throws {
    try await withFolder { folder in
      var client: ContrailClient? = try ContrailClient(configuration(folder))
      client?.dataQuery.polygon = line.buffer(widthNM: 60)
      try await client?.opened()
      let updates = client?.updates
      client = nil
      // The stream ends with the client.
      if let updates { for await _ in updates {} }
      // Another may have the folder, a moment later at most.
      let next = try ContrailClient(configuration(folder))
      while (try? await next.opened()) == nil { await Task.yield() }
      #expect(next.dataQuery.polygon != nil)
      await next.stop()
    }
  }

  @Test func aClientThatNobodyListensToStopsWhenItIsLetGo() async throws {
    try await withFolder { folder in
      var client: ContrailClient? = try ContrailClient(configuration(folder))
      try await client?.opened()
      client = nil
      let next = try ContrailClient(configuration(folder))
      while (try? await next.opened()) == nil { await Task.yield() }
      await next.stop()
    }
  }

  @Test func nothingIsLeftOfAClientThatStoppedAndIsLetGo() async throws {
    try await withFolder { folder in
      var client: ContrailClient? = try ContrailClient(configuration(folder))
      weak let service = client?.airports
      weak let loader = try await client?.airports.openLoader()
      weak let database = try await client?.airports.database()
      weak let core = client?.core
      weak let stopped = client
      await client?.stop()
      client = nil
      await eventually { database == nil && core == nil }
      #expect(stopped == nil)
      #expect(core == nil)
      #expect(service == nil)
      #expect(loader == nil)
      #expect(database == nil)
    }
  }

  @Test func theAirportsOfAClientThatIsLetGoStillAnswer() async throws {
    try await withFolder { folder in
      var client: ContrailClient? = try ContrailClient(configuration(folder))
      try await client?.opened()
      let airports = try #require(client?.airports)
      client = nil
      await airports.deferLoad(of: try #require(AIRACCycle(identifier: "2601")))
      #expect(try await airports.search("heathr") == [])
    }
  }

  @Test func whatSeveralThreadsSetEndsInTheLogAsTheApplicationReadsIt() async throws {
    try await withFolder { folder in
      for round in 0..<20 {
        let client = try ContrailClient(configuration(folder))
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            client.setAPIKey("key-number-\(round)")
            client.dataHistoryTime = .hour
            client.dataHistoryTime = round.isMultiple(of: 2) ? .sixHours : .fourHours
          }
          group.addTask { client.dataQuery.polygon = line.buffer(widthNM: Double(50 + round)) }
          group.addTask { client.dataQuery.types.insert(.pireps) }
        }
        let read = (client.dataQuery, client.dataHistoryTime)
        await client.stop()
        let (_, state, _) = try DirectoryLog.open(path: folder + "/log", at: 0)
        #expect(state.history == read.1)
        #expect(state.query.polygon == read.0.resolved().polygon && state.query.types.contains(.pireps))
      }
    }
  }

  @Test func noEditInPlaceIsLostToThatOfAnotherThread() async throws {
    try await withFolder { folder in
      var settings = configuration(folder)
      settings.isOnline = false
      let client = try ContrailClient(settings)
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for number in 100..<200 {
              guard let place = RoundedCoordinate("\(task).1\(number),50.0000") else { continue }
              client.dataQuery.weather.places.append(place)
            }
          }
        }
      }
      #expect(client.dataQuery.weather.places.count == 400)
      await client.stop()
    }
  }

  @Test @MainActor func aDelegateThatComesLateIsToldThatTheLogIsOpen() async throws {
    try await withFolder { folder in
      let client = try ContrailClient(configuration(folder))
      try await client.opened()
      let late = Opened()
      client.delegate = late
      while late.count == 0 { await Task.yield() }
      #expect(late.count == 1)
      await client.stop()
    }
  }

  @Test func aRefusedConnectionIsToldAtOnceAndShownInTheStatus() async throws {
    try await withFolder { folder in
      // Nobody listens on the port of a server that was stopped.
      let server = try await startServer()
      let address = server.address
      await server.stop()
      let client = try ContrailClient(configuration(folder, address))
      let updates = client.updates
      client.dataQuery.polygon = line.buffer(widthNM: 60)
      var error: ClientError?
      for await case .failed(let failure) in updates {
        error = failure
        break
      }
      #expect(error?.code == .network && error?.scope == .corridor && error?.host?.hasPrefix("127.0.0.1") == true)
      #expect(client.status(of: .corridor).lastError?.code == .network)
      await client.stop()
    }
  }

  @MainActor private final class Opened: ContrailClientDelegate {
    var count = 0
    func didOpen() { count += 1 }
  }
}

import Contrail
import ContrailAirportData
import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWorld
import Foundation
import Logging
import Testing

/// Airports through the client, the log, the database and the reference server.
@Suite(.timeLimit(.minutes(30))) struct AirportServiceTests {
  /// An hour before cycle 2601 becomes effective.
  private static let start: Int64 = 1_769_040_000_000 - 3_600_000

  private struct Stage {
    let client: ContrailClient
    let clock: ManualClock
  }

  private func server(_ folder: String, _ cycles: [String]) async throws -> ReferenceServer {
    let shelf = folder + "/shelf"
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    for name in cycles {
      let cycle = try #require(AIRACCycle(identifier: name))
      try Data(SampleAirports.file(of: cycle)).write(to: URL(fileURLWithPath: "\(shelf)/\(name).airports.xz"))
    }
    var configuration = ServerConfiguration(seed: 3)
    configuration.airports = .directory(shelf)
    configuration.aircraft = 10
    configuration.logger.logLevel = .critical
    return try await ReferenceServer.start(configuration)
  }

  private func stage(_ folder: String, _ address: String, at time: Int64 = start) throws -> Stage {
    let clock = ManualClock()
    clock.advance(by: time - clock.now)
    var configuration = ContrailClient.Configuration(server: address, apiKey: nil, directory: folder + "/log")
    configuration.followsSystemLink = false
    let client = try ContrailClient(
      configuration, transport: try PlatformTransport.make(server: address), clock: clock)
    return Stage(client: client, clock: clock)
  }

  private func inUse(_ client: ContrailClient) async throws -> String? {
    try await client.airports.database().status().current?.cycle.identifier
  }

  @Test func aCycleThatIsLoadedAheadIsInUseAtItsInstantWithoutALink() async throws {
    try await withFolder { folder in
      let server = try await server(folder, ["2513", "2601"])
      let stage = try stage(folder, server.address)
      let current = try await stage.client.airports.loadCurrent()
      #expect(current.cycle.identifier == "2513" && current.airportCount > 90)
      let next = try await stage.client.airports.loadNext()
      #expect(next.cycle.identifier == "2601" && next.changes.added > 0 && next.changes.unchanged > 50)
      #expect(try await inUse(stage.client) == "2513")
      await server.stop()
      stage.client.isOnline = false
      let updates = stage.client.updates
      stage.clock.advance(by: 3_600_000)
      for await update in updates { if case .data(.airports) = update { break } }
      #expect(try await eventually { try await inUse(stage.client) == "2601" })
      #expect(try await stage.client.airports.database().computedDigest() == next.digest)
      await stage.client.stop()
    }
  }

  @Test func whatWasLoadedBeforeARelaunchIsInUseAfterIt() async throws {
    try await withFolder { folder in
      let server = try await server(folder, ["2513", "2601"])
      let first = try stage(folder, server.address)
      try await first.client.airports.loadCurrent()
      try await first.client.airports.loadNext()
      await first.client.stop()
      await server.stop()
      let second = try stage(folder, server.address, at: Self.start + 7_200_000)
      #expect(try await eventually { try await inUse(second.client) == "2601" })
      await second.client.stop()
    }
  }

  @Test(arguments: [true, false]) func aDatabaseThatIsGoneOrDamagedIsMadeAnewFromTheLog(isGone: Bool) async throws {
    try await withFolder { folder in
      let server = try await server(folder, ["2513", "2601"])
      var first: ContrailClient? = try stage(folder, server.address).client
      let loaded = try #require(try await first?.airports.loadCurrent())
      let waiting = try #require(try await first?.airports.loadNext())
      try await release(&first)
      await server.stop()
      let path = folder + "/log/airports.sqlite"
      for suffix in ["-wal", "-shm", ""] { try? FileManager.default.removeItem(atPath: path + suffix) }
      if !isGone { try Data(repeating: 0x5A, count: 5000).write(to: URL(fileURLWithPath: path)) }
      let second = try stage(folder, server.address)
      let updates = second.client.updates
      let database = try await second.client.airports.database()
      #expect(try database.status().current?.digest == loaded.digest)
      #expect(try database.computedDigest() == loaded.digest)
      #expect(try database.status().pending?.digest == waiting.digest)
      for await update in updates {
        guard case .airportsRebuilt(let rebuild) = update else { continue }
        if isGone { #expect(rebuild == .missing) } else { #expect(rebuild != .missing) }
        break
      }
      await second.client.stop()
    }
  }

  @Test func aCycleThatIsNotThereLeavesTheOneInUseAndADeferralIsKept() async throws {
    try await withFolder { folder in
      let server = try await server(folder, ["2513"])
      let stage = try stage(folder, server.address)
      try await stage.client.airports.loadCurrent()
      let next = try #require(AIRACCycle(identifier: "2601"))
      await #expect(throws: AirportLoaderError.cycleNotAvailable(next)) {
        try await stage.client.airports.load(next)
      }
      await stage.client.airports.deferLoad(of: next)
      #expect(try await inUse(stage.client) == "2513")
      await stage.client.stop()
      await server.stop()
      let (_, state, _) = try DirectoryLog.open(path: folder + "/log", at: Self.start)
      #expect(state.airports.lastCheck?.isAvailable == false && state.airports.deferred?.cycle == "2601")
      #expect(state.airports.inUse?.edition.cycle == "2513" && state.airports.inUse?.blob != nil)
    }
  }
}

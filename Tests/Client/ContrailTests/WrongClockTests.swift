import ContrailAirportData
import ContrailAirports
import ContrailEngine
import ContrailHTTP
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWorld
import Foundation
import Logging
import Testing

@testable import Contrail

/// A device whose clock is wrong, after the server has told its time.
@Suite(.timeLimit(.minutes(30))) struct WrongClockTests {
  /// An hour before cycle 2601 becomes effective, in milliseconds.
  private static let start: Int64 = 1_769_040_000_000 - 3_600_000

  /// A server whose clock goes with that of the device, without its error.
  private static func server(_ shelf: String, _ clock: ManualClock, aheadMS: Int64) async throws -> ReferenceServer {
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    for name in ["2513", "2601"] {
      let cycle = try #require(AIRACCycle(identifier: name))
      try Data(SampleAirports.file(of: cycle)).write(to: URL(filePath: "\(shelf)/\(name).airports.xz"))
    }
    var configuration = ServerConfiguration(seed: 3)
    configuration.airports = .directory(shelf)
    configuration.aircraft = 200
    configuration.clock = { clock.now - aheadMS }
    configuration.logger.logLevel = .critical
    return try await ReferenceServer.start(configuration)
  }

  private static func client(
    _ folder: String, _ address: String, _ clock: ManualClock, isOnline: Bool = true
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(server: address, directory: folder + "/log")
    configuration.followsSystemLink = false
    configuration.isOnline = isOnline
    return try ContrailClient(configuration, transport: try PlatformTransport.make(server: address), clock: clock)
  }

  /// The ages of six seconds, and of a difference of two hours, to a second.
  @Test(arguments: [7200, -7200] as [Int64]) func agesAreByTheServersClock(aheadSeconds: Int64) async throws {
    try await withFolder { folder in
      let clock = ManualClock(at: Self.start + aheadSeconds * 1000)
      let server = try await Self.server(folder + "/shelf", clock, aheadMS: aheadSeconds * 1000)
      let client = try Self.client(folder, server.address, clock)
      client.dataQuery.polygon = line.buffer(widthNM: 100)
      await firstData(of: .corridor, from: client, clock)
      client.isOnline = false
      clock.advance(by: 6000)
      try Self.checkAges(in: client, at: clock, aheadSeconds: aheadSeconds)
      await client.stop()
      await server.stop()
      // The log knows the difference, so a launch without a link does.
      let next = try Self.client(folder, server.address, clock, isOnline: false)
      try await next.opened()
      try Self.checkAges(in: next, at: clock, aheadSeconds: aheadSeconds)
      await next.stop()
    }
  }

  private static func checkAges(in client: ContrailClient, at clock: ManualClock, aheadSeconds: Int64) throws {
    let six = Duration.seconds(5)...Duration.seconds(7)
    let device = Date(milliseconds: clock.now)
    let status = client.status(of: .corridor)
    #expect(six.contains(try #require(status.age(at: device))))
    #expect(abs(status.serverTime(at: device).timeIntervalSince(device) + Double(aheadSeconds)) <= 1)
    // The difference to the device's clock is no age.
    let wrong = try device.timeIntervalSince(#require(status.freshAsOf))
    #expect(abs(wrong - 6 - Double(aheadSeconds)) <= 1)
    let data = client.data(of: .corridor)
    #expect(six.contains(try #require(data.age)))
    #expect(abs(data.serverTime.timeIntervalSince(device) + Double(aheadSeconds)) <= 1)
    #expect(data.asOf == status.freshAsOf)
    // Updates are told by the clock that the user sees.
    #expect(abs(try device.timeIntervalSince(#require(status.lastUpdateTime)) - 6) <= 1)
  }

  @Test @MainActor func refreshingTheAirportsFollowsTheLogAndNotTheDevicesClock() async throws {
    try await withFolder { folder in
      let days: Int64 = 40 * 86_400
      let clock = ManualClock(at: Self.start + days * 1000)
      let server = try await Self.server(folder + "/shelf", clock, aheadMS: days * 1000)
      let client = try Self.client(folder, server.address, clock)
      client.dataQuery.polygon = line.buffer(widthNM: 100)
      await firstData(of: .corridor, from: client, clock)
      #expect(try await client.airports.loadCurrent().cycle.identifier == "2513")
      #expect(try await client.airports.loadNext().cycle.identifier == "2601")
      let database = try await client.airports.database()
      let viewModel = AirportLoaderViewModel(loader: try await client.airports.openLoader())
      func inUse() throws -> String? { try database.status().current?.cycle.identifier }
      // The device's time, which the app may give, and no time.
      for time in [clock.now / 1000, nil] {
        try await viewModel.refresh(at: time)
        #expect(try inUse() == "2513")
        #expect(client.core.shown.state.airports.inUse?.edition.cycle == "2513")
      }
      // By the server's clock, the cycle in use is effective.
      #expect(!viewModel.showLoader)

      client.isOnline = false
      await server.stop()
      let updates = client.updates
      clock.advance(by: 3_600_000)
      for await update in updates { if case .data(.airports) = update { break } }
      // The suite has a time limit.
      while try inUse() != "2601" { await Task.yield() }
      try await viewModel.refresh()
      #expect(try inUse() == "2601" && !viewModel.showLoader)
      await client.stop()
      #expect(try Self.switchedCycles(in: folder + "/log") == ["2513", "2601"])
    }
  }

  /// The cycles that the log switched to.
  private static func switchedCycles(in directory: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".jsonl") }
    let lines = try names.sorted().flatMap { name in
      try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8).split(separator: "\n")
    }
    return lines.filter { $0.contains(#""kind":"airports.switched""#) }.compactMap { line in
      line.firstMatch(of: #/"cycle":"(\d+)"/#).map { String($0.1) }
    }
  }
}

import ContrailAirportData
import ContrailAirports
import ContrailEngine
import ContrailHTTP
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import Foundation
import Testing

@testable import Contrail

/// Where the client asks for airports, and with which key.
@Suite(.timeLimit(.minutes(1))) struct AirportSourceTests {
  /// A host without airports, which notes the requests.
  private final class Host: ClosableTransport {
    private let noted = Lock<(targets: [String], keys: [String], closings: Int)>(([], [], 0))

    var targets: Set<String> { noted.withLock { Set($0.targets) } }
    var keys: Set<String> { noted.withLock { Set($0.keys) } }
    var closingCount: Int { noted.withLock { $0.closings } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      noted.withLock { noted in
        noted.targets.append(request.target)
        noted.keys += request.headers.filter { $0.value.contains("the-key") }.map(\.name)
      }
      return TransportAnswer(status: 404, headers: [], body: [])
    }

    func shutdown() async { noted.withLock { $0.closings += 1 } }
  }

  private struct Hosts {
    let server = Host()
    let folder = Host()
    let weather = Host()
    var all: [Host] { [server, folder, weather] }
  }

  /// Half an hour before cycle 2601 becomes effective, so that cycle 2513 is.
  private static let time: Int64 = 1_769_040_000_000 - 1_800_000

  private func client(
    _ path: String, _ hosts: Hosts, _ service: ServiceProfile = .contrail, hasFolder: Bool = false,
    _ delivery: AirportDeliveryMode = .manual
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(
      server: "https://127.0.0.1:9", apiKey: "the-key", directory: path + "/log")
    configuration.service = service
    configuration.airportDelivery = delivery
    configuration.followsSystemLink = false
    return try ContrailClient(
      configuration, transport: hosts.server, clock: ManualClock(at: Self.time), weatherTransport: hosts.weather,
      folderTransport: hasFolder ? hosts.folder : nil)
  }

  /// Another service than Contrail's has no airports, but a folder of files does.
  @Test(arguments: [ServiceProfile.contrail, .corridorV5()], [false, true])
  func filesComeFromTheFolderOrElseFromTheServer(service: ServiceProfile, hasFolder: Bool) async throws {
    for delivery in [AirportDeliveryMode.manual, .automatic] {
      try await withFolder { path in
        let hosts = Hosts()
        let client = try client(path, hosts, service, hasFolder: hasFolder, delivery)
        try await client.opened()
        let hasAirports = service.isContrail || hasFolder
        if delivery == .manual {
          let cycle = try #require(AIRACCycle(identifier: "2513"))
          await #expect(throws: AirportLoaderError.cycleNotAvailable(cycle)) {
            try await client.airports.loadCurrent()
          }
        } else {
          #expect(await client.settle(within: .seconds(30)))
          await client.airportsDelivered()
          #expect((client.status(of: .airports).lastError != nil) == hasAirports)
        }
        await client.stop()
        let files = (hosts.folder.targets, hosts.server.targets)
        if hasFolder {
          #expect(files.0.contains("/2513.airports.xz") && files.1.isEmpty)
        } else if service.isContrail {
          #expect(files.0.isEmpty && files.1.contains("/airports/v1/2513"))
        } else {
          #expect(files.0.isEmpty && files.1.isEmpty)
        }
        // The folder's host isn't told the key of the server.
        #expect(hosts.folder.keys.isEmpty && hosts.server.keys == (files.1.isEmpty ? [] : [WireHeader.apiKey]))
      }
    }
  }

  @Test(arguments: [ServiceProfile.contrail, .corridorV5()])
  func theDirectoryOfAnotherServiceIsNotSearched(service: ServiceProfile) async throws {
    try await withFolder { path in
      let hosts = Hosts()
      let client = try client(path, hosts, service)
      let manager = AirportSearchManager.createOnlineManager(context: client)
      let found = try? await manager.searchByDirectoryObjectId(objectId: "EGLL").value
      #expect(found == nil)
      #expect(hosts.server.targets.isEmpty != service.isContrail)
      await client.stop()
    }
  }

  @Test func aStopClosesAllConnections() async throws {
    try await withFolder { path in
      let hosts = Hosts()
      let client = try client(path, hosts, hasFolder: true)
      try await client.opened()
      let before = hosts.all.map(\.closingCount)
      #expect(before == [0, 0, 0])
      await client.stop()
      #expect(hosts.all.map(\.closingCount) == [1, 1, 1])
    }
  }

  @Test func theFolderOfTheConfigurationIsAsked() async throws {
    try await withFolder { path in
      let server = try ScriptedServer(.answer(404))
      var configuration = ContrailClient.Configuration(
        server: "http://127.0.0.1:9", apiKey: "the-key", directory: path + "/log")
      configuration.airportFolder = URL(string: server.address + "/files")
      let client = try ContrailClient(configuration)
      await #expect(throws: AirportLoaderError.self) { try await client.airports.loadCurrent() }
      await client.stop()
      #expect(server.requests.contains { $0.target.hasPrefix("/files/") && $0.target.hasSuffix(".airports.xz") })
      #expect(!server.requests.contains { $0.headers.contains { $0.value.contains("the-key") } })
    }
  }
}

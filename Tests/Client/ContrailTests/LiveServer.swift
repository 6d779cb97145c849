import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWorld
import Foundation
import Logging
import Testing

/// London to New York.
let line = [Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)]

func startServer(port: Int = 0) async throws -> ReferenceServer {
  var configuration = ServerConfiguration(seed: 3)
  configuration.keys = ["key"]
  configuration.aircraft = 200
  configuration.port = port
  configuration.allowsSimulatedTime = true
  configuration.allowsRequestedFaults = true
  configuration.logger.logLevel = .critical
  return try await ReferenceServer.start(configuration)
}

/// Returns when a scope holds an answer.
///
/// - Parameter clock: The client's clock, if it stands still. It is advanced to each retry of a failed request.
func firstData(of scope: ScopeID, from client: ContrailClient, _ clock: ManualClock? = nil) async {
  for await update in client.updates {
    switch update {
    case .data(scope), .stored(scope), .confirmed(scope): if client.lastUpdateTime(of: scope) != nil { return }
    case .status(scope):
      let status = client.status(of: scope)
      if let clock, status.phase == .waiting, let next = status.nextAttemptMS { clock.advance(by: next - clock.now) }
    default: break
    }
  }
}

/// Returns when the log is open.
func opening(of client: ContrailClient) async {
  for await update in client.updates { if case .opened = update { return } }
}

/// Stops and releases a client, and returns when its database of airports is closed. On closing, SQLite removes the journal by its path,
/// even if another database has taken that path. A database that is let go isn't closed yet; the journal goes last.
func release(_ client: inout ContrailClient?) async throws {
  weak let database = try await client?.airports.database()
  let journal = try #require(database).path + "-wal"
  await client?.stop()
  client = nil
  while database != nil || FileManager.default.fileExists(atPath: journal) { await Task.yield() }
}

/// A client that is offline and holds reports, which expire within half an hour.
func offlineClient(_ folder: String, in world: ReferenceWorld) async throws -> ContrailClient {
  let client = try world.client(directory: URL(filePath: folder + "/log"))
  client.dataHistoryTime = .halfHour
  client.dataQuery.polygon = line.buffer(widthNM: 200)
  try await world.advance(by: .seconds(30))
  #expect(!client.data(of: .corridor).turbulence.isEmpty)
  client.isOnline = false
  try await world.advance(by: .seconds(1))
  return client
}

func withFolder(
  isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Void
) async throws {
  let folder = try TemporaryDirectory()
  try await body(folder.path)
  withExtendedLifetime(folder) {}
}

extension ContrailClient.Configuration {
  /// A configuration with an address and a path, as the servers and folders of tests have them.
  init(server: String, apiKey: String? = nil, directory: String) {
    self.init(server: URL(string: server) ?? URL(filePath: server), apiKey: apiKey, directory: URL(filePath: directory))
    // Requests for airports would stand among those that a test counts.
    airportDelivery = .manual
  }
}

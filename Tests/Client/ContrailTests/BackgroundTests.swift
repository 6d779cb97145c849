import ContrailHTTP
import ContrailTesting
import Foundation
import Testing

@testable import Contrail

/// Refreshes in the background, by a clock that the test moves.
@Suite(.timeLimit(.minutes(1))) struct BackgroundTests {
  private func client(_ folder: String, _ world: ReferenceWorld) async throws -> ContrailClient {
    let client = try world.client(directory: URL(filePath: folder + "/log"))
    client.dataQuery.polygon = line.buffer(widthNM: 200)
    try await world.advance(by: .seconds(30))
    return client
  }

  @Test func aRefreshAlsoSendsTheReportsThatWait() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await client(folder, world)
      try await world.fail("503 for 10m")
      try await client.report(at: line[0], altitudeFeet: 31_000, severity: .light, edr: 0.1)
      try await world.advance(by: .seconds(60))
      await client.enterBackground()
      await world.recover()
      try await world.advance(by: .seconds(3600))
      #expect(client.pendingReportCount == 1)
      #expect(await client.refreshInBackground())
      try await world.advance()
      #expect(client.pendingReportCount == 0)
      #expect(client.lastUpdateTime(of: .corridor) == world.date)
      // Afterwards the client is in the background again.
      try await world.advance(by: .seconds(3600))
      #expect(client.data(of: .corridor).lastUpdateTime?.addingTimeInterval(3600) == world.date)
      await client.stop()
      // Only the first fetch was a full one.
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/log").filter { $0.hasSuffix(".jsonl") }
      let text = try names.map { try String(contentsOfFile: folder + "/log/" + $0, encoding: .utf8) }.joined()
      #expect(text.split(separator: #""mode":"full""#).count == 2)
    }
  }

  @Test func dataAreUpdatedEachMinuteAndNotInTheBackground() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await client(folder, world)
      try await world.advance(by: .seconds(100))
      // At two minutes, ten seconds ago.
      let last = try #require(client.lastUpdateTime(of: .corridor))
      #expect(last == world.date.addingTimeInterval(-10))
      await client.enterBackground()
      try await world.advance(by: .seconds(600))
      #expect(client.lastUpdateTime(of: .corridor) == last)
      client.enterForeground()
      try await world.advance()
      #expect(client.lastUpdateTime(of: .corridor) == world.date)
      try await world.advance(by: .seconds(70))
      #expect(client.lastUpdateTime(of: .corridor) == world.date.addingTimeInterval(-10))
      await client.stop()
    }
  }

  @Test func aRefreshThatFailsEndsAtOnce() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await client(folder, world)
      await client.enterBackground()
      try await world.fail("503 for 10m")
      let start = world.date
      #expect(await client.refreshInBackground() == false)
      #expect(world.date == start)
      await client.stop()
    }
  }

  @Test func anErrorOfAnotherScopeDoesNotEndARefresh() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await client(folder, world)
      await client.enterBackground()
      let updates = client.updates
      client.dataQuery.viewport = [line[0], line[1]]
      #expect(await client.refreshInBackground())
      await client.stop()
      var scopes: [ScopeID?] = []
      for await case .failed(let error) in updates { scopes.append(error.scope) }
      #expect(scopes == [.viewport])
    }
  }

  @Test func withoutACorridorNothingIsRefreshed() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try world.client(directory: URL(filePath: folder + "/log"))
      #expect(await client.refreshInBackground() == false)
      await client.stop()
    }
  }

  @Test func aRefreshTakesNoMoreThanItsTime() async throws {
    try await withFolder { folder in
      let (events, clock) = (Events(), ManualClock())
      var configuration = ContrailClient.Configuration(server: "https://127.0.0.1:9", directory: folder + "/log")
      configuration.followsSystemLink = false
      let client = try ContrailClient(configuration, transport: SilentLink(events: events), clock: clock)
      client.dataQuery.polygon = line.buffer(widthNM: 100)
      await events.wait(for: "request")
      let isOver = Lock(false)
      let refresh = Task {
        defer { isOver.withLock { $0 = true } }
        return await client.refreshInBackground(within: 5)
      }
      await clock.untilSomeoneSleeps(beyond: 4999, within: 5000)
      clock.advance(by: 4999)
      for _ in 0..<1000 { await Task.yield() }
      #expect(!isOver.withLock { $0 })
      clock.advance(by: 1)
      let isRefreshed = await refresh.value
      #expect(!isRefreshed)
      // A stop ends it, too.
      let last = Task { await client.refreshInBackground(within: 5) }
      await clock.untilSomeoneSleeps(beyond: 4999, within: 5000)
      await client.stop()
      let isRefreshedAtLast = await last.value
      #expect(!isRefreshedAtLast)
    }
  }
}

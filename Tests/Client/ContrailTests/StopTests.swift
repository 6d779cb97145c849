import Contrail
import ContrailEngine
import ContrailHTTP
import ContrailTesting
import Foundation
import Testing

/// What a stop ends, and what ends a call of the application that takes too long.
@Suite(.timeLimit(.minutes(1))) struct StopTests {
  private func client(
    _ folder: String, _ events: Events, _ clock: any EngineClock = ManualClock(), asksForKeys: Bool = false
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(server: "https://127.0.0.1:9", directory: folder + "/log")
    configuration.followsSystemLink = false
    if asksForKeys {
      configuration.connection.credentials = { _ in
        events.add("key")
        await events.untilCancelled("key cancelled")
        throw CancellationError()
      }
    }
    let client = try ContrailClient(configuration, transport: SilentLink(events: events), clock: clock)
    client.dataQuery.polygon = line.buffer(widthNM: 100)
    return client
  }

  @Test func aStopCancelsTheRequestsUnderWayAndClosesTheLink() async throws {
    try await withFolder { folder in
      let events = Events()
      let client = try client(folder, events)
      await events.wait(for: "request")
      await client.stop()
      await events.wait(for: "request cancelled")
      #expect(Set(events.list) == ["request", "request cancelled", "closed"] && events.list.count == 3)
    }
  }

  @Test func aRequestThatIsSupersededIsCancelled() async throws {
    try await withFolder { folder in
      let events = Events()
      let client = try client(folder, events)
      await events.wait(for: "request")
      client.dataQuery.polygon = line.buffer(widthNM: 400)
      await events.wait(for: "request cancelled")
      await client.stop()
    }
  }

  @Test func aStopCancelsACallForAKey() async throws {
    try await withFolder { folder in
      let events = Events()
      let client = try client(folder, events, asksForKeys: true)
      await events.wait(for: "key")
      await client.stop()
      await events.wait(for: "key cancelled")
      #expect(events.list.contains("closed") && !events.list.contains("request"))
    }
  }

  @Test func aCallForAKeyThatTakesTooLongIsCancelled() async throws {
    try await withFolder { folder in
      let (events, clock) = (Events(), ManualClock())
      let client = try client(folder, events, clock, asksForKeys: true)
      await events.wait(for: "key")
      clock.advance(by: 29_000)
      #expect(!events.list.contains("key cancelled"))
      clock.advance(by: 2000)
      await events.wait(for: "key cancelled")
      await client.stop()
    }
  }

  /// Settings of one turn count together.
  @Test func aLinkThatIsSwitchedOffAndOnInOneTurnEndsNoRequest() async throws {
    try await withFolder { folder in
      let events = Events()
      let client = try client(folder, events)
      await events.wait(for: "request")
      await MainActor.run {
        client.isOnline = false
        client.isOnline = true
      }
      try await client.opened()
      for _ in 0..<1000 { await Task.yield() }
      #expect(events.list == ["request"])
      await client.stop()
    }
  }
}

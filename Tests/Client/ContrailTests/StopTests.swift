import Contrail
import ContrailEngine
import ContrailHTTP
import ContrailTesting
import ContrailWire
import Foundation
import Testing

/// What a stop ends, and what ends a call of the application that takes too long.
@Suite(.timeLimit(.minutes(1))) struct StopTests {
  /// What happened, one after the other.
  private final class Events: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let all = Lock<[String]>([])

    init() {
      (stream, continuation) = AsyncStream.makeStream()
    }

    var list: [String] { all.withLock { $0 } }

    func add(_ event: String) {
      all.withLock { $0.append(event) }
      continuation.yield(event)
    }

    /// Waits until something has happened.
    func wait(for event: String) async { for await next in stream where next == event { return } }

    /// Waits until the task is cancelled.
    func untilCancelled(_ event: String) async {
      let (never, end) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      end.finish()
      add(event)
    }
  }

  /// A link on which no answer comes.
  private struct SilentLink: ClosableTransport {
    let events: Events

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      events.add("request")
      await events.untilCancelled("request cancelled")
      throw TransportError(.cancelled, "cancelled")
    }

    func shutdown() async { events.add("closed") }
  }

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
}

import ContrailHTTP
import ContrailTestSupport
import ContrailTesting
import Foundation
import Testing

@testable import Contrail

/// The streams of a client: what they tell at once, later, and at the end.
@Suite(.timeLimit(.minutes(10))) struct StreamTests {
  private func client(_ folder: String, _ world: ReferenceWorld) throws -> ContrailClient {
    let client = try world.client(directory: URL(filePath: folder + "/log"))
    client.dataQuery.polygon = line.buffer(widthNM: 200)
    return client
  }

  private func all<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
    var all: [Element] = []
    for await element in stream { all.append(element) }
    return all
  }

  @Test func aStreamOfStatusesTellsThoseOfItsScope() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try client(folder, world)
      var corridor = client.statuses(of: .corridor).makeAsyncIterator()
      let viewport = client.statuses(of: .viewport)
      #expect(await corridor.next() == client.status(of: .corridor))
      try await world.advance(by: .seconds(30))
      #expect(await corridor.next()?.phase == .current)
      client.isOnline = false
      try await world.advance(by: .seconds(1))
      #expect(await corridor.next()?.phase == .offline)
      await client.stop()
      let last = await corridor.next()
      #expect(last == client.status(of: .corridor) && last?.scope == .corridor)
      #expect(await corridor.next() == nil)
      #expect(await all(viewport).map(\.scope) == [.viewport])
    }
  }

  @Test func whoListensLateIsToldWhatIsThere() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try client(folder, world)
      try await world.advance(by: .seconds(30))
      let updates = client.updates
      var errors = client.errors.values().makeAsyncIterator()
      var held = client.updates(for: .corridor).makeAsyncIterator()
      #expect(await held.next()?.asOf == client.data(of: .corridor).asOf)
      var channel = client.channel(for: .corridor).values().makeAsyncIterator()
      #expect(await channel.next()?.asOf == client.data(of: .corridor).asOf)
      await client.stop()
      #expect(await channel.next() == nil)
      #expect(await errors.next() == nil)
      let told = await all(updates)
      #expect(told.first == .opened && told.contains(.stored(.corridor)) && !told.contains(.stored(.viewport)))
      #expect(await held.next() == nil)
    }
  }

  @Test func aListenerIsToldChangesOfItsScopeOnly() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try client(folder, world)
      let (corridor, viewport) = (client.updates(for: .corridor), client.updates(for: .viewport))
      try await world.advance(by: .seconds(30))
      await client.stop()
      // A reader that waits gets the newest only.
      #expect(await all(corridor).map(\.turbulence.isEmpty) == [false])
      #expect(await all(viewport).allSatisfy { $0.turbulence.isEmpty })
    }
  }

  @Test func aStreamThatNobodyReadsIsForgotten() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try client(folder, world)
      try await client.opened()
      func listeners() -> [Int] {
        client.core.shared.withLock {
          [$0.listeners.count, $0.scopeListeners.count, $0.statusListeners.count, $0.signals.count]
        }
      }
      func streams() throws -> some Any {
        (
          client.updates, client.updates(for: .corridor), client.statuses(of: .corridor),
          try client.observe(PIREPQuery())
        )
      }
      do {
        let streams = try streams()
        #expect(listeners() == [1, 1, 1, 1])
        withExtendedLifetime(streams) {}
      }
      #expect(listeners() == [0, 0, 0, 0])
      let streams = try streams()
      await client.stop()
      #expect(listeners() == [0, 0, 0, 0])
      withExtendedLifetime(streams) {}
    }
  }

  @Test func whoListensLateIsToldOfWhatExpires() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await offlineClient(folder, in: world)
      var held = client.updates(for: .corridor).makeAsyncIterator()
      #expect(await held.next()?.turbulence.isEmpty == false)
      try await world.advance(by: .seconds(3600))
      #expect(await held.next()?.turbulence.isEmpty == true)
      await client.stop()
    }
  }

  @Test func aStreamOfUpdatesAloneIsToldThatDataExpire() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await offlineClient(folder, in: world)
      let updates = client.updates
      try await world.advance(by: .seconds(3600))
      await client.stop()
      #expect(await all(updates).contains(.expired(.corridor)))
    }
  }

  /// Nothing but the reader wakes the client, which may know of the reader only after the data has expired.
  @Test(.timeLimit(.minutes(5))) func aReaderIsToldWhatExpiresWhileNothingElseHappens() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      await (try await offlineClient(folder, in: world)).stop()
      let clock = ManualClock(at: world.date.milliseconds)
      var configuration = ContrailClient.Configuration(server: "http://127.0.0.1:9", directory: folder + "/log")
      configuration.isOnline = false
      configuration.followsSystemLink = false
      let client = try ContrailClient(configuration, transport: SilentLink(events: Events()), clock: clock)
      try await client.opened()
      var held = client.updates(for: .corridor).makeAsyncIterator()
      #expect(await held.next()?.turbulence.isEmpty == false)
      clock.advance(by: 3_600_000)
      while let next = await held.next(), !next.turbulence.isEmpty {}
      await client.stop()
    }
  }

  @Test func anErrorOfTheOpeningIsNotToldToThoseWhoListenAfterIt() async throws {
    try await withFolder { folder in
      let (disk, clock, isFull) = (MemoryDisk(), ManualClock(), Lock(true))
      disk.refuses = { _ in isFull.withLock { $0 } }
      var configuration = ContrailClient.Configuration(server: "http://127.0.0.1:9", directory: folder)
      configuration.followsSystemLink = false
      let client = try ContrailClient(
        configuration, transport: SilentLink(events: Events()), clock: clock, weatherTransport: nil,
        airportTransport: nil, storage: disk)
      var errors = client.errors.values().makeAsyncIterator()
      #expect(await errors.next()?.code == .disk)
      isFull.withLock { $0 = false }
      while !client.core.shown.isOpen {
        clock.advance(by: 1000)
        await Task.yield()
      }
      while client.errors.value != nil { await Task.yield() }
      await client.stop()
    }
  }

  @Test func afterAStopEachStreamEndsAtOnce() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try client(folder, world)
      try await world.advance(by: .seconds(30))
      await client.stop()
      #expect(await all(client.updates).contains(.stored(.corridor)))
      #expect(await all(client.updates(for: .corridor)).map(\.turbulence.isEmpty) == [false])
      #expect(await all(client.statuses(of: .corridor)) == [client.status(of: .corridor)])
      #expect(await all(try client.observe(PIREPQuery())).count <= 1)
    }
  }
}

import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog
import ContrailTesting
import Foundation
import Testing

@testable import Contrail

/// The runner and its sender.
@Suite(.timeLimit(.minutes(1))) struct RunnerTests {
  /// A proxy that collects answers belongs to a link: streams are given up until the device was offline.
  @Test func streamsAreTriedAgainAfterTheDeviceWasOffline() async throws {
    try await withFolder { folder in
      let clock = ManualClock()
      let sender = RequestSender(transport: SilentLink(events: Events()))
      let files = DirectoryAttributes(.init(server: "http://127.0.0.1:9", directory: folder))
      let session = Input.Session(engine: EngineVersion.current, id: "0", seed: 1)
      let client = ContrailClient(directory: folder, clock: clock) { side in
        EngineRunner(
          .init(session: session), opened: nil,
          .init(
            directory: folder, storage: POSIXStorage(), clock: clock, sender: sender, side: side,
            levelAirports: { _ in }, loadAirports: { _ in }, files: files, provideCredential: { _ in .failed("none") },
            useCredentials: { _ in }, sign: nil, shutdown: {}))
      }
      try await client.opened()
      await sender.streams.giveUp()
      client.dataHistoryTime = .sixHours
      #expect(await client.settle(within: .seconds(30)))
      for _ in 0..<1000 { await Task.yield() }
      #expect(await !sender.streams.arrive)
      client.isOnline = false
      while await !sender.streams.arrive { await Task.yield() }
      await client.stop()
    }
  }
}

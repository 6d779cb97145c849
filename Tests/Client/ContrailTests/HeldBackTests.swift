import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailQuery
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation
import Logging
import Testing

@testable import Contrail

/// Reports that a live service keeps from others, and what the application learns of them.
@Suite(.timeLimit(.minutes(30))) struct HeldBackTests {
  @Test func anApplicationIsToldWhichReportsAreKeptFromOthersAndWhy() async throws {
    try await withFolder { folder in
      let clock = ManualClock()
      let live = try await LiveService.open(
        path: "/service", clock: { clock.now }, retentionSeconds: 43_200, reader: FeedReader(), sources: [],
        version: "test", storage: MemoryDisk())
      var configuration = ServerConfiguration(seed: 3)
      configuration.clock = { clock.now }
      configuration.live = live
      configuration.logger.logLevel = .critical
      let server = try await ReferenceServer.start(configuration)
      func client(_ name: String) throws -> ContrailClient {
        var settings = ContrailClient.Configuration(
          server: server.address, apiKey: name, directory: folder + "/" + name)
        settings.followsSystemLink = false
        return try ContrailClient(
          settings, transport: try PlatformTransport.make(server: server.address), clock: clock)
      }

      let reporter = try client("reporter")
      let updates = reporter.updates
      reporter.isOnline = false
      // A plausible report, a strength that contradicts the severity, and a place that is too far away.
      for (age, place, severity, edr) in [
        (Int64(120), line[0], TurbulenceSeverity.moderate, 0.31), (60, line[0], .moderateSevere, 0.03),
        (0, line[1], .moderate, 0.31),
      ] {
        try await reporter.report(
          at: place, altitudeFeet: 35_000, severity: severity, edr: edr,
          observedAt: Date(timeIntervalSince1970: Double(clock.now / 1000 - age)))
      }
      reporter.isOnline = true
      var told: ClientError?
      for await update in updates {
        guard case .failed(let error) = update else { continue }
        told = error
        break
      }
      #expect(told?.code == .reportHeldBack && told?.scope == .outbox)
      #expect(told?.message == "The service keeps 2 ownship reports (strength, motion) from others")
      #expect(reporter.ownReports.map(\.state) == [.confirmed, .heldBack, .heldBack])
      #expect(reporter.pendingReportCount == 0)
      func states(_ origin: ReportOrigin) throws -> [OwnReport.State?] {
        try reporter.turbulence(with: TurbulenceQuery(aggregate: false, origin: origin)).map(\.ownState)
      }
      for origin in [ReportOrigin.own, .all] { #expect(try states(origin).count { $0 == .heldBack } == 2) }
      #expect(try states(.server).isEmpty)

      // What others get is the plausible report alone, from the next second on.
      clock.advance(by: 1000)
      let reader = try client("reader")
      reader.dataQuery.polygon = line.buffer(widthNM: 100)
      await firstData(of: .corridor, from: reader, clock)
      #expect(try reader.turbulence().map(\.edr) == [0.31])
      await reader.stop()
      await reporter.stop()
      await server.stop()
    }
  }
}

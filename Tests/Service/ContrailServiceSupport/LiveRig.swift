package import ContrailGeodesy
import ContrailH3
import ContrailLog
package import ContrailTestSupport
package import ContrailWire
package import ContrailWorld
import Foundation

/// A live service without a network: its feeds are made up, its clock and its disk are the test's.
package final class LiveRig: @unchecked Sendable {
  private let lock = NSLock()
  private var time: Int64
  package let disk: MemoryDisk
  let feeds = DemoFeeds(seed: 5)
  package var poller = Poller(sources: DemoFeeds.sources, reader: FeedReader())

  package init(at time: Int64 = Samples.noon * 1000, disk: MemoryDisk = MemoryDisk()) {
    self.time = time
    self.disk = disk
  }

  package var clock: @Sendable () -> Int64 { { [self] in lock.withLock { time } } }
  package var now: Int64 { clock() }
  package func advance(seconds: Int64) { lock.withLock { time += seconds * 1000 } }

  package func open(segmentBytes: Int64 = 32 << 20) async throws -> LiveService {
    try await LiveService.open(
      path: "/log", clock: clock, retentionSeconds: 43_200, reader: FeedReader(), sources: [], version: "test",
      storage: disk, segmentBytes: segmentBytes)
  }

  package func service(_ live: LiveService) -> ReferenceService {
    var configuration = ServiceConfiguration(clock: clock)
    configuration.live = live
    return ReferenceService(configuration)
  }

  /// Asks the feeds that are due, and stores what they answer.
  @discardableResult package func poll(_ live: LiveService) async throws -> [ServiceState.Change] {
    var changes: [ServiceState.Change] = []
    for request in poller.due(await live.observations.sources, at: now).requests {
      let state = await live.observations.sources[request.source.name] ?? SourceState()
      let (line, records) = poller.result(answer(to: request), of: request, state)
      poller.end(request)
      changes.append(try await live.observations.record(line, records: records))
    }
    return changes
  }

  /// Few reports instead of the feed's thousands: one a minute, of three hours.
  private func answer(to request: Poller.Request) -> Poller.Outcome {
    guard request.source.name == "demo.pireps" else { return feeds.answer(request, at: now) }
    let minute = now / 60_000
    let reports = (minute - 180..<minute).map { minute in
      DayFixture.pirep([
        "obsTime": "\(minute * 60)", "receiptTime": "\(minute * 60 + 30)", "lat": "\(minute % 70)",
        "lon": "\(minute % 350 - 175)", "tbInt1": #""LGT""#, "rawOb": "\"MLC UA \(minute)\"",
      ])
    }
    return .answer(
      status: 200, entityTag: nil, modified: nil, retryAfterSeconds: nil,
      body: Array("[\(reports.joined(separator: ","))]".utf8))
  }

  package static func reports(_ count: Int, from random: inout SplitMix64, at time: Int64) -> [TurbulenceReport] {
    let start = Coordinate(
      latitude: Double.random(in: -50...50, using: &random), longitude: Double.random(in: -170...160, using: &random))
    return (0..<count).map { index in
      // Eight miles a minute.
      let place = Coordinate(latitude: start.latitude, longitude: start.longitude + Double(index) * 0.15)
      guard let cell = try? H3Cell(place, resolution: 5).packed22 else { preconditionFailure("\(place)") }
      return TurbulenceReport(
        cell: cell, altitude: 36, severity: 1, edrE4: UInt16(1100 + index),
        observedAt: UInt32(time - 60 * Int64(count - index)))
    }
  }
}

extension ReferenceService {
  /// Sends a request of the whole world, or by handle.
  package func ask(_ target: String, body: [UInt8] = [], fields: [(String, String)] = []) async -> ServiceAnswer {
    await answer(
      to: ServiceRequest(
        method: body.isEmpty ? "GET" : "POST", target: target, headers: HeaderFields(fields.map { ($0.0, $0.1) }),
        body: body))
  }

  package func upload(_ reports: [TurbulenceReport], key: String, owner: String = "a") async -> ServiceAnswer {
    await ask(
      ReportsUpload.path, body: ReportsUpload(reports: reports).json,
      fields: [(WireHeader.idempotencyKey, key), (WireHeader.apiKey, owner)])
  }

  package func everything(_ ring: Ring = Samples.mostOfTheWorld, since: Int64? = nil) async throws -> ObservationsAnswer
  {
    var question = ObservationsRequest(ring: ring, filter: Filter(types: .areaTypes, history: .sixHours))
    question.since = since
    let body = await ask(ObservationsRequest.path, body: question.json).body
    return try body.withUnsafeBytes { try ObservationsAnswer(json: $0) }
  }
}

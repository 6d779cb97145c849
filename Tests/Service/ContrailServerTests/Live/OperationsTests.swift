import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// A shared log that stores nothing: each line waits until the log is released, and is refused then.
private struct StuckLog: SharedLog {
  let released: AsyncStream<Void>
  private let now = Samples.noon * 1000

  init(until released: AsyncStream<Void>) { self.released = released }

  func start() async throws(ServiceLogError) -> SharedStart {
    SharedStart(beginning: now / 1000, position: 0, snapshot: [])
  }

  func append(_ entry: ServiceLine) async throws(ServiceLogError) -> Int64 {
    for await _ in released {}
    throw .busy
  }

  func next(after position: Int64, waits: Bool) async throws(ServiceLogError) -> SharedPage {
    SharedPage(rows: [], time: .init(now: now, horizon: now), isPoller: false)
  }

  func store(_ parts: [[UInt8]], through position: Int64) async throws(ServiceLogError) {}
  func retain(_ rule: LogRetention, at now: Int64) async throws(ServiceLogError) -> Int { 0 }
  func close() async {}
}

/// What operators see of a live service.
@Suite struct OperationsTests {
  private func values(_ operations: Operations) async throws -> [String: String] {
    var values: [String: String] = [:]
    for line in await operations.metrics().split(separator: "\n") where !line.hasPrefix("#") {
      let space = try #require(line.lastIndex(of: " "))
      values[String(line[..<space])] = String(line[line.index(after: space)...])
    }
    return values
  }

  @Test func answersAndTabletsAreCounted() async throws {
    let rig = LiveRig()
    let operations = Operations(live: nil, sources: [], version: "test", clock: rig.clock)
    operations.observe { 7 }
    operations.count(.full, key: "a", handles: "h1")
    operations.count(.handle, key: "a", handles: "h1,h2")
    operations.count(.handle, key: nil, handles: "h1")
    operations.count(part: 10, route: "area")
    rig.advance(seconds: 300)
    operations.count(.delta, key: "b", handles: "")
    var metrics = try await values(operations)
    for (kind, count) in [("full", "1"), ("delta", "1"), ("handle", "2"), ("held", "1")] {
      #expect(metrics["contrail_answers_total{kind=\"\(kind)\"}"] == count)
    }
    #expect(metrics["contrail_response_bytes_total{route=\"area\"}"] == "10")
    #expect(metrics["contrail_holds"] == "7")
    #expect(metrics["contrail_keys_seen"] == "2" && metrics["contrail_areas_seen"] == "2")
    rig.advance(seconds: 300)
    metrics = try await values(operations)
    #expect(metrics["contrail_keys_seen"] == "1" && metrics["contrail_areas_seen"] == "0")
  }

  private static func upload() throws -> [UInt8] {
    var random = SplitMix64(seed: 4)
    return ReportsUpload(reports: LiveRig.reports(1, from: &random, at: Samples.noon)).json
  }

  @Test(.timeLimit(.minutes(5))) func aRequestIsInProgressUntilItsAnswerIsMade() async throws {
    let operations = Operations(live: nil, sources: [], version: "test") { Samples.noon * 1000 }
    let body = try Self.upload()
    let progress = "contrail_requests_in_progress{route=\"reports\"}"
    try await withServer({ $0.operations = operations }) { client in
      let before = try await values(operations)
      #expect(before["contrail_uploads_waiting"] == "0")
      let answer = await client.postHalves(
        ReportsUpload.path, [WireHeader.idempotencyKey: "one"], body: body
      ) {
        // While its body is being received, it doesn't wait to be stored.
        var now: [String: String] = [:]
        while now[progress] != "1" || now["contrail_uploads_waiting"] != "0" {
          now = (try? await values(operations)) ?? [:]
          await Task.yield()
        }
        return true
      }
      #expect(answer?.status == 200)
      #expect(try await values(operations)[progress] == "0")
      // What operators ask isn't counted.
      #expect(await client.get("/metrics")?.text.contains("{route=\"unknown\"}") == false)
    }
  }

  @Test(.timeLimit(.minutes(5))) func anUploadWaitsUntilItIsStored() async throws {
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let live = try await LiveService.join(
      StuckLog(until: released), uptime: { 0 }, retentionSeconds: 43_200, reader: .complete)
    let operations = Operations(live: live, sources: [], version: "test") { Samples.noon * 1000 }
    let body = try Self.upload()
    try await withServer({
      $0.live = live
      $0.operations = operations
    }) { client in
      async let answer = client.post(ReportsUpload.path, [WireHeader.idempotencyKey: "one"], body: body)
      while try await values(operations)["contrail_uploads_waiting"] != "1" { await Task.yield() }
      release.finish()
      #expect(await answer?.status == 503)
      #expect(try await values(operations)["contrail_uploads_waiting"] == "0")
    }
  }

  @Test func skippedRecordsHaveReasonsAndTheLogASize() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let source = try #require(try FeedSource.sources("awc.pirep").first)
    let operations = Operations(live: live, sources: [source], version: "test", clock: rig.clock)
    let body = "[\(DayFixture.pirep()),\(DayFixture.pirep(["lat": "null"])),\(DayFixture.pirep(["lat": "99"]))]"
    _ = try await live.observations.record(.answered(.init(source: "awc.pirep", status: 200, body: body)))
    func check() async throws -> Int {
      let metrics = try await values(operations)
      let name = "contrail_feed_skipped_by_reason_total{source=\"awc.pirep\",reason="
      #expect(metrics[name + "\"withoutPosition\"}"] == "1" && metrics[name + "\"impossiblePosition\"}"] == "1")
      #expect(metrics["contrail_feed_skipped_total{source=\"awc.pirep\"}"] == "2")
      return try #require(metrics["contrail_log_bytes"].flatMap { Int($0) })
    }
    let bytes = try await check()
    try await live.observations.roll()
    // The new segment begins with a snapshot. The first one still counts.
    #expect(try await check() > bytes)
    try await live.observations.finish()
    rig.disk.restart()
    let state = try #require(await rig.open().observations.sources["awc.pirep"])
    #expect(state.skippedByReason == [.withoutPosition: 1, .impossiblePosition: 1], "the snapshot has them")
  }

  @Test func operatorsAreToldOfAFullAnswer() async throws {
    let rig = LiveRig(at: DayFixture.eleven * 1000)
    let live = try await rig.open()
    let sources = try FeedSource.sources("awc.pirep") + FeedSource.sources("opensky")
    let operations = Operations(live: live, sources: sources, version: "test", clock: rig.clock)
    #expect(await !operations.status().contains("warning"))
    let records = (0..<1000).map { DayFixture.pirep(["rawOb": "\"UA \($0)\""]) }
    let body = "[\(records.joined(separator: ","))]"
    _ = try await live.observations.record(.answered(.init(source: "awc.pirep", status: 200, body: body)))
    let status = await operations.status()
    #expect(status.contains(#""fullAnswers":1,"#), "\(status)")
    #expect(status.contains(#""warning":"the answer is full: records may be missing""#), "\(status)")
    let metrics = await operations.metrics()
    #expect(metrics.contains("contrail_feed_full_answers_total{source=\"awc.pirep\"} 1\n"))
    #expect(!metrics.contains("contrail_feed_full_answers_total{source=\"opensky\"}"))
  }

  @Test func answersSayHowTheyWereAskedFor() async throws {
    let rig = LiveRig()
    let service = rig.service(try await rig.open())
    var question = ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .areaTypes, history: .sixHours))
    let compact = [("Accept", ObservationsAnswer.compactType)]
    let full = await service.ask(ObservationsRequest.path, body: question.json, fields: compact)
    question.since = rig.now / 1000
    let delta = await service.ask(ObservationsRequest.path, body: question.json)
    let handle = try #require(full.headers[WireHeader.area])
    let area = await service.ask("/areas/\(handle)?since=\(rig.now / 1000)&types=7")
    #expect([full.kind, delta.kind, area.kind] == [.full, .delta, .handle])
    #expect(await service.ask("/health").kind == nil)
  }
}

extension Operations {
  /// The requests of a route that are being answered, as the metrics tell.
  func inProgress(_ route: String) async -> Int {
    let name = "contrail_requests_in_progress{route=\"\(route)\"} "
    let line = await metrics().split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
  }
}

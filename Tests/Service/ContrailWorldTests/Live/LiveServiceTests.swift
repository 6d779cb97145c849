import ContrailGeodesy
import ContrailH3
import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailWorld

@Suite struct LiveServiceTests {
  @Test func aWorldGainsWhatFeedsAnswer() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let service = rig.service(live)
    #expect(try await service.everything().reports.isEmpty)
    try await rig.poll(live)
    // What was stored in a second belongs to the answers of the next one.
    #expect(try await service.everything().reports.isEmpty)
    rig.advance(seconds: 1)
    let answer = try await service.everything()
    #expect(answer.reports.count > 100 && answer.pireps.count > 100 && answer.traffic?.isEmpty == false)
    #expect(Samples.sum(answer.reports) == answer.held)
    #expect(answer.heldPIREPs?.count == answer.pireps.count)
    let (start, end) = (rig.now / 1000 - 1, rig.now / 1000)
    let arrivals = await live.observations.arrivals(from: start, to: end)
    #expect(arrivals.count == answer.reports.count + answer.pireps.count)
    let none = await live.observations.arrivals(from: end, to: end)
    #expect(none.isEmpty)
    let pireps = ObservationsRequest(ring: Samples.mostOfTheWorld, filter: Filter(types: .pireps, history: .sixHours))
    #expect(try await live.observations.observations(pireps, now: end).held == HeldSum(count: 0, checksum: 0))
    rig.advance(seconds: 400)
    #expect(try await service.everything().traffic == [], "positions that are older than five minutes aren't current")
  }

  @Test func deltasContainWhatFullAnswersGain() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let service = rig.service(live)
    var random = SplitMix64(seed: 3)
    var held: Set<TurbulenceReport> = []
    var token: Int64?
    for step in 0..<40 {
      try await rig.poll(live)
      if step % 3 == 0 {
        _ = await service.upload(
          LiveRig.reports(3, from: &random, at: rig.now / 1000), key: "k\(step)", owner: "o\(step)")
      }
      if Bool.random(using: &random) { rig.advance(seconds: Int64.random(in: 0...90, using: &random)) }
      let delta = try await service.everything(since: token)
      held.formUnion(delta.reports)
      let whole = try await service.everything()
      held = held.filter { Int64($0.observedAt) > whole.token - 6 * 3600 }
      #expect(held == Set(whole.reports))
      token = delta.token
    }
  }

  /// Held requests have been told of all that arrived before a time: what is stored later doesn't arrive before it.
  @Test func aClockThatIsSetBackHidesNoNewsFromHeldRequests() async throws {
    let rig = LiveRig()
    let service = rig.service(try await rig.open())
    let question = ObservationsRequest(
      ring: Samples.mostOfTheWorld, filter: Filter(types: .areaTypes, history: .sixHours))
    let compact = [("Accept", ObservationsAnswer.compactType)]
    let first = await service.ask(ObservationsRequest.path, body: question.json, fields: compact)
    let handle = try #require(first.headers[WireHeader.area])
    async let held = service.answer(
      to: ServiceRequest(
        method: "GET", target: "/areas/\(handle)?since=\(rig.now / 1000)&urgent=0&by=60",
        headers: HeaderFields([(HoldTerms.field, "wait=500")]), canBeHeld: true))
    while await service.holdCount == 0 { await Task.yield() }
    rig.advance(seconds: 10)
    await service.advanceHolds()
    rig.advance(seconds: -5)
    var random = SplitMix64(seed: 2)
    #expect(await service.upload(LiveRig.reports(1, from: &random, at: rig.now / 1000), key: "one").status == 200)
    rig.advance(seconds: 6)
    await service.advanceHolds()
    if await service.holdCount > 0 {
      Issue.record("the record isn't told")
      await service.endHolds()
    }
    #expect(try await ObservationsAnswer(compactBytes: held.body).reports.count == 1)
  }

  @Test func aRestartKeepsWorldTokensHandlesAndIdempotencyKeys() async throws {
    let rig = LiveRig()
    var live = try await rig.open()
    var random = SplitMix64(seed: 1)
    var service = rig.service(live)
    let compact = [("Accept", ObservationsAnswer.compactType)]
    let question = ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .areaTypes, history: .sixHours))
    let first = await service.ask(ObservationsRequest.path, body: question.json, fields: compact)
    let handle = try #require(first.headers[WireHeader.area])
    let token = rig.now / 1000
    for step in 0..<30 {
      try await rig.poll(live)
      let reports = LiveRig.reports(5, from: &random, at: rig.now / 1000)
      #expect(await service.upload(reports, key: "k\(step)").status == 200)
      if step % 10 == 9 { try await live.observations.roll() }
      rig.advance(seconds: 61)
      let before = try await service.everything()
      let digest = try #require(await live.observations.state).digest(at: rig.now)
      try await live.observations.finish()
      if step % 2 == 0 { rig.disk.losePower() } else { rig.disk.restart() }
      live = try await rig.open()
      service = rig.service(live)
      #expect(try await service.everything() == before)
      #expect(try #require(await live.observations.state).digest(at: rig.now) == digest)
      let delta = await service.ask("/areas/\(handle)?since=\(token)&types=7")
      #expect(delta.status == 200, "neither the token nor the handle is lost")
      let again = await service.upload(reports, key: "k\(step)")
      #expect(String(decoding: again.body, as: UTF8.self).contains("\"accepted\":5"))
      #expect(await service.upload([], key: "k\(step)").status == 409)
    }
    // The log as a whole, without its snapshots, gives the same world.
    let state = try #require(await live.observations.state)
    var folded: ServiceState?
    let reader = try LogReader(path: "/log", storage: rig.disk)
    while let line = try reader.next() {
      if folded == nil { folded = ServiceState(beginning: line.at / 1000, reader: FeedReader()) }
      try folded?.fold(line)
    }
    #expect(folded?.digest(at: rig.now) == state.digest(at: rig.now))
  }

  @Test func anAcknowledgedUploadSurvivesAPowerFailureAtEachOperation() async throws {
    for death in stride(from: 12, to: 90, by: 3) {
      let rig = LiveRig(disk: MemoryDisk(seed: UInt64(death)))
      rig.disk.faults[death] = .death
      var random = SplitMix64(seed: UInt64(death))
      var acknowledged: [TurbulenceReport] = []
      if let live = try? await rig.open() {
        let service = rig.service(live)
        for step in 0..<12 where !rig.disk.isDead {
          _ = try? await rig.poll(live)
          let reports = LiveRig.reports(2, from: &random, at: rig.now / 1000)
          if await service.upload(reports, key: "k\(step)", owner: "o\(step)").status == 200 { acknowledged += reports }
          if step == 5 { try? await live.observations.roll() }
          rig.advance(seconds: 60)
        }
      }
      rig.disk.losePower()
      let live = try await rig.open()
      rig.advance(seconds: 1)
      let served = Set(try await rig.service(live).everything().reports)
      #expect(served.isSuperset(of: acknowledged), "killed at operation \(death)")
    }
  }

  @Test func aDiskThatIsFullRefusesUploadsAndGoesOn() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let service = rig.service(live)
    var random = SplitMix64(seed: 8)
    let reports = LiveRig.reports(2, from: &random, at: rig.now / 1000)
    rig.disk.refuses = { $0 == "write" }
    let refused = await service.upload(reports, key: "k")
    #expect(refused.status == 503)
    let area = ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .areaTypes, history: .sixHours))
    let answer = await service.ask(
      ObservationsRequest.path, body: area.json, fields: [("Accept", ObservationsAnswer.compactType)])
    #expect(answer.status == 200 && answer.headers[WireHeader.area] == nil, "an area that isn't stored gets no handle")
    rig.disk.refuses = { _ in false }
    #expect(await service.upload(reports, key: "k").status == 200)
  }

  @Test func theLogOfSomethingElseIsLeftAlone() async throws {
    let disk = MemoryDisk()
    try disk.makeDirectory("/log")
    let writer = try LogWriter.create(path: "/log/000000000000.jsonl", at: 0, policy: .everyEvent, storage: disk)
    var batch = writer.batch()
    try batch.add("session.started", at: 1, payload: Array(#""engine":"1""#.utf8))
    try writer.append(batch)
    let before = disk.names.mapValues(\.current)
    await #expect(throws: ServiceLogError.self) { try await LiveRig(disk: disk).open() }
    #expect(disk.names.mapValues(\.current) == before)
    disk.put([1], "/log/holiday.png")
    await #expect(throws: ServiceLogError.self) { try await LiveRig(disk: disk).open() }
  }

  /// A snapshot that is larger than a segment doesn't begin another segment for each line.
  @Test func theLogGrowsAsItsLinesDo() async throws {
    let rig = LiveRig()
    let live = try await rig.open(segmentBytes: 4096)
    var lineBytes: Int64 = 0
    for number in 0..<300 {
      let corners = [(0.0, 0.0), (0, 1), (1, 1), (1, 0), (0, 0)].map {
        Coordinate(latitude: $0.0 + Double(number) / 10, longitude: $0.1 + Double(number) / 10)
      }
      let ring = try Ring(corners)
      lineBytes += Int64(ServiceLine.area(ring).payload.count)
      try await live.observations.register(ring)
    }
    let bytes = try #require(await live.observations.status?.logBytes)
    #expect(bytes > lineBytes && bytes < 6 * lineBytes, "\(bytes) of \(lineBytes)")
    try await live.observations.finish()
    rig.disk.restart()
    #expect(try await rig.open().areas.count == 300)
  }

  @Test func aClockThatIsSetBackLosesNothing() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let service = rig.service(live)
    try await rig.poll(live)
    rig.advance(seconds: 10)
    let token = try await service.everything().token
    rig.advance(seconds: -8)
    var random = SplitMix64(seed: 8)
    let reports = LiveRig.reports(2, from: &random, at: rig.now / 1000)
    #expect(await service.upload(reports, key: "k").status == 200)
    rig.advance(seconds: 20)
    #expect(Set(try await service.everything(since: token).reports).isSuperset(of: reports))
  }
}

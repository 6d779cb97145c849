import ContrailGeodesy
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// What a world makes of records that repeat, vanish, and come from another time.
@Suite struct LiveWorldTests {
  private let now = DayFixture.eleven + 600
  private var world = LiveWorld(beginning: 0)

  private func records(_ text: String, _ kind: DayKind) throws -> FeedRecords {
    try FeedReader().read(Array(text.utf8), from: "test", expecting: kind)
  }

  private func sigmets(_ count: Int) -> String {
    "["
      + (0..<count).map { index in
        #"{"airSigmetType":"SIGMET","seriesId":"T \#(index)","hazard":"TURB","validTimeFrom":\#(DayFixture.eleven),"validTimeTo":\#(DayFixture.eleven + 14_400),"coords":[{"lat":1,"lon":1},{"lat":1,"lon":3},{"lat":3,"lon":3}]}"#
      }.joined(separator: ",") + "]"
  }

  @Test mutating func aReportThatRepeatsIsGainedOnce() throws {
    let records = try records("[\(DayFixture.pirep(["tbInt1": #""MOD""#]))]", .pireps)
    #expect(world.gain(records, from: "a", arrival: now).pireps == 1)
    #expect(world.gain(records, from: "b", arrival: now + 60).isEmpty)
    let epoch = world.epoch(WorldEpoch.index(of: DayFixture.eleven))
    #expect(epoch.pireps.map(\.first.updatedAt) == [now] && epoch.observations.map(\.arrival) == [now])
  }

  @Test func aFileOfAnotherTimeIsRecognised() throws {
    let report = try records("[\(DayFixture.pirep())]", .pireps)
    #expect(!report.isOfAnotherTime(at: now) && report.isOfAnotherTime(at: now + 86_400))
    let aircraft = try records(#"{"now":\#(now),"aircraft":[{"hex":"a","lat":1,"lon":1,"seen_pos":0}]}"#, .states)
    #expect(!aircraft.isOfAnotherTime(at: now) && aircraft.isOfAnotherTime(at: now + 301))
    #expect(try !records("[]", .pireps).isOfAnotherTime(at: now))
  }

  @Test mutating func recordsOfAnotherTimeAreRefused() throws {
    let records = try records("[\(DayFixture.pirep())]", .pireps)
    #expect(world.gain(records, from: "a", arrival: DayFixture.eleven - 301).refused == 1, "the feed's clock is ahead")
    #expect(world.gain(records, from: "a", arrival: now + 86_400).refused == 1, "yesterday's file")
    #expect(world.known.isEmpty)
  }

  @Test mutating func anAdvisoryThatIsNoLongerListedEnds() throws {
    #expect(world.gain(try records(sigmets(2), .sigmets), from: "a", arrival: now).advisories == 2)
    #expect(world.advisories(after: now, before: now + 10).count == 2)
    #expect(
      world.gain(try records(sigmets(1), .sigmets), from: "b", arrival: now + 60).isEmpty,
      "another source withdraws nothing")
    #expect(
      world.gain(try records("[]", .sigmets), from: "a", arrival: now + 60).withdrawn == 0, "it looks like an outage")
    #expect(world.gain(try records(sigmets(1), .sigmets), from: "a", arrival: now + 120).withdrawn == 1)
    #expect(world.advisories(after: now + 120, before: now + 300).count == 1)
    #expect(world.advisories(after: now, before: now + 100).count == 2, "at that time both were valid")
  }

  @Test func whatIsNotServedAnyMoreIsNotHeld() throws {
    var state = ServiceState(beginning: now, reader: FeedReader())
    func held(_ kind: String, at time: Int64) -> Int? { state.held(at: time).first { $0.name == kind }?.count }
    func fold(_ body: String, from source: String, at time: Int64) {
      _ = state.fold(.answered(.init(source: source, status: 200, body: body)), at: time * 1000)
    }
    fold(#"{"now":\#(now),"aircraft":[{"hex":"a","lat":1,"lon":1,"seen_pos":0}]}"#, from: "r", at: now)
    fold(#"{"now":\#(now + 310),"aircraft":[]}"#, from: "r", at: now + 310)
    #expect(held("aircraft", at: now + 299) == 1 && held("aircraft", at: now + 311) == 0)
    fold(sigmets(2), from: "a", at: now)
    #expect(held("advisories", at: now) == 2)
    fold(sigmets(1), from: "a", at: now + 60)
    #expect(held("advisories", at: now + 61) == 1, "one is withdrawn")
    #expect(held("advisories", at: DayFixture.eleven + 14_400) == 0, "the other one ended")
    fold("[\(DayFixture.pirep(["tbInt1": #""MOD""#]))]", from: "p", at: now)
    #expect(held("pireps", at: now) == 1 && held("reports", at: now) == 1)
    #expect(held("pireps", at: DayFixture.eleven + 21_600) == 0 && held("reports", at: DayFixture.eleven + 21_600) == 0)
  }

  @Test mutating func aSnapshotWithoutAircraftLooksLikeAnOutage() throws {
    func aircraft(_ time: Int64, _ id: String?) -> String {
      let list = id.map { #"{"hex":"\#($0)","lat":1,"lon":1,"seen_pos":0}"# } ?? ""
      return #"{"now":\#(time),"aircraft":[\#(list)]}"#
    }
    #expect(world.gain(try records(aircraft(now, "a"), .states), from: "r", arrival: now).aircraft == 1)
    #expect(world.gain(try records(aircraft(now + 10, nil), .states), from: "r", arrival: now + 10).isEmpty)
    #expect(world.traffic(at: now + 20).map(\.id) == ["a"])
    #expect(
      world.gain(try records(aircraft(now - 10, "b"), .states), from: "r", arrival: now + 20).isEmpty,
      "an older snapshot")
    #expect(world.gain(try records(aircraft(now + 30, "b"), .states), from: "s", arrival: now + 30).aircraft == 1)
    #expect(world.traffic(at: now + 31).map(\.id) == ["a", "b"], "of both sources")
    #expect(world.traffic(at: now + 301).map(\.id) == ["b"])
    #expect(world.gain(try records(aircraft(now + 900, "c"), .states), from: "r", arrival: now + 40).refused == 1)
  }
}

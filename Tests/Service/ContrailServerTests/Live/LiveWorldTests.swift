import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// What a world makes of records that repeat, vanish, and come from another time.
@Suite struct LiveWorldTests {
  private let now = DayFixture.eleven + 600
  private var world = LiveWorld(beginning: 0)

  private func records(_ text: String, _ kind: DayKind) throws -> FeedRecords {
    try FeedReader.complete.read(Array(text.utf8), from: "test", expecting: kind)
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

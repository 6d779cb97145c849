import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// What `contrail log --why` tells of the records that contain a text.
@Suite struct RecordTrailTests {
  private static let start = DayFixture.eleven

  private func sigmets(_ names: [String], hazard: String = "TURB", end: Int64 = 14_400) -> ServiceLine {
    let records = names.map { name in
      #"{"airSigmetType":"SIGMET","seriesId":"\#(name)","hazard":"\#(hazard)","validTimeFrom":\#(Self.start),"validTimeTo":\#(Self.start + end),"coords":[{"lat":1,"lon":1},{"lat":1,"lon":3},{"lat":3,"lon":3}]}"#
    }
    return .answered(.init(source: "awc.airsigmet", status: 200, body: "[\(records.joined(separator: ","))]"))
  }

  private func trail(_ text: String, _ lines: [(ServiceLine, Int64)], until end: Int64 = 0) throws -> [String] {
    try LiveLines(timed: lines.map { ($0.0, (Self.start + $0.1) * 1000) }).trail(of: text, until: Self.start + end)
      .map { event in
        let space = try #require(event.firstIndex(of: " "))
        let second = try #require(Int64(event[..<space]))
        return "\(second - Self.start)" + event[space...]
      }
  }

  private var withdrawal: [(ServiceLine, Int64)] {
    [
      (sigmets(["XRAY 2", "YANKEE 3"]), 10), (sigmets(["YANKEE 3", "XRAY 2"]), 70), (sigmets(["YANKEE 3"]), 130),
      (sigmets(["YANKEE 3", "ZULU 1"]), 190),
    ]
  }

  @Test func anAdvisoryThatIsWithdrawnHasAnArrivalAndAWithdrawal() throws {
    #expect(
      try trail("XRAY 2", withdrawal) == [
        "10 awc.airsigmet: SIGMET XRAY 2 arrived, valid from 2026-05-30 11:00:00Z to 2026-05-30 15:00:00Z",
        "130 awc.airsigmet: SIGMET XRAY 2 withdrawn: the source doesn't list it any more",
      ])
  }

  @Test func anAdvisoryThatIsValidHasNoWithdrawalOfAnotherOne() throws {
    // The name of an advisory is put together from the record.
    for text in ["YANKEE 3", "SIGMET YANKEE 3"] {
      let events = try trail(text, withdrawal, until: 14_399)
      #expect(events.count == 1 && events[0].hasPrefix("10 awc.airsigmet: SIGMET YANKEE 3 arrived"))
      #expect(
        try trail(text, withdrawal, until: 14_400).last
          == "14400 awc.airsigmet: SIGMET YANKEE 3 ended: its validity is over")
    }
    #expect(try trail("WHISKEY", withdrawal).isEmpty)
  }

  @Test func aSkippedRecordTellsItsReasonOnce() throws {
    let lines = [(sigmets(["XRAY 2"], hazard: "ICE"), Int64(10)), (sigmets(["XRAY 2"], hazard: "ICE"), 70)]
    #expect(try trail("XRAY 2", lines) == ["10 awc.airsigmet: 'XRAY 2' skipped: not about turbulence"])
    func pireps(_ members: [String: String]) -> ServiceLine {
      .answered(.init(source: "awc.pirep", status: 200, body: "[\(DayFixture.pirep(members))]"))
    }
    let events = try trail("/OV MLC", [(pireps(["lat": "null"]), 600)])
    #expect(events.count == 1 && events[0].hasSuffix("skipped: without a position"), "\(events)")
  }

  @Test func aReportArrivesAndExpires() throws {
    let answer = ServiceLine.answered(.init(source: "awc.pirep", status: 200, body: "[\(DayFixture.pirep())]"))
    let text = "awc.pirep: PIREP 'MLC UA /OV MLC/TM 1100/FL360/TP B738'"
    let lines = [
      (answer, Int64(600)), (answer, 660), (ServiceLine.unchanged(source: "awc.pirep", status: 304), 21_700),
    ]
    #expect(
      try trail("TM 1100", lines) == [
        "600 \(text) arrived, observed at 2026-05-30 11:00:00Z",
        "21600 \(text) expired: six hours after the observation",
      ])
    #expect(
      try trail("TM 1100", [(answer, 86_400)])
        == ["86400 \(text) refused: it was observed at 2026-05-30 11:00:00Z, at another time"])
  }

  @Test func anUploadTellsWhatIsHeldBack() throws {
    var random = SplitMix64(seed: 2)
    let good = LiveRig.reports(1, from: &random, at: Self.start)
    let bad = TurbulenceReport(
      cell: good[0].cell, altitude: 36, severity: 4, edrE4: 300, observedAt: good[0].observedAt)
    let upload = ServiceLine.uploaded(.init(owner: "tablets", key: "k-1-1", bodyDigest: 1, reports: good + [bad]))
    #expect(
      try trail("k-1-1", [(upload, 10)], until: 21_540) == [
        "10 'tablets' sent 2 reports: 1 accepted, 1 held back (strength)",
        "21540 the upload 'k-1-1' of 'tablets' expired: six hours after the observation",
      ])
  }

  @Test func countsAreInTheSingularAndThePlural() {
    func words(_ body: ServiceLine) -> String {
      var state = ServiceState(beginning: Self.start, reader: FeedReader())
      return body.words(state.fold(body, at: Self.start * 1000))
    }
    #expect(words(sigmets(["A 1"])).hasSuffix(": 1 new area"))
    #expect(words(sigmets(["A 1", "B 2"])).hasSuffix(": 2 new areas"))
  }
}

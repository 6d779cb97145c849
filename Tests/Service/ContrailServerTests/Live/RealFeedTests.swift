import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

private let data = SharedData.folder

/// Answers that feeds gave, with the counts of a second reading in Python (`Scripts/live-check --count`).
@Suite(.enabled(if: data != nil, "CONTRAIL_DATA names no folder of shared data")) struct RealFeedTests {
  private func read(_ name: String) throws -> FeedRecords {
    let bytes = try DayFile.contents(of: "\(data ?? "")/feeds/\(name)")
    return try FeedReader.complete.read(bytes, from: name, expecting: nil)
  }

  @Test(arguments: [
    ("adsblol-v2-polls-2026-08-19.jsonl.xz", 1421, 1415, [DayOddity.onGround: 6]),
    ("dump1090-history-2019-08-27.jsonl.xz", 909, 181, [.withoutPosition: 728]),
    ("dump1090fa-aircraft-polls-2022-05-18.jsonl", 159, 95, [.withoutPosition: 64]),
    ("readsb-aircraft-2022-01-28T0243Z.json", 170, 97, [.onGround: 52, .withoutPosition: 20, .stale: 1]),
    ("readsb-aircraft-polls-2023-11-20.jsonl.xz", 213, 202, [.onGround: 7, .withoutPosition: 4]),
    ("opensky-states-2025-01-31T2213Z.json.xz", 6109, 5599, [.onGround: 461, .stale: 49]),
    ("opensky-states-polls-2021-03-07.jsonl", 43, 37, [.onGround: 6]),
    (
      "opensky-states-thinned-polls-2026-04-07.jsonl.xz", 15_000, 13_448,
      [.onGround: 1284, .stale: 133, .withoutPosition: 135]
    ),
  ]) func aircraft(file: String, records: Int, served: Int, skipped: [DayOddity: Int]) throws {
    let read = try read(file)
    #expect(read.kind == .states && read.file.records == records && read.file.served == served)
    let left = read.file.notes.filter { $0.oddity.handling == .leftOut }
    #expect(Dictionary(left.map { ($0.oddity, $0.count) }) { $0 + $1 } == skipped)
  }

  @Test(arguments: [
    ("awc-aircraftreports-cache-2022-10-22T0250Z.csv.xz", 1968, 1967, 66),
    ("awc-pireps-cache-2022-10-22T0301Z.csv.xz", 2014, 2013, 63),
    ("awc-pirep-old-schema-2025-04-22.json.xz", 1000, 1000, 37),
  ]) func pireps(file: String, records: Int, served: Int, turbulent: Int) throws {
    let read = try read(file)
    #expect(read.kind == .pireps && read.file.records == records && read.pireps.count == served)
    #expect(read.pireps.count { $0.pirep.severity != nil } == turbulent)
  }

  @Test func theTwoCacheFilesShareTheirReports() throws {
    let (one, two) = (
      try read("awc-aircraftreports-cache-2022-10-22T0250Z.csv.xz"),
      try read("awc-pireps-cache-2022-10-22T0301Z.csv.xz")
    )
    var world = LiveWorld(beginning: 0)
    let now: Int64 = 1_666_407_900
    let first = world.gain(one, from: "a", arrival: now)
    let second = world.gain(two, from: "b", arrival: now + 60)
    #expect(first.pireps == 1967 && second.pireps == 2013 - 1762)
  }

  @Test(arguments: [
    ("awc-airsigmets-cache-2022-10-22.csv", 38, 14), ("awc-airsigmet-old-schema-2025-04-22.json", 3, 0),
    ("awc-isigmet-2026-07-29.json.xz", 137, 21), ("awc-us-sigmets-polls-2025-05-05.jsonl.xz", 236, 5),
  ]) func advisories(file: String, records: Int, served: Int) throws {
    let read = try read(file)
    #expect(read.kind == .sigmets && read.file.records == records)
    #expect(read.advisories.count == served)
  }
}

import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// Answers with as many records as the source gives at most.
@Suite struct FullAnswerTests {
  private static let at = DayFixture.eleven * 1000

  private func line(_ count: Int, by source: String) -> ServiceLine {
    let records = (0..<count).map { DayFixture.pirep(["rawOb": "\"UA \($0)\""]) }
    return .answered(.init(source: source, status: 200, body: "[\(records.joined(separator: ","))]"))
  }

  private func gain(_ change: ServiceState.Change) throws -> ServiceState.FeedGain {
    guard case .gained(let gain) = change else { throw CancellationError() }
    return gain
  }

  @Test(arguments: [
    ("awc.pirep", 1000, true), ("awc.pirep.2", 1000, true), ("awc.pirep", 999, false), ("awc.pirep", 1001, false),
    ("file.pirep", 1000, false), ("awc-cache.aircraftreports", 1000, false),
  ]) func anAnswerWithTheMostRecordsIsFull(source: String, count: Int, isFull: Bool) throws {
    var state = ServiceState(beginning: DayFixture.eleven, reader: FeedReader())
    let line = line(count, by: source)
    let change = state.fold(line, at: Self.at)
    let gain = try gain(change)
    #expect(gain.isFull == isFull && gain.extent.contains("records may be missing") == isFull)
    #expect(line.words(change).hasSuffix("the answer is full: records may be missing") == isFull)
    #expect(state.sources[source]?.isFull == isFull && state.sources[source]?.fullAnswers == (isFull ? 1 : 0))
  }

  @Test func theNextAnswerEndsTheWarningAndASnapshotKeepsTheCount() throws {
    var state = ServiceState(beginning: DayFixture.eleven, reader: FeedReader())
    _ = state.fold(line(1000, by: "awc.pirep"), at: Self.at)
    _ = state.fold(.unchanged(source: "awc.pirep", status: 304), at: Self.at + 60_000)
    #expect(state.sources["awc.pirep"]?.isFull == true, "the same answer")
    var restored = ServiceState(beginning: 0, reader: FeedReader())
    for part in state.snapshotParts(at: state.lastAt) { try restored.restore(part) }
    #expect(restored.sources == state.sources)
    _ = state.fold(line(1, by: "awc.pirep"), at: Self.at + 120_000)
    #expect(state.sources["awc.pirep"]?.isFull == false && state.sources["awc.pirep"]?.fullAnswers == 1)
  }

  @Test func oneRecordIsNotRecords() throws {
    var state = ServiceState(beginning: DayFixture.eleven, reader: FeedReader())
    let gain = try gain(state.fold(line(1, by: "awc.pirep"), at: Self.at))
    #expect(gain.text == "1 new PIREP" && gain.extent == "of 1 record")
  }
}

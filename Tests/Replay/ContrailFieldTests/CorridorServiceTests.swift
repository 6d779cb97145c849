import ContrailCore
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// Logs of a client of a service of which only the public pages are known.
@Suite struct CorridorServiceTests {
  private static func flight() -> LongFlight {
    var flight = LongFlight(service: .corridorV5())
    for _ in 0..<5 { flight.minute() }
    flight.query { $0.types = [.turbulence, .pireps] }
    flight.send(.historyChanged(.sixHours))
    flight.answer()
    for _ in 0..<5 { flight.minute() }
    return flight
  }

  private static func redacted(_ draft: LogDraft) throws -> LogDraft {
    try Redaction(draft, secret: RedactionSecret(bytes: Array("a secret of these tests".utf8))).draft
  }

  @Test func theGuaranteesHoldForDeltasThatNameNoWatermark() {
    let summary = Logs.summary(of: Self.flight().draft)
    #expect(summary.result == "same")
    #expect(summary.findings.isEmpty, "\(summary.findings.map { "\($0.headline): \($0.found)" })")
  }

  @Test func aRedactedLogDecidesTheSame() throws {
    let draft = Self.flight().draft
    let summary = Logs.summary(of: try Self.redacted(draft))
    #expect(summary.result == "same" && summary.findings.isEmpty, "\(summary.outcome)")
  }

  @Test func aRedactedSnapshotKeepsTheService() throws {
    let state = Self.flight().state
    var draft = LogDraft()
    draft.append(
      .init(
        seq: 0, at: state.now,
        events: (state.snapshotParts.map { .snapshotPart($0) } + [.snapshotEnded]).map(Event.mark)))
    var read = State()
    for event in try Self.redacted(draft).turns.flatMap(\.events) {
      read.evolve(Record(seq: read.nextSeq, at: state.now, event: event))
    }
    #expect(read.service == .corridorV5() && read.scope(.corridor)?.want?.history == .fourHours)
  }
}

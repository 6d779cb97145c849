import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// What holds on every flight that a seed can think of.
@Suite struct RandomFlightTests {
  private static let eventsPerFlight = 200

  private static func flown(_ seed: UInt64) -> RandomFlight {
    var inFlight = RandomFlight(seed: seed)
    for _ in 0..<eventsPerFlight { _ = inFlight.send(inFlight.nextInput()) }
    return inFlight
  }

  private static func folded(_ records: some Sequence<Record>) -> State {
    var state = State()
    records.forEach { state.evolve($0) }
    return state
  }

  @Test(arguments: 0..<10) func everyPromiseHoldsAtEveryStep(tens: UInt64) {
    for seed in tens * 30..<tens * 30 + 30 {
      var inFlight = RandomFlight(seed: seed)
      var judge = StepJudge()
      for step in 0..<Self.eventsPerFlight {
        let before = inFlight.rig.state
        let input = inFlight.nextInput()
        let decisions = inFlight.send(input)
        judge.watch(input, before: before, inFlight: inFlight, decisions: decisions)
        guard judge.faults.isEmpty, inFlight.rig.unrest.isEmpty else {
          Issue.record("seed \(seed), step \(step), \(input.kind): \(judge.faults), unrest \(inFlight.rig.unrest)")
          return
        }
      }
      let state = inFlight.rig.state
      let folded = Self.folded(inFlight.rig.records)
      #expect(folded == state && folded.digest == state.digest, "seed \(seed): the record alone gives another state")
      heal(&inFlight)
    }
  }

  /// Once the link holds and the server is right, all is as the server has it within a bounded number of steps.
  private func heal(_ inFlight: inout RandomFlight) {
    let seed = inFlight.seed
    var rig = inFlight.rig
    rig.server.retentionSeconds = 12 * 3600
    rig.launch()
    rig.send(.frequencyChanged(.fast))
    rig.send(.budgetChanged(ByteBudget()))
    rig.send(.linkChanged(LinkCost()))
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .pireps]
      $0.altitudes = nil
      if $0.severities.isEmpty { $0.severities = .all }
    }
    rig.send(.refreshRequested(full: false))
    let healthyFrom = rig.now / 1000
    for _ in 0..<60 {
      if let id = rig.state.scopes.first(where: { $0.inFlight != nil })?.id {
        rig.now += 1000
        rig.answer(id)
      } else if let scope = rig.state.scope(.corridor), let have = scope.have, have.broken == nil,
        have.spec == scope.want,
        have.watermark > healthyFrom
      {
        #expect(scope.reports == rig.server.held(have.spec, asOf: have.watermark), "seed \(seed)")
        #expect(scope.pireps == rig.server.heldPIREPs(have.spec, asOf: have.watermark), "seed \(seed)")
        #expect(scope.retry.failures == 0 && scope.block == nil && scope.pendingRefresh == .none, "seed \(seed)")
        return
      } else if let wake = rig.state.nextWake {
        rig.now = max(rig.now, wake.at)
        rig.send(.clockTicked(scope: wake.scope, due: wake.at))
      } else {
        break
      }
    }
    Issue.record("seed \(seed): not whole after sixty steps")
  }

  /// Flights that never meet a rule would prove nothing about it.
  @Test func theFlightsMeetEveryRule() {
    var rules: [Rule: Int] = [:]
    var kinds: [Kind: Int] = [:]
    var applied = 0
    for seed in UInt64(0)..<40 {
      var inFlight = RandomFlight(seed: seed)
      for _ in 0..<Self.eventsPerFlight {
        let tokens = inFlight.rig.state.scopes.map(\.have?.watermark)
        let decisions = inFlight.send(inFlight.nextInput())
        if inFlight.rig.state.scopes.map(\.have?.watermark) != tokens { applied += 1 }
        inFlight.rig.state.scopes.forEach { rules[inFlight.rig.state.plan($0.id).rule, default: 0] += 1 }
        for decision in decisions {
          kinds[decision.kind, default: 0] += 1
          rules[decision.rule, default: 0] += 1
        }
      }
    }
    // What an aircraft reports itself has its own random flights: OutboxTests.
    #expect(Rule.allCases.filter { rules[$0] == nil } == [.upload, .switched, .delivered], "\(rules)")
    #expect(kinds.count == 6 && applied > 500, "\(kinds), \(applied) answers applied")
  }

  @Test func theSameSeedIsTheSameFlight() {
    for seed in UInt64(1000)..<1010 {
      let (a, b) = (Self.flown(seed), Self.flown(seed))
      #expect(a.rig.state == b.rig.state && a.rig.state.digest == b.rig.state.digest, "seed \(seed)")
      #expect(a.rig.records.count == b.rig.records.count, "seed \(seed)")
    }
  }

  @Test func aSnapshotInTheMiddleChangesNothing() throws {
    for seed in UInt64(2000)..<2040 {
      let inFlight = Self.flown(seed)
      let records = inFlight.rig.records
      var random = SplitMix64(seed: seed)
      // Between an input with its decisions and the next.
      let inputs = records.indices.filter { if case .input = records[$0].event { $0 > 0 } else { false } }
      let cut = try #require(inputs.randomElement(using: &random))
      let before = Self.folded(records[..<cut])
      var resumed = State()
      for (index, part) in before.snapshotParts.enumerated() {
        let event = Event.mark(.snapshotPart(part))
        let read = try Event(kind: event.kind.rawValue, payload: event.payload)
        #expect(read == event, "seed \(seed)")
        resumed.evolve(Record(seq: Int64(index), at: before.now, event: read))
      }
      resumed.evolve(Record(seq: before.nextSeq - 1, at: before.now, event: .mark(.snapshotEnded)))
      #expect(resumed.digest == before.digest, "seed \(seed)")
      #expect(resumed.scopes == before.scopes, "seed \(seed)")
      // From here on both decide the same.
      var live = before
      for record in records[cut...] {
        live.evolve(record)
        resumed.evolve(record)
        #expect(resumed.decide() == live.decide(), "seed \(seed) seq \(record.seq)")
        if resumed != live {
          Issue.record("seed \(seed) seq \(record.seq): states differ")
          break
        }
      }
      #expect(resumed == inFlight.rig.state, "seed \(seed)")
    }
  }

  @Test func aSnapshotOfWhatIsKnownIsPassedOver() {
    for seed in UInt64(3000)..<3005 {
      let state = Self.flown(seed).rig.state
      var repeated = state
      for part in state.snapshotParts {
        repeated.evolve(Record(seq: repeated.nextSeq, at: state.now, event: .mark(.snapshotPart(part))))
      }
      repeated.evolve(Record(seq: repeated.nextSeq, at: state.now, event: .mark(.snapshotEnded)))
      #expect(repeated.digest == state.digest && repeated.scopes == state.scopes, "seed \(seed)")
    }
  }

  @Test func everyLineOfAFlightIsReadAsItWasWritten() throws {
    for seed in UInt64(4000)..<4010 {
      let inFlight = Self.flown(seed)
      var state = State()
      for record in inFlight.rig.records {
        let payload = record.event.payload
        let event = try Event(
          kind: record.event.kind.rawValue, payload: payload, blob: { _ in Self.body(record.event) })
        #expect(event == record.event, "seed \(seed) seq \(record.seq)")
        state.evolve(Record(seq: record.seq, at: record.at, event: event))
      }
      #expect(state == inFlight.rig.state, "seed \(seed)")
    }
  }

  private static func body(_ event: Event) -> [UInt8]? {
    guard case .input(.responseReceived(let response)) = event else { return nil }
    return response.body.bytes
  }
}

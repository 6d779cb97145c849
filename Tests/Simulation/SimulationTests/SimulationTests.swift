import ContrailReplay
import ContrailSimulation
import ContrailTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whole flights from a seed, with everything going wrong that can; `Scripts/simulate` flies more of them.
@Suite(.timeLimit(.minutes(30))) struct SimulationTests {
  /// `CONTRAIL_FLIGHTS` sets another number.
  private static let flightCount = getenv("CONTRAIL_FLIGHTS").flatMap { UInt64(String(cString: $0)) } ?? 640
  private static let laneCount: UInt64 = 8

  @Test func everyFlightEndsAsAFullFetchWouldHaveIt() async throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let tally = await withTaskGroup(of: Tally.self) { group in
      for lane in 0..<Self.laneCount {
        group.addTask {
          var tally = Tally()
          for seed in stride(from: lane, to: Self.flightCount, by: Int(Self.laneCount)) {
            let result = await Simulation(Script(seed: seed)).fly()
            tally += result.tally
            guard let verdict = result.verdict else { continue }
            let report = await FailureReport.make(result, verdict, into: "\(folder)/contrail-simulation")
            Issue.record("\(report.text)")
          }
          return tally
        }
      }
      return await group.reduce(into: Tally()) { $0 += $1 }
    }
    #expect(tally.flights == Self.flightCount)
    // Flights that never meet a fault would prove nothing about it.
    let missing = Tally.everyFault.filter { tally.faults[$0] == nil }
    #expect(missing == [], "of \(tally.faults)")
    #expect(tally.crossedAnswers > 50 && tally.changesInTurnWithAnswer > 50 && tally.databaseComparisons > 50)
    #expect(tally.meetings.count > 1000, "pairs of a fault and the rule that decided next")
    #expect(tally.uploads > 100)
    #expect(tally.convergences > Self.flightCount / 2)
  }

  @Test func theSameSeedIsTheSameFlight() async {
    for seed in UInt64(700)..<720 {
      let a = await Simulation(Script(seed: seed)).fly()
      let b = await Simulation(Script(seed: seed)).fly()
      #expect(a.script == b.script && a.digest == b.digest && a.tally == b.tally, "seed \(seed)")
      #expect(a.files == b.files, "seed \(seed)")
    }
  }

  /// What a tape has is compared with a browser's client by `Scripts/wasm --flights`.
  @Test func aTapedFlightIsAsItShouldBeAndTheSameEachTime() async {
    for seed in UInt64(0)..<20 {
      let a = await Simulation(Script(seed: seed), isTaped: true).fly()
      let b = await Simulation(Script(seed: seed), isTaped: true).fly()
      #expect(a.verdict == nil, "seed \(seed): \(a.verdict.map { "\($0)" } ?? "")")
      #expect(a.tape == b.tape && a.files == b.files, "seed \(seed)")
      let lines = a.tape.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      #expect(lines.contains { $0.hasPrefix(#"["action",{"do":"send""#) }, "seed \(seed)")
      #expect(lines.count { $0.hasPrefix(#"["life""#) } == lines.count { $0.hasPrefix(#"["end""#) }, "seed \(seed)")
    }
  }

  // MARK: The judges' own tests

  @Test(arguments: Sabotage.allCases) func aJudgeFindsWhatIsWrongOnPurpose(sabotage: Sabotage) async {
    for script in (0..<600).map({ Script(seed: $0) }) {
      let result = await Simulation(script, sabotage: sabotage).fly()
      guard let verdict = result.verdict else { continue }
      #expect(verdict.judge == sabotage.judge, "seed \(script.seed): \(verdict)")
      return
    }
    Issue.record("nobody found it")
  }

  @Test func theShrinkerKeepsTheStepsThatFailAndNoOther() async {
    let script = Script(seed: 41)
    var steps = script.steps
    steps.insert(.revokeKey, at: steps.count / 3)
    steps.insert(.answers([.lost, .gone, .late]), at: steps.count / 2)
    steps.append(.refresh(full: true))
    let failing = Script(seed: 41, setting: script.setting, steps: steps)
    let shrinker = Shrinker { candidate in
      let hasGone = candidate.steps.contains {
        if case .answers(let faults) = $0 { faults.contains(.gone) } else { false }
      }
      guard hasGone, candidate.steps.contains(.revokeKey) else { return nil }
      return Verdict(judge: .rest, finding: "made up", step: candidate.steps.count, atMS: 0)
    }
    let verdict = Verdict(judge: .rest, finding: "made up", step: steps.count, atMS: 0)
    let shortened = await shrinker.shortened(failing, verdict)
    #expect(shortened.script.steps.count == 2)
    #expect(shortened.script.steps.last == .answers([.gone]) || shortened.script.steps.first == .answers([.gone]))
    #expect(shortened.flights < 200)
  }

  @Test func aFailureIsAShortScriptAndARecordingThatReplays() async throws {
    let folder = try TemporaryDirectory()
    for seed in UInt64(0)..<50 {
      let result = await Simulation(Script(seed: seed), sabotage: .plantedRule).fly()
      guard let verdict = result.verdict else { continue }
      let report = await FailureReport.make(result, verdict, sabotage: .plantedRule, into: folder.path)
      // An area, another one, and at most what puts time between them.
      #expect(report.script.steps.count <= 3, "\(report.text)")
      #expect(report.verdict.judge == .planted && report.text.contains("Scripts/simulate \(seed)"))
      let recording = try #require(report.recording)
      #expect(RecordingResult(replaying: recording).outcome == .same)
      return
    }
    Issue.record("no flight was rerouted")
  }
}

import ContrailField
import ContrailSimulation
import Foundation

/// Flies what was ordered, a flight on each processor.
struct Run {
  private let order: Command.Order
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var tally = Tally()
  private var failures: [FailureReport] = []
  private var steering = Steering()

  init(_ order: Command.Order) {
    self.order = order
    start = clock.now
  }

  /// Flies, prints, and answers whether every flight was as it should be.
  mutating func fly() async -> Bool {
    var told = start
    var index: UInt64 = 0
    await withTaskGroup(of: Simulation.Result.self) { group in
      // One waits behind each that flies.
      for _ in 0..<2 * Simulation.threadCount { begin(&index, in: &group) }
      while let result = await group.next() {
        tally += result.tally
        if let folder = order.keptFolder, !result.write(to: "\(folder)/seed-\(result.script.seed)") {
          complain("the log of seed \(result.script.seed) can't be written into \(folder)")
        }
        if let folder = order.tapeFolder,
          FileManager.default.createFile(
            atPath: "\(folder)/\(result.script.seed).tape", contents: Data(result.tape)) == false
        {
          complain("the tape of seed \(result.script.seed) can't be written into \(folder)")
        }
        if let verdict = result.verdict {
          complain("seed \(result.script.seed): \(verdict); shortening")
          let report = await FailureReport.make(result, verdict, into: order.folder)
          failures.append(report)
          complain(report.text)
        }
        if clock.now - told > .seconds(10) {
          told = clock.now
          complain("\(tally.flights) flights, \(tally.faultCount) faults, \(failures.count) failures, \(rate) a second")
        }
        begin(&index, in: &group)
      }
    }
    print(order.isJSON ? json : text)
    return failures.isEmpty
  }

  /// Begins the next flight, if there is one.
  private mutating func begin(_ index: inout UInt64, in group: inout TaskGroup<Simulation.Result>) {
    guard let seed = seed(index), failures.count < order.maximumFailures else { return }
    index += 1
    let script = order.isSteered ? steering.script(from: seed) : Script(seed: seed)
    if order.isVerbose {
      print("seed \(seed): \(script.setting)")
      script.steps.forEach { print("  \($0.text)") }
    }
    let isTaped = order.tapeFolder != nil
    group.addTask { await Simulation(script, isTaped: isTaped).fly() }
  }

  private func seed(_ index: UInt64) -> UInt64? {
    if !order.seeds.isEmpty { return index < order.seeds.count ? order.seeds[Int(index)] : nil }
    if let minutes = order.minutes, clock.now - start > .seconds(minutes * 60) { return nil }
    if let count = order.count, index >= count { return nil }
    return order.from &+ index &* (order.isSteered ? Steering.seedsPerFlight : 1)
  }

  private var seconds: Double {
    let passed = (clock.now - start).components
    return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
  }

  private var rate: Int { Int(Double(tally.flights) / max(seconds, 0.001)) }

  // MARK: Words

  private var text: String {
    var lines = [
      "\(tally.flights) flights in \(Int(seconds)) s, \(rate) a second; \(tally.simulatedMS / 3_600_000) h simulated",
      "  inputs \(tally.inputs), lines \(tally.lines), requests \(tally.requests): \(tally.fulls) full, "
        + "\(tally.deltas) delta, \(tally.uploads) uploads of \(tally.reportsTracked) reports; answers \(tally.answers), \(tally.wireBytes) bytes",
      "  \(tally.crossedAnswers) answers nobody waited for, \(tally.changesInTurnWithAnswer) changes in the turn of an answer",
      "  \(tally.convergences) scopes converged, \(tally.databaseComparisons) comparisons with the database",
      "  \(tally.faultCount) faults:",
    ]
    lines += tally.faults.sorted { $0.key < $1.key }.map { "    \($0.key) \($0.value)" }
    lines.append(
      "  decisions: " + tally.rules.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    let rarest = tally.meetings.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(5)
    lines.append(
      "  \(tally.meetings.count) pairs of a fault and the rule that decided next; the rarest: "
        + rarest.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    let missing = CoverageReport.missing(from: tally.cells.keys)
    lines.append(
      "  \(tally.cells.count) of \(FlightCoverage.Cell.all.count) cells of the planner's table; not reached: "
        + CoverageReport.WhyNot.allCases.map { why in "\(missing.count { $0.why == why }) because \(why.summary)" }
        .joined(separator: ", "))
    lines.append("  \(failures.count) failures" + (failures.isEmpty ? "" : ": \(failures.map(\.seed))"))
    return lines.joined(separator: "\n")
  }

  private var json: String {
    func object(_ counts: [String: Int]) -> String {
      "{" + counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
    let members = [
      "\"flights\":\(tally.flights)", "\"milliseconds\":\(Int(seconds * 1000))", "\"perSecond\":\(rate)",
      "\"simulatedHours\":\(tally.simulatedMS / 3_600_000)", "\"inputs\":\(tally.inputs)", "\"lines\":\(tally.lines)",
      "\"requests\":\(tally.requests)", "\"fulls\":\(tally.fulls)", "\"deltas\":\(tally.deltas)",
      "\"uploads\":\(tally.uploads)", "\"reportsTracked\":\(tally.reportsTracked)",
      "\"answers\":\(tally.answers)", "\"wireBytes\":\(tally.wireBytes)",
      "\"crossedAnswers\":\(tally.crossedAnswers)",
      "\"changesInTurnWithAnswer\":\(tally.changesInTurnWithAnswer)", "\"convergences\":\(tally.convergences)",
      "\"databaseComparisons\":\(tally.databaseComparisons)", "\"faults\":\(object(tally.faults))",
      "\"rules\":\(object(tally.rules))", "\"meetings\":\(object(tally.meetings))",
      "\"cells\":\(object(Dictionary(uniqueKeysWithValues: tally.cells.map { ($0.key.name, $0.value) })))",
      "\"failures\":[" + failures.map { "\($0.seed)" }.joined(separator: ",") + "]",
    ]
    return "{" + members.joined(separator: ",") + "}"
  }
}

import ContrailCore
package import ContrailField

/// What happened on flights, counted.
package struct Tally: Sendable, Equatable {
  package var flights = 0
  /// Lines in the logs at the end.
  package var lines = 0
  package var inputs = 0
  package var requests = 0
  package var fulls = 0
  package var deltas = 0
  package var uploads = 0
  package var reportsTracked = 0
  package var answers = 0
  /// Answers that came to requests given up before, or twice.
  package var crossedAnswers = 0
  package var wireBytes: Int64 = 0
  package var changesInTurnWithAnswer = 0
  package var convergences = 0
  package var simulatedMS: Int64 = 0
  package var databaseComparisons = 0
  /// What the application set, asked for or said.
  package var appActions = 0
  package var publications = 0
  /// Faults by their kind: `answer.lost`, `disk.syncFails`, `process.kill`.
  package var faults: [String: Int] = [:]
  /// Decisions by rule.
  package var rules: [String: Int] = [:]
  /// How often a rule was the first to decide after a fault: `answer.lost invalid`. Several rules may decide in the same turn.
  package var meetings: [String: Int] = [:]
  private var faultsSinceDecision: Set<String> = []
  /// How many flights reached a cell of the planner's table.
  package var cells: [FlightCoverage.Cell: Int] = [:]

  package init() {}

  mutating func count(_ fault: String) {
    faults[fault, default: 0] += 1
    faultsSinceDecision.insert(fault)
  }

  mutating func count(_ decisions: [Decision]) {
    guard !decisions.isEmpty else { return }
    for decision in decisions { rules[decision.rule.rawValue, default: 0] += 1 }
    for rule in Set(decisions.map(\.rule.rawValue)) {
      for fault in faultsSinceDecision { meetings["\(fault) \(rule)", default: 0] += 1 }
    }
    faultsSinceDecision = []
  }

  package var faultCount: Int { faults.values.reduce(0, +) }

  package static func += (sum: inout Tally, other: Tally) {
    sum.flights += other.flights
    sum.lines += other.lines
    sum.inputs += other.inputs
    sum.requests += other.requests
    sum.fulls += other.fulls
    sum.deltas += other.deltas
    sum.uploads += other.uploads
    sum.reportsTracked += other.reportsTracked
    sum.answers += other.answers
    sum.crossedAnswers += other.crossedAnswers
    sum.wireBytes += other.wireBytes
    sum.changesInTurnWithAnswer += other.changesInTurnWithAnswer
    sum.convergences += other.convergences
    sum.simulatedMS += other.simulatedMS
    sum.databaseComparisons += other.databaseComparisons
    sum.appActions += other.appActions
    sum.publications += other.publications
    sum.faults.merge(other.faults, uniquingKeysWith: +)
    sum.rules.merge(other.rules, uniquingKeysWith: +)
    sum.meetings.merge(other.meetings, uniquingKeysWith: +)
    sum.cells.merge(other.cells, uniquingKeysWith: +)
  }
}

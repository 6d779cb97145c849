/// What happened on flights, counted.
public struct Tally: Sendable, Equatable {
  public var flights = 0
  /// Lines in the logs at the end.
  public var lines = 0
  public var inputs = 0
  public var requests = 0
  public var fulls = 0
  public var deltas = 0
  public var uploads = 0
  public var reportsTracked = 0
  public var answers = 0
  /// Answers that came to requests given up before, or twice.
  public var crossedAnswers = 0
  public var wireBytes: Int64 = 0
  public var changesInTurnWithAnswer = 0
  public var convergences = 0
  public var simulatedMS: Int64 = 0
  public var databaseComparisons = 0
  /// What the application set, asked for or said.
  public var appActions = 0
  public var publications = 0
  /// Faults by their kind: `answer.lost`, `disk.syncFails`, `process.kill`.
  public var faults: [String: Int] = [:]
  /// Decisions by rule.
  public var rules: [String: Int] = [:]

  public init() {}

  mutating func count(_ fault: String) { faults[fault, default: 0] += 1 }

  public var faultCount: Int { faults.values.reduce(0, +) }

  public static func += (sum: inout Tally, other: Tally) {
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
  }
}

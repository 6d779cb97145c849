import ContrailCore
import ContrailField
import ContrailTestSupport
import ContrailWire
import Foundation

/// Compares what-if with the truth: records a flight under its settings and under an alternative, and predicts the second from the
/// first.
package struct TruthCheck: Sendable {
  /// A flight whose true value lies outside the interval.
  package struct Miss: Sendable, CustomStringConvertible {
    var flight: String
    var low: Double
    var high: Double
    var truth: Double
    var recorded: Double

    package var description: String {
      "\(flight): \(Int64(low))...\(Int64(high)), in truth \(Int64(truth)), recorded \(Int64(recorded))"
    }
  }

  /// How often one figure's interval holds the truth, and how wide it is.
  package struct Coverage: Sendable {
    package var held = 0
    package var count = 0
    /// The estimates without an interval.
    package var without = 0
    /// The widths of the intervals, relative to the true values.
    package var widths: [Double] = []
    /// The first 20 flights whose true value lies outside the interval.
    package var misses: [Miss] = []

    package init() {}

    package mutating func add(_ other: Coverage) {
      held += other.held
      count += other.count
      without += other.without
      widths += other.widths
      misses += other.misses.prefix(max(0, 20 - misses.count))
    }

    package var medianWidth: Double { widths.isEmpty ? 0 : widths.sorted()[widths.count / 2] }

    /// Whether at least 95 % are held, or as many as chance leaves of 95 %.
    package var isPlausible: Bool {
      let expected = 0.95 * Double(count)
      return Double(held) >= expected - 2.6 * (expected * 0.05).squareRoot() - 0.5
    }
  }

  /// By the name of the figure.
  package private(set) var figures: [String: Coverage] = [:]
  /// The flights of which too little was known for all of the figures.
  package private(set) var refused = 0
  /// The recorded flights in which the server held requests.
  package private(set) var listened = 0
  /// What went wrong in flying or reading.
  package private(set) var faults: [String] = []

  package init() {}

  package mutating func add(_ other: TruthCheck) {
    for (figure, coverage) in other.figures { figures[figure, default: Coverage()].add(coverage) }
    refused += other.refused
    listened += other.listened
    faults += other.faults
  }

  /// The names of the figures, in the order of the report.
  package static let names =
    FigureValues.Figure.allCases.map(\.rawValue) + ["late, each", "never, each", "rule: n", "rule: up", "rule: down"]

  /// Checks one flight under an alternative of a kind.
  ///
  /// - Parameters:
  ///   - sharedFolder: The folder in which comparisons of the same seed share the recording under its own settings.
  ///   - keptFolder: The folder in which both recordings are kept, for a look at a miss. A recording that is there isn't
  ///     flown again.
  package init(
    _ kind: AlternativeKind, seed: UInt64, of material: HeldOutFlight.Material, runs: Int = 5,
    sharedIn sharedFolder: String? = nil, keptIn keptFolder: String? = nil
  ) async {
    var name = "\(kind.name), seed \(seed)"
    do {
      let flight = try HeldOutFlight(seed: seed, of: material)
      var random = SplitMix64(seed: seed ^ 0x616c_7465_726e)
      guard let alternative = kind.draw(flight, &random) else { return }
      name += ", \(alternative.name), \(flight.name)"
      let folder = try TemporaryDirectory(isInMemory: true)
      let recorded = "\(keptFolder ?? sharedFolder ?? folder.path)/\(seed)-recorded.jsonl"
      let words = kind.name.split { !$0.isLetter }.joined(separator: "-")
      let flown = "\(keptFolder ?? folder.path)/\(seed)-\(words).jsonl"
      if !FileManager.default.fileExists(atPath: recorded) { try await flight.fly(to: recorded) }
      if !FileManager.default.fileExists(atPath: flown) { try await flight.fly(alternative, to: flown) }
      try compare(name, alternative, seed, runs, recorded, flown)
    } catch let error as WhatIfError {
      // A recording without a request, and a part beyond the end, are refused in words.
      switch error {
      case .noRequests, .inapplicable: break
      default: faults = ["\(name): \(error)"]
      }
    } catch {
      faults = ["\(name): \(error)"]
    }
  }

  private mutating func compare(
    _ name: String, _ alternative: Alternative, _ seed: UInt64, _ runs: Int, _ recorded: String, _ flownPath: String
  ) throws(WhatIfError) {
    var whatIf = WhatIf(try RecordedFlight(path: recorded))
    whatIf.runs = runs
    whatIf.seed = seed
    listened = whatIf.flight.exchanges.contains { $0.rule == .listening } ? 1 : 0
    let prediction = try whatIf.predictions([alternative])[0]
    let flown = try RecordedFlight(path: flownPath)
    let values = FigureValues(flown.figures, in: flown.world, comparedWith: whatIf.flight, whatIf.tariff)
    if !prediction.hasVerdict { refused = 1 }
    func note(_ figure: String, _ estimate: Estimate, _ truth: Double, _ recorded: Double, _ detail: String = "") {
      guard estimate.hasVerdict else { return }
      var coverage = Coverage()
      defer { figures[figure, default: Coverage()].add(coverage) }
      guard estimate.hasInterval else {
        coverage.without = 1
        return
      }
      coverage.count = 1
      coverage.held = estimate.contains(truth) ? 1 : 0
      coverage.widths = [(estimate.high - estimate.low) / max(truth, 1)]
      guard coverage.held == 0 else { return }
      coverage.misses = [
        Miss(flight: name + detail, low: estimate.low, high: estimate.high, truth: truth, recorded: recorded)
      ]
    }
    for figure in FigureValues.Figure.allCases {
      note(figure.rawValue, prediction[figure], values[figure], whatIf.recorded[figure])
    }
    for (index, severity) in TurbulenceSeverity.allCases.enumerated() {
      note("late, each", prediction.late[index], values.late[index], 0, ", \(severity)")
      note("never, each", prediction.never[index], values.never[index], 0, ", \(severity)")
    }
    for account in prediction.accounts {
      let truth = flown.figures.accounts[account.heading] ?? .init()
      let recorded = whatIf.flight.figures.accounts[account.heading] ?? .init()
      let detail = ", \(account.heading.scope) \(account.heading.rule)"
      note("rule: n", account.requests, Double(truth.requests), Double(recorded.requests), detail)
      note("rule: up", account.up, Double(truth.up), Double(recorded.up), detail)
      note("rule: down", account.down, Double(truth.down), Double(recorded.down), detail)
    }
  }
}

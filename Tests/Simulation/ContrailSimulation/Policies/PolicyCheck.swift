import ContrailCore
import ContrailEngine
package import ContrailField
import ContrailWire

/// Compares what-if with the truth: predicts B from the recording of A, and flies B in the same world.
package struct PolicyCheck: Sendable {
  /// Two policies: that of the recording, and what is different.
  package struct Pair: Sendable {
    package var name: String
    package var settings: PolicyFlight.Settings
    package var alternative: Alternative
  }

  /// A flight whose true value lies outside the interval.
  package struct Miss: Sendable, CustomStringConvertible {
    var pair: String
    var seed: UInt64
    var low: Double
    var high: Double
    var truth: Double

    package var description: String {
      "\(pair), seed \(seed): \(Int64(low))...\(Int64(high)), in truth \(Int64(truth))"
    }
  }

  /// How often one figure's interval holds the truth, and how wide it is.
  package struct Coverage: Sendable {
    package var held = 0
    package var count = 0
    /// The widths of the intervals, relative to the true values.
    package var widths: [Double] = []
    /// The first 20 flights whose true value lies outside the interval.
    package var misses: [Miss] = []

    package init() {}

    package mutating func add(_ other: Coverage) {
      held += other.held
      count += other.count
      widths += other.widths
      misses += other.misses.prefix(max(0, 20 - misses.count))
    }

    package var medianWidth: Double { widths.isEmpty ? 0 : widths.sorted()[widths.count / 2] }
  }

  package private(set) var figures: [FigureValues.Figure: Coverage] = [:]
  /// The flights of which too little was known.
  package private(set) var refused = 0
  /// What went wrong in flying or reading.
  package private(set) var faults: [String] = []

  package init() {}

  package mutating func add(_ other: PolicyCheck) {
    for (figure, coverage) in other.figures { figures[figure, default: Coverage()].add(coverage) }
    refused += other.refused
    faults += other.faults
  }

  /// Checks one flight of one pair.
  package init(_ pair: Pair, seed: UInt64, runs: Int = 5) {
    var a = PolicyFlight(seed: seed, settings: pair.settings)
    var b = PolicyFlight(seed: seed, settings: pair.settings, alternative: pair.alternative)
    let (recording, truth) = (a.fly(), b.fly())
    do throws(WhatIfError) {
      var whatIf = WhatIf(try RecordedFlight(path: recording.path, storage: recording.disk))
      whatIf.runs = runs
      whatIf.seed = seed
      let prediction = try whatIf.predictions([pair.alternative])[0]
      let flown = try RecordedFlight(path: truth.path, storage: truth.disk)
      let values = FigureValues(flown.figures, comparedWith: whatIf.flight.figures, whatIf.tariff)
      if !prediction.hasVerdict { refused = 1 }
      for figure in FigureValues.Figure.allCases {
        let estimate = prediction[figure]
        guard estimate.hasVerdict else { continue }
        var coverage = Coverage()
        coverage.count = 1
        coverage.held = estimate.contains(values[figure]) ? 1 : 0
        coverage.widths = [(estimate.high - estimate.low) / max(values[figure], 1)]
        if coverage.held == 0 {
          coverage.misses = [
            Miss(pair: pair.name, seed: seed, low: estimate.low, high: estimate.high, truth: values[figure])
          ]
        }
        figures[figure] = coverage
      }
    } catch {
      faults = ["\(pair.name), seed \(seed): \(error)"]
    }
  }

  /// The pairs of the check.
  package static var pairs: [Pair] {
    func pair(
      _ name: String, _ change: (inout PolicyFlight.Settings) -> Void, _ other: (inout Alternative) -> Void
    ) -> Pair {
      var settings = PolicyFlight.Settings()
      change(&settings)
      var alternative = Alternative()
      other(&alternative)
      return Pair(name: name, settings: settings, alternative: alternative)
    }
    return [
      pair("fast, medium", { _ in }, { $0.frequency = .medium }),
      pair("fast, minimal", { _ in }, { $0.frequency = .minimal }),
      pair("medium, minimal", { $0.frequency = .medium }, { $0.frequency = .minimal }),
      pair("fast, none", { _ in }, { $0.frequency = DataUpdateFrequency.none }),
      pair(
        "fast, none for an hour", { _ in },
        {
          $0.frequency = DataUpdateFrequency.none
          $0.span = 1_800_000..<5_400_000
        }),
      pair("medium, fast", { $0.frequency = .medium }, { $0.frequency = .fast }),
      pair("minimal, medium", { $0.frequency = .minimal }, { $0.frequency = .medium }),
      pair("4h, 2h", { $0.history = .fourHours }, { $0.history = .twoHours }),
      pair("2h, 0.5h", { $0.frequency = .medium }, { $0.history = .halfHour }),
      pair("100 NM, 60 NM", { $0.frequency = .medium }, { $0.widthMilliNM = 60_000 }),
      pair(
        "140 NM fast, 80 NM medium", { $0.widthNM = 140 },
        {
          $0.widthMilliNM = 80_000
          $0.frequency = .medium
        }),
      pair("all severities, moderate", { $0.frequency = .medium }, { $0.severities = .atLeast(.moderate) }),
      pair(
        "with PIREPs, without",
        {
          $0.types = [.turbulence, .pireps]
          $0.frequency = .medium
        }, { $0.types = .turbulence }),
      pair("compact, JSON", { $0.frequency = .medium }, { $0.wire = .json }),
      pair(
        "JSON, compact",
        {
          $0.frequency = .medium
          $0.isCompact = false
        }, { $0.wire = .compact }),
      pair("JSON, JSON minimal", { $0.isCompact = false }, { $0.frequency = .minimal }),
    ]
  }
}

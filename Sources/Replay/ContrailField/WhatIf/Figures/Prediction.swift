import ContrailWire

/// What an alternative would have cost and shown.
package struct Prediction: Sendable {
  package var alternative: Alternative
  package var estimates: [FigureValues.Figure: Estimate]
  /// By severity, the weakest first.
  package var late: [Estimate]
  package var never: [Estimate]
  /// Requests and bytes, by scope and rule.
  package var accounts: [(heading: FlightFigures.Heading, requests: Estimate, up: Estimate, down: Estimate)]
  /// The main missing information for a verdict; nil if everything is known.
  package var gap: Coverage.Gap?

  /// The figures without an interval.
  package var unbounded: [FigureValues.Figure] {
    FigureValues.Figure.allCases.filter { self[$0].hasVerdict && !self[$0].hasInterval }
  }

  /// Whether the bytes down have an interval, and those by rule don't.
  package var hasUncertainRules: Bool {
    self[.down].hasInterval && accounts.contains { $0.down.hasVerdict && !$0.down.hasInterval }
  }

  package subscript(_ figure: FigureValues.Figure) -> Estimate { estimates[figure] ?? Estimate(recorded: 0) }

  /// The known part of the figure of which the least is known.
  package var known: Double { estimates.values.map(\.shares.known).min() ?? 1 }

  /// Whether every figure has a verdict.
  package var hasVerdict: Bool { known >= Estimate.knownForVerdict }

  /// The reason why there is no verdict, and what to record; nil if there is one.
  package var refusal: String? {
    guard !hasVerdict else { return nil }
    let percent = Int((known * 100).rounded(.down))
    return "no verdict on '\(alternative.name)': the recording covers \(percent) % of it; "
      + (gap ?? .times).advice
  }

  /// Creates the prediction of the recorded flight itself.
  init(recorded figures: FlightFigures, _ values: FigureValues) {
    alternative = Alternative()
    estimates = [:]
    for figure in FigureValues.Figure.allCases { estimates[figure] = Estimate(recorded: values[figure]) }
    late = values.late.map { Estimate(recorded: $0) }
    never = values.never.map { Estimate(recorded: $0) }
    accounts = figures.accounts.sorted { $0.key < $1.key }.map {
      (
        $0.key, Estimate(recorded: Double($0.value.requests)), Estimate(recorded: Double($0.value.up)),
        Estimate(recorded: Double($0.value.down))
      )
    }
  }

  /// The share of a figure in what heads of another server may differ, above which there is no interval.
  private static let foreignShare = 0.03

  /// The part of a run that a prediction needs.
  struct Run: Sendable {
    var values: FigureValues
    var accounts: [FlightFigures.Heading: FlightFigures.Account]
    var knowledge: AlternativeFlight.Knowledge
  }

  /// Creates a prediction from runs.
  ///
  /// - Parameters:
  ///   - alternative: The alternative.
  ///   - runs: Its runs, at least one.
  ///   - isWider: Whether its corridor is wider than the recorded one. The bytes down by rule have no interval then: in
  ///     `Scripts/what-if-check`, such intervals held the truth in less than 95 % of the flights.
  init(_ alternative: Alternative, _ runs: [Run], isWider: Bool = false) {
    self.alternative = alternative
    let values = runs.map(\.values)
    func mean(of numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(runs.count) }
    func mean(_ part: (AlternativeFlight.Knowledge) -> Double) -> Double { mean(of: runs.map { part($0.knowledge) }) }
    func shares(_ bytes: [(AlternativeFlight.Knowledge) -> AlternativeFlight.Knowledge.Bytes]) -> Estimate.Shares {
      func sum(_ part: (AlternativeFlight.Knowledge.Bytes) -> Double) -> Double {
        bytes.reduce(0) { sum, direction in sum + mean { part(direction($0)) } }
      }
      return Estimate.Shares(recorded: sum(\.recorded), derivable: sum(\.derivable), unknown: sum(\.unknown))
    }
    let (byUp, byDown, byBytes) = (shares([\.up]), shares([\.down]), shares([\.up, \.down]))
    let byExchanges = Estimate.Shares(
      recorded: mean(\.recordedExchanges), derivable: mean(\.derivableExchanges), unknown: mean(\.unknownExchanges))
    // Which reports are missed depends on both; what is known less counts.
    let byReports = byDown.known < byExchanges.known ? byDown : byExchanges
    let missing = mean(\.down.missing)
    func deviation(_ bytes: (AlternativeFlight.Knowledge) -> AlternativeFlight.Knowledge.Bytes) -> Double {
      let foreign = mean { bytes($0).foreign }
      return (mean { bytes($0).variance } + foreign * foreign).squareRoot()
    }
    let (upDeviation, downDeviation) = (deviation(\.up), deviation(\.down))
    let hasDeparted = runs.contains { $0.knowledge.hasDeparted }
    func margin(_ figure: FigureValues.Figure, _ value: Double) -> Double {
      hasDeparted ? figure.margin(of: value) : 0
    }
    // Sizes of heads that the recording doesn't contain are those of another server.
    let isForeign = (
      up: mean { $0.up.foreign } > Self.foreignShare * mean(of: values.map { $0[.up] }),
      down: mean { $0.down.foreign } > Self.foreignShare * mean(of: values.map { $0[.down] })
    )
    func hasInterval(_ figure: FigureValues.Figure) -> Bool {
      switch figure {
      case .up: !isForeign.up
      case .down: !isForeign.down
      case .cost: !isForeign.up && !isForeign.down
      default: true
      }
    }
    estimates = [:]
    for figure in FigureValues.Figure.allCases {
      let numbers = values.map { $0[figure] }
      var margin = margin(figure, mean(of: numbers))
      var excess = 0.0
      var shares = byExchanges
      switch figure {
      case .up:
        margin = (margin * margin + upDeviation * upDeviation).squareRoot()
        shares = byUp
      case .down:
        margin = (margin * margin + downDeviation * downDeviation).squareRoot()
        excess = missing
        shares = byDown
      case .cost:
        let price = mean(of: numbers) / max(mean(of: values.map { $0[.up] + $0[.down] }), 1)
        let deviation = (upDeviation * upDeviation + downDeviation * downDeviation) * price * price
        margin = (margin * margin + deviation).squareRoot()
        excess = missing * price
        shares = byBytes
      case .late, .never: shares = byReports
      default: break
      }
      estimates[figure] = Estimate(numbers, margin: margin, excess: excess, shares: shares)
      estimates[figure]?.hasInterval = hasInterval(figure)
      if figure.isCount { estimates[figure]?.roundOutwards() }
    }
    func bySeverity(_ reports: (FigureValues) -> [Double]) -> [Estimate] {
      TurbulenceSeverity.allCases.indices.map { index in
        let numbers = values.map { reports($0)[index] }
        var estimate = Estimate(numbers, margin: margin(.late, mean(of: numbers)), shares: byReports)
        estimate.roundOutwards()
        return estimate
      }
    }
    (late, never) = (bySeverity(\.late), bySeverity(\.never))
    let headings = Set(runs.flatMap { $0.accounts.keys }).sorted()
    accounts = headings.map { heading in
      func estimate(_ figure: FigureValues.Figure, _ shares: Estimate.Shares, _ part: (FlightFigures.Account) -> Double)
        -> Estimate
      {
        let numbers = runs.map { part($0.accounts[heading] ?? .init()) }
        let middle = mean(of: numbers)
        var spread = margin(figure, middle)
        // Which of the areas that share an exchange is its first, and so has the bytes of the heads, may differ.
        if !figure.isCount, hasDeparted { spread = (spread * spread + 0.0002 * middle * middle).squareRoot() }
        var estimate = Estimate(numbers, margin: spread, shares: shares)
        estimate.hasInterval = hasInterval(figure) && !(isWider && figure == .down)
        if figure.isCount { estimate.roundOutwards() }
        return estimate
      }
      return (
        heading, estimate(.requests, byExchanges) { Double($0.requests) }, estimate(.up, byUp) { Double($0.up) },
        estimate(.down, byDown) { Double($0.down) }
      )
    }
    var gaps: [Coverage.Gap: Double] = [:]
    for run in runs { gaps.merge(run.knowledge.gaps, uniquingKeysWith: +) }
    gap = gaps.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
  }
}

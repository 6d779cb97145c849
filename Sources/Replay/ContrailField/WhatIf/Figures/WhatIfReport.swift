import ContrailReplay
import ContrailWire

/// The answer to "what if": the recorded flight and alternatives, as a table or as JSON.
package struct WhatIfReport: Sendable {
  package var path: String
  package var spanMS: Int64
  package var tariff: Tariff
  /// The number of recorded requests whose bytes the log doesn't count.
  package var uncounted: Int
  /// The recorded flight first.
  package var predictions: [Prediction]
  /// Whether to show each alternative by scope and rule.
  package var showsRules = false

  package init(_ whatIf: WhatIf, _ predictions: [Prediction]) {
    path = whatIf.flight.path
    spanMS = whatIf.flight.endMS - whatIf.flight.startMS
    tariff = whatIf.tariff
    uncounted = whatIf.flight.figures.uncountedRequests
    self.predictions = [whatIf.recordedPrediction] + predictions
  }

  /// The table, and what limits it.
  package var text: String {
    var table = TextTable(
      [.left("ALTERNATIVE")]
        + [
          "REQUESTS", "UP", "DOWN", "SESSIONS", "AGE", "P95", "WORST", "WITHOUT", "LATE", "NEVER", "COST", "KNOWN",
        ].map { .right($0) })
    for prediction in predictions {
      table.add([prediction.alternative.name] + Self.cells(prediction))
    }
    var lines = ["\(path): what if, over \(Words.span(spanMS))"] + table.lines
    if showsRules { for prediction in predictions { lines += rules(prediction) } }
    for prediction in predictions { if let refusal = prediction.refusal { lines.append(refusal + ".") } }
    lines.append("± held the true value in at least 95 of 100 flights of up to four hours that")
    lines.append("were flown with both settings.")
    lines.append("KNOWN is recorded + derivable of the figure with the least.")
    if predictions.contains(where: { !$0[.up].hasInterval || !$0[.down].hasInterval }) {
      lines.append("≈ has no interval: the server decides the sizes, and no such answer was recorded.")
    }
    if showsRules, predictions.contains(where: \.hasUncertainRules) {
      lines.append("≈ of a rule has no interval: with wider corridors, too few held the true value.")
    }
    lines.append("COST in \(tariff.currency), by the tariff '\(tariff.name)': \(tariff.source)")
    if uncounted > 0 {
      lines.append("The log doesn't count the bytes of \(Words.count(uncounted, "request")); UP estimates them.")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func cells(_ it: Prediction) -> [String] {
    // The first of equals, so that a report is the same each time.
    let least = FigureValues.Figure.allCases.map { it[$0].shares }.min { $0.known < $1.known }
    let shares = least ?? .recorded
    return [
      cell(it[.requests]) { Words.count(Int64($0.rounded())) }, cell(it[.up]) { Words.bytes(Int64($0)) },
      cell(it[.down]) { Words.bytes(Int64($0)) }, cell(it[.sessions]) { Words.count(Int64($0.rounded())) },
      cell(it[.ageMedian], age), cell(it[.ageP95], age), cell(it[.ageWorst], age), cell(it[.without], age),
      cell(it[.late]) { Words.count(Int64($0.rounded())) }, cell(it[.never]) { Words.count(Int64($0.rounded())) },
      cell(it[.cost]) { amount($0) },
      "\(percent(shares.recorded)) + \(percent(shares.derivable)) %",
    ]
  }

  private static func cell(_ estimate: Estimate, _ format: (Double) -> String) -> String {
    guard estimate.hasVerdict else { return "?" }
    guard estimate.hasInterval else { return "≈" + format(estimate.value) }
    let half = (estimate.high - estimate.low) / 2
    let value = format(estimate.value)
    let spread = format(half)
    return spread == format(0) ? value : "\(value) ±\(spread)"
  }

  /// Rounds down, but for errors of the arithmetic.
  private static func percent(_ share: Double) -> Int { Int((share * 100 + 1e-6).rounded(.down)) }

  private static func age(_ milliseconds: Double) -> String { Words.span(Int64(milliseconds.rounded())) }

  private static func amount(_ milli: Double) -> String {
    let cents = Int64((milli / 10).rounded())
    return "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }

  private func rules(_ prediction: Prediction) -> [String] {
    var table = TextTable([.left("  SCOPE"), .left("RULE"), .right("REQUESTS"), .right("UP"), .right("DOWN")])
    for account in prediction.accounts {
      table.add([
        "  " + account.heading.scope, account.heading.rule.isEmpty ? "–" : account.heading.rule,
        Self.cell(account.requests) { Words.count(Int64($0.rounded())) },
        Self.cell(account.up) { Words.bytes(Int64($0)) }, Self.cell(account.down) { Words.bytes(Int64($0)) },
      ])
    }
    return ["", prediction.alternative.name] + table.lines
  }

  // MARK: JSON

  /// One JSON object a line: the recorded flight, then each alternative.
  package var json: String {
    predictions.map { prediction in
      var json = JSONWriter()
      write(prediction, to: &json)
      return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }.joined()
  }

  private func write(_ prediction: Prediction, to json: inout JSONWriter) {
    json.object { json in
      json.member("path", path)
      json.member("spanMS", spanMS)
      json.member("alternative", prediction.alternative.name)
      json.member("verdict", prediction.hasVerdict)
      if let refusal = prediction.refusal { json.member("refusal", refusal) }
      json.member("tariff", tariff.name)
      json.key("figures")
      json.object { json in
        for figure in FigureValues.Figure.allCases {
          json.key(named: figure.rawValue)
          prediction[figure].write(to: &json)
        }
      }
      for (name, estimates) in [("late", prediction.late), ("never", prediction.never)] {
        json.key(named: name)
        json.object { json in
          for (estimate, word) in zip(estimates, TurbulenceSeverity.wordsBySeverity) {
            json.key(named: word.word)
            estimate.write(to: &json)
          }
        }
      }
      json.key("accounts")
      json.array { json in
        for account in prediction.accounts {
          json.object { json in
            json.member("scope", account.heading.scope)
            json.member("rule", account.heading.rule)
            json.key("requests")
            account.requests.write(to: &json)
            json.key("up")
            account.up.write(to: &json)
            json.key("down")
            account.down.write(to: &json)
          }
        }
      }
    }
  }
}

extension Estimate {
  /// Writes the estimate with three decimals of shares. Values are rounded to whole units. Bounds that aren't known are null.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("value")
      json.value(Int64(value.rounded()))
      for (key, number) in [("low", low), ("high", high)] {
        json.key(named: key)
        if hasInterval { json.value(Int64(number.rounded())) } else { json.null() }
      }
      for (key, share) in [
        ("recorded", shares.recorded), ("derivable", shares.derivable), ("unknown", shares.unknown),
      ] {
        json.key(named: key)
        json.decimal(Int64((share * 1000).rounded()), digits: 3)
      }
    }
  }
}

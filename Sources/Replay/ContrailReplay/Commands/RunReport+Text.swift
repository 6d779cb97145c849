import ContrailCore
import ContrailLog

extension RunReport {
  /// Returns the table, the summary, and a block for each recording with a divergence, an error or a skipped part.
  ///
  /// - Parameter detailed: Whether to add requests and bytes by scope and rule.
  func text(detailed: Bool) -> String {
    var table = TextTable([
      .left("RECORDING"), .right("EVENTS"), .right("SPAN"), .right("FULL"), .right("DELTA"), .right("BYTES"),
      .left("RESULT"), .left("DIGEST"),
    ])
    for result in results { table.add(row(result)) }
    var lines = table.lines
    lines.append(summary)
    if let endNote { lines.append(endNote) }
    for result in results { lines += block(result) }
    if detailed { lines += details }
    return lines.map { $0 + "\n" }.joined()
  }

  private func row(_ result: RecordingResult) -> [String] {
    let it = result.statistics
    let outcome =
      switch result.outcome {
      case .same: "same"
      case .diverged(let divergence, _): "DIVERGED \(divergence.seq)"
      case .unreadable(let fault): fault.line.map { "UNREADABLE at line \($0)" } ?? "UNREADABLE"
      }
    if case .unreadable = result.outcome { return [name(of: result), "–", "–", "–", "–", "–", outcome, "–"] }
    return [
      name(of: result), Words.count(it.events), Words.span(it.spanMS), Words.count(it.fulls), Words.count(it.deltas),
      Words.bytes(it.estimatedBytes), outcome, result.digest.map(Words.digest) ?? "–",
    ]
  }

  private func block(_ result: RecordingResult) -> [String] {
    var lines: [String] = []
    switch result.outcome {
    case .same: break
    case .diverged(let divergence, let consequences):
      lines += ["", divergence.headline] + divergence.details(consequences, path: result.path)
    case .unreadable(let fault):
      lines += ["", fault.headline, "  reason    \(fault.reason)", "  action    \(fault.advice)"]
    }
    for block in result.setAside.blocks { lines += [""] + block }
    return lines
  }

  private var details: [String] {
    var lines: [String] = []
    for result in results where !result.statistics.requests.isEmpty {
      var table = TextTable([
        .left("SCOPE"), .left("RULE"), .left("MODE"), .right("REQUESTS"), .right("RESPONSES"),
        .right("FAILED"), .right("BYTES"),
      ])
      for (heading, tally) in result.statistics.requests.sorted(by: { $0.key < $1.key }) {
        table.add([
          heading.scope.name, heading.rule.rawValue, heading.modeName,
          Words.count(tally.requests), Words.count(tally.answers), Words.count(tally.failures),
          Words.bytes(tally.estimatedBytes),
        ])
      }
      lines += ["", name(of: result)] + table.lines.map { "  " + $0 }
    }
    return lines
  }
}

import ContrailCore
import ContrailReplay
import ContrailWire

/// The findings in logs, as text or JSON.
package struct CheckReport: Sendable {
  package let summaries: [FlightSummary]

  package init(_ summaries: [FlightSummary]) { self.summaries = summaries }

  package var findingCount: Int { summaries.reduce(0) { $0 + $1.findingCount } }
  package var unreadableCount: Int { summaries.count { $0.isUnreadable } }

  /// 0 without findings, 1 with findings, 2 if a log couldn't be read.
  package var exitCode: Int32 { unreadableCount > 0 ? 2 : findingCount > 0 ? 1 : 0 }

  /// The findings with their places, and the counts.
  package var text: String {
    var lines: [String] = []
    for summary in summaries {
      for finding in summary.findings {
        lines += [
          finding.headline, "  found     \(finding.found)", "  expected  \(finding.expected)",
          "  next      replay inspect \(Words.shell(summary.path)) --at \(finding.seq)",
        ]
      }
      let rest = summary.findingCount - summary.findings.count
      if rest > 0 { lines.append("\(summary.path): \(Words.count(rest, "more finding")) not shown") }
      if case .unreadable(let fault) = summary.outcome {
        lines += [fault.headline, "  \(fault.reason). \(fault.advice)"]
      }
    }
    if !lines.isEmpty { lines.append("") }
    lines.append(
      "\(Words.count(summaries.count, "log")): \(Words.count(findingCount, "finding")), "
        + "\(Words.count(unreadableCount, "unreadable log"))")
    return lines.map { $0 + "\n" }.joined()
  }

  /// One JSON object for each log, each on a line.
  package var json: String {
    summaries.map { summary in
      var json = JSONWriter()
      json.object { json in
        json.member("path", summary.path)
        json.member("result", summary.isUnreadable ? "unreadable" : "read")
        json.member("findingCount", Int64(summary.findingCount))
        json.key("findings")
        json.array { json in summary.findings.forEach { $0.write(to: &json) } }
        if case .unreadable(let fault) = summary.outcome {
          json.member("code", fault.code)
          json.member("reason", fault.reason)
        }
      }
      return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
    .joined()
  }
}

extension FlightSummary {
  package var isUnreadable: Bool { if case .unreadable = outcome { true } else { false } }
}

extension Finding {
  /// A line such as `flight.jsonl:143  backoff backingOff: seq 142, corridor, t+00:41:07`.
  package var headline: String {
    "\(file):\(line)  \(guarantee.rawValue)\(rule.map { " \($0.rawValue)" } ?? ""): seq \(seq), \(scope?.name ?? "log"), "
      + Words.offset(offsetMS)
  }
}

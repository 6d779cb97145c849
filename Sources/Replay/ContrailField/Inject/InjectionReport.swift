import ContrailCore
import ContrailReplay
import ContrailWire

/// The flights with trouble of one recording, as text or JSON.
package struct InjectionReport: Sendable {
  package let path: String
  package let recorded: Injection.Flight
  package let flights: [Injection.Flight]
  private let lengthMS: Int64
  /// More flights than this are summarized.
  private static let maximumRows = 20
  /// The maximum number of findings in the text.
  private static let maximumFindings = 20

  package init(_ injection: Injection, _ flights: [Injection.Flight]) {
    (path, recorded, lengthMS) = (injection.path, injection.recorded, injection.lengthMS)
    self.flights = flights
  }

  package var findingCount: Int { flights.reduce(0) { $0 + $1.findingCount } }

  /// 0 without findings, 1 with findings.
  package var exitCode: Int32 { findingCount > 0 ? 1 : 0 }

  // MARK: Text

  /// A row for each flight, or the worst of many, and the findings.
  package var text: String {
    var table = TextTable([
      .left("FLIGHT"), .right("REQUESTS"), .right("UP"), .right("DOWN"), .right("WITHOUT"), .right("FINDINGS"),
    ])
    table.add(["recorded"] + Self.cells(recorded))
    let isSummary = flights.count > Self.maximumRows
    for (title, flight) in isSummary ? worst : flights.map({ (Self.name($0), $0) }) {
      table.add([title] + Self.cells(flight))
    }
    var lines = ["\(path): \(Words.count(flights.count, "flight")) with trouble, over \(Words.span(lengthMS))"]
    lines += table.lines
    lines += findingLines
    lines.append(
      "\(Words.count(findingCount, "finding")) in \(Words.count(flights.count { $0.findingCount > 0 })) of "
        + Words.count(flights.count, "flight"))
    return lines.map { $0 + "\n" }.joined()
  }

  private static func name(_ flight: Injection.Flight) -> String { flight.troubles.map(\.name).joined(separator: " ") }

  private static func cells(_ flight: Injection.Flight) -> [String] {
    [
      Words.count(flight.requests), Words.bytes(flight.upBytes), Words.bytes(flight.downBytes),
      Words.span(flight.withoutMS), Words.count(flight.findingCount),
    ]
  }

  /// The worst flights of a sweep.
  private var worst: [(String, Injection.Flight)] {
    let measures: [(String, (Injection.Flight) -> Int64)] = [
      ("most requests", { Int64($0.requests) }), ("most bytes", { $0.upBytes + $0.downBytes }),
      ("longest without data", { $0.withoutMS }),
    ]
    return measures.compactMap { title, measure in
      // The first of equals.
      var worst: Injection.Flight?
      for flight in flights where measure(flight) > worst.map(measure) ?? -1 { worst = flight }
      return worst.map { ("\(title): \(Self.name($0))", $0) }
    }
  }

  private var findingLines: [String] {
    var lines: [String] = []
    var count = 0
    for flight in flights {
      for finding in flight.findings where count < Self.maximumFindings {
        count += 1
        let rule = finding.rule.map { " \($0.rawValue)" } ?? ""
        lines += [
          "\(Self.name(flight)): \(finding.guarantee.rawValue)\(rule), \(finding.scope?.name ?? "log"), "
            + Words.offset(finding.offsetMS),
          "  found     \(finding.found)", "  expected  \(finding.expected)",
          "  next      replay inject \(Words.shell(path)) \(Self.name(flight)) --out injected.jsonl",
        ]
      }
    }
    if findingCount > count { lines.append("\(Words.count(findingCount - count, "more finding")) not shown") }
    return lines
  }

  // MARK: JSON

  /// One JSON object for the recorded flight and one for each other flight, each on a line.
  package var json: String {
    ([recorded] + flights).map { flight in
      var json = JSONWriter()
      json.object { json in
        json.member("path", path)
        json.key("troubles")
        json.array { json in flight.troubles.forEach { json.value($0.name) } }
        json.member("requests", Int64(flight.requests))
        json.member("up", flight.upBytes)
        json.member("down", flight.downBytes)
        json.member("withoutMS", flight.withoutMS)
        json.member("lines", Int64(flight.lineCount))
        json.member("digest", Hex.string(flight.digest))
        json.member("findingCount", Int64(flight.findingCount))
        json.key("findings")
        json.array { json in flight.findings.forEach { $0.write(to: &json) } }
      }
      return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
    .joined()
  }
}

import ContrailCore
import ContrailLog
import ContrailReplay
package import ContrailWire

extension FlightSummary {
  /// The summary as one line of JSON, without a line feed.
  ///
  /// A member that has no value is `null`, so that every row has the same columns.
  ///
  /// - Parameter listsCells: Whether to list the cells of the planner's table.
  package func json(listingCells listsCells: Bool = false) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("path", path)
      json.member("result", result)
      json.key("digest")
      if let digest { json.hex(digest) } else { json.null() }
      json.member("engine", engine)
      json.member("start", statistics.firstAt.map { Words.utc($0) })
      json.member("day", day)
      json.member("spanMS", statistics.spanMS)
      json.member("inputs", Int64(statistics.inputs))
      json.member("decisions", Int64(statistics.decisions))
      json.member("marks", Int64(statistics.marks))
      json.member("fulls", Int64(statistics.fulls))
      json.member("deltas", Int64(statistics.deltas))
      json.member("uploads", Int64(statistics.uploads))
      json.member("up", ledger.total.up.total)
      json.member("down", ledger.total.down.total)
      json.member("origin", route?.from)
      json.member("destination", route?.to)
      json.member("worstAgeS", worstAgeSeconds)
      writeRequests(&json)
      writeFulls(&json)
      writeCoverage(&json, listsCells)
      writeFindings(&json)
      writeFault(&json)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// `same`, `diverged` or `unreadable`.
  package var result: String {
    switch outcome {
    case .same: "same"
    case .diverged: "diverged"
    case .unreadable: "unreadable"
    }
  }

  /// The day of the first line in UTC: `2026-01-15`.
  package var day: String? { statistics.firstAt.map { String(Words.utc($0).prefix { $0 != "T" }) } }

  private func writeRequests(_ json: inout JSONWriter) {
    json.key("bytes")
    json.array { json in
      for (heading, account) in ledger.accounts.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.member("scope", heading.scope)
          json.member("rule", heading.rule)
          json.member("requests", Int64(account.requests))
          json.member("up", account.up.total)
          json.member("down", account.down.total)
          json.member("area", account.up.area)
          json.member("retry", account.up.retry + account.down.retry)
          json.member("uncounted", Int64(account.uncounted))
        }
      }
    }
    json.key("requests")
    json.array { json in
      for (heading, tally) in statistics.requests.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.member("scope", heading.scope.name)
          json.member("rule", heading.rule.rawValue)
          json.member("mode", heading.mode?.rawValue ?? "upload")
          json.member("requests", Int64(tally.requests))
          json.member("answers", Int64(tally.answers))
          json.member("failures", Int64(tally.failures))
        }
      }
    }
  }

  private func writeFulls(_ json: inout JSONWriter) {
    json.key("fullFetches")
    json.array { json in
      for full in fulls {
        json.object { json in
          json.member("offsetMS", full.offsetMS)
          json.member("scope", full.scope.name)
          json.member("rule", full.rule.rawValue)
          json.member("lat", full.latitude)
          json.member("lon", full.longitude)
        }
      }
    }
  }

  private func writeCoverage(_ json: inout JSONWriter, _ listsCells: Bool) {
    json.member("cells", Int64(coverage.cells.count))
    json.key("rules")
    json.array { json in coverage.rules.sorted().forEach { json.value($0) } }
    json.key("faults")
    json.array { json in coverage.faults.sorted().forEach { json.value($0) } }
    guard listsCells else { return }
    json.key("cellNames")
    json.array { json in coverage.cells.sorted().forEach { json.value($0.name) } }
  }

  private func writeFindings(_ json: inout JSONWriter) {
    json.member("findingCount", Int64(findingCount))
    json.key("findings")
    json.array { json in
      for finding in findings { finding.write(to: &json) }
    }
  }

  private func writeFault(_ json: inout JSONWriter) {
    var fault: (code: String, line: Int?, seq: Int64?, reason: String)?
    switch outcome {
    case .same: break
    case .diverged(let it, _):
      fault = (it.title, it.line, it.seq, "recorded \(it.sides.recorded.squeezed), now \(it.sides.now.squeezed)")
    case .unreadable(let it): fault = (it.code, it.line, it.seq, it.reason)
    }
    json.member("code", fault?.code)
    json.member("line", fault?.line.map { Int64($0) })
    json.member("seq", fault?.seq)
    json.member("reason", fault?.reason)
    json.member("tornBytes", skipped.tornTail?.byteCount ?? 0)
    json.member("lostLines", skipped.losses.reduce(0) { $0 + Int64($1.seqs.count) })
  }
}

extension Finding {
  /// Writes the finding as a JSON object.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("guarantee", guarantee.rawValue)
      json.member("rule", rule?.rawValue)
      json.member("scope", scope?.name)
      json.member("line", Int64(line))
      json.member("seq", seq)
      json.member("offsetMS", offsetMS)
      json.member("found", found)
      json.member("expected", expected)
    }
  }
}

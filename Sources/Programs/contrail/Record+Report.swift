import ContrailCore
import ContrailReplay
import ContrailTesting
import ContrailWire

extension Record {
  /// The difference between the clocks that the report mentions.
  private static let notableLeadMS: Int64 = 5000

  private func jsonSummary(
    _ track: Track, _ summary: Recorder.Summary, _ requests: FlightRequests, isKept: Bool
  ) -> String {
    var json = JSONWriter()
    json.object { json in
      json.key("out")
      json.value(out)
      let numbers: [(String, Int64)] = [
        ("lines", Int64(summary.lines)), ("spanMS", summary.spanMS), ("full", Int64(summary.fulls)),
        ("delta", Int64(summary.deltas)), ("repair", Int64(summary.repairs)), ("uploads", Int64(summary.uploads)),
        ("cancelled", Int64(summary.cancelled)),
        ("failed", Int64(requests.failedCount)), ("estimatedBytes", summary.estimatedBytes),
        ("fixes", Int64(track.fixes.count)),
        ("notLater", Int64(track.rejects.notLater)), ("tooFast", Int64(track.rejects.tooFast)),
        ("relocated", Int64(track.rejects.relocated)), ("longestGapMS", track.rejects.longestGapMS),
      ]
      for (key, number) in numbers {
        json.key(named: key)
        json.value(number)
      }
      json.key("answered")
      json.value(requests.answered)
      json.key("failures")
      json.object { json in
        for (code, count) in requests.failures.sorted(by: { $0.key < $1.key }) {
          json.key(named: code)
          json.value(count)
        }
      }
      json.key("kept")
      json.value(isKept)
      json.key("corridorEqualsFullFetch")
      if let comparison = summary.comparison { json.value(comparison.isEqual) } else { json.null() }
      json.key("bytesOfFullFetch")
      json.object { json in
        json.member("up", summary.comparison?.upBytes ?? 0)
        json.member("down", summary.comparison?.downBytes ?? 0)
      }
      json.key("digest")
      json.hex(summary.digest.combined)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  func report(
    _ track: Track, _ summary: Recorder.Summary, _ requests: FlightRequests, isKept: Bool
  ) {
    let rejects = track.rejects
    let comparison = summary.comparison
    if json {
      print(jsonSummary(track, summary, requests, isKept: isKept))
    } else {
      let span = summary.spanMS / 60_000
      print(
        """
        \(out)\(isKept ? "" : " (not kept)"): \(Words.count(summary.lines, "line")) in \(span / 60)h\(span % 60)m
          fixes     \(track.fixes.count) used; skipped \(rejects.notLater) not later, \(rejects.tooFast) too fast
                    \(rejects.relocated) relocated; longest gap \(rejects.longestGapMS / 1000) s
          requests  \(summary.fulls) full, \(summary.deltas) delta, \(Words.count(summary.repairs, "repair")), \
        \(Words.count(summary.uploads, "upload"))
                    \(summary.cancelled) cancelled, \(requests.failedCount) failed; \
        \(Words.count(summary.estimatedBytes, "byte")) both ways
          digest    \(Hex.string(summary.digest.combined))
        """)
      if let lead = summary.serverLeadMS, abs(lead) >= Self.notableLeadMS {
        let size = abs(lead) / 1000
        print(
          "  clock     the server's is \(Words.count(size, "second")) \(lead > 0 ? "ahead of" : "behind") the flight's")
      }
      if requests.failedCount > 0 { print("  failed    \(requests.failuresText)") }
      if let comparison {
        print(
          "  corridor  \(Words.count(comparison.held, "report")) as of \(comparison.token); a full fetch returns "
            + (comparison.isEqual
              ? "the same records"
              : "\(comparison.expected): \(comparison.missing) missing, \(comparison.extra) unexpected"))
      }
    }
  }
}

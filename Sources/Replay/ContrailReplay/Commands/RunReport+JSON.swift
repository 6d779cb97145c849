import ContrailCore
import ContrailWire

extension RunReport {
  /// The report as one JSON object with the counts and the result of each recording.
  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("recordings")
      json.array { json in
        for result in results { json.object { write(result, &$0) } }
      }
      json.key("same")
      json.value(sameCount)
      json.key("diverged")
      json.value(divergedCount)
      json.key("unreadable")
      json.value(unreadableCount)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private func write(_ result: RecordingResult, _ json: inout JSONWriter) {
    json.key("name")
    json.value(name(of: result))
    json.key("path")
    json.value(result.path)
    json.key("result")
    switch result.outcome {
    case .same: json.value("same")
    case .diverged(let divergence, let consequences):
      json.value("diverged")
      json.key("divergence")
      json.object { write(divergence, consequences, result.path, &$0) }
    case .unreadable(let fault):
      json.value("unreadable")
      json.key("fault")
      json.object { write(fault, &$0) }
    }
    result.setAside.writeMembers(to: &json)
    write(result.statistics, &json)
    if let digest = result.digest {
      json.key("digest")
      json.hex(digest)
    }
  }

  private func write(_ statistics: Statistics, _ json: inout JSONWriter) {
    let counts: [(StaticString, Int64)] = [
      ("events", Int64(statistics.events)), ("inputs", Int64(statistics.inputs)),
      ("decisions", Int64(statistics.decisions)), ("marks", Int64(statistics.marks)), ("spanMS", statistics.spanMS),
      ("fulls", Int64(statistics.fulls)), ("deltas", Int64(statistics.deltas)), ("wireBytes", statistics.wireBytes),
    ]
    for (key, count) in counts {
      json.key(key)
      json.value(count)
    }
    json.key("requests")
    json.array { json in
      for (heading, tally) in statistics.requests.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.key("scope")
          json.value(heading.scope.name)
          json.key("rule")
          json.value(heading.rule.rawValue)
          json.key("mode")
          json.value(heading.modeName)
          json.key("requests")
          json.value(tally.requests)
          json.key("answers")
          json.value(tally.answers)
          json.key("failures")
          json.value(tally.failures)
          json.key("wireBytes")
          json.value(tally.wireBytes)
        }
      }
    }
  }

  private func write(
    _ divergence: Divergence, _ consequences: Consequences, _ path: String, _ json: inout JSONWriter
  ) {
    json.key("what")
    json.value(divergence.title)
    json.key("file")
    json.value(divergence.file)
    json.key("line")
    json.value(divergence.line)
    json.key("seq")
    json.value(divergence.seq)
    json.key("offsetMS")
    json.value(divergence.offsetMS)
    json.key("scope")
    if let scope = divergence.scope { json.value(scope.name) } else { json.null() }
    json.key("rule")
    if let rule = divergence.rule { json.value(rule.rawValue) } else { json.null() }
    if let cause = divergence.cause {
      json.key("cause")
      json.object { json in
        json.key("seq")
        json.value(cause.seq)
        json.key("words")
        json.value(cause.words)
      }
    }
    json.key("recorded")
    json.value(divergence.sides.recorded.squeezed)
    json.key("now")
    json.value(divergence.sides.now.squeezed)
    json.key("laterDecisions")
    json.value(consequences.decisions)
    json.key("laterMarks")
    json.value(consequences.marks)
    if let seqs = consequences.markSeqs {
      json.key("stateDiffers")
      json.array { json in
        json.value(seqs.lowerBound)
        json.value(seqs.upperBound)
      }
    }
    json.key("next")
    json.value(divergence.nextCommand(path: path))
  }

  private func write(_ fault: UnreadableRecording, _ json: inout JSONWriter) {
    json.key("code")
    json.value(fault.code)
    json.key("file")
    json.value(fault.file)
    json.key("line")
    if let line = fault.line { json.value(line) } else { json.null() }
    json.key("seq")
    if let seq = fault.seq { json.value(seq) } else { json.null() }
    if let laterLines = fault.laterLines {
      json.key("laterLines")
      json.value(laterLines)
    }
    json.key("reason")
    json.value(fault.reason)
    json.key("advice")
    json.value(fault.advice)
  }
}

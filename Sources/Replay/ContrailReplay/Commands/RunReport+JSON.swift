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
      json.member("same", sameCount)
      json.member("diverged", divergedCount)
      json.member("unreadable", unreadableCount)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private func write(_ result: RecordingResult, _ json: inout JSONWriter) {
    json.member("name", name(of: result))
    json.member("path", result.path)
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
      ("fulls", Int64(statistics.fulls)), ("deltas", Int64(statistics.deltas)),
      ("estimatedBytes", statistics.estimatedBytes),
    ]
    for (key, count) in counts {
      json.key(key)
      json.value(count)
    }
    json.key("requests")
    json.array { json in
      for (heading, tally) in statistics.requests.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.member("scope", heading.scope.name)
          json.member("rule", heading.rule.rawValue)
          json.member("mode", heading.modeName)
          json.member("requests", tally.requests)
          json.member("answers", tally.answers)
          json.member("failures", tally.failures)
          json.member("estimatedBytes", tally.estimatedBytes)
        }
      }
    }
  }

  private func write(
    _ divergence: Divergence, _ consequences: Consequences, _ path: String, _ json: inout JSONWriter
  ) {
    json.member("what", divergence.title)
    json.member("file", divergence.file)
    json.member("line", divergence.line)
    json.member("seq", divergence.seq)
    json.member("offsetMS", divergence.offsetMS)
    json.member("scope", divergence.scope?.name)
    json.member("rule", divergence.rule?.rawValue)
    if let cause = divergence.cause {
      json.key("cause")
      json.object { json in
        json.member("seq", cause.seq)
        json.member("words", cause.words)
      }
    }
    json.member("recorded", divergence.sides.recorded.squeezed)
    json.member("now", divergence.sides.now.squeezed)
    json.member("laterDecisions", consequences.decisions)
    json.member("laterMarks", consequences.marks)
    if let seqs = consequences.markSeqs {
      json.key("stateDiffers")
      json.array { json in
        json.value(seqs.lowerBound)
        json.value(seqs.upperBound)
      }
    }
    json.member("next", divergence.nextCommand(path: path))
  }

  private func write(_ fault: UnreadableRecording, _ json: inout JSONWriter) {
    json.member("code", fault.code)
    json.member("file", fault.file)
    json.member("line", fault.line)
    json.member("seq", fault.seq)
    if let laterLines = fault.laterLines { json.member("laterLines", laterLines) }
    json.member("reason", fault.reason)
    json.member("advice", fault.advice)
  }
}

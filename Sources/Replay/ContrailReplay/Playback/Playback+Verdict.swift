import ContrailCore
import ContrailLog
package import ContrailWire

/// The result of a playback, as `replay run` judges.
package struct PlaybackVerdict: Sendable {
  /// The number of recorded decisions.
  package var decisions: Int
  /// The number of decisions that differ, are missing or are unexpected.
  package var differingDecisions: Int
  /// The number of decisions that a process made but didn't write before it ended.
  package var unwrittenDecisions: Int
  /// The number of verified `state.digested` marks and airport files.
  package var digests: Int
  package var differingDigests: Int
  /// The number of lines with a correct CRC.
  package var crcLines: Int
  /// The digest of the final state.
  package var digest: UInt64
  package var divergence: Divergence?
  /// The error that ended the reading.
  package var problem: UnreadableRecording?
  package var setAside: SetAside

  /// Whether all lines could be read, and every decision and digest is the recorded one.
  package var isSame: Bool { divergence == nil && problem == nil }
}

extension Playback {
  /// The result, complete as soon as ``isFinished``.
  package var verdict: PlaybackVerdict {
    let isOfState =
      switch replayer.divergence?.difference {
      case .records, .control: true
      case .decision, .missing, .unexpected, nil: false
      }
    let first = replayer.divergence == nil ? 0 : 1
    return PlaybackVerdict(
      decisions: replayer.statistics.decisions,
      differingDecisions: replayer.consequences.decisions + (isOfState ? 0 : first),
      unwrittenDecisions: replayer.unwrittenDecisions,
      digests: replayer.verifiedMarks + replayer.verifiedFiles,
      differingDigests: replayer.consequences.marks + (isOfState ? first : 0),
      crcLines: crcLines, digest: (replayer.digest ?? replayer.state.digest).combined, divergence: replayer.divergence,
      problem: problem,
      setAside: setAside)
  }

  /// Writes the verdict as an object.
  package func writeVerdict(to json: inout JSONWriter) {
    let verdict = verdict
    json.object { json in
      json.member("isSame", verdict.isSame)
      let counts: [(StaticString, Int)] = [
        ("decisions", verdict.decisions), ("decisionsDiffering", verdict.differingDecisions),
        ("unwritten", verdict.unwrittenDecisions), ("digests", verdict.digests),
        ("digestsDiffering", verdict.differingDigests), ("crcLines", verdict.crcLines),
      ]
      for (name, count) in counts {
        json.key(name)
        json.value(count)
      }
      json.member("digest", Hex.string(verdict.digest))
      json.key("divergence")
      if let divergence = verdict.divergence { write(divergence, to: &json) } else { json.null() }
      json.key("problem")
      if let problem = verdict.problem { problem.write(to: &json) } else { json.null() }
      json.key("tornTail")
      if let tail = verdict.setAside.tornTail {
        json.object { json in
          json.member("file", tail.file)
          json.member("line", tail.line)
          json.member("bytes", tail.byteCount)
        }
      } else {
        json.null()
      }
      json.key("losses")
      json.array { json in
        for loss in verdict.setAside.losses {
          json.object { json in
            json.member("file", loss.file)
            json.member("firstSeq", loss.seqs.lowerBound)
            json.member("lastSeq", loss.seqs.upperBound)
          }
        }
      }
    }
  }

  private func write(_ divergence: Divergence, to json: inout JSONWriter) {
    let sides = divergence.sides
    json.object { json in
      json.member("line", columns.line(of: divergence.seq))
      json.member("seq", divergence.seq)
      json.key("kind")
      switch divergence.difference {
      case .decision: json.value("decision")
      case .missing: json.value("missing")
      case .unexpected: json.value("unexpected")
      case .records: json.value("records")
      case .control: json.value("control")
      }
      json.member("scope", divergence.scope?.name ?? "")
      json.member("rule", divergence.rule?.rawValue ?? "")
      json.member("recorded", sides.recorded.squeezed)
      json.member("decided", sides.now.squeezed)
      json.member("cause", divergence.cause?.words ?? "")
      json.member("causeLine", divergence.cause.map { columns.line(of: $0.seq) } ?? -1)
    }
  }
}

extension UnreadableRecording {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("code", code)
      json.member("file", file)
      json.member("line", line)
      json.member("seq", seq)
      json.member("reason", reason)
      json.member("advice", advice)
    }
  }
}

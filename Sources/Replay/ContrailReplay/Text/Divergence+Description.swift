import ContrailCore

extension UnreadableRecording {
  /// A line such as `Recordings/x.jsonl:17  unreadable: damagedLine at seq 16`.
  package var headline: String { headline(as: "unreadable") }

  func headline(as verdict: String) -> String {
    let what = code == verdict ? verdict : "\(verdict): \(code)"
    return "\(file)\(line.map { ":\($0)" } ?? "")  \(what)\(seq.map { " at seq \($0)" } ?? "")"
  }
}

extension Divergence {
  /// A line such as `Recordings/x.jsonl:143  decision differs: seq 142, corridor, t+00:41:07`.
  package var headline: String {
    "\(file):\(line)  \(title): seq \(seq), \(scope?.name ?? "control"), \(Words.offset(offsetMS))"
  }

  /// The kind of difference in two words.
  package var title: String {
    switch difference {
    case .decision: "decision differs"
    case .missing: "decision missing"
    case .unexpected: "decision unexpected"
    case .records, .control: "state differs"
    }
  }

  /// Descriptions of the recorded and the current value.
  package var sides: (recorded: String, now: String) {
    func held(_ digest: UInt64?) -> String { digest.map { "records \(Words.digest($0))" } ?? "nothing held" }
    return switch difference {
    case .decision(let recorded, let now): Decision.words(recorded: recorded, now: now)
    case .missing(let now): ("nothing", now.words)
    case .unexpected(let recorded): (recorded.words, "nothing")
    case .records(_, let recorded, let now): (held(recorded), held(now))
    case .control(let recorded, let now): ("control \(Words.digest(recorded))", "control \(Words.digest(now))")
    }
  }

  /// Returns the command that shows more details.
  package func nextCommand(path: String) -> String {
    let path = Words.shell(path)
    if let request { return "replay why \(path) --request \(request)" }
    return "replay inspect \(path) --at \(cause?.seq ?? seq)"
  }

  func details(_ consequences: Consequences, path: String) -> [String] {
    let sides = sides
    return [
      "  cause     " + (cause.map { "seq \($0.seq) \($0.words)" } ?? "none: no preceding input")
    ] + (origin.map { ["  origin    \($0.words)"] } ?? []) + [
      "  recorded  \(sides.recorded)",
      "  now       \(sides.now)",
      "  then      \(consequences.words)",
      "  next      \(nextCommand(path: path))",
    ]
  }
}

extension Divergence.Origin {
  /// A sentence such as `seq 37 or this mark: no other input since seq 20 changed these records`.
  var words: String {
    let since = mark.map { "since the mark at seq \($0)" } ?? "since the first line"
    let what = ofRecords ? "changed these records" : "came"
    switch inputs.count {
    case 0: return "this mark: no input \(since) \(what)"
    case 1: return "seq \(inputs[0].seq) or this mark: no other input \(since) \(what)"
    default:
      let last = inputs.suffix(5).map { String($0.seq) }.joined(separator: ", ")
      let list = inputs.count > 5 ? "…, \(last)" : last
      return "one of \(inputs.count) inputs that \(what) \(since), or this mark: seq \(list)"
    }
  }
}

extension Consequences {
  /// A clause such as `3 later decisions differ; state differs seq 144–290`.
  var words: String {
    let decided =
      switch decisions {
      case 0: "no later decision differs"
      case 1: "1 later decision differs"
      default: "\(Words.count(decisions)) later decisions differ"
      }
    return decided + "; " + (markSeqs.map { "state differs seq \($0.words)" } ?? "no later state digest differs")
  }
}

import ContrailReplay
import ContrailWire

extension Inevitability.Verdict {
  /// The share of futures as an interval that holds the true share in 95 of 100 cases (Wilson's score).
  static func interval(ended: Int, count: Int) -> ClosedRange<Double> {
    let (n, z) = (Double(max(count, 1)), 1.96)
    let p = Double(ended) / n
    let middle = p + z * z / (2 * n)
    let spread = z * ((p * (1 - p) + z * z / (4 * n)) / n).squareRoot()
    let scale = 1 + z * z / n
    return max((middle - spread) / scale, 0)...min((middle + spread) / scale, 1)
  }

  /// The verdict for people, ending with a line feed.
  package var text: String {
    var lines = ["\(path): \(outcome.words)", ""]
    lines += row("outcome", "shows at \(offset(symptomMS))", symptom)
    if let cause, let before {
      lines += row("cause", "\(share(cause)) from here on, \(share(before)) before", cause.input)
      if cause.place != cause.input { lines.append("             \(words[cause.place.seq] ?? "")") }
    } else if let cause {
      lines += row("cause", "\(share(cause)) from the first line on: no link of these worlds avoids it", cause.input)
      lines += omissionLines
    } else if let before {
      lines.append("  cause      none before the outcome: at the last line, \(share(before)) end so")
    }
    lines.append("  last chance  " + lastChanceWords)
    lines += ["", "  SEQ and TIME of the last common line, and the futures that end so"]
    var table = TextTable([.right("SEQ"), .left("TIME"), .right("FUTURES"), .left("SHARE"), .left("LINE")])
    for fork in shownForks {
      table.add([
        "\(fork.place.seq)", offset(fork.place.at), "\(fork.ended) of \(fork.count)", percent(fork),
        String((words[fork.input.seq] ?? "").prefix(40)),
      ])
    }
    lines += table.lines.map { "  " + $0 }
    if let fork = cause ?? before {
      let links = fork.byLink.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.ended) of \($0.value.count)" }
      lines += ["", "  At seq \(fork.place.seq) by link: " + links.joined(separator: ", ")]
      if let known = fork.knownShare {
        lines.append(
          "  The recording determines \(Int((known * 100).rounded())) % of the bytes that the futures receive.")
      }
    }
    lines += ["", Self.assumptions]
    return lines.map { $0 + "\n" }.joined()
  }

  private static let assumptions =
    "  Assumed: the application does what it did; trouble that has begun lasts as recorded; other trouble comes "
    + "as in other parts of this flight, or as in the models of links; reports arrive within the recorded intervals; between the lines "
    + "of the table, the share crosses the threshold once. A cause that no line shows yet, such as a link that is lost "
    + "but not missed, counts from the first line that shows it."

  private var omissionLines: [String] {
    guard !omissions.isEmpty else {
      return ["             \(Words.count(omissionTrials, "setting")) left out, one at a time: none avoids it"]
    }
    return omissions.prefix(5).flatMap { omission in
      row("without", "\(omission.ended) of \(omission.count) futures end so", omission.place)
    }
  }

  private var lastChanceWords: String {
    guard let lastChanceMS else { return "none: also a link that works at once from the cause on is too late" }
    return "\(offset(lastChanceMS)), if the link and the service had worked from then on"
  }

  /// The forks whose share differs from that of both neighbours, and the ends.
  private var shownForks: [Inevitability.Fork] {
    forks.indices.filter { index in
      index == 0 || index == forks.count - 1 || forks[index].share != forks[index - 1].share
        || forks[index].share != forks[index + 1].share
    }
    .map { forks[$0] }
  }

  private func row(_ name: String, _ fact: String, _ place: Inevitability.LogPlace) -> [String] {
    let head = "  " + name + String(repeating: " ", count: max(1, 11 - name.count))
    return [
      head + fact, "             seq \(place.seq), \(offset(place.at)): \(words[place.seq] ?? "no line")",
    ]
  }

  private func share(_ fork: Inevitability.Fork) -> String {
    let interval = Self.interval(ended: fork.ended, count: fork.count)
    func rounded(_ value: Double) -> Int { Int((value * 100).rounded()) }
    return "\(fork.ended) of \(fork.count) futures (\(rounded(interval.lowerBound))–\(rounded(interval.upperBound)) %)"
  }

  private func percent(_ fork: Inevitability.Fork) -> String { "\(Int((fork.share * 100).rounded())) %" }

  private func offset(_ time: Int64) -> String { Words.offset(time - startMS) }

  /// The verdict as an object on one line.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("path", path)
      json.member("outcome", outcome.words)
      json.member("outcomeMS", symptomMS - startMS)
      json.member("outcomeSeq", symptom.seq)
      json.key("cause")
      if let cause { write(cause, to: &json) } else { json.null() }
      json.key("before")
      if let before { write(before, to: &json) } else { json.null() }
      json.member("lastChanceMS", lastChanceMS.map { $0 - startMS })
      json.key("without")
      json.array { json in
        for omission in omissions {
          json.object { json in
            json.member("seq", omission.place.seq)
            json.member("words", words[omission.place.seq])
            json.member("ended", omission.ended)
            json.member("futures", omission.count)
          }
        }
      }
      json.member("settingsLeftOut", omissionTrials)
      json.key("forks")
      json.array { json in for fork in forks { write(fork, to: &json) } }
    }
    return json.withBytes { String(decoding: $0, as: UTF8.self) } + "\n"
  }

  private func write(_ fork: Inevitability.Fork, to json: inout JSONWriter) {
    json.object { json in
      json.member("seq", fork.place.seq)
      json.member("inputSeq", fork.input.seq)
      json.member("offsetMS", fork.place.at - startMS)
      json.member("input", words[fork.input.seq])
      json.member("ended", fork.ended)
      json.member("futures", fork.count)
      json.key("links")
      json.object { json in
        for (link, counts) in fork.byLink.sorted(by: { $0.key < $1.key }) {
          json.key(named: link)
          json.array { json in
            json.value(counts.ended)
            json.value(counts.count)
          }
        }
      }
      json.key("knownShare")
      if let known = fork.knownShare { json.decimal(Int64((known * 1000).rounded()), digits: 3) } else { json.null() }
    }
  }
}

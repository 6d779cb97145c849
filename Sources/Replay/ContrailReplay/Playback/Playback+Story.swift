import ContrailCore
package import ContrailWire

/// An explanation for a viewer: a title, and rows that name the lines they tell of.
package struct PlaybackStory: Sendable {
  package var title: String
  package var rows: [RequestStory.Row] = []

  mutating func add(_ name: String, _ text: String, seq: Int64? = nil) {
    rows.append(RequestStory.Row(name: name, text: text, seq: seq))
  }
}

extension Playback {
  /// Returns a description of a line, such as `history.changed 2h → 4h`; empty if there is no such line.
  package func words(of line: Int) -> String {
    guard let record = record(line) else { return "" }
    switch record.event {
    case .input(let input): return input.words(input.wordsLookBack ? state(after: line - 1) : State())
    case .decision(let decision): return "\(decision.kind.rawValue) \(decision.words.squeezed)"
    case .mark(let mark): return mark.words
    }
  }

  /// Returns why a request was sent and its outcome, or nil if the recording has no such request.
  ///
  /// - Complexity: That of replaying the recording up to the end of the request.
  package func story(ofRequest request: Int64) -> PlaybackStory? {
    do throws(RequestStoryError) {
      let story = try RequestStory(path: path, request: request, storage: storage)
      return PlaybackStory(title: story.title, rows: story.rows)
    } catch {
      switch error {
      case .noSuchRequest: return nil
      case .unreadable(let fault):
        guard isStarted(request) else { return nil }
        var story = PlaybackStory(title: "request \(request)")
        story.add("damaged", fault.reason)
        return story
      }
    }
  }

  /// Returns the lines that led to a line: the input that caused it, the request which that answers, and so on.
  package func story(ofLine line: Int) -> PlaybackStory {
    var story = PlaybackStory(title: words(of: line))
    guard columns.seq.indices.contains(line) else { return story }
    var at = line
    // Each step leads to an earlier line, so this ends.
    while story.rows.count < 32 {
      let (next, name) =
        columns.started[at] >= 0 ? (Int(columns.started[at]), "request") : (Int(columns.cause[at]), "because")
      guard next >= 0, next < at else { break }
      let rule = columns.rule[next]
      let isDecision = name == "request" && rule != LineColumns.none8
      story.add(name, words(of: next), seq: Int64(columns.seq[next]))
      if isDecision { story.add("rule", Self.text(ofRule: Int(rule))) }
      at = next
    }
    if story.rows.isEmpty { story.add("because", "it comes from the app or the device itself") }
    return story
  }

  private static func text(ofRule index: Int) -> String {
    let rule = Rule.allCases[index]
    return "\(rule.rawValue): \(rule.words)"
  }
}

extension Mark {
  /// The kind of the mark, with its contents.
  fileprivate var words: String {
    switch self {
    case .segmentOpened: Kind.segmentOpened.rawValue
    case .snapshotPart(let part): "\(Kind.snapshotPart.rawValue) \(part.words)"
    case .snapshotEnded: Kind.snapshotEnded.rawValue
    case .stateDigested(let digest): "\(Kind.stateDigested.rawValue) \(Words.digest(digest.combined))"
    case .logSynced: Kind.logSynced.rawValue
    }
  }
}

extension SnapshotPart {
  fileprivate var words: String {
    switch self {
    case .control: "settings and requests"
    case .reports(let scope, let reports): "\(scope.name), \(Words.count(reports.count, "report"))"
    case .pireps(let scope, let pireps): "\(scope.name), \(Words.count(pireps.count, "PIREP"))"
    case .traffic(let scope, let traffic): "\(scope.name), \(Words.count(traffic.count)) aircraft"
    case .polygons(let scope, let bytes), .weather(let scope, let bytes):
      "\(scope.name), \(Words.bytes(Int64(bytes.count)))"
    }
  }
}

extension PlaybackStory {
  /// Writes the story as an object, with lines instead of sequence numbers.
  package func write(to json: inout JSONWriter, _ playback: Playback) {
    json.object { json in writeMembers(to: &json, playback) }
  }

  func writeMembers(to json: inout JSONWriter, _ playback: Playback) {
    json.member("title", title)
    json.key("rows")
    json.array { json in
      for row in rows {
        json.object { json in
          json.member("name", row.name)
          json.member("text", row.text)
          json.key("line")
          if let seq = row.seq { json.value(playback.columns.line(of: seq)) } else { json.null() }
        }
      }
    }
  }
}

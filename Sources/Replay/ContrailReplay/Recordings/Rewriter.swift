package import ContrailCore
import ContrailLog
import ContrailWire

/// Rewrites a recording with the current engine's decisions; see ``Acceptance``.
struct Rewriter {
  /// The state with the recorded decisions.
  private(set) var recorded = State()
  /// The state with the new decisions.
  private(set) var now = State()
  private(set) var changes: [Acceptance.Change] = []
  private(set) var digestCount = 0
  private(set) var respelledCount = 0
  private(set) var bytes: [UInt8] = []

  private let path: String
  private let rules: [Rule]
  private var turn: Turn?
  private var nextSeq: Int64?
  /// The new `seq` of each line. A removed decision maps to the last line written in its place.
  private var newSeqs: [Int64: Int64] = [:]
  private var questions = (recorded: [Int64: Question](), now: [Int64: Question]())
  /// Requests that would now be sent or continue, and that need a recorded response.
  private var unanswered: [Int64: String] = [:]

  init(path: String, rules: [Rule]) {
    self.path = path
    self.rules = rules
  }

  /// A line of the original recording.
  private struct Line {
    var record: Record
    var file: String
    var line: Int
    var payload: [UInt8]
    /// The complete line without its line feed.
    var source: [UInt8]
    var hasCRC: Bool

    init(_ entry: RecordingReader.Entry) {
      record = entry.record
      file = entry.file
      line = entry.line
      payload = Array(entry.source.payload)
      source = Array(entry.source.bytes)
      hasCRC = entry.hasCRC
    }

    /// Replaces the payload. The line is then encoded from its parts.
    mutating func replace(payload: [UInt8]) {
      self.payload = payload
      source = []
    }
  }

  /// An input that was already rewritten, and the lines after it.
  private struct Turn {
    var input: Line
    var newSeq: Int64
    var expected: [Decision]
    var following: [Line] = []
  }

  /// The contents of a request. A response fits another request only if both are equal.
  private struct Question: Equatable {
    var scope: ScopeID
    var words: String
    private var asked: Decision

    /// Returns `nil` for a decision that sends no request.
    init?(_ decision: Decision) {
      scope = decision.scope
      words = decision.words
      // The rule isn't part of the request.
      switch decision {
      case .fetchStarted(var started):
        started.rule = .first
        started.cause = 0
        started.request = 0
        asked = .fetchStarted(started)
      case .uploadStarted(var started):
        started.cause = 0
        started.request = 0
        asked = .uploadStarted(started)
      case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched, .airportsRequested,
        .savingChanged:
        return nil
      }
    }

    static func == (a: Question, b: Question) -> Bool { a.asked == b.asked }
  }

  // MARK: Reading

  mutating func take(_ entry: RecordingReader.Entry) throws(AcceptanceRefusal) {
    let line = Line(entry)
    if nextSeq == nil { nextSeq = line.record.seq }
    guard case .input(let input) = line.record.event else {
      if turn == nil {
        try copy(line)
      } else {
        turn?.following.append(line)
      }
      return
    }
    try endTurn(mayBeCut: input.kind == .sessionStarted)
    try checkAnswer(input, line)
    let seq = write(line)
    recorded.evolve(line.record)
    now.evolve(Record(seq: seq, at: line.record.at, event: line.record.event))
    turn = Turn(input: line, newSeq: seq, expected: now.decide())
  }

  mutating func finish() throws(AcceptanceRefusal) {
    try endTurn(mayBeCut: true)
    try checkUnanswered()
  }

  private mutating func endTurn(mayBeCut: Bool) throws(AcceptanceRefusal) {
    guard let turn else { return }
    self.turn = nil
    var decisions: [(line: Line, decision: Decision)] = []
    for line in turn.following {
      if case .decision(let decision) = line.record.event { decisions.append((line, decision)) }
    }
    // The recorded decisions, with the new `seq` of their cause.
    let moved = decisions.map { $0.decision.caused(by: turn.newSeq, insteadOf: turn.input.record.seq) }
    let isCut = mayBeCut && moved.count < turn.expected.count && turn.expected.starts(with: moved)
    guard moved == turn.expected || isCut else {
      try change(turn, decisions, moved)
      return
    }
    for line in turn.following { try copy(line, moved: turn) }
  }

  /// Writes the new decisions of a turn and its marks.
  private mutating func change(
    _ turn: Turn, _ decisions: [(line: Line, decision: Decision)], _ moved: [Decision]
  ) throws(AcceptanceRefusal) {
    for pair in DecisionPairs(recorded: moved, now: turn.expected).differing {
      let line = pair.index.map { decisions[$0].line } ?? turn.input
      let (old, new): (Decision?, Decision?) =
        switch pair.difference {
        case .decision(let recorded, let now): (recorded, now)
        case .missing(let now): (nil, now)
        case .unexpected(let recorded): (recorded, nil)
        case .records, .control: (nil, nil)
        }
      guard [old?.rule, new?.rule].contains(where: { $0.map(rules.contains) ?? false }) else {
        throw .otherRule(
          file: line.file, line: line.line, seq: line.record.seq, recorded: old, now: new, named: rules)
      }
      changes.append(.init(line: line.line, seq: line.record.seq, recorded: old, now: new))
      if case .fetchCancelled(let cancelled) = old, new?.kind != .fetchCancelled {
        unanswered[cancelled.request] = questions.now[cancelled.request]?.words ?? "request \(cancelled.request)"
      }
    }
    for (line, decision) in decisions {
      recorded.evolve(line.record)
      note(decision, in: &questions.recorded)
    }
    for decision in turn.expected {
      let event = Event.decision(decision)
      let seq = write(event.kind.rawValue, event.payload, at: turn.input.record.at, hasCRC: turn.input.hasCRC)
      now.evolve(Record(seq: seq, at: turn.input.record.at, event: event))
      note(decision, in: &questions.now)
      if let request = decision.startedRequest, questions.recorded[request] == nil {
        unanswered[request] = decision.words
      }
      if case .fetchCancelled(let cancelled) = decision { unanswered[cancelled.request] = nil }
    }
    // Sync marks follow complete turns. A mark for the last recorded line of a turn now refers to the last new line.
    for line in decisions.map(\.line) + [turn.input].filter({ _ in decisions.isEmpty }) {
      newSeqs[line.record.seq] = (nextSeq ?? 0) - 1
    }
    for line in turn.following where line.record.event.kind.role == .mark { try copy(line) }
  }

  private func note(_ decision: Decision, in questions: inout [Int64: Question]) {
    if let request = decision.startedRequest { questions[request] = Question(decision) }
  }

  // MARK: Responses

  private mutating func checkAnswer(_ input: Input, _ line: Line) throws(AcceptanceRefusal) {
    if input.kind == .sessionStarted { try checkUnanswered() }
    guard let request = input.answeredRequest else { return }
    unanswered[request] = nil
    let (then, now) = (questions.recorded[request], questions.now[request])
    if then == now || input.fitsAnyQuestion && then?.scope == now?.scope { return }
    throw .otherQuestion(
      file: line.file, line: line.line, seq: line.record.seq, request: request,
      recorded: then?.words ?? "no such request",
      now: now?.words ?? "no such request")
  }

  private func checkUnanswered() throws(AcceptanceRefusal) {
    guard let (request, words) = unanswered.min(by: { $0.key < $1.key }) else { return }
    throw .noAnswer(path: path, request: request, now: words)
  }

  // MARK: Writing

  /// Copies a line and adjusts numbers and digests.
  private mutating func copy(_ line: Line, moved turn: Turn? = nil) throws(AcceptanceRefusal) {
    var line = line
    recorded.evolve(line.record)
    switch line.record.event {
    case .input: break
    case .decision(let decision):
      note(decision, in: &questions.recorded)
      if let turn, turn.newSeq != turn.input.record.seq {
        let event = Event.decision(decision.caused(by: turn.newSeq, insteadOf: turn.input.record.seq))
        line.record.event = event
        line.replace(payload: event.payload)
      } else if line.hasCRC, line.payload != line.record.event.payload {
        respelledCount += 1
        line.replace(payload: line.record.event.payload)
      }
      note(decision, in: &questions.now)
    case .mark(.stateDigested(let digest)):
      let now = now.digest
      if now != digest {
        digestCount += 1
        line.replace(payload: Event.mark(.stateDigested(now)).payload)
      }
    case .mark(.logSynced): moveSyncMark(&line)
    case .mark(.snapshotPart), .mark(.snapshotEnded):
      guard changes.isEmpty else { throw .snapshotFollows(file: line.file, line: line.line) }
    case .mark(.segmentOpened): removeChain(&line)
    }
    let seq = write(line)
    now.evolve(Record(seq: seq, at: line.record.at, event: line.record.event))
  }

  private func moveSyncMark(_ line: inout Line) {
    let members = PayloadMembers.all(line.payload)
    guard let through = members.first(where: { $0.name == "through" }).flatMap({ Int64($0.value) }) else { return }
    let moved = newSeqs[through] ?? through
    if moved != through || members.count > 1 { line.replace(payload: Array("\"through\":\(moved)".utf8)) }
  }

  /// Removes the hash of the segment before: the hashes of a rewritten recording would be wrong.
  private func removeChain(_ line: inout Line) {
    let members = PayloadMembers.all(line.payload)
    guard members.contains(where: { $0.name == "previousChain" }) else { return }
    let kept = members.filter { $0.name != "previousChain" }.map { "\"\($0.name)\":\($0.value)" }
    line.replace(payload: Array(kept.joined(separator: ",").utf8))
  }

  /// Writes a line with the next `seq`. An unchanged line is copied byte for byte.
  private mutating func write(_ line: Line) -> Int64 {
    newSeqs[line.record.seq] = nextSeq ?? line.record.seq
    guard line.source.isEmpty || line.record.seq != nextSeq else {
      bytes += line.source
      bytes.append(UInt8(ascii: "\n"))
      nextSeq = line.record.seq + 1
      return line.record.seq
    }
    return write(line.record.event.kind.rawValue, line.payload, at: line.record.at, hasCRC: line.hasCRC)
  }

  private mutating func write(_ kind: String, _ payload: [UInt8], at: Int64, hasCRC: Bool) -> Int64 {
    let seq = nextSeq ?? 0
    LogEnvelope(seq: seq, at: at, kind: kind, payload: payload).append(to: &bytes, hasCRC: hasCRC)
    nextSeq = seq + 1
    return seq
  }
}

extension Input {
  /// Whether the result contains no data, so that it fits any request.
  fileprivate var fitsAnyQuestion: Bool {
    switch self {
    case .responseFailed: true
    case .responseReceived(let response): [401, 403, 408, 425, 429].contains(response.status) || response.status >= 500
    default: false
    }
  }
}

extension Decision {
  /// Returns the decision with a renumbered cause.
  package func caused(by new: Int64, insteadOf old: Int64) -> Decision {
    guard cause == old else { return self }
    switch self {
    case .fetchStarted(var it):
      it.cause = new
      return .fetchStarted(it)
    case .fetchCancelled(var it):
      it.cause = new
      return .fetchCancelled(it)
    case .queryRejected(var it):
      it.cause = new
      return .queryRejected(it)
    case .errorReported(var it):
      it.cause = new
      return .errorReported(it)
    case .uploadStarted(var it):
      it.cause = new
      return .uploadStarted(it)
    case .weatherExpired(var it):
      it.cause = new
      return .weatherExpired(it)
    case .airportsSwitched(var it):
      it.cause = new
      return .airportsSwitched(it)
    case .airportsRequested(var it):
      it.cause = new
      return .airportsRequested(it)
    case .savingChanged(var it):
      it.cause = new
      return .savingChanged(it)
    }
  }
}

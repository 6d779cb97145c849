package import ContrailCore
package import ContrailLog
import ContrailWire

/// An explanation of why a request was sent, and its outcome.
package struct RequestStory: Sendable {
  /// A line of the explanation.
  package struct Row: Sendable, Equatable {
    /// The subject of the line, such as `because`; empty if the same as the line before.
    package let name: String
    package let text: String
    /// The `seq` of the log line that it tells of.
    package let seq: Int64?
  }

  /// The decision that sent the request.
  package let started: Decision
  /// The request, its rule and its place in one line.
  package let title: String
  /// The explanation.
  package let rows: [Row]
  /// The parts that were skipped up to the end of the request.
  package let setAside: SetAside

  /// Reads a recording and explains a request.
  ///
  /// - Parameters:
  ///   - path: The path of the recording.
  ///   - request: The number of the request.
  ///   - storage: The file system.
  /// - Throws: ``RequestStoryError`` if the recording can't be read up to the end of the request, or has no such request.
  package init(path: String, request: Int64, storage: any LogStorage = SystemStorage()) throws(RequestStoryError) {
    var teller = Teller(request: request)
    do throws(UnreadableRecording) {
      let reader = try RecordingReader(path: path, storage: storage)
      while !teller.isOver, let entry = try reader.next() { teller.read(entry) }
      setAside = reader.setAside
    } catch {
      // Damage after the end of the request isn't read, so it doesn't matter.
      throw .unreadable(error)
    }
    guard let started = teller.started else {
      throw .noSuchRequest(request, requests: teller.requests, path: path, setAside: setAside)
    }
    self.started = started
    title = teller.title
    rows = teller.rows
  }

  /// The explanation as text, ending with a line feed.
  package var text: String {
    "\(title)\n" + rows.map { "  \($0.name.padded(to: 9)) \($0.text)\n" }.joined()
  }
}

/// The error thrown if a request can't be explained.
package enum RequestStoryError: Error, Sendable, CustomStringConvertible {
  case unreadable(UnreadableRecording)
  /// The part of the recording that was read contains no request with this number.
  case noSuchRequest(Int64, requests: ClosedRange<Int64>?, path: String, setAside: SetAside)

  package var description: String {
    switch self {
    case .unreadable(let fault): fault.description
    case .noSuchRequest(let request, nil, let path, _): "\(path) has no request \(request). It contains no requests."
    case .noSuchRequest(let request, let requests?, let path, _):
      "\(path) has no request \(request). It has requests \(requests.words)."
    }
  }
}

/// Replays a recording and collects the explanation of one request.
private struct Teller {
  let request: Int64
  private var replayer = Replayer()
  /// The requests so far, each with the input that caused it.
  private var links: [Int64: Link] = [:]
  private var input: InputLink?
  /// The state after the last input, from which all decisions up to the next input are derived.
  private var deciding = State()
  private(set) var started: Decision?
  private var startedAt: Int64 = 0
  /// The cause of the last held request, and the number of held requests with this cause: they share an exchange.
  private var holding: (cause: Int64, count: Int) = (-1, 0)
  private var isShared = false
  private(set) var title = ""
  private(set) var rows: [RequestStory.Row] = []
  private(set) var isOver = false
  private(set) var requests: ClosedRange<Int64>?

  init(request: Int64) { self.request = request }

  private struct Link {
    var words: String
    var seq: Int64
    var cause: InputLink?
  }

  private struct InputLink {
    var seq: Int64
    var at: Int64
    var words: String
    /// The request that the input responds to.
    var request: Int64?
  }

  mutating func read(_ entry: RecordingReader.Entry) {
    let record = entry.record
    switch record.event {
    case .input(let input):
      self.input = InputLink(
        seq: record.seq, at: record.at, words: input.words(replayer.state),
        request: input.answeredRequest)
      let before = replayer.state
      replayer.fold(entry)
      if started == nil { deciding = replayer.state }
      if let started { take(input, record, before, started) }
    case .decision(let decision):
      if let request = decision.startedRequest { begin(decision, request, record) }
      noteHold(decision)
      replayer.fold(entry)
      if case .fetchCancelled(let cancelled) = decision, cancelled.request == request, started != nil {
        cancel(cancelled, record)
      }
    case .mark: replayer.fold(entry)
    }
  }

  private var start: Int64 { replayer.statistics.firstAt ?? 0 }

  private mutating func add(_ name: String, _ words: String, seq: Int64? = nil) {
    rows.append(RequestStory.Row(name: name, text: words, seq: seq))
  }

  // MARK: Why

  private mutating func begin(_ decision: Decision, _ number: Int64, _ record: Record) {
    requests = requests.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
    links[number] = Link(words: decision.words, seq: record.seq, cause: input)
    guard number == request else { return }
    started = decision
    startedAt = record.at
    let place = "\(decision.scope.name), seq \(record.seq), \(Words.offset(record.at - start))"
    switch decision {
    case .fetchStarted(let started): tell(started, place)
    case .uploadStarted(let started):
      title = "request \(request): upload, \(place)"
      add("rule", "\(decision.rule.rawValue): \(decision.rule.words)")
      add("sent", "\(Words.count(started.count, "report")) with the key \(started.key)")
    case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched, .airportsRequested,
      .savingChanged:
      break
    }
    addChain()
    addNow(decision)
  }

  private mutating func tell(_ started: Decision.FetchStarted, _ place: String) {
    title = "request \(request): \(started.mode.rawValue) \(started.rule.rawValue), \(place)"
    add("rule", "\(started.rule.rawValue): \(started.rule.words)")
    add(
      "requested",
      SpecWords.words(
        types: started.types, severities: started.severities, altitudes: started.altitudes, history: started.history,
        areaDigest: started.areaDigest, weather: started.weather)
        + asked(started))
    if let hold = started.hold { add("hold", hold.words) }
    let state = replayer.state
    add("held", state.scope(started.scope).map { held($0, state) } ?? "nothing")
  }

  /// Counts the held requests of an exchange.
  private mutating func noteHold(_ decision: Decision) {
    guard decision.hold != nil else { return }
    holding = (decision.cause, decision.cause == holding.cause ? holding.count + 1 : 1)
    if holding.count > 1, started?.cause == decision.cause { isShared = true }
  }

  private func asked(_ started: Decision.FetchStarted) -> String {
    guard let since = started.since else { return ", all data" }
    return started.scope.hasDeltas ? ", since \(since)" : ", only if changed"
  }

  private func held(_ scope: Scope, _ state: State) -> String {
    guard let have = scope.have else { return "nothing" }
    let spec = have.spec == scope.want ? "as requested" : have.spec.words
    return "\(spec), \(scope.contents) as of \(Words.utc(have.watermark * 1000)), "
      + "\(Words.age(state.serverNow / 1000 - have.watermark)) old"
  }

  /// Adds the chain of causes, back to the first input that isn't a response.
  private mutating func addChain() {
    var name = "because"
    var link = links[request]
    var told = 0
    while let cause = link?.cause {
      guard told < 16 else {
        add("", "… (earlier causes omitted)")
        return
      }
      add(name, "seq \(cause.seq) \(cause.words), \(Words.offset(cause.at - start))", seq: cause.seq)
      name = ""
      told += 1
      link = cause.request.flatMap { links[$0] }
      if let answered = cause.request, let link {
        add("", "seq \(link.seq) request \(answered): \(link.words.squeezed)", seq: link.seq)
      }
    }
    if told == 0 { add(name, "no preceding input") }
  }

  /// Adds the engine's current decision after the same input.
  private mutating func addNow(_ decision: Decision) {
    let now = deciding.decide()
    if now.contains(decision) { return add("now", "the same") }
    let other =
      now.first { $0.kind == decision.kind && $0.scope == decision.scope } ?? now.first { $0.scope == decision.scope }
    add("now", other.map { Decision.words(recorded: decision, now: $0).now.squeezed } ?? "nothing")
  }

  // MARK: Outcome

  private mutating func take(_ input: Input, _ record: Record, _ before: State, _ started: Decision) {
    switch input {
    case .responseReceived(let response) where response.request == request:
      add(
        "response",
        "seq \(record.seq) \(response.words), after \(Words.lap(record.at - startedAt)), \(Words.offset(record.at - start))",
        seq: record.seq)
      addContents(response, started, after: record.at - startedAt)
      add("outcome", outcome(before, started))
      isOver = true
    case .responseFailed(request, let failure, _):
      add(
        "response", "none: seq \(record.seq) \(failure.rawValue) after \(Words.lap(record.at - startedAt))",
        seq: record.seq)
      if started.hold != nil { add("ended", "the held request was lost") }
      add("outcome", outcome(before, started))
      isOver = true
    case .sessionStarted:
      add("response", "none: seq \(record.seq) the engine was relaunched; the request is repeated", seq: record.seq)
      isOver = true
    default: break
    }
  }

  private mutating func addContents(_ response: Input.Response, _ started: Decision, after milliseconds: Int64) {
    let bytes = response.body.bytes
    guard response.status == 200, started.scope.hasDeltas else {
      let answer = started.scope == .outbox ? response.body.uploadAnswer(reportCount: ReportsUpload.maximumCount) : nil
      let words = answer.map { $0.heldBack.isEmpty ? "" : ": \($0.text)" } ?? ""
      if !bytes.isEmpty { add("body", Words.bytes(Int64(bytes.count)) + words) }
      return
    }
    do throws(WireError) {
      let answer = try ObservationsAnswer(reading: bytes)
      var parts = [Words.count(answer.reports.count, "report")]
      if !answer.pireps.isEmpty { parts.append(Words.count(answer.pireps.count, "PIREP")) }
      if let traffic = answer.traffic { parts.append("\(Words.count(traffic.count)) aircraft") }
      add(
        "body",
        "\(Words.bytes(Int64(bytes.count))): \(parts.joined(separator: ", ")), as of \(Words.utc(answer.token * 1000))")
      if let hold = started.hold, let since = answer.follows {
        add("ended", hold.ending(answer, since: since, after: milliseconds, isShared: isShared))
      }
    } catch {
      add("body", "\(Words.bytes(Int64(bytes.count))), not a valid response: \(error)")
    }
  }

  /// Returns the effect of the response on the scope.
  private func outcome(_ before: State, _ started: Decision) -> String {
    if started.scope == .outbox { return outcome(before.outbox) }
    let before = before.scope(started.scope)
    guard before?.inFlight?.request == request else { return "dropped: the request was no longer in flight" }
    guard let after = replayer.state.scope(started.scope) else { return "the scope is gone" }
    if let block = after.block { return "blocked: \(block.rawValue)" }
    if after.retry.failures > (before?.retry.failures ?? 0) {
      return
        "failed, \(Words.count(after.retry.failures, "time")) in a row; no retry before \(Words.offset(after.retry.notBefore - start))"
    }
    if let broken = after.have?.broken, broken != before?.have?.broken { return "\(broken.rawValue): \(broken.words)" }
    if let before, before.digest == after.digest, !after.id.hasDeltas {
      return "confirmed: \(after.contents) unchanged, digest \(Words.digest(after.digest))"
    }
    return "applied: \(after.contents) held, digest \(Words.digest(after.digest))"
  }

  /// Returns the effect of the response on the outbox.
  private func outcome(_ before: Outbox) -> String {
    guard before.upload?.request == request else { return "dropped: the request was no longer in flight" }
    let after = replayer.state.outbox
    if after.isBlocked { return "blocked: \(Scope.Block.unauthorized.rawValue)" }
    if after.retry.failures > before.retry.failures {
      return
        "failed, \(Words.count(after.retry.failures, "time")) in a row; no retry before \(Words.offset(after.retry.notBefore - start))"
    }
    if after.singles > before.singles { return "refused: the reports are resent one by one" }
    let rest = "\(Words.count(after.reports.count, "report")) left"
    if after.notices.contains(where: { $0.code == .reportRefused }) {
      return "refused: the report is discarded; \(rest)"
    }
    let held = after.heldBack.count
    return held == 0 ? "confirmed; \(rest)" : "confirmed; \(Words.count(held, "report")) kept from others; \(rest)"
  }

  private mutating func cancel(_ cancelled: Decision.FetchCancelled, _ record: Record) {
    add(
      "response", "none: seq \(record.seq) cancelled by \(cancelled.rule.rawValue): \(cancelled.rule.words)",
      seq: record.seq)
    if let input { add("", "seq \(input.seq) \(input.words)", seq: input.seq) }
    isOver = true
  }
}

extension Decision {
  /// The terms of a request that the server may hold.
  fileprivate var hold: HoldTerms? { if case .fetchStarted(let fetch) = self { fetch.hold } else { nil } }
}

extension Input {
  /// The request that the input responds to.
  var answeredRequest: Int64? {
    switch self {
    case .responseReceived(let response): response.request
    case .responseFailed(let request, _, _): request
    default: nil
    }
  }
}

extension ObservationsAnswer {
  init(reading bytes: [UInt8]) throws(WireError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(WireError) in
      try ObservationsAnswer(json: UnsafeRawBufferPointer(buffer))
    }
  }
}

extension Words {
  /// Returns a short duration as text: `812 ms`, `2.5 s`, `1m12s`.
  static func lap(_ milliseconds: Int64) -> String {
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    return milliseconds < 60_000 ? "\(decimal(milliseconds / 100, digits: 1)) s" : span(milliseconds)
  }
}

extension String {
  /// The string with each run of spaces replaced by one space.
  package var squeezed: String { split(separator: " ").joined(separator: " ") }
}

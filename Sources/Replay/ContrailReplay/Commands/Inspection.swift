package import ContrailCore
package import ContrailWire

/// The state of the engine at one time of a recording.
///
/// The state results from the recorded inputs and decisions, whatever the current engine would decide.
package struct Inspection: Sendable {
  /// The state after the last line at or before the time.
  package let state: State
  /// The `seq` of that line, or `nil` if the recording begins later.
  package let seq: Int64?
  /// The time in milliseconds since 1970: that of the line, or the later requested time.
  package let at: Int64
  /// The time of the recording's first line, in milliseconds since 1970.
  package let start: Int64

  /// The last report of the own aircraft; nil before the first.
  package private(set) var lastOwnReport: TurbulenceReport?
  /// The parts that were skipped up to that line.
  package private(set) var setAside = SetAside()

  /// Whether the recording ends before the requested time.
  package private(set) var isBeyondEnd = false

  private let path: String

  /// Replays a recording up to a time.
  ///
  /// - Parameters:
  ///   - path: The path of the recording.
  ///   - moment: The time, or `nil` for the end of the recording.
  /// - Throws: ``UnreadableRecording`` if the recording can't be read that far.
  package init(path: String, at moment: TimelinePosition?) throws(UnreadableRecording) {
    let reader = try RecordingReader(path: path)
    var replayer = Replayer()
    var seq: Int64?
    var own: TurbulenceReport?
    var isEnded = true
    while let entry = try reader.next() {
      guard !replayer.isBeyond(moment, seq: entry.record.seq, at: entry.record.at) else {
        isEnded = false
        break
      }
      replayer.fold(entry)
      seq = entry.record.seq
      if case .input(.reportTracked(let report)) = entry.record.event { own = report }
    }
    self.init(replayer.state, path: path, seq: seq, at: moment, start: replayer.statistics.firstAt ?? 0)
    setAside = reader.setAside
    lastOwnReport = own
    switch moment {
    case .seq(let limit): isBeyondEnd = limit > seq ?? -1 && isEnded
    case .offset, .time: isBeyondEnd = at > state.now && isEnded
    case nil: break
    }
  }

  init(_ state: State, path: String, seq: Int64?, at moment: TimelinePosition?, start: Int64) {
    self.state = state
    self.path = path
    self.seq = seq
    self.start = start
    at =
      switch moment {
      case .offset(let offset): max(state.now, start + offset)
      case .time(let time): max(state.now, time)
      case .seq, nil: state.now
      }
  }

  /// A line of the inspection.
  typealias Field = (name: String, words: String)

  /// Says that the recording ends before the requested time; nil if it doesn't.
  package var endNote: String? {
    guard isBeyondEnd, let seq else { return nil }
    let aged = at > state.now ? ", aged to the given time" : ""
    return
      "The recording ends at seq \(seq), \(Words.offset(state.now - start)): what follows is the state then\(aged)."
  }

  /// The inspection as text, ending with a line feed.
  package var text: String {
    guard let seq else { return "\(path): no line was written by then\n" }
    var lines = ["\(path) at seq \(seq), \(Words.offset(at - start)), \(Words.utc(at))"]
    if let endNote { lines.append("  \(endNote)") }
    lines += general.map { "  \($0.name.padded(to: 10)) \($0.words)" }
    for scope in state.scopes {
      lines.append(scope.id.name)
      lines += fields(scope).map { "  \($0.name.padded(to: 10)) \($0.words)" }
    }
    if state.outbox.trackedCount > 0 {
      lines.append("outbox")
      lines += outboxFields.map { "  \($0.name.padded(to: 10)) \($0.words)" }
    }
    if !state.airports.isEmpty {
      lines.append("airports")
      lines += airportsFields.map { "  \($0.name.padded(to: 10)) \($0.words)" }
    }
    if state.scopes.isEmpty { lines.append("no data is wanted or held") }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Fields

  /// The fields that don't concern a scope.
  var general: [Field] {
    var fields: [Field] = []
    if let session = state.session {
      fields.append(("session", "\(session.id), engine \(session.engine), seed \(session.seed)"))
    }
    let clock = state.serverOffsetMS.map { "; the server's clock is \(Words.lead($0))" } ?? ""
    fields.append(("link", (state.isOnline ? "online" : "offline") + clock))
    fields.append(("query", state.query.words))
    fields.append(("history", state.history.words))
    let interval = state.frequency.intervalMS.map { ": every \($0 / 60_000) min" } ?? ": only on request"
    fields.append(("frequency", state.frequency.rawValue + interval))
    if let wake = state.nextWake {
      fields.append(("timer", "for \(wake.scope.name) at \(Words.offset(wake.at - start))"))
    }
    if state.droppedAnswers > 0 {
      fields.append(("dropped", "\(Words.count(state.droppedAnswers, "response")) without a request in flight"))
    }
    return fields
  }

  /// Returns the fields of one scope.
  func fields(_ scope: Scope) -> [Field] {
    var fields: [Field] = [("wanted", scope.want?.words ?? "nothing"), ("held", holds(scope))]
    if let have = scope.have {
      let age = (at + (state.serverOffsetMS ?? 0)) / 1000 - have.watermark
      fields.append(("as of", "\(Words.utc(have.watermark * 1000)), \(Words.age(age)) old"))
      fields.append(("spec", have.spec == scope.want ? "as wanted" : have.spec.words))
      if let expiresAt = scope.expiresAt {
        let isExpired = scope.isExpired || at >= expiresAt
        fields.append((isExpired ? "expired" : "expires", "at \(Words.offset(expiresAt - start))"))
      }
      // An area's data is older than any record that it may contain.
      if scope.id.hasDeltas, age >= have.spec.history.seconds {
        let expiresAt = (have.watermark + have.spec.history.seconds) * 1000 - (state.serverOffsetMS ?? 0)
        fields.append(("expired", "at \(Words.offset(expiresAt - start)), older than \(have.spec.history.words)"))
      }
      if let broken = have.broken { fields.append(("broken", "\(broken.rawValue): \(broken.words)")) }
    }
    if let inFlight = scope.inFlight {
      let since = inFlight.since.map { " since \($0)" } ?? ""
      let spec = inFlight.spec == scope.want ? "as wanted" : inFlight.spec.words
      fields.append(
        (
          "in flight",
          "request \(inFlight.request), \(inFlight.mode.rawValue)\(since), \(inFlight.rule.rawValue), "
            + "sent at \(Words.offset(scope.retry.lastAttemptAt - start)), spec \(spec)"
        ))
      if let hold = inFlight.hold { fields.append(("hold", hold.terms.words)) }
    }
    if scope.pendingRefresh != .none { fields.append(("requested", "a \(scope.pendingRefresh.rawValue) update")) }
    fields += trouble(scope)
    let plan = state.plan(scope.id)
    fields.append(("rule", "\(plan.rule.rawValue): \(plan.rule.words)"))
    return fields
  }

  /// The fields that describe the aircraft's own reports.
  var outboxFields: [Field] {
    let outbox = state.outbox
    var fields: [Field] = [
      ("held", "\(Words.count(outbox.reports.count, "report")) of \(Words.count(outbox.trackedCount)) tracked")
    ]
    if let upload = outbox.upload {
      let request = upload.request.map { "request \($0)" } ?? "to be resent"
      fields.append(("upload", "\(Words.count(upload.count, "report")), key \(upload.key), \(request)"))
    }
    if outbox.retry.failures > 0 { fields.append(("failed", "\(Words.count(outbox.retry.failures, "time")) in a row")) }
    if outbox.retry.notBefore > at { fields.append(("waits", "until \(Words.offset(outbox.retry.notBefore - start))")) }
    if outbox.isBlocked { fields.append(("blocked", Scope.Block.unauthorized.rawValue)) }
    let rule = state.uploadPlan.rule
    fields.append(("rule", "\(rule.rawValue): \(rule.words)"))
    return fields
  }

  private func holds(_ scope: Scope) -> String {
    guard scope.have != nil else { return "nothing" }
    var parts: [String] = []
    if scope.id.hasDeltas {
      parts.append(Words.count(scope.reports.count, "report"))
      if scope.pireps.count > 0 { parts.append(Words.count(scope.pireps.count, "PIREP")) }
      if !scope.traffic.isEmpty { parts.append("\(Words.count(scope.traffic.count)) aircraft") }
    } else {
      parts.append(scope.contents)
    }
    return parts.joined(separator: ", ") + "; digest \(Words.digest(scope.digest))"
  }

  /// The fields that describe current problems.
  private func trouble(_ scope: Scope) -> [Field] {
    var fields: [Field] = []
    if scope.retry.failures > 0 { fields.append(("failed", "\(Words.count(scope.retry.failures, "time")) in a row")) }
    if scope.retry.notBefore > at {
      let asked = scope.retry.requestedUntil >= scope.retry.notBefore ? ", requested by the server" : ""
      fields.append(("waits", "until \(Words.offset(scope.retry.notBefore - start))\(asked)"))
    }
    if let block = scope.block { fields.append(("blocked", block.rawValue)) }
    if let full = scope.lastFull, full.repeats > 1 {
      fields.append(("repeats", "\(full.repeats) full responses in a row by \(full.rule.rawValue), not verified"))
    }
    return fields
  }
}

extension Words {
  /// Returns the offset of one clock from another: `300 ms ahead`, `2 s behind`, `the same`.
  static func lead(_ milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "the same" }
    let size = milliseconds.magnitude
    let text = size < 1000 ? "\(size) ms" : "\(decimal(Int64(clamping: size), digits: 3)) s"
    return text + (milliseconds > 0 ? " ahead" : " behind")
  }

  /// Returns an age in seconds as text.
  static func age(_ seconds: Int64) -> String { seconds < 0 ? "\(seconds) s" : span(seconds * 1000) }
}

extension Scope {
  /// A short summary of the held data: the number of records, or the size of a document.
  var contents: String {
    switch id {
    case .global: "polygons, \(Words.bytes(Int64(polygons.count)))"
    case .weather: "weather, \(Words.bytes(Int64(weather.count)))"
    default: Words.count(recordCount, "record")
    }
  }
}

import ContrailCore
import ContrailReplay
import ContrailWire

/// Makes the events of a timeline from turns and the states after them.
struct FlightTimeline: Sendable {
  /// The open slices: at most one on a lane.
  private var open: [FlightEvent.Lane: FlightEvent.Slice] = [:]
  private var isOnline: Bool?
  private var bytesDown: Int64 = 0
  private var bytesUp: Int64 = 0
  /// The watermarks and counts that were told last.
  private var told: [ScopeID: Told] = [:]
  private var last: Int64?
  /// The time up to which ages were told.
  private var sampledAt: Int64?
  private var offsetMS: Int64 = 0
  private var events: [FlightEvent] = []

  private struct Told: Sendable {
    var watermark: Int64?
    var count: Int64
  }

  /// The least time between samples of an age, in milliseconds, and their maximum number between two lines.
  private static let sampleMS: Int64 = 60_000
  private static let maximumSamples: Int64 = 240

  /// Returns the events of a turn.
  ///
  /// - Parameters:
  ///   - records: The lines, an input or a mark first.
  ///   - words: The descriptions of the lines.
  ///   - state: The state after them.
  mutating func events(of records: [Record], words: [String], _ state: State) -> [FlightEvent] {
    defer { events = [] }
    guard let first = records.first else { return [] }
    sampleAges(until: first.at)
    last = records.last?.at ?? first.at
    for (record, words) in zip(records, words) {
      switch record.event {
      case .input(let input): add(input, words, record, decisions: records.dropFirst())
      case .decision(let decision): add(decision, words, record, after: records.first)
      case .mark: break
      }
    }
    tellLink(state, records[records.count - 1])
    tellHeld(state, at: records[records.count - 1].at)
    return events
  }

  /// Ends the open slices at the last line.
  mutating func finish() -> [FlightEvent] {
    guard let last else { return [] }
    events = []
    for lane in open.keys.sorted(by: { $0.name < $1.name }) { end(lane, .init(endMS: last, word: "open")) }
    return events
  }

  private mutating func add(_ content: FlightEvent.Content, at time: Int64) {
    events.append(FlightEvent(at: time, content: content))
  }

  // MARK: Lines

  private mutating func add(_ input: Input, _ words: String, _ record: Record, decisions: ArraySlice<Record>) {
    let moment = FlightEvent.Moment(
      seq: record.seq, kind: input.kind.rawValue, words: words, lane: .inputs, cause: nil)
    var ended: Int64?
    if case .sessionStarted(let session) = input {
      for lane in open.keys.sorted(by: { $0.name < $1.name }) {
        end(lane, .init(endMS: record.at, word: "relaunched"))
      }
      isOnline = nil
      var slice = FlightEvent.Slice(
        lane: .sessions, name: "session", seq: record.seq, startMS: record.at)
      slice.facts = [.init("id", session.id), .init("engine", session.engine)]
      begin(slice)
    }
    switch input {
    case .responseReceived(let response):
      count(down: response.wireBytes, up: response.sent?.total ?? 0, at: record.at)
      let isError = response.status >= 400
      ended = end(
        request: response.request,
        .init(
          endMS: record.at, word: isError ? "refused" : "answered", isError: isError, status: response.status,
          downBytes: response.wireBytes, upBytes: response.sent?.total, facts: facts(of: response)))
    case .responseFailed(let request, let failure, let sent):
      count(down: 0, up: sent?.total ?? 0, at: record.at)
      ended = end(
        request: request,
        .init(
          endMS: record.at, word: "failed", isError: true, upBytes: sent?.total,
          facts: [.init("failure", failure.rawValue)]))
    case .weatherReceived(let received): count(down: received.wireBytes, up: 0, at: record.at)
    case .airportsDownloaded(let file): count(down: file.wireBytes, up: 0, at: record.at)
    default: break
    }
    let caused = decisions.compactMap { line -> Int64? in
      guard case .decision(let decision) = line.event, decision.cause == record.seq else { return nil }
      return line.seq
    }
    add(.input(moment, decisions: caused, endedRequest: ended), at: record.at)
  }

  private func facts(of response: Input.Response) -> [FlightEvent.Fact] {
    var facts: [FlightEvent.Fact] = []
    if let retry = response.retryAfterSeconds { facts.append(.init("retry after s", retry)) }
    if let form = response.form { facts.append(.init("form", form.rawValue)) }
    if let answer = response.observations {
      facts.append(.init("reports", Int64(answer.reports.count)))
      facts.append(.init("pireps", Int64(answer.pireps.count)))
      if let traffic = answer.traffic { facts.append(.init("traffic", Int64(traffic.count))) }
      facts.append(.init("watermark", answer.token))
    }
    return facts
  }

  private mutating func add(_ decision: Decision, _ words: String, _ record: Record, after first: Record?) {
    let lane = FlightEvent.Lane.scope(decision.scope)
    if case .fetchCancelled(let cancelled) = decision {
      _ = end(
        request: cancelled.request,
        .init(endMS: record.at, word: "cancelled", facts: [.init("cancelled by", cancelled.rule.rawValue)]))
    }
    guard let request = decision.startedRequest else {
      let moment = FlightEvent.Moment(
        seq: record.seq, kind: decision.kind.rawValue, words: words, lane: lane, cause: decision.cause)
      return add(.decision(moment), at: record.at)
    }
    var mode = "upload"
    var slice: FlightEvent.Slice
    if case .fetchStarted(let started) = decision {
      mode = started.mode.rawValue
      slice = FlightEvent.Slice(
        lane: lane, name: "\(mode) \(started.rule.rawValue)", seq: record.seq, startMS: record.at)
      slice.holdSeconds = started.hold?.seconds
      if let since = started.since { slice.facts.append(.init("since", since)) }
      if started.handle != nil { slice.facts.append(.init("area", "by handle")) }
    } else {
      slice = FlightEvent.Slice(lane: lane, name: mode, seq: record.seq, startMS: record.at)
      if case .uploadStarted(let upload) = decision { slice.facts.append(.init("reports", upload.count)) }
    }
    slice.request = request
    slice.mode = mode
    slice.rule = decision.rule
    slice.cause = decision.cause
    if let first, first.seq == decision.cause {
      switch first.event {
      case .input(.responseReceived(let response)): slice.causingRequest = response.request
      case .input(.responseFailed(let request, _, _)): slice.causingRequest = request
      default: break
      }
    }
    begin(slice)
  }

  // MARK: Slices

  private mutating func begin(_ slice: FlightEvent.Slice) {
    // A damaged or handwritten log may start a request before the last one has ended.
    end(slice.lane, .init(endMS: slice.startMS, word: "superseded"))
    open[slice.lane] = slice
    add(.began(slice), at: slice.startMS)
  }

  private mutating func end(_ lane: FlightEvent.Lane, _ outcome: FlightEvent.Slice.Outcome) {
    guard var slice = open.removeValue(forKey: lane) else { return }
    slice.outcome = outcome
    add(.ended(slice), at: outcome.endMS)
  }

  /// Ends the slice of a request, and returns the request if it was open.
  private mutating func end(request: Int64, _ outcome: FlightEvent.Slice.Outcome) -> Int64? {
    guard let lane = open.first(where: { $0.value.request == request })?.key else { return nil }
    end(lane, outcome)
    return request
  }

  private mutating func tellLink(_ state: State, _ record: Record) {
    guard state.session != nil, state.isOnline != isOnline else { return }
    isOnline = state.isOnline
    begin(
      FlightEvent.Slice(
        lane: .link, name: state.isOnline ? "online" : "offline", seq: record.seq, startMS: record.at))
  }

  // MARK: Counters

  private mutating func count(down: Int64, up: Int64, at time: Int64) {
    if down > 0 {
      bytesDown = bytesDown.addingReportingOverflow(down).partialValue
      add(.counted(.bytesDown, bytesDown), at: time)
    }
    if up > 0 {
      bytesUp = bytesUp.addingReportingOverflow(up).partialValue
      add(.counted(.bytesUp, bytesUp), at: time)
    }
  }

  private mutating func tellHeld(_ state: State, at time: Int64) {
    offsetMS = state.serverOffsetMS ?? 0
    for scope in state.scopes {
      let count = scope.id.hasDeltas ? Int64(scope.recordCount) : scope.have == nil ? 0 : 1
      let now = Told(watermark: scope.have?.watermark, count: count)
      let before = told[scope.id]
      if now.count != before?.count ?? 0 { add(.counted(.held(scope.id), now.count), at: time) }
      if let watermark = now.watermark, watermark != before?.watermark {
        add(.counted(.age(scope.id), age(of: watermark, at: time)), at: time)
      }
      told[scope.id] = now
    }
    for id in told.keys.sorted() where state.scope(id) == nil {
      if told[id]?.count != 0 { add(.counted(.held(id), 0), at: time) }
      told[id] = nil
    }
  }

  private func age(of watermark: Int64, at time: Int64) -> Int64 { max((time + offsetMS) / 1000 - watermark, 0) }

  /// Tells the ages from the last time up to that of the next line.
  private mutating func sampleAges(until time: Int64) {
    let from = sampledAt ?? time
    sampledAt = from
    let count = min((time - from) / Self.sampleMS, Self.maximumSamples)
    guard count > 0 else { return }
    sampledAt = time
    let ids = told.keys.filter { told[$0]?.watermark != nil }.sorted()
    for index in 1...count {
      let sample = from + (time - from) / count * index
      for id in ids {
        guard let watermark = told[id]?.watermark else { continue }
        add(.counted(.age(id), age(of: watermark, at: sample)), at: sample)
      }
    }
  }
}

extension Input.Response {
  /// The records of the answer; nil if it has another body, or none that can be read.
  var observations: ObservationsAnswer? { status == 200 ? try? body.observations() : nil }
}

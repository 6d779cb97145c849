import ContrailCore
import ContrailGeodesy
import ContrailReplay
import ContrailWire

/// The maps from the original to the redacted log, and both states.
struct Redactor {
  var rotation: SphereRotation
  /// The number of seconds that are added to each time.
  private(set) var shiftSeconds: Int64
  private(set) var report = RedactionReport()
  /// The `seq` of the first input after which the redacted log decides something else.
  private(set) var difference: Int64?

  private var before = State()
  private var after = State()
  var areas: [UInt64: UInt64] = [0: 0]
  private var names: [String: String] = [:]
  private var nameCounts: [String: Int] = [:]
  private var requests: [Int64: ScopeID] = [:]
  /// The places of weather scopes, whose names determine the delays after failures.
  private var places: [RoundedCoordinate: RoundedCoordinate] = [:]

  init(_ secret: RedactionSecret, attempt: Int, of draft: LogDraft) {
    rotation = SphereRotation(secret)
    // The dates of AIRAC cycles are public, and the engine compares them with the time.
    let hasAirports = draft.turns.contains { $0.input?.isAboutAirports ?? false } || !draft.startState.airports.isEmpty
    let firstAt = (draft.start.isEmpty ? draft.turns.first?.at : draft.startAt) ?? 0
    let firstDay = firstAt / 86_400_000
    // Any day of the forty years from 1975 on: a time may go back a few hours before the first line.
    let day = 1_826 + Int64(secret.word(3) % 14_610)
    shiftSeconds = hasAirports ? 0 : (day - firstDay) * 86_400
    report.shiftsDays = !hasAirports
    places = WeatherPlaces(of: draft).moved(by: rotation, attempt: attempt)
  }

  // MARK: The log

  /// Returns the redacted log. ``difference`` says whether it decides the same.
  mutating func redacted(_ original: LogDraft) -> LogDraft {
    var draft = original
    report.hasSnapshot = !original.start.isEmpty
    draft.start = original.start.map { redacted($0) }
    draft.startAt = original.startAt + shiftMS
    before = original.startState
    after = draft.startState
    learnAreas()
    for index in draft.turns.indices {
      draft.turns[index] = redacted(original.turns[index])
      if difference != nil { break }
    }
    report.movedCells = rotation.movedCount
    return draft
  }

  private mutating func redacted(_ turn: LogDraft.Turn) -> LogDraft.Turn {
    var redacted = turn
    redacted.at = turn.at + shiftMS
    // Whether the engine of today decides what was recorded.
    var due: (then: [Decision], now: [Decision])?
    var rest = 0
    for (index, event) in turn.events.enumerated() {
      switch event {
      case .input(let input):
        let held = HeldSums(before)
        before.evolve(.init(seq: turn.seq, at: turn.at, event: event))
        let moved = self.redacted(input, at: redacted.at, seq: turn.seq, held: held)
        redacted.events[index] = .input(moved)
        after.evolve(.init(seq: turn.seq, at: redacted.at, event: .input(moved)))
        learnAreas()
        due = (before.decide(), after.decide())
        if let due { check(due.then.map { self.redacted($0) }, due.now, turn) }
      case .decision(let decision):
        let moved = self.redacted(decision)
        rest += 1
        if let request = decision.startedRequest { requests[request] = decision.scope }
        redacted.events[index] = .decision(moved)
        before.evolve(.init(seq: turn.seq + Int64(rest), at: turn.at, event: event))
        after.evolve(.init(seq: turn.seq + Int64(rest), at: redacted.at, event: .decision(moved)))
      case .mark(.stateDigested(let digest)):
        // A digest that was wrong stays wrong.
        let isRight = before.digest == digest
        var now = after.digest
        if !isRight { now.control = ~now.control }
        redacted.events[index] = .mark(.stateDigested(now))
      case .mark: break
      }
    }
    return redacted
  }

  private mutating func check(_ expected: [Decision], _ now: [Decision], _ turn: LogDraft.Turn) {
    if expected != now, difference == nil { difference = turn.seq }
  }

  /// Learns the digests of areas by comparing the scopes of both states, which are the same ones.
  private mutating func learnAreas() {
    for scope in before.scopes {
      guard let twin = after.scope(self.redacted(scope.id)) else { continue }
      for (old, new) in [
        (scope.want, twin.want), (scope.have?.spec, twin.have?.spec), (scope.inFlight?.spec, twin.inFlight?.spec),
      ] {
        if let old, let new { areas[old.areaDigest] = new.areaDigest }
      }
    }
  }

  // MARK: Values

  var shiftMS: Int64 { shiftSeconds * 1000 }

  private mutating func name(_ text: String, _ kind: String) -> String {
    let key = "\(kind) \(text)"
    if let known = names[key] { return known }
    let count = nameCounts[kind, default: 0] + 1
    nameCounts[kind] = count
    names[key] = "\(kind)\(count)"
    return "\(kind)\(count)"
  }

  mutating func etag(_ etag: String) -> String { "\"\(name(etag, "e"))\"" }
  mutating func handle(_ handle: String) -> String { name(handle, "h") }
  mutating func identifier(_ id: String) -> String { name(id, "r") }
  mutating func callSign(_ text: String) -> String { text.isEmpty ? "" : name(text, "F") }

  mutating func session(_ session: Input.Session) -> Input.Session {
    var session = session
    session.id = name(session.id, "s")
    report.sessions = nameCounts["s"] ?? 0
    // A version has no spaces; anything else is free text.
    session.engine = String(session.engine.prefix(32).filter { $0.isNumber || $0 == "." })
    return session
  }

  /// An upload's key starts with the session that sent it first.
  mutating func key(_ key: String) -> String {
    let parts = key.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.suffix(2).allSatisfy({ Int64($0) != nil }) else { return name(key, "k") }
    let id = parts.dropLast(2).joined(separator: "-")
    return "\(name(id, "s"))-\(parts.suffix(2).joined(separator: "-"))"
  }

  mutating func moved(_ points: ResolvedQuery.Points?) -> ResolvedQuery.Points? {
    report.points += points?.count ?? 0
    return points.map { $0.map { $0.map { rotation.moved($0) } } }
  }

  mutating func moved(_ report: TurbulenceReport) -> TurbulenceReport {
    self.report.reports += 1
    return rotation.moved(report, bySeconds: shiftSeconds)
  }

  func moved(_ place: RoundedCoordinate) -> RoundedCoordinate {
    places[place] ?? RoundedCoordinate(rounding: rotation.moved(place.coordinate)) ?? place
  }

  func redacted(_ id: ScopeID) -> ScopeID {
    if case .weather(let place) = id { .weather(moved(place)) } else { id }
  }

  mutating func moved(_ pirep: PIREP) -> PIREP {
    report.pireps += 1
    return PIREP(
      id: identifier(pirep.id), position: rotation.moved(pirep.position), flightLevel: pirep.flightLevel,
      severity: pirep.severity, isUrgent: pirep.isUrgent, observedAt: pirep.observedAt + shiftSeconds,
      updatedAt: pirep.updatedAt + shiftSeconds, text: "")
  }

  mutating func moved(_ aircraft: TrafficPosition) -> TrafficPosition {
    report.aircraft += 1
    return TrafficPosition(
      id: name(aircraft.id, "a"), callsign: callSign(aircraft.callsign), position: rotation.moved(aircraft.position),
      altitudeFeet: aircraft.altitudeFeet, groundSpeedKnots: aircraft.groundSpeedKnots, trackDegrees: nil,
      observedAt: aircraft.observedAt + shiftSeconds)
  }

  // MARK: Decisions

  mutating func redacted(_ decision: Decision) -> Decision {
    switch decision {
    case .fetchStarted(var it):
      it.scope = redacted(it.scope)
      it.since = it.since.map { $0 + shiftSeconds }
      if let name = it.handle { it.handle = handle(name) }
      it.areaDigest = areas[it.areaDigest] ?? 0
      return .fetchStarted(it)
    case .fetchCancelled(var it):
      it.scope = redacted(it.scope)
      return .fetchCancelled(it)
    case .queryRejected: return decision
    case .errorReported(var it):
      it.scope = redacted(it.scope)
      return .errorReported(it)
    case .uploadStarted(var it):
      it.key = key(it.key)
      return .uploadStarted(it)
    case .weatherExpired(var it):
      it.scope = redacted(it.scope)
      it.since += shiftMS
      return .weatherExpired(it)
    case .airportsSwitched, .airportsRequested: return decision
    }
  }

  // MARK: Inputs

  /// What each scope held before an answer.
  struct HeldSums {
    let scopes: [Scope]

    init(_ state: State) { scopes = state.scopes }
  }

  private mutating func redacted(_ input: Input, at: Int64, seq: Int64, held: HeldSums) -> Input {
    switch input {
    case .sessionStarted(let session): return .sessionStarted(self.session(session))
    case .queryChanged(let query): return .queryChanged(redacted(query, at: at, seq: seq))
    case .clockTicked(let scope, let due): return .clockTicked(scope: redacted(scope), due: due + shiftMS)
    case .responseReceived(let response): return .responseReceived(redacted(response, at: at, seq: seq, held))
    case .reportTracked(let report): return .reportTracked(moved(report))
    case .weatherReceived(let received):
      report.documents += 1
      var lookup = received.lookup
      lookup.place = moved(lookup.place)
      return .weatherReceived(
        .init(lookup: lookup, status: received.status, wireBytes: received.wireBytes, body: .inline(Array("{}".utf8))))
    case .weatherFailed(var lookup, let failure):
      lookup.place = moved(lookup.place)
      return .weatherFailed(lookup, failure: failure)
    case .historyChanged, .frequencyChanged, .refreshRequested, .connectivityChanged, .credentialsChanged,
      .clockAdjusted, .responseFailed, .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred,
      .airportsFailed, .airportsDelivery:
      return input
    }
  }

  private mutating func redacted(_ query: ResolvedQuery, at: Int64, seq: Int64) -> ResolvedQuery {
    func rejections(_ state: State) -> [String] {
      state.decide().compactMap { decision in
        guard case .queryRejected(let it) = decision else { return nil }
        return "\(it.scope.name) \(it.reason) \(it.place)"
      }
    }
    var query = query
    query.weather.places = query.weather.places.map { moved($0) }
    var turned = query
    query.polygon = moved(query.polygon)
    query.viewport = moved(query.viewport)
    query.route = moved(query.route)
    query.corridor = moved(query.corridor)
    var trial = after
    trial.evolve(.init(seq: seq, at: at, event: .input(.queryChanged(query))))
    guard rejections(trial) != rejections(before) else { return query }
    // An area that is rejected for its exact shape, such as an edge of 180 degrees: only a rotation about the axis of
    // the earth keeps it.
    for keyPath in [\ResolvedQuery.polygon, \.viewport, \.route, \.corridor] {
      turned[keyPath: keyPath] = turned[keyPath: keyPath].map { $0.map { $0.map { rotation.turned($0) } } }
    }
    report.turnedAreas += 1
    return turned
  }

  private mutating func redacted(
    _ response: Input.Response, at: Int64, seq: Int64, _ held: HeldSums
  ) -> Input.Response {
    let flight = held.scopes.first { $0.inFlight?.request == response.request }
    let scope = flight?.id ?? requests[response.request] ?? .corridor
    var redacted = Input.Response(
      request: response.request, status: response.status, wireBytes: response.wireBytes, headBytes: response.headBytes,
      sent: response.sent, serverTimeMS: response.serverTimeMS.map { $0 + shiftMS },
      retryAfterSeconds: response.retryAfterSeconds, etag: nil, handle: nil, form: response.form)
    if let tag = response.etag { redacted.etag = etag(tag) }
    if let name = response.handle { redacted.handle = handle(name) }
    redacted.repairs = response.repairs
    redacted.body = body(response, scope)
    guard case .answer(var answer) = redacted.body, answer.held != nil || answer.heldPIREPs != nil else {
      return redacted
    }
    // What the answer leads to without the sums of the server: the sums it has now.
    var bare = answer
    (bare.held, bare.heldPIREPs) = (nil, nil)
    var trial = after
    redacted.body = .answer(bare)
    trial.evolve(.init(seq: seq, at: at, event: .input(.responseReceived(redacted))))
    let (then, now) = (before.scope(scope), trial.scope(scope))
    if flight?.inFlight?.mode == .repair, let original = try? response.body.observations() {
      // It is proven by its own records.
      answer.held = sum(answer.held, HeldSum(of: original.reports), HeldSum(of: answer.reports))
      answer.heldPIREPs = sum(answer.heldPIREPs, HeldSum(of: original.pireps), HeldSum(of: answer.pireps))
      redacted.body = .answer(answer)
      return redacted
    }
    func sum(_ given: HeldSum?, _ then: HeldSum, _ now: HeldSum) -> HeldSum? {
      given.map {
        HeldSum(
          count: max(0, now.count + $0.count - then.count),
          checksum: $0.checksum == then.checksum ? now.checksum : ~now.checksum)
      }
    }
    answer.held = sum(answer.held, HeldSum(then?.reports), HeldSum(now?.reports))
    answer.heldPIREPs = sum(answer.heldPIREPs, HeldSum(then?.pireps), HeldSum(now?.pireps))
    redacted.body = .answer(answer)
    return redacted
  }

  /// The body without anything that isn't listed here.
  private mutating func body(_ response: Input.Response, _ scope: ScopeID) -> Input.Body {
    if case .none = response.body { return .none }
    guard (200...299).contains(response.status) else {
      report.otherBodies += 1
      return .none
    }
    let bytes = response.body.bytes
    switch scope {
    case .corridor, .viewport:
      if let answer = try? response.body.observations() { return .answer(moved(answer)) }
    case .outbox:
      if let accepted = bytes.withUnsafeBytes({ try? ReportsUpload.accepted(json: $0) }) {
        return .inline(Array(#"{"data":{"accepted":\#(accepted)}}"#.utf8))
      }
    case .global:
      if let token = try? PolygonsAnswer.token(JSONDocument(bytes)) {
        report.documents += 1
        return .inline(
          Array(#"{"type":"FeatureCollection","lastUpdatedAt":\#(token + shiftSeconds),"features":[]}"#.utf8))
      }
    case .weather: if let weather = weather(bytes) { return .inline(weather) }
    case .airports: break
    }
    // Something that no scope reads: it stays unreadable.
    report.otherBodies += 1
    return .inline(Array(#"{"redacted":true}"#.utf8))
  }

  private mutating func weather(_ bytes: [UInt8]) -> [UInt8]? {
    report.documents += 1
    guard let document = try? JSONDocument(bytes) else { return nil }
    do throws(WireError) {
      let time = try WeatherHead.serverTime(document)
      let member = time.map { #""server_time":\#($0 + shiftSeconds),"# } ?? ""
      return Array(#"{"status":"ok",\#(member)"result":{}}"#.utf8)
    } catch {
      if case .refused = error { return Array(#"{"status":"failed","error":"redacted"}"#.utf8) }
      return nil
    }
  }

  private mutating func moved(_ answer: ObservationsAnswer) -> ObservationsAnswer {
    var answer = answer
    answer.token += shiftSeconds
    answer.follows = answer.follows.map { $0 + shiftSeconds }
    answer.reports = answer.reports.map { moved($0) }
    answer.pireps = answer.pireps.map { moved($0) }
    answer.traffic = answer.traffic.map { $0.map { moved($0) } }
    return answer
  }
}

extension HeldSum {
  fileprivate init(_ reports: ReportSet?) { self.init(count: reports?.count ?? 0, checksum: reports?.checksum ?? 0) }
  fileprivate init(_ pireps: PIREPSet?) { self.init(count: pireps?.count ?? 0, checksum: pireps?.checksum ?? 0) }

  fileprivate init(of reports: [TurbulenceReport]) {
    self.init(count: reports.count, checksum: reports.reduce(0) { $0 &+ $1.digest })
  }

  fileprivate init(of pireps: [PIREP]) {
    self.init(count: pireps.count, checksum: pireps.reduce(0) { $0 &+ $1.digest })
  }
}

extension Input {
  fileprivate var isAboutAirports: Bool {
    switch self {
    case .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred, .airportsFailed, .airportsDelivery:
      true
    default: false
    }
  }
}

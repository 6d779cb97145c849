import ContrailCore
import ContrailGeodesy
import ContrailReplay
import ContrailWire

/// The maps from the original to the redacted log, and both states.
struct Redactor {
  var standIns: StandIns
  /// The number of seconds that are added to each time that is stated in seconds.
  private(set) var shiftSeconds: Int64
  /// The waits that became longer, in order: from a time of the original on, times are so many milliseconds later.
  private var waits: [(fromMS: Int64, addedMS: Int64)] = []
  /// The time of the last failure of a place's weather.
  private var failedAt: [ScopeID: Int64] = [:]
  var report = RedactionReport()
  /// The time of the snapshot at the start of the redacted log, in seconds since 1970.
  private(set) var startSecond: Int64 = 0
  /// The `seq` of the first input after which the redacted log decides something else.
  private(set) var difference: Int64?

  private var before = State()
  private var after = State()
  var areas: [UInt64: UInt64] = [0: 0]
  private var numbers: [String: [String: Int]] = [:]
  private var requests: [Int64: ScopeID] = [:]

  init(_ secret: RedactionSecret, attempt: Int, of draft: LogDraft) {
    standIns = StandIns(secret, attempt: attempt)
    let word = secret.timeWord(attempt: attempt)
    if draft.isAboutAirports {
      // The dates of AIRAC cycles are public, and the engine compares them with the time: up to 13 days earlier or later.
      let range: Int64 = 13 * 86_400
      shiftSeconds = Int64(word % UInt64(2 * range + 1)) - range
    } else {
      // Any second of the forty years from 1975 on: a time may go back a few hours before the first line.
      let firstAt = (draft.start.isEmpty ? draft.turns.first?.at : draft.startAt) ?? 0
      shiftSeconds = 157_766_400 + Int64(word % 1_262_304_000) - firstAt / 1000
      if let span = draft.spanWithDailyBudget {
        shiftSeconds = Self.shift(of: span, by: shiftSeconds, Digest.mix(word)) ?? shiftSeconds
      }
    }
    report.isNearCycle = draft.isAboutAirports
  }

  // MARK: The log

  /// Returns the redacted log. ``difference`` says whether it decides the same.
  mutating func redacted(_ original: LogDraft) -> LogDraft {
    var draft = original
    report.hasSnapshot = !original.start.isEmpty
    startSecond = shifted(original.startAt) / 1000
    draft.start = original.start.map { redacted($0) }
    draft.startAt = shifted(original.startAt)
    before = original.startState
    after = draft.startState
    learnAreas()
    for index in draft.turns.indices {
      draft.turns[index] = redacted(original.turns[index])
      if difference != nil { break }
    }
    report.areas = standIns.areaCount
    return draft
  }

  private mutating func redacted(_ turn: LogDraft.Turn) -> LogDraft.Turn {
    var redacted = turn
    if case .clockTicked(let scope, let due)? = turn.input { lengthenWait(of: scope, until: due) }
    redacted.at = shifted(turn.at)
    for (index, event) in turn.events.enumerated() {
      switch event {
      case .input(let input):
        let held = HeldSums(before)
        before.evolve(.init(seq: turn.seq, at: turn.at, event: event))
        noteFailures(since: held)
        let drawn = self.redacted(input, at: redacted.at, seq: turn.seq, held: held)
        let moved = fitted(drawn, to: before.byteUse, after) { input in
          .init(seq: turn.seq, at: redacted.at, event: .input(input))
        }
        redacted.events[index] = .input(moved)
        after.evolve(.init(seq: turn.seq, at: redacted.at, event: .input(moved)))
        learnAreas()
        // Whether the engine of today decides the same of both.
        let expected = before.decide().map { self.redacted($0) }
        if expected != after.decide() { difference = turn.seq }
      case .decision(let decision):
        let moved = self.redacted(decision)
        if let request = decision.startedRequest { requests[request] = decision.scope }
        redacted.events[index] = .decision(moved)
        before.evolve(.init(seq: before.nextSeq, at: turn.at, event: event))
        after.evolve(.init(seq: after.nextSeq, at: redacted.at, event: .decision(moved)))
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

  /// Returns a time of the redacted log, in milliseconds.
  func shifted(_ timeMS: Int64) -> Int64 {
    timeMS + shiftSeconds * 1000 + (waits.last { $0.fromMS <= timeMS }?.addedMS ?? 0)
  }

  private mutating func noteFailures(since held: HeldSums) {
    for old in held.scopes where old.id.weatherPlace != nil {
      guard let scope = before.scope(old.id), scope.retry.failures > old.retry.failures else { continue }
      failedAt[old.id] = before.now
    }
  }

  /// Lengthens the wait after a failure of a place's weather to the longest one.
  ///
  /// The delay is drawn from the name of the place, so its exact length would tell the place.
  private mutating func lengthenWait(of id: ScopeID, until due: Int64) {
    guard id.weatherPlace != nil, let retry = before.scope(id)?.retry, retry.failures > 0, retry.notBefore == due,
      retry.requestedUntil != due
    else { return }
    let seed = before.session?.seed ?? 0
    let delay = Backoff.delayMS(seed: seed, scope: id, count: retry.failures)
    if let failed = failedAt[id], failed + delay != due { return }
    let longest = Backoff.longestDelayMS(count: retry.failures)
    waits.append((due, (waits.last?.addedMS ?? 0) + longest - delay))
  }

  mutating func name(_ text: String, _ kind: String) -> String {
    "\(kind)\(number(of: text, kind))"
  }

  /// Returns the number of a text among the texts of its kind, in the order in which they came.
  private mutating func number(of text: String, _ kind: String) -> Int {
    if let known = numbers[kind]?[text] { return known }
    let number = numbers[kind, default: [:]].count + 1
    numbers[kind, default: [:]][text] = number
    return number
  }

  /// Returns the known value that stands for another one, so that the engine accepts it; for an unknown value, a name.
  mutating func choice(_ value: String, of known: [String], _ kind: String) -> String {
    guard known.contains(value) else { return name(value, kind) }
    return known[(number(of: value, "\(kind)-") - 1) % known.count]
  }

  mutating func etag(_ etag: String) -> String { "\"\(name(etag, "e"))\"" }
  mutating func handle(_ handle: String) -> String { name(handle, "h") }

  mutating func session(_ session: Input.Session) -> Input.Session {
    var session = session
    session.id = name(session.id, "s")
    report.sessions = numbers["s", default: [:]].count
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

  mutating func redacted(_ id: ScopeID) -> ScopeID {
    if case .weather(let place) = id { .weather(standIns.place(for: place)) } else { id }
  }

  /// Languages and units tell where somebody is from.
  mutating func redacted(_ spec: WeatherSpec) -> WeatherSpec {
    var spec = spec
    spec.language = choice(spec.language, of: WeatherSpec.languages, "l")
    spec.unit = choice(spec.unit, of: WeatherSpec.units, "u")
    return spec
  }

  mutating func redacted(_ lookup: WeatherLookup) -> WeatherLookup {
    WeatherLookup(
      place: standIns.place(for: lookup.place), version: name(lookup.version, "v"), spec: redacted(lookup.spec))
  }

  /// The size of an answer. The original's would tell how much there was to report, and so where.
  private func size(_ bytes: Int64, _ body: Input.Body) -> Int64 {
    bytes == 0 ? 0 : Self.headBytes + Int64(body.bytes.count)
  }

  private func size(_ sent: SentBytes?) -> SentBytes? {
    sent.map { $0 == .zero ? .zero : SentBytes(total: 2 * Self.headBytes, head: Self.headBytes) }
  }

  private static let headBytes: Int64 = 200

  // MARK: Decisions

  mutating func redacted(_ decision: Decision) -> Decision {
    switch decision {
    case .fetchStarted(var it):
      it.scope = redacted(it.scope)
      it.since = it.since.map { $0 + shiftSeconds }
      if let name = it.handle { it.handle = handle(name) }
      it.areaDigest = areas[it.areaDigest] ?? 0
      it.weather = it.weather.map { redacted($0) }
      return .fetchStarted(it)
    case .fetchCancelled(var it):
      it.scope = redacted(it.scope)
      return .fetchCancelled(it)
    case .queryRejected(var it):
      it.scope = redacted(it.scope)
      return .queryRejected(it)
    case .errorReported(var it):
      it.scope = redacted(it.scope)
      return .errorReported(it)
    case .uploadStarted(var it):
      it.key = key(it.key)
      return .uploadStarted(it)
    case .weatherExpired(var it):
      it.scope = redacted(it.scope)
      it.since = shifted(it.since)
      return .weatherExpired(it)
    case .savingChanged(var it):
      it.used = after.byteUse.used
      return .savingChanged(it)
    case .airportsSwitched, .airportsRequested: return decision
    }
  }

  // MARK: Inputs

  /// What each scope held before an answer.
  struct HeldSums {
    let scopes: [Scope]
    /// The exchange of the held requests.
    let exchange: Listening.Exchange?

    init(_ state: State) {
      scopes = state.scopes
      exchange = state.listening.exchange
    }
  }

  private mutating func redacted(_ input: Input, at: Int64, seq: Int64, held: HeldSums) -> Input {
    switch input {
    case .sessionStarted(let session): return .sessionStarted(self.session(session))
    case .queryChanged(let query): return .queryChanged(redacted(query))
    case .clockTicked(let scope, let due): return .clockTicked(scope: redacted(scope), due: shifted(due))
    case .responseReceived(let response): return .responseReceived(redacted(response, at: at, seq: seq, held))
    case .reportTracked:
      self.report.reports += 1
      return .reportTracked(standIns.report(nil, at: at / 1000))
    case .weatherReceived(let received):
      report.documents += 1
      let body = Input.Body.inline(Array("{}".utf8))
      return .weatherReceived(
        .init(
          lookup: redacted(received.lookup), status: received.status, wireBytes: size(received.wireBytes, body),
          body: body))
    case .weatherFailed(let lookup, let failure): return .weatherFailed(redacted(lookup), failure: failure)
    case .responseFailed(let request, let failure, let sent):
      return .responseFailed(request: request, failure: failure, sent: size(sent))
    case .budgetChanged(var budget):
      report.hasBudget = true
      // The name of a flight tells who flew.
      if case .flight(let flight) = budget.period { budget.period = .flight(name(flight, "flight-")) }
      return .budgetChanged(budget)
    case .historyChanged, .frequencyChanged, .refreshRequested, .connectivityChanged, .credentialsChanged,
      .clockAdjusted, .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred,
      .airportsFailed, .airportsDelivery, .listeningChanged, .backgroundChanged, .linkChanged:
      return input
    }
  }

  private mutating func redacted(_ query: ResolvedQuery) -> ResolvedQuery {
    report.points += [query.polygon, query.viewport, query.route, query.corridor].reduce(0) { $0 + ($1?.count ?? 0) }
    var redacted = query
    redacted.weather.places = query.weather.places.map { standIns.place(for: $0) }
    redacted.weather.spec = self.redacted(query.weather.spec)
    redacted.polygon = query.polygon.map { standIns.ring(for: $0) }
    redacted.viewport = query.viewport.map { standIns.ring(for: $0) }
    redacted.corridor = query.corridor.map { standIns.ring(for: $0) }
    redacted.route = query.route.map { standIns.line(for: $0) }
    return redacted
  }

  private mutating func redacted(
    _ response: Input.Response, at: Int64, seq: Int64, _ held: HeldSums
  ) -> Input.Response {
    let flight = held.scopes.first { $0.inFlight?.request == response.request }
    let scope = flight?.id ?? requests[response.request] ?? .corridor
    var redacted = Input.Response(
      request: response.request, status: response.status, wireBytes: response.wireBytes,
      headBytes: response.headBytes.map { $0 == 0 ? 0 : Self.headBytes }, sent: size(response.sent),
      serverTimeMS: response.serverTimeMS.map { $0 + at - before.now },
      retryAfterSeconds: response.retryAfterSeconds, etag: nil, handle: nil, form: response.form)
    if let tag = response.etag { redacted.etag = etag(tag) }
    if let name = response.handle { redacted.handle = handle(name) }
    redacted.repairs = response.repairs
    redacted.holdSeconds = response.holdSeconds
    redacted.body = body(response, scope, flight?.inFlight?.spec)
    if let flight, let exchange = held.exchange, flight.inFlight?.hold != nil, exchange.isEarly(at: before.now) {
      redacted.body = keepNews(of: response.body, in: redacted.body, holding: flight, at: redacted.serverTimeMS ?? at)
    }
    redacted.wireBytes = size(response.wireBytes, redacted.body)
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
      // A server may claim any count.
      given.map {
        HeldSum(
          count: now.count + min(abs($0.count - then.count), 1 << 20),
          checksum: $0.checksum == then.checksum ? now.checksum : ~now.checksum)
      }
    }
    answer.held = sum(answer.held, HeldSum(then?.reports), HeldSum(now?.reports))
    answer.heldPIREPs = sum(answer.heldPIREPs, HeldSum(then?.pireps), HeldSum(now?.pireps))
    redacted.body = .answer(answer)
    return redacted
  }

  /// Makes the drawn answer to a held request bring news if the original one does, because the next request is held at once after news,
  /// and after a pause otherwise.
  private mutating func keepNews(
    of original: Input.Body, in body: Input.Body, holding scope: Scope, at timeMS: Int64
  ) -> Input.Body {
    guard let answer = try? original.observations(), case .answer(var drawn) = body else { return body }
    if !answer.hasNews(after: scope) {
      (drawn.reports, drawn.pireps, drawn.traffic) = ([], [], drawn.traffic.map { _ in [] })
    } else if drawn.reports.isEmpty, drawn.pireps.isEmpty {
      drawn.traffic = [standIns.aircraft(at: timeMS / 1000)]
    }
    return .answer(drawn)
  }

  /// The body without anything that isn't listed here.
  private mutating func body(_ response: Input.Response, _ scope: ScopeID, _ spec: FetchSpec?) -> Input.Body {
    if case .none = response.body { return .none }
    guard (200...299).contains(response.status) else {
      report.otherBodies += 1
      return .none
    }
    let bytes = response.body.bytes
    switch scope {
    case .corridor, .viewport:
      if let answer = try? response.body.observations() { return .answer(redacted(answer, spec)) }
    case .outbox:
      if let answer = response.body.uploadAnswer(reportCount: ReportsUpload.maximumCount) {
        return .inline(answer.json)
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

  private mutating func redacted(_ answer: ObservationsAnswer, _ spec: FetchSpec?) -> ObservationsAnswer {
    report.reports += answer.reports.count
    report.pireps += answer.pireps.count
    report.aircraft += answer.traffic?.count ?? 0
    var answer = answer
    answer.token += shiftSeconds
    answer.follows = answer.follows.map { $0 + shiftSeconds }
    answer.reports = standIns.reports(spec, at: answer.token)
    answer.pireps = standIns.pireps(spec, at: answer.token)
    answer.traffic = answer.traffic.map { _ in [] }
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

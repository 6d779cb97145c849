package import ContrailCore
package import ContrailGeodesy
import ContrailWire

/// A state with a clock and a server beside it: sends inputs, takes decisions, and keeps the record of both.
package struct Rig: Sendable {
  package var state = State()
  package private(set) var records: [Record] = []
  /// The clock, in milliseconds since 1970.
  package var now: Int64
  package var server = ModelServer()
  /// Decisions that were left after the decisions had been folded in: the planner would never come to rest.
  package private(set) var unrest: [Decision] = []

  /// A round number of seconds in 2025.
  package static let start: Int64 = 1_740_000_000_000

  package init(now: Int64 = Rig.start) {
    self.now = now
  }

  /// Folds an input and the decisions that follow, and returns those.
  @discardableResult
  package mutating func decisions(after input: Input) -> [Decision] {
    append(.input(input))
    let decisions = state.decide()
    decisions.forEach { append(.decision($0)) }
    unrest += state.decide()
    return decisions
  }

  /// The same, each decision as a line such as `corridor full first`.
  @discardableResult
  package mutating func send(_ input: Input) -> [String] { decisions(after: input).map(Self.line) }

  private mutating func append(_ event: Event) {
    let record = Record(seq: state.nextSeq, at: now, event: event)
    records.append(record)
    state.evolve(record)
  }

  package static func line(_ decision: Decision) -> String {
    switch decision {
    case .fetchStarted(let it): "\(it.scope.name) \(it.mode.rawValue) \(it.rule.rawValue)"
    case .fetchCancelled(let it): "\(it.scope.name) cancel \(it.rule.rawValue)"
    case .queryRejected(let it): "\(it.scope.name) reject \(it.reason) \(it.place)"
    case .errorReported(let it): "\(it.scope.name) report \(it.rule.rawValue) \(it.code.rawValue)"
    case .uploadStarted(let it): "outbox upload of \(it.count) as \(it.key)"
    case .weatherExpired(let it): "\(it.scope.name) expire"
    case .airportsSwitched(let it): "airports switch to \(it.edition.cycle)"
    case .savingChanged(let it): "save \(it.saving.rawValue)"
    case .airportsRequested(let it): "airports request \(it.reason.rawValue) \(it.effectiveMS)"
    }
  }

  // MARK: Inputs

  @discardableResult
  package mutating func launch(engine: String = "test", seed: UInt64 = 7) -> [String] {
    send(.sessionStarted(.init(engine: engine, id: "s\(state.nextSeq)", seed: seed)))
      + send(.connectivityChanged(isOnline: true))
  }

  @discardableResult
  package mutating func query(_ change: (inout ResolvedQuery) -> Void) -> [String] {
    var query = state.query
    change(&query)
    return send(.queryChanged(query))
  }

  /// Lets time pass and wakes the scope that asked for it, if its time has come.
  @discardableResult
  package mutating func pass(seconds: Int64) -> [String] {
    now += seconds * 1000
    guard let wake = state.nextWake, wake.at <= now else { return [] }
    return send(.clockTicked(scope: wake.scope, due: wake.at))
  }

  /// Answers the request of a scope as the server would.
  @discardableResult
  package mutating func answer(_ id: ScopeID = .corridor, change: (inout Input.Response) -> Void = { _ in }) -> [String]
  {
    guard let inFlight = state.scope(id)?.inFlight else { return ["no flight of \(id.name)"] }
    var response = response(inFlight.request, id, inFlight.spec, inFlight.since)
    change(&response)
    return send(.responseReceived(response))
  }

  /// What the server answers to a request now.
  func response(_ request: Int64, _ id: ScopeID, _ spec: FetchSpec, _ since: Int64?) -> Input.Response {
    var response = Input.Response(request: request, status: 200, wireBytes: 0, serverTimeMS: now)
    if id.hasDeltas {
      let (status, body) = server.answer(spec, since: since, atMS: now)
      response.status = status
      response.body = .inline(body)
    } else if since != nil, state.scope(id)?.have?.etag == server.polygonsETag {
      response.status = 304
    } else if id.weatherPlace != nil {
      response.etag = server.polygonsETag
      response.body = .inline(Array(#"{"status":"ok","server_time":\#(now / 1000),"result":{}}"#.utf8))
    } else {
      response.etag = server.polygonsETag
      response.body = .inline(
        Array(#"{"type":"FeatureCollection","lastUpdatedAt":\#(now / 1000),"features":[]}"#.utf8))
    }
    return response
  }

  /// Answers as a server that holds requests for this area.
  @discardableResult
  package mutating func answerHolding(_ id: ScopeID = .corridor, seconds: Int64 = 540) -> [String] {
    answer(id) {
      $0.handle = "h-\(id.name)"
      $0.holdSeconds = seconds
    }
  }

  /// Answers with a status and no body.
  @discardableResult
  package mutating func answer(_ id: ScopeID = .corridor, status: Int, retryAfter: Int64? = nil) -> [String] {
    answer(id) {
      $0.status = status
      $0.retryAfterSeconds = retryAfter
      $0.body = .none
    }
  }

  /// The server takes the upload under way in, or answers with another status and no body.
  ///
  /// - Parameter heldBack: The indices of the reports that it keeps from others.
  @discardableResult
  package mutating func answerUpload(
    status: Int = 200, retryAfter: Int64? = nil, heldBack: [Int] = []
  ) -> [String] {
    guard let upload = state.outbox.upload, let request = upload.request else { return ["no upload"] }
    let reports = state.outbox.reports.prefix(Int(upload.count))
    if status == 200 { server.receive(Array(reports), key: upload.key) }
    let answer = UploadAnswer(
      accepted: reports.count - heldBack.count,
      heldBack: heldBack.map { UploadAnswer.HeldBack(report: $0, reason: .motion) })
    return send(
      .responseReceived(
        .init(
          request: request, status: status, wireBytes: 0, serverTimeMS: now, retryAfterSeconds: retryAfter,
          body: status == 200 ? .inline(answer.json) : .none)))
  }

  /// The request of a scope fails.
  @discardableResult
  package mutating func fail(_ id: ScopeID = .corridor, _ failure: TransportFailure = .network) -> [String] {
    guard let inFlight = state.scope(id)?.inFlight else { return ["no flight of \(id.name)"] }
    return send(.responseFailed(request: inFlight.request, failure: failure))
  }

  // MARK: Ready-made flights

  /// A rectangle of 10° by 10° whose south-west corner is given in degrees.
  package static func square(south: Int64, west: Int64) -> [FixedCoordinate?] {
    let degree = FixedCoordinate.degree
    return [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)].map {
      FixedCoordinate(latitudeE7: (south + $0.0) * degree, longitudeE7: (west + $0.1) * degree)
    }
  }

  package static let area = square(south: 40, west: -40)
  /// A place for weather.
  package static let place = RoundedCoordinate(longitudeE4: -4_500, latitudeE4: 514_700)
  package static let otherPlace = RoundedCoordinate(longitudeE4: 1_039_900, latitudeE4: 13_600)
  package static let otherArea = square(south: 10, west: 100)

  /// Online, two hours of history, every minute, one corridor, the first answer applied.
  package static func flying(_ change: (inout ResolvedQuery) -> Void = { _ in }) -> Rig {
    var rig = Rig()
    rig.server = ModelServer(seed: 11, from: start / 1000 - 30_000, to: start / 1000 + 30_000, perMinute: 2)
    rig.launch()
    rig.query {
      $0.polygon = area
      change(&$0)
    }
    rig.answer()
    return rig
  }
}

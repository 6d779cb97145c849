import ContrailCore
import ContrailGeodesy
import ContrailWire

extension PlannerTable {
  /// The events that can affect a scope.
  package enum Occurrence: String, CaseIterable {
    case launch
    case query = "usual query"
    case queryNarrower = "query narrower"
    case queryWider = "query wider"
    case queryMoreTypes = "query of more types"
    case queryOtherArea = "query elsewhere"
    case queryMoved = "query elsewhere at once"
    case queryNoArea = "query without area"
    case queryNoTypes = "query without types"
    case queryOpenRing = "open ring"
    case queryCrossingRing = "crossing ring"
    case queryInverted = "inverted altitudes"
    case historyUp = "longer history"
    case historyDown = "shorter history"
    case frequencyNone = "frequency none"
    case frequencySlow = "lower frequency"
    case noBytes = "budget used up"
    case moreBytes = "larger budget"
    case refreshDelta = "refresh"
    case refreshFull = "full refresh"
    case online
    case offline
    case credentials = "other credentials"
    case clock = "clock set"
    case tickEarly = "early tick"
    case tickDue = "tick when due"
    case tickLate = "tick after two hours"
    case answer = "200"
    case answerWithRepairs = "200 with repairs"
    case answerWithHolds = "200 with holds"
    case countDiffers = "200, count differs"
    case checksumDiffers = "200, checksum differs"
    case followsDiffers = "200, follows another"
    case watermarkWentBack = "200, older token"
    case noJSON = "200, not JSON"
    case refused = "200, refused"
    case notModified = "304"
    case badRequest = "400"
    case unauthorized = "401"
    case tooManyDiffer = "409"
    case gone = "410"
    case tooMany = "429 with Retry-After"
    case unavailable = "503"
    case noAnswer = "no answer"
    case lateAnswer = "late answer"

    /// Whether the event concerns the in-flight request.
    package var isAnswer: Bool {
      switch self {
      case .answer, .answerWithRepairs, .answerWithHolds, .tooManyDiffer, .countDiffers, .checksumDiffers,
        .followsDiffers,
        .watermarkWentBack, .noJSON, .refused, .notModified,
        .badRequest, .unauthorized, .gone, .tooMany, .unavailable, .noAnswer, .lateAnswer:
        true
      default: false
      }
    }
  }
}

extension PlannerTable.Course {
  /// Applies the event.
  mutating func pass(_ occurrence: PlannerTable.Occurrence) {
    // Elsewhere, the viewport has rested before.
    now += occurrence == .queryOtherArea ? 2000 : 100
    switch occurrence {
    case .launch: send(.sessionStarted(.init(engine: "table", id: "table", seed: 7)))
    case .query: send(.queryChanged(Self.wanted(family)))
    case .queryNarrower:
      query {
        $0.severities = SeveritySet([.moderate])
        $0.altitudes = .init(lower: 25_000, upper: 30_000)
        $0.weather.spec.hours = 12
      }
    case .queryWider:
      query {
        $0.severities = .all
        $0.altitudes = nil
        $0.weather.spec.hours = 72
      }
    case .queryMoreTypes: query { $0.types.formUnion([.pireps, .traffic]) }
    case .queryOtherArea: elsewhere(west: 60)
    case .queryMoved: elsewhere(west: 80)
    case .queryNoArea: withoutArea()
    case .queryNoTypes: query { $0.types = [] }
    case .queryOpenRing: ring { $0.removeLast() }
    case .queryCrossingRing: ring { $0.swapAt(1, 2) }
    case .queryInverted: query { $0.altitudes = .init(lower: 30_000, upper: 20_000) }
    case .historyUp: send(.historyChanged(.fourHours))
    case .historyDown: send(.historyChanged(.hour))
    case .frequencyNone: send(.frequencyChanged(.none))
    case .frequencySlow: send(.frequencyChanged(.minimal))
    case .noBytes: send(.budgetChanged(ByteBudget(bytes: 0, per: .flight("table"))))
    case .moreBytes: send(.budgetChanged(ByteBudget(bytes: 1_000_000, per: .flight("table"))))
    case .refreshDelta: send(.refreshRequested(full: false))
    case .refreshFull: send(.refreshRequested(full: true))
    case .online: send(.connectivityChanged(isOnline: true))
    case .offline: send(.connectivityChanged(isOnline: false))
    case .credentials: send(.credentialsChanged)
    case .clock: send(.clockAdjusted(byMS: 60_000))
    case .tickEarly: send(.clockTicked(scope: family.scope, due: now))
    case .tickDue:
      now = max(now, state.nextWake?.at ?? now + 60_000)
      send(.clockTicked(scope: family.scope, due: now))
    case .tickLate:
      now += 7_200_000
      send(.clockTicked(scope: family.scope, due: now))
    default: receive(occurrence)
    }
  }

  // MARK: Queries

  private static func square(west: Int64) -> ResolvedQuery.Points {
    let degree = FixedCoordinate.degree
    return [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)].map {
      FixedCoordinate(latitudeE7: (40 + $0.0) * degree, longitudeE7: (west + $0.1) * degree)
    }
  }

  private static let area = square(west: -40)

  /// The initial query of a family, which involves no other scope.
  private static func wanted(_ family: PlannerTable.Family) -> ResolvedQuery {
    var query = ResolvedQuery()
    query.severities = SeveritySet([.light, .moderate])
    query.altitudes = .init(lower: 20_000, upper: 35_000)
    switch family {
    case .corridor: query.polygon = area
    case .viewport: query.viewport = area
    case .global:
      query.types = .turbulencePolygons
      query.polygon = area
    case .weather: query.weather.places = [PlannerTable.Family.place]
    }
    return query
  }

  private mutating func query(_ change: (inout ResolvedQuery) -> Void) {
    var query = state.query
    change(&query)
    send(.queryChanged(query))
  }

  private mutating func elsewhere(west: Int64) {
    let family = family
    query {
      switch family {
      case .corridor: $0.polygon = Self.square(west: west)
      case .viewport: $0.viewport = Self.square(west: west)
      case .global: $0.globalEnabled.toggle()
      case .weather: $0.weather.spec.language = $0.weather.spec.language == "ja" ? "zh_CN" : "ja"
      }
    }
  }

  private mutating func withoutArea() {
    let family = family
    query {
      switch family {
      case .corridor: $0.polygon = nil
      case .viewport: $0.viewport = nil
      case .global:
        $0.polygon = nil
        $0.globalEnabled = false
      case .weather: $0.weather.places = []
      }
    }
  }

  /// Sets a distant area whose ring was made invalid.
  private mutating func ring(_ spoil: (inout ResolvedQuery.Points) -> Void) {
    let family = family
    var ring = Self.square(west: 60)
    spoil(&ring)
    query {
      if family == .viewport {
        $0.viewport = ring
      } else {
        $0.polygon = ring
      }
    }
  }

  // MARK: Responses

  /// Applies the response of a server that never has any data.
  private mutating func receive(_ occurrence: PlannerTable.Occurrence) {
    let isLate = occurrence == .lateAnswer
    let request = isLate ? 0 : inFlight?.request ?? 0
    if occurrence == .noAnswer { return send(.responseFailed(request: request, failure: .network)) }
    var response = Input.Response(request: request, status: 200, wireBytes: 0, serverTimeMS: now)
    switch occurrence {
    case .notModified: response.status = 304
    case .badRequest: response.status = 400
    case .unauthorized: response.status = 401
    case .tooManyDiffer: response.status = 409
    case .gone: response.status = 410
    case .tooMany:
      response.status = 429
      response.retryAfterSeconds = 120
    case .unavailable: response.status = 503
    case .noJSON: response.body = .blob(.init(sha256: "", byteCount: 0), Array("<html>".utf8))
    default: response.body = .inline(body(occurrence))
    }
    if occurrence == .answerWithRepairs {
      response.handle = "table"
      response.repairs = true
    }
    if occurrence == .answerWithHolds {
      response.handle = "table"
      response.holdSeconds = 540
    }
    send(.responseReceived(response))
  }

  private func body(_ occurrence: PlannerTable.Occurrence) -> [UInt8] {
    let token = now / 1000
    if occurrence == .refused { return Array(#"{"status":"failed","error":"quota exhausted"}"#.utf8) }
    if family == .weather { return Array(#"{"status":"ok","server_time":\#(token),"result":{}}"#.utf8) }
    guard family.scope.hasDeltas else {
      return Array(#"{"type":"FeatureCollection","lastUpdatedAt":\#(token),"features":[]}"#.utf8)
    }
    var answer = ObservationsAnswer(token: token, follows: inFlight?.since, held: HeldSum(count: 0, checksum: 0))
    switch occurrence {
    case .countDiffers: answer.held = HeldSum(count: 1, checksum: 0)
    case .checksumDiffers: answer.held = HeldSum(count: 0, checksum: 1)
    case .followsDiffers: answer.follows = token - 999
    case .watermarkWentBack: answer.token = token - 999
    default: break
    }
    return answer.json
  }
}

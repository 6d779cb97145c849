import ContrailGeodesy
import ContrailTestSupport
import ContrailWire

@testable import ContrailCore

/// Random events of every kind.
struct EventMaker {
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func int<T: FixedWidthInteger>(_ range: ClosedRange<T>) -> T { T.random(in: range, using: &random) }

  mutating func maybe<T>(_ value: (inout EventMaker) -> T) -> T? { random.chance(60) ? value(&self) : nil }

  mutating func pick<T>(_ values: some Collection<T>) -> T {
    values[values.index(values.startIndex, offsetBy: int(0...values.count - 1))]
  }

  mutating func text() -> String {
    (0..<int(0...5)).map { _ in pick(["a", "\"", "\\", "\n", "é", "😀", "/", "\u{1}", " "]) }.joined()
  }

  mutating func ordinal() -> Int64 { pick([0, 1, int(0...1_000_000), Int64.max / 2]) }
  mutating func time() -> Int64 { int(0...State.maximumMS) }
  mutating func scope() -> ScopeID { random.chance(20) ? .weather(place()) : areaScope() }

  mutating func areaScope() -> ScopeID {
    pick([.corridor, .viewport, .outbox, .airports] + DataHistoryTime.allCases.map(ScopeID.global))
  }

  mutating func place() -> RoundedCoordinate {
    RoundedCoordinate(longitudeE4: int(-1_799_999...1_800_000), latitudeE4: int(-900_000...900_000))
  }

  mutating func weather() -> WeatherSpec {
    WeatherSpec(
      language: text(), unit: text(), includesAlerts: random.chance(50), hours: int(1...360), days: int(1...15))
  }

  mutating func types() -> DataTypeOptions { DataTypeOptions(rawValue: int(0...15)) }
  mutating func severities() -> SeveritySet { SeveritySet(rawValue: int(0...31)) }

  mutating func band() -> AltitudeBand {
    let lower: Int64 = int(0...52)
    return AltitudeBand(lower: lower, upper: int(lower...52)) ?? .all
  }

  mutating func points() -> ResolvedQuery.Points {
    (0..<int(0...6)).map { _ in
      maybe { FixedCoordinate(latitudeE7: $0.int(.min ... .max), longitudeE7: $0.int(-3_600_000_000...3_600_000_000)) }
    }
  }

  mutating func query() -> ResolvedQuery {
    var query = ResolvedQuery()
    query.types = types()
    query.viewportTypes = maybe { $0.types() }
    query.severities = severities()
    query.polygon = maybe { $0.points() }
    query.viewport = maybe { $0.points() }
    query.globalEnabled = random.chance(50)
    query.isUpToEnabled = random.chance(50)
    query.altitudes = maybe { maker in
      .init(lower: maker.maybe { $0.int(-100_000...100_000) }, upper: maker.maybe { $0.int(-100_000...100_000) })
    }
    query.route = maybe { $0.points() }
    query.routeWidthMilliNM = maybe { $0.int(-1_000_000...1_000_000) }
    query.corridor = maybe { $0.points() }
    query.corridorError = maybe { .init(code: $0.text(), place: $0.text()) }
    if let places = maybe({ maker in (0..<maker.int(0...3)).map { _ in maker.place() } }) {
      query.weather = WeatherQuery(places: places, spec: weather())
    }
    return query
  }

  mutating func body() -> Input.Body {
    switch int(0...3) {
    case 0: .none
    case 1: .blob(BlobName(sha256: Hex.string(random.next()), byteCount: int(0...9)), [1, 2, 3])
    case 2: .inline(Array(pick(["null", "0", "\"x\"", "[1, 2]", #"{"a": {"b":[]}}"#]).utf8))
    default: .inline(ObservationsAnswer(token: int(0...4_000_000_000)).json)
    }
  }

  mutating func pirep() -> PIREP {
    PIREP(
      id: text(), position: .init(latitudeE7: int(-9...9), longitudeE7: int(-9...9)),
      flightLevel: maybe { $0.int(0...400) },
      severity: maybe { $0.pick(TurbulenceSeverity.allCases) }, isUrgent: random.chance(50), observedAt: int(0...9999),
      updatedAt: int(0...9999), text: text())
  }

  mutating func report() -> TurbulenceReport {
    // Cells of the wire: any base cell but a pentagon, any digits.
    TurbulenceReport(
      cell: UInt32(pick([2, 3, 5, 100] as [UInt32])) << 15 | 0o12345, altitude: int(0...52), severity: int(0...4),
      edrE4: int(0...UInt16.max), observedAt: int(0...UInt32.max))
  }

  mutating func traffic() -> TrafficPosition {
    TrafficPosition(
      id: text(), callsign: text(), position: .init(latitudeE7: int(-9...9), longitudeE7: int(-9...9)),
      altitudeFeet: maybe { $0.int(0...40_000) }, groundSpeedKnots: maybe { $0.int(0...500) },
      trackDegrees: maybe { $0.int(0...359) }, observedAt: int(0...9999))
  }

  mutating func part() -> SnapshotPart {
    switch int(0...5) {
    case 0: .control(Rig.flying().state.controlJSON)
    case 1:
      .reports(
        scope(), (0..<int(0...4)).map { _ in .init(packed: int(0...(1 << 47) - 1), observedAt: int(0...UInt32.max)) })
    case 2: .pireps(scope(), (0..<int(0...3)).map { _ in pirep() })
    case 4: .weather(.weather(place()), Array(#"{"status":"ok","result":{}}"#.utf8))
    case 3: .traffic(scope(), (0..<int(0...3)).map { _ in traffic() })
    default: .polygons(scope(), Array(#"{"type":"FeatureCollection"}"#.utf8))
    }
  }

  mutating func edition() -> AirportEdition {
    AirportEdition(cycle: pick(["2511", "2601", "0001", "9999"]), effectiveMS: time())
  }

  mutating func blob() -> BlobName { BlobName(sha256: Hex.string(random.next()), byteCount: int(0...Int.max)) }

  mutating func differences() -> AirportDifferences {
    AirportDifferences(
      added: ordinal(), removed: ordinal(), changed: ordinal(), varied: ordinal(), unchanged: ordinal())
  }

  private mutating func areaFetch() -> Decision.FetchStarted {
    .init(
      request: ordinal(), scope: areaScope(), mode: pick([.full, .delta]), rule: pick(Rule.allCases),
      cause: ordinal(), since: maybe { $0.int(0...Int64(UInt32.max)) },
      handle: maybe { $0.text() }, hold: maybe { $0.hold() }, areaDigest: random.next(),
      filter: Filter(
        types: types(), severities: severities(), altitudes: band(), history: pick(DataHistoryTime.allCases)))
  }

  private mutating func hold() -> HoldTerms {
    HoldTerms(
      seconds: int(1...3600), urgent: maybe { $0.pick(TurbulenceSeverity.allCases) }, altitudes: band(),
      ordinarySeconds: int(0...3600))
  }

  private mutating func listening() -> ListeningSettings {
    var settings = ListeningSettings()
    settings.isEnabled = random.chance(80)
    settings.urgentSeverity = maybe { $0.pick(TurbulenceSeverity.allCases) }
    settings.urgentAltitudes = band()
    settings.confirmationMinutes = maybe { Int($0.int(1...1440)) }
    return settings
  }

  private mutating func budget() -> ByteBudget {
    var budget = ByteBudget(
      bytes: maybe { $0.int(0...1 << 53) }, per: random.chance(50) ? .day : .flight(text()))
    budget.savesOnExpensiveLink = random.chance(80)
    budget.savesOnConstrainedLink = random.chance(80)
    return budget
  }

  private mutating func sent() -> SentBytes? {
    maybe { SentBytes(total: $0.ordinal(), head: $0.ordinal()) }
  }

  private mutating func lookup() -> WeatherLookup {
    .init(place: place(), version: text(), spec: weather())
  }

  private mutating func weatherFetch() -> Decision.FetchStarted {
    .init(
      request: ordinal(), scope: .weather(place()), mode: pick([.full, .delta]), rule: pick(Rule.allCases),
      cause: ordinal(), since: maybe { $0.int(0...Int64(UInt32.max)) },
      areaDigest: 0, filter: Filter(types: [], severities: []), weather: weather())
  }

  private mutating func session() -> Input.Session {
    .init(
      engine: text(), id: text(), seed: random.next(),
      service: maybe { .corridorV5(aircraftCategory: $0.pick(["C60", "a", "12345678"])) } ?? .contrail,
      hasWeatherService: random.chance(50))
  }

  mutating func event(_ kind: Kind) -> Event {
    switch kind {
    case .sessionStarted: .input(.sessionStarted(session()))
    case .queryChanged: .input(.queryChanged(query()))
    case .historyChanged: .input(.historyChanged(pick(DataHistoryTime.allCases)))
    case .frequencyChanged: .input(.frequencyChanged(pick(DataUpdateFrequency.allCases)))
    case .refreshRequested: .input(.refreshRequested(full: random.chance(50)))
    case .connectivityChanged: .input(.connectivityChanged(isOnline: random.chance(50)))
    case .credentialsChanged: .input(.credentialsChanged)
    case .clockAdjusted: .input(.clockAdjusted(byMS: int(.min ... .max)))
    case .clockTicked: .input(.clockTicked(scope: scope(), due: int(.min ... .max)))
    case .responseReceived:
      .input(
        .responseReceived(
          .init(
            request: ordinal(), status: int(0...999), wireBytes: int(0...1 << 40), headBytes: maybe { $0.ordinal() },
            sent: sent(), serverTimeMS: maybe { $0.time() }, retryAfterSeconds: maybe { $0.int(0...86_400) },
            etag: maybe { $0.text() }, handle: maybe { $0.text() }, repairs: random.chance(30),
            holdSeconds: maybe { $0.int(1...3600) } ?? 0, form: maybe { $0.pick(Input.BodyForm.allCases) },
            body: body())))
    case .responseFailed:
      .input(.responseFailed(request: ordinal(), failure: pick(TransportFailure.allCases), sent: sent()))
    case .reportTracked: .input(.reportTracked(report()))
    case .airportsChecked:
      .input(
        .airportsChecked(
          .init(wanted: edition(), offers: (0..<int(0...3)).map { _ in .init(edition: edition(), file: blob()) })))
    case .airportsDownloaded:
      .input(
        .airportsDownloaded(
          .init(
            edition: edition(), blob: blob(), wireBytes: ordinal(),
            base: random.chance(50) ? edition().cycle : nil)))
    case .airportsLoaded:
      .input(
        .airportsLoaded(.init(edition: edition(), count: ordinal(), digest: random.next(), changes: differences())))
    case .airportsDeferred: .input(.airportsDeferred(edition()))
    case .airportsFailed: .input(.airportsFailed(edition(), code: text()))
    case .weatherReceived:
      .input(
        .weatherReceived(
          .init(
            lookup: lookup(), status: Int(int(0...999)), wireBytes: ordinal(), body: body())))
    case .weatherFailed: .input(.weatherFailed(lookup(), failure: pick(TransportFailure.allCases)))
    case .airportsSwitched:
      .decision(.airportsSwitched(.init(edition: edition(), digest: random.next(), cause: ordinal())))
    case .airportsDelivery: .input(.airportsDelivery(isAutomatic: random.chance(50)))
    case .listeningChanged: .input(.listeningChanged(listening()))
    case .backgroundChanged: .input(.backgroundChanged(isInBackground: random.chance(50)))
    case .budgetChanged: .input(.budgetChanged(budget()))
    case .linkChanged:
      .input(.linkChanged(LinkCost(isExpensive: random.chance(50), isConstrained: random.chance(50))))
    case .savingChanged:
      .decision(
        .savingChanged(
          .init(
            saving: pick(DataSaving.allCases), used: ordinal(), budget: maybe { $0.ordinal() }, cause: ordinal())))
    case .airportsRequested:
      .decision(
        .airportsRequested(
          .init(effectiveMS: time(), reason: pick(Decision.DeliveryReason.allCases), cause: ordinal())))
    case .uploadStarted:
      .decision(.uploadStarted(.init(request: ordinal(), key: text(), count: int(1...10_000), cause: ordinal())))
    case .fetchStarted:
      .decision(.fetchStarted(random.chance(25) ? weatherFetch() : areaFetch()))
    case .fetchCancelled:
      .decision(
        .fetchCancelled(.init(request: ordinal(), scope: scope(), rule: pick(Rule.allCases), cause: ordinal())))
    case .queryRejected:
      .decision(.queryRejected(.init(scope: scope(), reason: text(), place: text(), cause: ordinal())))
    case .errorReported:
      .decision(
        .errorReported(
          .init(
            scope: scope(), rule: pick(Rule.allCases), code: pick(ReportedIssue.allCases), request: ordinal(),
            cause: ordinal()
          )))
    case .weatherExpired:
      .decision(.weatherExpired(.init(scope: scope(), since: time(), cause: ordinal())))
    case .segmentOpened: .mark(.segmentOpened)
    case .snapshotPart: .mark(.snapshotPart(part()))
    case .snapshotEnded: .mark(.snapshotEnded)
    case .stateDigested:
      .mark(
        .stateDigested(
          .init(
            scopes: (0..<int(0...3)).map { _ in .init(scope: scope(), digest: random.next()) },
            control: random.next())))
    case .logSynced: .mark(.logSynced)
    }
  }
}

extension Event {
  init(kind: String, payload: [UInt8], blob: (BlobName) -> [UInt8]? = { _ in nil }) throws(EventError) {
    let result = payload.withUnsafeBytes { bytes -> Result<Event, EventError> in
      do throws(EventError) {
        return .success(try Event(kind: kind, payload: bytes, blob: blob))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  init(kind: Kind, _ payload: String) throws(EventError) {
    try self.init(kind: kind.rawValue, payload: Array(payload.utf8))
  }
}

import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailQuery
import ContrailSimulation
import ContrailWire

/// What an application must see, by the guides: from what it set, what the server answered, and the clock.
///
/// It is written from the guides and the reference of the client, beside the engine. It knows neither the log nor a rule of the planner: it
/// doesn't say when the client must ask, but what the application must read after any question and answer.
struct AppModel {
  /// The last answer to a scope.
  struct Answer {
    var spec: FetchSpec
    /// The server's time of the answer, in seconds.
    var second: Int64
    /// The server's time of the content, which an answer without news confirms, in seconds.
    var contentSecond: Int64
    /// When it came, in milliseconds by the device's clock.
    var receivedMS: Int64
  }

  /// What became of the last request of a scope.
  enum Outcome: Equatable {
    case none
    case success
    /// It is tried again.
    case failure(Set<ClientError.Code>)
    /// It was refused, and isn't tried again by itself. No codes: the refusal was told before the launch.
    case refusal(Set<ClientError.Code>, isOfKey: Bool)
  }

  // What was set.
  private(set) var query = DataQuery()
  private var resolved = ResolvedQuery()
  private(set) var history = DataHistoryTime.twoHours
  private(set) var frequency = DataUpdateFrequency.fast
  private(set) var byteBudget = ByteBudget()
  private(set) var listening = ListeningSettings()
  private(set) var wishes = Wishes()
  /// The application's switch.
  var isOnline = true
  /// Whether the system reports a link.
  var hasLink = true
  var linkCost = LinkCost()
  var isInBackground = false
  var key = "first-key"
  /// The key before, in the step that changed it. A download of airports that was about to be sent may have it.
  var replacedKey: String?
  /// Whether the settings were read from the disk since they were set.
  private(set) var isReadBack = false
  /// When the viewport was moved last, in milliseconds by the device's clock.
  private var movedMS: Int64?

  // What the server said.
  private(set) var answers: [ScopeID: Answer] = [:]
  /// Scopes whose data had expired when they were wanted again. What isn't wanted and has expired may be dropped, and with it its age.
  private(set) var maybeDropped: Set<ScopeID> = []
  /// What the last request that ended was for, and whether it had an exchange of its own.
  var asked: [ScopeID: (spec: FetchSpec, isAlone: Bool)] = [:]
  private(set) var outcomes: [ScopeID: Outcome] = [:]
  private(set) var failures: [ScopeID: Int] = [:]
  /// Whether any answer told the server's time.
  private(set) var knowsServerTime = false
  /// Bytes of answers since the launch.
  private(set) var sessionBytes: Int64 = 0
  /// The bytes of the weather of each place, for each time that it was wanted.
  private var placeBytes: [ScopeID: [Int64]] = [:]
  /// The update frequency when a scope last succeeded.
  private var frequencyAtSuccess: [ScopeID: DataUpdateFrequency] = [:]
  /// Bytes of the finished exchanges that the budget counts, and of those that may count.
  private(set) var usedBytes: (least: Int64, most: Int64) = (0, 0)
  private var leastBytesAtLaunch: Int64 = 0
  private var day: Int64 = 0
  private(set) var own: [Own] = []

  // What is to be told.
  private(set) var outages: Set<ScopeID> = []
  /// Failures and recoveries that must be told, in order for each scope.
  var due: [ScopeID: [Told]] = [:]
  /// Failures that may be told as well.
  var allowed: [ScopeID: Set<ClientError.Code>] = [:]
  /// Answers that must be told, and whether they are news; nil if that depends on what was dropped before.
  var news: [ScopeID: [Bool?]] = [:]

  enum Told: Equatable {
    case failed(Set<ClientError.Code>)
    case recovered
  }

  /// A report of the application.
  struct Own {
    var altitude: UInt8
    var severity: TurbulenceSeverity
    var edrE4: UInt16
    /// The seconds in which it was observed.
    var seconds: ClosedRange<Int64>
    var state = OwnReport.State.waiting
    /// Whether the client may have stopped before it read that it is confirmed.
    var isInDoubt = false

    /// Whether the client may have forgotten it: that is so after the longest history, if nobody waits for it.
    func mayBeForgotten(at second: Int64) -> Bool {
      isInDoubt || state != .waiting && seconds.lowerBound <= second - DataHistoryTime.sixHours.seconds
    }

    func isMade(_ report: TurbulenceReport) -> Bool {
      report.altitude == altitude && report.severity == severity && report.edrE4 == edrE4
        && seconds.contains(Int64(report.observedAt))
    }
  }

  static let scopes = Wishes.scopes

  // MARK: The application

  /// Whether requests may be sent: the application's switch is on, and the system reports a link.
  var mayUseLink: Bool { isOnline && hasLink }

  /// - Parameters:
  ///   - second: The server's time, in seconds.
  ///   - now: The device's time, in milliseconds.
  mutating func set(_ changes: [Change], at second: Int64, now: Int64) {
    let before = wishes.wants
    var budget = byteBudget
    for change in changes {
      switch change {
      case .history(let span): history = span
      case .frequency(let rate): frequency = rate
      case .byteBudget(let bytes, let flight): budget = ByteBudget(bytes, flight: flight)
      case .listening: listening = ListeningSettings(change) ?? listening
      default:
        query.apply(change)
        resolved.apply(change)
      }
    }
    if budget.bytes == nil || byteBudget.bytes == nil || budget.period != byteBudget.period {
      (usedBytes, leastBytesAtLaunch) = ((0, 0), 0)
    }
    byteBudget = budget
    wishes.apply(.queryChanged(resolved))
    wishes.apply(.historyChanged(history))
    if wishes.wants[.viewport]?.area != before[.viewport]?.area { movedMS = now }
    for scope in Self.scopes where wishes.wants[scope] != before[scope] {
      wantsChanged(scope)
      if before[scope] == nil, let answer = answers[scope], answer.second + answer.spec.history.seconds <= second {
        maybeDropped.insert(scope)
      }
      // A refused request is repeated when its scope wants something else.
      lift(scope) { !$0 }
    }
  }

  /// The query as it would be after a change.
  func resolved(after change: Change) -> ResolvedQuery {
    var query = resolved
    query.apply(change)
    return query
  }

  private mutating func wantsChanged(_ scope: ScopeID) {
    // The key stays refused until there is another one.
    var isKeyRefused = false
    if case .refusal(_, isOfKey: true) = outcomes[scope] { isKeyRefused = true }
    guard wishes.wants[scope] == nil else {
      if isKeyRefused, outages.insert(scope).inserted {
        outcomes[scope] = .refusal([.unauthorized], isOfKey: true)
        due[scope, default: []].append(.failed([.unauthorized]))
      }
      return
    }
    placeBytes[scope]?.append(0)
    // Hidden, and that of the viewport is dropped.
    if scope == .viewport { answers[scope] = nil }
    if !isKeyRefused { outcomes[scope] = nil }
    failures[scope] = nil
    if outages.remove(scope) != nil { due[scope, default: []].append(.recovered) }
  }

  mutating func refresh() {
    for scope in outcomes.keys where scope == .outbox || wishes.wants[scope] != nil { lift(scope) { _ in true } }
  }

  mutating func setKey(_ key: String) {
    (replacedKey, self.key) = (self.key, key)
    for scope in outcomes.keys { lift(scope) { $0 } }
  }

  private mutating func lift(_ scope: ScopeID, _ isLifted: (Bool) -> Bool) {
    if case .refusal(_, let isOfKey) = outcomes[scope], isLifted(isOfKey) { outcomes[scope] = Outcome.none }
  }

  mutating func report(_ report: Own) { own.append(report) }

  /// Removes the last report, which the client refused.
  mutating func withdraw() { own.removeLast() }

  /// The client was stopped, and another takes its directory.
  ///
  /// - Parameter isHasty: Whether it was launched just before, and may not have read the answers since then.
  mutating func relaunch(isHasty: Bool = false) {
    query.viewport = nil
    resolved.viewport = nil
    wishes.begin()
    answers[.viewport] = nil
    (isOnline, hasLink, linkCost) = (true, true, LinkCost())
    isInBackground = false
    isReadBack = true
    (sessionBytes, placeBytes) = (0, [:])
    if isHasty {
      // The client before may have ended before it wrote the line of an answer.
      usedBytes.least = min(usedBytes.least, leastBytesAtLaunch)
      for index in own.indices where own[index].state != .waiting {
        (own[index].state, own[index].isInDoubt) = (.waiting, true)
      }
    }
    leastBytesAtLaunch = usedBytes.least
    own.removeAll { $0.state == .confirmed || $0.state == .refused }
    // A refused request isn't repeated by a launch. Its error was told before.
    outcomes = outcomes.compactMapValues {
      if case .refusal(_, isOfKey: false) = $0 { .refusal([], isOfKey: false) } else { nil }
    }
    failures = [:]
    outages = []
    (due, allowed, news) = ([:], [:], [:])
  }

  // MARK: The server

  /// The scope that a request is for; nil if nothing wants it.
  func scope(of spec: FetchSpec, weather place: RoundedCoordinate?) -> ScopeID? {
    if let place { return wishes.wants[.weather(place)] == nil ? nil : .weather(place) }
    if spec.types == .turbulencePolygons {
      return wishes.wants[.global(spec.history)].map { _ in ScopeID.global(spec.history) }
    }
    return [ScopeID.corridor, .viewport].first { wishes.wants[$0]?.area == spec.area }
  }

  /// An answer as it should be came.
  mutating func answer(
    _ scope: ScopeID, _ spec: FetchSpec, status: Int, serverMS: Int64, at now: Int64, _ world: SimulatedWorld
  ) {
    let before = answers[scope]
    var answer = Answer(spec: spec, second: serverMS / 1000, contentSecond: serverMS / 1000, receivedMS: now)
    if status == 304, let before { answer.contentSecond = before.contentSecond }
    answers[scope] = answer
    succeed(scope)
    let isNews = status != 304 && isNews(answer, scope, after: before, world)
    news[scope, default: []].append(maybeDropped.remove(scope) != nil && !isNews ? nil : isNews)
  }

  /// Whether an answer contains something that the one before didn't.
  private func isNews(_ answer: Answer, _ scope: ScopeID, after before: Answer?, _ world: SimulatedWorld) -> Bool {
    guard let before else { return true }
    if let place = scope.weatherPlace {
      return world.weather(place, asOf: before.contentSecond) != world.weather(place, asOf: answer.contentSecond)
    }
    if case .global(let history) = scope {
      let old = world.polygons(history, before.spec.area, asOf: before.contentSecond).answer
      return old.json != world.polygons(history, answer.spec.area, asOf: answer.contentSecond).answer.json
    }
    let reports = world.held(answer.spec, asOf: answer.second)
    if !reports.isSubset(of: world.held(before.spec, asOf: before.second)) { return true }
    let pireps = Set(world.heldPIREPs(before.spec, asOf: before.second).values)
    if !pireps.isSuperset(of: world.heldPIREPs(answer.spec, asOf: answer.second).values) { return true }
    let traffic = world.traffic(before.spec, asOf: before.second) ?? []
    return !(world.traffic(answer.spec, asOf: answer.second) ?? []).allSatisfy(traffic.contains)
  }

  mutating func knowServerTime() { knowsServerTime = true }

  mutating func succeed(_ scope: ScopeID) {
    outcomes[scope] = .success
    failures[scope] = 0
    frequencyAtSuccess[scope] = frequency
    if outages.remove(scope) != nil { due[scope, default: []].append(.recovered) }
  }

  mutating func fail(_ scope: ScopeID, _ outcome: Outcome) {
    let codes: Set<ClientError.Code>
    switch outcome {
    case .none, .success: return
    case .failure(let set): codes = set
    case .refusal(let set, _): codes = set
    }
    outcomes[scope] = outcome
    failures[scope, default: 0] += 1
    // A refusal is told although the outage was.
    var isRefusal = false
    if case .refusal = outcome { isRefusal = true }
    if outages.insert(scope).inserted || isRefusal { due[scope, default: []].append(.failed(codes)) }
  }

  mutating func confirm(_ reports: [TurbulenceReport], _ state: OwnReport.State) {
    for report in reports {
      guard let index = own.firstIndex(where: { $0.state == .waiting && $0.isMade(report) }) else { continue }
      own[index].state = state
    }
  }

  /// A day in UTC ends, and with it its budget.
  mutating func roll(at now: Int64) {
    guard case .day = byteBudget.period, now / 86_400_000 > day else { return }
    day = now / 86_400_000
    usedBytes.least = 0
  }

  /// Whether a scope has data that isn't renewed yet although its last request failed: updates have become rarer since it came, or the
  /// request was for something that isn't wanted any more.
  ///
  /// - Parameter saving: What is dropped to save bytes.
  func isRecent(_ scope: ScopeID, at now: Int64, saving: DataSaving) -> Bool {
    guard let answer = answers[scope], wishes.wants[scope].map(answer.spec.covers) == true,
      let before = frequencyAtSuccess[scope]?.intervalMS
    else { return false }
    guard var interval = frequency.intervalMS else { return true }
    // Weather is renewed when it has expired, and to save bytes, everything but the corridor is renewed every 15 minutes at most.
    if scope.weatherPlace != nil { interval = max(interval, 300_000) }
    if saving >= .slow || saving >= .slowSurroundings && scope != .corridor { interval = max(interval, 900_000) }
    // A request that goes along with that of another area may come before its time.
    let isOfAnother = asked[scope].map { !$0.isAlone || !answer.spec.covers($0.spec) } ?? false
    return (interval > before || isOfAnother) && now < answer.receivedMS + interval
  }

  /// Whether the viewport may wait until it rests: it is moved again and again.
  func mayMove(_ scope: ScopeID, at now: Int64) -> Bool {
    scope == .viewport && movedMS.map { now < $0 + 1500 } ?? false
  }

  /// What is dropped at least to save bytes: the link is used as if so much of the budget were used.
  var leastSaving: DataSaving { linkCost.isConstrained ? .slowSurroundings : linkCost.isExpensive ? .noTraffic : .off }

  /// Counts the bytes of the application's own request for weather. The budget has them, and no scope.
  mutating func count(lookup bytes: Int64, at now: Int64) {
    roll(at: now)
    guard byteBudget.bytes != nil else { return }
    usedBytes = (usedBytes.least + bytes, usedBytes.most + bytes)
  }

  /// Counts the bytes of the weather of a place.
  mutating func count(_ bytes: Int64, of place: ScopeID) {
    var times = placeBytes[place] ?? [0]
    times[times.count - 1] += bytes
    placeBytes[place] = times
  }

  /// How many bytes of earlier times a place has forgotten if its status shows so many: the status counts since the place was added.
  func forgottenBytes(of place: ScopeID, showing bytes: Int64) -> Int64 {
    let times = placeBytes[place] ?? []
    let all = times.reduce(0, +)
    var forgotten: Int64 = 0
    for time in times.dropLast() {
      if all - forgotten == bytes { return forgotten }
      forgotten += time
    }
    return all - forgotten == bytes ? forgotten : 0
  }

  mutating func count(answer: Int64, request: Int64, isCertain: Bool, at now: Int64?) {
    if let now { roll(at: now) }
    if isCertain { sessionBytes += answer }
    guard byteBudget.bytes != nil else { return }
    usedBytes.most += answer + request
    if isCertain { usedBytes.least += answer + request }
  }

  // MARK: What is shown

  /// Records that must be shown, and those that may be: they differ at the moment of expiry, and after a longer history was set.
  struct Bounds<Record: Hashable> {
    var least: Set<Record> = []
    var most: Set<Record> = []

    func allows(_ shown: some Sequence<Record>) -> Bool {
      let shown = Set(shown)
      return shown.isSubset(of: most) && least.isSubset(of: shown)
    }
  }

  /// - Parameters:
  ///   - second: The server's time now, in seconds.
  ///   - slack: How late the client's estimate of it may be, in seconds.
  func reports(_ scope: ScopeID, at second: Int64, slack: Int64, _ world: SimulatedWorld) -> Bounds<TurbulenceReport> {
    bounds(scope, .turbulence, at: second, slack) { answer, want in
      world.held(answer.spec, asOf: answer.second).filter { report in
        want.severities.rawValue & (1 << report.severityCode) != 0
          && (want.altitudes.lower...want.altitudes.upper).contains(report.altitude)
      }
    } observedAt: {
      Int64($0.observedAt)
    }
  }

  func pireps(_ scope: ScopeID, at second: Int64, slack: Int64, _ world: SimulatedWorld) -> Bounds<PIREP> {
    bounds(scope, .pireps, at: second, slack) { answer, _ in
      Set(world.heldPIREPs(answer.spec, asOf: answer.second).values)
    } observedAt: {
      $0.observedAt
    }
  }

  func traffic(_ scope: ScopeID, at second: Int64, slack: Int64, _ world: SimulatedWorld) -> Bounds<TrafficPosition> {
    bounds(scope, .traffic, at: second, slack, lifetime: 300) { answer, _ in
      Set(world.traffic(answer.spec, asOf: answer.second) ?? [])
    } observedAt: {
      $0.observedAt
    }
  }

  private func bounds<Record: Hashable>(
    _ scope: ScopeID, _ type: DataTypeOptions, at second: Int64, _ slack: Int64, lifetime: Int64? = nil,
    _ records: (Answer, FetchSpec) -> Set<Record>, observedAt: (Record) -> Int64
  ) -> Bounds<Record> {
    guard let answer = answers[scope], let want = wishes.wants[scope], want.types.contains(type) else { return .init() }
    let records = records(answer, want)
    let longest = lifetime ?? want.history.seconds
    let least = min(longest, lifetime ?? answer.spec.history.seconds)
    return Bounds(
      least: records.filter { observedAt($0) > second - least },
      most: records.filter { observedAt($0) > second - slack - longest })
  }

  /// The polygons that must be shown, and whether none may be shown as well; nil for none.
  func polygons(
    _ history: DataHistoryTime, at second: Int64, slack: Int64, _ world: SimulatedWorld
  ) -> (answer: PolygonsAnswer, mayBeGone: Bool)? {
    let scope = ScopeID.global(history)
    guard let answer = answers[scope], wishes.wants[scope] != nil, answer.second > second - slack - history.seconds
    else { return nil }
    let content = world.polygons(history, answer.spec.area, asOf: answer.contentSecond).answer
    return (content, answer.contentSecond <= second - history.seconds)
  }
}

extension ListeningSettings {
  /// The settings that a change sets; nil if it sets something else.
  init?(_ change: Change) {
    guard case .listening(let isEnabled, let urgent, let altitudes, let minutes) = change else { return nil }
    self.init()
    self.isEnabled = isEnabled
    urgentSeverity = urgent.flatMap { TurbulenceSeverity(rawValue: $0) }
    urgentAltitudes = altitudes.flatMap { AltitudeBand(lower: $0.lower, upper: $0.upper) } ?? .all
    confirmationMinutes = minutes
  }
}

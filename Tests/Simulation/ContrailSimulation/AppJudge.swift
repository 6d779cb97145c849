import ContrailCore
import ContrailEngine
import ContrailQuery
import ContrailWire

/// Watches what an application is told and shown, beside the driver and the fold: it knows only what was set, and what is published.
struct AppJudge {
  // What was set.
  private var isOpen = false
  private var turn: [Edit] = []
  private var turns: [[Edit]] = []
  /// What the application reads until the log is open; nil if it reads nothing.
  private var read: Intent?
  /// What the settings were at the end of each turn, the launch's first.
  private var intents: [Intent] = []
  private var queryAt = 0
  private var historyAt = 0
  private var frequencyAt = 0
  private var budgetAt = 0
  private var listeningAt = 0

  // What was told.
  private var shown = State()
  private var outages: Set<ScopeID> = []
  private var last: [ScopeID: Delivered] = [:]

  /// Until when what was delivered may be shown, in seconds of the server's clock, and what goes first.
  private struct Delivered {
    var until = Int64.max
    var what = ""
    var history: DataHistoryTime

    init?(_ held: HeldData) {
      guard let want = held.state.scope(held.scope)?.want else { return nil }
      history = want.history
      consider(held.turbulence.map { Int64($0.observedAt) }.min(), history.seconds, "a report")
      consider(held.traffic.map(\.observedAt).min(), TrafficPosition.lifetimeSeconds, "an aircraft")
      consider(held.polygons == nil ? nil : held.asOfSecond, history.seconds, "a set of polygons")
    }

    private mutating func consider(_ oldest: Int64?, _ lifetime: Int64, _ what: String) {
      guard let oldest, oldest + lifetime < until else { return }
      (until, self.what) = (oldest + lifetime, what)
    }
  }

  /// A change, and what the application reads after it if the log isn't open yet.
  fileprivate struct Edit {
    var change: Change
    var read: Intent?
  }

  fileprivate struct Intent: Equatable {
    var query: ResolvedQuery
    var history: DataHistoryTime
    var frequency: DataUpdateFrequency
    var byteBudget: ByteBudget
    var listening: ListeningSettings

    mutating func apply(_ change: Change) {
      switch change {
      case .history(let span): history = span
      case .frequency(let rate): frequency = rate
      case .byteBudget(let bytes, let flight): byteBudget = ByteBudget(bytes, flight: flight)
      case .listening(let isEnabled, let urgent, let altitudes, let minutes):
        listening = ListeningSettings(
          isEnabled: isEnabled, urgent: urgent, altitudes: altitudes, confirmationMinutes: minutes)
      default: query.apply(change)
      }
    }

    /// Applies a change. What is changed in place is, as a whole, what the application read: the copy of the settings may be behind the log.
    mutating func apply(_ edit: Edit) {
      apply(edit.change)
      guard let read = edit.read else { return }
      switch edit.change {
      case .insertType, .removeType: query.types = read.query.types
      case .weatherMember: query.weather.spec = read.query.weather.spec
      default: break
      }
    }
  }

  // MARK: Setting

  /// A process begins.
  mutating func begin() { self = AppJudge() }

  /// The application reads the settings of the last launch.
  mutating func reads(_ settings: AppSettings) { read = Intent(settings) }

  mutating func set(_ change: Change) {
    guard !isOpen, var after = read else { return turn.append(Edit(change: change)) }
    after.apply(change)
    // What is read already isn't changed.
    guard after != read else { return }
    read = after
    turn.append(Edit(change: change, read: after))
  }

  mutating func endTurn() {
    defer { turn = [] }
    guard !turn.isEmpty else { return }
    turns.append(turn)
    if isOpen { intend() }
  }

  /// The log is open: what was set before goes on top of what it holds, or of the copy of the settings if it has more.
  mutating func opened(_ wishes: Wishes, _ copy: AppSettings?) {
    isOpen = true
    var query = wishes.query
    query.viewport = nil
    intents = [
      Intent(
        query: query, history: wishes.history, frequency: wishes.frequency, byteBudget: wishes.byteBudget,
        listening: wishes.listening)
    ]
    if let copy { intents.append(Intent(copy)) }
    intend()
  }

  private mutating func intend() {
    for turn in turns {
      guard var intent = intents.last else { return }
      for edit in turn { intent.apply(edit) }
      intents.append(intent)
    }
    turns = []
  }

  /// Lines were written: each setting in them was set, and none before it is set again by an older one.
  mutating func wrote(_ inputs: [Input], _ judge: inout Judge) {
    for input in inputs {
      switch input {
      case .queryChanged(let query): find(&queryAt, "query", &judge) { $0.query == query }
      case .historyChanged(let history): find(&historyAt, "history", &judge) { $0.history == history }
      case .frequencyChanged(let frequency): find(&frequencyAt, "frequency", &judge) { $0.frequency == frequency }
      case .budgetChanged(let budget): find(&budgetAt, "byte budget", &judge) { $0.byteBudget == budget }
      case .listeningChanged(let settings):
        find(&listeningAt, "listening setting", &judge) { $0.listening == settings }
      default: break
      }
    }
  }

  private func find(
    _ at: inout Int, _ name: String, _ judge: inout Judge, _ isMeant: (Intent) -> Bool
  ) {
    if let index = intents[at...].firstIndex(where: isMeant) {
      at = index
    } else {
      judge.find(.settings, "the log holds a \(name) that was not set, or was replaced before")
    }
  }

  /// Nothing waits: the log holds what was set last, and that is what the application reads.
  func settled(_ app: AppSide, _ state: State, _ judge: inout Judge) {
    guard let last = intents.last else { return judge.find(.deafness, "the log was never opened") }
    let others = [
      ("query", state.query == last.query), ("history", state.history == last.history),
      ("frequency", state.frequency == last.frequency), ("budget", state.byteUse.budget == last.byteBudget),
      ("listening", state.listening.settings == last.listening),
    ].filter { !$0.1 }.map(\.0)
    if !others.isEmpty {
      judge.find(.settings, "the log doesn't hold what was set last: \(others.joined(separator: ", "))")
    }
    let settings = app.settings
    if settings.dataQuery.resolved() != state.query || settings.dataHistoryTime != state.history
      || settings.dataUpdateFrequency != state.frequency || settings.byteBudget != state.byteUse.budget
      || settings.listening != state.listening.settings
    {
      judge.find(.settings, "the application reads other settings than the engine follows")
    }
  }

  /// The client was released in order, and the disk refused nothing: the log holds what was set before.
  func released(_ app: AppSide, _ state: State, _ judge: inout Judge) {
    if isOpen {
      settled(app, state, &judge)
    } else if !turns.isEmpty {
      judge.find(.settings, "what was set before the release isn't in the log")
    }
  }

  // MARK: Telling

  mutating func watch(_ publication: Publication, at now: Int64, _ judge: inout Judge) {
    let state = publication.shown.state
    watchOutages(publication, &judge)
    watchNews(publication, &judge)
    for update in publication.updates {
      guard let scope = update.changedScope else {
        if case .opened = update {
          // A loss of power may have taken from the log what the database showed until now.
          listens(publication.shown, at: now)
        }
        continue
      }
      last[scope] = Delivered(publication.shown.data(of: scope, at: now))
    }
    shown = state
  }

  /// The own reports that the server hasn't confirmed are those of the log, in order. Of the others, those are shown as held back that
  /// the server holds back.
  mutating func watch(_ own: OwnReports, _ state: State, _ judge: inout Judge) {
    let waiting = own.all.filter(\.state.isPending).map(\.report)
    if waiting != state.outbox.reports {
      judge.find(.news, "\(waiting.count) own reports are shown as unconfirmed, and \(state.outbox.reports.count) are")
    }
    for report in own.all where report.state == .confirmed || report.state == .heldBack {
      guard (report.state == .heldBack) != SimulatedServer.holdsBack(report.report) else { continue }
      judge.find(.news, "an own report is shown as \(report.state.rawValue), and the server decided otherwise")
    }
  }

  private mutating func watchOutages(_ publication: Publication, _ judge: inout Judge) {
    for update in publication.updates {
      switch update {
      case .failed(let error):
        guard let scope = error.scope, Self.isOutage(error.code) else { continue }
        if !outages.insert(scope).inserted, !Self.isReported(error.code) {
          judge.find(.outages, "\(scope.name): \(error.code.rawValue) is told while an outage lasts")
        }
      case .recovered(let scope?):
        if outages.remove(scope) == nil {
          judge.find(.outages, "\(scope.name): the end of an outage that was not told")
        }
      default: break
      }
    }
    // What failed before the launch was told then.
    guard !publication.updates.contains(.opened) else { return }
    for scope in publication.shown.state.scopes where scope.want != nil {
      if scope.retry.failures > shown.scope(scope.id)?.retry.failures ?? 0, !outages.contains(scope.id) {
        judge.find(.outages, "\(scope.id.name) fails and nobody is told")
      }
    }
  }

  /// Whether requests fail with this, until they succeed.
  private static func isOutage(_ code: ClientError.Code) -> Bool {
    [
      .network, .timeout, .security, .tooLarge, .server, .rateLimited, .notTheService, .malformedAnswer, .unauthorized,
      .badRequest, .weatherRefused,
    ].contains(code)
  }

  /// Whether the log itself reports it, once for each cause.
  private static func isReported(_ code: ClientError.Code) -> Bool {
    [.unauthorized, .badRequest, .weatherRefused].contains(code)
  }

  private func watchNews(_ publication: Publication, _ judge: inout Judge) {
    let state = publication.shown.state
    // What the disk held at the launch is no news.
    guard !publication.updates.contains(.opened) else {
      for case .data(let id) in publication.updates {
        judge.find(.news, "\(id.name): what the disk held is told as new")
      }
      return
    }
    for scope in state.scopes {
      // Nor is what the database held before the log is open.
      if publication.updates.contains(.stored(scope.id)) { continue }
      let isTold = publication.updates.contains(.data(scope.id))
      let isNew = scope.holdsMore(than: shown.scope(scope.id))
      if isTold, !isNew { judge.find(.news, "\(scope.id.name): nothing is new and it is told") }
      if isNew, !isTold { judge.find(.news, "\(scope.id.name): something is new and nobody is told") }
    }
  }

  // MARK: Showing

  /// Somebody sees everything that is shown.
  mutating func listens(_ shown: Shown, at now: Int64) {
    last = [:]
    for scope in shown.state.scopes { last[scope.id] = Delivered(shown.data(of: scope.id, at: now)) }
  }

  /// What is shown between events: what was delivered last must not have expired.
  func look(_ app: AppSide, at now: Int64, isObserved: Bool, _ judge: inout Judge) {
    guard isObserved else { return }
    // What is due at this very moment may still be told.
    let second = app.shown.serverSecond(at: now - 1)
    for (id, delivered) in last where delivered.until <= second {
      guard app.shown.state.scope(id)?.want?.history == delivered.history else { continue }
      judge.find(.window, "\(id.name): \(delivered.what) that was delivered last has expired, and nobody is told")
    }
  }

  /// Whether the application was told of an outage that lasts.
  var isInOutage: Bool { !outages.isEmpty }

  /// All is well again: no outage lasts.
  func healed(_ app: AppSide, _ judge: inout Judge) {
    for scope in outages.sorted() { judge.find(.outages, "\(scope.name): the end of an outage is never told") }
    for scope in app.shown.state.scopes where scope.want != nil {
      let status = app.shown.status(of: scope.id)
      if status.lastError != nil || status.failures > 0 {
        judge.find(.outages, "\(scope.id.name): its status still shows an error")
      }
    }
  }
}

extension Scope {
  /// Whether it holds a record that the other doesn't, or is the first answer.
  fileprivate func holdsMore(than other: Scope?) -> Bool {
    guard have != nil else { return false }
    guard let other, other.have != nil else { return true }
    guard
      reports.checksum != other.reports.checksum || pireps.checksum != other.pireps.checksum
        || traffic != other.traffic || polygons != other.polygons || weather != other.weather
    else { return false }
    var isMore = false
    reports.forEach { if !other.reports.contains($0) { isMore = true } }
    let pireps = Set(other.pireps.sorted)
    return isMore || self.pireps.sorted.contains { !pireps.contains($0) } || !traffic.allSatisfy(other.traffic.contains)
      || polygons != other.polygons || weather != other.weather
  }
}

extension AppJudge.Intent {
  fileprivate init(_ settings: AppSettings) {
    self.init(
      query: settings.dataQuery.resolved(), history: settings.dataHistoryTime, frequency: settings.dataUpdateFrequency,
      byteBudget: settings.byteBudget, listening: settings.listening)
  }
}

import ContrailGeodesy
import ContrailWire

extension PlannerTable {
  /// Scopes that are treated alike.
  package enum Family: String, CaseIterable {
    case corridor
    case viewport
    case global
    case weather

    package var scope: ScopeID {
      switch self {
      case .corridor: .corridor
      case .viewport: .viewport
      case .global: .global(.twoHours)
      case .weather: .weather(Self.place)
      }
    }

    /// The place of the weather family's scope.
    static let place = RoundedCoordinate(longitudeE4: 1_039_900, latitudeE4: 13_600)

    /// How long after an answer the next request is due at the fastest, in milliseconds.
    var intervalMS: Int64 { max(60_000, scope.expiryMS ?? 0) }

    var title: String {
      switch self {
      case .corridor: "The corridor"
      case .viewport: "The viewport"
      case .global: "Polygons"
      case .weather: "Weather"
      }
    }

    var summary: String {
      switch self {
      case .corridor: "Kept on disk, hidden while it isn't wanted, brought up to date by deltas."
      case .viewport: "As the corridor, but forgotten when it isn't wanted and at a launch."
      case .global: "Fetched whole; a *delta* is a request with the ETag that is held, and 304 its success."
      case .weather:
        "As polygons, a place a scope. An answer holds for five minutes: it isn't asked for sooner, and when they are over without a newer one, that is said."
      }
    }

    package var situations: [Situation] {
      switch self {
      case .corridor: Situation.allCases
      case .viewport: Situation.allCases.filter { $0 != .hidden }
      case .global: Situation.allCases.filter { ![.narrowed, .wideFlight, .guarded, .offlineGuarded].contains($0) }
      case .weather: Situation.allCases.filter { ![.guarded, .offlineGuarded].contains($0) }
      }
    }
  }

  /// Where a scope can be between two inputs.
  package enum Situation: String, CaseIterable {
    case unwanted
    case hidden
    case firstFlight = "first flight"
    case fullFlight = "full flight"
    case refreshFlight = "refresh flight"
    case deltaFlight = "delta flight"
    case wideFlight = "wide flight"
    case strandedFlight = "stranded flight"
    case fresh
    case narrowed
    case manual
    case overdue
    case waiting
    case told
    case guarded
    case unauthorized
    case refused
    case offlineFresh = "offline, fresh"
    case offlineDue = "offline, due"
    case offlineFull = "offline, full needed"
    case offlineWaiting = "offline, waiting"
    case offlineGuarded = "offline, guarded"
    case offlineBlocked = "offline, blocked"

    var summary: String {
      switch self {
      case .unwanted: "Nothing is wanted and nothing is held."
      case .hidden: "Nothing is wanted; what was held before has not yet expired."
      case .firstFlight: "A full request is under way and nothing is held yet."
      case .fullFlight: "A full request is under way because what is wanted has changed; the old data are held."
      case .refreshFlight: "A full request is under way because it was asked for."
      case .deltaFlight: "A delta is under way."
      case .wideFlight: "A request is under way that asks for more than is wanted by now."
      case .strandedFlight: "A delta is under way and the link is gone; whether it fails is yet to be heard."
      case .fresh: "What is wanted is held; the interval has not passed."
      case .narrowed: "More is held than is wanted."
      case .manual: "What is wanted is held, and the frequency is `none`."
      case .overdue: "The interval has passed and no tick has come: the device slept."
      case .waiting: "An attempt has failed; the next may go out after a while."
      case .told: "The server has said how long to wait."
      case .guarded: "The same full fetch would follow itself; it waits."
      case .unauthorized: "The server has said 401."
      case .refused: "The server has said 400."
      case .offlineFresh: "No link; nothing is due."
      case .offlineDue: "No link; a delta will be asked for at the first chance."
      case .offlineFull: "No link; everything will be asked for at the first chance."
      case .offlineWaiting: "No link, and a wait after a failure."
      case .offlineGuarded: "No link, and a full fetch that would follow itself."
      case .offlineBlocked: "No link, and the server has refused."
      }
    }
  }
}

extension State {
  /// Where the scope is. What time alone would change is seen only at the next input, so no state is ``PlannerTable/Situation/overdue``.
  package func situation(_ id: ScopeID) -> PlannerTable.Situation {
    guard let scope = scope(id), let want = scope.want else { return scope(id)?.have == nil ? .unwanted : .hidden }
    if let flight = scope.flight {
      if !isOnline { return .strandedFlight }
      if flight.spec != want { return .wideFlight }
      if flight.mode == .delta { return .deltaFlight }
      return scope.demand == .full ? .refreshFlight : scope.have == nil ? .firstFlight : .fullFlight
    }
    var online = self
    online.isOnline = true
    let plan = online.plan(id)
    switch plan.rule {
    case .blocked: return !isOnline ? .offlineBlocked : scope.block == .unauthorized ? .unauthorized : .refused
    case .backingOff: return !isOnline ? .offlineWaiting : now < scope.retryAfter ? .told : .waiting
    case .guarded: return isOnline ? .guarded : .offlineGuarded
    default: break
    }
    if !isOnline { return plan.fetch.map { $0.mode == .full ? .offlineFull : .offlineDue } ?? .offlineFresh }
    if plan.fetch != nil { return .overdue }
    return plan.rule == .narrowed ? .narrowed : frequency == .none ? .manual : .fresh
  }
}

// MARK: - How a situation comes about

extension PlannerTable {
  /// A state with its clock on the way to a situation and through one input.
  struct Course {
    let family: Family
    private(set) var state = State()
    /// Milliseconds since 1970.
    var now: Int64 = 1_740_000_000_000
    /// What followed from the last input.
    private(set) var decisions: [Decision] = []
    /// The rule that settled what to do after the last input.
    private(set) var rule = Rule.unwanted

    init(_ family: Family, in situation: Situation) {
      self.family = family
      for occurrence in Self.way(to: situation) { pass(occurrence) }
      if situation == .overdue { now += family.intervalMS + 1000 }
    }

    var flight: Scope.Flight? { state.scope(family.scope)?.flight }

    mutating func send(_ input: Input) {
      fold(.input(input))
      rule = state.plan(family.scope).rule
      decisions = state.decide()
      decisions.forEach { fold(.decision($0)) }
    }

    private mutating func fold(_ event: Event) { state.evolve(Record(seq: state.nextSeq, at: now, event: event)) }

    /// The inputs that lead to a situation.
    private static func way(to situation: Situation) -> [Occurrence] {
      switch situation {
      case .unwanted: [.launch, .online]
      case .firstFlight: way(to: .unwanted) + [.query]
      case .fresh, .overdue: way(to: .firstFlight) + [.answer]
      case .hidden: way(to: .fresh) + [.queryNoArea]
      case .fullFlight: way(to: .fresh) + [.queryOtherArea]
      case .refreshFlight: way(to: .fresh) + [.refreshFull]
      case .deltaFlight: way(to: .fresh) + [.tickDue]
      case .wideFlight: way(to: .deltaFlight) + [.queryNarrower]
      case .strandedFlight: way(to: .deltaFlight) + [.offline]
      case .narrowed: way(to: .fresh) + [.queryNarrower]
      case .manual: way(to: .fresh) + [.frequencyNone]
      case .waiting: way(to: .deltaFlight) + [.noAnswer]
      case .told: way(to: .deltaFlight) + [.tooMany]
      case .guarded: way(to: .fresh) + [.refreshDelta, .gone, .answer, .refreshDelta, .gone]
      case .unauthorized: way(to: .deltaFlight) + [.unauthorized]
      case .refused: way(to: .deltaFlight) + [.badRequest]
      case .offlineFresh: way(to: .fresh) + [.offline]
      case .offlineDue: way(to: .offlineFresh) + [.tickDue]
      case .offlineFull: [.launch, .query]
      case .offlineWaiting: way(to: .waiting) + [.offline]
      case .offlineGuarded: way(to: .guarded) + [.offline]
      case .offlineBlocked: way(to: .unauthorized) + [.offline]
      }
    }
  }
}

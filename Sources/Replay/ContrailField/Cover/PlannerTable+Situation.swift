package import ContrailCore
import ContrailGeodesy
import ContrailWire

extension PlannerTable {
  /// Scopes with the same behaviour.
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

    /// The shortest interval between a response and the next request, in milliseconds.
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
      case .corridor: "Stored on disk, hidden while it isn't requested, updated by deltas."
      case .viewport: "Like the corridor, but discarded when it isn't requested and at each launch."
      case .global: "Fetched in full; a *delta* is a request with the stored ETag, and 304 is its success."
      case .weather:
        "Like polygons, with one scope per place. A response is valid for five minutes and isn't requested again before. If it expires without a newer one, that is reported."
      }
    }

    package var situations: [Situation] {
      switch self {
      case .corridor: Situation.allCases.filter { !$0.isOfMotion }
      case .viewport: Situation.allCases.filter { $0 != .hidden }
      case .global:
        Situation.allCases.filter {
          !$0.isOfMotion
            && ![.narrowed, .wideFlight, .guarded, .offlineGuarded, .repairableFlight, .repairFlight, .heldFlight]
              .contains($0)
        }
      case .weather:
        Situation.allCases.filter {
          !$0.isOfMotion && ![.guarded, .offlineGuarded, .repairableFlight, .repairFlight, .heldFlight].contains($0)
        }
      }
    }
  }

  /// The situations of a scope between two inputs.
  package enum Situation: String, CaseIterable {
    case unwanted
    case hidden
    case firstFlight = "first flight"
    case fullFlight = "full flight"
    case refreshFlight = "refresh flight"
    case deltaFlight = "delta flight"
    case repairableFlight = "repairable flight"
    case repairFlight = "repair flight"
    case heldFlight = "held flight"
    case wideFlight = "wide flight"
    case strandedFlight = "stranded flight"
    case moving
    case movingFlight = "moving flight"
    case fresh
    case narrowed
    case manual
    case overdue
    case waiting
    case told
    case guarded
    case unauthorized
    case refused
    case spent
    case offlineFresh = "offline, fresh"
    case offlineDue = "offline, due"
    case offlineFull = "offline, full needed"
    case offlineWaiting = "offline, waiting"
    case offlineGuarded = "offline, guarded"
    case offlineBlocked = "offline, blocked"

    /// Whether the viewport is being moved.
    fileprivate var isOfMotion: Bool { self == .moving || self == .movingFlight }

    var summary: String {
      switch self {
      case .unwanted: "Nothing is requested and nothing is stored."
      case .hidden: "Nothing is requested; the stored data has not yet expired."
      case .firstFlight: "A full fetch is in flight and nothing is stored yet."
      case .fullFlight: "A full fetch is in flight because the query changed; the old data is stored."
      case .refreshFlight: "A full fetch is in flight because a full refresh was requested."
      case .deltaFlight: "A delta is in flight."
      case .repairableFlight: "A delta is in flight, and the server can repair what is stored."
      case .repairFlight: "A repair is in flight; the stored data doesn't match the server's."
      case .heldFlight: "A delta is held by the server until there is news."
      case .wideFlight: "The in-flight request covers more than the current query."
      case .strandedFlight: "A delta is in flight and the link is lost; the delta has not failed yet."
      case .moving: "The viewport is being moved; a full fetch waits until it rests."
      case .movingFlight: "The viewport is being moved; the fetch of an earlier area is in flight."
      case .fresh: "The stored data matches the query; the interval has not passed."
      case .narrowed: "The stored data covers more than the query."
      case .manual: "The stored data matches the query, and the frequency is `none`."
      case .overdue: "The interval has passed without a tick: the device was asleep."
      case .waiting: "An attempt failed; the next one waits for the backoff."
      case .told: "The server requested a delay."
      case .guarded: "The same full fetch would repeat without progress; it is delayed."
      case .unauthorized: "The server responded with 401."
      case .refused: "The server responded with 400."
      case .spent: "The byte budget is used up."
      case .offlineFresh: "Offline; nothing is due."
      case .offlineDue: "Offline; a delta will be requested after reconnecting."
      case .offlineFull: "Offline; a full fetch will be requested after reconnecting."
      case .offlineWaiting: "Offline, during the backoff after a failure."
      case .offlineGuarded: "Offline; the same full fetch would repeat without progress."
      case .offlineBlocked: "Offline, after the server refused requests."
      }
    }
  }
}

extension State {
  /// Returns the situation of the scope.
  ///
  /// The passing of time alone takes effect only at the next input, so the result is never
  /// ``PlannerTable/Situation/overdue``.
  package func situation(_ id: ScopeID) -> PlannerTable.Situation {
    guard let scope = scope(id), let want = scope.want else { return scope(id)?.have == nil ? .unwanted : .hidden }
    if let inFlight = scope.inFlight {
      if !isOnline { return .strandedFlight }
      if inFlight.hold != nil { return .heldFlight }
      if inFlight.spec != want { return planOnline(id).rule == .moving ? .movingFlight : .wideFlight }
      if inFlight.mode == .delta { return scope.handle?.repairs == true ? .repairableFlight : .deltaFlight }
      if inFlight.mode == .repair { return .repairFlight }
      return scope.pendingRefresh == .full ? .refreshFlight : scope.have == nil ? .firstFlight : .fullFlight
    }
    let plan = planOnline(id)
    switch plan.rule {
    case .blocked: return !isOnline ? .offlineBlocked : scope.block == .unauthorized ? .unauthorized : .refused
    case .backingOff: return !isOnline ? .offlineWaiting : now < scope.retry.requestedUntil ? .told : .waiting
    case .guarded: return isOnline ? .guarded : .offlineGuarded
    case .saving: return isOnline ? .spent : .offlineFresh
    default: break
    }
    if plan.rule == .moving { return isOnline ? .moving : .offlineFull }
    if !isOnline { return plan.fetch.map { $0.mode == .delta ? .offlineDue : .offlineFull } ?? .offlineFresh }
    if plan.fetch != nil { return .overdue }
    return plan.rule == .narrowed ? .narrowed : frequency == .none ? .manual : .fresh
  }
}

// MARK: - Reaching a situation

extension PlannerTable {
  /// A state and its clock, which inputs lead to a situation and then through one more input.
  struct Course {
    let family: Family
    private(set) var state = State()
    /// Milliseconds since 1970.
    var now: Int64 = 1_740_000_000_000
    /// All inputs and decisions, as a log has them.
    private(set) var records: [Record] = []
    /// The decisions that followed the last input.
    private(set) var decisions: [Decision] = []
    /// The rule that determined the action after the last input.
    private(set) var rule = Rule.unwanted

    init(_ family: Family, in situation: Situation) {
      self.family = family
      for occurrence in Self.way(to: situation) { pass(occurrence) }
      if situation == .overdue { now += family.intervalMS + 1000 }
    }

    var inFlight: Scope.InFlightRequest? { state.scope(family.scope)?.inFlight }

    mutating func send(_ input: Input) {
      fold(.input(input))
      rule = state.plan(family.scope).rule
      decisions = state.decide()
      decisions.forEach { fold(.decision($0)) }
    }

    private mutating func fold(_ event: Event) {
      let record = Record(seq: state.nextSeq, at: now, event: event)
      records.append(record)
      state.evolve(record)
    }

    /// Returns the inputs that lead to a situation.
    private static func way(to situation: Situation) -> [Occurrence] {
      switch situation {
      case .unwanted: [.launch, .online]
      case .firstFlight: way(to: .unwanted) + [.query]
      case .fresh, .overdue: way(to: .firstFlight) + [.answer]
      case .hidden: way(to: .fresh) + [.queryNoArea]
      case .fullFlight: way(to: .fresh) + [.queryOtherArea]
      case .refreshFlight: way(to: .fresh) + [.refreshFull]
      case .deltaFlight: way(to: .fresh) + [.tickDue]
      case .repairableFlight: way(to: .firstFlight) + [.answerWithRepairs, .tickDue]
      case .repairFlight: way(to: .repairableFlight) + [.countDiffers]
      case .heldFlight: way(to: .firstFlight) + [.answerWithHolds]
      case .wideFlight: way(to: .deltaFlight) + [.queryNarrower]
      case .strandedFlight: way(to: .deltaFlight) + [.offline]
      case .moving: way(to: .fresh) + [.queryMoved]
      case .movingFlight: way(to: .fullFlight) + [.queryMoved]
      case .narrowed: way(to: .fresh) + [.queryNarrower]
      case .manual: way(to: .fresh) + [.frequencyNone]
      case .waiting: way(to: .deltaFlight) + [.noAnswer]
      case .told: way(to: .deltaFlight) + [.tooMany]
      case .guarded: way(to: .fresh) + [.refreshDelta, .gone, .answer, .refreshDelta, .gone]
      case .unauthorized: way(to: .deltaFlight) + [.unauthorized]
      case .refused: way(to: .deltaFlight) + [.badRequest]
      case .spent: way(to: .fresh) + [.noBytes]
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

import ContrailCore
import ContrailEngine
import ContrailField
import ContrailWire

/// Watches a flight turn by turn and holds it against what was promised: written from the design, beside the engine and the fakes.
///
/// It knows what the application wanted, what went over the wire and what the server has, and never asks the engine for a reason.
struct Judge {
  let world: SimulatedWorld
  let sabotage: Sabotage?
  private(set) var finding: (judge: Verdict.Judge, text: String)?

  /// Requests by number, as the server understood them.
  private var sent: [Int64: Sent] = [:]
  private var newest: [ScopeID: Int64] = [:]
  private var budgets: [ScopeID: FullFetchBudget] = [:]
  /// Scopes that were given nothing wrong since their last full answer.
  private var sound: Set<ScopeID> = []
  /// Where the application is: it is leaving until the client has told that the process may be suspended.
  var presence = Presence.foreground
  /// Since when the requests of a scope don't offer the compact form, and whether an answer came long after that.
  private var plain: [ScopeID: (sinceMS: Int64, isOver: Bool)] = [:]
  /// How late the estimate of the server's time may be, in milliseconds; nil while there is no telling.
  private var clockLagMS: Int64?
  private var isToldOnline = false
  private var openUpload: Int64?
  /// The changes of the viewport, and whether it was being moved after the last turn.
  private var motion = WatchedMotion()
  private var wasMoving = false
  /// Requests for data that the application made and the log doesn't hold yet.
  private var refreshesToTell = 0
  var bytes = ByteBook()
  /// The savings before the turn and after each of its inputs.
  var savings: [DataSaving] = [.off]

  /// A request that went out.
  private struct Sent {
    var scope: ScopeID
    var spec: FetchSpec
    var mode: FetchMode
    var rule: Rule
    var isOpen = true
  }

  /// What came to the engine in a turn, as the world knows it.
  struct Delivery {
    var request: Int64
    var status: Int?
    /// The answer is as the server gave it.
    var isHonest: Bool
    /// The server's true time when it answered, in milliseconds; nil where it told another one or none.
    var trueServerMS: Int64?
    var tellsTime: Bool
    /// The answer is changes to other records than are held.
    var changesAnother = false
    /// Bytes on the wire; none where no answer came.
    var wireBytes: Int64?
  }

  enum Presence {
    case foreground, leaving, background
  }

  struct Turn {
    var before: State
    var after: State
    var inputs: [Input]
    var requests: [OutgoingRequest]
    var cancelled: [Int64]
    var decisions: [Decision]
    var wishesBefore: Wishes
    /// After each of the inputs.
    var wishesAmid: [Wishes]
    var delivery: Delivery?
    var trueMS: Int64

    var wishes: Wishes { wishesAmid.last ?? wishesBefore }
  }

  init(world: SimulatedWorld, sabotage: Sabotage?) {
    self.world = world
    self.sabotage = sabotage
  }

  mutating func find(_ judge: Verdict.Judge, _ text: @autoclosure () -> String) {
    if finding == nil { finding = (judge, text()) }
  }

  // MARK: Turns

  mutating func watch(_ turn: Turn, asked: [SimulatedServer.Asked?]) {
    watchBytes(turn)
    for input in turn.inputs {
      switch input {
      case .sessionStarted:
        isToldOnline = false
        plain = [:]
        clockLagMS = nil
        for id in Wishes.scopes { allow(id) }
        budgets[.viewport]?.endSeries()
        sound.remove(.viewport)
        motion = WatchedMotion()
        wasMoving = false
        // A power loss may have taken numbers back: what an earlier process asked is of no account any more.
        sent = [:]
        newest = [:]
        openUpload = nil
      case .connectivityChanged(let isOnline): isToldOnline = isOnline
      case .refreshRequested where refreshesToTell > 0:
        refreshesToTell -= 1
        for id in turn.wishes.wants.keys { allow(id) }
      default: break
      }
    }
    let fetched = zip(turn.requests, asked).first { $0.0.scope == .viewport }.flatMap { $0.1?.spec.area }
    for (old, new) in zip([turn.wishesBefore] + turn.wishesAmid, turn.wishesAmid) {
      // What is fetched and then left in one turn was fetched before the change.
      if let left = old.wants[.viewport]?.area, left == fetched, left != turn.wishes.wants[.viewport]?.area,
        left != new.wants[.viewport]?.area
      {
        motion.fetch(at: turn.after.now)
      }
      motion.change(from: old.wants[.viewport], to: new.wants[.viewport], at: turn.after.now)
      for id in Wishes.scopes where new.wants[id] != old.wants[id] {
        allow(id)
        if new.wants[id] == nil { budgets[id]?.endSeries() }
      }
    }
    if turn.wishes.wants[.viewport] == nil { sound.remove(.viewport) }
    watchAnswer(turn)
    for number in turn.cancelled { sent[number]?.isOpen = false }
    watchRequests(turn, asked)
    wasMoving = motion.isMoving(at: turn.after.now)
    watchWindow(turn)
    for id in sound where turn.after.scope(id)?.have == nil { sound.remove(id) }
    if turn.after.nextWake.map({ $0.at <= turn.after.now }) ?? false { find(.rest, "wants to be woken in the past") }
    if !turn.after.decide().isEmpty { find(.rest, "has more to say after its decisions") }
  }

  /// The application asks for data.
  mutating func noteRefresh() { refreshesToTell += 1 }

  mutating func allow(_ id: ScopeID) { budgets[id, default: .init()].allow() }

  /// The process died in the middle of a turn: its answer may be in the log, and was never watched.
  mutating func dieAmid() { sound = [] }

  /// The power failed: what the engine learnt last may be gone.
  mutating func losePower() {
    for id in Wishes.scopes {
      budgets[id, default: .init()].allow(2)
      budgets[id]?.endSeries()
    }
    sound = []
  }

  // MARK: Requests

  private mutating func watchRequests(_ turn: Turn, _ asked: [SimulatedServer.Asked?]) {
    if Set(turn.requests.map(\.scope)).count < turn.requests.count {
      find(.frugality, "two requests of a scope in a turn")
    }
    if !turn.requests.isEmpty, !isToldOnline { find(.frugality, "a request while offline") }
    if turn.inputs.allSatisfy(\.isTick), presence != .foreground, !turn.requests.isEmpty {
      find(.frugality, "a request in the background, because its time came")
    }
    // What was reported before follows an upload.
    if turn.inputs.allSatisfy({ $0.isTick || $0.isAnswer }), presence == .background,
      let request = turn.requests.first(where: { $0.scope != .outbox || turn.after.outbox.retry.failures > 0 })
    {
      find(.frugality, "a request in the background for \(request.scope.name), because another one ended")
    }
    for (request, asked) in zip(turn.requests, asked) {
      watchForm(of: request, at: turn.trueMS)
      if request.scope == .outbox {
        if openUpload != nil { find(.frugality, "an upload while another is under way") }
        openUpload = request.number
        continue
      }
      guard let asked else {
        find(.frugality, "request \(request.number) is none that a server understands")
        continue
      }
      // In a turn of several changes the first may ask for more kinds of records than the last leaves wanted, never for less, and never
      // for older ones.
      let wanted = affordable(turn.wishesAmid.map { $0.wants[request.scope] })
      let isLeft = request.scope == .viewport && motion.isMoving(at: turn.after.now)
      let isCovered =
        wanted.last?.map { asked.spec.history == $0.history && (isLeft || asked.spec.covers($0)) } ?? isLeft
      if !wanted.contains(asked.spec) || !isCovered {
        find(.frugality, "request \(request.number) of \(request.scope.name) doesn't ask for what is wanted")
      }
      if let last = newest[request.scope].flatMap({ sent[$0] }), last.isOpen {
        find(.frugality, "request \(request.number) while another of \(request.scope.name) is open")
      }
      let started = turn.decisions.compactMap { decision -> Decision.FetchStarted? in
        guard case .fetchStarted(let it) = decision, it.request == request.number else { return nil }
        return it
      }
      guard let started = started.first, started.mode == request.mode, started.scope == request.scope else {
        find(.accounting, "request \(request.number) has no decision")
        continue
      }
      let mode: FetchMode =
        asked.sketch != nil ? .repair : asked.since == nil && asked.etag == nil ? .full : .delta
      if mode != request.mode && request.scope.hasDeltas {
        find(.frugality, "request \(request.number) says \(request.mode?.rawValue ?? "none") and asks otherwise")
      }
      if request.mode == .full { watchFull(started, asked.spec, turn) }
      if request.scope == .viewport {
        // A turn of several changes may fetch an area, and then leave it.
        if asked.spec.area == turn.wishes.wants[.viewport]?.area {
          if [.first, .areaChanged].contains(started.rule), isLeft {
            find(.frugality, "the viewport is fetched while it is moved")
          }
          motion.fetch(at: turn.after.now)
        }
      }
      newest[request.scope] = request.number
      sent[request.number] = Sent(
        scope: request.scope, spec: asked.spec, mode: started.mode, rule: started.rule)
    }
  }

  /// A server that gave useless compact answers is offered the compact form again, once an answer came half an hour later.
  private mutating func watchForm(of request: OutgoingRequest, at now: Int64) {
    guard request.scope.hasDeltas else { return }
    guard !request.acceptsCompact || sabotage == .compactFormIsGivenUp else {
      plain[request.scope] = nil
      return
    }
    if plain[request.scope, default: (now, false)].isOver {
      find(.frugality, "\(request.scope.name) never offers the compact form again")
    }
    if plain[request.scope] == nil { plain[request.scope] = (now, false) }
  }

  private mutating func watchFull(_ started: Decision.FetchStarted, _ spec: FetchSpec, _ turn: Turn) {
    let id = started.scope
    if sabotage == .plantedRule, started.rule == .areaChanged {
      find(.planted, "a full fetch after a reroute")
    }
    if started.rule == .expired {
      guard let have = turn.before.scope(id)?.have, let lag = clockLagMS else { return }
      let age = turn.trueMS / 1000 - have.watermark
      if age < have.spec.history.seconds - lag / 1000 - 1 {
        find(.frugality, "full: expired, \(age) s after the token")
      }
      return
    }
    for violation in budgets[id, default: .init()].start(started.rule, spec, at: turn.after.now) {
      switch violation {
      case .withoutCause:
        find(.frugality, "a full fetch of \(id.name) by \(started.rule.rawValue) without a cause")
      case .tooSoon(let sinceLastMS, _, let count):
        find(
          .frugality,
          "full by \(started.rule.rawValue) again \(sinceLastMS) ms after it was answered the \(count). time")
      }
    }
  }

  // MARK: Answers

  private mutating func watchAnswer(_ turn: Turn) {
    let touched = Wishes.scopes.filter { id in
      let (old, new) = (turn.before.scope(id), turn.after.scope(id))
      return !Scope.Have.isSame(old?.have, new?.have) || old?.digest ?? 0 != new?.digest ?? 0
    }
    guard let delivery = turn.delivery else {
      for id in touched where turn.after.scope(id)?.have != nil {
        find(.staleness, "the data of \(id.name) changed without an answer")
      }
      return
    }
    let open = sent[delivery.request].flatMap { $0.isOpen ? $0 : nil }
    sent[delivery.request]?.isOpen = false
    for id in touched where id != open?.scope && turn.after.scope(id)?.have != nil {
      find(.staleness, "an answer to request \(delivery.request) changed \(id.name)")
    }
    if delivery.request == openUpload {
      openUpload = nil
      if delivery.tellsTime { clockLagMS = delivery.trueServerMS.map { max(0, turn.trueMS - $0) } }
    }
    guard let open else { return }
    if delivery.tellsTime { clockLagMS = delivery.trueServerMS.map { max(0, turn.trueMS - $0) } }
    let scope = turn.after.scope(open.scope)
    if touched.contains(open.scope), let have = scope?.have, have.broken == nil {
      if have.spec != open.spec { find(.staleness, "\(open.scope.name) holds what its request didn't ask for") }
      if !affordable([turn.wishes.wants[open.scope]]).contains(where: { $0.map { open.spec.covers($0) } ?? false }),
        open.scope != .viewport || !wasMoving
      {
        find(.staleness, "\(open.scope.name) took the answer to an old query")
      }
    }
    let isApplied =
      scope?.have != nil && scope?.have?.broken == nil && scope?.lastSuccessAt == turn.after.now
      && (delivery.status == 200 || delivery.status == 304)
    if isApplied {
      watchApplied(open, delivery, turn)
    } else if delivery.isHonest, delivery.status == 200,
      open.mode != .delta || sound.contains(open.scope) || !open.scope.hasDeltas
    {
      find(.exactness, "a right answer for \(open.scope.name) was not taken over")
    }
    if !delivery.isHonest || !isApplied { allow(open.scope) }
    if !delivery.isHonest, touched.contains(open.scope) { sound.remove(open.scope) }
  }

  private mutating func watchApplied(_ open: Sent, _ delivery: Delivery, _ turn: Turn) {
    guard let scope = turn.after.scope(open.scope), let have = scope.have else { return }
    if let since = plain[open.scope]?.sinceMS, turn.trueMS - since > 31 * 60_000 { plain[open.scope]?.isOver = true }
    if open.scope.hasDeltas {
      var oldest = Int64.max
      scope.reports.forEach { oldest = min(oldest, Int64($0.observedAt)) }
      scope.pireps.sorted.forEach { oldest = min(oldest, $0.observedAt) }
      if oldest <= have.watermark - have.spec.history.seconds {
        find(.window, "\(open.scope.name) holds what is older than its history")
      }
    }
    // A delta that was taken over has sums that agree, be it honest or not.
    budgets[open.scope, default: .init()].apply(
      fullBy: open.mode == .full ? open.rule : nil, open.spec, at: turn.after.now)
    if delivery.changesAnother, let difference = difference(scope, open.spec, asOf: have.watermark) {
      find(.changes, "changes to other records were taken: \(difference)")
    }
    guard delivery.isHonest else { return }
    budgets[open.scope]?.takeBackCauses()
    // The query changed while the request was in flight, so another full fetch has a cause.
    if !(turn.wishes.wants[open.scope].map { open.spec.covers($0) } ?? false) { allow(open.scope) }
    guard open.scope.hasDeltas, let server = delivery.trueServerMS else { return }
    if open.mode != .delta { sound.insert(open.scope) }
    guard sound.contains(open.scope) else { return }
    if have.watermark != server / 1000 { find(.exactness, "\(open.scope.name) holds another token than was answered") }
    if let difference = difference(scope, open.spec, asOf: have.watermark) { find(.exactness, difference) }
  }

  /// How what a scope holds differs from what the server's rules say; nil where it doesn't.
  func difference(_ scope: Scope, _ spec: FetchSpec, asOf token: Int64) -> String? {
    let due = world.held(spec, asOf: token)
    var held: Set<TurbulenceReport> = []
    scope.reports.forEach { held.insert($0) }
    if held != due {
      return "\(scope.id.name) lacks \(due.subtracting(held).count) reports of \(due.count) and has "
        + "\(held.subtracting(due).count) too many"
    }
    let pireps = world.heldPIREPs(spec, asOf: token)
    if scope.pireps.sorted != pireps.values.sorted(by: { ($0.observedAt, $0.id) < ($1.observedAt, $1.id) }) {
      return "\(scope.id.name) holds other PIREPs than the server says"
    }
    if scope.traffic != world.traffic(spec, asOf: token) ?? [] { return "\(scope.id.name) holds other traffic" }
    return nil
  }

  // MARK: What is seen

  private mutating func watchWindow(_ turn: Turn) {
    for scope in turn.after.scopes where scope.id.hasDeltas {
      let seen = View.reports(of: scope, in: turn.after)
      guard let want = turn.wishes.wants[scope.id] else {
        if !seen.isEmpty { find(.staleness, "what nobody wants any more is shown") }
        continue
      }
      guard let lag = clockLagMS, let oldest = seen.map(\.observedAt).min() else { continue }
      if Int64(oldest) <= (turn.trueMS - lag) / 1000 - want.history.seconds - 1 {
        find(.window, "\(scope.id.name) shows a report of \(turn.trueMS / 1000 - Int64(oldest)) s ago")
      }
    }
  }
}

/// What an application sees of a scope, offline too.
enum View {
  static func reports(of scope: Scope, in state: State) -> [TurbulenceReport] {
    guard let want = scope.want else { return [] }
    var seen: [TurbulenceReport] = []
    scope.reports.forEach { if want.admits($0, asOf: state.serverNow / 1000) { seen.append($0) } }
    return seen
  }
}

extension Input {
  fileprivate var isTick: Bool { if case .clockTicked = self { true } else { false } }

  /// Whether a request of data or an upload ended.
  var isAnswer: Bool {
    switch self {
    case .responseReceived, .responseFailed: true
    default: false
    }
  }
}

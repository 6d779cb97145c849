import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

/// A driver whose actions the test carries out: opening, writing and closing take as long as the test says, and fail as it says.
final class ManualRig {
  var driver: Driver
  var app = AppSide()
  var now = Rig.start
  /// Every action since ``forget()``.
  private(set) var actions: [DriverAction] = []
  /// The last line that was written.
  private(set) var seq: Int64 = 0
  /// The end of the log at the last sync.
  private var head: LogHead?

  static let session = Input.Session(engine: EngineVersion.current, id: "test", seed: 7)
  static let full = EngineError(code: .log, message: "no space left", isTransient: true)
  static let unwritable = EngineError(code: .log, message: "a line of this size can't be written")

  init(
    hasProjection: Bool = false, weatherHost: String? = nil, key: String? = "first-key",
    providesCredentials: Bool = false, awaitsApplication: Bool = false, signingKey: String? = nil
  ) {
    driver = Driver(
      .init(
        session: Self.session, credentials: Credentials(apiKey: key),
        host: "server.example", weatherHost: weatherHost, hasProjection: hasProjection,
        providesCredentials: providesCredentials, awaitsApplication: awaitsApplication, signingKey: signingKey))
  }

  /// A rig whose log is open and whose launch is written.
  static func launched(hasProjection: Bool = false, weatherHost: String? = nil, signingKey: String? = nil) -> ManualRig
  {
    let rig = ManualRig(hasProjection: hasProjection, weatherHost: weatherHost, signingKey: signingKey)
    rig.feed(.launched)
    rig.open()
    rig.write()
    rig.forget()
    return rig
  }

  var state: State { driver.state }
  var isIdle: Bool { driver.isIdle }
  var isClosing: Bool { driver.isClosing }
  var isClosed: Bool { driver.isClosed }
  var names: [String] { actions.map(\.name) }
  /// When the timer fires; nil for never.
  private(set) var timer: Int64?
  /// What became of each ticket.
  private(set) var completed: [Ticket: [ClientError.Code?]] = [:]
  private(set) var updates: [ClientUpdate] = []
  /// The scopes whose status has changed.
  private(set) var statuses: [ScopeID] = []
  /// The command that the log has not carried out.
  private(set) var command: LogCommand?

  func feed(_ event: DriverEvent) {
    if case .timerFired = event { timer = nil }
    for action in driver.handle(event, at: EngineTime(now: now, wall: now)) {
      actions.append(action)
      switch action {
      case .preview: feed(.previewed(nil))
      case .log(let next): command = next
      case .setTimer(let at): timer = at
      case .complete(let ticket, let error): completed[ticket, default: []].append(error?.code)
      case .publish(let publication):
        app.show(publication)
        statuses += publication.updates.compactMap { if case .status(let scope) = $0 { scope } else { nil } }
        updates += publication.updates.filter { if case .status = $0 { false } else { true } }
      default: break
      }
    }
  }

  func turn(_ change: (inout AppSide) -> Void) {
    change(&app)
    app.endTurn()
    feed(.app(app.takeEvents()))
  }

  func add(_ event: AppEvent) { turn { $0.add(event) } }

  /// Adds what somebody waits for.
  func add(_ event: (Ticket) -> AppEvent) -> Ticket {
    let ticket = app.makeTicket()
    add(event(ticket))
    return ticket
  }

  func forget() {
    actions = []
    updates = []
    statuses = []
  }

  // MARK: The log

  func status(needsRoll: Bool = false) -> LogStatus {
    LogStatus(
      tail: LogTail(seq: seq, crc: UInt32(truncatingIfNeeded: seq), at: now), nextSeq: seq + 1, needsRoll: needsRoll,
      head: head)
  }

  func open(_ state: State = State(), needsRoll: Bool = false) {
    seq = state.nextSeq - 1
    feed(.opened(OpenedLog(state: state, status: status(needsRoll: needsRoll))))
  }

  /// Carries out the command that waits, if there is one.
  func writeOne(needsRoll: Bool = false) {
    guard let command else { return }
    self.command = nil
    switch command {
    case .append(let events, _, _): seq += Int64(events.count)
    case .roll(let events, _):
      seq += Int64(events.count) + 1
      head = LogHead(seq: seq, chain: "")
    case .sync: head = LogHead(seq: seq, chain: "")
    case .sign: seq += 1
    }
    feed(.logged(status(needsRoll: needsRoll)))
  }

  /// Carries out every command, and those that follow.
  func write() { while command != nil { writeOne() } }

  func refuse(_ error: EngineError = ManualRig.full, needsRoll: Bool = false) {
    command = nil
    feed(.logRefused(error, status(needsRoll: needsRoll)))
  }

  /// Lets time go by to the timer, and fires it.
  func fire() {
    guard let timer else { return }
    now = max(now, timer)
    feed(.timerFired)
  }

  /// The inputs of the command that waits.
  var inputs: [Input] {
    guard case .append(let events, _, _) = command else { return [] }
    return events.compactMap { if case .input(let input) = $0 { input } else { nil } }
  }

  var sent: [OutgoingRequest] {
    actions.flatMap { action -> [OutgoingRequest] in if case .send(let requests, _) = action { requests } else { [] } }
  }

  static let report = TurbulenceReport(
    cell: 0x0F_1234, altitude: 34, severity: 2, edrE4: 1800, observedAt: UInt32(Rig.start / 1000))

  func answer(_ status: Int, _ body: [UInt8] = [], to request: OutgoingRequest) {
    let response = Input.Response(
      request: request.number, status: status, wireBytes: 100, serverTimeMS: now, body: Input.Body(placing: body))
    feed(.responded(request.number, .answered(response)))
  }
}

extension ManualRig {
  static let london = ScopeID.weather(Rig.place)
  static let singapore = ScopeID.weather(Rig.otherPlace)

  /// The updates as text; errors by scope and code.
  var told: [String] {
    updates.map { update in
      switch update {
      case .failed(let error): "failed \(error.scope?.name ?? "-") \(error.code.rawValue)"
      case .recovered(let scope): "recovered \(scope?.name ?? "-")"
      default: "\(update)"
      }
    }
  }

  /// The last request of a scope.
  func request(_ scope: ScopeID) throws -> OutgoingRequest {
    try #require(sent.last { $0.scope == scope })
  }
}

extension DriverAction {
  /// The kind of action, as a word or two.
  var name: String {
    switch self {
    case .preview: "preview"
    case .open: "open"
    case .log(.append): "append"
    case .log(.sync): "sync"
    case .log(.roll): "roll"
    case .log(.sign): "append signature"
    case .send: "send"
    case .requestCredential(let number, let need): "request credential \(number): \(need)"
    case .cancelCredential(let number): "cancel credential \(number)"
    case .useCredentials: "use credentials"
    case .cancel(let number): "cancel \(number)"
    case .setTimer: "timer"
    case .project(let command): command.name
    case .levelAirports: "level airports"
    case .loadAirports: "load airports"
    case .sign: "sign"
    case .publish: "publish"
    case .complete: "complete"
    case .close: "close"
    }
  }
}

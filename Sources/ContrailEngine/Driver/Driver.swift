package import ContrailCore
import ContrailWire

/// Runs the engine: everything that is order, retry, timer, opening, pending work, or what the application is told.
///
/// A value without I/O and without a clock. A shell gives it what happens (``DriverEvent``) and the time, and carries out what it
/// answers (``DriverAction``), in order. The live client, the recorder and the simulator are such shells.
///
/// Inputs are written to the log one batch at a time, in the order in which they came. Only when a batch is written is anything done
/// about it. A batch that the log refuses stays, and what came later waits behind it.
package struct Driver: Sendable {
  /// What a driver is begun with.
  package struct Configuration: Sendable {
    /// The session that the launch begins.
    package var session: Input.Session
    package var credentials: Credentials
    /// The server's host and the weather service's, for messages.
    package var host: String?
    package var weatherHost: String?
    /// Whether a database follows the log.
    package var hasProjection: Bool
    /// What was written is put on stable storage within so many milliseconds.
    package var syncDelayMS: Int64

    package init(
      session: Input.Session, credentials: Credentials = Credentials(), host: String? = nil,
      weatherHost: String? = nil, hasProjection: Bool = false, syncDelayMS: Int64 = 1000
    ) {
      self.session = session
      self.credentials = credentials
      self.host = host
      self.weatherHost = weatherHost
      self.hasProjection = hasProjection
      self.syncDelayMS = syncDelayMS
    }
  }

  enum Phase: Equatable {
    case unlaunched
    case opening
    /// The log can't be opened now; another attempt follows.
    case openingAgain(at: Int64)
    /// The log can't be opened, and another attempt would not help.
    case failed
    case open
    /// Writes what is left, then closes.
    case closing
    /// The shell has been told to close.
    case released
    case closed
  }

  let configuration: Configuration
  var phase = Phase.unlaunched
  var engine = Engine()
  var status: LogStatus?
  var credentials: Credentials
  /// The settings that the log held at the launch.
  var stored: AppSettings?
  var time = EngineTime(now: 0, wall: 0)
  /// The wall clock less the monotonic one, in milliseconds, when last looked at.
  var wallLeadMS: Int64?

  // What is to be written.
  var inbox: [Entry] = []
  var operation: Operation?
  /// What the log refuses, it refuses for a while.
  var refusals = Retry()
  var openings = Retry()
  /// The log is to be synced at this time of the device.
  var syncAt: Int64?
  /// The log is to be synced before anything else is written.
  var isSyncDue = false
  /// Those who wait for the next sync.
  var awaitingSync: [Ticket] = []

  // What is under way.
  var requests: [Int64: Request] = [:]
  var projection = Projection()
  var awaitingOpening: [Ticket] = []
  /// Those who wait for everything to be on disk.
  var awaitingRest: [Ticket] = []
  var awaitingClose: [Ticket] = []
  var timer: Int64?

  // What is shown.
  var shown = Shown()
  var statuses: [ScopeStatus] = []
  var isObserved = false
  package internal(set) var isInBackground = false
  /// When something of a scope will be too old to be shown, in seconds of the server's clock.
  var expiries: [ScopeID: Int64] = [:]
  /// Whether a failed opening or write has been told.
  var toldOpeningError: ClientError?
  var isRefusalTold = false

  var actions: [DriverAction] = []

  /// By how much the wall clock must move against the monotonic one to have been set, in milliseconds.
  static let clockToleranceMS: Int64 = 2000

  /// A request that has gone out.
  struct Request: Sendable {
    var scope: ScopeID
    var isCancelled = false
  }

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    credentials = configuration.credentials
  }

  /// The state as of the last line that was written.
  package var state: State { engine.state }

  /// Whether nothing waits to be written, and nothing is being written.
  package var isIdle: Bool { inbox.isEmpty && operation == nil }

  /// Whether the log is closed for good.
  package var isClosed: Bool { phase == .closed }

  /// Whether it has been stopped, and writes what is left at most.
  package var isClosing: Bool { [.closing, .released, .closed].contains(phase) }

  /// Takes what has happened and answers what is to be done, in order.
  ///
  /// - Complexity: that of the fold of the inputs that are written by it.
  package mutating func handle(_ event: DriverEvent, at time: EngineTime) -> [DriverAction] {
    self.time = EngineTime(now: max(time.now, self.time.now), wall: time.wall)
    noteWallClock()
    switch event {
    case .launched:
      guard phase == .unlaunched else { break }
      phase = .opening
      if configuration.hasProjection { actions.append(.preview) }
      actions.append(.open)
    case .previewed(let state): preview(state)
    case .app(let events): events.forEach { take($0) }
    case .opened(let log): open(log)
    case .openingFailed(let error): failOpening(error)
    case .logged(let status): succeed(status)
    case .logRefused(let error, let status): refuse(error, status)
    case .responded(let number, let result): take(result, of: number)
    case .timerFired: fireTimer()
    case .projected(let result): take(result)
    case .closed: close()
    }
    proceed()
    setTimer()
    defer { actions = [] }
    return actions
  }

  /// Takes what has happened, and what follows from it at once. The one loop of every shell.
  ///
  /// - Parameters:
  ///   - event: What has happened.
  ///   - time: The time now; read again for each event.
  ///   - carryOut: Carries out the actions that follow from an event, in order. Returns the results that are known at once, or nil
  ///     to stop: the process is gone.
  package mutating func run(
    _ event: DriverEvent, at time: @autoclosure () -> EngineTime,
    carryOut: (_ event: DriverEvent, _ actions: [DriverAction], _ driver: Driver) -> [DriverEvent]?
  ) {
    var events = [event]
    while !events.isEmpty {
      let event = events.removeFirst()
      let actions = handle(event, at: time())
      guard let results = carryOut(event, actions, self) else { return }
      events += results
    }
  }

  // MARK: Time

  /// Notes that the device's clock was set.
  private mutating func noteWallClock() {
    guard phase == .open, let before = wallLeadMS else { return }
    let lead = time.wall - time.now
    guard abs(lead - before) > Self.clockToleranceMS else { return }
    wallLeadMS = lead
    inbox.append(.clock(byMS: lead - before))
  }

  private mutating func fireTimer() {
    timer = nil
    let now = time.now
    if case .openingAgain(let at) = phase, at <= now {
      phase = .opening
      actions.append(.open)
    }
    if let at = refusals.until, at <= now { refusals.until = nil }
    if let at = syncAt, at <= now { isSyncDue = true }
    if let at = projection.retry.until, at <= now { projection.retry.until = nil }
    wake()
    if let at = expiryTime, at <= now { publish() }
  }

  /// However much became due, one tick asks for it.
  mutating func wake() {
    guard phase == .open, !hasTick, let wake = engine.wake, wake.at <= time.now else { return }
    inbox.append(.tick)
  }

  private var hasTick: Bool {
    if case .append(.tick, _) = operation { return true }
    return inbox.contains { if case .tick = $0 { true } else { false } }
  }

  /// When something that is shown becomes too old, by the device's clock; nil if nobody looks.
  private var expiryTime: Int64? {
    guard isObserved, !isInBackground, let second = expiries.values.min() else { return nil }
    return second * 1000 - (shown.state.serverOffsetMS ?? 0) - shown.clockLeadMS
  }

  private mutating func setTimer() {
    let times: [Int64?] =
      switch phase {
      case .opening, .failed: [expiryTime]
      case .openingAgain(let at): [at, expiryTime]
      case .open:
        [
          projection.retry.until, refusals.until, hasTick ? nil : engine.wake?.at, isSyncDue ? nil : syncAt, expiryTime,
        ]
      case .unlaunched, .closing, .released, .closed: []
      }
    let next = times.compactMap(\.self).min()
    guard next != timer else { return }
    timer = next
    actions.append(.setTimer(next))
  }
}

/// Attempts that fail in a row, each waiting twice as long as the one before.
struct Retry: Sendable {
  /// How many attempts have failed in a row.
  private(set) var count = 0
  /// Nothing is tried before this time; nil if something may be tried.
  var until: Int64?

  /// Notes a failure; the waits grow from one second to 32.
  mutating func fail(at now: Int64) {
    until = now + 1000 << min(Int64(count), 5)
    count += 1
  }

  mutating func succeed() { self = Retry() }
}

package import ContrailCore
import ContrailWire

/// Runs the engine: decides order, retries, timers, opening, pending work, and notifications of the application.
///
/// A value without I/O and without a clock. A shell passes it events (``DriverEvent``) with the time, and performs the returned actions
/// (``DriverAction``), in order. The shells are the live client, the recorder and the simulator.
///
/// Inputs are written to the log one batch at a time, in order. Actions follow after the batch is written. If a write fails, its batch is
/// kept, and later inputs wait behind the retry.
package struct Driver: Sendable {
  /// The configuration of a driver.
  package struct Configuration: Sendable {
    /// The session of this launch.
    package var session: Input.Session
    /// The settings with which the application's side was created: those of the last launch, unless a crash came between a line of the log
    /// and their copy.
    package var settings: AppSettings
    /// The `seq` that followed the copy of the settings; nil if it isn't known. If the log ends before, it lost lines when the power
    /// failed, and the copy has what was set last.
    package var settingsSeq: Int64?
    package var credentials: Credentials
    /// The hosts of the server and the weather service, for messages.
    package var host: String?
    package var weatherHost: String?
    /// Whether a database follows the log.
    package var hasProjection: Bool
    /// The maximum time until written lines are synced to stable storage, in milliseconds.
    package var syncDelayMS: Int64
    /// Whether the client loads airports by itself; nil leaves the setting of the log unchanged.
    package var deliversAirports: Bool?
    /// Whether the application provides the key when it is asked for one.
    package var providesCredentials: Bool
    /// Whether the launch waits for the end of the application's first turn, an ``AppEvent/ready`` or another event.
    package var awaitsApplication: Bool
    /// The name of the key that signs the log; nil without a signer.
    package var signingKey: String?

    package init(
      session: Input.Session, settings: AppSettings = AppSettings(), settingsSeq: Int64? = nil,
      credentials: Credentials = Credentials(),
      host: String? = nil,
      weatherHost: String? = nil, hasProjection: Bool = false, syncDelayMS: Int64 = 1000,
      deliversAirports: Bool? = nil, providesCredentials: Bool = false, awaitsApplication: Bool = false,
      signingKey: String? = nil
    ) {
      self.session = session
      self.settings = settings
      self.settingsSeq = settingsSeq
      self.credentials = credentials
      self.host = host
      self.weatherHost = weatherHost
      self.hasProjection = hasProjection
      self.syncDelayMS = syncDelayMS
      self.deliversAirports = deliversAirports
      self.providesCredentials = providesCredentials
      self.awaitsApplication = awaitsApplication
      self.signingKey = signingKey
    }
  }

  enum Phase: Equatable {
    case unlaunched
    case previewing
    case opening
    /// The log couldn't be opened. Another attempt follows.
    case openingAgain(at: Int64)
    /// The log couldn't be opened, and the error is permanent.
    case failed
    case open
    /// The remaining entries are written before closing.
    case closing
    /// The shell is closing the log.
    case released
    case closed
  }

  let configuration: Configuration
  var phase = Phase.unlaunched
  var launching: Launching
  var engine = Engine()
  var status: LogStatus?
  var credentials: Credentials
  /// The calls of the application's provider; nil if it has none.
  var credentialKeeper: CredentialKeeper?
  /// Whether the application allows the link, and the system reports one. The log follows when there is a key.
  var mayUseLink = true
  var queue = WriteQueue()
  /// The requests that were sent, by their numbers.
  var requests: [Int64: Request] = [:]
  /// The database beside the log; nil if none follows it.
  var projection: Projection?
  var publisher: Publisher
  /// The signatures of the log; nil without a signer.
  var signing: Signing?
  package internal(set) var isInBackground = false
  /// The callers that wait until everything is on disk.
  var awaitingRest: [Ticket] = []
  var awaitingClose: [Ticket] = []
  var time = EngineTime(now: 0, wall: 0)
  /// The last known difference of the wall clock from the monotonic clock, in milliseconds.
  var wallLeadMS: Int64?
  var timer: Int64?
  var actions: [DriverAction] = []

  /// The minimum change of the wall clock against the monotonic clock that means it was set, in milliseconds.
  static let clockToleranceMS: Int64 = 2000

  /// A request that was sent.
  struct Request: Sendable {
    var scope: ScopeID
    var isCancelled = false
  }

  /// The way to the first line of this process.
  struct Launching: Sendable {
    /// Whether the application's first turn has ended, so that the launch is decided with its settings.
    var isApplicationReady: Bool
    /// Whether the launch was added to the queue.
    var isQueued = false
    /// The retries of opening the log.
    var openings = Retry()
    /// Whether the log ends before the copy of the settings was made.
    var isLogBehind = false
    /// The callers that wait until the log is open.
    var waiting: [Ticket] = []
    /// Whether the driver was stopped before the log is open. What was set and reported is written first.
    var isStopping = false
  }

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    credentials = configuration.credentials
    credentialKeeper = configuration.providesCredentials ? CredentialKeeper(seed: configuration.session.seed) : nil
    launching = Launching(isApplicationReady: !configuration.awaitsApplication)
    projection = configuration.hasProjection ? Projection() : nil
    signing = configuration.signingKey == nil ? nil : Signing()
    publisher = Publisher(host: configuration.host, weatherHost: configuration.weatherHost)
  }

  /// The state after the last written line.
  package var state: State { engine.state }

  /// Returns the log's time at a time of the device, in milliseconds since 1970.
  package func logTime(at now: Int64) -> Int64 { engine.logTime(at: now) }

  /// Whether no write is pending or in progress.
  package var isIdle: Bool { queue.isIdle }

  /// Whether the log is closed.
  package var isClosed: Bool { phase == .closed }

  /// Whether the driver was stopped. It may still write remaining entries.
  package var isClosing: Bool { launching.isStopping || [.closing, .released, .closed].contains(phase) }

  /// Handles an event and returns the actions to perform, in order.
  ///
  /// - Complexity: That of folding the inputs that it writes.
  package mutating func handle(_ event: DriverEvent, at time: EngineTime) -> [DriverAction] {
    self.time = EngineTime(now: max(time.now, self.time.now), wall: time.wall)
    noteWallClock()
    switch event {
    case .launched:
      guard phase == .unlaunched else { break }
      if configuration.hasProjection {
        phase = .previewing
        actions.append(.preview)
      } else {
        phase = .opening
        actions.append(.open)
      }
    case .previewed(let state): preview(state)
    case .app(let events): events.forEach { take($0) }
    case .opened(let log): open(log)
    case .openingFailed(let error): failOpening(error)
    case .logged(let status): succeed(status)
    case .logRefused(let error, let status): refuse(error, status)
    case .responded(let number, let result): take(result, of: number)
    case .credential(let number, let answer): take(answer, of: number)
    case .signed(let head, let result): take(result, of: head)
    case .timerFired: fireTimer()
    case .projected(let result): take(result)
    case .closed: close()
    }
    noteBackground()
    proceedCredentials()
    proceed()
    setTimer()
    defer { actions = [] }
    return actions
  }

  /// Handles an event and its immediate results. All shells use this loop.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The current time; evaluated for each event.
  ///   - carryOut: Performs the actions of an event, in order. Returns the results that are known at once, or nil to stop, if the
  ///     process has ended.
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

  /// Adds an input if the device's clock was set.
  private mutating func noteWallClock() {
    guard phase == .open, let before = wallLeadMS else { return }
    let lead = time.wall - time.now
    guard abs(lead - before) > Self.clockToleranceMS else { return }
    wallLeadMS = lead
    queue.add(.clock(byMS: lead - before))
  }

  private mutating func fireTimer() {
    timer = nil
    let now = time.now
    if case .openingAgain(let at) = phase, at <= now {
      phase = .opening
      actions.append(.open)
    }
    queue.pass(to: now)
    projection?.pass(to: now)
    tell(signing?.pass(to: now))
    wake()
    if let at = expiryTime, at <= now { publish() }
  }

  /// Adds one tick if anything is due, except in the background.
  mutating func wake() {
    guard phase == .open, !isInBackground, !awaitsCredential, !queue.hasTick, let wake = engine.wake,
      wake.at <= time.now
    else { return }
    queue.add(.tick)
  }

  /// The time of the next expiry, by the device's clock; nil without observers.
  var expiryTime: Int64? { isInBackground ? nil : publisher.expiresAt }

  private mutating func setTimer() {
    let times: [Int64?] =
      switch phase {
      case .opening, .failed: [expiryTime]
      case .openingAgain(let at): [at, expiryTime]
      case .open:
        [
          projection?.wakesAt, queue.wakesAt, signing?.wakesAt,
          queue.hasTick || isInBackground || awaitsCredential ? nil : engine.wake?.at, expiryTime, credentialTime,
        ]
      case .closing: [signing?.wakesAt]
      case .unlaunched, .previewing, .released, .closed: []
      }
    let next = times.compactMap { $0 }.min()
    guard next != timer else { return }
    timer = next
    actions.append(.setTimer(next))
  }
}

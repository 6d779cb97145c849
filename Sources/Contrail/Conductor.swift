import ContrailCore
import ContrailLog
import ContrailStore
import ContrailWire

/// Drives the engine by the wall: sends what it asks for, brings back what comes, wakes it when it wants to be woken.
///
/// Jobs are done one after the other, each to its end: what a later input cancels must have been sent before it can be cancelled.
actor Conductor {
  private var courier: Courier
  private let clock: any EngineClock
  private let report: @Sendable (ClientUpdate, State?) -> Void
  private var engine: Engine?
  private var keeper: StoreKeeper?
  private var flights: [Int64: Task<Void, Never>] = [:]
  private var timer: (wake: Engine.Wake, task: Task<Void, Never>)?
  private var syncTask: Task<Void, Never>?
  private var isStopped = false
  private var jobs: [Job] = []
  private var isWorking = false
  private var isOpenTried = false
  private var openingFailure: ClientError?
  /// How often in a row the disk has refused the first job, which waits to be done again.
  private var refusals = 0
  private var retry: Task<Void, Never>?
  private let storage: any LogStorage
  /// The wall clock less the engine's, in milliseconds, when last looked at.
  private var wallLead: Int64 = 0

  private enum Job {
    case open(directory: String, Input.Session, first: [Input])
    case inputs([Input])
    case track(TurbulenceReport, CheckedContinuation<ClientError?, Never>)
    case outcome(Courier.Outcome, of: OutgoingRequest)
    case credentials(Credentials)
    case airports([AirportsEntry], CheckedContinuation<Void, Never>)
    /// Something is to be read as it is once what was asked before is done.
    case look(@Sendable (Engine?) async -> Void)
    /// The process is about to be suspended, or has come back.
    case rest(CheckedContinuation<Void, Never>)
    case resume
    case sync
    case close(CheckedContinuation<Void, Never>)

    /// Whether it is lost for good if it isn't done.
    var mustBeDone: Bool {
      switch self {
      case .open, .inputs, .outcome, .credentials: true
      case .track, .airports, .look, .rest, .resume, .sync, .close: false
      }
    }

    /// Whether somebody waits for it.
    var isAwaited: Bool {
      switch self {
      case .track, .airports, .look, .rest, .close: true
      case .open, .inputs, .outcome, .credentials, .resume, .sync: false
      }
    }
  }

  /// By how much the wall clock must move against the monotonic one to have been set, in milliseconds.
  private static let clockToleranceMS: Int64 = 2000

  /// The longest wait between two attempts to write what the disk has refused, in milliseconds.
  private static let longestRetryMS: Int64 = 32_000

  init(
    courier: Courier, clock: any EngineClock, storage: any LogStorage,
    report: @escaping @Sendable (ClientUpdate, State?) -> Void
  ) {
    self.courier = courier
    self.clock = clock
    self.storage = storage
    self.report = report
  }

  /// Opens the log, launches, and reports what the last launch left.
  func open(directory: String, session: Input.Session, isOnline: Bool) async {
    await work(on: .open(directory: directory, session, first: [.connectivityChanged(isOnline: isOnline)]))
  }

  func submit(_ inputs: [Input]) async {
    guard !inputs.isEmpty else { return }
    await work(on: .inputs(inputs))
  }

  /// Returns once the report is on stable storage; what kept it from there otherwise.
  func track(_ report: TurbulenceReport) async -> ClientError? {
    await withCheckedContinuation { done in enqueue(.track(report, done)) }
  }

  func take(_ credentials: Credentials) async { await work(on: .credentials(credentials)) }

  /// Returns once what became of airports is in the log, and what follows from it is done.
  func write(_ entries: [AirportsEntry]) async {
    await withCheckedContinuation { done in enqueue(.airports(entries, done)) }
  }

  /// Asks the engine once the log is open and what was asked before is done; there is none where the log couldn't be opened.
  func look<T: Sendable>(_ body: @escaping @Sendable (Engine?) async -> T) async -> T {
    await withCheckedContinuation { answer in enqueue(.look { answer.resume(returning: await body($0)) }) }
  }

  /// Leaves everything as if the process were to end: it may, without a word, once it is suspended.
  func rest() async {
    await withCheckedContinuation { done in enqueue(.rest(done)) }
  }

  func resume() async { await work(on: .resume) }

  /// Gives up what is under way and leaves the log in order.
  func stop() async {
    isStopped = true
    flights.values.forEach { $0.cancel() }
    timer?.task.cancel()
    syncTask?.cancel()
    retry?.cancel()
    await withCheckedContinuation { done in enqueue(.close(done)) }
  }

  private func enqueue(_ job: Job) {
    jobs.append(job)
    Task { await self.work(on: nil) }
  }

  /// Does a job once those before it are done, unless another call is at work: then that one does it.
  private func work(on job: Job?) async {
    if let job {
      // What was asked before the log is open waits for it.
      if case .open = job { jobs.insert(job, at: 0) } else { jobs.append(job) }
    }
    guard !isWorking else { return }
    isWorking = true
    while let job = nextJob() {
      do throws(EngineError) {
        try await perform(job)
        if job.mustBeDone { refusals = 0 }
      } catch {
        if refusals == 0 || !job.mustBeDone { report(.failed(ClientError(error)), await engine?.state) }
        if error.isTransient, job.mustBeDone, !isStopped { tryAgain(job) }
      }
    }
    isWorking = false
  }

  /// An answer, a tick or a query that couldn't be written is not to be lost for it: all that comes later waits for it.
  private func tryAgain(_ job: Job) {
    jobs.insert(job, at: 0)
    let wait = min(Self.longestRetryMS, 1000 << min(refusals, 5))
    refusals += 1
    retry = Task { [clock] in
      guard (try? await clock.sleep(until: clock.now + wait)) != nil else { return }
      await self.goOn()
    }
  }

  private func goOn() async {
    retry = nil
    await work(on: nil)
  }

  private func nextJob() -> Job? {
    guard let first = jobs.first else { return nil }
    guard !isStopped else { return jobs.removeFirst() }
    if retry != nil { return jobs.firstIndex(where: \.isAwaited).map { jobs.remove(at: $0) } }
    if !isOpenTried {
      guard case .open = first else { return nil }
    }
    return jobs.removeFirst()
  }

  private func perform(_ job: Job) async throws(EngineError) {
    switch job {
    case .open(let directory, let session, let first):
      isOpenTried = true
      guard !isStopped else { return }
      do throws(EngineError) {
        try await launch(directory, session, first)
      } catch {
        openingFailure = ClientError(error)
        throw error
      }
    case .inputs(let inputs):
      guard let engine, !isStopped else { return }
      try await noteWallClock(engine)
      try await carryOut(try await engine.take(inputs, at: clock.now))
    case .track(let report, let done): done.resume(returning: await perform(tracking: report))
    case .outcome(let outcome, of: let request):
      guard let engine, !isStopped else { return }
      try await take(outcome, of: request, engine)
    case .credentials(let credentials):
      courier = courier.with(credentials)
      guard let engine, !isStopped else { return }
      try await carryOut(try await engine.take(.credentialsChanged, at: clock.now))
    case .airports(let entries, let done):
      defer { done.resume() }
      guard let engine, !isStopped else { return }
      try await carryOut(try await engine.take(entries, at: clock.now))
    case .look(let body): await body(engine)
    case .rest(let done):
      defer { done.resume() }
      syncTask?.cancel()
      syncTask = nil
      try await engine?.settle(at: clock.now)
      await keeper?.flush()
    case .resume: try await wake()
    case .sync: try await engine?.sync(at: clock.now)
    case .close(let done):
      defer { done.resume() }
      await keeper?.close()
      try await engine?.close(at: clock.now)
    }
  }

  private func launch(_ directory: String, _ session: Input.Session, _ first: [Input]) async throws(EngineError) {
    let (log, state, _) = try DirectoryLog.open(path: directory, at: clock.now, storage: storage)
    let keeper = StoreKeeper(directory: directory) { [report] in report($0, nil) }
    let position = await keeper.open()
    // A line that can't be read is one that the database wasn't made from.
    let crc = position.flatMap { try? log.crc(at: $0.seq) }
    await keeper.bringLevel(with: state, through: log.tail, crc: crc)
    self.keeper = keeper
    wallLead = clock.wallNow - clock.now
    let engine = Engine(state: state, log: log)
    let outcome = try await engine.take([.sessionStarted(session)] + first, at: clock.now)
    self.engine = engine
    let opened = await engine.state
    report(.opened, opened)
    for scope in opened.scopes where scope.have != nil { report(.data(scope.id), opened) }
    try await carryOut(outcome)
  }

  private func perform(tracking report: TurbulenceReport) async -> ClientError? {
    guard let engine, !isStopped else { return openingFailure ?? .stopped }
    do throws(EngineError) {
      let outcome = try await engine.take(.reportTracked(report), at: clock.now)
      try await engine.sync(at: clock.now)
      try await carryOut(outcome)
      return nil
    } catch {
      return ClientError(error)
    }
  }

  private func take(
    _ outcome: Courier.Outcome, of request: OutgoingRequest, _ engine: Engine
  ) async throws(EngineError) {
    switch outcome {
    case .answered(let answer): try await carryOut(try await engine.take(answer, at: clock.now))
    case .failed(let failure, let message):
      let outcome = try await engine.take(.responseFailed(request: request.number, failure: failure), at: clock.now)
      report(.failed(ClientError(failure, scope: request.scope, message: message)), await engine.state)
      try await carryOut(outcome)
    }
  }

  private func carryOut(_ outcome: Engine.Outcome) async throws(EngineError) {
    guard let engine, let (state, tail) = await engine.moment else { return }
    for number in outcome.cancelled { flights.removeValue(forKey: number)?.cancel() }
    for request in outcome.requests {
      flights[request.number] = Task { [courier] in
        let outcome = await courier.carry(request)
        guard !Task.isCancelled else { return }
        await self.deliver(outcome, of: request)
      }
    }
    for decision in outcome.decisions {
      switch decision {
      case .queryRejected(let rejected): report(.failed(ClientError(rejected)), state)
      case .errorReported(let reported): report(.failed(ClientError(reported)), state)
      case .weatherExpired(let expired): report(.data(expired.scope), state)
      case .fetchStarted, .fetchCancelled, .uploadStarted, .airportsSwitched: break
      }
    }
    for scope in outcome.filtered where !outcome.changed.contains(scope) { report(.filtered(scope), state) }
    for scope in outcome.changed { report(.data(scope), state) }
    if outcome.changed.contains(where: { $0 != .viewport && $0 != .outbox }) { keeper?.follow(state, through: tail) }
    scheduleWake(outcome.wake)
    scheduleSync()
  }

  private func deliver(_ outcome: Courier.Outcome, of request: OutgoingRequest) async {
    flights[request.number] = nil
    await work(on: .outcome(outcome, of: request))
  }

  // MARK: Time

  /// Tells the engine when the device's clock was set.
  private func noteWallClock(_ engine: Engine) async throws(EngineError) {
    let lead = clock.wallNow - clock.now
    guard abs(lead - wallLead) > Self.clockToleranceMS else { return }
    let step = lead - wallLead
    wallLead = lead
    try await carryOut(try await engine.take(.clockAdjusted(byMS: step), at: clock.now))
  }

  private func scheduleWake(_ wake: Engine.Wake?) {
    guard wake != timer?.wake else { return }
    timer?.task.cancel()
    timer = wake.map { wake in
      let task = Task { [clock] in
        guard (try? await clock.sleep(until: wake.at)) != nil else { return }
        await self.tick(wake)
      }
      return (wake, task)
    }
  }

  private func tick(_ wake: Engine.Wake) async {
    guard timer?.wake == wake else { return }
    timer = nil
    await submit([.clockTicked(scope: wake.scope, due: wake.at)])
  }

  /// However much became due while the process was away, one tick asks for it.
  private func wake() async throws(EngineError) {
    guard let engine, !isStopped else { return }
    try await noteWallClock(engine)
    guard let wake = await engine.wake, wake.at <= clock.now else { return }
    timer?.task.cancel()
    timer = nil
    try await carryOut(try await engine.take(.clockTicked(scope: wake.scope, due: wake.at), at: clock.now))
  }

  /// Sees to it that what was written is on stable storage within a second.
  private func scheduleSync() {
    guard syncTask == nil else { return }
    syncTask = Task { [clock] in
      guard (try? await clock.sleep(until: clock.now + 1000)) != nil else { return }
      await self.sync()
    }
  }

  private func sync() async {
    syncTask = nil
    await work(on: .sync)
  }
}

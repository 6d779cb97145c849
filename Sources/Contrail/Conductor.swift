import ContrailCore

/// Drives the engine by the wall: sends what it asks for, brings back what comes, wakes it when it wants to be woken.
///
/// Jobs are done one after the other, each to its end: what a later input cancels must have been sent before it can be cancelled.
actor Conductor {
  private let courier: Courier
  private let clock: any EngineClock
  private let report: @Sendable (ClientUpdate, State) -> Void
  private var engine: Engine?
  private var flights: [Int64: Task<Void, Never>] = [:]
  private var timer: (wake: Engine.Wake, task: Task<Void, Never>)?
  private var syncTask: Task<Void, Never>?
  private var isStopped = false
  private var jobs: [Job] = []
  private var isWorking = false

  private enum Job {
    case open(directory: String, Input.Session)
    case inputs([Input])
    case outcome(Courier.Outcome, of: OutgoingRequest)
    case sync
    case close(CheckedContinuation<Void, Never>)
  }

  init(courier: Courier, clock: any EngineClock, report: @escaping @Sendable (ClientUpdate, State) -> Void) {
    self.courier = courier
    self.clock = clock
    self.report = report
  }

  /// Opens the log, launches, and reports what the last launch left.
  func open(directory: String, session: Input.Session) async {
    await work(on: .open(directory: directory, session))
  }

  func submit(_ inputs: [Input]) async {
    guard !inputs.isEmpty else { return }
    await work(on: .inputs(inputs))
  }

  /// Gives up what is under way and leaves the log in order.
  func stop() async {
    isStopped = true
    flights.values.forEach { $0.cancel() }
    timer?.task.cancel()
    syncTask?.cancel()
    await withCheckedContinuation { done in
      jobs.append(.close(done))
      Task { await self.work(on: nil) }
    }
  }

  /// Does a job once those before it are done, unless another call is at work: then that one does it.
  private func work(on job: Job?) async {
    if let job { jobs.append(job) }
    guard !isWorking else { return }
    isWorking = true
    while !jobs.isEmpty {
      let job = jobs.removeFirst()
      do throws(EngineError) {
        try await perform(job)
      } catch {
        report(.failed(ClientError(error)), await engine?.state ?? State())
      }
    }
    isWorking = false
  }

  private func perform(_ job: Job) async throws(EngineError) {
    if case .close(let done) = job {
      defer { done.resume() }
      try await engine?.close(at: clock.now)
      return
    }
    guard !isStopped else { return }
    if case .open(let directory, let session) = job { return try await launch(directory, session) }
    guard let engine else { return }
    switch job {
    case .inputs(let inputs): try await carryOut(try await engine.take(inputs, at: clock.now))
    case .outcome(.answered(let answer), of: _): try await carryOut(try await engine.take(answer, at: clock.now))
    case .outcome(.failed(let failure, let message), of: let request):
      let outcome = try await engine.take(.responseFailed(request: request.number, failure: failure), at: clock.now)
      report(.failed(ClientError(failure, scope: request.scope, message: message)), await engine.state)
      try await carryOut(outcome)
    case .sync: try await engine.sync(at: clock.now)
    case .open, .close: break
    }
  }

  private func launch(_ directory: String, _ session: Input.Session) async throws(EngineError) {
    let (log, state, _) = try DirectoryLog.open(path: directory, at: clock.now)
    let engine = Engine(state: state, log: log)
    let outcome = try await engine.take(
      [.sessionStarted(session), .connectivityChanged(isOnline: true)], at: clock.now)
    self.engine = engine
    let opened = await engine.state
    report(.opened, opened)
    for scope in opened.scopes where scope.have != nil { report(.data(scope.id), opened) }
    try await carryOut(outcome)
  }

  private func carryOut(_ outcome: Engine.Outcome) async throws(EngineError) {
    guard let engine else { return }
    for number in outcome.cancelled { flights.removeValue(forKey: number)?.cancel() }
    for request in outcome.requests {
      flights[request.number] = Task { [courier] in
        let outcome = await courier.carry(request)
        guard !Task.isCancelled else { return }
        await self.deliver(outcome, of: request)
      }
    }
    let state = await engine.state
    for decision in outcome.decisions {
      switch decision {
      case .queryRejected(let rejected): report(.failed(ClientError(rejected)), state)
      case .errorReported(let reported): report(.failed(ClientError(reported)), state)
      case .weatherExpired(let expired): report(.data(expired.scope), state)
      case .fetchStarted, .fetchCancelled, .uploadStarted: break
      }
    }
    for scope in outcome.changed { report(.data(scope), state) }
    scheduleWake(outcome.wake)
    scheduleSync()
  }

  private func deliver(_ outcome: Courier.Outcome, of request: OutgoingRequest) async {
    flights[request.number] = nil
    await work(on: .outcome(outcome, of: request))
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

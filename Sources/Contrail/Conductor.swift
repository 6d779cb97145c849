import ContrailCore

/// Drives the engine by the wall: sends what it asks for, brings back what comes, wakes it when it wants to be woken.
actor Conductor {
  private let courier: Courier
  private let clock: any EngineClock
  private let report: @Sendable (ClientUpdate, State) -> Void
  private var engine: Engine?
  private var flights: [Int64: Task<Void, Never>] = [:]
  private var timer: (wake: Engine.Wake, task: Task<Void, Never>)?
  private var syncTask: Task<Void, Never>?
  private var isStopped = false

  init(courier: Courier, clock: any EngineClock, report: @escaping @Sendable (ClientUpdate, State) -> Void) {
    self.courier = courier
    self.clock = clock
    self.report = report
  }

  /// Opens the log, launches, and reports what the last launch left.
  func open(directory: String, session: Input.Session) async {
    do throws(EngineError) {
      let (log, state, _) = try DirectoryLog.open(path: directory, at: clock.now)
      let engine = Engine(state: state, log: log)
      let outcome = try await engine.take(
        [.sessionStarted(session), .connectivityChanged(isOnline: true)], at: clock.now)
      self.engine = engine
      let opened = await engine.state
      report(.opened, opened)
      for scope in opened.scopes where scope.have != nil { report(.data(scope.id), opened) }
      try await carryOut(outcome)
    } catch {
      report(.failed(ClientError(error)), State())
    }
  }

  func submit(_ inputs: [Input]) async {
    guard let engine, !isStopped, !inputs.isEmpty else { return }
    do throws(EngineError) {
      try await carryOut(try await engine.take(inputs, at: clock.now))
    } catch {
      report(.failed(ClientError(error)), await engine.state)
    }
  }

  /// Gives up what is under way and leaves the log in order.
  func stop() async {
    isStopped = true
    flights.values.forEach { $0.cancel() }
    timer?.task.cancel()
    syncTask?.cancel()
    guard let engine else { return }
    do throws(EngineError) {
      try await engine.close(at: clock.now)
    } catch {
      report(.failed(ClientError(error)), await engine.state)
    }
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
      case .fetchStarted, .fetchCancelled: break
      }
    }
    for scope in outcome.changed { report(.data(scope), state) }
    scheduleWake(outcome.wake)
    scheduleSync()
  }

  private func deliver(_ outcome: Courier.Outcome, of request: OutgoingRequest) async {
    flights[request.number] = nil
    guard let engine, !isStopped else { return }
    do throws(EngineError) {
      switch outcome {
      case .answered(let answer): try await carryOut(try await engine.take(answer, at: clock.now))
      case .failed(let failure, let message):
        let input = Input.responseFailed(request: request.number, failure: failure)
        let outcome = try await engine.take(input, at: clock.now)
        report(.failed(ClientError(failure, scope: request.scope, message: message)), await engine.state)
        try await carryOut(outcome)
      }
    } catch {
      report(.failed(ClientError(error)), await engine.state)
    }
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
    guard let engine, !isStopped else { return }
    do throws(EngineError) {
      try await engine.sync(at: clock.now)
    } catch {
      report(.failed(ClientError(error)), await engine.state)
    }
  }
}

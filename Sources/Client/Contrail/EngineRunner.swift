import ContrailCore
import ContrailEngine
import ContrailLog

/// Runs the driver in real time: opens and writes the log, sends requests, delivers responses, fires timers.
///
/// All actions of an event are performed before the next event is handled, so events are logged in order.
actor EngineRunner: ClientRunner {
  /// Requests that share an exchange.
  private struct Exchange {
    var task: Task<Void, Never>
    var numbers: [Int64]
  }

  /// The dependencies of the runner.
  struct Surroundings: Sendable {
    var directory: String
    var storage: any LogStorage
    var clock: any EngineClock
    var sender: RequestSender
    var side: ClientSide
    var levelAirports: @Sendable (AirportHoldings) -> Void
    /// Loads the airports of the cycle with an effective time in milliseconds.
    var loadAirports: @Sendable (Int64) -> Void
    /// The attributes of the directory.
    var files: DirectoryAttributes
    /// Returns a key or token of the application.
    var provideCredential: @Sendable (CredentialNeed) async -> CredentialAnswer
    /// Uses other credentials for what the driver doesn't send.
    var useCredentials: @Sendable (Credentials) -> Void
    /// Signs bytes; nil without a signer.
    var sign: (@Sendable ([UInt8]) async -> Result<[UInt8], SigningFailure>)?
    /// Closes the connections.
    var shutdown: @Sendable () async -> Void

    var databasePath: String { directory + "/projections.sqlite" }
  }

  private let surroundings: Surroundings
  private var driver: Driver
  private var log: DirectoryLog?
  /// Nil until the log is open.
  private var projection: ProjectionQueue?
  /// The exchanges that are in progress, by the numbers of their requests.
  private var sends: [Int64: Exchange] = [:]
  private var cancelled: Set<Int64> = []
  private var timer: Task<Void, Never>?
  /// The calls of the provider of credentials that haven't returned.
  private var credentialCalls: [Int64: Task<Void, Never>] = [:]
  private var signing: Task<Void, Never>?

  /// A log that was opened before the launch, because its settings were needed at once.
  ///
  /// Only the runner uses the log after it was passed on.
  struct Opened: @unchecked Sendable {
    let result: Result<(log: DirectoryLog, state: State), EngineError>

    init(_ directory: String, at now: Int64, _ storage: any LogStorage, _ files: DirectoryAttributes) {
      result = Result { () throws(EngineError) in
        try files.set(storage)
        let (log, state, _) = try DirectoryLog.open(path: directory, at: now, storage: storage)
        return (log, state)
      }
    }
  }

  private var opened: Opened?

  init(_ configuration: Driver.Configuration, opened: Opened?, _ surroundings: Surroundings) {
    self.surroundings = surroundings
    self.opened = opened
    driver = Driver(configuration)
  }

  func launch() { feed(.launched) }

  var requestCount: Int { sends.count }

  /// Handles the events of the application since the last call.
  nonisolated func wake() { Task { await self.takeEvents() } }

  private func takeEvents() {
    let events = surroundings.side.takeEvents()
    if !events.isEmpty { feed(.app(events)) }
  }

  private var time: EngineTime { EngineTime(now: surroundings.clock.now, wall: surroundings.clock.wallNow) }

  private func feed(_ event: DriverEvent) {
    driver.run(event, at: time) { _, actions, _ in actions.compactMap(perform) }
  }

  /// Performs an action. Returns its result if it is known at once; later results are fed to the driver.
  private func perform(_ action: DriverAction) -> DriverEvent? {
    switch action {
    case .preview:
      return .previewed(ProjectionWriter.preview(path: surroundings.databasePath))
    case .open: return open()
    case .log(let command): return log?.result(of: command)
    case .send(let requests, let credentials):
      let task = Task { [sender = surroundings.sender] in
        let results = await sender.send(requests, with: credentials)
        for (request, result) in zip(requests, results) { self.deliver(result, of: request.number) }
      }
      for request in requests { sends[request.number] = Exchange(task: task, numbers: requests.map(\.number)) }
    case .requestCredential(let number, let need): requestCredential(number, need)
    case .cancelCredential(let number): credentialCalls[number]?.cancel()
    case .useCredentials(let credentials): surroundings.useCredentials(credentials)
    case .cancel(let number): cancel(number)
    case .setTimer(let at): setTimer(at)
    case .project(let command):
      guard let projection else { break }
      Task {
        let result = await projection.perform(command)
        self.feed(.projected(result))
      }
    case .levelAirports(let holdings): surroundings.levelAirports(holdings)
    case .loadAirports(let effectiveMS): surroundings.loadAirports(effectiveMS)
    case .sign(let head): sign(head)
    case .publish(let publication):
      surroundings.side.publish(publication)
      if !publication.shown.state.isOnline { Task { [sender = surroundings.sender] in await sender.streams.relink() } }
    case .complete(let ticket, let error): surroundings.side.complete(ticket, error)
    case .close: close()
    }
    return nil
  }

  private func open() -> DriverEvent {
    let early = opened.take()
    let opened =
      early
      ?? Opened(surroundings.directory, at: surroundings.clock.now, surroundings.storage, surroundings.files)
    switch opened.result {
    case .success(let (log, state)):
      self.log = log
      projection = ProjectionQueue(path: surroundings.databasePath, crc: log.crc)
      return .opened(OpenedLog(state: state, status: log.status))
    case .failure(let error): return .openingFailed(error)
    }
  }

  /// Cancels an exchange once all of its requests are cancelled.
  private func cancel(_ number: Int64) {
    guard let exchange = sends[number] else { return }
    cancelled.insert(number)
    if cancelled.isSuperset(of: exchange.numbers) { exchange.task.cancel() }
  }

  private func deliver(_ result: RequestResult, of number: Int64) {
    sends[number] = nil
    cancelled.remove(number)
    feed(.responded(number, result))
  }

  private func requestCredential(_ number: Int64, _ need: CredentialNeed) {
    // Detached, because the application's provider may take long and must not keep the runner from its work.
    credentialCalls[number] = Task.detached { [weak self, provide = surroundings.provideCredential] in
      let answer = await provide(need)
      await self?.deliver(answer, of: number)
    }
  }

  private func deliver(_ answer: CredentialAnswer, of number: Int64) {
    credentialCalls[number] = nil
    feed(.credential(number, answer))
  }

  /// Asks the signer. The runner doesn't wait for it, nor does a signer that never returns keep the runner.
  private func sign(_ head: LogHead) {
    signing = surroundings.sign.map { sign in
      Task.detached { [weak self] in
        let result = await sign(head.statement)
        await self?.feed(.signed(head, result))
      }
    }
  }

  private func setTimer(_ at: Int64?) {
    timer?.cancel()
    timer = at.map { at in
      Task { [clock = surroundings.clock] in
        guard (try? await clock.sleep(until: at)) != nil, !Task.isCancelled else { return }
        self.feed(.timerFired)
      }
    }
  }

  private func close() {
    timer?.cancel()
    signing?.cancel()
    credentialCalls.values.forEach { $0.cancel() }
    log = nil
    Task { [projection, surroundings] in
      await projection?.close()
      await surroundings.shutdown()
      self.feed(.closed)
    }
  }
}

/// Writes the database on a separate thread. The runner never waits for it.
private actor ProjectionQueue {
  private let writer: ProjectionWriter

  init(path: String, crc: @escaping @Sendable (Int64) -> UInt32?) {
    writer = ProjectionWriter(path: path, crc: crc)
  }

  func perform(_ command: ProjectionCommand) -> ProjectionResult { writer.perform(command) }

  func close() { writer.close() }
}

import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog
import ContrailQuery
import Foundation

/// The state that a client shares with its tasks: the application's side, the listeners, and the runner.
///
/// Tasks refer to it instead of the client, so that a client without other references is released and stops.
final class ClientCore: Sendable {
  struct Shared {
    var app: AppSide
    var isTurnEnding = false
    /// Whether nothing is sent because its time has come.
    var isInBackground = false
    /// Nil after the client was released.
    var runner: (any ClientRunner)?
    /// Why the database was rebuilt when the log was opened; nil if it was not.
    var rebuild: StoreRebuild?
    var alerts = AlertTracker()
    /// The error of the last load of airports; nil if it succeeded.
    var airportsError: ClientError?
    var waiting: [Ticket: CheckedContinuation<ClientError?, Never>] = [:]
    var listeners: [Int: AsyncStream<ClientUpdate>.Continuation] = [:]
    var scopeListeners: [Int: (scope: ScopeID, continuation: AsyncStream<HeldData>.Continuation)] = [:]
    var statusListeners: [Int: (scope: ScopeID, continuation: AsyncStream<ScopeStatus>.Continuation)] = [:]
    var signals: [Int: LiveSignal] = [:]
    var nextListener = 0
    var channels: [ScopeID: ChannelSource<HeldData>] = [:]
    var viewportFollower: ViewportFollower?
    var systemWatch: SystemWatch?
    var isFinished = false

    func status(of scope: ScopeID) -> ScopeStatus {
      var status = app.shown.status(of: scope)
      if scope == .airports { status.lastError = airportsError }
      return isFinished ? status.whenStopped : status
    }

    func tellStatus(of scope: ScopeID) {
      for listener in statusListeners.values where listener.scope == scope {
        listener.continuation.yield(status(of: scope))
      }
    }
  }

  let shared: Lock<Shared>
  /// Held while the application edits the query. Recursive, because an edit may read the client's other settings.
  let editing = NSRecursiveLock()
  /// The link for what the driver doesn't send: airports, and weather that the application requests.
  let linkGate: LinkGate
  /// The copy of the settings beside the log.
  private let settingsFile: Lock<SettingsFile?>
  /// The reports by place, as of the last query, and whether they are being sorted on another thread.
  private let index = Lock((reports: ReportIndex(), isBeingMade: false))
  /// What the last profile computed for the next one.
  let profileMemory = Lock(ProfileMemory())
  let clock: any EngineClock
  let delegates = DelegateCaller()
  private let log: (@Sendable (LogMessage) -> Void)?
  let errorSource = ChannelSource<ClientError>()
  /// The key for requests of airport files.
  let airportsKey = Lock<String?>(nil)

  init(
    clock: any EngineClock, settings: AppSettings = AppSettings(), settingsFile: SettingsFile? = nil,
    isOnline: Bool = true, log: (@Sendable (LogMessage) -> Void)? = nil
  ) {
    self.log = log
    self.clock = clock
    self.settingsFile = Lock(settingsFile)
    shared = Lock(Shared(app: AppSide(settings, isOnline: isOnline)))
    linkGate = LinkGate(isOpen: isOnline)
  }

  var shown: Shown { shared.withLock { $0.app.shown } }

  /// Passes the index of a state's reports to a query. After a launch, the query gets nil until the index is made.
  ///
  /// Another thread makes the index, but only once the log is open, so that it doesn't compete with opening the log.
  func withIndex<T, E>(of state: State, _ query: (ReportIndex?) throws(E) -> T) throws(E) -> T {
    let isOpen = shown.isOpen
    let (found, isMissing) = index.withLock { index -> (ReportIndex?, Bool) in
      guard !index.isBeingMade else { return (nil, false) }
      if index.reports.isFarBehind(state) {
        index.isBeingMade = isOpen
        return (nil, isOpen)
      }
      index.reports.update(to: state)
      return (index.reports, false)
    }
    defer {
      if isMissing {
        Task.detached { [self] in
          let made = ReportIndex(of: state)
          index.withLock { $0 = (made, false) }
        }
      }
    }
    return try query(found)
  }

  /// Starts the driver.
  func run(
    _ configuration: Driver.Configuration, directory: String, storage: any LogStorage, files: DirectoryAttributes,
    opened: EngineRunner.Opened?, sender: RequestSender,
    provideCredential: @escaping @Sendable (CredentialNeed) async -> CredentialAnswer,
    levelAirports: @escaping @Sendable () -> Void,
    loadAirports: @escaping @Sendable (Int64) -> Void,
    sign: (@Sendable ([UInt8]) async -> Result<[UInt8], SigningFailure>)?,
    shutdown: @escaping @Sendable () async -> Void
  ) {
    run { side in
      EngineRunner(
        configuration, opened: opened,
        .init(
          directory: directory, storage: storage, clock: clock, sender: sender, side: side,
          levelAirports: { _ in levelAirports() }, loadAirports: loadAirports, files: files,
          provideCredential: provideCredential,
          useCredentials: { [airportsKey] credentials in airportsKey.withLock { $0 = credentials.apiKey } },
          sign: sign,
          shutdown: shutdown))
    }
  }

  /// Starts a runner.
  func run(_ make: (ClientSide) -> any ClientRunner) {
    let runner = make(
      ClientSide(
        takeEvents: { [shared] in shared.withLock { $0.app.takeEvents() } },
        publish: { self.publish($0) }, complete: { self.complete($0, $1) }))
    shared.withLock { $0.runner = runner }
    Task.detached {
      await runner.launch()
      runner.wake()
    }
    // After the turn of an application that creates the client on the main thread.
    Task { @MainActor in
      endTurn()
      add(.ready)
    }
  }

  // MARK: From the application

  /// Changes settings. All changes in one turn of the caller are combined.
  func change(_ change: (inout AppSide) -> Void) {
    let isFirst = shared.withLock { shared in
      change(&shared.app)
      defer { shared.isTurnEnding = true }
      return !shared.isTurnEnding
    }
    guard isFirst else { return }
    // The main actor runs this task after the caller's turn has ended.
    Task { @MainActor in self.endTurn() }
  }

  /// Changes the switches of the link.
  func setLink(_ change: (inout AppSide) -> Void) {
    let mayUseLink = shared.withLock { shared in
      change(&shared.app)
      return shared.app.mayUseLink
    }
    linkGate.set(isOpen: mayUseLink)
    self.change { _ in }
  }

  private func endTurn() {
    shared.withLock { shared in
      shared.isTurnEnding = false
      shared.app.endTurn()
      return shared.runner
    }?.wake()
  }

  /// Adds an event after all earlier changes.
  func add(_ event: AppEvent) {
    shared.withLock { shared in
      shared.app.add(event)
      return shared.runner
    }?.wake()
  }

  /// Adds an event, and returns after it is completed.
  func wait(_ event: (Ticket) -> AppEvent) async -> ClientError? {
    await withCheckedContinuation { done in
      let runner = shared.withLock { shared -> (any ClientRunner)? in
        guard let runner = shared.runner else { return nil }
        let ticket = shared.app.makeTicket()
        shared.waiting[ticket] = done
        shared.app.add(event(ticket))
        return runner
      }
      if let runner { runner.wake() } else { done.resume(returning: .stopped) }
    }
  }

  /// Stops the driver after the client was released.
  func release() {
    let (watch, follower) = shared.withLock { ($0.systemWatch.take(), $0.viewportFollower.take()) }
    watch?.end()
    follower?.end()
    // The runner refers to this object, and lives until it has stopped.
    let runner = shared.withLock { shared in
      shared.app.add(.stop(nil))
      return shared.runner.take()
    }
    runner?.wake()
    finish()
  }

  // MARK: From the driver

  private func complete(_ ticket: Ticket, _ error: ClientError?) {
    shared.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: error)
  }

  /// Sends an update that doesn't come from the driver.
  func report(_ update: ClientUpdate) {
    tell([update])
    log?(LogMessage(update, shown))
    shared.withLock { shared in
      switch update {
      case .failed(let error) where error.scope == .airports:
        shared.airportsError = error
        shared.tellStatus(of: .airports)
      case .recovered(.airports):
        shared.airportsError = nil
        shared.tellStatus(of: .airports)
      default: break
      }
      shared.listeners.values.forEach { $0.yield(update) }
    }
    send(errorsOf: [update])
  }

  /// Sends new errors to the listeners. Clears the last error when it has ended, so that new listeners don't receive it.
  private func send(errorsOf updates: [ClientUpdate]) {
    for update in updates {
      switch update {
      case .failed(let error): errorSource.send(error, isKept: error.lasts)
      case .opened: errorSource.clear { $0.isOfOpening }
      case .recovered(let scope): errorSource.clear { $0.scope == scope }
      default: break
      }
    }
  }

  /// Returns the status of a scope.
  func status(of scope: ScopeID) -> ScopeStatus {
    shared.withLock { $0.status(of: scope) }
  }

  private func tell(_ updates: [ClientUpdate]) {
    shared.withLock { shared in delegates.tell(updates, [:], shared.app.shown) }
  }

  private func publish(_ publication: Publication) {
    let now = clock.now
    let (sends, signals) = shared.withLock { shared -> ([(ChannelSource<HeldData>, HeldData)], [LiveSignal]) in
      shared.app.show(publication)
      delegates.tell(publication.updates, publication.newTypes, publication.shown)
      var scopes: Set<ScopeID> = []
      for update in publication.updates {
        shared.listeners.values.forEach { $0.yield(update) }
        switch update {
        case .opened: scopes.formUnion(shared.scopeListeners.values.map(\.scope) + shared.channels.keys)
        case .rebuilt(let rebuild): shared.rebuild = rebuild
        case .status(let scope):
          shared.tellStatus(of: scope)
        default: if let scope = update.changedScope { scopes.insert(scope) }
        }
      }
      var sends: [(ChannelSource<HeldData>, HeldData)] = []
      for scope in scopes {
        let held = publication.shown.data(of: scope, at: now)
        for listener in shared.scopeListeners.values where listener.scope == scope { listener.continuation.yield(held) }
        if let source = shared.channels[scope] { sends.append((source, held)) }
      }
      let isChanged = publication.updates.contains(where: \.concernsQueries)
      return (sends, isChanged ? Array(shared.signals.values) : [])
    }
    if let log { for update in publication.updates { log(LogMessage(update, publication.shown)) } }
    for signal in signals { signal.set() }
    if publication.shown.isOpen { settingsFile.withLock { $0?.keep(publication.shown.state) } }
    // Outside the lock, because sinks may call the client.
    for (source, held) in sends { source.send(held) }
    send(errorsOf: publication.updates)
  }

  // MARK: Listening

  func set(_ delegate: (any ContrailClientDelegate)?) {
    observe { shared in
      delegates.delegate = delegate
      guard delegate != nil else { return }
      if shared.app.shown.isOpen {
        delegates.tell([.opened], [:], shared.app.shown)
      } else if let error = shared.app.openingError {
        delegates.tell([.failed(error)], [:], shared.app.shown)
      }
    }
  }

  func updates() -> AsyncStream<ClientUpdate> {
    AsyncStream { continuation in
      observe { shared in
        if let failure = shared.app.openingError { continuation.yield(.failed(failure)) }
        if let rebuild = shared.rebuild { continuation.yield(.rebuilt(rebuild)) }
        if shared.app.shown.isOpen {
          continuation.yield(.opened)
          for scope in shared.app.shown.state.scopes where scope.have != nil { continuation.yield(.stored(scope.id)) }
        }
        let number = Self.add(continuation, to: \.listeners, &shared)
        continuation.onTermination = { [weak self] _ in self?.observe { $0.listeners[number] = nil } }
        return shared.isFinished ? continuation : nil
      }?.finish()
    }
  }

  func updates(for scope: ScopeID) -> AsyncStream<HeldData> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let now = clock.now
      observe(at: now) { shared in
        if shared.app.shown.isOpen { continuation.yield(shared.app.shown.data(of: scope, at: now)) }
        let number = Self.add((scope, continuation), to: \.scopeListeners, &shared)
        continuation.onTermination = { [weak self] _ in self?.observe { $0.scopeListeners[number] = nil } }
        return shared.isFinished ? continuation : nil
      }?.finish()
    }
  }

  func statuses(of scope: ScopeID) -> AsyncStream<ScopeStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      observe { shared in
        continuation.yield(shared.status(of: scope))
        let number = Self.add((scope, continuation), to: \.statusListeners, &shared)
        continuation.onTermination = { [weak self] _ in self?.observe { $0.statusListeners[number] = nil } }
        return shared.isFinished ? continuation : nil
      }?.finish()
    }
  }

  func channel(for scope: ScopeID) -> Channel<HeldData> {
    let now = clock.now
    return observe(at: now) { shared in
      if let source = shared.channels[scope] { return source.channel }
      let shown = shared.app.shown
      let source = shown.isOpen ? ChannelSource(initial: shown.data(of: scope, at: now)) : ChannelSource()
      shared.channels[scope] = source
      return source.channel
    }
  }

  /// Adds a signal that is set whenever the result of a query may have changed.
  func addSignal(_ signal: LiveSignal) -> Int {
    shared.withLock { shared in
      if shared.isFinished { signal.end() }
      return Self.add(signal, to: \.signals, &shared)
    }
  }

  func removeSignal(_ number: Int) { shared.withLock { $0.signals[number] = nil } }

  private static func add<Listener>(
    _ listener: Listener, to list: WritableKeyPath<Shared, [Int: Listener]>, _ shared: inout Shared
  ) -> Int {
    shared.nextListener += 1
    shared[keyPath: list][shared.nextListener] = listener
    return shared.nextListener
  }

  /// Changes the listeners, and informs the driver whether there are any.
  ///
  /// - Parameter now: The time as of which a new listener sees the data; nil for the current time.
  @discardableResult
  private func observe<T>(at now: Int64? = nil, _ change: (inout Shared) -> T) -> T {
    let now = now ?? clock.now
    let (result, runner) = shared.withLock { shared -> (T, (any ClientRunner)?) in
      let result = change(&shared)
      let isObserved =
        !shared.listeners.isEmpty || !shared.scopeListeners.isEmpty || !shared.channels.isEmpty
        || delegates.delegate != nil
      return (result, shared.app.setObserved(at: isObserved ? now : nil) ? shared.runner : nil)
    }
    runner?.wake()
    return result
  }

  /// Ends all streams and channels.
  func finish() {
    let ended = shared.withLock { shared in
      defer {
        shared.isFinished = true
        shared.listeners = [:]
        shared.scopeListeners = [:]
        shared.statusListeners = [:]
        shared.signals = [:]
      }
      return shared
    }
    // Outside the lock: the termination handler of a stream takes the lock itself.
    ended.listeners.values.forEach { $0.finish() }
    ended.scopeListeners.values.forEach { $0.continuation.finish() }
    for listener in ended.statusListeners.values {
      listener.continuation.yield(status(of: listener.scope))
      listener.continuation.finish()
    }
    ended.channels.values.forEach { $0.finish() }
    ended.signals.values.forEach { $0.end() }
    errorSource.finish()
  }
}

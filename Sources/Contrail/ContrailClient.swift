public import ContrailAirports
public import ContrailCore
public import ContrailDeferred
public import ContrailHTTP
package import ContrailLog
import ContrailQuery
public import ContrailWire

/// Keeps the data of a flight up to date over a link that comes and goes, and has them there offline.
///
/// ```swift
/// let client = try ContrailClient(.init(server: "https://example.com", apiKey: key, directory: folder))
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// for await held in client.updates(for: .corridor) { show(held.turbulence) }
/// ```
///
/// Every property can be set from any thread, without `await`; several set in one turn cost one request. What is set stays across
/// launches. What happens is told in three ways, of which an application takes the one that suits it: ``updates`` and
/// ``updates(for:)`` for `for await`, a ``delegate``, and ``channel(for:)`` for sinks and Combine.
public final class ContrailClient: Sendable {
  /// How a client runs.
  public struct Configuration: Sendable {
    /// The server's address, such as `https://example.com`.
    public var server: String
    /// The application's key. Never written anywhere.
    public var apiKey: String?
    /// The folder that the log is kept in; made if it isn't there. One process at a time may have it.
    public var directory: String
    /// Where the weather comes from; nil for the server itself, with the application's key.
    public var weather: WeatherService?
    /// Whether the link is told by the system, where it tells. Otherwise by ``ContrailClient/isOnline`` alone.
    public var followsSystemLink = true
    /// Whether the client rests in the background and looks for what is due on coming back, where the system tells.
    public var followsAppLifecycle = true

    public init(server: String, apiKey: String?, directory: String) {
      self.server = server
      self.apiKey = apiKey
      self.directory = directory
    }
  }

  struct Shared {
    /// What the application has set; until the log is open, without what earlier launches had set.
    var settings = ClientSettings()
    var isOpen = false
    var isOnline = true
    /// What has not been told to the engine yet.
    var newLink: Bool?
    /// Credentials that the engine has not been told of.
    var newCredentials = Credentials()
    /// Why the database was made anew when the log was opened.
    var rebuild: StoreRebuild?
    /// Why the log could not be opened.
    var openingFailure: ClientError?
    var isFlushPlanned = false
    var refresh: Bool?
    var state = State()
    /// When the state was told, by the client's clock.
    var stateAt: Int64?
    /// What was told of the turbulence ahead.
    var alerts = AlertTracker()
    var listeners: [Int: AsyncStream<ClientUpdate>.Continuation] = [:]
    var nextListener = 0
    var scopeListeners: [Int: (scope: ScopeID, continuation: AsyncStream<HeldData>.Continuation)] = [:]
    var channels: [ScopeID: ChannelSource<HeldData>] = [:]
    var viewportFollower: ViewportFollower?
    var systemWatch: SystemWatch?
  }

  let shared: Locked<Shared>
  let conductor: Conductor
  /// The airports: which cycle is loaded, and where to ask for them.
  public let airports: AirportsKeeper
  /// The key that files of airports are asked for with.
  private let airportsKey: Locked<String?>
  let clock: any EngineClock
  private let transport: any ClosableTransport
  private let weatherTransport: (any ClosableTransport)?
  private let delegates: DelegateCaller
  private let errorSource = ChannelSource<ClientError>()

  /// Makes a client and returns at once; the log is opened on another thread, and ``ClientUpdate/opened`` says when it is.
  ///
  /// - Throws: ``EngineError`` for a server's address that is none.
  public convenience init(_ configuration: Configuration) throws(EngineError) {
    var weatherTransport: (any ClosableTransport)?
    if let weather = configuration.weather { weatherTransport = try PlatformTransport.connect(to: weather.server) }
    try self.init(
      configuration, transport: try PlatformTransport.connect(to: configuration.server), clock: SystemClock(),
      weatherTransport: weatherTransport)
  }

  /// Makes a client over transports and a clock of one's own.
  ///
  /// - Parameters:
  ///   - weatherTransport: To the weather service that the configuration names; nil sends those requests over `transport` too.
  ///   - airportTransport: Brings files of airports; nil has them over `transport` too.
  public convenience init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)? = nil, airportTransport: (any AirportTransport)? = nil
  ) throws(EngineError) {
    try self.init(
      configuration, transport: transport, clock: clock, weatherTransport: weatherTransport,
      airportTransport: airportTransport, storage: POSIXStorage())
  }

  package init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)?, airportTransport: (any AirportTransport)?, storage: any LogStorage
  ) throws(EngineError) {
    let shared = Locked(Shared())
    let delegates = DelegateCaller()
    self.shared = shared
    self.transport = transport
    self.weatherTransport = weatherTransport
    self.clock = clock
    self.delegates = delegates
    var courier = Courier(transport: transport, apiKey: configuration.apiKey)
    if let weather = configuration.weather {
      courier = courier.with(weather: weatherTransport ?? transport, token: weather.token)
    }
    let airportsKey = Locked(configuration.apiKey)
    self.airportsKey = airportsKey
    let tell = { @Sendable [errorSource] (update: ClientUpdate, state: State?) in
      if case .failed(let error) = update { errorSource.send(error) }
      delegates.tell(update, state)
      Self.report(update, state, shared, at: clock.now)
    }
    let airports = AirportsKeeper(
      directory: configuration.directory,
      transport: airportTransport
        ?? HTTPAirportTransport(transport: transport) {
          airportsKey.withLock { $0 }.map { [(WireHeader.apiKey, $0)] } ?? []
        },
      now: { (clock.now + shared.withLock { $0.state.serverOffsetMS ?? 0 }) / 1000 },
      report: { tell($0, nil) })
    self.airports = airports
    conductor = Conductor(courier: courier, clock: clock, storage: storage) { update, state in
      tell(update, state)
      airports.follow(update)
    }
    airports.connect(conductor)
    let session = Input.Session(
      engine: Engine.version, id: Hex.string(UInt64.random(in: 0...UInt64.max)), seed: UInt64.random(in: 0...UInt64.max)
    )
    Task.detached { [conductor] in
      await conductor.open(
        directory: configuration.directory, session: session, isOnline: shared.withLock { $0.isOnline })
      await Self.flush(shared, conductor)
    }
    let watch = SystemWatch(configuration, client: self)
    shared.withLock { $0.systemWatch = watch }
  }

  // MARK: What is wanted

  /// Which data are wanted. After any change it is checked whether data must be fetched.
  public var dataQuery: DataQuery {
    get { shared.withLock { $0.settings.dataQuery } }
    set { change { $0.settings.dataQuery = newValue } }
    _modify {
      // In place, so that two threads that set different properties don't undo each other's.
      var query = shared.withLock { $0.settings.dataQuery }
      let before = query
      yield &query
      change { $0.settings.dataQuery = $0.settings.dataQuery.changed(from: before, to: query) }
    }
  }

  /// How far back data are wanted; two hours at first. A shorter time is served at once, a longer one is fetched.
  public var dataHistoryTime: DataHistoryTime {
    get { shared.withLock { $0.settings.dataHistoryTime } }
    set { change { $0.settings.dataHistoryTime = newValue } }
  }

  /// How often data are brought up to date; every minute at first.
  public var dataUpdateFrequency: DataUpdateFrequency {
    get { shared.withLock { $0.settings.dataUpdateFrequency } }
    set { change { $0.settings.dataUpdateFrequency = newValue } }
  }

  /// Asks for data now: everything anew, or what is new. It isn't needed after a change of the query.
  public func fetchData(refresh: Bool) {
    change { $0.refresh = ($0.refresh ?? false) || refresh }
  }

  /// Whether there is a link. True at first; where the system tells, it sets this by itself.
  ///
  /// Offline nothing is tried; on coming back what is due is asked for at once.
  public var isOnline: Bool {
    get { shared.withLock { $0.isOnline } }
    set {
      change { shared in
        guard shared.isOnline != newValue else { return }
        shared.isOnline = newValue
        shared.newLink = newValue
      }
    }
  }

  /// Takes another key into use, or none. What had been refused for the old one is asked again.
  public func setAPIKey(_ key: String?) {
    airportsKey.withLock { $0 = key }
    change { $0.newCredentials.apiKey = .some(key) }
  }

  /// Takes another token for the weather service into use, or none. What had been refused for the old one is asked again.
  ///
  /// Where the server itself answers for the weather it does nothing for it: there the server's key is the token.
  public func setWeatherToken(_ token: String?) {
    change { $0.newCredentials.weatherToken = .some(token) }
  }

  /// Gives up what is under way and leaves the log in order. The client fetches nothing after it.
  public func stop() async {
    shared.withLock { $0.systemWatch.take() }?.end()
    stopFollowing()
    await conductor.stop()
    await transport.shutdown()
    await weatherTransport?.shutdown()
    let (listeners, scopeListeners, channels) = shared.withLock { shared in
      defer {
        shared.listeners = [:]
        shared.scopeListeners = [:]
      }
      return (shared.listeners.values, shared.scopeListeners.values, shared.channels.values)
    }
    // Not under the lock: who is told that a stream has ended takes it.
    listeners.forEach { $0.finish() }
    scopeListeners.forEach { $0.continuation.finish() }
    channels.forEach { $0.finish() }
    errorSource.finish()
  }

  // MARK: In the background

  /// Puts all that was received on stable storage; the process may be suspended or ended when it returns.
  ///
  /// Called by itself when an application goes to the background, where the system tells.
  public func enterBackground() async { await conductor.rest() }

  /// Looks once for what became due while the process was away.
  ///
  /// Called by itself when an application comes back, where the system tells.
  public func enterForeground() { Task { [conductor] in await conductor.resume() } }

  // MARK: What happens

  /// Is called on the main actor, in the order in which things happen. Held weakly.
  public var delegate: (any ContrailClientDelegate)? {
    get { delegates.delegate }
    set { delegates.delegate = newValue }
  }

  /// What goes wrong, for sinks.
  public var errors: Channel<ClientError> { errorSource.channel }

  /// What happens, from now on: for each scope that holds data, the first element says so.
  public var updates: AsyncStream<ClientUpdate> {
    AsyncStream { continuation in
      let number = shared.withLock { shared in
        if let failure = shared.openingFailure { continuation.yield(.failed(failure)) }
        if let rebuild = shared.rebuild { continuation.yield(.rebuilt(rebuild)) }
        if shared.isOpen {
          continuation.yield(.opened)
          for scope in shared.state.scopes where scope.have != nil { continuation.yield(.data(scope.id)) }
        }
        shared.nextListener += 1
        shared.listeners[shared.nextListener] = continuation
        return shared.nextListener
      }
      continuation.onTermination = { [shared] _ in
        shared.withLock { _ = $0.listeners.removeValue(forKey: number) }
      }
    }
  }

  /// What a scope holds: first what the disk does, once it is open, then after each answer. Whoever is slow gets the newest.
  public func updates(for scope: ScopeID) -> AsyncStream<HeldData> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = shared.withLock { shared in
        if shared.isOpen { continuation.yield(HeldData(scope: scope, state: shared.state)) }
        shared.nextListener += 1
        shared.scopeListeners[shared.nextListener] = (scope, continuation)
        return shared.nextListener
      }
      continuation.onTermination = { [shared] _ in
        shared.withLock { _ = $0.scopeListeners.removeValue(forKey: number) }
      }
    }
  }

  /// What a scope holds, for sinks and Combine: the current value as soon as the disk is open, then one after each answer.
  public func channel(for scope: ScopeID) -> Channel<HeldData> {
    shared.withLock { shared in
      if let source = shared.channels[scope] { return source.channel }
      let source = shared.isOpen ? ChannelSource(initial: HeldData(scope: scope, state: shared.state)) : ChannelSource()
      shared.channels[scope] = source
      return source.channel
    }
  }

  // MARK: What is held

  /// What a scope holds now; offline too.
  public func data(of scope: ScopeID) -> HeldData { HeldData(scope: scope, state: shared.withLock { $0.state }) }

  /// When data of a scope were last received from the server, in milliseconds since 1970 by this device's clock; nil if never.
  public func lastUpdateTime(of scope: ScopeID) -> Int64? {
    shared.withLock { $0.state.scope(scope)?.lastSuccessAt }
  }

  /// The state, and the log's time now, in milliseconds. The log's time may be ahead of the device's, whose clock can be set back.
  var moment: (state: State, now: Int64) {
    let (state, at) = shared.withLock { ($0.state, $0.stateAt) }
    // Before the log is open nothing is known of its time.
    return (state, at.map { state.now + max(clock.now - $0, 0) } ?? clock.now)
  }

  // MARK: Between the application and the engine

  private func change(_ change: (inout Shared) -> Void) {
    let isFirst = shared.withLock { shared in
      change(&shared)
      defer { shared.isFlushPlanned = true }
      return !shared.isFlushPlanned
    }
    guard isFirst else { return }
    // Tells the engine once this turn of the caller is over: the main actor is free again then.
    Task { @MainActor [shared, conductor] in await Self.flush(shared, conductor) }
  }

  private static func flush(_ shared: Locked<Shared>, _ conductor: Conductor) async {
    let (credentials, inputs) = shared.withLock { shared -> (Credentials, [Input]) in
      guard shared.isOpen else { return (Credentials(), []) }
      shared.isFlushPlanned = false
      var inputs: [Input] = []
      if let isOnline = shared.newLink.take() { inputs.append(.connectivityChanged(isOnline: isOnline)) }
      inputs += shared.settings.drain()
      if let refresh = shared.refresh.take() { inputs.append(.refreshRequested(full: refresh)) }
      defer { shared.newCredentials = Credentials() }
      return (shared.newCredentials, inputs)
    }
    if !credentials.isEmpty { await conductor.take(credentials) }
    await conductor.submit(inputs)
  }

  private static func report(_ update: ClientUpdate, _ state: State?, _ shared: Locked<Shared>, at now: Int64) {
    let sends = shared.withLock { shared -> [(ChannelSource<HeldData>, HeldData)] in
      if let state, state.nextSeq >= shared.state.nextSeq {
        shared.state = state
        shared.stateAt = now
      }
      shared.listeners.values.forEach { $0.yield(update) }
      var scopes: [ScopeID] = []
      switch update {
      case .opened:
        shared.settings.adopt(ClientSettings(shared.state))
        shared.isOpen = true
        scopes = Array(Set(shared.scopeListeners.values.map(\.scope) + shared.channels.keys))
      case .failed(let failure):
        if !shared.isOpen, failure.code != .store { shared.openingFailure = failure }
      case .data(let scope), .filtered(let scope): scopes = [scope]
      case .rebuilt(let rebuild): shared.rebuild = rebuild
      case .airportsRebuilt: break
      }
      var sends: [(ChannelSource<HeldData>, HeldData)] = []
      for scope in scopes {
        let held = HeldData(scope: scope, state: shared.state)
        for listener in shared.scopeListeners.values where listener.scope == scope { listener.continuation.yield(held) }
        if let source = shared.channels[scope] { sends.append((source, held)) }
      }
      return sends
    }
    // Sinks may call back.
    for (source, held) in sends { source.send(held) }
  }
}

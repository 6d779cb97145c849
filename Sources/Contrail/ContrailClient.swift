public import ContrailCore
public import ContrailWire

/// Keeps the data of a flight up to date over a link that comes and goes, and has them there offline.
///
/// ```swift
/// let client = try ContrailClient(.init(server: "https://example.com", apiKey: key, directory: folder))
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// for await update in client.updates {
///   if case .data(.corridor) = update { show(client.turbulence(in: .corridor)) }
/// }
/// ```
///
/// Every property can be set from any thread, without `await`; several set in one turn cost one request. What is set stays across
/// launches.
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
    /// Why the log could not be opened.
    var openingFailure: ClientError?
    var isFlushPlanned = false
    var refresh: Bool?
    var state = State()
    var listeners: [Int: AsyncStream<ClientUpdate>.Continuation] = [:]
    var nextListener = 0
  }

  let shared: Locked<Shared>
  let conductor: Conductor
  let clock: any EngineClock
  private let transport: any ClosableTransport
  private let weatherTransport: (any ClosableTransport)?

  /// Makes a client and returns at once; the log is opened on another thread, and ``ClientUpdate/opened`` says when it is.
  ///
  /// - Throws: ``EngineError`` for a server's address that is none.
  public convenience init(_ configuration: Configuration) throws(EngineError) {
    var weatherTransport: (any ClosableTransport)?
    if let weather = configuration.weather { weatherTransport = try PlatformTransport.make(server: weather.server) }
    try self.init(
      configuration, transport: try PlatformTransport.make(server: configuration.server), clock: SystemClock(),
      weatherTransport: weatherTransport)
  }

  /// Makes a client over transports and a clock of one's own.
  ///
  /// - Parameter weatherTransport: To the weather service that the configuration names; nil sends those requests over `transport` too.
  public init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)? = nil
  ) throws(EngineError) {
    let shared = Locked(Shared())
    self.shared = shared
    self.transport = transport
    self.weatherTransport = weatherTransport
    self.clock = clock
    var courier = Courier(transport: transport, apiKey: configuration.apiKey)
    if let weather = configuration.weather {
      courier = courier.with(weather: weatherTransport ?? transport, token: weather.token)
    }
    conductor = Conductor(courier: courier, clock: clock) {
      Self.report($0, $1, shared)
    }
    let session = Input.Session(
      engine: Engine.version, id: Hex.string(UInt64.random(in: 0...UInt64.max)), seed: UInt64.random(in: 0...UInt64.max)
    )
    Task.detached { [conductor] in
      await conductor.open(directory: configuration.directory, session: session)
      await Self.flush(shared, conductor)
    }
  }

  // MARK: What is wanted

  /// Which data are wanted. After any change it is checked whether data must be fetched.
  public var dataQuery: DataQuery {
    get { shared.withLock { $0.settings.dataQuery } }
    set { change { $0.dataQuery = newValue } }
  }

  /// How far back data are wanted; two hours at first. A shorter time is served at once, a longer one is fetched.
  public var dataHistoryTime: DataHistoryTime {
    get { shared.withLock { $0.settings.dataHistoryTime } }
    set { change { $0.dataHistoryTime = newValue } }
  }

  /// How often data are brought up to date; every minute at first.
  public var dataUpdateFrequency: DataUpdateFrequency {
    get { shared.withLock { $0.settings.dataUpdateFrequency } }
    set { change { $0.dataUpdateFrequency = newValue } }
  }

  /// Asks for data now: everything anew, or what is new. It isn't needed after a change of the query.
  public func fetchData(refresh: Bool) {
    shared.withLock { $0.refresh = ($0.refresh ?? false) || refresh }
    planFlush()
  }

  /// Gives up what is under way and leaves the log in order. The client fetches nothing after it.
  public func stop() async {
    await conductor.stop()
    await transport.shutdown()
    await weatherTransport?.shutdown()
    shared.withLock { shared in
      shared.listeners.values.forEach { $0.finish() }
      shared.listeners = [:]
    }
  }

  // MARK: What is held

  /// What happens, from now on: for each scope that holds data, the first element says so.
  public var updates: AsyncStream<ClientUpdate> {
    AsyncStream { continuation in
      let number = shared.withLock { shared in
        if let failure = shared.openingFailure { continuation.yield(.failed(failure)) }
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

  /// When data of a scope were last received from the server, in milliseconds since 1970 by this device's clock; nil if never.
  public func lastUpdateTime(of scope: ScopeID) -> Int64? {
    shared.withLock { $0.state.scope(scope)?.lastSuccessAt }
  }

  /// The turbulence reports that are held in a scope and wanted, the oldest first; offline too.
  ///
  /// - Complexity: O(*n* log *n*).
  public func turbulence(in scope: ScopeID) -> [TurbulenceReport] {
    let state = shared.withLock { $0.state }
    guard let scope = state.scope(scope), let want = scope.want else { return [] }
    return scope.reports.sorted.filter { want.admits($0, asOf: state.serverNow / 1000) }
  }

  // MARK: Between the application and the engine

  private func change(_ change: (inout ClientSettings) -> Void) {
    shared.withLock { change(&$0.settings) }
    planFlush()
  }

  /// Tells the engine of changes once this turn of the caller is over.
  private func planFlush() {
    let isFirst = shared.withLock { shared in
      defer { shared.isFlushPlanned = true }
      return !shared.isFlushPlanned
    }
    guard isFirst else { return }
    Task { @MainActor [shared, conductor] in
      // The main actor is free again when the turn that set the property is over.
      await Self.flush(shared, conductor)
    }
  }

  private static func flush(_ shared: Locked<Shared>, _ conductor: Conductor) async {
    let inputs = shared.withLock { shared -> [Input] in
      guard shared.isOpen else { return [] }
      shared.isFlushPlanned = false
      var inputs = shared.settings.drain()
      if let refresh = shared.refresh { inputs.append(.refreshRequested(full: refresh)) }
      shared.refresh = nil
      return inputs
    }
    await conductor.submit(inputs)
  }

  private static func report(_ update: ClientUpdate, _ state: State, _ shared: Locked<Shared>) {
    shared.withLock { shared in
      if state.nextSeq >= shared.state.nextSeq { shared.state = state }
      switch update {
      case .opened:
        shared.settings.adopt(ClientSettings(state))
        shared.isOpen = true
      case .failed(let failure) where !shared.isOpen: shared.openingFailure = failure
      case .failed, .data: break
      }
      shared.listeners.values.forEach { $0.yield(update) }
    }
  }
}

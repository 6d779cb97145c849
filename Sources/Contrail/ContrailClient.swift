package import ContrailAirports
public import ContrailCore
public import ContrailDeferred
public import ContrailEngine
package import ContrailHTTP
package import ContrailLog
public import ContrailWire
public import Foundation

/// Keeps the data of a flight up to date over a link that comes and goes, and has them there offline.
///
/// ```swift
/// let client = try ContrailClient(.init(server: server, apiKey: key, directory: folder))
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// for await held in client.updates(for: .corridor) { show(held.turbulence) }
/// ```
///
/// Every property can be set from any thread, without `await`; several set in one turn cost one request. What is set stays across
/// launches, and can be set before the log is open. There are three ways to follow changes: ``updates`` and ``updates(for:)`` for
/// `for await`, a ``delegate``, and ``channel(for:)`` for sinks and Combine.
///
/// A client runs until ``stop()`` returns or until nobody holds it any more.
public final class ContrailClient: Sendable {
  /// How a client runs.
  public struct Configuration: Sendable {
    /// The server's URL, such as `https://example.com`. A path in it comes before the path of each request.
    public var server: URL
    /// The application's key, if the server asks for one. It is never written to a file or a message.
    public var apiKey: String?
    /// The folder of the log. It is created if needed; one process at a time can use it.
    public var directory: URL
    /// The weather service; nil if the server itself answers for the weather, with the application's key.
    public var weather: WeatherService?
    /// Whether the client follows the system's network state, on platforms that report it. Otherwise only
    /// ``ContrailClient/isOnline`` counts.
    public var followsSystemLink = true
    /// Whether the client follows the application's life cycle, on platforms that report it: it saves its data in the
    /// background, and requests what is due when the application comes back.
    public var followsAppLifecycle = true

    /// Creates a configuration with defaults for everything else.
    public init(server: URL, apiKey: String? = nil, directory: URL) {
      self.server = server
      self.apiKey = apiKey
      self.directory = directory
    }
  }

  let core: ClientCore
  /// The airports: which cycle is loaded, and where to ask for them.
  public let airports: AirportService

  /// Creates a client and returns at once; the log is opened on another thread. ``opened()`` waits for it.
  ///
  /// - Throws: ``/ContrailEngine/ClientError`` with code `server` if the server URL is invalid.
  public convenience init(_ configuration: Configuration) throws(ClientError) {
    var weatherTransport: (any ClosableTransport)?
    if let weather = configuration.weather { weatherTransport = try PlatformTransport.connect(to: weather.server) }
    try self.init(
      configuration, transport: try PlatformTransport.connect(to: configuration.server), clock: SystemClock(),
      weatherTransport: weatherTransport)
  }

  /// Creates a client with other transports and another clock.
  ///
  /// - Parameters:
  ///   - weatherTransport: To the weather service that the configuration names; nil sends those requests over `transport` too.
  ///   - airportTransport: Brings files of airports; nil has them over `transport` too.
  package convenience init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)? = nil, airportTransport: (any AirportTransport)? = nil
  ) throws(ClientError) {
    try self.init(
      configuration, transport: transport, clock: clock, weatherTransport: weatherTransport,
      airportTransport: airportTransport, storage: POSIXStorage())
  }

  package init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)?, airportTransport: (any AirportTransport)?, storage: any LogStorage
  ) throws(ClientError) {
    let core = ClientCore(clock: clock)
    self.core = core
    let airportsKey = core.airportsKey
    airportsKey.withLock { $0 = configuration.apiKey }
    airports = AirportService(
      directory: configuration.directory.path, storage: storage,
      transport: airportTransport
        ?? HTTPAirportTransport(transport: transport) {
          airportsKey.withLock { $0 }.map { [(WireHeader.apiKey, $0)] } ?? []
        },
      now: { core.shown.serverSecond(at: clock.now) }, report: { core.report($0) },
      write: { entries in _ = await core.wait { .airports(entries, $0) } },
      holdings: { await core.wait { .awaitOpening($0) } == nil ? core.shown.state.airports : nil })
    core.run(
      Driver.Configuration(
        session: .init(
          engine: Engine.version, id: Hex.string(UInt64.random(in: 0...UInt64.max)),
          seed: UInt64.random(in: 0...UInt64.max)),
        credentials: Credentials(apiKey: configuration.apiKey, weatherToken: configuration.weather?.token),
        host: configuration.server.host(), weatherHost: configuration.weather?.server.host(),
        hasProjection: true),
      directory: configuration.directory.path, storage: storage,
      sender: RequestSender(
        transport: transport, weatherTransport: configuration.weather == nil ? nil : weatherTransport ?? transport),
      levelAirports: { [airports] in airports.follow() },
      shutdown: {
        await transport.shutdown()
        await weatherTransport?.shutdown()
      })
    let watch = SystemWatch(configuration, client: self)
    core.shared.withLock { $0.systemWatch = watch }
  }

  deinit { core.release() }

  // MARK: What is wanted

  /// Which data are wanted. After any change it is checked whether data must be fetched.
  ///
  /// Until the log is open this shows defaults; what isn't set by then stays as the last launch left it.
  public var dataQuery: DataQuery {
    get { core.shared.withLock { $0.app.settings.dataQuery } }
    set { core.change { $0.set(newValue) } }
    _modify {
      // In place, so that two threads that set different properties don't undo each other's.
      var query = core.shared.withLock { $0.app.settings.dataQuery.forEditing() }
      yield &query
      core.change { $0.merge(query) }
    }
  }

  /// How far back data are wanted; two hours at first. A shorter time is served at once, a longer one is fetched.
  public var dataHistoryTime: DataHistoryTime {
    get { core.shared.withLock { $0.app.settings.dataHistoryTime } }
    set { core.change { $0.set(newValue) } }
  }

  /// How often data are brought up to date; every minute at first.
  public var dataUpdateFrequency: DataUpdateFrequency {
    get { core.shared.withLock { $0.app.settings.dataUpdateFrequency } }
    set { core.change { $0.set(newValue) } }
  }

  /// Requests an update now: a full fetch if `refresh` is true, otherwise a delta. It isn't needed after a change of the query.
  public func fetchData(refresh: Bool) { core.change { $0.refresh(full: refresh) } }

  /// Whether there is a link. True at first; where the system tells, it sets this by itself.
  ///
  /// Offline nothing is tried; on coming back what is due is fetched at once.
  public var isOnline: Bool {
    get { core.shared.withLock { $0.app.isOnline } }
    set { core.change { $0.setOnline(newValue) } }
  }

  /// Takes another key into use, or none. What had been refused for the old one is tried again.
  public func setAPIKey(_ key: String?) {
    core.airportsKey.withLock { $0 = key }
    core.change { $0.set(CredentialsChange(apiKey: .some(key))) }
  }

  /// Takes another token for the weather service into use, or none. What had been refused for the old one is tried again.
  ///
  /// Where the server itself answers for the weather it does nothing for it: there the server's key is the token.
  public func setWeatherToken(_ token: String?) {
    core.change { $0.set(CredentialsChange(weatherToken: .some(token))) }
  }

  // MARK: The life of a client

  /// Returns when the log is open: what earlier launches left can be read then.
  ///
  /// - Throws: ``/ContrailEngine/ClientError`` if the log can't be opened now, or the client was stopped. After an error that is
  ///   ``/ContrailEngine/ClientError/isTransient`` the client goes on trying, and another call waits for the next attempt.
  public func opened() async throws(ClientError) {
    if let error = await core.wait({ .awaitOpening($0) }) { throw error }
  }

  /// Gives up what is under way and closes the log. The client fetches nothing after it.
  public func stop() async {
    core.shared.withLock { $0.systemWatch.take() }?.end()
    stopFollowing()
    _ = await core.wait { .stop($0) }
    core.finish()
  }

  /// Puts all that was received on stable storage; the process may be suspended or ended when it returns.
  ///
  /// Called by itself when an application goes to the background, where the system tells.
  public func enterBackground() async { _ = await core.wait { .background($0) } }

  /// Fetches what became due while the process was away.
  ///
  /// Called by itself when an application comes back, where the system tells.
  public func enterForeground() { core.add(.foreground) }

  // MARK: What happens

  /// Is called on the main actor, in the order in which things happen. Held weakly.
  ///
  /// A delegate that is set when the log is open, or can't be opened, is told so first.
  public var delegate: (any ContrailClientDelegate)? {
    get { core.delegates.delegate }
    set { core.set(newValue) }
  }

  /// What goes wrong, for sinks.
  public var errors: Channel<ClientError> { core.errorSource.channel }

  /// A stream of updates, starting now. If the log is open, the first elements say so and name each scope that holds data.
  public var updates: AsyncStream<ClientUpdate> { core.updates() }

  /// What a scope holds: first what the disk does, once it is open, then whenever it changes or something of it expires. A slow
  /// reader gets the newest.
  public func updates(for scope: ScopeID) -> AsyncStream<HeldData> { core.updates(for: scope) }

  /// What a scope holds, for sinks and Combine: the current value as soon as the disk is open, then as ``updates(for:)``.
  public func channel(for scope: ScopeID) -> Channel<HeldData> { core.channel(for: scope) }

  // MARK: What is held

  /// What a scope holds now; offline too.
  public func data(of scope: ScopeID) -> HeldData { core.shown.data(of: scope, at: core.clock.now) }

  /// The time when data of a scope were last received from the server, by the device's clock; nil if never.
  public func lastUpdateTime(of scope: ScopeID) -> Date? { data(of: scope).lastUpdateTime }

  /// How a scope is kept up to date.
  public func status(of scope: ScopeID) -> ScopeStatus { core.shown.status(of: scope) }

  /// How a scope is kept up to date: now, and after each change. A slow reader gets the newest.
  public func statuses(of scope: ScopeID) -> AsyncStream<ScopeStatus> { core.statuses(of: scope) }

  /// The state, and the log's time now, in milliseconds. The log's time may be ahead of the device's, whose clock can be set back.
  var moment: (state: State, now: Int64) {
    let shown = core.shown
    return (shown.state, shown.logTime(at: core.clock.now))
  }
}

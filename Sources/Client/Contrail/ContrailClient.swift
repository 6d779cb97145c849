package import ContrailAirports
public import ContrailCore
public import ContrailEngine
public import ContrailHTTP
package import ContrailLog
public import ContrailWire
public import Foundation

/// Keeps the data of a flight up to date over an unreliable link, and makes them available offline.
///
/// ```swift
/// let client = try ContrailClient(.init(server: server, apiKey: key, directory: folder))
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// for await held in client.updates(for: .corridor) { show(held.turbulence) }
/// ```
///
/// Every property can be set from any thread, without `await`. Several properties that are set in one turn cost one request. Settings
/// are kept across launches, and can be set before the log is open. There are three ways to observe changes: ``updates`` and
/// ``updates(for:)`` for `for await`, a ``delegate``, and ``channel(for:)`` for sinks and Combine.
///
/// A client runs until ``stop()`` returns or the last reference to it is released.
public final class ContrailClient: Sendable {
  /// The configuration of a client.
  public struct Configuration: Sendable {
    /// The server's URL, such as `https://example.com`. Its path, if any, precedes the path of each request.
    public var server: URL
    /// The application's key, if the server requires one. It is never written to a file or a message. ``connection`` can provide others.
    public var apiKey: String?
    /// The kind of service at ``server``. The default is one of Contrail; see <doc:CorridorService> for the other.
    ///
    /// When it changes, what was learned of the other service is dropped, and all wanted data is fetched in full.
    public var service = ServiceProfile.contrail
    /// The credentials, certificates, pins and proxy of the connection to the server.
    public var connection = Connection()
    /// The folder of the log. It is created if needed; one process at a time can use it.
    public var directory: URL
    /// When the files in ``directory`` can be read, on Apple's platforms. The default lets the client work in the background while the
    /// device is locked. On others, only the user can read them.
    public var fileProtection = FileProtection.afterFirstUnlock
    /// Whether backups of the device leave ``directory`` out, on Apple's platforms. The default is true: the server has the data.
    public var isExcludedFromBackup = true
    /// The weather service; nil if the server also provides the weather, with the application's key.
    public var weather: WeatherService?
    /// Whether the client loads airports by itself.
    public var airportDelivery = AirportDeliveryMode.automatic
    /// The URL of a folder of airport files, as `contrail airports publish` writes it, on any static host; nil if the server
    /// has the airports. The server's key isn't sent to it.
    public var airportFolder: URL?
    /// Whether the client observes the system's network state, on platforms that report it. Otherwise, set
    /// ``ContrailClient/isOnline``.
    public var followsSystemLink = true
    /// Whether the client may use the link at first, as ``ContrailClient/isOnline`` says later.
    public var isOnline = true
    /// Whether the client observes the application's life cycle, on platforms that report it. It then saves its data when the
    /// application enters the background, and requests due updates when it returns.
    public var followsAppLifecycle = true
    /// Signs the log; nil for a log without signatures.
    public var logSigner: (any LogSigner)?
    /// Called with each message for the application's log, in order, from any thread. It must return soon.
    ///
    /// On Apple's platforms, `LogMessage.osLog(subsystem:)` makes one for the unified logging system.
    public var log: (@Sendable (LogMessage) -> Void)?

    /// Creates a configuration with defaults for everything else.
    public init(server: URL, apiKey: String? = nil, directory: URL) {
      self.server = server
      self.apiKey = apiKey
      self.directory = directory
    }
  }

  let core: ClientCore
  /// The session that the log begins with; nil if a recording is played.
  let session: Input.Session?
  /// The folder of the log.
  package let logDirectory: String
  /// The airports: loading cycles, and the database to query.
  public let airports: AirportService

  /// Creates a client and returns at once; the log is opened on another thread. ``opened()`` waits for it.
  ///
  /// - Throws: ``ClientError`` with code `server` if the server URL is invalid, with `connection` if a setting of the connection is
  ///   invalid or this platform lacks it, with `disk` if the directory is not a file URL, and with `unsupported` if the category of
  ///   aircraft of the service is invalid.
  public convenience init(_ configuration: Configuration) throws(ClientError) {
    var weatherTransport: (any ClosableTransport)?
    if let weather = configuration.weather {
      weatherTransport = try PlatformTransport.connect(to: weather.server, of: configuration)
    }
    var folderTransport: (any ClosableTransport)?
    if let folder = configuration.airportFolder {
      folderTransport = try PlatformTransport.connect(to: folder, of: configuration)
    }
    try self.init(
      configuration, transport: try PlatformTransport.connect(to: configuration.server, of: configuration),
      clock: SystemClock(),
      weatherTransport: weatherTransport,
      folderTransport: folderTransport)
  }

  /// Creates a client with other transports and another clock.
  ///
  /// - Parameters:
  ///   - weatherTransport: The transport to the configured weather service; nil uses `transport`.
  ///   - airportTransport: The source of airport files; nil uses `folderTransport`, or `transport` without one.
  ///   - folderTransport: The transport to the folder of airport files.
  package convenience init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)? = nil, airportTransport: (any AirportTransport)? = nil,
    folderTransport: (any ClosableTransport)? = nil
  ) throws(ClientError) {
    try self.init(
      configuration, transport: transport, clock: clock, weatherTransport: weatherTransport,
      airportTransport: airportTransport, folderTransport: folderTransport, storage: POSIXStorage())
  }

  /// Creates a client with another clock.
  package convenience init(_ configuration: Configuration, clock: any EngineClock) throws(ClientError) {
    try self.init(
      configuration, transport: try PlatformTransport.connect(to: configuration.server, of: configuration), clock: clock
    )
  }

  package init(
    _ configuration: Configuration, transport: any ClosableTransport, clock: any EngineClock,
    weatherTransport: (any ClosableTransport)?, airportTransport: (any AirportTransport)?,
    folderTransport: (any ClosableTransport)? = nil, storage: any LogStorage
  ) throws(ClientError) {
    guard configuration.directory.isFileURL else {
      throw ClientError(
        .disk, message: "The directory is not on this device: \(configuration.directory.absoluteString)",
        advice: "Use a file URL, such as URL(filePath: folder) or a folder of URL.applicationSupportDirectory.",
        isTransient: false)
    }
    guard configuration.service.isValid else {
      throw ClientError.unsupported(
        "The category of aircraft isn't one that the service has", advice: "Use 1 to 8 letters and digits, such as C60."
      )
    }
    let session = Input.Session(
      engine: EngineVersion.current, id: Hex.string(UInt64.random(in: 0...UInt64.max)),
      seed: UInt64.random(in: 0...UInt64.max), service: configuration.service,
      hasWeatherService: configuration.weather != nil)
    self.session = session
    let directory = configuration.directory.path
    let signingKey = try configuration.logSigner?.keyName()
    var sign: (@Sendable ([UInt8]) async -> Result<[UInt8], SigningFailure>)?
    if let signer = configuration.logSigner { sign = { await signer.sign($0) } }
    logDirectory = directory
    var settingsFile = SettingsFile(directory: directory, storage: storage)
    let files = DirectoryAttributes(configuration)
    var settings = settingsFile.read()
    var opened: EngineRunner.Opened?
    if settings == nil, (try? storage.names(in: directory))?.isEmpty == false {
      // The copy of the settings is missing: the log has them.
      let early = EngineRunner.Opened(directory, at: clock.now, storage, files)
      if let state = try? early.result.get().state { settings = AppSettings(launchingWith: state) }
      opened = early
    }
    let launchSettings = settings ?? AppSettings()
    let core = ClientCore(
      clock: clock, settings: launchSettings, settingsFile: settingsFile, isOnline: configuration.isOnline,
      log: configuration.log)
    self.core = core
    let connection = configuration.connection
    let airportsKey = core.airportsKey
    airportsKey.withLock { $0 = configuration.apiKey }
    let headers: @Sendable () -> [(name: String, value: String)] = {
      airportsKey.withLock { $0 }.map { [connection.credentialField.field(carrying: $0)] } ?? []
    }
    // Another service has no airports, and is asked for none.
    let airportServer: any ClosableTransport =
      configuration.service.isContrail ? transport : NoTransport("The service of the configuration has no airports.")
    let hasAirports = configuration.service.isContrail || folderTransport != nil || airportTransport != nil
    let gated = KeyWatch(GatedTransport(airportServer, core.linkGate), airportsKey) { [weak core] in
      core?.add(.keyRefused($0))
    }
    let airportFiles: any AirportTransport =
      if let airportTransport {
        airportTransport
      } else if let folderTransport {
        HTTPAirportTransport(
          publishedFolder: GatedTransport(folderTransport, core.linkGate), redirects: connection.toOtherHosts,
          gate: core.linkGate)
      } else if hasAirports {
        HTTPAirportTransport(
          transport: gated, redirects: connection.toOtherHosts, gate: core.linkGate, headers: headers)
      } else {
        NoAirports()
      }
    airports = AirportService(
      directory: directory, storage: storage, transport: airportFiles,
      online: HTTPAirportSearchService(transport: gated, headers: headers),
      now: { core.shown.serverSecond(at: clock.now) }, report: { core.report($0) },
      write: { entries in _ = await core.wait { .airports(entries, $0) } },
      holdings: { await core.wait { .awaitOpening($0) } == nil ? core.shown.state.airports : nil })
    core.run(
      Driver.Configuration(
        session: session,
        settings: launchSettings, settingsSeq: settingsFile.seq,
        credentials: Credentials(apiKey: configuration.apiKey, weatherToken: configuration.weather?.token),
        host: configuration.server.host(), weatherHost: configuration.weather?.server.host(),
        hasProjection: true, deliversAirports: hasAirports && configuration.airportDelivery == .automatic,
        providesCredentials: connection.credentials != nil, awaitsApplication: true, signingKey: signingKey),
      directory: directory, storage: storage, files: files, opened: opened,
      sender: RequestSender(
        transport: GatedTransport(transport, core.linkGate, endsRequests: false),
        weatherTransport: configuration.weather == nil
          ? nil : GatedTransport(weatherTransport ?? transport, core.linkGate, endsRequests: false),
        credentialField: connection.credentialField),
      provideCredential: { await connection.credential($0) },
      levelAirports: { [airports] in airports.follow() },
      loadAirports: { [airports] effectiveMS in airports.deliver(effectiveMS: effectiveMS) },
      sign: sign,
      shutdown: {
        await transport.shutdown()
        await weatherTransport?.shutdown()
        await folderTransport?.shutdown()
      })
    let watch = SystemWatch(configuration, client: self)
    core.shared.withLock { $0.systemWatch = watch }
  }

  /// Creates a client whose data come from a runner instead of a server.
  package init(directory: String, clock: any EngineClock, runner: (ClientSide) -> any ClientRunner) {
    let core = ClientCore(clock: clock)
    self.core = core
    session = nil
    logDirectory = directory
    let transport = NoTransport("This client plays a recording and has no server.")
    airports = AirportService(
      directory: directory, storage: POSIXStorage(),
      transport: HTTPAirportTransport(transport: transport, headers: { [] }),
      online: HTTPAirportSearchService(transport: transport, headers: { [] }),
      now: { core.shown.serverSecond(at: clock.now) }, report: { core.report($0) }, write: { _ in },
      holdings: { nil })
    core.run(runner)
  }

  deinit { core.release() }

  // MARK: Settings

  /// The data that the application wants. After any change, the client checks whether data must be fetched.
  ///
  /// It has the values of the last launch from the start, also before the log is open. Editing it in place, such as appending to
  /// `weather.places`, keeps everything else.
  public var dataQuery: DataQuery {
    get { core.shared.withLock { $0.app.settings.dataQuery } }
    set {
      core.editing.withLock { core.change { $0.set(newValue) } }
    }
    _modify {
      // Locked, so that two threads that edit in place don't overwrite each other.
      core.editing.lock()
      defer { core.editing.unlock() }
      var query = core.shared.withLock { $0.app.settings.dataQuery }
      yield &query
      core.change { $0.set(query) }
    }
  }

  /// The maximum age of the data. The default is two hours. A shorter time takes effect at once; a longer one is fetched.
  public var dataHistoryTime: DataHistoryTime {
    get { core.shared.withLock { $0.app.settings.dataHistoryTime } }
    set { core.change { $0.set(newValue) } }
  }

  /// How often data is updated. The default is every minute.
  public var dataUpdateFrequency: DataUpdateFrequency {
    get { core.shared.withLock { $0.app.settings.dataUpdateFrequency } }
    set { core.change { $0.set(newValue) } }
  }

  /// Which news is urgent, and how long silence may last. The default is reports of moderate turbulence or worse.
  ///
  /// A server that can hold requests answers urgent news at once, at every update frequency but none.
  public var listening: ListeningSettings {
    get { core.shared.withLock { $0.app.settings.listening } }
    set { core.change { $0.set(newValue) } }
  }

  /// How many bytes may be used in a flight or a day, and whether bytes are saved on an expensive or constrained link. The default has no
  /// limit, and saves on such links.
  public var byteBudget: ByteBudget {
    get { core.shared.withLock { $0.app.settings.byteBudget } }
    set { core.change { $0.set(newValue) } }
  }

  /// The bytes since the launch, those used of ``byteBudget``, what is left, and what is dropped.
  public var byteStatus: ByteStatus { ByteStatus(core.shown) }

  /// What the system says of the link. On platforms that report it, the client sets it; on others, the application may.
  public var linkCost: LinkCost {
    get { core.shared.withLock { $0.app.linkCost } }
    set { core.change { $0.set(newValue) } }
  }

  /// Requests an update now: a full fetch if `refresh` is true, otherwise a delta. Not needed after a change of the query.
  public func fetchData(refresh: Bool) { core.change { $0.refresh(full: refresh) } }

  /// The application's switch for the link. The default is that of the configuration, true.
  ///
  /// While it is false, no request begins: held requests and downloads are cancelled, and searches and loads of airports and weather
  /// throw. An update that is under way is still answered. When it becomes true, due requests are sent at once. The system's link,
  /// ``hasLink``, is a switch of its own, and both must be on.
  public var isOnline: Bool {
    get { core.shared.withLock { $0.app.isOnline } }
    set { core.setLink { $0.setOnline(newValue) } }
  }

  /// Whether the system reports a link, on platforms that do; otherwise true.
  public var hasLink: Bool { core.shared.withLock { $0.app.hasLink } }

  /// Sets the key for the server, or removes it. Requests that the server refused with the old key are repeated.
  ///
  /// If the connection has a provider of credentials, the key is used until the provider returns the next one.
  public func setAPIKey(_ key: String?) {
    core.airportsKey.withLock { $0 = key }
    core.change { $0.set(CredentialsChange(apiKey: .some(key))) }
  }

  /// Sets the token for the weather service, or removes it. Requests that the service refused with the old token are repeated.
  ///
  /// Without a configured weather service, the token isn't used: the server's key is then the token.
  public func setWeatherToken(_ token: String?) {
    core.change { $0.set(CredentialsChange(weatherToken: .some(token))) }
  }

  // MARK: Life cycle

  /// Waits until the log is open, and the data of earlier launches are available. What was set before is then decided and shown, unless
  /// the disk refused it.
  ///
  /// - Throws: ``ClientError`` if the log can't be opened, or the client was stopped. If the error is
  ///   ``ClientError/isTransient``, the client keeps trying, and another call waits for the next attempt.
  public func opened() async throws(ClientError) {
    if let error = await core.wait({ .awaitOpening($0) }) { throw error }
  }

  /// Cancels all requests and closes the log. A stopped client sends no more requests.
  ///
  /// What was set and reported before is written first, also if the log isn't open yet.
  public func stop() async {
    core.shared.withLock { $0.systemWatch.take() }?.end()
    stopFollowing()
    _ = await core.wait { .stop($0) }
    await airports.stopDelivery()
    core.finish()
  }

  /// Writes all data to stable storage, and pauses updates. After it returns, the process may be suspended or ended.
  ///
  /// Until ``enterForeground()``, nothing is sent because its time has come: no update, and no retry. Requests under way end, and begin
  /// no others; what the application sets or reports is still sent. The client calls it when the application enters the background, on platforms that
  /// report it; an application that works in the background turns ``Configuration/followsAppLifecycle`` off.
  public func enterBackground() async {
    core.shared.withLock { $0.isInBackground = true }
    _ = await core.wait { .background($0) }
  }

  /// Requests the updates that became due while the application was in the background.
  ///
  /// The client calls it when the application returns, on platforms that report it.
  public func enterForeground() {
    core.shared.withLock { $0.isInBackground = false }
    core.add(.foreground)
  }

  // MARK: Observing

  /// The delegate, called on the main actor, in order. Referenced weakly: keep it in a property.
  ///
  /// If the log is already open, or can't be opened, a new delegate is notified of that first.
  public weak var delegate: (any ContrailClientDelegate)? {
    // Declared weak, so that the compiler warns of an object that is released at once.
    get { core.delegates.delegate }
    set { core.set(newValue) }
  }

  /// The errors of the client, as a channel. A new listener receives the last one if it lasts.
  public var errors: Channel<ClientError> { core.errorSource.channel }

  /// A stream of updates, starting now. If the log is open, the first elements are `opened` and one `stored` for each scope with data.
  public var updates: AsyncStream<ClientUpdate> { core.updates() }

  /// Returns a stream of a scope's data: the stored data as soon as the log is open, then the data after each change or expiry. A slow
  /// reader receives only the newest value.
  public func updates(for scope: ScopeID) -> AsyncStream<HeldData> { core.updates(for: scope) }

  /// Returns a channel of a scope's data, for sinks and Combine, with the same values as ``updates(for:)``.
  public func channel(for scope: ScopeID) -> Channel<HeldData> { core.channel(for: scope) }

  // MARK: Stored data

  /// Returns the data that a scope has now, also offline.
  public func data(of scope: ScopeID) -> HeldData { core.shown.data(of: scope, at: core.clock.now) }

  /// Returns the time when data of a scope were last received or confirmed, by the device's clock; nil if never.
  public func lastUpdateTime(of scope: ScopeID) -> Date? { data(of: scope).lastUpdateTime }

  /// Returns the status of a scope: its phase, the age of its data, the next request and the last error.
  public func status(of scope: ScopeID) -> ScopeStatus { core.status(of: scope) }

  /// Returns a stream of a scope's status: now, and after each change. A slow reader receives only the newest value.
  public func statuses(of scope: ScopeID) -> AsyncStream<ScopeStatus> { core.statuses(of: scope) }

  /// The state, and the log's time now, in milliseconds. The log's time is ahead of the device's if that clock was set back.
  var moment: (state: State, now: Int64) {
    let shown = core.shown
    return (shown.state, shown.logTime(at: core.clock.now))
  }
}

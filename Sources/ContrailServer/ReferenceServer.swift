#if Online
  import Hummingbird
  import Logging
  import NIOCore
  import ServiceLifecycle
  import UnixSignals

  /// A running reference server: the protocol over a simulated world, or over a real day.
  ///
  /// ```swift
  /// var configuration = ServerConfiguration(seed: 7)
  /// configuration.allowsSimulatedTime = true
  /// let server = try await ReferenceServer.start(configuration)
  /// print(server.address)  // http://127.0.0.1:49152
  /// await server.stop()
  /// ```
  public struct ReferenceServer: Sendable {
    /// Where the server listens, such as `http://127.0.0.1:8080`.
    public let address: String
    /// The port that the server listens on, also where the system chose it.
    public let port: Int

    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// Starts a server and returns once it listens.
    ///
    /// - Throws: ``ServerError`` where it can't.
    public static func start(_ configuration: ServerConfiguration) async throws(ServerError) -> ReferenceServer {
      try await start(configuration, stoppingOn: [])
    }

    /// Runs a server until the process is told to stop by SIGINT or SIGTERM.
    ///
    /// - Parameter started: Called once it listens.
    /// - Throws: ``ServerError`` where it can't listen, or fails later on.
    public static func run(
      _ configuration: ServerConfiguration, started: (ReferenceServer) -> Void
    ) async throws(ServerError) {
      let server = try await start(configuration, stoppingOn: [.sigint, .sigterm])
      started(server)
      do {
        try await server.running.value
      } catch {
        throw ServerError.failed(reason: "\(error)")
      }
    }

    /// Stops listening, finishes the answers that are under way, and closes all connections. Asking again does nothing.
    public func stop() async {
      await group.triggerGracefulShutdown()
      // Why it ended doesn't matter to who wants it ended.
      _ = await running.result
    }

    /// The world to serve, and the clock to serve it by.
    private static func world(
      _ configuration: ServerConfiguration
    ) -> (world: any World, clock: (@Sendable () -> Int64)?) {
      guard let day = configuration.day else {
        return (SimulatedWorld(seed: configuration.seed, aircraft: configuration.aircraft), configuration.clock)
      }
      for file in day.report.files { configuration.logger.notice("\(file)") }
      let clock: @Sendable () -> Int64 = configuration.clock ?? { WallClock.milliseconds() }
      let (world, offset) = RecordedWorld.placed(
        day, clock: configuration.dayClock, start: clock(), rewindSeconds: configuration.dayRewindSeconds)
      guard offset != 0 else { return (world, configuration.clock) }
      return (world, { clock() + offset })
    }

    private static func start(
      _ configuration: ServerConfiguration, stoppingOn signals: [UnixSignal]
    ) async throws(ServerError) -> ReferenceServer {
      let (world, clock) = world(configuration)
      var configuration = configuration
      configuration.clock = clock
      return try await start(configuration, world: world, stoppingOn: signals)
    }

    private static func start(
      _ configuration: ServerConfiguration, world: any World, stoppingOn signals: [UnixSignal]
    ) async throws(ServerError) -> ReferenceServer {
      let service = ObservationService(world: world, retentionSeconds: configuration.retentionSeconds)
      let faults = FaultSource(
        schedules: configuration.faults, rate: configuration.faultRate, seed: configuration.seed)
      let (listening, report) = AsyncStream.makeStream(of: Int.self)
      let application = Application(
        responder: ServerResponder(
          configuration: configuration, service: service, faults: faults,
          airports: AirportShelf(
            directory: configuration.airportsDirectory, cyclesByName: configuration.airportCycles),
          weatherWorld: WeatherWorld(seed: configuration.seed)),
        server: .http1(
          configuration: .init(idleTimeout: .seconds(Int64(max(configuration.idleTimeoutSeconds, 1))))),
        configuration: ApplicationConfiguration(
          address: .hostname(configuration.host, port: configuration.port), serverName: "contrail"),
        onServerRunning: { channel in report.yield(channel.localAddress?.port ?? configuration.port) },
        logger: configuration.logger)
      var lifecycle = ServiceGroupConfiguration(
        services: [application], gracefulShutdownSignals: signals, logger: configuration.logger)
      lifecycle.maximumGracefulShutdownDuration = .seconds(5)
      let group = ServiceGroup(configuration: lifecycle)
      let running = Task {
        defer { report.finish() }
        try await group.run()
      }
      for await port in listening {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return ReferenceServer(address: "http://\(host):\(port)", port: port, group: group, running: running)
      }
      // It ended before it listened, or who waits was cancelled.
      await group.triggerGracefulShutdown()
      var reason = "it was stopped before it listened"
      if case .failure(let error) = await running.result { reason = "\(error)" }
      throw ServerError.cannotListen(host: configuration.host, port: configuration.port, reason: reason)
    }
  }
#endif

#if Online
  import Hummingbird
  import NIOCore
  import ServiceLifecycle
  import UnixSignals

  /// A running reference server: the protocol over a simulated world.
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
    private let running: Task<Void, Never>

    /// Starts a server and returns once it listens.
    ///
    /// - Throws: ``ServerError`` where it can't.
    public static func start(_ configuration: ServerConfiguration) async throws(ServerError) -> ReferenceServer {
      try await start(configuration, stoppingOn: [])
    }

    /// Runs a server until the process is told to stop by SIGINT or SIGTERM.
    ///
    /// - Parameter started: Called once it listens.
    /// - Throws: ``ServerError`` where it can't listen.
    public static func run(
      _ configuration: ServerConfiguration, started: (ReferenceServer) -> Void
    ) async throws(ServerError) {
      let server = try await start(configuration, stoppingOn: [.sigint, .sigterm])
      started(server)
      await server.running.value
    }

    /// Stops listening, finishes the answers that are under way, and closes all connections. Asking again does nothing.
    public func stop() async {
      await group.triggerGracefulShutdown()
      await running.value
    }

    private static func start(
      _ configuration: ServerConfiguration, stoppingOn signals: [UnixSignal]
    ) async throws(ServerError) -> ReferenceServer {
      let service = ObservationService(
        world: SimulatedWorld(seed: configuration.seed, aircraft: configuration.aircraft),
        retentionSeconds: configuration.retentionSeconds)
      let faults = FaultSource(
        schedules: configuration.faults, rate: configuration.faultRate, seed: configuration.seed)
      let (listening, report) = AsyncStream.makeStream(of: Result<Int, ServerError>.self)
      let application = Application(
        responder: ServerResponder(configuration: configuration, service: service, faults: faults),
        server: .http1(
          configuration: .init(idleTimeout: .seconds(Int64(max(configuration.idleTimeoutSeconds, 1))))),
        configuration: ApplicationConfiguration(
          address: .hostname(configuration.host, port: configuration.port), serverName: "contrail"),
        onServerRunning: { channel in report.yield(.success(channel.localAddress?.port ?? configuration.port)) },
        logger: configuration.logger)
      var lifecycle = ServiceGroupConfiguration(
        services: [application], gracefulShutdownSignals: signals, logger: configuration.logger)
      lifecycle.maximumGracefulShutdownDuration = .seconds(5)
      let group = ServiceGroup(configuration: lifecycle)
      let running = Task {
        do {
          try await group.run()
        } catch {
          report.yield(
            .failure(.cannotListen(host: configuration.host, port: configuration.port, reason: "\(error)")))
        }
        report.finish()
      }
      for await result in listening {
        let port = try result.get()
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return ReferenceServer(address: "http://\(host):\(port)", port: port, group: group, running: running)
      }
      throw ServerError.cannotListen(
        host: configuration.host, port: configuration.port, reason: "it stopped before it listened")
    }
  }

  /// Why a server does not run.
  public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address can't be listened on.
    case cannotListen(host: String, port: Int, reason: String)

    /// A stable name for logs and programs.
    public var code: String {
      switch self {
      case .cannotListen: "cannotListen"
      }
    }

    public var description: String {
      switch self {
      case .cannotListen(let host, let port, let reason):
        "can't listen on \(host):\(port): \(reason). Choose another --port, or 0 to let the system choose"
      }
    }
  }
#endif

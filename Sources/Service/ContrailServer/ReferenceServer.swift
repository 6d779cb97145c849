import ContrailWorld
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import UnixSignals

/// Answers held requests. Each second it answers the due ones. When the server stops, it answers all of them, because the application
/// stops only after its last request.
private struct HoldTimer: Service, CustomStringConvertible {
  let service: ReferenceService
  let clock: @Sendable () -> Int64
  let rate: Double
  /// The time after a full second at which its records are known.
  let lagMilliseconds: Int64

  /// The lifecycle logs its services, and the service has keys.
  var description: String { "HoldTimer" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        // Just after the second in which records have arrived.
        let pause = Double(1000 + lagMilliseconds - clock() % 1000) / 1000
        guard (try? await Task.sleep(for: .seconds(pause / rate))) != nil else { break }
        await service.advanceHolds()
      }
    }
    await service.endHolds()
  }
}

/// A running reference server that implements the protocol for a simulated world or a recorded day.
///
/// ```swift
/// var configuration = ServerConfiguration(seed: 7)
/// configuration.allowsSimulatedTime = true
/// let server = try await ReferenceServer.start(configuration)
/// print(server.address)  // http://127.0.0.1:49152
/// await server.stop()
/// ```
package struct ReferenceServer: Sendable {
  /// The URL of the server, such as `http://127.0.0.1:8080`.
  package let address: String
  /// The actual port, also if the system selected it.
  package let port: Int

  /// The number of requests that it holds now.
  package var holdCount: Int { get async { await service.holdCount } }

  private let service: ReferenceService
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts a server and returns when it is listening.
  ///
  /// - Parameter configuration: The configuration.
  /// - Returns: The running server.
  /// - Throws: ``ServerError`` if the server can't listen, or the certificate can't be used.
  package static func start(_ configuration: ServerConfiguration) async throws(ServerError) -> ReferenceServer {
    try await start(configuration, stoppingOn: [])
  }

  /// Runs a server until the process receives SIGINT or SIGTERM.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - started: A closure that is called when the server is listening.
  /// - Throws: ``ServerError`` if the server can't listen or fails later.
  package static func run(
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

  /// Stops listening, completes current responses and closes all connections. Further calls have no effect.
  package func stop() async {
    await group.triggerGracefulShutdown()
    // The result doesn't matter, because the caller wants the server to end.
    _ = await running.result
  }

  private static func start(
    _ configuration: ServerConfiguration, stoppingOn signals: [UnixSignal]
  ) async throws(ServerError) -> ReferenceServer {
    for file in configuration.day?.report.files ?? [] { configuration.logger.notice("\(file)") }
    let service = ReferenceService(configuration.service, document: PackageResources.openapi_yaml)
    configuration.operations?.observe { await service.holdCount }
    let (listening, report) = AsyncStream.makeStream(of: Int.self)
    let responder = ServerResponder(
      service: service, bodyTimeoutSeconds: configuration.bodyTimeoutSeconds, logger: configuration.logger,
      operations: configuration.operations)
    let server: any Service
    do {
      server = try builder(configuration).buildServer(
        configuration: .init(address: .hostname(configuration.host, port: configuration.port)),
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: configuration.logger,
        responder: { request, writer, channel in try await responder.respond(to: request, writer, on: channel) },
        onServerRunning: { channel in report.yield(channel.localAddress?.port ?? configuration.port) })
    } catch let error as ServerError {
      throw error
    } catch {
      throw ServerError.failed(reason: "\(error)")
    }
    // What others store in a log that services share is known a little later.
    let timer = HoldTimer(
      service: service, clock: configuration.clock, rate: configuration.clockRate,
      lagMilliseconds: configuration.live?.shared == nil ? 5 : 50)
    var lifecycle = ServiceGroupConfiguration(
      services: configuration.companions + [server, timer], gracefulShutdownSignals: signals,
      logger: configuration.logger)
    lifecycle.maximumGracefulShutdownDuration = .seconds(configuration.drainSeconds)
    let group = ServiceGroup(configuration: lifecycle)
    let running = Task {
      defer { report.finish() }
      try await group.run()
    }
    for await port in listening {
      let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
      let scheme = configuration.certificate == nil ? "http" : "https"
      return ReferenceServer(
        address: "\(scheme)://\(host):\(port)", port: port, service: service, group: group, running: running)
    }
    // The server ended before it was listening, or the task was cancelled.
    await group.triggerGracefulShutdown()
    var reason = "the server was stopped before it was listening"
    if case .failure(let error) = await running.result { reason = "\(error)" }
    throw ServerError.cannotListen(host: configuration.host, port: configuration.port, reason: reason)
  }

  /// Returns the builder for HTTP/1.1, or with a certificate for HTTP/2 and HTTP/1.1 over TLS.
  private static func builder(_ configuration: ServerConfiguration) throws(ServerError) -> HTTPServerBuilder {
    let limits = configuration.limits
    let registry = ConnectionRegistry(limits)
    configuration.operations?.observe { registry.load }
    let idle = TimeAmount(limits.idle)
    var secured = try configuration.renewal?.configuration()
    if secured == nil { secured = try configuration.certificate?.configuration() }
    guard let secured else {
      return HTTPServerBuilder { responder in
        GuardedChannel(
          inner: HTTP1Channel(
            responder: responder,
            configuration: .init(
              additionalChannelHandlers: [
                HangUpHandler(), CloseOptionHandler(), ContinueHandler(), LeanHeadHandler(), UnsentBytesCounter(),
              ], idleTimeout: idle)),
          isSecured: false, registry: registry)
      }
    }
    return HTTPServerBuilder { responder in
      let upgrade = try HTTP2UpgradeChannel(
        tlsConfiguration: secured,
        configuration: .init(
          idleTimeout: limits.idle, gracefulCloseTimeout: limits.drain,
          streamConfiguration: .init(
            additionalChannelHandlers: [ContinueHandler(), LeanHeadHandler(), UnsentBytesCounter()], idleTimeout: idle
          )),
        responder: responder)
      return GuardedChannel(inner: SecuredChannel(upgrade: upgrade), isSecured: true, registry: registry)
    }
  }
}

extension ReferenceServer {
  /// Checks that a server could listen on an address, before it opens or writes anything.
  ///
  /// - Throws: ``ServerError/cannotListen(host:port:reason:)``.
  package static func check(host: String, port: Int) async throws(ServerError) {
    guard port > 0 else { return }
    do {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port).get()
      try await channel.close()
    } catch {
      throw ServerError.cannotListen(host: host, port: port, reason: "\(error)")
    }
  }
}

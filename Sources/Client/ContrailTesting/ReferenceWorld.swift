public import Contrail
import ContrailEngine
import ContrailServer
public import Foundation
import Logging

/// A reference server in this process, with simulated aircraft and turbulence, and with a clock that the test controls.
///
/// ```swift
/// let world = try await ReferenceWorld.start(seed: 7)
/// let client = try world.client(directory: folder)
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// try await world.advance(by: .seconds(300))
/// ```
///
/// Equal seeds and times give equal data. The client is the one of the app; its requests go over the loopback interface.
public final class ReferenceWorld: Sendable {
  private let server: ReferenceServer
  private let clock: ManualClock
  private let clients = WeakClients()

  private init(_ server: ReferenceServer, _ clock: ManualClock) {
    (self.server, self.clock) = (server, clock)
  }

  /// Starts a world.
  ///
  /// - Parameters:
  ///   - seed: The seed of the world.
  ///   - date: The time at the start.
  /// - Throws: ``ReferenceWorldError`` if the server can't listen on the loopback interface.
  public static func start(
    seed: UInt64 = 1, at date: Date = Date(timeIntervalSince1970: 1_740_000_000)
  ) async throws(ReferenceWorldError) -> ReferenceWorld {
    let clock = ManualClock(at: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    var configuration = ServerConfiguration(seed: seed)
    configuration.clock = { clock.now }
    configuration.logger.logLevel = .critical
    do throws(ServerError) {
      return ReferenceWorld(try await ReferenceServer.start(configuration), clock)
    } catch {
      throw ReferenceWorldError(
        code: .cannotListen, message: "\(error)", advice: "Allow the test to listen on 127.0.0.1.")
    }
  }

  /// The time of the world.
  public var date: Date { Date(timeIntervalSince1970: Double(clock.now) / 1000) }

  /// Returns a client of the world under its clock.
  ///
  /// - Parameter directory: The folder of the client's log.
  /// - Throws: ``/Contrail/ClientError`` if the directory is not a file URL.
  public func client(directory: URL) throws(ClientError) -> ContrailClient {
    guard let url = URL(string: server.address) else {
      throw ClientError(
        .server, message: "The address \(server.address) is invalid.", advice: "Report this.", isTransient: false)
    }
    var configuration = ContrailClient.Configuration(server: url, directory: directory)
    // The world has no airports.
    configuration.airportDelivery = .manual
    configuration.followsSystemLink = false
    configuration.followsAppLifecycle = false
    let client = try ContrailClient(configuration, clock: clock)
    clients.add(client)
    return client
  }

  /// Lets time pass: every request that becomes due in that time is sent and answered.
  ///
  /// - Parameter duration: The time that passes; zero handles what is due now.
  /// - Throws: ``ReferenceWorldError`` if a client doesn't come to rest within 30 seconds of real time.
  public func advance(by duration: Duration = .zero) async throws(ReferenceWorldError) {
    let (seconds, attoseconds) = duration.components
    let end = clock.now + max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, 0)
    try await settle()
    while let due = clients.all.compactMap(\.nextWake).min(), due < end {
      clock.advance(by: max(due - clock.now, 1))
      try await settle()
    }
    clock.advance(by: max(end - clock.now, 0))
    try await settle()
  }

  private func settle() async throws(ReferenceWorldError) {
    for client in clients.all where !(await client.settle(within: .seconds(30))) {
      throw ReferenceWorldError(
        code: .restless, message: "A client didn't come to rest within 30 seconds.",
        advice: "Stop a client before its world, and call advance(by:) after the client is opened.")
    }
  }

  /// Stops the server. Stop the clients before.
  public func stop() async { await server.stop() }
}

/// An error of a world: what happened, and what to do.
public struct ReferenceWorldError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. The raw values are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case cannotListen
    /// A client doesn't come to rest.
    case restless
  }

  public let code: Code
  public let message: String
  public let advice: String

  public var description: String { "\(message) \(advice)" }
}

/// The clients of a world, as long as somebody else uses them.
private final class WeakClients: @unchecked Sendable {
  private struct Reference {
    weak var client: ContrailClient?
  }

  private let lock = NSLock()
  private var references: [Reference] = []

  var all: [ContrailClient] { lock.withLock { references.compactMap(\.client) } }

  func add(_ client: ContrailClient) {
    lock.withLock {
      references.removeAll { $0.client == nil }
      references.append(Reference(client: client))
    }
  }
}

public import Contrail
import ContrailLog
import ContrailWorld
public import Foundation

/// A service in this process, with aircraft and turbulence of its own, under a clock that a test moves.
///
/// ```swift
/// let world = ReferenceWorld(seed: 7)
/// let client = try world.client(directory: folder)
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// try await world.advance(by: .seconds(300))
/// ```
///
/// Equal seeds and times give equal data. The client is the one of the app, and the service is the one of `contrail serve`. Requests
/// pass from one to the other without a socket.
public final class ReferenceWorld: Sendable {
  private let service: ReferenceService
  private let clock: ManualClock
  private let delays = WorldTransport.Delays()
  private let clients = WeakClients()
  private let hasAirports: Bool

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - seed: The seed of the world.
  ///   - date: The time at the start.
  ///   - keys: The accepted API keys; none if no key is required.
  ///   - hasAirports: Whether the service has airports: made-up ones at the places of large airports, of the current AIRAC cycle and
  ///     the next one. The clients load them.
  ///   - holdsRequests: Whether the service holds requests until there is news, so that clients listen.
  public init(
    seed: UInt64 = 1, at date: Date = Date(timeIntervalSince1970: 1_740_000_000), keys: [String] = [],
    hasAirports: Bool = false, holdsRequests: Bool = false
  ) {
    let clock = ManualClock(at: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    var configuration = ServiceConfiguration(seed: seed, clock: { clock.now })
    configuration.keys = keys
    if !holdsRequests { configuration.holdSeconds = 0 }
    configuration.airports = hasAirports ? .samples : .none
    service = ReferenceService(configuration)
    self.clock = clock
    self.hasAirports = hasAirports
  }

  /// The time of the world.
  public var date: Date { Date(timeIntervalSince1970: Double(clock.now) / 1000) }

  /// Returns a client of the world under its clock.
  ///
  /// - Parameters:
  ///   - directory: The folder of the client's log.
  ///   - apiKey: The client's key.
  /// - Throws: ``/Contrail/ClientError`` if the directory is not a file URL.
  public func client(directory: URL, apiKey: String? = nil) throws(ClientError) -> ContrailClient {
    // Names below "invalid" exist nowhere (RFC 6761).
    guard let server = URL(string: "http://world.invalid") else {
      throw ClientError(
        .server, message: "The URL of the world is invalid.", advice: "Report this.", isTransient: false)
    }
    var configuration = ContrailClient.Configuration(server: server, apiKey: apiKey, directory: directory)
    configuration.airportDelivery = hasAirports ? .automatic : .manual
    configuration.followsSystemLink = false
    configuration.followsAppLifecycle = false
    let client = try ContrailClient(
      configuration, transport: WorldTransport(service: service, clock: clock, delays: delays), clock: clock)
    clients.add(client)
    return client
  }

  /// Fails requests from now on.
  ///
  /// ```swift
  /// try await world.fail("503 for 10m")
  /// ```
  ///
  /// - Parameter fault: The fault as `FAULT [for TIME] [from TIME] [every TIME]`, such as `latency=2000`, `drop for 30s every 10m`
  ///   or `unauthorized`. Its times count from now. `contrail serve --help` lists the faults.
  /// - Throws: ``TestingError`` if the text is invalid.
  public func fail(_ fault: String) async throws(TestingError) {
    do throws(InputError) {
      service.add(try FaultSchedule(fault))
    } catch {
      throw TestingError(
        code: .invalidFault, message: "The fault is invalid: \(error).",
        advice: "Use a fault such as \"503 for 10m\"; 'contrail serve --help' lists them.")
    }
  }

  /// Ends all faults.
  public func recover() async { service.clearFaults() }

  /// Lets time pass: every request that becomes due in that time is sent and answered.
  ///
  /// - Parameter duration: The time that passes; zero handles what is due now.
  /// - Throws: ``TestingError`` if a client doesn't come to rest within 30 seconds of real time.
  public func advance(by duration: Duration = .zero) async throws(TestingError) {
    let (seconds, attoseconds) = duration.components
    let end = clock.now + max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, 0)
    try await settle()
    while let due = await nextDue, due < end {
      clock.advance(by: max(due - clock.now, 1))
      await service.advanceHolds()
      try await settle()
    }
    clock.advance(by: max(end - clock.now, 0))
    await service.advanceHolds()
    try await settle()
  }

  /// The time at which a client becomes due, an answer arrives, or a held request is answered, in milliseconds since 1970.
  private var nextDue: Int64? {
    get async {
      (clients.all.map(\.nextWake) + [delays.next(after: clock.now), await service.nextRelease()]).compactMap(\.self)
        .min()
    }
  }

  private func settle() async throws(TestingError) {
    repeat {
      for client in clients.all {
        guard await client.settle(within: .seconds(30), butFor: { delays.requests(at: clock.now) }) else {
          throw TestingError(
            code: .restless, message: "A client didn't come to rest within 30 seconds.",
            advice: "Don't change its query without a pause while time passes.")
        }
      }
      // A request that is on its way to the service may be held or answered.
    } while await service.holdCount != delays.heldCount
  }
}

/// The clients of a world, as long as somebody else uses them.
private final class WeakClients: Sendable {
  private struct Reference {
    weak var client: ContrailClient?
  }

  private let references = Lock<[Reference]>([])

  var all: [ContrailClient] { references.withLock { $0.compactMap(\.client) } }

  func add(_ client: ContrailClient) {
    references.withLock { references in
      references.removeAll { $0.client == nil }
      references.append(Reference(client: client))
    }
  }
}

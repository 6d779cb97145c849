import ContrailGeodesy
import ContrailWire

// A service that shares its log answers as of the horizon: the time before which it knows all lines.

extension ReferenceService {
  /// The tolerance in milliseconds for a token of another service whose horizon is ahead of this one's.
  private static let leadMilliseconds: Int64 = 2000
  /// The lag of the horizon in milliseconds from which an answer says the time beside its token.
  private static let lagMilliseconds: Int64 = 2000

  private var sharedTime: SharedTime? { configuration.live?.shared }

  /// The time as of which requests are answered now, in milliseconds since 1970.
  var knownNow: Int64 { sharedTime?.horizon ?? configuration.clock() }

  /// Returns the time as of which a request is answered, in milliseconds since 1970.
  ///
  /// A tablet may come from another service that knew a second more. This one then waits until it knows as much.
  ///
  /// - Parameters:
  ///   - now: The time of the request.
  ///   - since: The greatest token of the request in seconds since 1970.
  /// - Throws: 503 if this service is cut off from the log, and another one may know more.
  func knownTime(_ now: Int64, since: Int64? = nil) async throws(ServiceError) -> Int64 {
    guard let sharedTime else { return now }
    if let since, since * 1000 > sharedTime.horizon, since * 1000 <= now + Self.leadMilliseconds {
      guard await observationService.isKnown(before: since * 1000) else {
        throw ServiceError(
          status: 503, code: "NOT_CURRENT",
          message: "this server doesn't know the changes until \(since): ask again, or another server of the service")
      }
    }
    return sharedTime.horizon
  }

  /// Returns the ring of a handle. A handle that another service gave a moment ago is waited for.
  func ring(_ handle: String) async -> Ring? {
    if let ring = areas.ring(handle) { return ring }
    guard let sharedTime, await observationService.isKnown(before: sharedTime.now()) else { return nil }
    return areas.ring(handle)
  }

  /// Returns the time that the head of an answer says, in milliseconds since 1970.
  func toldTime(_ known: Int64) -> Int64 { sharedTime.map { max($0.now(), known) } ?? known }

  /// Returns the milliseconds that a compact answer adds to its token.
  func toldMilliseconds(_ known: Int64) -> Int64 {
    sharedTime.map { min(max($0.now() - known / 1000 * 1000, 0), 999) } ?? known % 1000
  }

  /// Lets the head of a compact answer say the time if the token doesn't: the data then ages at the client.
  func tellAge(_ known: Int64, in reply: inout Reply) {
    guard let now = sharedTime?.now(), now - known > Self.lagMilliseconds else { return }
    reply.fields[WireHeader.serverTime] = String(now)
  }

  /// Answers held requests while the service is cut off from the log. They would learn nothing.
  func releaseIfAgeing() async {
    if sharedTime?.isAgeing == true { await holds.releaseAll() }
  }

  /// Whether a service that is cut off holds no requests.
  var isAgeing: Bool { sharedTime?.isAgeing ?? false }
}

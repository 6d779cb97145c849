import ContrailHTTP
import ContrailWire

/// Counts the requests of each key that are being answered, for keys that limit them.
///
/// A request counts from its head to the last byte of its answer, also while it is held.
package final class ConcurrentRequests: Sendable {
  /// A key with a limit.
  package struct Caller: Hashable, Sendable {
    var name: String
    /// The number of requests that may be answered at a time.
    var limit: Int
  }

  private let counts = Lock([String: Int]())

  package init() {}

  /// Counts a request.
  ///
  /// - Parameter caller: The key of the request; nil if it has no limit.
  /// - Returns: Whether it may be answered. ``end(_:)`` follows then.
  package func begin(_ caller: Caller?) -> Bool {
    guard let caller else { return true }
    return counts.withLock { counts in
      let count = counts[caller.name] ?? 0
      guard count < caller.limit else { return false }
      counts[caller.name] = count + 1
      return true
    }
  }

  /// Ends a request that was counted.
  package func end(_ caller: Caller?) {
    guard let caller else { return }
    counts.withLock { counts in
      counts[caller.name] = counts[caller.name].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }
}

extension ReferenceService {
  /// The time after which a key may send a request again that was refused because of others at the same time, in seconds.
  private static let concurrencyRetrySeconds = 1

  /// Returns the key of a request, if the number of its requests at a time is limited.
  package func concurrentCaller(of request: ServiceRequest) async -> ConcurrentRequests.Caller? {
    guard let ring = configuration.keyRing, let key = request.credential, Route.at(request.path)?.needsKey == true
    else { return nil }
    return await ring.concurrency(of: key, now: configuration.clock())
  }

  /// Returns the answer to a request whose key has as many at a time as it may.
  package func refusalOfConcurrency(of request: ServiceRequest) -> ServiceAnswer {
    var reply = Reply(Self.tooManyRequests, retryAfterSeconds: Self.concurrencyRetrySeconds)
    reply.fields[WireHeader.serverTime] = String(configuration.clock())
    var answer = reply.answer(to: request.headers, plan: [])
    configuration.crossOrigin?.allow(&answer, to: request)
    return answer
  }
}

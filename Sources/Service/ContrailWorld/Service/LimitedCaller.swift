import ContrailWire

/// A key with a limit of requests at the same time.
package struct LimitedCaller: Hashable, Sendable {
  var name: String
  var limit: Int
}

/// Counts the requests of keys that have a limit.
package struct CallerCounts: Sendable {
  private var counts: [String: Int] = [:]

  package init() {}

  /// Counts a request.
  ///
  /// - Parameter caller: The key of the request; nil if it has no limit.
  /// - Returns: Whether the limit admits it. ``end(_:)`` follows then.
  package mutating func begin(_ caller: LimitedCaller?) -> Bool {
    guard let caller else { return true }
    let count = counts[caller.name] ?? 0
    guard count < caller.limit else { return false }
    counts[caller.name] = count + 1
    return true
  }

  /// Ends a request that was counted.
  package mutating func end(_ caller: LimitedCaller?) {
    guard let caller else { return }
    counts[caller.name] = counts[caller.name].flatMap { $0 > 1 ? $0 - 1 : nil }
  }
}

extension ReferenceService {
  /// The time after which a key may send a request again that was refused because of others at the same time, in seconds.
  private static let concurrencyRetrySeconds = 1

  /// Returns the key of a request, if the number of its requests at a time is limited.
  package func concurrentCaller(of request: ServiceRequest) async -> LimitedCaller? {
    guard let ring = configuration.keyRing, let key = request.credential, Route.at(request.path)?.needsKey == true
    else { return nil }
    return await ring.caller(of: key, with: { $0.concurrent }, now: configuration.clock())
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

import ContrailCore
import ContrailEngine

/// The results of requests that haven't arrived yet, in the order of their simulated arrival, then of their requests.
struct Arrivals {
  struct Arrival {
    var at: Int64
    var request: Int64
    var outcome: RequestResult
    fileprivate var isCancelled = false
  }

  /// Requests that the server holds, as they were sent.
  struct HeldExchange {
    var requests: [OutgoingRequest]
    var seconds: Int64
    var sentAt: Int64
    var headers: [(name: String, value: String)]
  }

  private var arrivals: [Arrival] = []
  /// The last exchange of held requests.
  private var held: HeldExchange?

  /// The time of the next arrival, or `Int64.max` without arrivals.
  var nextAt: Int64 { arrivals.first?.at ?? .max }

  mutating func removeFirst() -> Arrival { arrivals.removeFirst() }

  mutating func removeAll() { arrivals = [] }

  mutating func add(_ requests: [OutgoingRequest], _ outcomes: [RequestResult], at: Int64) {
    for (request, outcome) in zip(requests, outcomes) {
      arrivals.append(Arrival(at: at, request: request.number, outcome: outcome))
    }
    sort()
  }

  /// Fails all requests: their sockets fail immediately, and responses on the way are lost.
  mutating func failAll(at now: Int64) {
    for index in arrivals.indices {
      arrivals[index].at = now
      arrivals[index].outcome = .failed(.network, message: "the link was lost")
    }
    arrivals.removeAll { $0.isCancelled }
    sort()
  }

  /// Cancels a request. A response that is about to arrive is still delivered.
  ///
  /// - Returns: Whether the request was open.
  mutating func cancel(_ number: Int64, at now: Int64) -> Bool {
    guard let index = arrivals.firstIndex(where: { $0.request == number }) else { return false }
    if arrivals[index].at > now + 500 { arrivals.remove(at: index) } else { arrivals[index].isCancelled = true }
    return true
  }

  // MARK: Held requests

  /// Adds the answer to held requests at the time at which the server would have sent it. If the link is down then, nothing comes.
  mutating func hold(_ exchange: HeldExchange, _ outcomes: [RequestResult], over options: Recorder.Options) {
    let sentAt = exchange.sentAt
    let releasedAt = outcomes.compactMap { outcome -> Int64? in
      if case .answered(let answer) = outcome { answer.serverTimeMS } else { nil }
    }.max()
    let (delay, arrived) = options.passage(of: exchange.requests, outcomes, at: max(releasedAt ?? sentAt, sentAt))
    held = exchange
    for (request, outcome) in zip(exchange.requests, arrived) {
      var at = max(releasedAt ?? sentAt, sentAt) + delay
      if case .failed(.timeout, _, _) = outcome {
        at = sentAt + (exchange.seconds + Int64(RequestPacker.holdGraceSeconds)) * 1000
      }
      arrivals.append(Arrival(at: at, request: request.number, outcome: outcome))
    }
    sort()
  }

  /// Removes the held requests and returns them; nil if the server holds none, or one of them was cancelled.
  mutating func takeHeld() -> HeldExchange? {
    guard let held,
      held.requests.allSatisfy({ request in arrivals.contains { $0.request == request.number && !$0.isCancelled } })
    else { return nil }
    arrivals.removeAll { arrival in held.requests.contains { $0.number == arrival.request } }
    return held
  }

  private mutating func sort() { arrivals.sort { ($0.at, $0.request) < ($1.at, $1.request) } }
}

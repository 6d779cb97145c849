package import ContrailCore
package import ContrailWire

/// A request of the recording, and its result.
package struct RecordedExchange: Sendable {
  package var request: Int64
  package var scope: ScopeID
  package var rule: Rule
  /// Nil for an upload.
  package var mode: FetchMode?
  /// Nil for an upload.
  package var spec: FetchSpec?
  package var since: Int64?
  package var handle: String?
  /// The terms of a held request; nil if it was to be answered at once.
  package var hold: HoldTerms?
  /// The number of the first request of its exchange.
  package var leader: Int64
  /// The number of requests that share the exchange.
  package var sharing = 1
  /// The size of the exchange's request; nil for all requests of a shared exchange but the first.
  var size: WireModel.RequestSize?
  /// The traffic whose changes are requested.
  package var heldTraffic: [TrafficPosition] = []
  /// The records of another area whose changes are requested.
  package var heldRecords = HeldRecords()
  package var sentAtMS: Int64
  /// The time of the result. Without one, the time at which it was cancelled, or its process ended.
  package var endedAtMS: Int64
  package var result: Result
  /// The reports of the response, as indexes into the world's observations. They aren't in ``result`` then.
  var reports: [UInt32] = []
  /// Whether it was cancelled. Its answer may have come all the same.
  package var isCancelled = false
  /// Whether the engine couldn't use the response, although its status says that it is one.
  var isUnusable = false
  /// The rule by which the response didn't fit the held records; nil if it did.
  var misfit: Rule?

  package enum Result: Sendable {
    case answered(Input.Response)
    case failed(TransportFailure, sent: SentBytes?)
    /// It was cancelled, or its process ended.
    case none
  }

  /// The response; nil if there is none.
  package var response: Input.Response? {
    if case .answered(let response) = result { response } else { nil }
  }

  /// Returns the response with its reports.
  package func response(in world: RecordedWorld) -> Input.Response? {
    guard var response = self.response, !reports.isEmpty, case .answer(var answer) = response.body else {
      return self.response
    }
    answer.reports = reports.map { world.observations[Int($0)].report }
    response.body = .answer(answer)
    return response
  }

  /// Whether a response or a failure was recorded.
  package var hasResult: Bool {
    if case .none = result { false } else { true }
  }

  /// The bytes of the request; nil if the log doesn't count them, or without a result.
  package var sent: SentBytes? {
    switch result {
    case .answered(let response): response.sent
    case .failed(_, let sent): sent
    case .none: nil
    }
  }

  package var durationMS: Int64 { endedAtMS - sentAtMS }

  /// Whether the server held the request for longer than any other request lasts.
  var wasHeld: Bool { hold != nil && durationMS > InjectedFault.timeoutMS }

  /// By how much held requests may end before their time, in seconds: their terms count whole seconds of the server's clock.
  private static let earlySeconds: Int64 = 5

  /// Whether a held request ended before the maximum time of its terms.
  var endsBeforeItsTerms: Bool { hold.map { durationMS < ($0.seconds - Self.earlySeconds) * 1000 } ?? false }

  /// Whether the response has a record for which a server ends a hold, or traffic when it is time for it.
  var endsHold: Bool {
    guard case .answer(let answer) = response?.body else { return false }
    if !(reports.isEmpty && answer.reports.isEmpty && answer.pireps.isEmpty) { return true }
    guard let hold, let since, spec?.types.contains(.traffic) == true else { return false }
    return answer.token + Self.earlySeconds >= since + hold.delaySeconds(isUrgent: false)
  }

  /// Whether it is a repair whose answer the engine couldn't use.
  var isUselessRepair: Bool { mode == .repair && isUnusable }

  /// Whether the server did its part: the link was up, and the server willing.
  package var isService: Bool {
    guard let response, !isUnusable else { return false }
    // These say something about the request, and not about the link or the server.
    return [200, 204, 304, 404, 410].contains(response.status)
  }
}

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
  /// Whether the server's sum of the response wasn't that of the held records.
  var breaksSum = false

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

  /// Whether the server did its part: the link was up, and the server willing.
  package var isService: Bool {
    guard let response, !isUnusable else { return false }
    // These say something about the request, and not about the link or the server.
    return [200, 204, 304, 404, 410].contains(response.status)
  }
}

/// The state of the link and the server over a flight, as the recorded exchanges show it.
///
/// The link changes at some time between a successful and a failed exchange. Each run draws the time.
struct LinkTrace: Sendable {
  /// The first request with a result of each exchange, in the order in which they were sent.
  private(set) var exchanges: [RecordedExchange] = []
  /// The successful ones among them that weren't held: their durations are those of the link.
  private var served: [Int] = []
  /// The requests by handle, for deltas, and those whose answers have sums.
  private var byHandle: [Int] = []
  private var deltas: [Int] = []
  private var summed: [Int] = []
  /// The server's clock less the device's, in milliseconds; nil if no answer tells the time.
  private(set) var clockLeadMS: Int64?

  /// The time around an exchange in which it says something about the link, in milliseconds.
  static let reachMS: Int64 = 16 * 60_000

  init(_ all: [RecordedExchange]) {
    var seen: Set<Int64> = []
    exchanges = all.filter { $0.hasResult && seen.insert($0.leader).inserted }
    served = exchanges.indices.filter { exchanges[$0].isService && exchanges[$0].hold == nil }
    byHandle = exchanges.indices.filter { exchanges[$0].handle != nil && exchanges[$0].response != nil }
    deltas = exchanges.indices.filter { exchanges[$0].since != nil && exchanges[$0].response != nil }
    summed = exchanges.indices.filter { exchanges[$0].scope.hasDeltas && exchanges[$0].response?.status == 200 }
    let leads = served.compactMap { index in
      exchanges[index].response?.serverTimeMS.map { $0 - (exchanges[index].sentAtMS + exchanges[index].endedAtMS) / 2 }
    }
    if !leads.isEmpty { clockLeadMS = leads.sorted()[leads.count / 2] }
  }

  /// Returns the number of the nearest exchange that says something about the link at a time and isn't yet used.
  ///
  /// An exchange is one look at the link. It vouches for one exchange of the alternative: of more requests than were recorded, some
  /// meet times without an exchange.
  func witness(at time: Int64, excluding used: Set<Int64>) -> Int64? {
    let next = exchanges.partition { $0.sentAtMS > time }
    var (before, after) = (next - 1, next)
    while true {
      let earlier = before >= 0 ? time - exchanges[before].sentAtMS : .max
      let later = after < exchanges.count ? exchanges[after].sentAtMS - time : .max
      guard min(earlier, later) <= Self.reachMS else { return nil }
      let index = earlier <= later ? before : after
      if earlier <= later { before -= 1 } else { after += 1 }
      if !used.contains(exchanges[index].leader) { return exchanges[index].leader }
    }
  }

  // MARK: What a server does

  /// Returns the recorded refusal that a request shares: of its handle, or of its watermark; nil if it is served.
  ///
  /// A server that forgets areas or changes for a time does so for all requests of that time.
  func refusal(of inFlight: Scope.InFlightRequest, at time: Int64, seed: UInt64?) -> RecordedExchange? {
    if inFlight.handle != nil, let shared = shared(byHandle, at: time, seed, { $0.response?.status == 404 }) {
      return shared
    }
    return inFlight.since == nil ? nil : shared(deltas, at: time, seed) { $0.response?.status == 410 }
  }

  /// Whether the sums of answers are wrong at a time.
  func breaksSums(at time: Int64, seed: UInt64?) -> Bool { shared(summed, at: time, seed, \.breaksSum) != nil }

  private func shared(
    _ indexes: [Int], at time: Int64, _ seed: UInt64?, _ isFault: (RecordedExchange) -> Bool
  ) -> RecordedExchange? {
    let next = indexes.partition { exchanges[$0].sentAtMS > time }
    let around = [next - 1, next].filter(indexes.indices.contains).map { exchanges[indexes[$0]] }
    guard let first = around.first, let last = around.last else { return nil }
    var chosen = abs(first.sentAtMS - time) <= abs(last.sentAtMS - time) ? first : last
    if let seed, isFault(first) != isFault(last) {
      let draw = Digest.mix(seed ^ Digest.mix(UInt64(bitPattern: first.request)))
      let change = first.sentAtMS + Int64(draw % UInt64(max(last.sentAtMS - first.sentAtMS, 1)))
      chosen = time < change ? first : last
    }
    return isFault(chosen) ? chosen : nil
  }

  // MARK: The link

  /// What happens to a request.
  struct Conditions {
    /// The exchange whose failure or refusal it shares; nil if it is served.
    var fault: RecordedExchange?
    /// The time until the response arrives, in milliseconds.
    var durationMS: Int64
    /// The server's time when the request arrives, in milliseconds.
    var serverMS: Int64
  }

  /// Returns what happens to a request.
  ///
  /// - Parameters:
  ///   - time: The time at which it is sent, in milliseconds.
  ///   - request: Its number.
  ///   - isHeld: Whether the server may hold it. Held requests are lost for reasons of their own, which others don't share.
  ///   - seed: The seed of the run; nil for the nearest exchange instead of a random one.
  func conditions(at time: Int64, request: Int64, isHeld: Bool, seed: UInt64?) -> Conditions {
    let next = exchanges.partition { $0.sentAtMS > time }
    let before = next > 0 ? next - 1 : nil
    let after = next < exchanges.count ? next : nil
    let nearest = [before, after].compactMap { $0 }.min {
      abs(exchanges[$0].sentAtMS - time) < abs(exchanges[$1].sentAtMS - time)
    }
    var chosen = nearest
    if let before, let after {
      let (a, b) = (exchanges[before], exchanges[after])
      if a.isService != b.isService, let seed {
        let draw = Digest.mix(seed ^ Digest.mix(UInt64(bitPattern: a.request)))
        let change = a.sentAtMS + Int64(draw % UInt64(max(b.sentAtMS - a.sentAtMS, 1)))
        chosen = time < change ? before : after
      }
    }
    // The duration is that of an exchange near it.
    let place = served.partition { exchanges[$0].sentAtMS > time }
    var pick = place
    if let seed {
      let draw = Digest.mix(seed ^ Digest.mix(UInt64(bitPattern: request) ^ 0x6475_7261))
      pick = place - 4 + Int(draw % 8)
    } else if place > 0,
      place == served.count
        || time - exchanges[served[place - 1]].sentAtMS
          <= exchanges[served[place]].sentAtMS - time
    {
      pick = place - 1
    }
    let model = served.isEmpty ? nil : exchanges[served[min(max(pick, 0), served.count - 1)]]
    let durationMS = model?.durationMS ?? 1000
    let upMS = model.flatMap { it in it.response?.serverTimeMS.map { $0 - it.sentAtMS } }
    let fault = chosen.flatMap { index in
      let it = exchanges[index]
      return it.isService || (it.hold != nil && !isHeld) ? nil : it
    }
    return Conditions(
      fault: fault, durationMS: durationMS, serverMS: time + (upMS ?? (clockLeadMS ?? 0) + durationMS / 2))
  }
}

extension Array {
  /// Returns the index of the first element that satisfies a condition, which holds for all elements after it.
  func partition(_ isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

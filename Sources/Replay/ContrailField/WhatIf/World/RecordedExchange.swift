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
  /// The bytes of the target, the entity tag and the body as they are sent.
  package var plainBytes = 0
  /// The traffic whose changes are requested.
  package var heldTraffic: [TrafficPosition] = []
  /// The records of another area whose changes are requested.
  package var heldRecords = HeldRecords()
  package var sentAtMS: Int64
  /// The time of the result. Without one, the time at which it was cancelled, or its process ended.
  package var endedAtMS: Int64
  package var result: Result
  /// Whether it was cancelled. Its answer may have come all the same.
  package var isCancelled = false

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

  /// Whether a response or a failure was recorded.
  package var hasResult: Bool {
    if case .none = result { false } else { true }
  }

  package var durationMS: Int64 { endedAtMS - sentAtMS }

  /// Whether the server did its part: the link was up, and the server willing.
  package var isService: Bool {
    guard let response else { return false }
    // These say something about the request, and not about the link or the server.
    return [200, 204, 304, 404, 410].contains(response.status)
  }
}

/// The state of the link and the server over a flight, as the recorded exchanges show it.
///
/// The link changes at some time between a successful and a failed exchange. Each run draws the time.
struct LinkTrace: Sendable {
  /// The exchanges with a result, in the order in which they were sent.
  private(set) var exchanges: [RecordedExchange] = []
  /// The successful ones among them.
  private var served: [Int] = []
  /// The server's clock less the device's, in milliseconds; nil if no answer tells the time.
  private(set) var clockLeadMS: Int64?

  /// The time around an exchange in which it says something about the link, in milliseconds.
  static let reachMS: Int64 = 16 * 60_000

  init(_ all: [RecordedExchange]) {
    exchanges = all.filter(\.hasResult)
    served = exchanges.indices.filter { exchanges[$0].isService }
    let leads = served.compactMap { index in
      exchanges[index].response?.serverTimeMS.map { $0 - (exchanges[index].sentAtMS + exchanges[index].endedAtMS) / 2 }
    }
    if !leads.isEmpty { clockLeadMS = leads.sorted()[leads.count / 2] }
  }

  /// Returns the nearest exchange that says something about the link at a time and isn't yet used.
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
      if !used.contains(exchanges[index].request) { return exchanges[index].request }
    }
  }

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
  ///   - seed: The seed of the run; nil for the nearest exchange instead of a random one.
  func conditions(at time: Int64, request: Int64, seed: UInt64?) -> Conditions {
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
    let fault = chosen.flatMap { exchanges[$0].isService ? nil : exchanges[$0] }
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

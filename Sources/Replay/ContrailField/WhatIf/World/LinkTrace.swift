import ContrailCore
import ContrailWire

/// The state of the link and the server over a flight, as the recorded exchanges show it.
///
/// The link changes at some time between a successful and a failed exchange. Each run draws the time.
struct LinkTrace: Sendable {
  /// The first request with a result of each exchange, in the order in which they were sent.
  private(set) var exchanges: [RecordedExchange] = []
  /// The successful ones among them that weren't held: their durations are those of the link.
  private var served: [Int] = []
  /// What each exchange shows of the link: that it was up when an answer came, too.
  private var link: [Look] = []
  /// Whether the server took requests, at the times when they were sent. The answer to a held request doesn't show it: a server may answer
  /// held requests while it refuses new ones.
  private var server: [Look] = []
  /// What requests by handle, deltas, repairs and held requests show of the server.
  private var byHandle: [Look] = []
  private var deltas: [Look] = []
  private var repairs: [Look] = []
  private var holds: [Look] = []
  /// Whether the server's answers fit the held records, at the times of the answers.
  private var fits: [Look] = []
  /// The held requests that were answered before their terms, without news.
  private var earlyEnds: Set<Int> = []
  /// The times at which answers to held requests were due and didn't come, in milliseconds.
  private var silences: [Int64] = []
  /// The ways of answers to held requests over the link, by the time when the server sent them.
  private var passages: [Passage] = []
  /// Those that took long, because the link was down.
  private var stalls: [Passage] = []
  /// The bytes of recorded refusals.
  private var refusalBytes: [Refusal: Int64] = [:]
  /// The server's clock less the device's, in milliseconds; 0 if no answer tells the time.
  private(set) var clockLeadMS: Int64 = 0

  /// A moment at which an exchange shows the link or the server.
  private struct Look {
    var atMS: Int64
    var exchange: Int
  }

  /// The way of an answer from the server to the device, by the device's clock, in milliseconds.
  private struct Passage {
    var sentAtMS: Int64
    var endedAtMS: Int64
    var durationMS: Int64 { endedAtMS - sentAtMS }
  }

  /// A refusal by the server. Those of several requests that share an exchange are in one body.
  private struct Refusal: Hashable {
    var status: Int
    var isShared: Bool
  }

  /// The time around an exchange in which it says something about the link, in milliseconds.
  static let reachMS: Int64 = 16 * 60_000
  /// The link was down if an answer takes so much longer than the median, in milliseconds.
  private static let stallMS: Int64 = 5000

  init(_ all: [RecordedExchange]) {
    var seen: Set<Int64> = []
    exchanges = all.filter { $0.hasResult && seen.insert($0.leader).inserted }
    served = exchanges.indices.filter { exchanges[$0].isService && exchanges[$0].hold == nil }
    server = looks(sent: true) { _ in true }
    link = looks(sent: true, ended: true) { _ in true }
    byHandle = looks(sent: true) { $0.handle != nil && $0.response != nil }
    deltas = looks(sent: true) { $0.since != nil && $0.response != nil }
    repairs = looks(sent: true) { $0.mode == .repair && $0.response != nil }
    holds = looks(sent: true) { $0.hold != nil && $0.isService }
    fits = looks(ended: true) { $0.scope.hasDeltas && $0.mode != .repair && $0.response?.status == 200 }
    let leadersWithNews = Set(all.lazy.filter(\.endsHold).map(\.leader))
    earlyEnds = Set(
      exchanges.indices.filter { index in
        let exchange = exchanges[index]
        return exchange.endsBeforeItsTerms && exchange.isService && !leadersWithNews.contains(exchange.leader)
      })
    silences = all.compactMap { exchange in
      guard let hold = exchange.hold, !exchange.hasResult else { return nil }
      let dueMS = hold.seconds * 1000
      return exchange.durationMS < dueMS ? nil : exchange.sentAtMS + dueMS
    }
    for exchange in exchanges {
      guard let response = exchange.response, response.status != 200, response.wireBytes > 0 else { continue }
      refusalBytes[Refusal(status: response.status, isShared: exchange.sharing > 1)] = response.wireBytes
    }
    let leads = served.compactMap { index in
      exchanges[index].response?.serverTimeMS.map { $0 - (exchanges[index].sentAtMS + exchanges[index].endedAtMS) / 2 }
    }
    if !leads.isEmpty { clockLeadMS = leads.sorted()[leads.count / 2] }
    var held: [Passage] = []
    for exchange in exchanges where exchange.hold != nil && exchange.isService {
      guard let serverMS = exchange.response?.serverTimeMS else { continue }
      held.append(Passage(sentAtMS: serverMS - clockLeadMS, endedAtMS: exchange.endedAtMS))
    }
    held.sort { ($0.sentAtMS, $0.endedAtMS) < ($1.sentAtMS, $1.endedAtMS) }
    let usualMS = held.isEmpty ? 0 : held.map(\.durationMS).sorted()[held.count / 2]
    stalls = held.filter { $0.durationMS > usualMS + Self.stallMS }
    passages = held.filter { $0.durationMS <= usualMS + Self.stallMS }
  }

  /// Returns the moments at which exchanges were sent, or at which their answers came.
  private func looks(
    sent: Bool = false, ended: Bool = false, at isShown: (RecordedExchange) -> Bool
  ) -> [Look] {
    var looks: [Look] = []
    for (index, exchange) in exchanges.enumerated() where isShown(exchange) {
      if sent { looks.append(Look(atMS: exchange.sentAtMS, exchange: index)) }
      if ended, exchange.response != nil { looks.append(Look(atMS: exchange.endedAtMS, exchange: index)) }
    }
    return looks.sorted { ($0.atMS, $0.exchange) < ($1.atMS, $1.exchange) }
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

  /// Returns the size of a refusal in an exchange of its own, or in a shared one.
  func bytes(of refusal: Input.Response, isShared: Bool) -> Int64 {
    refusalBytes[Refusal(status: refusal.status, isShared: isShared)] ?? refusal.wireBytes
  }

  /// Returns the rule by which answers don't fit the held records at a time; nil if they do.
  func misfit(at time: Int64, seed: UInt64?) -> Rule? { shared(fits, at: time, seed) { $0.misfit != nil }?.misfit }

  /// Returns the exchange with a fault whose moment a time shares; nil if the nearest one has none.
  private func shared(
    _ looks: [Look], at time: Int64, _ seed: UInt64?, _ isFault: (RecordedExchange) -> Bool
  ) -> RecordedExchange? {
    shared(looks, at: time, seed) { isFault(exchanges[$0]) }.map { exchanges[$0] }
  }

  private func shared(_ looks: [Look], at time: Int64, _ seed: UInt64?, isFault: (Int) -> Bool) -> Int? {
    let next = looks.partition { $0.atMS > time }
    let around = [next - 1, next].filter(looks.indices.contains).map { looks[$0] }
    guard let first = around.first, let last = around.last else { return nil }
    var chosen = abs(first.atMS - time) <= abs(last.atMS - time) ? first : last
    if let seed, isFault(first.exchange) != isFault(last.exchange) {
      let draw = Digest.mix(seed ^ Digest.mix(UInt64(bitPattern: exchanges[first.exchange].request)))
      let change = first.atMS + Int64(draw % UInt64(max(last.atMS - first.atMS, 1)))
      chosen = time < change ? first : last
    }
    return isFault(chosen.exchange) ? chosen.exchange : nil
  }

  // MARK: The link

  /// Whether the answer to a held request is lost at a time, as a recorded one was that was due then.
  func isSilent(at time: Int64, seed: UInt64?) -> Bool {
    guard let silence = silences.min(by: { abs($0 - time) < abs($1 - time) }) else { return false }
    // The link came up again before the exchange that follows.
    let next = link.partition { $0.atMS > silence }
    let after = next < link.count ? link[next].atMS : silence
    let end = silence + Int64(Double(after - silence) * Self.share(of: silence, salt: 2, seed))
    return downSince(silence, salt: 1, seed) <= time && time <= end
  }

  /// Returns when the link went down that was down at a time: at any time after the last exchange that shows it up.
  private func downSince(_ time: Int64, salt: UInt64, _ seed: UInt64?) -> Int64 {
    let next = link.partition { $0.atMS > time }
    let before = next > 0 ? link[next - 1].atMS : time
    return before + Int64(Double(time - before) * Self.share(of: time, salt: salt, seed))
  }

  /// Returns a number in 0..<1 that a run draws for a time; the middle without a seed.
  private static func share(of time: Int64, salt: UInt64, _ seed: UInt64?) -> Double {
    seed.map { Digest.share(of: $0 ^ Digest.mix(UInt64(bitPattern: time) ^ salt)) } ?? 0.5
  }

  /// Returns how long the answer to a held request is under way; nil if the recording has none.
  ///
  /// - Parameter time: The time at which the server sends it, by the device's clock, in milliseconds.
  func passageMS(sentAt time: Int64, request: Int64, seed: UInt64?) -> Int64? {
    // The link came up again when the recorded answer arrived.
    if let stall = stalls.first(where: { time < $0.endedAtMS }), downSince(stall.sentAtMS, salt: 0, seed) <= time {
      return stall.endedAtMS - time
    }
    let place = passages.partition { $0.sentAtMS > time }
    // The same moment has the same link.
    if place > 0, passages[place - 1].sentAtMS == time { return passages[place - 1].durationMS }
    return Self.neighbour(
      of: time, before: place, count: passages.count, salt: UInt64(bitPattern: request) ^ 0x7061_7373, seed: seed
    ) { passages[$0].sentAtMS }.map { passages[$0].durationMS }
  }

  /// Returns the index of the moment that is nearest to a time, or with a seed, of one of the eight around it; nil without moments.
  ///
  /// - Parameters:
  ///   - place: The index of the first moment after the time.
  ///   - count: The number of moments.
  ///   - salt: What distinguishes the draw from others.
  ///   - moment: Returns a moment by its index, in milliseconds.
  private static func neighbour(
    of time: Int64, before place: Int, count: Int, salt: UInt64, seed: UInt64?, _ moment: (Int) -> Int64
  ) -> Int? {
    guard count > 0 else { return nil }
    var pick = place
    if let seed {
      pick = place - 4 + Int(Digest.mix(seed ^ Digest.mix(salt)) % 8)
    } else if place > 0, place == count || time - moment(place - 1) <= moment(place) - time {
      pick = place - 1
    }
    return min(max(pick, 0), count - 1)
  }

  /// What happens to a request.
  struct Conditions {
    /// The exchange whose failure or refusal it shares; nil if it is served.
    var fault: RecordedExchange?
    /// The time until the response arrives, in milliseconds.
    var durationMS: Int64
    /// The server's time when the request arrives, in milliseconds.
    var serverMS: Int64
    /// The time after which the server answers a held request whatever its terms are, in milliseconds; nil if it keeps to them.
    var holdMS: Int64?
  }

  /// Returns what happens to a request.
  ///
  /// - Parameters:
  ///   - time: The time at which it is sent, in milliseconds.
  ///   - request: Its number.
  ///   - mode: What it asks for; nil for an upload.
  ///   - isHeld: Whether the server may hold it. Held requests are lost for reasons of their own, which others don't share.
  ///   - seed: The seed of the run; nil for the nearest exchange instead of a random one.
  func conditions(at time: Int64, request: Int64, mode: FetchMode?, isHeld: Bool, seed: UInt64?) -> Conditions {
    // The duration is that of an exchange near it.
    let place = served.partition { exchanges[$0].sentAtMS > time }
    let model = Self.neighbour(
      of: time, before: place, count: served.count, salt: UInt64(bitPattern: request) ^ 0x6475_7261, seed: seed
    ) { exchanges[served[$0]].sentAtMS }.map { exchanges[served[$0]] }
    let durationMS = model?.durationMS ?? 1000
    let upMS = model.flatMap { it in it.response?.serverTimeMS.map { $0 - it.sentAtMS } }
    // A useless answer to a repair says something about repairs only.
    var fault =
      shared(link, at: time, seed) { $0.response == nil }
      ?? shared(server, at: time, seed) { $0.response != nil && !$0.isService && !$0.isUselessRepair }
    if fault?.hold != nil, !isHeld { fault = nil }
    if fault == nil, mode == .repair { fault = shared(repairs, at: time, seed, \.isUselessRepair) }
    let early = isHeld ? shared(holds, at: time, seed, isFault: earlyEnds.contains) : nil
    return Conditions(
      fault: fault, durationMS: durationMS, serverMS: time + (upMS ?? clockLeadMS + durationMS / 2),
      holdMS: early.map { max(exchanges[$0].durationMS - durationMS, 0) })
  }
}

extension Digest {
  /// Returns a number in 0..<1 that a value decides; each is equally likely.
  static func share(of value: UInt64) -> Double { Double(mix(value) >> 11) / 0x1p53 }
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

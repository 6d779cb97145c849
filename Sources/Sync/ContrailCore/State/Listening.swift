package import ContrailWire

/// How the client listens: what the application asks for, how long the server may hold a request, and how such requests have ended.
///
/// The time grows while held requests are answered in full, and halves if one is lost. A longer time is tried again after many that
/// were answered in full. After several early ends, the client requests updates at the interval of the frequency, until the next
/// launch or change of the link.
package struct Listening: Sendable, Equatable {
  package internal(set) var settings = ListeningSettings()
  /// The time for which the next request may be held, in seconds.
  package internal(set) var seconds = Self.firstSeconds
  /// The longest time that ``seconds`` grows to.
  package internal(set) var ceiling = Self.longestSeconds
  /// The number of held requests since the last loss that were answered in full, after as long as the ceiling allows.
  package internal(set) var fullHolds: Int64 = 0
  /// The number of held requests in a row that ended early without news.
  package internal(set) var earlyEnds: Int64 = 0
  /// The earliest time for the next held request, in milliseconds.
  package internal(set) var notBefore: Int64 = 0
  /// The exchange of the held requests; nil if none is held.
  package internal(set) var exchange: Exchange?

  /// The held requests of one exchange, which the server answers together. Times are milliseconds since 1970.
  package struct Exchange: Sendable, Equatable {
    package var startedAt: Int64
    package var seconds: Int64
    /// Whether one of the requests was answered or failed. The others follow at once.
    package var isEnding = false
    /// Whether an answer contained records.
    package var hasNews = false
    /// Whether a request was sent for one of the answers. The server that holds the request again after each answer needs none.
    package var isSent = false
    /// Whether a request ended without an answer.
    package var isLost = false
    /// Whether the end doesn't tell how long a request can be held.
    package var isExcused = false
    /// Whether one of the requests was cancelled. The server still answers when there is news for it.
    package var isReduced = false

    /// Whether it would end before the time for which it may be held.
    package func isEarly(at now: Int64) -> Bool { now - startedAt < seconds * 1000 - Listening.toleranceMS }

    /// Notes that the server held an answer of a stream in full by its own clock.
    ///
    /// It holds again as soon as it has sent an answer. Over a link that has become faster, the next one comes earlier.
    mutating func noteFullHold(at now: Int64) {
      // Half of the time passes here, whatever the server says.
      startedAt = min(startedAt, max(now - seconds * 1000, startedAt - seconds * 500))
    }
  }

  package static let firstSeconds: Int64 = 50
  package static let longestSeconds: Int64 = 540
  static let shortestSeconds: Int64 = 15
  /// The number of ``fullHolds`` after which a longer time is tried. Where it is lost in silence again, urgent news is late for
  /// no more than a tenth of the time.
  static let fullHoldsToProbe: Int64 = 32
  /// The number of early ends in a row after which requests aren't held any more.
  package static let maximumEarlyEnds: Int64 = 3
  /// The time after the end of the hold at which an unanswered request counts as lost, in milliseconds.
  package static let graceMS: Int64 = 20_000
  /// The tolerance for clocks that run at different rates, in milliseconds.
  private static let toleranceMS: Int64 = 2_000

  /// Whether requests aren't held, because they ended early several times.
  package var isPolling: Bool { earlyEnds >= Self.maximumEarlyEnds }

  /// Starts again, because the link may be another one.
  mutating func relink() {
    let settings = settings
    self = Listening()
    self.settings = settings
  }

  /// Starts again, because the link fails: early ends don't mean that a proxy ends held requests. The pause after one remains.
  mutating func excuse() {
    let (exchange, notBefore) = (exchange, notBefore)
    relink()
    (self.exchange, self.notBefore) = (exchange, notBefore)
  }

  /// Notes that a request is held.
  mutating func begin(seconds: Int64, at now: Int64) {
    exchange = exchange ?? Exchange(startedAt: now, seconds: seconds)
  }

  /// Concludes from the end of an exchange how long the next may last.
  mutating func conclude(seed: UInt64, at now: Int64) {
    guard let exchange else { return }
    self.exchange = nil
    // Records that follow each other don't cause a request each. The answers of a stream cause none: they would only pile up.
    if exchange.isSent { notBefore = max(notBefore, exchange.startedAt + Backoff.eagerMS) }
    if exchange.isExcused { return }
    if exchange.isLost {
      seconds = max(exchange.seconds / 2, Self.shortestSeconds)
      ceiling = seconds
      fullHolds = 0
    } else if !exchange.isEarly(at: now) {
      if exchange.seconds == ceiling, ceiling < Self.longestSeconds { raiseCeiling() }
      seconds = max(seconds, min(exchange.seconds * 2, ceiling))
      earlyEnds = 0
      return
    } else if exchange.hasNews || exchange.isReduced {
      return
    }
    earlyEnds += 1
    // The jitter spreads the clients of a server that restarts.
    notBefore = max(notBefore, now + Backoff.delayMS(seed: seed, scope: .corridor, count: earlyEnds + 3))
  }

  /// Raises the ceiling after many full holds: connections break for other reasons, too.
  private mutating func raiseCeiling() {
    fullHolds += 1
    guard fullHolds == Self.fullHoldsToProbe else { return }
    ceiling = min(ceiling * 2, Self.longestSeconds)
    fullHolds = 0
  }
}

extension Scope.AreaHandle {
  /// Whether the server holds requests long enough to listen.
  var canListen: Bool { holdSeconds >= Listening.shortestSeconds }
}

extension Scope {
  /// The terms of a held delta; nil if none may be held.
  func holdTerms(_ context: Context) -> HoldTerms? {
    let listening = context.listening
    guard let handle = handles.known, handle.canListen, listening.settings.isEnabled, !listening.isPolling,
      context.isOnline, !context.isInBackground, let intervalMS = intervalMS(context), let want,
      affordable(want, context.saving) != nil,
      handles.name(for: want.areaDigest) != nil
    else { return nil }
    return HoldTerms(
      seconds: min(listening.seconds, handle.holdSeconds, listening.settings.confirmationMS / 1000),
      urgent: listening.settings.urgentSeverity,
      altitudes: listening.settings.urgentAltitudes, ordinarySeconds: intervalMS / 1000)
  }

  /// Whether a held request still asks for the wanted data.
  func isHeldAsWanted(_ inFlight: InFlightRequest, _ hold: Hold, _ context: Context) -> Bool {
    guard var terms = holdTerms(context) else { return false }
    terms.seconds = hold.terms.seconds
    return terms == hold.terms && !inFlight.hasOldCredentials && pendingRefresh == .none
  }

  /// The time at which a delta confirms the data, because a held request was lost; nil if none needs to.
  ///
  /// Until the other requests of its exchange have ended, too, it isn't known.
  func confirmsAt(_ context: Context) -> Int64? {
    guard let confirmAt else { return nil }
    if let exchange = context.listening.exchange, exchange.startedAt <= confirmAt { return .max }
    return max(confirmAt, context.listening.notBefore)
  }

  /// Notes that a held request ended without an answer. A delta without a hold confirms then that the server can be reached.
  ///
  /// The end isn't a failed attempt: proxies and networks end requests that nothing is sent for.
  mutating func loseHold(at now: Int64) {
    request = .idle
    confirmAt = now
  }

  /// Ends a held request, because the device may have slept.
  mutating func doubtHold(at now: Int64) {
    guard case .inFlight(var inFlight) = request else { return }
    inFlight.hold?.deadline = now
    request = .inFlight(inFlight)
  }
}

extension State {
  /// Returns the terms of a held delta of a scope; nil if none may be held.
  package func holdTerms(at index: Int) -> HoldTerms? {
    let context = context
    return reading(index) { $0.holdTerms(context) }
  }

  /// Notes the answer to a held request. If the data doesn't match it, the rules of deltas apply.
  mutating func endHold(answered index: Int, hasNews: Bool, isSent: Bool) {
    listening.exchange?.isEnding = true
    if isSent { listening.exchange?.isSent = true }
    if hasNews { listening.exchange?.hasNews = true }
    if scopes[index].lastSuccessAt != now || scopes[index].retry.failures > 0 { listening.exchange?.isExcused = true }
    concludeHold()
  }

  /// Notes that a held request ended without an answer.
  mutating func endHold(lost index: Int) {
    scopes[index].loseHold(at: now)
    listening.exchange?.isEnding = true
    listening.exchange?.isLost = true
    listening.exchange?.isSent = true
    concludeHold()
  }

  /// Notes that a held request was cancelled.
  mutating func endHold(cancelled index: Int, _ rule: Rule) {
    listening.exchange?.isSent = true
    if rule == .silent {
      listening.exchange?.isLost = true
      scopes[index].loseHold(at: now)
    } else if isHolding {
      listening.exchange?.isReduced = true
    } else if listening.exchange?.isLost == false {
      listening.exchange?.isExcused = true
    }
    concludeHold()
  }

  /// Whether a request of an area is held.
  private var isHolding: Bool {
    for index in scopes.indices where reading(index, { $0.isHeld }) { return true }
    return false
  }

  private mutating func concludeHold() {
    guard !isHolding else { return }
    listening.conclude(seed: session?.seed ?? 0, at: now)
  }

  /// Ends held requests, because the device may have slept.
  mutating func doubtHolds() {
    for index in scopes.indices where reading(index, { $0.isHeld }) {
      scopes[index].doubtHold(at: now)
      listening.exchange?.isExcused = true
    }
  }
}

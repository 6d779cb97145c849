import ContrailCore

/// Decides when the application's provider is called for a key or token.
///
/// There is one call at a time, for all scopes: when there is no key, before it expires, and after the server refused it. A call that
/// doesn't return in time is cancelled and counts as failed. The calls after failures, and after keys that the server refuses at once,
/// have growing distances.
struct CredentialKeeper: Sendable {
  /// A call of the provider that hasn't returned, and isn't too late.
  private struct Call {
    var number: Int64
    var deadline: Int64
  }

  /// What the provider returned, until the log holds the change.
  private struct Pending {
    var secret: String
    var expiresAt: Int64?
  }

  private let seed: UInt64
  private var call: Call?
  private var lastNumber: Int64 = 0
  /// The calls that were cancelled and haven't returned.
  private var overdue: Set<Int64> = []
  private var pending: Pending?
  /// When the key expires, by the device's clock in milliseconds; nil if unknown.
  private var expiresAt: Int64?
  /// When the next key is requested, before this one expires.
  private var renewsAt: Int64?
  /// When the key of the provider took effect; nil for a key of the application.
  private var providedAt: Int64?
  /// The failed calls in a row.
  private var failures: Int64 = 0
  /// The keys in a row that the server refused soon.
  private var refusals: Int64 = 0
  /// Whether the server refused the key for a request that the driver doesn't send.
  private(set) var isRefusedElsewhere = false
  /// Whether the server's refusal of this key was counted.
  private var isRefusalCounted = false
  /// The earliest time of the next call, in milliseconds.
  private var notBefore: Int64 = 0

  /// The maximum time of a call, in milliseconds.
  static let timeoutMS: Int64 = 30_000
  /// How long before its expiry a key is renewed, at most, in milliseconds.
  static let leadMS: Int64 = 120_000
  /// The minimum time from a key to the next because it expires, in milliseconds.
  static let shortestLifeMS: Int64 = 30_000
  /// The maximum number of calls that don't return even though they were cancelled. More would fill the memory.
  static let maximumOverdue = 3
  /// The maximum size of a key, in bytes.
  static let maximumBytes = 8192

  init(seed: UInt64) {
    self.seed = seed
  }

  // MARK: Calling

  /// Whether a call is under way, and not given up.
  var isCalling: Bool { call != nil }

  /// Whether requests should wait for a key: there is none or it has expired, and the first call for another hasn't failed.
  func isAwaited(_ need: CredentialNeed?, at now: Int64) -> Bool {
    guard need == .missing || need == .expiring && hasExpired(at: now), failures == 0 else { return false }
    return call != nil || pending != nil || now >= notBefore && overdue.count < Self.maximumOverdue
  }

  /// Whether the key expires so soon that it is renewed.
  func isExpiring(at now: Int64) -> Bool { renewsAt.map { now >= $0 } ?? false }

  private func hasExpired(at now: Int64) -> Bool { expiresAt.map { now >= $0 } ?? false }

  /// Returns the number of the call to begin now; nil for none.
  mutating func begin(_ need: CredentialNeed?, at now: Int64) -> Int64? {
    count(need, at: now)
    guard need != nil, call == nil, pending == nil, overdue.count < Self.maximumOverdue, now >= notBefore else {
      return nil
    }
    lastNumber += 1
    call = Call(number: lastNumber, deadline: now + Self.timeoutMS)
    return lastNumber
  }

  /// Notes that the server refused a key that the provider gave a moment ago.
  private mutating func count(_ need: CredentialNeed?, at now: Int64) {
    guard need == .refused, pending == nil, !isRefusalCounted else { return }
    isRefusalCounted = true
    guard let providedAt, now - providedAt < Self.shortestLifeMS else {
      refusals = 0
      return
    }
    refusals += 1
    delay(refusals, at: now)
  }

  private mutating func delay(_ count: Int64, at now: Int64) {
    notBefore = max(notBefore, now + Backoff.delayMS(seed: seed, scope: .outbox, count: count))
  }

  /// The time at which ``begin(_:at:)`` or ``giveUp(at:)`` is due; nil for never.
  func wakesAt(_ need: CredentialNeed?) -> Int64? {
    if let call { return call.deadline }
    guard pending == nil, overdue.count < Self.maximumOverdue else { return nil }
    if need != nil { return notBefore }
    return renewsAt.map { max($0, notBefore) }
  }

  /// Gives up a call that takes too long, and returns its number; nil if there is none.
  mutating func giveUp(at now: Int64) -> Int64? {
    guard let late = call, now >= late.deadline else { return nil }
    call = nil
    overdue.insert(late.number)
    fail(at: now)
    return late.number
  }

  // MARK: Results

  /// Takes the result of a call.
  ///
  /// - Parameters:
  ///   - secret: The key in use.
  ///   - isRefused: Whether the server refused it.
  /// - Returns: The key to use from now on, or the problem to tell; nil for neither.
  mutating func take(
    _ answer: CredentialAnswer, of number: Int64, using secret: String?, isRefused: Bool, at time: EngineTime
  ) -> Result? {
    let isLate = overdue.remove(number) != nil
    guard isLate || call?.number == number else { return nil }
    if !isLate { call = nil }
    switch answer {
    case .failed(let reason): return fail("The provider of credentials failed: \(reason)", isLate, at: time.now)
    case .provided(let credential):
      guard Self.isValid(credential.secret) else {
        return fail("The provider of credentials returned no valid key", isLate, at: time.now)
      }
      let expiry = credential.expiresAtMS.flatMap { Self.deviceTime(of: $0, at: time) }
      guard credential.secret != secret else {
        if isRefused {
          return fail("The provider of credentials returned the key that the server refused", isLate, at: time.now)
        }
        keep(until: expiry, at: time.now)
        failures = 0
        return .kept
      }
      failures = 0
      // Another key waits to be written. This one is as good.
      guard pending == nil else { return .kept }
      pending = Pending(secret: credential.secret, expiresAt: expiry)
      return .new(credential.secret)
    }
  }

  enum Result: Equatable {
    /// Use this key.
    case new(String)
    /// No other key is needed: this is the key in use, or another new key is about to be used.
    case kept
    /// There is no key, for this reason.
    case failed(String)
  }

  /// Notes that a call failed. The failure of a call that was given up was counted then.
  private mutating func fail(_ reason: String, _ isLate: Bool, at now: Int64) -> Result? {
    guard !isLate else { return nil }
    fail(at: now)
    return .failed(reason)
  }

  private mutating func fail(at now: Int64) {
    failures += 1
    delay(failures, at: now)
  }

  /// Notes that the server refused the key for a request that the driver doesn't send.
  mutating func noteRefusal() { isRefusedElsewhere = true }

  /// Notes that a key took effect: the provider's, or one that the application set.
  mutating func use(_ secret: String?, at now: Int64) {
    let provided = pending.flatMap { $0.secret == secret ? $0 : nil }
    pending = nil
    isRefusalCounted = false
    isRefusedElsewhere = false
    providedAt = provided == nil ? nil : now
    keep(until: provided?.expiresAt, at: now)
  }

  private mutating func keep(until expiry: Int64?, at now: Int64) {
    // By a clock that is wrong, each key may have expired. The server knows better.
    expiresAt = expiry.flatMap { $0 > now ? $0 : nil }
    renewsAt = expiresAt.map { max($0 - min(Self.leadMS, ($0 - now) / 2), now + Self.shortestLifeMS) }
  }

  /// Whether a header field can carry the key.
  private static func isValid(_ secret: String) -> Bool {
    (1...maximumBytes).contains(secret.utf8.count) && secret.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Returns the time of the device's monotonic clock at a time of its wall clock; nil if it is out of range.
  private static func deviceTime(of wall: Int64, at time: EngineTime) -> Int64? {
    guard (0...State.maximumMS).contains(wall) else { return nil }
    return wall - time.wall + time.now
  }
}

/// Why a key or token is needed.
package enum CredentialNeed: String, Sendable, Hashable, CaseIterable {
  /// There is none.
  case missing
  /// It expires soon, or has expired.
  case expiring
  /// The server refused it.
  case refused
}

/// The result of a call of the application's provider.
package enum CredentialAnswer: Sendable, Hashable {
  case provided(ProvidedCredential)
  /// It failed, for a reason without secrets.
  case failed(String)
}

/// A key or token of the application's provider.
package struct ProvidedCredential: Sendable, Hashable {
  package var secret: String
  /// When it expires, by the wall clock of the device in milliseconds since 1970; nil if unknown.
  package var expiresAtMS: Int64?

  package init(_ secret: String, expiresAtMS: Int64? = nil) {
    self.secret = secret
    self.expiresAtMS = expiresAtMS
  }
}

// Neither a description nor a mirror shows the secret.

extension ProvidedCredential: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "ProvidedCredential" }
  package var debugDescription: String { description }
}

#if !hasFeature(Embedded)
  extension ProvidedCredential: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }
#endif

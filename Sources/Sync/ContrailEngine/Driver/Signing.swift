import ContrailLog

/// The signatures of the log: one at a time, by a signer that may be slow, fail or hang.
///
///     idle ──sync──▶ asked ──signature──▶ written ──▶ idle
///                      │ 5 s, or an error
///                      ▼
///                    told once; asked again at an event after a delay, when the call has returned
///
/// Nothing waits for a signature, except going to the background and closing, for at most ``timeoutMS``. A signature covers all
/// earlier lines, so one that is missing is made up for by the next.
struct Signing: Sendable {
  /// The maximum time that a signature may take before it counts as failed, in milliseconds.
  static let timeoutMS: Int64 = 5000

  private enum Call {
    case none
    /// The signer was asked, and may take until a time of the device.
    case asked(LogHead, until: Int64)
    /// The signer hasn't returned in time. It isn't asked again before it returns.
    case overdue(LogHead)
  }

  private var call = Call.none
  /// The newest head that isn't signed.
  private var head: LogHead?
  /// Whether lines of the engine were written since the signer was asked. The marks of signatures alone aren't signed.
  private var hasNews = false
  /// A signature that isn't written yet.
  private var signature: LogSignature?
  private var retry = Retry()
  private var isFailureTold = false

  /// Notes that lines were written.
  mutating func wrote() { hasNews = true }

  /// Notes the end of the log after a sync.
  mutating func synced(_ head: LogHead?) {
    if hasNews, let head { self.head = head }
  }

  /// Removes and returns the head to sign now; nil if there is none, or the signer is busy.
  mutating func takeHead(at now: Int64) -> LogHead? {
    guard case .none = call, retry.until ?? now <= now, signature == nil, let head else { return nil }
    call = .asked(head, until: now + Self.timeoutMS)
    self.head = nil
    hasNews = false
    return head
  }

  /// Takes the signer's answer. Returns the news for the application, if there is any.
  mutating func take(_ result: Result<LogSignature, SigningFailure>, at now: Int64) -> News? {
    let call = call
    self.call = .none
    switch result {
    case .success(let signature):
      self.signature = signature
      retry.succeed()
      guard isFailureTold else { return nil }
      isFailureTold = false
      return .recovered
    case .failure(let failure):
      switch call {
      case .asked(let head, _): fail(head, at: now)
      case .overdue(let head): self.head = self.head ?? head
      case .none: break
      }
      return tell(failure)
    }
  }

  /// Notes that a signature couldn't be written. The signer is asked again after a delay, too.
  mutating func refused(_ signature: LogSignature, at now: Int64) { fail(signature.head, at: now) }

  /// Notes that the segment accepts no more lines. The signer is asked again after the next segment has begun.
  mutating func postpone(_ signature: LogSignature) { head = head ?? signature.head }

  /// Removes and returns the signature to write now.
  mutating func takeSignature() -> LogSignature? { signature.take() }

  /// Lets the time pass. Returns the news for the application, if there is any.
  mutating func pass(to now: Int64) -> News? {
    guard case .asked(let head, let until) = call, until <= now else { return nil }
    call = .overdue(head)
    retry.fail(at: now)
    return tell(.slow)
  }

  private mutating func fail(_ head: LogHead, at now: Int64) {
    retry.fail(at: now)
    self.head = self.head ?? head
  }

  private mutating func tell(_ failure: SigningFailure) -> News? {
    guard !isFailureTold else { return nil }
    isFailureTold = true
    return .failed(failure)
  }

  /// The time of the device at which ``pass(to:)`` is needed; nil for never.
  var wakesAt: Int64? {
    if case .asked(_, let until) = call { return until }
    return nil
  }

  /// Whether no signature is expected soon or waits to be written.
  var isSettled: Bool {
    if case .asked = call { return false }
    return signature == nil
  }

  /// What the application is told.
  enum News: Sendable {
    case failed(SigningFailure)
    case recovered
  }
}

/// The reason why a signature is missing.
package enum SigningFailure: Error, Hashable, Sendable {
  /// The signer failed; its own description.
  case failed(String)
  /// The signer hasn't answered within five seconds.
  case slow
  /// The signature has an invalid number of bytes.
  case invalid(byteCount: Int)
}

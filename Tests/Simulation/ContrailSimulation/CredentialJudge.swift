import ContrailCore
import ContrailEngine

/// Watches the calls of the application's provider of credentials: one at a time, bounded, told, and no secret on the disk.
struct CredentialJudge {
  /// The call under way.
  private var call: (number: Int64, at: Int64)?
  /// The calls that were cancelled and didn't return.
  private var hanging: Set<Int64> = []
  private var times: [Int64] = []
  /// The failures in a row, and the time of the last.
  private var failures: Int64 = 0
  private var failedAt: Int64?
  private var isFailureTold = false
  /// Whether a token that came isn't in use yet. What the client decided before it came is written and sent before it is used.
  private var isTokenUnused = false

  /// A call that takes longer than this is to be given up, in milliseconds.
  private static let timeoutMS: Int64 = 30_000
  private static let windowMS: Int64 = 300_000
  /// A storm of refusals would lead to many more calls in the window.
  private static let maximumCalls = 24

  /// Whether a call is under way. The client waits for the first one, at most ``timeoutMS``, before it lets time pass.
  var isCalling: Bool { call != nil }

  /// A process begins.
  mutating func begin() { self = CredentialJudge() }

  mutating func requested(_ number: Int64, at now: Int64, _ judge: inout Judge) {
    if call != nil { judge.find(.credentials, "the provider is called while it is called") }
    if hanging.count >= 3 { judge.find(.credentials, "\(hanging.count) calls hang, and another begins") }
    if let failedAt, now - failedAt < Backoff.longestDelayMS(count: failures) / 2 {
      judge.find(.credentials, "the provider is called \(now - failedAt) ms after failure \(failures)")
    }
    times = times.filter { now - $0 < Self.windowMS } + [now]
    if times.count > Self.maximumCalls { judge.find(.credentials, "\(times.count) calls within five minutes") }
    call = (number, now)
  }

  mutating func cancelled(_ number: Int64, at now: Int64, _ judge: inout Judge) {
    guard let call, call.number == number else {
      return judge.find(.credentials, "a call is cancelled that isn't under way")
    }
    if now - call.at < Self.timeoutMS { judge.find(.credentials, "a call is given up after \(now - call.at) ms") }
    hanging.insert(number)
    self.call = nil
    fail(at: now)
  }

  private mutating func fail(at now: Int64) {
    failures += 1
    failedAt = now
  }

  /// A call returns. The driver handles that next.
  mutating func returned(_ number: Int64, isToken: Bool, at now: Int64) {
    let isLate = hanging.remove(number) != nil
    if call?.number == number { call = nil }
    if isToken {
      isTokenUnused = true
      failures = 0
      failedAt = nil
      // The driver may give up another call in the same step, and tells that as a new failure.
      isFailureTold = false
    } else if !isLate {
      fail(at: now)
    }
  }

  mutating func watch(_ publication: Publication, _ judge: inout Judge) {
    for case .failed(let error) in publication.updates where error.code == .credentials {
      if isFailureTold { judge.find(.credentials, "a failure of the provider is told while it lasts") }
      isFailureTold = true
    }
  }

  /// A failure was handled: it was told.
  func handledFailure(_ judge: inout Judge) {
    if failures > 0, !isFailureTold { judge.find(.credentials, "the provider fails and nobody is told") }
  }

  /// Credentials are in use.
  mutating func used() { isTokenUnused = false }

  /// Requests are sent.
  func sent(with credentials: Credentials, at now: Int64, _ judge: inout Judge) {
    if credentials.apiKey == nil, failures == 0, call != nil, !isTokenUnused {
      judge.find(.credentials, "a request without a key while the provider is called for the first time")
    }
  }

  /// Time goes by.
  func look(at now: Int64, _ judge: inout Judge) {
    if let call, now - call.at > Self.timeoutMS { judge.find(.credentials, "a call isn't given up") }
  }

  /// No file may hold a token.
  static func search(_ files: [String: [UInt8]], _ judge: inout Judge) {
    let mark = Array(SimulatedIssuer.mark.utf8)
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) where bytes.contains(mark) {
      judge.find(.credentials, "\(name) holds a token")
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    return withUnsafeBufferPointer { bytes in
      var at = 0
      while let found = bytes[at...].firstIndex(of: first), found + part.count <= bytes.count {
        if bytes[found..<found + part.count].elementsEqual(part) { return true }
        at = found + 1
      }
      return false
    }
  }
}

/// Issues tokens that expire, as an authorization service does.
struct SimulatedIssuer: Sendable, Equatable {
  /// How long a token is valid, in milliseconds.
  let lifeMS: Int64
  /// The end of each token, in milliseconds since 1970.
  private var ends: [String: Int64] = [:]
  private var count = 0

  /// A part of each token, by which one is found in a file.
  static let mark = "-of-the-issuer"

  init(lifeSeconds: Int64) {
    lifeMS = lifeSeconds * 1000
  }

  /// Issues a token at a time of the server.
  mutating func issue(atMS now: Int64, lifeMS: Int64? = nil) -> (token: String, endMS: Int64) {
    count += 1
    let token = "token-\(count)\(Self.mark)"
    let end = now + (lifeMS ?? self.lifeMS)
    ends[token] = end
    return (token, end)
  }

  /// Makes all tokens invalid.
  mutating func revoke() { ends = [:] }

  func accepts(_ token: String, atMS now: Int64) -> Bool { ends[token].map { now < $0 } ?? false }
}

/// What the application's provider of credentials does instead of returning a good token soon.
package enum ProviderFault: String, CaseIterable, Sendable, Hashable {
  /// It returns nothing, also after it was cancelled.
  case hangs
  /// It returns nothing until it is cancelled, and then fails.
  case hangsUntilCancelled
  /// It returns a token after the client has given it up.
  case late
  case fails
  /// It returns the token that is in use.
  case repeatsToken
  /// Its token has expired.
  case expired
  /// Its token expires in 20 seconds.
  case shortLived
  /// It returns a token that no header field can carry.
  case invalid
}

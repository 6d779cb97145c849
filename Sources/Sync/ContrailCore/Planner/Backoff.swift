import ContrailWire

/// The delay after failures: min(300, 2ⁿ) seconds, half of it jitter derived from seed, scope and n.
package enum Backoff {
  static let capSeconds: Int64 = 300
  /// A reconnect, a changed query or a refresh shortens the delay to this time after the last attempt, in milliseconds.
  static let eagerMS: Int64 = 2_000

  /// Returns the delay after `count` failures in a row, in milliseconds.
  package static func delayMS(seed: UInt64, scope: ScopeID, count: Int64) -> Int64 {
    let half = longestDelayMS(count: count) / 2
    let draw = Digest.mix(seed ^ Digest.mix(Digest.hash(scope.name.utf8) &+ UInt64(bitPattern: count)))
    return half + Int64(draw % UInt64(half + 1))
  }

  /// Returns the upper bound of the delay after `count` failures in a row, in milliseconds.
  package static func longestDelayMS(count: Int64) -> Int64 {
    (count >= 9 ? capSeconds : min(capSeconds, 1 << max(count, 0))) * 1000
  }
}

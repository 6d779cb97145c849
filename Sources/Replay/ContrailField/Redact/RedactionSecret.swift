import ContrailGeodesy
import ContrailWire

/// 256 secret bits, from which a redaction derives everything that it draws.
package struct RedactionSecret: Sendable {
  private let words: [UInt64]

  /// Creates a secret of random bits.
  package init() {
    var generator = SystemRandomNumberGenerator()
    words = (0..<4).map { _ in generator.next() }
  }

  /// Creates a secret from the bytes of a file, so that the times of several logs are moved alike.
  package init(bytes: [UInt8]) { words = (0..<4).map { Digest.hash(Array("\($0) ".utf8) + bytes) } }

  /// The number that determines the times.
  ///
  /// It depends on other bits than ``drawn(_:)``, so values that are visible in a log tell nothing of it.
  func timeWord(attempt: Int) -> UInt64 { Digest.mix(words[3] &+ Digest.mix(UInt64(attempt))) }

  /// Returns the number at a position of the sequence that determines everything else.
  func drawn(_ position: UInt64) -> UInt64 {
    Digest.mix(words[0] ^ Digest.mix(words[1] &+ Digest.mix(words[2] &+ position)))
  }
}

/// Numbers drawn from a secret, one after the other.
struct SecretNumbers: RandomNumberGenerator {
  private let secret: RedactionSecret
  private var position: UInt64

  init(_ secret: RedactionSecret, attempt: Int) {
    self.secret = secret
    position = UInt64(attempt) << 32
  }

  mutating func next() -> UInt64 {
    position += 1
    return secret.drawn(position)
  }

  mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}

import ContrailWire

/// A stateless random number generator: the numbers depend only on the seed, the purpose and the arguments.
///
/// The numbers can be requested in any order, so the world can be computed for any time.
struct SeededRandom: Sendable {
  /// The purpose of a number. Different purposes have independent numbers.
  enum Purpose: UInt64, Sendable {
    case route = 1
    case schedule
    case level
    case address
    case offline
    case delay
    case bumps
    case pirep
    case noise
    case jet
    case fault
    case weather
  }

  private let root: UInt64

  init(seed: UInt64, _ purpose: Purpose) {
    root = Digest.mix(Digest.mix(seed) ^ purpose.rawValue &* 0x9e37_79b9_7f4a_7c15)
  }

  /// Returns 64 random bits for up to three arguments.
  @inline(__always)
  func bits(_ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> UInt64 {
    Digest.mix(Digest.mix(Digest.mix(root &+ a) &+ b) &+ c)
  }

  /// Returns a number in 0 ..< 1 for up to three arguments.
  @inline(__always)
  func unit(_ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> Double {
    Double(bits(a, b, c) >> 11) * 0x1p-53
  }

  /// Returns a number in 0 ..< `count` for up to three arguments, or 0 if `count` is 0.
  func index(below count: Int, _ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> Int {
    count > 0 ? Int(bits(a, b, c) % UInt64(count)) : 0
  }
}

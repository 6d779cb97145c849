/// The two 64-bit hash functions of the protocol. They are machine-independent and not cryptographic.
@usableFromInline
package enum Digest {
  /// Returns the SplitMix64 finaliser of `value`: a bijection that spreads every input bit over the output.
  ///
  /// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014, with the constants of
  /// Stafford's variant 13.
  @inlinable @inline(__always)
  package static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// The start value and the factor of FNV-1a with 64 bits.
  @usableFromInline static let basis: UInt64 = 0xcbf2_9ce4_8422_2325
  @usableFromInline static let prime: UInt64 = 0x0000_0100_0000_01b3

  /// Returns the FNV-1a hash of bytes (Fowler, Noll and Vo), finalised with ``mix(_:)``.
  @inlinable
  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 { mix(step(basis, bytes)) }

  /// Continues an FNV-1a hash with more bytes.
  @inlinable
  static func step(_ start: UInt64, _ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
    return hash
  }
}

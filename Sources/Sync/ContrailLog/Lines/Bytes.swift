#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if hasFeature(Embedded)
  extension UnsafeRawBufferPointer {
    /// Returns the offset of the first `byte` from `start` on; nil if it does not occur.
    ///
    /// - Complexity: O(*n*), eight bytes at a time.
    func offset(of byte: UInt8, from start: Int = 0) -> Int? {
      let ones: UInt64 = 0x0101_0101_0101_0101
      let pattern = UInt64(byte) &* ones
      var offset = start
      while offset &+ 8 <= count {
        let difference = word(at: offset) ^ pattern
        // The lowest set bit belongs to the first zero byte (Warren, "Hacker's Delight", 2nd edition, section 6-1).
        let zeros = (difference &- ones) & ~difference & (ones << 7)
        if zeros != 0 { return offset &+ zeros.trailingZeroBitCount / 8 }
        offset &+= 8
      }
      while offset < count {
        if self[offset] == byte { return offset }
        offset &+= 1
      }
      return nil
    }

    /// Whether both contain the same bytes.
    package func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
      guard count == other.count else { return false }
      var offset = 0
      while offset &+ 8 <= count {
        if word(at: offset) != other.word(at: offset) { return false }
        offset &+= 8
      }
      while offset < count {
        if self[offset] != other[offset] { return false }
        offset &+= 1
      }
      return true
    }
  }
#else
  extension UnsafeRawBufferPointer {
    /// Returns the offset of the first `byte` from `start` on; nil if it does not occur.
    ///
    /// - Complexity: O(*n*) with the system's `memchr`, about 30 bytes per cycle.
    func offset(of byte: UInt8, from start: Int = 0) -> Int? {
      guard let base = baseAddress, start < count, let found = memchr(base + start, Int32(byte), count - start) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }

    /// Whether both contain the same bytes.
    package func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
      guard count == other.count else { return false }
      guard count > 0, let base = baseAddress, let otherBase = other.baseAddress else { return true }
      return memcmp(base, otherBase, count) == 0
    }
  }
#endif

extension [UInt8] {
  /// Like `withUnsafeBytes`, with a typed error.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}

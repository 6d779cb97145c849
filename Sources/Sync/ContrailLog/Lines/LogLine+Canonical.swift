extension LogLine {
  /// Creates a line from text in canonical form; nil for any other form, valid or not.
  ///
  /// The envelope is checked byte by byte. The payload is not checked: the CRC verifies it or, in a log without,
  /// ``LogEnvelope/init(json:)``.
  ///
  /// - Parameter bytes: The line without its line feed.
  /// - Complexity: O(1), because the payload isn't read.
  package init?(canonical bytes: UnsafeRawBufferPointer) {
    self.init(canonical: bytes, crc: Self.carriedCRC(bytes))
  }

  /// Creates a line whose CRC, if any, is already known.
  init?(canonical bytes: UnsafeRawBufferPointer, crc: UInt32?) {
    // {"seq":0,"at":0,"kind":"a"}
    guard bytes.count >= 27, bytes[bytes.count - 1] == UInt8(ascii: "}") else { return nil }
    var scan = Scan(bytes: bytes)

    guard
      scan.skip("{\"seq\":\0", count: 7), let seq = scan.integer(), seq >= 0,
      scan.skip(",\"at\":\0\0", count: 6), let at = scan.integer(),
      scan.skip(",\"kind\":", count: 8), scan.skip(UInt8(ascii: "\""))
    else { return nil }

    let kindStart = scan.offset
    scan.skipLowercase()
    while scan.offset < bytes.count, LogKind.isAllowed(bytes[scan.offset]) { scan.offset &+= 1 }
    let kind = UnsafeRawBufferPointer(rebasing: bytes[kindStart..<scan.offset])
    guard !kind.isEmpty, scan.skip(UInt8(ascii: "\"")) else { return nil }

    let end = bytes.count - (crc == nil ? 1 : Self.crcCount)
    // The CRC must not overlap the kind.
    guard scan.offset <= end else { return nil }
    var payload = UnsafeRawBufferPointer(rebasing: bytes[scan.offset..<end])
    if !payload.isEmpty {
      guard payload[0] == UInt8(ascii: ","), payload.count > 1 else { return nil }
      payload = UnsafeRawBufferPointer(rebasing: payload.dropFirst())
    }
    self.init(seq: seq, at: at, kind: kind, payload: payload, crc: crc, bytes: bytes, isCanonical: true)
  }

  private struct Scan {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    mutating func skip(_ byte: UInt8) -> Bool {
      guard offset < bytes.count, bytes[offset] == byte else { return false }
      offset += 1
      return true
    }

    /// Skips the first `count` of eight bytes.
    mutating func skip(_ text: StaticString, count: Int) -> Bool {
      guard bytes.count - offset >= 8 else { return false }
      let mask = UInt64.max >> UInt64(64 - 8 * count)
      guard bytes.word(at: offset) & mask == UInt64(ascii: text) else { return false }
      offset += count
      return true
    }

    /// Skips lowercase letters and points, which kinds usually consist of, eight at a time.
    mutating func skipLowercase() {
      let tops: UInt64 = 0x8080_8080_8080_8080
      while bytes.count - offset >= 8 {
        let word = bytes.word(at: offset)
        let letters = (word &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(word &+ 0x0505_0505_0505_0505)
        let others = word ^ 0x2E2E_2E2E_2E2E_2E2E
        let points = ~((others & ~tops) &+ ~tops | others)
        let rest = (~(letters | points) | word) & tops
        offset &+= rest.trailingZeroBitCount / 8
        if rest != 0 { return }
      }
    }

    /// Reads an integer of at most 18 digits, so that nothing overflows, without leading zeros or a plus sign.
    mutating func integer() -> Int64? {
      let isNegative = skip(UInt8(ascii: "-"))
      let start = offset
      var value: Int64 = 0
      while offset < bytes.count, offset - start < 18 {
        let digit = bytes[offset] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = value &* 10 &+ Int64(digit)
        offset &+= 1
      }
      let count = offset - start
      guard count > 0, count == 1 || bytes[start] != UInt8(ascii: "0"), !(isNegative && value == 0) else { return nil }
      return isNegative ? -value : value
    }
  }
}

// MARK: - Words

extension UInt64 {
  /// Creates the word of eight ASCII characters, whose lowest byte is the first one.
  ///
  /// Constant at compile time for a literal.
  @inline(__always)
  init(ascii text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    self = bytes.count == 8 ? bytes.word(at: 0) : 0
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the eight bytes at `offset`, the first lowest. The caller must ensure that they are readable.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

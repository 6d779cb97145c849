import CContrail

/// A fast scanner for text in one exact form: that of ``JSONWriter``.
///
/// For text in any other form, valid or not, the methods return nil or false, and the caller reads it again with
/// ``JSONReader``. The scanner may therefore reject anything, but must accept nothing that the reader would reject.
package struct CanonicalScanner {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  package private(set) var position = 0

  /// Creates a scanner of `bytes`, which must stay valid while the scanner is used.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  package var isAtEnd: Bool { position == bytes.count }

  /// The bytes that are not yet read.
  package var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  /// Skips `text` if it is next; returns whether it was.
  @inline(__always)
  package mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count &- position >= count, let base = bytes.baseAddress else { return false }
    let (here, there) = (base + position, UnsafeRawPointer(text.utf8Start))
    var offset = 0
    while offset &+ 8 <= count {
      guard here.word(at: offset) == there.word(at: offset) else { return false }
      offset &+= 8
    }
    if offset < count, count >= 8 {
      // The last eight bytes, of which some are equal already.
      guard here.word(at: count &- 8) == there.word(at: count &- 8) else { return false }
    } else {
      while offset < count {
        guard here.load(fromByteOffset: offset, as: UInt8.self) == there.load(fromByteOffset: offset, as: UInt8.self)
        else { return false }
        offset &+= 1
      }
    }
    position &+= count
    return true
  }

  /// Reads an integer from 0 to `limit`, of at most 18 digits, without sign or leading zeros.
  @inline(__always)
  package mutating func number(upTo limit: Int64) -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < bytes.count, position &- start < 18 {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int64(digit)
      position &+= 1
    }
    let count = position &- start
    guard count > 0, value <= limit, count == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    return value
  }

  /// Reads an integer of at most 18 digits, without leading zeros, plus sign or negative zero.
  @inline(__always)
  package mutating func integer() -> Int64? {
    let isNegative = skip("-")
    guard bytes.count &- position >= 8, let base = bytes.baseAddress else {
      guard let value = number(upTo: .max), !isNegative || value != 0 else { return nil }
      return isNegative ? -value : value
    }
    let digits = (base + position).word(at: 0).digitValues
    let count = digits.nonDigits.trailingZeroBitCount / 8
    guard count > 0, count == 1 || digits & 0xFF != 0 else { return nil }
    // Shifted to the end, so that zeros precede them.
    var value = Int64(truncatingIfNeeded: (digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)).eightDigits)
    position &+= count
    if count == 8 {
      var more = 0
      while position < bytes.count, more < 10 {
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = value &* 10 &+ Int64(digit)
        position &+= 1
        more &+= 1
      }
    }
    guard !isNegative || value != 0 else { return nil }
    return isNegative ? -value : value
  }

  /// Whether ``integers(into:)`` reads anything.
  package static let readsIntegers = contrail_reads_integers()

  /// Reads integers as ``integer()`` does, each with a comma behind it, and returns their number. It stops where it must, and may
  /// stop before.
  package mutating func integers(into room: UnsafeMutableBufferPointer<Int64>) -> Int {
    guard Self.readsIntegers, let base = bytes.baseAddress, let place = room.baseAddress else { return 0 }
    var byteCount = 0
    let count = contrail_read_integers(
      (base + position).assumingMemoryBound(to: UInt8.self), bytes.count &- position, place, room.count, &byteCount)
    position &+= byteCount
    return count
  }

  /// Reads a decimal in the form of `JSONWriter.decimal(_:digits:)`, times 10^`digits`, within ±`limit`.
  package mutating func decimal(digits: Int, upTo limit: Int64) -> Int64? {
    let isNegative = skip("-")
    guard var value = number(upTo: limit) else { return nil }
    var places = 0
    if skip(".") {
      while position < bytes.count, places < digits {
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = value &* 10 &+ Int64(digit)
        position &+= 1
        places &+= 1
      }
      // At least one digit, and no zero at the end.
      guard places > 0, bytes[position &- 1] != UInt8(ascii: "0") else { return nil }
    }
    while places < digits {
      value = value &* 10
      places &+= 1
    }
    guard value <= limit, !isNegative || value != 0 else { return nil }
    return isNegative ? -value : value
  }

  /// Reads a string of ASCII characters without escapes, and returns the bytes between the quotes.
  package mutating func text() -> UnsafeRawBufferPointer? {
    guard skip("\""), let base = bytes.baseAddress else { return nil }
    let start = position
    while position < bytes.count {
      if bytes.count &- position >= 8 {
        let special = (base + position).word(at: 0).nonPlainText
        position &+= special.trailingZeroBitCount / 8
        if special == 0 { continue }
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        defer { position &+= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
      }
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
      position &+= 1
    }
    return nil
  }

  /// Reads the text of ``text()`` as a string.
  package mutating func string() -> String? { text().map { String(decoding: $0, as: UTF8.self) } }

  /// Reads a string of at most the given number of encoded bytes. All escapes of JSON are accepted.
  package mutating func anyString(upTo maximumBytes: Int) -> String? {
    var json = JSONReader(rest)
    do throws(JSONError) {
      let raw = try json.rawString()
      guard json.position <= maximumBytes else { return nil }
      let string = raw.string
      position &+= json.position
      return string
    } catch {
      return nil
    }
  }

  /// Reads `true` or `false`.
  package mutating func bool() -> Bool? {
    if skip("true") { return true }
    return skip("false") ? false : nil
  }

  /// Reads sixteen lowercase hexadecimal digits.
  package mutating func hex16() -> UInt64? {
    guard bytes.count &- position >= 16, let base = bytes.baseAddress else { return nil }
    let high = (base + position).word(at: 0).eightHexDigits
    let low = (base + position).word(at: 8).eightHexDigits
    guard high.fault | low.fault == 0 else { return nil }
    position &+= 16
    return high.value << 32 | low.value
  }

  /// Reads the hexagons of a response, at least one, and their closing bracket.
  ///
  /// - Returns: The reports, and the time of the newest one; nil if the text has another form.
  mutating func hexagons() -> (reports: [TurbulenceReport], newest: UInt32)? {
    guard let base = bytes.baseAddress else { return nil }
    let (count, start) = (bytes.count, position)
    var (end, newest) = (start, UInt32(0))
    // Each hexagon takes at least `minimumCount` bytes, which limits their number.
    let capacity = (count &- start) / CanonicalHexagon.minimumCount
    let reports = [TurbulenceReport](unsafeUninitializedCapacity: capacity) { room, filled in
      // Local variables stay in registers.
      var (next, number, latest, hundreds) = (start, 0, UInt32(0), CanonicalHexagon.Hundreds())
      while count &- next >= CanonicalHexagon.maximumReach, number < capacity {
        guard let hexagon = CanonicalHexagon(base + next, &hundreds) else { break }
        room.initializeElement(at: number, to: hexagon.report)
        number &+= 1
        latest = max(latest, hexagon.report.observedAt)
        next &+= hexagon.count &+ 1
        if hexagon.follower == UInt8(ascii: ",") { continue }
        if hexagon.follower == UInt8(ascii: "]") { end = next }
        break
      }
      filled = number
      newest = latest
    }
    guard end > start else { return nil }
    position = end
    return (reports, newest)
  }
}

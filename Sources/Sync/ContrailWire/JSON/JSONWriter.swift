/// Writes JSON in one canonical form: no spaces, keys in the given order, decimals without trailing zeros.
///
/// The same values always give the same bytes, so that decisions can be compared as bytes.
/// Public, and not for applications: the compiler specializes inlinable functions across modules only if they are public.
public struct JSONWriter: Sendable {
  /// The output is in the first ``count`` bytes; the rest is reserved, so that bytes are written without growing the
  /// array.
  private var storage: [UInt8] = []
  /// The number of bytes written.
  public private(set) var count = 0
  private var needsComma = false
  /// The texts of lists of points, if they are kept.
  package var pointTexts: PointTexts?

  public init() {}

  /// The output.
  ///
  /// - Complexity: O(*n*), because the bytes are copied.
  public var bytes: [UInt8] { bytes(from: 0) }

  /// Returns the output from a byte on.
  package func bytes(from start: Int) -> [UInt8] {
    withBytes { written in
      [UInt8](unsafeUninitializedCapacity: written.count - start) { buffer, filled in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: written[start...]))
        filled = written.count - start
      }
    }
  }

  /// Calls `body` with the output, without copying it.
  public func withBytes<T, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> T) throws(E) -> T {
    try storage.withUnsafeBufferPointer { (storage) throws(E) in
      try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<count]))
    }
  }

  /// Discards the output and keeps the storage.
  public mutating func removeAll() { removeAll(from: 0) }

  /// Discards the output from a byte on, where another value begins.
  package mutating func removeAll(from start: Int) {
    count = start
    needsComma = false
  }

  /// Writes `{`, the members that `body` writes, and `}`.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    body(&self)
    finish(UInt8(ascii: "}"))
  }

  /// Writes `[`, the values that `body` writes, and `]`.
  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "["))
    body(&self)
    finish(UInt8(ascii: "]"))
  }

  /// Writes a key that needs no escapes. Write its value next.
  public mutating func key(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    write(length + 3) { place in
      place[0] = UInt8(ascii: "\"")
      Self.copy(name.utf8Start, length, to: place + 1)
      place[length + 1] = UInt8(ascii: "\"")
      place[length + 2] = UInt8(ascii: ":")
      return length + 3
    }
    needsComma = false
  }

  /// Writes a member whose key needs no escapes.
  @inlinable
  public mutating func member(_ name: StaticString, _ integer: some FixedWidthInteger) {
    key(name)
    value(integer)
  }

  public mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    value(text)
  }

  public mutating func member(_ name: StaticString, _ flag: Bool) {
    key(name)
    value(flag)
  }

  /// Writes a member; `null` if there is no value.
  @inlinable
  public mutating func member(_ name: StaticString, _ integer: (some FixedWidthInteger)?) {
    key(name)
    if let integer { value(integer) } else { null() }
  }

  /// Writes a member; `null` if there is no value.
  public mutating func member(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  /// Writes a key that isn't known at compile time, or needs escapes. Write its value next.
  public mutating func key(named name: String) {
    value(name)
    needsComma = false
    put(UInt8(ascii: ":"))
  }

  /// Writes an integer of at most 64 bits.
  @inlinable @inline(__always)
  public mutating func value(_ integer: some FixedWidthInteger) {
    number(isNegative: integer < 0, UInt64(integer.magnitude))
  }

  /// Writes an array of at most the given number of integers. This is faster than writing one after the other.
  package mutating func integers(atMost most: Int, _ body: (inout Integers) -> Void) {
    write(2 + Integers.maximumBytes * most) { place in
      place[0] = UInt8(ascii: "[")
      var integers = Integers(end: place + 1)
      body(&integers)
      // Replaces the last comma, if there is one.
      let end = integers.end == place + 1 ? integers.end : integers.end - 1
      end.pointee = UInt8(ascii: "]")
      return end + 1 - place
    }
  }

  /// Writes the integers of an array.
  package struct Integers {
    /// The place of the next one.
    fileprivate(set) var end: UnsafeMutablePointer<UInt8>
    fileprivate static let maximumBytes = JSONWriter.maximumDigits + 2

    /// Appends an integer; nil becomes null.
    package mutating func append(_ integer: Int64?) {
      if let integer {
        if integer < 0 {
          end.pointee = UInt8(ascii: "-")
          end += 1
        }
        end += JSONWriter.write(digitsOf: integer.magnitude, at: end)
      } else {
        JSONWriter.copy(("null" as StaticString).utf8Start, 4, to: end)
        end += 4
      }
      end.pointee = UInt8(ascii: ",")
      end += 1
    }
  }

  /// Copies bytes. A few are copied as words, which may overlap: it takes less time than a call of `memcpy`.
  @inline(__always)
  private static func copy(_ bytes: UnsafeRawPointer, _ count: Int, to place: UnsafeMutableRawPointer) {
    func copyEnds<Word: FixedWidthInteger>(_ word: Word.Type) {
      let last = count &- MemoryLayout<Word>.size
      let (start, end) = (bytes.loadUnaligned(as: Word.self), (bytes + last).loadUnaligned(as: Word.self))
      place.storeBytes(of: start, as: Word.self)
      (place + last).storeBytes(of: end, as: Word.self)
    }
    switch count {
    case 8...16: copyEnds(UInt64.self)
    case 4...7: copyEnds(UInt32.self)
    case 2...3: copyEnds(UInt16.self)
    default: place.copyMemory(from: bytes, byteCount: count)
    }
  }

  @usableFromInline
  mutating func number(isNegative: Bool, _ magnitude: UInt64) {
    write(1 + Self.maximumDigits) { place in
      if isNegative { place[0] = UInt8(ascii: "-") }
      let start = isNegative ? 1 : 0
      return start + Self.write(digitsOf: magnitude, at: place + start)
    }
  }

  /// The maximum number of digits of a 64-bit integer.
  private static let maximumDigits = 20

  /// Writes the digits of a number and returns their count. There must be room for ``maximumDigits``.
  @inline(__always)
  private static func write(digitsOf number: UInt64, at place: UnsafeMutablePointer<UInt8>) -> Int {
    if number < 10 {
      place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)
      return 1
    }
    let raw = UnsafeMutableRawPointer(place)
    let eight: UInt64 = 100_000_000
    if number < eight { return raw.writeDigits(of: number) }
    let (upper, lower) = number.quotientAndRemainder(dividingBy: eight)
    var count: Int
    if upper < 10 {
      // Nine digits, as most longitudes and latitudes have.
      place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: upper)
      count = 1
    } else if upper < eight {
      count = raw.writeDigits(of: upper)
    } else {
      let (top, middle) = upper.quotientAndRemainder(dividingBy: eight)
      count = raw.writeDigits(of: top)
      (raw + count).storeBytes(of: middle.asEightDigits.littleEndian, as: UInt64.self)
      count &+= 8
    }
    (raw + count).storeBytes(of: lower.asEightDigits.littleEndian, as: UInt64.self)
    return count &+ 8
  }

  public mutating func value(_ flag: Bool) {
    verbatim(flag ? "true" : "false")
  }

  public mutating func null() {
    verbatim("null")
  }

  /// Writes a string. Escapes only the characters that JSON requires.
  public mutating func value(_ text: String) {
    var text = text
    let mostPerByte = 6
    text.withUTF8 { text in
      write(2 + mostPerByte * text.count) { place in
        place[0] = UInt8(ascii: "\"")
        var end = place + 1
        var next = 0
        // Eight characters at a time, up to the first that must be escaped.
        if let base = UnsafeRawPointer(text.baseAddress) {
          while next &+ 8 <= text.count {
            let word = (base + next).word(at: 0)
            guard word.escapedText == 0 else { break }
            UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
            end += 8
            next &+= 8
          }
        }
        while next < text.count {
          end += Self.write(character: text[next], at: end)
          next &+= 1
        }
        end.pointee = UInt8(ascii: "\"")
        return end + 1 - place
      }
    }
  }

  /// Writes a byte of a string and returns the number of bytes written, at most six.
  @inline(__always)
  private static func write(character byte: UInt8, at place: UnsafeMutablePointer<UInt8>) -> Int {
    place.pointee = byte
    guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return 1 }
    place[0] = UInt8(ascii: "\\")
    switch byte {
    case 0x0A: place[1] = UInt8(ascii: "n")
    case 0x0D: place[1] = UInt8(ascii: "r")
    case 0x09: place[1] = UInt8(ascii: "t")
    case 0..<0x20:
      for (index, character) in "u00".utf8.enumerated() { place[1 + index] = character }
      Hex.write(UInt64(byte), digits: 2, at: place + 4)
      return 6
    default: place[1] = byte
    }
    return 2
  }

  /// Writes the low `digits` hexadecimal digits, lowercase, as a string.
  public mutating func hex(_ number: UInt64, digits: Int = 16) {
    write(digits + 2) { place in
      place[0] = UInt8(ascii: "\"")
      Hex.write(number, digits: digits, at: place + 1)
      place[digits + 1] = UInt8(ascii: "\"")
      return digits + 2
    }
  }

  /// Writes `scaled` ÷ 10^`digits` exactly, without trailing zeros.
  public mutating func decimal(_ scaled: Int64, digits: Int) {
    var divisor: UInt64 = 1
    for _ in 0..<digits { divisor *= 10 }
    let (whole, remainder) = scaled.magnitude.quotientAndRemainder(dividingBy: divisor)
    number(isNegative: scaled < 0, whole)
    guard remainder != 0 else { return }
    needsComma = false
    write(1 + digits) { place in
      place[0] = UInt8(ascii: ".")
      var (rest, unit, end) = (remainder, divisor / 10, 1)
      while rest != 0 {
        place[end] = UInt8(ascii: "0") + UInt8(rest / unit)
        rest %= unit
        unit /= 10
        end += 1
      }
      return end
    }
  }

  /// Writes existing JSON as one value.
  public mutating func verbatim(_ json: [UInt8]) {
    json.withUnsafeBytes { verbatim($0) }
  }

  private mutating func verbatim(_ json: UnsafeRawBufferPointer) {
    write(json.count) { place in
      UnsafeMutableRawBufferPointer(start: place, count: json.count).copyMemory(from: json)
      return json.count
    }
  }

  private mutating func verbatim(_ word: StaticString) {
    verbatim(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private mutating func begin(_ bracket: UInt8) {
    write(1) { place in
      place[0] = bracket
      return 1
    }
    needsComma = false
  }

  private mutating func finish(_ bracket: UInt8) {
    put(bracket)
    needsComma = true
  }

  /// Writes one byte without a comma before it.
  private mutating func put(_ byte: UInt8) {
    needsComma = false
    write(1) { place in
      place[0] = byte
      return 1
    }
    needsComma = false
  }

  /// Writes a comma if needed, then the bytes that `body` writes.
  ///
  /// `body` has room for `most` bytes and returns the number of bytes written.
  @inline(__always)
  private mutating func write(_ most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if storage.count &- count <= most { makeRoom(most) }
    let (end, isComma) = (count, needsComma)
    count &+= storage.withUnsafeMutableBufferPointer { storage in
      guard let base = storage.baseAddress else { return 0 }
      if isComma { base[end] = UInt8(ascii: ",") }
      let start = isComma ? 1 : 0
      return start &+ body(base + (end &+ start))
    }
    needsComma = true
  }

  @inline(never)
  private mutating func makeRoom(_ most: Int) {
    // Another array rather than a longer one: both copies of bytes are one instruction each, also in WebAssembly.
    let more = max(storage.count, most + 1, 64)
    let larger = [UInt8](unsafeUninitializedCapacity: storage.count + more) { buffer, filled in
      storage.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      (buffer.baseAddress! + storage.count).initialize(repeating: 0, count: more)
      filled = storage.count + more
    }
    storage = larger
  }
}

/// Writes JSON in one fixed spelling: no spaces, keys in the order they are given, decimals without trailing zeros.
///
/// The same values always give the same bytes, which is what lets decisions be compared as bytes.
public struct JSONWriter: Sendable {
  /// What was written stands in the first ``count`` bytes; the rest is room. So nothing is asked of the array byte by byte.
  private var storage: [UInt8] = []
  /// How many bytes were written.
  public private(set) var count = 0
  private var needsComma = false

  public init() {}

  /// What was written.
  ///
  /// - Complexity: O(*n*): it is copied.
  public var bytes: [UInt8] { Array(storage[..<count]) }

  /// Calls `body` with what was written, which isn't copied.
  public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
    storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Forgets what was written and keeps the storage.
  public mutating func removeAll() {
    count = 0
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

  /// Writes a key that needs no escapes; the value comes next.
  public mutating func key(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    write(length + 3) { place in
      place[0] = UInt8(ascii: "\"")
      (place + 1).update(from: name.utf8Start, count: length)
      place[length + 1] = UInt8(ascii: "\"")
      place[length + 2] = UInt8(ascii: ":")
      return length + 3
    }
    needsComma = false
  }

  /// Writes a key of any text; the value comes next.
  public mutating func key(_ name: String) {
    value(name)
    needsComma = false
    put(UInt8(ascii: ":"))
  }

  /// Writes a whole number of 64 bits at most.
  @inlinable @inline(__always)
  public mutating func value(_ integer: some FixedWidthInteger) {
    number(isNegative: integer < 0, UInt64(integer.magnitude))
  }

  @usableFromInline
  mutating func number(isNegative: Bool, _ magnitude: UInt64) {
    write(1 + Self.maximumDigits) { place in
      if isNegative { place[0] = UInt8(ascii: "-") }
      let start = isNegative ? 1 : 0
      return start + Self.write(digitsOf: magnitude, at: place + start)
    }
  }

  /// As many digits as a number of 64 bits has.
  private static let maximumDigits = 20

  /// Writes the digits of a number, and answers how many there are. There must be room for as many as there can be.
  @inline(__always)
  private static func write(digitsOf number: UInt64, at place: UnsafeMutablePointer<UInt8>) -> Int {
    var (count, bound) = (1, UInt64(10))
    while number >= bound, count < maximumDigits {
      count &+= 1
      bound = bound &* 10
      // Ten to the twentieth is more than 64 bits hold, and no number is that large.
      if count == maximumDigits { break }
    }
    var (rest, next) = (number, count)
    // Two at a time, the last first.
    while next >= 2 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let tens = (pair &* 103) >> 10
      place[next &- 2] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
      place[next &- 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
      rest = quotient
      next &-= 2
    }
    if next == 1 { place[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
    return count
  }

  public mutating func value(_ flag: Bool) {
    verbatim(flag ? "true" : "false")
  }

  public mutating func null() {
    verbatim("null")
  }

  /// Writes a string, escaping what JSON demands and nothing else.
  public mutating func value(_ text: String) {
    var text = text
    let mostPerByte = 6
    text.withUTF8 { text in
      write(2 + mostPerByte * text.count) { place in
        place[0] = UInt8(ascii: "\"")
        var end = place + 1
        for byte in text { end += Self.write(character: byte, at: end) }
        end.pointee = UInt8(ascii: "\"")
        return end + 1 - place
      }
    }
  }

  /// Writes a byte of a string, and answers how many it took, six at most.
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

  /// Writes sixteen lowercase hexadecimal digits as a string.
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

  /// Writes bytes that are JSON already, as one value.
  public mutating func verbatim(_ json: some Collection<UInt8>) {
    write(json.count) { place in
      for (index, byte) in json.enumerated() { place[index] = byte }
      return json.count
    }
  }

  /// Writes bytes that are JSON already, as one value.
  public mutating func verbatim(_ json: [UInt8]) {
    write(json.count) { place in
      json.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { place.update(from: base, count: bytes.count) }
      }
      return json.count
    }
  }

  /// Valid JSON without the white space between its parts: it stands on one line.
  ///
  /// - Complexity: O(*n*).
  public static func compact(_ json: [UInt8]) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(json.count)
    var isText = false
    var isEscaped = false
    for byte in json {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: continue
        default: isText = byte == UInt8(ascii: "\"")
        }
      }
      compact.append(byte)
    }
    return compact
  }

  private mutating func verbatim(_ word: StaticString) {
    verbatim(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
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

  /// Writes one byte, and no comma before it.
  private mutating func put(_ byte: UInt8) {
    needsComma = false
    write(1) { place in
      place[0] = byte
      return 1
    }
    needsComma = false
  }

  /// Writes a comma if one is due, and then what `body` does, which has room for `most` bytes and answers how many it used.
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
    storage.append(contentsOf: repeatElement(0, count: max(storage.count, most + 1, 64)))
  }
}

/// Validates JSON text (RFC 8259) and finds its values, without decoding them.
///
/// The scanner is the slow path for lines written by hand, and validates response bodies. It never traps, whatever the
/// bytes.
package struct JSONScanner {
  /// The maximum nesting depth of arrays and objects, the same as in Foundation.
  package static let maximumDepth = 512

  let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether `bytes` are one valid JSON value without line breaks.
  ///
  /// Such a value can be written into a log line unchanged. Whitespace around the value is allowed.
  ///
  /// - Complexity: O(*n*).
  package static func isOneLineValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var scanner = JSONScanner(bytes)
    scanner.skipBlanks()
    guard scanner.skipValue() else { return false }
    scanner.skipBlanks()
    return scanner.isAtEnd && !bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The byte at `offset`, or 0 at the end. Valid JSON contains no 0.
  private var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  mutating func skipBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  /// Skips one value. Returns false if it is invalid; `offset` is then the position of the fault.
  mutating func skipValue() -> Bool { skipValue(depth: 0) }

  private mutating func skipValue(depth: Int) -> Bool {
    switch next {
    case UInt8(ascii: "{"):
      skipList(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), depth: depth) { scanner in
        guard scanner.string() != nil else { return false }
        scanner.skipBlanks()
        guard scanner.skip(UInt8(ascii: ":")) else { return false }
        scanner.skipBlanks()
        return scanner.skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      skipList(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), depth: depth) { $0.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""): string() != nil
    case UInt8(ascii: "t"): skip(word: "true")
    case UInt8(ascii: "f"): skip(word: "false")
    case UInt8(ascii: "n"): skip(word: "null")
    default: skipNumber()
    }
  }

  private mutating func skipList(
    open: UInt8, close: UInt8, depth: Int, element: (inout JSONScanner) -> Bool
  ) -> Bool {
    guard depth < Self.maximumDepth, skip(open) else { return false }
    skipBlanks()
    if skip(close) { return true }
    while true {
      skipBlanks()
      guard element(&self) else { return false }
      skipBlanks()
      if skip(close) { return true }
      guard skip(UInt8(ascii: ",")) else { return false }
    }
  }

  private mutating func skip(word: StaticString) -> Bool {
    let word = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes.dropFirst(offset).starts(with: word) else { return false }
    offset += word.count
    return true
  }

  private mutating func skipDigits() -> Bool {
    let start = offset
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { offset += 1 }
    return offset > start
  }

  private mutating func skipNumber() -> Bool {
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) {
      guard skipDigits() else { return false }
    }
    if skip(UInt8(ascii: ".")) {
      guard skipDigits() else { return false }
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      guard skipDigits() else { return false }
    }
    return true
  }

  /// Skips a string and returns the bytes between its quotes, with escapes; nil if it is invalid.
  mutating func string() -> UnsafeRawBufferPointer? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return UnsafeRawBufferPointer(rebasing: bytes[start..<offset - 1])
      case UInt8(ascii: "\\"):
        guard skipEscape() else { return nil }
      case 0x20...0x7F:
        offset += 1
      case 0x80...0xFF:
        guard skipUTF8() else { return nil }
      default:
        return nil
      }
    }
    return nil
  }

  private mutating func skipEscape() -> Bool {
    offset += 1
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 1
      return true
    case UInt8(ascii: "u"):
      offset += 1
      for _ in 0..<4 {
        guard JSONScanner.hexDigit(next) != nil else { return false }
        offset += 1
      }
      return true
    default:
      return false
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt16? {
    if (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) { return UInt16(byte - UInt8(ascii: "A") + 10) }
    return Hex.value(lowercase: byte).map { UInt16($0) }
  }

  /// Skips a well-formed character of two to four bytes (The Unicode Standard, table 3-7).
  private mutating func skipUTF8() -> Bool {
    let second: ClosedRange<UInt8>
    let count: Int
    switch bytes[offset] {
    case 0xC2...0xDF: (second, count) = (0x80...0xBF, 2)
    case 0xE0: (second, count) = (0xA0...0xBF, 3)
    case 0xED: (second, count) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, count) = (0x80...0xBF, 3)
    case 0xF0: (second, count) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, count) = (0x80...0xBF, 4)
    case 0xF4: (second, count) = (0x80...0x8F, 4)
    default: return false
    }
    guard bytes.count - offset >= count, second.contains(bytes[offset + 1]) else { return false }
    for index in offset + 2..<offset + count {
      guard (0x80...0xBF).contains(bytes[index]) else { return false }
    }
    offset += count
    return true
  }
}

// MARK: - Members

extension JSONScanner {
  /// Reads the next member of text such as `"a":1,"b":[2]`; returns nil at the end.
  ///
  /// - Returns: The unescaped key, and the value without surrounding whitespace.
  /// - Throws: ``LogEnvelopeError/notAnObject(offset:)``.
  mutating func member() throws(LogEnvelopeError) -> (key: String, value: UnsafeRawBufferPointer)? {
    skipBlanks()
    if isAtEnd { return nil }
    if offset > 0 {
      guard skip(UInt8(ascii: ",")) else { throw .notAnObject(offset: offset) }
      skipBlanks()
    }
    guard let key = string() else { throw .notAnObject(offset: offset) }
    skipBlanks()
    guard skip(UInt8(ascii: ":")) else { throw .notAnObject(offset: offset) }
    skipBlanks()
    let start = offset
    guard skipValue() else { throw .notAnObject(offset: offset) }
    return (JSONScanner.text(key), UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
  }
}

// MARK: - Decoding strings and numbers

extension JSONScanner {
  /// Decodes the contents of a valid string. An unpaired surrogate becomes U+FFFD.
  static func text(_ inside: UnsafeRawBufferPointer) -> String {
    guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
    var units: [UInt16] = []
    var index = 0
    var plainStart = 0
    func takePlain() {
      units.append(contentsOf: String(decoding: inside[plainStart..<index], as: UTF8.self).utf16)
    }
    while index < inside.count {
      guard inside[index] == UInt8(ascii: "\\"), index + 1 < inside.count else {
        index += 1
        continue
      }
      takePlain()
      switch inside[index + 1] {
      case UInt8(ascii: "u"):
        units.append(inside.dropFirst(index + 2).prefix(4).reduce(0) { $0 << 4 | (hexDigit($1) ?? 0) })
        index += 4
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case let other: units.append(UInt16(other))
      }
      index += 2
      plainStart = index
    }
    index = min(index, inside.count)
    if plainStart < index { takePlain() }
    return String(decoding: units, as: UTF16.self)
  }

  /// Decodes an integer in any notation of JSON (`7`, `7.0`, `70e-1`); nil if it isn't an exact integer.
  static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
    let text = String(decoding: text, as: UTF8.self)
    if let value = Int64(text) { return value }
    guard let value = Double(text), abs(value) < 0x1p53 else { return nil }
    return Int64(exactly: value)
  }
}

/// A strict pull reader of JSON (RFC 8259) over bytes owned by the caller.
///
/// The reader builds no tree: the caller requests the expected next value, and anything else throws a ``JSONError``
/// with the offset of the byte. Numbers are read as decimals, never through floating point, so that the same text gives
/// the same value on every machine.
package struct JSONReader {
  /// The maximum nesting depth of arrays and objects, unless the creator of a reader allows more.
  package static let maximumDepth = 128

  @usableFromInline let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  package internal(set) var position = 0
  private(set) var depth = 0
  let maximumDepth: Int

  /// Creates a reader of `bytes`, which must stay valid while the reader is used.
  package init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = Self.maximumDepth) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  /// Skips whitespace and returns the offset of the next value.
  package mutating func next() -> Int {
    skipSpace()
    return position
  }

  /// Returns a fault at the current position.
  package func fault(_ reason: String) -> JSONError { JSONError(offset: position, reason: reason) }

  /// Whether the next byte begins an array.
  package var isAtArray: Bool { peek == UInt8(ascii: "[") }
  /// Whether the next byte begins a string.
  package var isAtString: Bool { peek == UInt8(ascii: "\"") }

  // MARK: Structure

  /// Reads an object. For each key, calls `member`, which must read the value.
  package mutating func object(_ member: (JSONKey, inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
    try open("{", "an object")
    if take("}") { return depth -= 1 }
    try memberList(member)
    guard take("}") else { throw fault("expected ',' or '}'") }
    depth -= 1
  }

  /// Reads the members of an object without braces, up to the end of the bytes.
  package mutating func members(_ member: (JSONKey, inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
    skipSpace()
    guard position < bytes.count else { return }
    try memberList(member)
    try end()
  }

  @inline(__always)
  private mutating func memberList(
    _ member: (JSONKey, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    repeat {
      skipSpace()
      let key = try rawString("a key")
      skipSpace()
      guard take(":") else { throw fault("expected ':'") }
      try member(key, &self)
      skipSpace()
    } while take(",")
  }

  /// Returns the bytes of a range that ``skipValue()`` returned.
  package func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  /// Reads an array. For each value, calls `element`, which must read it.
  package mutating func array(_ element: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
    try open("[", "an array")
    if take("]") { return depth -= 1 }
    repeat {
      try element(&self)
      skipSpace()
    } while take(",")
    guard take("]") else { throw fault("expected ',' or ']'") }
    depth -= 1
  }

  private mutating func open(_ bracket: UInt8.ASCII, _ what: StaticString) throws(JSONError) {
    skipSpace()
    guard take(bracket) else { throw fault("expected \(what)") }
    depth += 1
    guard depth <= maximumDepth else { throw fault("nested deeper than \(maximumDepth) levels") }
    skipSpace()
  }

  /// Checks that only whitespace follows.
  package mutating func end() throws(JSONError) {
    skipSpace()
    guard position == bytes.count else { throw fault("expected the end of the input") }
  }

  /// Skips a value of any type and returns the range of its bytes.
  ///
  /// - Complexity: O(*n*) in its bytes.
  @discardableResult
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    skipSpace()
    let start = position
    if !skipCompactValue() { try skipAnyValue() }
    return start..<position
  }

  private mutating func skipAnyValue() throws(JSONError) {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): try object { (_, reader) throws(JSONError) in try reader.skipAnyValue() }
    case UInt8(ascii: "["): try array { (reader) throws(JSONError) in try reader.skipAnyValue() }
    case UInt8(ascii: "\""): _ = try rawString("a string")
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: try skipNumber()
    }
  }

  // MARK: Values

  /// Reads `null` if it is next; returns whether it was.
  package mutating func null() throws(JSONError) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  /// Reads `true` or `false`.
  package mutating func bool() throws(JSONError) -> Bool {
    skipSpace()
    if peek == UInt8(ascii: "t") {
      try literal("true")
      return true
    }
    guard peek == UInt8(ascii: "f") else { throw fault("expected true or false") }
    try literal("false")
    return false
  }

  /// Reads a string, with escapes resolved.
  package mutating func string() throws(JSONError) -> String {
    skipSpace()
    return try rawString("a string").string
  }

  /// Reads a string as the bytes between the quotes.
  package mutating func rawString() throws(JSONError) -> JSONKey {
    skipSpace()
    return try rawString("a string")
  }

  /// Reads a 64-bit integer in any notation, such as `12` or `1.2e1`.
  package mutating func int64() throws(JSONError) -> Int64 {
    try scaled(by: 0)
  }

  /// Reads an integer within a range.
  package mutating func integer<T: FixedWidthInteger>(in range: ClosedRange<T>) throws(JSONError) -> T {
    T(truncatingIfNeeded: try int64(from: Int64(clamping: range.lowerBound), to: Int64(clamping: range.upperBound)))
  }

  /// Reads an integer from `least` to `most`, without the cost of a generic type, which many thousands of numbers notice.
  package mutating func int64(from least: Int64, to most: Int64) throws(JSONError) -> Int64 {
    skipSpace()
    let start = position
    let value = try int64()
    guard least <= value, value <= most else {
      throw JSONError(offset: start, reason: "expected an integer from \(least) to \(most)")
    }
    return value
  }

  /// Reads a number multiplied by 10^`digits`, rounded to the nearest integer, halves away from zero.
  ///
  /// For example, `0.1121` scaled by 4 is 1121. The result is exact for every notation.
  ///
  /// - Parameters:
  ///   - digits: The power of ten.
  ///   - exactly: Whether a number that requires rounding is a fault. With 0 `digits`, it always is.
  package mutating func scaled(by digits: Int, exactly: Bool = false) throws(JSONError) -> Int64 {
    skipSpace()
    let start = position
    if let value = plainNumber(times: digits) { return value }
    let number = try number()
    guard let value = number.scaled(by: digits, exactly: exactly || digits == 0) else {
      let reason =
        digits == 0
        ? "expected a 64-bit integer"
        : exactly ? "expected a number with at most \(digits) decimals" : "number out of range"
      throw JSONError(offset: start, reason: reason)
    }
    return value
  }

  // MARK: Bytes

  @inline(__always) private var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always) private mutating func take(_ character: UInt8.ASCII) -> Bool {
    guard position < bytes.count, bytes[position] == character.value else { return false }
    position += 1
    return true
  }

  @inline(__always) private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  mutating func literal(_ word: StaticString) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard position + index < bytes.count, bytes[position + index] == word.utf8Start[index] else {
        throw fault("expected \(word)")
      }
    }
    position += word.utf8CodeUnitCount
  }

  mutating func rawString(_ what: StaticString) throws(JSONError) -> JSONKey {
    guard take("\"") else { throw fault("expected \(what)") }
    let start = position
    var isPlain = true
    while position < bytes.count {
      skipPlainText()
      guard position < bytes.count else { break }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return JSONKey(bytes: text, isPlain: isPlain)
      } else if byte == UInt8(ascii: "\\") {
        isPlain = false
        try escape()
      } else if byte < 0x20 {
        throw fault("a control character must be escaped")
      } else if byte < 0x80 {
        position += 1
      } else {
        try multibyte()
      }
    }
    throw fault("unterminated string")
  }

  private mutating func escape() throws(JSONError) {
    guard position + 1 < bytes.count else { throw fault("unterminated string") }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      let unit = try hexUnit(at: position + 2)
      if unit & 0xFC00 == 0xD800 {
        guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
          bytes[position + 7] == UInt8(ascii: "u"), try hexUnit(at: position + 8) & 0xFC00 == 0xDC00
        else { throw fault("unpaired surrogate") }
        position += 12
      } else {
        guard unit & 0xFC00 != 0xDC00 else { throw fault("unpaired surrogate") }
        position += 6
      }
    default: throw fault("unknown escape sequence")
    }
  }

  private func hexUnit(at offset: Int) throws(JSONError) -> UInt16 {
    guard offset + 4 <= bytes.count, let unit = JSONKey.hexUnit(bytes, at: offset) else {
      throw JSONError(offset: offset, reason: "expected four hexadecimal digits")
    }
    return unit
  }

  /// Reads a well-formed UTF-8 sequence of two to four bytes (The Unicode Standard, table 3-7).
  private mutating func multibyte() throws(JSONError) {
    let lead = bytes[position]
    let (length, low, high): (Int, UInt8, UInt8) =
      switch lead {
      case 0xC2...0xDF: (2, 0x80, 0xBF)
      case 0xE0: (3, 0xA0, 0xBF)
      case 0xED: (3, 0x80, 0x9F)
      case 0xE1...0xEF: (3, 0x80, 0xBF)
      case 0xF0: (4, 0x90, 0xBF)
      case 0xF1...0xF3: (4, 0x80, 0xBF)
      case 0xF4: (4, 0x80, 0x8F)
      default: (0, 0, 0)
      }
    guard length > 0, position + length <= bytes.count, bytes[position + 1] >= low, bytes[position + 1] <= high,
      (2..<max(length, 2)).allSatisfy({ bytes[position + $0] & 0xC0 == 0x80 })
    else { throw fault("invalid UTF-8") }
    position += length
  }

  /// Skips characters of a string that need no attention, eight at a time.
  ///
  /// Stops at the latest before the first quote, backslash, control character or byte above ASCII.
  @inline(__always)
  private mutating func skipPlainText() {
    guard let base = bytes.baseAddress else { return }
    let last = bytes.count &- 8
    while position <= last {
      let special = (base + position).word(at: 0).nonPlainText
      position &+= special.trailingZeroBitCount / 8
      if special != 0 { return }
    }
  }

  /// Skips a number without computing its value.
  mutating func skipNumber() throws(JSONError) {
    let start = position
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position &+= 1 }
    let first = position
    skipDigits()
    var isPlain = position > first && (position == first &+ 1 || bytes[first] != UInt8(ascii: "0"))
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position &+= 1
      let fraction = position
      skipDigits()
      isPlain = isPlain && position > fraction
    }
    if isPlain, peek | 0x20 != UInt8(ascii: "e") { return }
    // Another form, or a fault. The general way finds the position of a fault.
    position = start
    _ = try number()
  }

  @inline(__always) private mutating func skipDigits() {
    if let base = bytes.baseAddress {
      // Eight at a time.
      while position &+ 8 <= bytes.count {
        let others = (base + position).word(at: 0).digitValues.nonDigits
        position &+= others.trailingZeroBitCount / 8
        if others != 0 { return }
      }
    }
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
  }

  /// Reads a number of at most 18 digits without exponent, times 10^`digits`.
  ///
  /// Nil, without a change, for any other number, for one that must be rounded, and for a fault.
  @inline(__always)
  private mutating func plainNumber(times digits: Int) -> Int64? {
    var next = position
    let isNegative = next < bytes.count && bytes[next] == UInt8(ascii: "-")
    if isNegative { next &+= 1 }
    let first = next
    var value: Int64 = 0
    while next < bytes.count, next &- first < 18 {
      let digit = bytes[next] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int64(digit)
      next &+= 1
    }
    var count = next &- first
    guard count > 0, count == 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
    var missing = digits
    if next < bytes.count, bytes[next] == UInt8(ascii: ".") {
      next &+= 1
      let fraction = next
      while next < bytes.count, missing > 0, count < 18 {
        let digit = bytes[next] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = value &* 10 &+ Int64(digit)
        next &+= 1
        missing &-= 1
        count &+= 1
      }
      guard next > fraction else { return nil }
    }
    guard count &+ missing <= 18 else { return nil }
    if next < bytes.count {
      let follower = bytes[next]
      if follower &- UInt8(ascii: "0") < 10 || follower == UInt8(ascii: ".") || follower | 0x20 == UInt8(ascii: "e") {
        return nil
      }
    }
    while missing > 0 {
      value = value &* 10
      missing &-= 1
    }
    position = next
    return isNegative ? -value : value
  }

  private mutating func number() throws(JSONError) -> JSONDecimal {
    skipSpace()
    var decimal = JSONDecimal()
    decimal.isNegative = take("-")
    guard let first = digit else { throw fault(decimal.isNegative ? "expected a digit" : "expected a value") }
    if first == 0 {
      position += 1
      guard digit == nil else { throw fault("a number must not have a leading zero") }
      decimal.append(0)
    } else {
      while let next = digit {
        decimal.append(next)
        position += 1
      }
    }
    if take(".") {
      guard digit != nil else { throw fault("expected a digit") }
      while let next = digit {
        decimal.appendFraction(next)
        position += 1
      }
    }
    if take("e") || take("E") {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard digit != nil else { throw fault("expected a digit") }
      var exponent = 0
      while let next = digit {
        exponent = min(exponent * 10 + Int(next), 100_000_000)
        position += 1
      }
      decimal.exponent += isNegative ? -exponent : exponent
    }
    return decimal
  }

  @inline(__always) private var digit: UInt8? {
    let value = peek &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }
}

extension UInt8 {
  /// A character literal as its ASCII byte.
  struct ASCII: ExpressibleByUnicodeScalarLiteral {
    let value: UInt8
    init(unicodeScalarLiteral scalar: Unicode.Scalar) { value = UInt8(ascii: scalar) }
  }
}

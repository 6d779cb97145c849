import CContrail

extension JSONReader {
  private static let skipsPoints = contrail_skips_points()

  /// The containers around a value, one bit each, the innermost lowest.
  private struct Nesting {
    /// Set for an object, clear for an array.
    private var objects: UInt64 = 0
    private(set) var depth = 0

    static let maximumDepth = UInt64.bitWidth

    var isInObject: Bool { objects & 1 == 1 }
    /// The byte that ends the innermost container.
    var bracket: UInt8 { isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    mutating func open(isObject: Bool) {
      objects = objects << 1 | (isObject ? 1 : 0)
      depth &+= 1
    }

    mutating func close() {
      objects >>= 1
      depth &-= 1
    }
  }

  /// Skips a value without whitespace in it, in one pass without recursion.
  ///
  /// - Returns: Whether it was skipped. If not, the position is as before: the value has whitespace, is nested deeply, or
  ///   is faulty.
  mutating func skipCompactValue() -> Bool {
    let start = position
    do throws(JSONError) {
      if try scanCompactValue() { return true }
    } catch {}
    position = start
    return false
  }

  private mutating func scanCompactValue() throws(JSONError) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var nesting = Nesting()
    let maximumDepth = min(Nesting.maximumDepth, self.maximumDepth - depth)
    // The position, in a register.
    var next = position
    while next < bytes.count {
      let first = bytes[next]
      if first == UInt8(ascii: "\"") {
        next = try endOfText(base, next)
      } else if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") {
        next = try endOfNumber(base, next)
      } else if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
        guard nesting.depth < maximumDepth else { return false }
        nesting.open(isObject: first == UInt8(ascii: "{"))
        next &+= 1
        guard next < bytes.count else { return false }
        if bytes[next] != nesting.bracket {
          if nesting.isInObject {
            guard try skipKey(base, &next) else { return false }
          } else if bytes[next] == UInt8(ascii: "["), Self.skipsPoints {
            next &+= contrail_skip_points(
              (base + next).assumingMemoryBound(to: UInt8.self), bytes.count &- next)
          }
          continue
        }
        next &+= 1
        nesting.close()
      } else {
        position = next
        try literal(first == UInt8(ascii: "t") ? "true" : first == UInt8(ascii: "f") ? "false" : "null")
        next = position
      }
      // The value has ended, and with it perhaps some of the containers around it.
      while true {
        guard nesting.depth > 0 else {
          position = next
          return true
        }
        guard next < bytes.count else { return false }
        let follower = bytes[next]
        next &+= 1
        if follower == UInt8(ascii: ",") { break }
        guard follower == nesting.bracket else { return false }
        nesting.close()
      }
      if nesting.isInObject { guard try skipKey(base, &next) else { return false } }
    }
    return false
  }

  @inline(__always)
  private mutating func skipKey(_ base: UnsafeRawPointer, _ next: inout Int) throws(JSONError) -> Bool {
    next = try endOfText(base, next)
    guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return false }
    next &+= 1
    return true
  }

  /// Returns the end of a string.
  @inline(__always)
  private mutating func endOfText(_ base: UnsafeRawPointer, _ start: Int) throws(JSONError) -> Int {
    var next = start &+ 1
    if next <= bytes.count, bytes[start] == UInt8(ascii: "\"") {
      while next &+ 8 <= bytes.count {
        let special = (base + next).word(at: 0).nonPlainText
        next &+= special.trailingZeroBitCount / 8
        guard special != 0 else { continue }
        if bytes[next] == UInt8(ascii: "\"") { return next &+ 1 }
        break
      }
    }
    // It has other characters, or is too close to the end.
    position = start
    _ = try rawString("a string")
    return position
  }

  /// Returns the end of a number.
  @inline(__always)
  private mutating func endOfNumber(_ base: UnsafeRawPointer, _ start: Int) throws(JSONError) -> Int {
    // Most have a few digits before a decimal point and up to eight after it.
    if start &+ 24 <= bytes.count {
      let first = start &+ (bytes[start] == UInt8(ascii: "-") ? 1 : 0)
      let whole = (base + first).word(at: 0).digitValues.nonDigits.trailingZeroBitCount / 8
      var next = first &+ whole
      var isPlain = whole > 0 && whole < 8 && (whole == 1 || bytes[first] != UInt8(ascii: "0"))
      if bytes[next] == UInt8(ascii: ".") {
        let fraction = (base + next).word(at: 1).digitValues.nonDigits.trailingZeroBitCount / 8
        next &+= 1 &+ fraction
        isPlain = isPlain && fraction > 0 && (fraction < 8 || bytes[next] &- UInt8(ascii: "0") >= 10)
      }
      if isPlain, bytes[next] | 0x20 != UInt8(ascii: "e") { return next }
    }
    position = start
    try skipNumber()
    return position
  }
}

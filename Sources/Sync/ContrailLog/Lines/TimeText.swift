/// The grammar of times in options and scenarios.
///
/// | text | meaning |
/// |---|---|
/// | `01:10:00`, `01:10:00.250` | hours, minutes and seconds |
/// | `1h10m`, `70m`, `90s`, `250ms` | the same, in units |
/// | `0` | none |
///
/// Each may begin with `t+` or `+`, or, for a negative time, with `t-` or `-`.
package enum TimeText {
  /// Returns the milliseconds of a text; nil if it isn't a time. At most 100,000 hours have five digits.
  package static func milliseconds(_ text: some StringProtocol) -> Int64? {
    var scan = TimeScanner(text)
    let sign = scan.sign()
    guard let time = scan.time(), scan.isAtEnd else { return nil }
    return time * (sign ?? 1)
  }

  /// Returns the milliseconds of a time that isn't negative, up to 10,000 hours; nil for any other text.
  package static func span(_ text: some StringProtocol) -> Int64? {
    milliseconds(text).flatMap { (0...10_000 * 3_600_000).contains($0) ? $0 : nil }
  }
}

/// Parses parts of times. The limits on the number of digits prevent overflow.
package struct TimeScanner {
  private var rest: Substring.UTF8View

  package init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Skips a sign and returns it: 1, -1, or nil without one.
  package mutating func sign() -> Int64? {
    if skip("t+") || skip("+") { return 1 }
    return skip("t-") || skip("-") ? -1 : nil
  }

  /// Parses `01:23:45`, `1h23m` or `0`, and returns milliseconds.
  package mutating func time() -> Int64? {
    var ahead = self
    if let time = ahead.clock() {
      self = ahead
      return time
    }
    ahead = self
    if ahead.skip("0"), ahead.isAtEnd {
      self = ahead
      return 0
    }
    return units()
  }

  package mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  package mutating func digits(_ counts: ClosedRange<Int>) -> (value: Int64, count: Int)? {
    var value: Int64 = 0
    var count = 0
    while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), count < counts.upperBound {
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      count += 1
      rest = rest.dropFirst()
    }
    return counts.contains(count) ? (value, count) : nil
  }

  package mutating func two(upTo limit: Int64) -> Int64? {
    guard let number = digits(2...2), number.value <= limit else { return nil }
    return number.value
  }

  /// Parses a fraction of a second and truncates it to milliseconds.
  package mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    guard let number = digits(1...9) else { return nil }
    var value = number.value
    for _ in 0..<max(0, 3 - number.count) { value *= 10 }
    for _ in 0..<max(0, number.count - 3) { value /= 10 }
    return value
  }

  /// Parses `01:23:45` and returns milliseconds.
  private mutating func clock() -> Int64? {
    guard let hours = digits(1...5)?.value, skip(":"), let minutes = two(upTo: 59), skip(":"),
      let seconds = two(upTo: 59), let fraction = fraction()
    else { return nil }
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction
  }

  /// Parses `1h23m` and returns milliseconds.
  private mutating func units() -> Int64? {
    var sum: Int64 = 0
    var isEmpty = true
    for (unit, milliseconds) in [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)] as [(String, Int64)] {
      var ahead = self
      guard let number = ahead.digits(1...9), ahead.skip(unit), !(unit == "m" && ahead.rest.starts(with: "s".utf8))
      else { continue }
      self = ahead
      sum += number.value * milliseconds
      isEmpty = false
    }
    return isEmpty ? nil : sum
  }
}

import ContrailAirportData

/// A time in a recording, as given on the command line.
///
/// | text | meaning |
/// |---|---|
/// | `142` | the line with this `seq` |
/// | `t+01:23:45`, `t+01:23:45.250` | hours, minutes and seconds since the first line of the recording |
/// | `t+1h23m`, `+83m`, `+90s`, `+250ms` | the same, in units |
/// | `2025-02-19T22:01:07Z` | a time in UTC, with or without a fraction of a second |
package enum TimelinePosition: Hashable, Sendable {
  case seq(Int64)
  /// Milliseconds since the recording's first line.
  case offset(Int64)
  /// Milliseconds since 1970.
  case time(Int64)

  /// Parses a text.
  ///
  /// - Throws: ``TimelinePositionError`` if the text is neither a `seq` nor a time.
  package init(_ text: String) throws(TimelinePositionError) {
    var scan = Scanner(text)
    if let moment = scan.moment(), scan.isAtEnd {
      self = moment
    } else {
      throw TimelinePositionError(text: text)
    }
  }

  /// Parses a time since the first line, with or without `t+` or `+`: `t+01:23:45`, `1h23m`. Returns milliseconds, or nil for another text.
  package static func parseOffset(_ text: String) -> Int64? {
    var scan = Scanner(text)
    _ = scan.skipSign()
    guard let offset = scan.offset(), scan.isAtEnd else { return nil }
    return offset
  }

  /// Returns whether a line comes after this time.
  ///
  /// - Parameters:
  ///   - seq: The `seq` of the line.
  ///   - at: The time of the line in milliseconds.
  ///   - start: The time of the recording's first line in milliseconds.
  package func isBefore(seq: Int64, at: Int64, start: Int64) -> Bool {
    switch self {
    case .seq(let limit): seq > limit
    case .offset(let offset): at - start > offset
    case .time(let time): at > time
    }
  }

  /// Divides and rounds down. The remainder is never negative.
  static func floored(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// The error thrown for an invalid text.
package struct TimelinePositionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid text.
  package let text: String

  package var description: String {
    "'\(text)' is neither a seq (142) nor a time (t+01:23:45, +83m, +1h23m, 2025-02-19T22:01:07Z)"
  }
}

/// Parses a time. The limits on the number of digits prevent overflow.
private struct Scanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func moment() -> TimelinePosition? {
    if skipSign() { return offset().map { .offset($0) } }
    guard let number = digits(1...18) else { return nil }
    if isAtEnd { return .seq(number.value) }
    return number.count == 4 ? date(year: number.value).map { .time($0) } : nil
  }

  /// Skips what an offset from the first line starts with.
  mutating func skipSign() -> Bool { skip("t+") || skip("+") }

  /// Parses `01:23:45` or `1h23m` and returns milliseconds.
  mutating func offset() -> Int64? {
    var ahead = self
    if let offset = ahead.clock() {
      self = ahead
      return offset
    }
    return units()
  }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func digits(_ counts: ClosedRange<Int>) -> (value: Int64, count: Int)? {
    var value: Int64 = 0
    var count = 0
    while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), count < counts.upperBound {
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      count += 1
      rest = rest.dropFirst()
    }
    return counts.contains(count) ? (value, count) : nil
  }

  private mutating func two(upTo limit: Int64) -> Int64? {
    guard let number = digits(2...2), number.value <= limit else { return nil }
    return number.value
  }

  /// Parses a fraction of a second and truncates it to milliseconds.
  private mutating func fraction() -> Int64? {
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

  /// Parses the rest after the year, such as `-02-19T22:01:07.250Z`, and returns milliseconds since 1970.
  private mutating func date(year: Int64) -> Int64? {
    guard skip("-"), let month = two(upTo: 12), skip("-"), let day = two(upTo: 31),
      let date = CivilDay(year: Int(year), month: Int(month), day: Int(day)), skip("T"), let hour = two(upTo: 23),
      skip(":"),
      let minute = two(upTo: 59), skip(":"), let second = two(upTo: 59), let fraction = fraction(), skip("Z")
    else { return nil }
    return date.start * 1000 + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }
}

extension Replayer {
  /// Returns whether a line comes after a time.
  func isBeyond(_ limit: TimelinePosition?, seq: Int64, at: Int64) -> Bool {
    limit?.isBefore(seq: seq, at: at, start: statistics.firstAt ?? at) ?? false
  }
}

import ContrailAirportData
package import ContrailLog

/// A time in a recording, as given on the command line.
///
/// | text | meaning |
/// |---|---|
/// | `142` | the line with this `seq` |
/// | `t+01:23:45`, `1h23m`, `t+0`, `-90s` | a time since the first line of the recording, as in ``TimeText``, but `0` is a `seq` |
/// | `2025-02-19T22:01:07Z` | a time in UTC, with or without a fraction of a second |
package enum TimelinePosition: Hashable, Sendable {
  case seq(Int64)
  /// Milliseconds since the recording's first line.
  case offset(Int64)
  /// Milliseconds since 1970.
  case time(Int64)

  /// Parses a text.
  ///
  /// - Throws: ``InputError`` if the text is neither a `seq` nor a time.
  package init(_ text: String) throws(InputError) {
    var scan = TimeScanner(text)
    if let position = scan.position(), scan.isAtEnd {
      self = position
    } else {
      throw InputError(
        .timelinePosition,
        "'\(text)' is neither a seq (142) nor a time (t+01:23:45, 83m, 1h23m, 2025-02-19T22:01:07Z)")
    }
  }

  /// Returns the milliseconds since 1970 of a time in UTC, from 1970 on; nil for another text.
  package static func utc(_ text: some StringProtocol) -> Int64? {
    var scan = TimeScanner(text)
    guard case .time(let time) = scan.position(), scan.isAtEnd, time >= 0 else { return nil }
    return time
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

extension TimeScanner {
  fileprivate mutating func position() -> TimelinePosition? {
    if let sign = sign() { return time().map { .offset($0 * sign) } }
    var ahead = self
    if let number = ahead.digits(1...18) {
      let seqOrDate = ahead.isAtEnd ? .seq(number.value) : ahead.date(after: number).map { TimelinePosition.time($0) }
      if let seqOrDate {
        self = ahead
        return seqOrDate
      }
    }
    return time().map { .offset($0) }
  }

  /// Parses the rest after a year of four digits, such as `-02-19T22:01:07.250Z`, and returns milliseconds since 1970.
  private mutating func date(after year: (value: Int64, count: Int)) -> Int64? {
    guard year.count == 4, skip("-"), let month = two(upTo: 12), skip("-"), let day = two(upTo: 31),
      let date = CivilDay(year: Int(year.value), month: Int(month), day: Int(day)), skip("T"), let hour = two(upTo: 23),
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

/// A 28-day cycle of aeronautical information, effective from the same Thursday worldwide.
///
/// AIRAC is Aeronautical Information Regulation And Control (ICAO Annex 15, chapter 6). A cycle is identified by year
/// and number: `2511` is the eleventh cycle that begins in 2025, on 30 October. A year has thirteen cycles, and
/// occasionally (1998, 2020, 2043) fourteen.
///
/// ```swift
/// guard let cycle = AIRACCycle(at: now) else { … }
/// if !loaded.isEffective(at: now) { load(cycle) }
/// ```
///
/// The effective dates are 28 days apart, counted from 29 January 1998, the reference date of ICAO Doc 8126. Times are
/// seconds since 1970, UTC. The type doesn't read the clock.
public struct AIRACCycle: Hashable, Sendable {
  /// The number of cycles since the first one, which began on 1 January 1998.
  public let ordinal: Int

  /// The length of a cycle in days.
  public static let days = 28
  /// The first supported cycle: 9801, from 1 January 1998.
  public static let first = AIRACCycle(ordinal: 0)
  /// The last supported cycle: the last of 2100.
  public static let last = AIRACCycle(ordinal: (endDay - 1 - firstDay) / days)

  /// 1 January 1998, one cycle before the reference date.
  private static let firstDay = 10_227
  /// 1 January 2101.
  private static let endDay = 47_847

  private init(ordinal: Int) {
    self.ordinal = ordinal
  }

  /// Creates the cycle that contains a day. Returns `nil` before 1998 and after 2100.
  public init?(containing day: CivilDay) {
    guard (Self.firstDay..<Self.endDay).contains(day.daysSince1970) else { return nil }
    ordinal = (day.daysSince1970 - Self.firstDay) / Self.days
  }

  /// Creates the cycle that is effective at a time in seconds since 1970. Returns `nil` before 1998 and after 2100.
  public init?(at time: Int64) {
    guard let day = CivilDay(containing: time) else { return nil }
    self.init(containing: day)
  }

  /// Creates the cycle with an effective date. Returns `nil` if no cycle begins on that day.
  public init?(effectiveOn day: CivilDay) {
    self.init(containing: day)
    guard effectiveDay == day else { return nil }
  }

  /// Creates a cycle from its full year and its one-based number. Returns `nil` if the year has no such cycle.
  public init?(year: Int, number: Int) {
    guard (1...14).contains(number), let newYear = CivilDay(year: year, month: 1, day: 1),
      (Self.firstDay..<Self.endDay).contains(newYear.daysSince1970)
    else { return nil }
    let before = (newYear.daysSince1970 - Self.firstDay + Self.days - 1) / Self.days
    ordinal = before + number - 1
    guard self <= .last, self.year == year else { return nil }
  }

  /// Creates a cycle from its four-digit identifier, such as `2511`. Returns `nil` if there is no such cycle.
  ///
  /// The years 98 and 99 are 1998 and 1999, and the years 00 to 97 are 2000 to 2097. For later cycles use
  /// ``init(year:number:)``.
  public init?(identifier: String) {
    let digits = identifier.utf8.map { Int($0) - 48 }
    guard digits.count == 4, digits.allSatisfy((0...9).contains) else { return nil }
    let year = digits[0] * 10 + digits[1]
    self.init(year: year + (year >= 98 ? 1900 : 2000), number: digits[2] * 10 + digits[3])
  }

  /// The first day of the cycle.
  public var effectiveDay: CivilDay { Self.day(ordinal * Self.days + Self.firstDay) }

  /// The first day of the next cycle.
  public var endDay: CivilDay { Self.day((ordinal + 1) * Self.days + Self.firstDay) }

  /// Returns a day between 1997 and 2101, which always exists.
  private static func day(_ days: Int) -> CivilDay { CivilDay(daysSince1970: days) ?? .epoch }

  /// The year in which the cycle begins.
  public var year: Int { effectiveDay.components.year }

  /// The one-based number of the cycle within its year.
  public var number: Int {
    let newYear = CivilDay(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
    return (effectiveDay.daysSince1970 - newYear) / Self.days + 1
  }

  /// The identifier, with two digits for the year and two for the number: `2511`.
  public var identifier: String { CivilDay.padded(year % 100, 2) + CivilDay.padded(number, 2) }

  /// The next cycle, or `nil` after the last one.
  public var next: AIRACCycle? { advanced(by: 1) }

  /// The previous cycle, or `nil` before the first one.
  public var previous: AIRACCycle? { advanced(by: -1) }

  /// Returns the cycle a number of cycles later, or earlier if the number is negative.
  ///
  /// Returns `nil` outside the supported range.
  public func advanced(by cycles: Int) -> AIRACCycle? {
    let (sum, overflows) = ordinal.addingReportingOverflow(cycles)
    guard !overflows, (0...Self.last.ordinal).contains(sum) else { return nil }
    return AIRACCycle(ordinal: sum)
  }
}

extension AIRACCycle: Comparable {
  public static func < (a: AIRACCycle, b: AIRACCycle) -> Bool { a.ordinal < b.ordinal }
}

extension AIRACCycle: Identifiable {
  public var id: Int { ordinal }
}

extension AIRACCycle: CustomStringConvertible {
  public var description: String { identifier }
}

extension CivilDay {
  /// 1970-01-01.
  static let epoch = CivilDay(epoch: ())
}

/// One cycle of aeronautical information: 28 days, from a Thursday that is the same all over the world.
///
/// AIRAC is Aeronautical Information Regulation And Control (ICAO Annex 15, chapter 6). Cycles are named by year and number: `2511` is
/// the eleventh that begins in 2025, on 30 October. A year has thirteen, and now and then (1998, 2020, 2043) fourteen.
///
/// ```swift
/// guard let cycle = AIRACCycle(at: now) else { … }
/// if !loaded.isEffective(at: now) { load(cycle) }
/// ```
///
/// The dates go on in steps of 28 days from 29 January 1998, the reference date of ICAO Doc 8126. Times are seconds since 1970, UTC;
/// nothing here looks at a clock.
public struct AIRACCycle: Hashable, Sendable {
  /// How many cycles after the first, which began on 1 January 1998.
  public let ordinal: Int

  /// The length of a cycle.
  public static let days = 28
  /// The first cycle known here: 9801, from 1 January 1998.
  public static let first = AIRACCycle(ordinal: 0)
  /// The last cycle that begins in 2100.
  public static let last = AIRACCycle(ordinal: (endDay - 1 - firstDay) / days)

  /// 1 January 1998, one cycle before the reference date.
  private static let firstDay = 10_227
  /// 1 January 2101.
  private static let endDay = 47_847

  private init(ordinal: Int) {
    self.ordinal = ordinal
  }

  /// The cycle that a day falls in; nil before 1998 and after 2100.
  public init?(containing day: CivilDay) {
    guard (Self.firstDay..<Self.endDay).contains(day.daysSince1970) else { return nil }
    ordinal = (day.daysSince1970 - Self.firstDay) / Self.days
  }

  /// The cycle that is effective at a moment; nil before 1998 and after 2100.
  public init?(at time: Int64) {
    guard let day = CivilDay(containing: time) else { return nil }
    self.init(containing: day)
  }

  /// The cycle that begins on a day; nil if none does.
  public init?(effectiveOn day: CivilDay) {
    self.init(containing: day)
    guard effectiveDay == day else { return nil }
  }

  /// A cycle by its year in full and its number from 1; nil if that year has no such cycle.
  public init?(year: Int, number: Int) {
    guard (1...14).contains(number), let newYear = CivilDay(year: year, month: 1, day: 1),
      (Self.firstDay..<Self.endDay).contains(newYear.daysSince1970)
    else { return nil }
    let before = (newYear.daysSince1970 - Self.firstDay + Self.days - 1) / Self.days
    ordinal = before + number - 1
    guard self <= .last, self.year == year else { return nil }
  }

  /// A cycle by its four digits, `2511`; nil if there is no such cycle.
  ///
  /// Two digits don't tell centuries apart: 98 and 99 are taken as 1998 and 1999, and 00 to 97 as 2000 to 2097. Later cycles are
  /// made with ``init(year:number:)``.
  public init?(identifier: String) {
    let digits = identifier.utf8.map { Int($0) - 48 }
    guard digits.count == 4, digits.allSatisfy((0...9).contains) else { return nil }
    let year = digits[0] * 10 + digits[1]
    self.init(year: year + (year >= 98 ? 1900 : 2000), number: digits[2] * 10 + digits[3])
  }

  /// The first day.
  public var effectiveDay: CivilDay { Self.day(ordinal * Self.days + Self.firstDay) }

  /// The first day of the cycle that follows.
  public var endDay: CivilDay { Self.day((ordinal + 1) * Self.days + Self.firstDay) }

  /// A day between 1997 and 2101 exists.
  private static func day(_ days: Int) -> CivilDay { CivilDay(daysSince1970: days) ?? .epoch }

  /// The year in which the cycle begins.
  public var year: Int { effectiveDay.components.year }

  /// Which cycle of its year it is, from 1.
  public var number: Int {
    let newYear = CivilDay(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
    return (effectiveDay.daysSince1970 - newYear) / Self.days + 1
  }

  /// Two digits of the year and two of the number: `2511`.
  public var identifier: String { CivilDay.padded(year % 100, 2) + CivilDay.padded(number, 2) }

  /// The cycle after this one; nil after the last.
  public var next: AIRACCycle? { advanced(by: 1) }

  /// The cycle before this one; nil before the first.
  public var previous: AIRACCycle? { advanced(by: -1) }

  /// The cycle so many cycles later, or earlier; nil beyond what is known here.
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

/// A day of the Gregorian calendar.
///
/// The calculations follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": a year begins in March, and
/// an era has 400 years.
public struct CivilDay: Hashable, Sendable {
  /// The number of days since 1970-01-01, negative before that date.
  public let daysSince1970: Int

  private static let daysPerEra = 146_097
  /// The number of days from 0000-03-01 to 1970-01-01.
  private static let epochDay = 719_468
  /// The days of the years 0 to 9999.
  private static let range = -719_528...2_932_896

  /// Creates a day from the number of days since 1970-01-01. Returns `nil` outside the years 0 to 9999.
  public init?(daysSince1970: Int) {
    guard Self.range.contains(daysSince1970) else { return nil }
    self.daysSince1970 = daysSince1970
  }

  /// Creates a day from its date. Returns `nil` if the date is invalid or outside the years 0 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    let (era, yearOfEra) = Self.floored(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSince1970 = era * Self.daysPerEra + dayOfEra - Self.epochDay
    // Rejects dates such as the 31st of a month with 30 days, which is the first of the next month.
    guard components == (year, month, day) else { return nil }
  }

  init(epoch: Void) {
    daysSince1970 = 0
  }

  /// Creates the UTC day of a time in seconds since 1970. Returns `nil` outside the years 0 to 9999.
  public init?(containing time: Int64) {
    self.init(daysSince1970: Self.floored(Int(clamping: time), 86_400).quotient)
  }

  /// The beginning of the day, UTC, in seconds since 1970.
  public var start: Int64 { Int64(daysSince1970) * 86_400 }

  /// The year, and the one-based month and day.
  public var components: (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = Self.floored(daysSince1970 + Self.epochDay, Self.daysPerEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func floored(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension CivilDay: Comparable {
  public static func < (a: CivilDay, b: CivilDay) -> Bool { a.daysSince1970 < b.daysSince1970 }
}

extension CivilDay: CustomStringConvertible {
  /// The date in ISO 8601 format: `2025-10-30`.
  public var description: String {
    let (year, month, day) = components
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

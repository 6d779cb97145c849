/// A day of the Gregorian calendar.
///
/// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": a year begins in March, an era has 400 of them.
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  private static let daysPerEra: Int64 = 146_097
  /// From 0000-03-01 to 1970-01-01.
  private static let epochDay: Int64 = 719_468

  init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = Moment.floored(days + Self.epochDay, Self.daysPerEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Nil where there is no such day, or beyond the years 0 to 9999.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
    guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
  }

  var daysSince1970: Int64 {
    let (era, yearOfEra) = Moment.floored(month <= 2 ? year - 1 : year, 400)
    let shifted = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shifted + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.epochDay
  }
}

/// A time in the Gregorian calendar with its offset from UTC.
///
/// Days are computed as in Hinnant 2014, "chrono-Compatible Low-Level Date Algorithms", with years that start in March.
struct CivilTime: CustomStringConvertible {
  var unixSeconds: Int
  var secondsFromGMT: Int

  init(unixSeconds: Int, secondsFromGMT: Int) {
    self.unixSeconds = unixSeconds
    self.secondsFromGMT = secondsFromGMT
  }

  /// Creates a time from `YYYY-MM-DDTHH:MM`, optional `:SS`, and `±HH:MM` or `Z`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    var place = 0

    func number(_ digits: Int) -> Int? {
      guard place + digits <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[place..<place + digits] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      place += digits
      return value
    }
    func skip(_ character: Character) -> Bool {
      guard place < bytes.count, bytes[place] == character.asciiValue else { return false }
      place += 1
      return true
    }

    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("T"),
      let hour = number(2), skip(":"), let minute = number(2)
    else { return nil }
    var second = 0
    if skip(":") {
      guard let seconds = number(2) else { return nil }
      second = seconds
    }
    var offset = 0
    if !skip("Z") {
      let isWest = skip("-")
      guard isWest || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
    guard place == bytes.count, (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    unixSeconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    secondsFromGMT = offset
  }

  var description: String {
    let local = unixSeconds + secondsFromGMT
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let second = local - days * 86_400
    let (year, month, day) = Self.date(days: days)
    let seconds = second % 60 == 0 ? "" : ":\(Self.padded(second % 60, 2))"
    let offset = secondsFromGMT.magnitude
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
      + "T\(Self.padded(second / 3600, 2)):\(Self.padded(second / 60 % 60, 2))\(seconds)"
      + "\(secondsFromGMT < 0 ? "-" : "+")\(Self.padded(Int(offset / 3600), 2)):\(Self.padded(Int(offset / 60 % 60), 2))"
  }

  static func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days from 1970-01-01.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

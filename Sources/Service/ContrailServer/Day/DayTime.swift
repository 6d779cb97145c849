import ContrailAirportData

/// Times in the formats of the files.
enum DayTime {
  /// Returns seconds since 1970, or `nil` if the value isn't a time.
  ///
  /// The value may be a number of seconds, or of milliseconds if it is too large, or a string such as
  /// `2026-05-30T11:59:27.829Z`, `2025-12-19T02:30`, `2026-02-07T01:02:11+00:00` or `1780142220`, also as the only
  /// element of a list. Strings without a time zone are UTC.
  static func seconds(_ value: LooseJSON) -> Int64? {
    let value = value.single
    if let number = value.integer {
      let seconds = number > Int64(UInt32.max) ? number / 1000 : number
      return (1...Int64(UInt32.max)).contains(seconds) ? seconds : nil
    }
    return value.text.flatMap { seconds($0) }
  }

  /// Returns seconds since 1970 for an ISO 8601 date and time. Fractions are truncated.
  static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let fields = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { number($0) }
    guard fields.count == 3, let year = fields[0], let month = fields[1], let day = fields[2],
      (1970...2105).contains(year),
      let date = CivilDay(year: Int(year), month: Int(month), day: Int(day)), let clock = clock(parts[1])
    else { return nil }
    return date.start + clock
  }

  /// Returns seconds since midnight UTC for `02:30` or `02:30:15.250`, with `Z`, an offset or neither.
  private static func clock(_ text: Substring) -> Int64? {
    var time = text
    var offset: Int64 = 0
    if time.hasSuffix("Z") {
      time.removeLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = time[time.index(after: sign)...].split(separator: ":").map { number($0) }
      guard zone.count == 2, let hours = zone[0], let minutes = zone[1], hours < 24, minutes < 60 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (time[sign] == "-" ? -1 : 1)
      time = time[..<sign]
    }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0]), let minute = number(parts[1]), hour < 24,
      minute < 60
    else { return nil }
    guard parts.count == 3 else { return hour * 3600 + minute * 60 - offset }
    guard let second = number(parts[2].prefix { $0 != "." }), second <= 60 else { return nil }
    return hour * 3600 + minute * 60 + second - offset
  }

  private static func number(_ text: Substring) -> Int64? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// Returns a time such as `2026-05-30 11:59:27Z` for seconds since 1970.
  static func text(_ seconds: Int64) -> String {
    let seconds = max(seconds, 0)
    let clock = seconds % 86_400
    let day = CivilDay(containing: seconds)?.description ?? "day \(seconds / 86_400)"
    return "\(day) "
      + "\(padded(clock / 3600)):\(padded(clock / 60 % 60)):\(padded(clock % 60))Z"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

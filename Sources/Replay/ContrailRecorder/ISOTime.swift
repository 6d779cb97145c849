import ContrailAirportData

/// Parses times in tracks and scenarios, independent of the system's calendar and locale.
package enum ISOTime {
  /// Returns milliseconds since 1970 for a time such as `2025-02-04T21:13:42Z`, with or without a fraction.
  ///
  /// Returns `nil` if the text is invalid.
  package static func milliseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix("Z") else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { digits($0) }
    let clock = parts[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
    guard date.count == 3, clock.count == 3, let year = date[0], let month = date[1], let day = date[2],
      year >= 1970, let civil = CivilDay(year: Int(year), month: Int(month), day: Int(day)),
      let hour = digits(clock[0]), let minute = digits(clock[1]), hour < 24, minute < 60
    else { return nil }
    let seconds = clock[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = digits(seconds[0]), second < 60 else { return nil }
    var fraction: Int64 = 0
    if seconds.count == 2 {
      guard digits(seconds[1]) != nil, let thousandths = digits((seconds[1] + "00").prefix(3)) else { return nil }
      fraction = thousandths
    }
    return civil.start * 1000 + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }

  private static func digits(_ text: Substring) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// Returns the milliseconds of a duration such as `01:10:00`, `70m`, `2h`, `90s` or `300ms`, up to 10,000 hours.
  ///
  /// Returns `nil` if the text is invalid.
  package static func duration(_ text: Substring) -> Int64? {
    guard let span = anyDuration(text), span <= 10_000 * 3_600_000 else { return nil }
    return span
  }

  private static func anyDuration(_ text: Substring) -> Int64? {
    if text.hasSuffix("ms") { return digits(text.dropLast(2)) }
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000]
    if let last = text.last, let unit = units[last] { return digits(text.dropLast()).map { $0 * unit } }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { digits($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2], minutes < 60,
      seconds < 60
    else { return nil }
    return ((hours * 60 + minutes) * 60 + seconds) * 1000
  }
}

import ContrailHTTP
import Foundation

/// The value of `Date` (RFC 9110, 6.6.1), which is written once a second.
final class DateField: Sendable {
  private let last = Lock((second: Int.min, text: ""))

  func text(at second: Int) -> String {
    last.withLock { last in
      if last.second != second { last = (second, Self.written(second)) }
      return last.text
    }
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the seconds since 1970 of a date in the preferred form (RFC 9110, 5.6.7); nil for another text.
  static func seconds(_ text: String) -> Int64? {
    // Sun, 06 Nov 1994 08:49:37 GMT
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", let day = Int32(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int32(parts[3])
    else { return nil }
    let clock = parts[4].split(separator: ":").map { Int32($0) }
    guard (1...31).contains(day), (1970...9999).contains(year), clock.count == 3, let hour = clock[0],
      let minute = clock[1], let second = clock[2], (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, Int32(month), day)
    (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    return Int64(timegm(&time))
  }

  private static func written(_ second: Int) -> String {
    var time = time_t(second)
    var parts = tm()
    gmtime_r(&time, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
    return
      "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) \(clock) GMT"
  }
}

import ContrailDeferred
import Foundation

/// The value of `Date` (RFC 9110, 6.6.1), which is written once a second.
final class DateField: Sendable {
  private let last = Lock((second: 0, text: ""))

  func text(at second: Int) -> String {
    last.withLock { last in
      if last.second != second { last = (second, Self.written(second)) }
      return last.text
    }
  }

  private static func written(_ second: Int) -> String {
    var time = time_t(second)
    var parts = tm()
    gmtime_r(&time, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
    return
      "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) \(clock) GMT"
  }
}

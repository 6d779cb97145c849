import ContrailHTTP

/// The time of a log that services share, which all of them follow instead of their own clocks.
///
/// The *horizon* is the time before which all lines are known: no further line gets an earlier time. Answers are as of the horizon.
/// So a later delta, from whichever service, contains every line that an answer lacks. While the log can't be reached, the horizon
/// stands, and the data ages visibly.
package final class SharedTime: Sendable {
  private struct Values {
    var now: Int64 = 0
    var horizon: Int64 = 0
    /// The uptime at which `now` was told.
    var uptime: Int64 = 0
    var isPoller = false
    var greatest: Int64 = 0
  }

  /// The age of the horizon in milliseconds from which the service counts as cut off.
  package static let ageingMilliseconds: Int64 = 5000

  private let values = Lock(Values())
  private let uptime: @Sendable () -> Int64

  /// - Parameter uptime: A time in milliseconds that never goes back.
  package init(uptime: @escaping @Sendable () -> Int64) { self.uptime = uptime }

  func tell(_ time: SharedPage.Time, isPoller: Bool) {
    let uptime = uptime()
    values.withLock { values in
      values.now = time.now
      values.horizon = max(values.horizon, time.horizon)
      values.uptime = uptime
      values.isPoller = isPoller
    }
  }

  /// Notes that the log can't be read: another service may poll now.
  func lose() { values.withLock { $0.isPoller = false } }

  /// Returns the time in milliseconds since 1970: what the log told last, and what has passed since.
  package func now() -> Int64 {
    let uptime = uptime()
    return values.withLock { values in
      values.greatest = max(values.greatest, values.now + uptime - values.uptime, values.horizon)
      return values.greatest
    }
  }

  /// The time in milliseconds since 1970 before which all lines are known.
  package var horizon: Int64 { values.withLock { $0.horizon } }

  /// The time in milliseconds since the log told its time.
  package var silence: Int64 {
    let told = values.withLock { $0.uptime }
    return uptime() - told
  }

  /// Whether the log hasn't told its time for some seconds.
  package var isAgeing: Bool { silence > Self.ageingMilliseconds }

  /// Whether this service polls the feeds for all. A service that is cut off doesn't.
  package var isPoller: Bool { values.withLock { $0.isPoller } && !isAgeing }
}

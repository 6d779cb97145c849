import ContrailCore
public import ContrailEngine
public import ContrailQuery
public import ContrailWire
public import Foundation

// Times as `Date` and `Duration`. The engine uses integers of seconds and milliseconds since 1970.

extension Date {
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
  init(seconds: Int64) { self.init(timeIntervalSince1970: Double(seconds)) }

  /// Milliseconds since 1970; 0 if an `Int64` can't represent them.
  var milliseconds: Int64 { Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0 }
}

extension HeldData {
  /// The time of the data by the server's clock; nil if nothing is held.
  public var asOf: Date? { asOfSecond.map(Date.init(seconds:)) }
  /// The time of this value by the server's clock, as far as it is known.
  public var serverTime: Date { Date(seconds: serverSecond) }
  /// The age of the data at the time of this value, by the server's clock; nil if nothing is held.
  ///
  /// It is right also if the device's clock is wrong.
  public var age: Duration? { asOfSecond.map { .seconds(max(serverSecond - $0, 0)) } }
  /// The time of the last response by the device's clock; nil if there never was one.
  public var lastUpdateTime: Date? { lastUpdateMS.map(Date.init(milliseconds:)) }
}

extension ScopeStatus {
  /// The time of the data by the server's clock; nil if nothing is held.
  ///
  /// Compare it with ``serverTime(at:)``: the device's clock can be wrong.
  public var freshAsOf: Date? { freshAsOfSecond.map(Date.init(seconds:)) }
  /// The time when data was last received or confirmed, by the device's clock; nil if never.
  public var lastUpdateTime: Date? { lastUpdateMS.map(Date.init(milliseconds:)) }
  /// The time of the next request if nothing happens before, by the device's clock; nil if none is planned.
  public var nextAttempt: Date? { nextAttemptMS.map(Date.init(milliseconds:)) }

  /// Returns the time by the server's clock, as far as it is known.
  ///
  /// - Parameter now: A time by the device's clock.
  public func serverTime(at now: Date = .now) -> Date { Date(milliseconds: now.milliseconds + serverLeadMS) }

  /// Returns the age of the data by the server's clock; nil if nothing is held.
  ///
  /// It is right also if the device's clock is wrong.
  ///
  /// - Parameter now: A time by the device's clock.
  public func age(at now: Date = .now) -> Duration? {
    freshAsOfSecond.map { .milliseconds(max(now.milliseconds + serverLeadMS - $0 * 1000, 0)) }
  }
}

extension TurbulenceReport {
  /// The time of observation.
  public var observedDate: Date { Date(seconds: Int64(observedAt)) }
}

extension TurbulenceItem {
  /// The time of observation.
  public var observedDate: Date { Date(seconds: observedAt) }
}

extension PIREP {
  /// The time of observation.
  public var observedDate: Date { Date(seconds: observedAt) }
}

extension TrafficPosition {
  /// The time of the position.
  public var observedDate: Date { Date(seconds: observedAt) }
}

extension DataHistoryTime {
  /// The maximum age of the data.
  public var duration: Duration { .seconds(seconds) }
}

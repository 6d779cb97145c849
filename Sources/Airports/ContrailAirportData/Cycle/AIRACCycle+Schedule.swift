extension AIRACCycle {
  /// The number of days before its effective date that a cycle is distributed (ICAO Annex 15, 6.2), so that it arrives
  /// 28 days before.
  public static let publicationLeadDays = 42
  /// The recommended number of days before its effective date for a cycle with major changes (ICAO Annex 15, 6.2).
  public static let majorChangeLeadDays = 56
  /// The number of days before its effective date by which a cycle must arrive (ICAO Annex 15, 6.2).
  public static let receptionLeadDays = 28

  /// The time at which the cycle becomes effective: 00:00 UTC, in seconds since 1970.
  ///
  /// The FAA's own products become effective at 09:01 UTC on that day.
  public var effectiveTime: Int64 { effectiveDay.start }

  /// The time at which the cycle ends, in seconds since 1970.
  public var endTime: Int64 { endDay.start }

  /// Returns whether the cycle is effective at a time, in seconds since 1970.
  public func isEffective(at time: Int64) -> Bool { (effectiveTime..<endTime).contains(time) }

  /// Returns whether the cycle has ended at a time, in seconds since 1970.
  public func isExpired(at time: Int64) -> Bool { time >= endTime }

  /// The day on which the cycle is distributed with the standard lead time.
  public var publicationDay: CivilDay {
    CivilDay(daysSince1970: effectiveDay.daysSince1970 - Self.publicationLeadDays) ?? effectiveDay
  }

  /// Returns whether the cycle should be published at a time.
  ///
  /// - Parameters:
  ///   - time: The time in seconds since 1970.
  ///   - leadDays: The number of days before the effective date that the publisher releases a cycle.
  public func isPublished(at time: Int64, leadDays: Int = publicationLeadDays) -> Bool {
    let seconds = leadDays.multipliedReportingOverflow(by: 86_400)
    return !seconds.overflow
      && time >= effectiveTime.subtractingReportingOverflow(Int64(seconds.partialValue)).partialValue
  }

  /// Returns the remaining effective time in seconds: 0 after the end, and the whole length before the beginning.
  public func remainingSeconds(at time: Int64) -> Int64 { max(0, endTime - min(max(time, effectiveTime), endTime)) }

  /// Returns the cycles that begin in a year, in order. The result is empty before 1998 and after 2100.
  public static func cycles(of year: Int) -> [AIRACCycle] {
    (1...14).compactMap { AIRACCycle(year: year, number: $0) }
  }
}

extension AIRACCycle {
  /// How long before it becomes effective a cycle is sent out (ICAO Annex 15, 6.2): 42 days, so that it arrives 28 days before.
  public static let publicationLeadDays = 42
  /// How long before it becomes effective a cycle with major changes should be sent out (ICAO Annex 15, 6.2).
  public static let majorChangeLeadDays = 56
  /// How long before it becomes effective a cycle must have arrived (ICAO Annex 15, 6.2).
  public static let receptionLeadDays = 28

  /// The first moment at which the cycle is effective: 00:00 UTC, in seconds since 1970.
  ///
  /// The FAA's own products become effective at 09:01 UTC of that day.
  public var effectiveTime: Int64 { effectiveDay.start }

  /// The first moment at which the cycle is effective no more, in seconds since 1970.
  public var endTime: Int64 { endDay.start }

  /// Whether the cycle is the one to use at a moment, in seconds since 1970.
  public func isEffective(at time: Int64) -> Bool { (effectiveTime..<endTime).contains(time) }

  /// Whether the cycle is over at a moment, in seconds since 1970.
  public func isExpired(at time: Int64) -> Bool { time >= endTime }

  /// The day on which the cycle is sent out by the standard lead.
  public var publicationDay: CivilDay {
    CivilDay(daysSince1970: effectiveDay.daysSince1970 - Self.publicationLeadDays) ?? effectiveDay
  }

  /// Whether the cycle can be expected to be published at a moment, in seconds since 1970.
  ///
  /// - Parameter leadDays: How long before the effective day the publisher makes it available.
  public func isPublished(at time: Int64, leadDays: Int = publicationLeadDays) -> Bool {
    let seconds = leadDays.multipliedReportingOverflow(by: 86_400)
    return !seconds.overflow
      && time >= effectiveTime.subtractingReportingOverflow(Int64(seconds.partialValue)).partialValue
  }

  /// How long the cycle still is effective, in seconds: 0 once it is over, and its whole length before it begins.
  public func remainingSeconds(at time: Int64) -> Int64 { max(0, endTime - min(max(time, effectiveTime), endTime)) }

  /// The cycles that begin in a year, in order; none before 1998 and after 2100.
  public static func cycles(of year: Int) -> [AIRACCycle] {
    (1...14).compactMap { AIRACCycle(year: year, number: $0) }
  }
}

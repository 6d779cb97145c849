import ContrailGeodesy
import ContrailWire

/// The observations in the world within ten minutes.
struct WorldEpoch: Sendable {
  /// The length of an epoch in seconds.
  static let seconds: Int64 = 600

  /// Returns the index of the epoch that contains a time in seconds since 1970.
  static func index(of time: Int64) -> Int64 {
    time >= 0 ? time / seconds : (time - seconds + 1) / seconds
  }

  /// A report with the centre of its cell and its arrival time.
  struct Observation: Sendable {
    let report: TurbulenceReport
    let centre: FixedCoordinate
    /// The arrival time in seconds since 1970.
    let arrival: Int64
  }

  /// The observations sorted by time of observation, packed form and arrival, without duplicate reports.
  let observations: [Observation]
  /// The PIREPs sorted by time of observation and id.
  let pireps: [PIREPHistory]
}

/// A PIREP with its later correction.
struct PIREPHistory: Sendable, Hashable {
  let first: PIREP
  /// The corrected report, if there is one.
  let correction: PIREP?

  /// Returns the version that arrived last before `token`, or `nil` if none has arrived.
  func version(asOf token: Int64) -> PIREP? {
    if let correction, correction.updatedAt < token { return correction }
    return first.updatedAt < token ? first : nil
  }
}

extension WorldEpoch.Observation {
  /// Returns whether one report precedes another in responses.
  static func precedes(_ a: Self, _ b: Self) -> Bool {
    (a.report.observedAt, a.report.packed, a.arrival) < (b.report.observedAt, b.report.packed, b.arrival)
  }
}

extension Array where Element == WorldEpoch.Observation {
  /// Returns the observations in order. Of equal reports, only the one that arrived first is kept.
  func sortedWithoutDoubles() -> Self {
    var result: Self = []
    result.reserveCapacity(count)
    for observation in sorted(by: Element.precedes) where result.last?.report != observation.report {
      result.append(observation)
    }
    return result
  }
}

#if Online
  import ContrailGeodesy
  import ContrailWire

  /// What was observed in the world within ten minutes.
  struct WorldEpoch: Sendable {
    /// Seconds of an epoch.
    static let seconds: Int64 = 600

    /// The number of the epoch that holds a time in seconds since 1970.
    static func index(of time: Int64) -> Int64 {
      time >= 0 ? time / seconds : (time - seconds + 1) / seconds
    }

    /// A report, where its cell's centre is, and when the server got it.
    struct Observation: Sendable {
      let report: TurbulenceReport
      let centre: FixedCoordinate
      /// Seconds since 1970.
      let arrival: Int64
    }

    /// By (time of observation, packed form, arrival), without two that hold the same report.
    let observations: [Observation]
    /// By (time of observation, id).
    let pireps: [PIREPHistory]
  }

  /// A PIREP and the later forms that it took.
  struct PIREPHistory: Sendable {
    /// At least one; each later than the one before.
    let versions: [PIREP]

    /// The form that the server has who got everything before `token`; nil where it has none yet.
    func version(asOf token: Int64) -> PIREP? { versions.last { $0.updatedAt < token } }
  }

  extension WorldEpoch.Observation {
    /// The order in which answers list reports.
    static func precedes(_ a: Self, _ b: Self) -> Bool {
      (a.report.observedAt, a.report.packed, a.arrival) < (b.report.observedAt, b.report.packed, b.arrival)
    }
  }

  extension Array where Element == WorldEpoch.Observation {
    /// The observations in order, of equal reports only the one that arrived first.
    func sortedWithoutDoubles() -> Self {
      var result: Self = []
      result.reserveCapacity(count)
      for observation in sorted(by: Element.precedes) where result.last?.report != observation.report {
        result.append(observation)
      }
      return result
    }
  }
#endif

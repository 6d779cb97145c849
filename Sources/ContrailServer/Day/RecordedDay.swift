#if Online
  import ContrailWire

  /// A real day as files have it: PIREPs, other aircraft, and warnings of turbulence.
  ///
  /// ```swift
  /// let day = try RecordedDay(pireps: ["pireps.json"], states: ["states.json.xz"], sigmets: ["gairmets.json"])
  /// print(day.report)
  /// configuration.day = day
  /// ```
  public struct RecordedDay: Sendable {
    /// What was read, left out and mended.
    public let report: DayReport

    /// In the order of their arrival.
    let pireps: [PilotReport]
    /// In the order of their times.
    let snapshots: [TrafficSnapshot]
    /// In the order of their arrival.
    let advisories: [Advisory]

    /// Reads the files of a day, each kind from any number of files.
    ///
    /// What is bad in a file is left out and told by ``report``; what is told twice counts once.
    ///
    /// - Parameters:
    ///   - pireps: Aviation Weather Center JSON or GeoJSON of PIREPs, or lines of polls of the latter.
    ///   - states: OpenSky `states/all` answers.
    ///   - sigmets: Aviation Weather Center JSON or GeoJSON of SIGMETs and G-AIRMETs, or lines of snapshots of the latter. Only those about
    ///     turbulence are served.
    /// - Throws: ``DayError`` where a file can't be read, or is something else.
    /// - Complexity: O(*n*) in the bytes; each file is in memory as a whole while it is read.
    public init(pireps: [String] = [], states: [String] = [], sigmets: [String] = []) throws(DayError) {
      var pilots = PilotReportReader()
      for path in pireps { try pilots.read(path) }
      var traffic = StateReader()
      for path in states { try traffic.read(path) }
      var warnings = AdvisoryReader()
      for path in sigmets { try warnings.read(path) }
      report = DayReport(files: pilots.files + traffic.files + warnings.files)
      self.pireps = pilots.reports.sorted { ($0.arrival, $0.pirep.id) < ($1.arrival, $1.pirep.id) }
      snapshots = traffic.snapshots
      advisories = warnings.advisories.sorted { $0.arrival < $1.arrival }
    }
  }
#endif

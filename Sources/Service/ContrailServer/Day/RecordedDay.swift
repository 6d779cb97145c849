import ContrailWire

/// A recorded day: PIREPs, other aircraft, and turbulence warnings.
///
/// ```swift
/// let day = try RecordedDay(pireps: ["pireps.json"], states: ["states.json.xz"], sigmets: ["gairmets.json"])
/// print(day.report)
/// configuration.day = day
/// ```
package struct RecordedDay: Sendable {
  /// The result of reading the files.
  package let report: DayReport

  /// The PIREPs in order of arrival.
  let pireps: [PilotReport]
  /// The snapshots in order of time.
  let snapshots: [TrafficSnapshot]
  /// The advisories in order of arrival.
  let advisories: [Advisory]

  /// Reads the files of a day. Each kind can have any number of files.
  ///
  /// Invalid records are skipped and listed in ``report``. Duplicates count once.
  ///
  /// - Parameters:
  ///   - pireps: PIREPs as Aviation Weather Center JSON or GeoJSON, or polls of the latter as JSON lines.
  ///   - states: Responses of OpenSky `states/all`.
  ///   - sigmets: SIGMETs and G-AIRMETs as Aviation Weather Center JSON or GeoJSON, or snapshots of the latter as
  ///     JSON lines. Only those about turbulence are served.
  /// - Throws: ``DayError`` if a file can't be read or is of another kind.
  /// - Complexity: O(*n*) in the size of the files. One file at a time is in memory.
  package init(pireps: [String] = [], states: [String] = [], sigmets: [String] = []) throws(DayError) {
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

import ContrailGeodesy
import ContrailH3
import ContrailWire

/// Protects others from one bad sensor: finds the reports of an upload that aren't served.
///
/// The reports stay in the log, are counted, and the answer to the upload names them. The rules are fixed, so that a log replays to
/// the same world:
///
/// | reason | rule |
/// |---|---|
/// | `strength` | the EDR is more than 2 m^(2/3)/s, or fits a severity that is two classes away from the reported one |
/// | `stuck` | thirty reports in a row, from ten cells or more, have the same EDR of 0.1 or more |
/// | `motion` | the distance to the report before, less two cells, needs more than 1,300 knots |
/// | `rate` | the key sent more than 3,600 reports within the hour before |
/// | `outlier` | at least moderate turbulence, where three reports of two others in the cell, within 1,000 ft and ten minutes, are smooth |
enum ReportScreen {
  typealias Reason = UploadAnswer.Reason

  private static let strongestEDRE4: UInt16 = 20_000
  private static let stuckCount = 30
  private static let stuckCells = 10
  private static let stuckEDRE4: UInt16 = 1000
  private static let greatestKnots = 1300.0
  /// Two cells of resolution 5, whose edges have 8.5 to 10 km, in nautical miles.
  private static let slackNM = 20.0
  static let reportsPerHour = 3600
  private static let neighbourSeconds: Int64 = 600
  private static let neighbourCount = 3

  /// Returns for each report of an upload why it isn't served; nil for a report that is served.
  ///
  /// - Parameters:
  ///   - reports: The reports of the upload.
  ///   - recent: The number of reports that the key sent within the hour before.
  ///   - others: The reports of others, with an owner each.
  static func reasons(
    _ reports: [WorldEpoch.Observation], recent: Int, others: [(owner: String, report: TurbulenceReport)]
  ) -> [Reason?] {
    var reasons = [Reason?](repeating: nil, count: reports.count)
    let order = reports.indices.sorted {
      (reports[$0].report.observedAt, reports[$0].report.packed, $0)
        < (reports[$1].report.observedAt, reports[$1].report.packed, $1)
    }
    let stuck = stuckIndices(order.map { reports[$0].report }).map { order[$0] }
    var neighbours: [UInt32: [(owner: String, report: TurbulenceReport)]] = [:]
    for other in others { neighbours[other.report.cell, default: []].append(other) }
    var last: WorldEpoch.Observation?
    for (count, index) in order.enumerated() {
      let observation = reports[index]
      let report = observation.report
      if isTooStrong(report) {
        reasons[index] = .strength
      } else if stuck.contains(index) {
        reasons[index] = .stuck
      } else if let last, isTooFast(from: last, to: observation) {
        reasons[index] = .motion
      } else if recent + count >= reportsPerHour {
        reasons[index] = .rate
      } else if isOutlier(report, neighbours[report.cell] ?? []) {
        reasons[index] = .outlier
      }
      if reasons[index] != .motion { last = observation }
    }
    return reasons
  }

  private static func isTooStrong(_ report: TurbulenceReport) -> Bool {
    guard report.edrE4 > 0 else { return false }
    let expected = TurbulenceSeverity(edrE4: report.edrE4)
    return report.edrE4 > strongestEDRE4 || abs(Int(expected.rawValue) - Int(report.severityCode)) >= 2
  }

  /// Returns the indices of runs with the same EDR.
  private static func stuckIndices(_ reports: [TurbulenceReport]) -> Set<Int> {
    var stuck: Set<Int> = []
    var start = 0
    while start < reports.count {
      var end = start + 1
      while end < reports.count, reports[end].edrE4 == reports[start].edrE4 { end += 1 }
      if end - start >= stuckCount, reports[start].edrE4 >= stuckEDRE4,
        Set(reports[start..<end].map(\.cell)).count >= stuckCells
      {
        stuck.formUnion(start..<end)
      }
      start = end
    }
    return stuck
  }

  private static func isTooFast(from a: WorldEpoch.Observation, to b: WorldEpoch.Observation) -> Bool {
    guard a.report.cell != b.report.cell else { return false }
    let hours = Double(b.report.observedAt - a.report.observedAt) / 3600
    let miles = a.centre.coordinate.distanceNM(to: b.centre.coordinate)
    return miles - slackNM > greatestKnots * hours
  }

  private static func isOutlier(
    _ report: TurbulenceReport, _ neighbours: [(owner: String, report: TurbulenceReport)]
  ) -> Bool {
    guard report.severity >= .moderate else { return false }
    let near = neighbours.filter {
      abs(Int64($0.report.observedAt) - Int64(report.observedAt)) <= neighbourSeconds
        && abs(Int($0.report.altitude) - Int(report.altitude)) <= 1
    }
    return near.count >= neighbourCount && Set(near.map(\.owner)).count >= 2
      && near.allSatisfy { $0.report.severity == .none }
  }
}

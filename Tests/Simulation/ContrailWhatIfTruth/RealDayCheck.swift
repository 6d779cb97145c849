import ContrailField
import ContrailReplay
import ContrailTestSupport
import Foundation

/// Flies tracks through recorded days over links with outages, and lets the judges of logs watch.
package struct RealDayCheck: Sendable {
  package private(set) var flights = 0
  package private(set) var lines = 0
  package private(set) var simulatedMS: Int64 = 0
  /// How many flights had each track.
  package private(set) var tracks: [String: Int] = [:]
  /// What the judges found, and what went wrong in flying.
  package private(set) var faults: [String] = []

  package init() {}

  package mutating func add(_ other: RealDayCheck) {
    flights += other.flights
    lines += other.lines
    simulatedMS += other.simulatedMS
    tracks.merge(other.tracks, uniquingKeysWith: +)
    faults += other.faults
  }

  /// Flies one flight: its log must replay to the same decisions, and keep each guarantee that `replay check` tests.
  package init(seed: UInt64, of material: HeldOutFlight.Material, keptIn keptFolder: String? = nil) async {
    flights = 1
    do {
      let flight = try HeldOutFlight(seed: seed, of: material)
      tracks[String(flight.name.prefix { $0 != "+" })] = 1
      simulatedMS = flight.lengthMS
      let folder = try TemporaryDirectory(isInMemory: true)
      let path = keptFolder.map { "\($0)/\(seed).jsonl" } ?? folder.file("\(seed).jsonl")
      try await flight.fly(to: path)
      let summary = FlightSummary(path: path)
      lines = summary.statistics.inputs + summary.statistics.decisions + summary.statistics.marks
      if case .same = summary.outcome {} else { faults.append("seed \(seed), \(flight.name): \(summary.outcome)") }
      for finding in summary.findings {
        faults.append("seed \(seed), \(flight.name): \(finding.headline): \(finding.found), not \(finding.expected)")
      }
    } catch {
      faults.append("seed \(seed): \(error)")
    }
  }
}

package import ContrailWire

/// The records of an area.
package struct AreaRecords: Sendable, Equatable {
  package internal(set) var reports = ReportSet()
  package internal(set) var pireps = PIREPSet()
  /// The traffic of the last response.
  package internal(set) var traffic: [TrafficPosition] = []

  /// Adds the reports and PIREPs of a response that match the spec.
  mutating func add(_ answer: ObservationsAnswer, spec: FetchSpec) {
    if spec.types.contains(.turbulence) {
      reports.insert(answer.reports, admittedBy: spec.filter.reports(asOf: answer.token))
    }
    if spec.types.contains(.pireps) {
      for pirep in answer.pireps where pirep.observedAt > answer.token - spec.history.seconds {
        pireps.insert(pirep)
      }
    }
  }

  /// Replaces the traffic with that of a response.
  mutating func replaceTraffic(_ answer: ObservationsAnswer, spec: FetchSpec) {
    traffic = spec.types.contains(.traffic) ? answer.traffic ?? [] : []
  }

  mutating func removeAll(observedUpTo second: Int64) {
    reports.removeAll(observedUpTo: second)
    pireps.removeAll(observedUpTo: second)
  }

  /// Removes reports and PIREPs that a narrower spec excludes.
  mutating func narrow(to spec: FetchSpec, asOf token: Int64) {
    if spec.types.contains(.turbulence) {
      reports.keep { spec.admits($0, asOf: token) }
    } else {
      reports = ReportSet()
    }
    if !spec.types.contains(.pireps) { pireps = PIREPSet() }
  }

  /// Returns by how many records the stored ones and the server's differ at least.
  func missing(from answer: ObservationsAnswer) -> Int {
    let counts = [(answer.held, reports.count), (answer.heldPIREPs, pireps.count)]
    // A server may claim any count.
    return counts.reduce(0) { sum, pair in sum + min(abs((pair.0?.count ?? pair.1) - pair.1), 1 << 20) }
  }

  /// Compares the stored records with the server's counts and checksums; nil if they match.
  func difference(from answer: ObservationsAnswer) -> Rule? {
    if let held = answer.held {
      if held.count != reports.count { return .countDiffers }
      if held.checksum != reports.checksum { return .checksumDiffers }
    }
    if let held = answer.heldPIREPs {
      if held.count != pireps.count { return .countDiffers }
      if held.checksum != pireps.checksum { return .checksumDiffers }
    }
    return nil
  }
}

import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire

/// The truth around one route: reports and PIREPs, and when the server gets each. A seed decides all of it, whatever is requested.
struct PolicyWorld {
  struct Arrival {
    var report: TurbulenceReport
    var centre: Coordinate
    var second: Int64
  }

  let route: [Coordinate]
  /// In the order of arrival.
  private(set) var arrivals: [Arrival] = []
  private(set) var pireps: [PIREP] = []

  init(seed: UInt64, startMS: Int64, hours: Int64) {
    var random = SplitMix64(seed: seed ^ 0x776f_726c_64)
    let south = Double(Int64.random(in: -40...55, using: &random))
    let west = Double(Int64.random(in: -170...120, using: &random))
    let length = Double(Int64.random(in: 12...30, using: &random))
    route = [
      Coordinate(latitude: south, longitude: west), Coordinate(latitude: south + 3, longitude: west + length / 2),
      Coordinate(latitude: south + 1, longitude: west + length),
    ]
    let perHour = [20, 60, 150, 400].randomElement(using: &random) ?? 60
    let start = startMS / 1000 - 7 * 3600
    for _ in 0..<Int(hours + 7) * perHour {
      let observed = start + Int64.random(in: 0..<(hours + 7) * 3600, using: &random)
      let leg = Int.random(in: 0...1, using: &random)
      let part = Double.random(in: 0...1, using: &random)
      let (a, b) = (route[leg], route[leg + 1])
      let place = Coordinate(
        latitude: a.latitude + (b.latitude - a.latitude) * part + Double.random(in: -1.6...1.6, using: &random),
        longitude: a.longitude + (b.longitude - a.longitude) * part)
      guard let cell = try? H3Cell(place, resolution: 5), let packed = cell.packed22 else { continue }
      let delay =
        random.chance(8) ? Int64.random(in: 300...7000, using: &random) : Int64.random(in: 2...90, using: &random)
      let report = TurbulenceReport(
        cell: packed, altitude: UInt8.random(in: 20...45, using: &random),
        severity: UInt8.random(in: 0...4, using: &random), edrE4: UInt16.random(in: 0...6000, using: &random),
        observedAt: UInt32(observed))
      arrivals.append(Arrival(report: report, centre: cell.center, second: observed + delay))
      guard random.chance(4), let position = FixedCoordinate(place) else { continue }
      pireps.append(
        PIREP(
          id: "p\(pireps.count)", position: position, flightLevel: 350, severity: .moderate, isUrgent: false,
          observedAt: observed, updatedAt: observed + delay, text: "UA /OV \(observed % 997) /TB MOD"))
    }
    arrivals.sort { ($0.second, $0.report.packed) < ($1.second, $1.report.packed) }
  }

  /// Returns what the server answers, by the rules of the wire.
  func answer(_ spec: FetchSpec, since: Int64?, token: Int64) -> ObservationsAnswer {
    var answer = ObservationsAnswer(token: token, follows: since)
    guard case .ring(let ring) = spec.area else { return answer }
    var held = HeldSum(count: 0, checksum: 0)
    if spec.types.contains(.turbulence) {
      var seen: Set<TurbulenceReport> = []
      for arrival in arrivals {
        if arrival.second >= token { break }
        guard spec.admits(arrival.report, asOf: token), ring.contains(arrival.centre),
          seen.insert(arrival.report).inserted
        else { continue }
        held.count += 1
        held.checksum &+= arrival.report.digest
        if arrival.second >= since ?? .min { answer.reports.append(arrival.report) }
      }
      answer.reports.sort { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    }
    answer.held = held
    if spec.types.contains(.pireps) {
      var sum = HeldSum(count: 0, checksum: 0)
      for pirep in pireps
      where pirep.updatedAt < token && pirep.observedAt > token - spec.history.seconds && ring.contains(pirep.position)
      {
        sum.count += 1
        sum.checksum &+= pirep.digest
        if pirep.updatedAt >= since ?? .min { answer.pireps.append(pirep) }
      }
      answer.heldPIREPs = sum
    }
    return answer
  }
}

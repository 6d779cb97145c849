import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire

/// A route, and what happens around it, as a seed decides: whatever is requested.
struct SimulatedRoute {
  let points: [Coordinate]
  let world: SimulatedWorld

  init(seed: UInt64, startMS: Int64, hours: Int64) {
    var arrivals: [SimulatedWorld.Arrival] = []
    var pireps: [SimulatedWorld.PilotArrival] = []
    var random = SplitMix64(seed: seed ^ 0x776f_726c_64)
    let south = Double(Int64.random(in: -40...55, using: &random))
    let west = Double(Int64.random(in: -170...120, using: &random))
    let length = Double(Int64.random(in: 12...30, using: &random))
    points = [
      Coordinate(latitude: south, longitude: west), Coordinate(latitude: south + 3, longitude: west + length / 2),
      Coordinate(latitude: south + 1, longitude: west + length),
    ]
    let perHour = [20, 60, 150, 400].randomElement(using: &random) ?? 60
    let start = startMS / 1000 - 7 * 3600
    for _ in 0..<Int(hours + 7) * perHour {
      let observed = start + Int64.random(in: 0..<(hours + 7) * 3600, using: &random)
      let leg = Int.random(in: 0...1, using: &random)
      let part = Double.random(in: 0...1, using: &random)
      let (a, b) = (points[leg], points[leg + 1])
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
      arrivals.append(.init(report: report, second: observed + delay, areas: 0, centre: cell.center))
      guard random.chance(4), let position = FixedCoordinate(place) else { continue }
      let pirep = PIREP(
        id: "p\(pireps.count)", position: position, flightLevel: 350, severity: .moderate, isUrgent: false,
        observedAt: observed, updatedAt: observed + delay, text: "UA /OV \(observed % 997) /TB MOD")
      pireps.append(.init(pirep: pirep, areas: 0))
    }
    arrivals.sort { ($0.second, $0.report.packed) < ($1.second, $1.report.packed) }
    world = SimulatedWorld(arrivals: arrivals, pireps: pireps)
  }
}

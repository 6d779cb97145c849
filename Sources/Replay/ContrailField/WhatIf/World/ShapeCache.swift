import ContrailCore
import ContrailGeodesy
import ContrailWire

/// Which reports and aircraft lie in which areas, and how late reports arrive. All runs share it.
final class ShapeCache: @unchecked Sendable {
  private let gate = Gate()
  private var indexes: [UInt64: [UInt32]] = [:]
  private var pilotIndexes: [UInt64: [Int]] = [:]
  private var sightings: [PictureKey: [Sighting]] = [:]
  private var plans: [PlanKey: CoveragePlan] = [:]
  private let world: RecordedWorld
  /// The indexes of the reports, in the order of answers.
  private let ordered: [UInt32]
  /// The indexes of the snapshots of traffic of each area, in the order of time.
  let snapshots: [UInt64: [Int]]
  /// The delays of reports after their observation, and of PIREPs after their update.
  let reportDelays: ArrivalDelays
  let pilotDelays: ArrivalDelays
  let sizes = RequestSizes()

  private struct PlanKey: Hashable {
    var area: UInt64
    var types: DataTypeOptions
    var severities: SeveritySet
    var altitudes: AltitudeBand
  }

  /// An area, and the snapshots of traffic that make one picture.
  private struct PictureKey: Hashable {
    var area: UInt64
    var snapshots: [Int]
  }

  /// An aircraft of a snapshot.
  struct Sighting {
    var snapshot: Int
    var place: Int
  }

  init(_ world: RecordedWorld) {
    self.world = world
    ordered = (0..<UInt32(truncatingIfNeeded: world.observations.count)).sorted {
      world.observations[Int($0)].report.precedesInAnswers(world.observations[Int($1)].report)
    }
    snapshots = Dictionary(grouping: world.traffic.indices) { world.traffic[$0].areaDigest }
    reportDelays = ArrivalDelays(
      world.observations.lazy.map { it in
        let observed = Int64(it.report.observedAt)
        return it.earliest - observed...max(it.earliest, it.latest) - observed
      })
    pilotDelays = ArrivalDelays(
      world.pilotReports.lazy.map { it in
        it.earliest - it.pirep.updatedAt...max(it.earliest, it.latest) - it.pirep.updatedAt
      })
  }

  /// Returns the indexes of the reports in an area, in the order of answers.
  func observations(in area: Area, _ digest: UInt64) -> [UInt32] {
    if let known = gate.within({ indexes[digest] }) { return known }
    guard case .ring(let ring) = area else { return [] }
    // Many reports are of the same cell.
    var cells: [UInt32: Bool] = [:]
    let made = ordered.filter { index in
      let report = world.observations[Int(index)].report
      if let known = cells[report.cell] { return known }
      let isInside = ring.contains(report.position)
      cells[report.cell] = isInside
      return isInside
    }
    gate.within { indexes[digest] = made }
    return made
  }

  /// Returns the indexes of the PIREPs in an area.
  func pilotReports(in area: Area, _ digest: UInt64, _ world: RecordedWorld) -> [Int] {
    if let known = gate.within({ pilotIndexes[digest] }) { return known }
    guard case .ring(let ring) = area else { return [] }
    let made = world.pilotReports.indices.filter { ring.contains(world.pilotReports[$0].pirep.position) }
    gate.within { pilotIndexes[digest] = made }
    return made
  }

  /// Returns the aircraft of snapshots in an area, each from the last of the snapshots that contain it, by identifier.
  func aircraft(of snapshots: [Int], in ring: Ring, _ digest: UInt64, _ world: RecordedWorld) -> [Sighting] {
    let key = PictureKey(area: digest, snapshots: snapshots)
    if let known = gate.within({ sightings[key] }) { return known }
    var aircraft: [String: Sighting] = [:]
    for snapshot in snapshots {
      for (place, position) in world.traffic[snapshot].aircraft.enumerated() where ring.contains(position.position) {
        aircraft[position.id] = Sighting(snapshot: snapshot, place: place)
      }
    }
    let made = aircraft.sorted { $0.key < $1.key }.map(\.value)
    gate.within { sightings[key] = made }
    return made
  }

  func plan(_ spec: FetchSpec, _ coverage: Coverage) -> CoveragePlan {
    let key = PlanKey(
      area: spec.areaDigest, types: spec.types, severities: spec.severities, altitudes: spec.altitudes)
    if let known = gate.within({ plans[key] }) { return known }
    let made = CoveragePlan(spec, in: coverage)
    gate.within { plans[key] = made }
    return made
  }
}

extension TurbulenceReport {
  /// Whether the report is before another one in the answers of the server.
  func precedesInAnswers(_ other: TurbulenceReport) -> Bool {
    (observedAt, packed) < (other.observedAt, other.packed)
  }
}

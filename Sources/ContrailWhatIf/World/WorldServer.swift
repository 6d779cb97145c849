import ContrailCore
import ContrailGeodesy
import ContrailWire

/// Answers the requests of one run from a reconstructed world, in which each report arrives at one time.
///
/// The times are drawn from the intervals in which the reports can have arrived. It isn't shared: a run has its own.
struct WorldServer {
  private let world: RecordedWorld
  private let shapes: ShapeCache
  private let delays: (reports: ArrivalDelays, pilotReports: ArrivalDelays)
  /// The seed of the draws; nil for the middle of each interval.
  private let seed: UInt64?
  private var views: [ViewKey: View] = [:]
  private var pilots: [UInt64: [(arrival: Int64, pirep: PIREP)]] = [:]

  private struct ViewKey: Hashable {
    var area: UInt64
    var severities: SeveritySet
    var altitudes: AltitudeBand
  }

  init(_ world: RecordedWorld, shapes: ShapeCache, seed: UInt64?) {
    self.world = world
    self.shapes = shapes
    delays = (shapes.reportDelays, shapes.pilotDelays)
    self.seed = seed
  }

  /// The reports of an area and a filter, by their times of arrival.
  private struct View {
    var reports: [(arrival: Int64, report: TurbulenceReport)]

    /// Returns what a full answer contains, in the order of the server.
    func held(asOf token: Int64, historySeconds: Int64) -> [TurbulenceReport] {
      let end = reports.partition { $0.arrival >= token }
      let limit = token - historySeconds
      return reports[..<end].filter { Int64($0.report.observedAt) > limit }.map(\.report)
        .sorted { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    }

    func arrived(from since: Int64, to token: Int64, historySeconds: Int64) -> [TurbulenceReport] {
      let start = reports.partition { $0.arrival >= since }
      let limit = token - historySeconds
      var arrived: [TurbulenceReport] = []
      for index in start..<reports.count {
        if reports[index].arrival >= token { break }
        if Int64(reports[index].report.observedAt) > limit { arrived.append(reports[index].report) }
      }
      return arrived.sorted { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    }
  }

  /// Returns the answer to a request.
  ///
  /// - Parameters:
  ///   - spec: What is requested.
  ///   - since: The watermark of a delta; nil for a full fetch.
  ///   - token: The server's time in seconds.
  ///   - held: Count and checksum after the answer, if the server tells them.
  mutating func answer(_ spec: FetchSpec, since: Int64?, token: Int64) -> ObservationsAnswer {
    var answer = ObservationsAnswer(token: token, follows: since)
    if spec.types.contains(.turbulence) {
      let view = view(spec)
      answer.reports =
        since.map { view.arrived(from: $0, to: token, historySeconds: spec.history.seconds) }
        ?? view.held(asOf: token, historySeconds: spec.history.seconds)
    }
    if spec.types.contains(.pireps) {
      for (arrival, pirep) in pilots(spec)
      where arrival < token && arrival >= since ?? .min && pirep.observedAt > token - spec.history.seconds {
        answer.pireps.append(pirep)
      }
    }
    if spec.types.contains(.traffic) { answer.traffic = traffic(spec, token) }
    return answer
  }

  private mutating func view(_ spec: FetchSpec) -> View {
    let key = ViewKey(area: spec.areaDigest, severities: spec.severities, altitudes: spec.altitudes)
    if let view = views[key] { return view }
    var reports: [(arrival: Int64, report: TurbulenceReport)] = []
    for index in shapes.observations(in: spec.area, spec.areaDigest, world) {
      let observation = world.observations[index]
      let report = observation.report
      guard spec.altitudes.contains(report.altitude), spec.severities.rawValue & (1 << report.severityCode) != 0 else {
        continue
      }
      let arrival = drawn(
        observation.earliest, observation.latest, after: Int64(report.observedAt), delays.reports, report.digest)
      reports.append((arrival, report))
    }
    reports.sort { ($0.arrival, $0.report.packed) < ($1.arrival, $1.report.packed) }
    let view = View(reports: reports)
    views[key] = view
    return view
  }

  private mutating func pilots(_ spec: FetchSpec) -> [(arrival: Int64, pirep: PIREP)] {
    if let known = pilots[spec.areaDigest] { return known }
    guard case .ring(let ring) = spec.area else { return [] }
    let made = world.pilotReports.filter { ring.contains($0.pirep.position) }.map {
      (
        arrival: drawn($0.earliest, $0.latest, after: $0.pirep.updatedAt, delays.pilotReports, $0.pirep.digest),
        pirep: $0.pirep
      )
    }
    pilots[spec.areaDigest] = made
    return made
  }

  /// Returns a time from an interval, by the distribution of delays after another time.
  private func drawn(
    _ earliest: Int64, _ latest: Int64, after time: Int64, _ delays: ArrivalDelays, _ identity: UInt64
  ) -> Int64 {
    guard latest > earliest else { return earliest }
    let quantile = seed.map { Double(Digest.mix($0 ^ identity) >> 11) / 0x1p53 } ?? 0.5
    return time + delays.delay(in: earliest - time...latest - time, quantile: quantile)
  }

  /// Returns a time from an interval, in which each is equally likely.
  private func drawn(_ earliest: Int64, _ latest: Int64, _ identity: UInt64) -> Int64 {
    guard latest > earliest else { return earliest }
    guard let seed else { return (earliest + latest) / 2 }
    return earliest + Int64(Digest.mix(seed ^ identity) % UInt64(latest - earliest + 1))
  }

  /// The aircraft of the nearest recorded time, in the area.
  private func traffic(_ spec: FetchSpec, _ token: Int64) -> [TrafficPosition] {
    guard case .ring(let ring) = spec.area else { return [] }
    let next = world.traffic.partition { $0.token > token }
    let near = [next - 1, next].filter(world.traffic.indices.contains)
    let best = near.min { abs(world.traffic[$0].token - token) < abs(world.traffic[$1].token - token) }
    guard let best else { return [] }
    let snapshot = world.traffic[best]
    if snapshot.areaDigest == spec.areaDigest { return snapshot.aircraft }
    // Snapshots of several areas at about the same time make one picture.
    var aircraft: [String: TrafficPosition] = [:]
    for index in max(0, best - 2)...min(world.traffic.count - 1, best + 2)
    where abs(world.traffic[index].token - token) < 120 {
      for position in world.traffic[index].aircraft where ring.contains(position.position) {
        aircraft[position.id] = position
      }
    }
    return aircraft.values.sorted { $0.id < $1.id }
  }

  /// Returns the version of a document at a time, in milliseconds; nil if the recording has none.
  func document(_ key: RecordedWorld.DocumentKey, atMS time: Int64) -> RecordedWorld.Version? {
    guard let versions = world.documents[key], let first = versions.first else { return nil }
    var current = first
    for version in versions.dropFirst() {
      // The change lies after the last sight of one version, and before the first of the next.
      let change = drawn(current.lastSeenMS, version.firstSeenMS, UInt64(bitPattern: version.firstSeenMS))
      guard change <= time || version.firstSeenMS <= time else { break }
      current = version
    }
    return current
  }
}

/// Which reports lie in which areas, and how late reports arrive. Several runs share it.
final class ShapeCache: @unchecked Sendable {
  private let gate = Gate()
  private var indexes: [UInt64: [Int]] = [:]
  private var plans: [PlanKey: CoveragePlan] = [:]
  private let positions: [FixedCoordinate]
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

  init(_ world: RecordedWorld) {
    positions = world.observations.map(\.report.position)
    reportDelays = ArrivalDelays(
      world.observations.map { it in
        let observed = Int64(it.report.observedAt)
        return it.earliest - observed...max(it.earliest, it.latest) - observed
      })
    pilotDelays = ArrivalDelays(
      world.pilotReports.map { it in
        it.earliest - it.pirep.updatedAt...max(it.earliest, it.latest) - it.pirep.updatedAt
      })
  }

  func observations(in area: Area, _ digest: UInt64, _ world: RecordedWorld) -> [Int] {
    if let known = gate.within({ indexes[digest] }) { return known }
    guard case .ring(let ring) = area else { return [] }
    let made = positions.indices.filter { ring.contains(positions[$0]) }
    gate.within { indexes[digest] = made }
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

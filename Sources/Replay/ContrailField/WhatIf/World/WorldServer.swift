import ContrailCore
import ContrailGeodesy
import ContrailWire

/// Answers the requests of one run of each alternative from a reconstructed world, in which each report arrives at one time.
///
/// The times are drawn from the intervals in which the reports can have arrived. They depend on the seed and not on the alternative,
/// so all alternatives share it.
final class WorldServer: @unchecked Sendable {
  let world: RecordedWorld
  let shapes: ShapeCache
  /// The seed of the draws; nil for the middle of each interval.
  let seed: UInt64?
  /// The times of arrival of the world's reports and PIREPs.
  let arrivals: [UInt32]
  let pilotArrivals: [Int64]
  private let gate = Gate()
  /// The indexes of the reports in each area, in the order of arrival.
  private var orders: [UInt64: [UInt32]] = [:]

  init(_ world: RecordedWorld, shapes: ShapeCache, seed: UInt64?) {
    self.world = world
    self.shapes = shapes
    self.seed = seed
    arrivals = world.observations.map {
      UInt32(
        clamping: Self.drawn(
          $0.earliest, $0.latest, after: Int64($0.report.observedAt), shapes.reportDelays, $0.report.digest, seed))
    }
    pilotArrivals = world.pilotReports.map {
      Self.drawn($0.earliest, $0.latest, after: $0.pirep.updatedAt, shapes.pilotDelays, $0.pirep.digest, seed)
    }
  }

  /// Returns the answer to a request.
  ///
  /// - Parameters:
  ///   - spec: The requested data.
  ///   - since: The watermark of a delta; nil for a full fetch.
  ///   - token: The server's time in seconds.
  func answer(_ spec: FetchSpec, since: Int64?, token: Int64) -> ObservationsAnswer {
    var answer = ObservationsAnswer(token: token, follows: since)
    if spec.types.contains(.turbulence) {
      answer.reports = since.map { arrived(spec, from: $0, to: token) } ?? held(spec, asOf: token)
    }
    if spec.types.contains(.pireps) {
      for index in shapes.pilotReports(in: spec.area, spec.areaDigest, world) {
        let (arrival, pirep) = (pilotArrivals[index], world.pilotReports[index].pirep)
        if arrival < token, arrival >= since ?? .min, pirep.observedAt > token - spec.history.seconds {
          answer.pireps.append(pirep)
        }
      }
    }
    if spec.types.contains(.traffic) { answer.traffic = traffic(spec, token) }
    return answer
  }

  /// Returns the records of a full answer, in the order of the server.
  private func held(_ spec: FetchSpec, asOf token: Int64) -> [TurbulenceReport] {
    let filter = spec.filter.reports(asOf: token)
    var held: [TurbulenceReport] = []
    for index in shapes.observations(in: spec.area, spec.areaDigest) where arrivals[Int(index)] < token {
      let report = world.observations[Int(index)].report
      if filter.admits(report) { held.append(report) }
    }
    return held
  }

  private func arrived(_ spec: FetchSpec, from since: Int64, to token: Int64) -> [TurbulenceReport] {
    let order = order(spec)
    let filter = spec.filter.reports(asOf: token)
    var arrived: [TurbulenceReport] = []
    for place in order.partition({ arrivals[Int($0)] >= since })..<order.count {
      let index = Int(order[place])
      if arrivals[index] >= token { break }
      let report = world.observations[index].report
      if filter.admits(report) { arrived.append(report) }
    }
    return arrived.sorted { $0.precedesInAnswers($1) }
  }

  func order(_ spec: FetchSpec) -> [UInt32] {
    if let known = gate.within({ orders[spec.areaDigest] }) { return known }
    let made = shapes.observations(in: spec.area, spec.areaDigest).sorted {
      (arrivals[Int($0)], $0) < (arrivals[Int($1)], $1)
    }
    gate.within { orders[spec.areaDigest] = made }
    return made
  }

  /// Returns a time from an interval, by the distribution of delays after another time.
  private static func drawn(
    _ earliest: Int64, _ latest: Int64, after time: Int64, _ delays: ArrivalDelays, _ identity: UInt64, _ seed: UInt64?
  ) -> Int64 {
    guard latest > earliest else { return earliest }
    let quantile = seed.map { Digest.share(of: $0 ^ identity) } ?? 0.5
    return time + delays.delay(in: earliest - time...latest - time, quantile: quantile)
  }

  /// Returns a time from an interval, in which each is equally likely.
  private func drawn(_ earliest: Int64, _ latest: Int64, _ identity: UInt64) -> Int64 {
    guard latest > earliest else { return earliest }
    guard let seed else { return (earliest + latest) / 2 }
    return earliest + Int64(Digest.mix(seed ^ identity) % UInt64(latest - earliest + 1))
  }

  /// The time in seconds within which snapshots of several areas make one picture.
  private static let pictureSeconds: Int64 = 120

  /// The aircraft of the nearest recorded time, in the area: of this area if it was requested in the recording, otherwise of all areas that
  /// were requested at about that time.
  private func traffic(_ spec: FetchSpec, _ token: Int64) -> [TrafficPosition] {
    guard case .ring(let ring) = spec.area else { return [] }
    func distance(_ index: Int) -> Int64 { abs(world.traffic[index].token - token) }
    if let own = shapes.snapshots[spec.areaDigest] {
      let next = own.partition { world.traffic[$0].token > token }
      let nearest = own[max(next - 1, 0)...min(next, own.count - 1)].min { distance($0) < distance($1) }
      if let nearest { return world.traffic[nearest].aircraft }
    }
    let next = world.traffic.partition { $0.token > token }
    // The nearest snapshot of each area. An earlier one of the same area would add the aircraft that have left.
    var nearest: [UInt64: Int] = [:]
    func consider(_ index: Int) {
      let area = world.traffic[index].areaDigest
      if let known = nearest[area], distance(known) <= distance(index) { return }
      nearest[area] = index
    }
    var before = next
    while before > 0, distance(before - 1) < Self.pictureSeconds {
      before -= 1
      consider(before)
    }
    for index in world.traffic[next...].indices.prefix(while: { distance($0) < Self.pictureSeconds }) {
      consider(index)
    }
    if nearest.isEmpty {
      guard let best = [next - 1, next].filter(world.traffic.indices.contains).min(by: { distance($0) < distance($1) })
      else { return [] }
      consider(best)
    }
    // Snapshots of several areas at about the same time make one picture, in which the nearest time comes last.
    let others = nearest.values.sorted { (distance($0), $0) > (distance($1), $1) }
    return shapes.aircraft(of: others, in: ring, spec.areaDigest, world).map {
      world.traffic[$0.snapshot].aircraft[$0.place]
    }
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

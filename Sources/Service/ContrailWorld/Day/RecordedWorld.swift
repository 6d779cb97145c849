import ContrailGeodesy
import ContrailWire

/// A recorded day in the server's time.
struct RecordedWorld: World {
  let beginning: Int64
  private let epochs: [Int64: WorldEpoch]
  private let snapshots: [TrafficSnapshot]
  private let advisories: [Advisory]

  /// Places a day in time.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - clock: The relation between the times of the day and the server's time.
  ///   - start: The start of the server in milliseconds since 1970.
  ///   - rewindSeconds: The time before its newest record at which the day begins.
  /// - Returns: The world, and the offset of the server's clock in milliseconds.
  static func placed(
    _ day: RecordedDay, clock: DayClock, start: Int64, rewindSeconds: Int64
  ) -> (world: RecordedWorld, clockOffset: Int64) {
    let newest = (
      pireps: day.pireps.last?.arrival, states: day.snapshots.last?.time, sigmets: day.advisories.last?.arrival
    )
    switch clock {
    case .shifted:
      let now = start / 1000
      // A record that arrives at N is served from N + 1 on, and areas are served at full five minutes.
      let last = now - now % PolygonDocument.stepSeconds - 1 + rewindSeconds
      let world = RecordedWorld(
        day, pireps: last - (newest.pireps ?? last), states: last - (newest.states ?? last),
        sigmets: last - (newest.sigmets ?? last), beginning: now)
      return (world, 0)
    case .recorded:
      let world = RecordedWorld(day, pireps: 0, states: 0, sigmets: 0, beginning: Int64.min)
      guard let last = [newest.pireps, newest.states, newest.sigmets].compactMap({ $0 }).max() else {
        return (world, 0)
      }
      let step = PolygonDocument.stepSeconds
      return (world, ((last / step + 1) * step - rewindSeconds) * 1000 - start)
    }
  }

  /// Creates a world with shifted times.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - pireps: The shift of the PIREPs in seconds.
  ///   - states: The shift of the traffic snapshots in seconds.
  ///   - sigmets: The shift of the advisories in seconds.
  ///   - beginning: The time before which no deltas are answered.
  private init(_ day: RecordedDay, pireps: Int64, states: Int64, sigmets: Int64, beginning: Int64) {
    self.beginning = beginning
    var observations: [Int64: [WorldEpoch.Observation]] = [:]
    var histories: [Int64: [PIREPHistory]] = [:]
    for report in day.pireps {
      var pirep = report.pirep
      pirep.observedAt += pireps
      pirep.updatedAt += pireps
      guard let observedAt = UInt32(exactly: pirep.observedAt) else { continue }
      let epoch = WorldEpoch.index(of: pirep.observedAt)
      histories[epoch, default: []].append(PIREPHistory(first: pirep, correction: nil))
      observations[epoch, default: []] += report.reports.map {
        WorldEpoch.Observation(
          report: TurbulenceReport(packed: $0.packed, observedAt: observedAt), centre: report.centre,
          arrival: pirep.updatedAt)
      }
    }
    var epochs: [Int64: WorldEpoch] = [:]
    for (epoch, histories) in histories {
      epochs[epoch] = WorldEpoch(
        observations: (observations[epoch] ?? []).sortedWithoutDoubles(),
        pireps: histories.sorted { ($0.first.observedAt, $0.first.id) < ($1.first.observedAt, $1.first.id) })
    }
    self.epochs = epochs
    snapshots = day.snapshots.map { snapshot in
      var snapshot = snapshot
      snapshot.time += states
      for index in snapshot.positions.indices { snapshot.positions[index].observedAt += states }
      return snapshot
    }
    advisories = day.advisories.map { advisory in
      var advisory = advisory
      advisory.arrival += sigmets
      advisory.start += sigmets
      advisory.end += sigmets
      return advisory
    }
  }

  func epoch(_ index: Int64) -> WorldEpoch { epochs[index] ?? WorldEpoch(observations: [], pireps: []) }

  /// Returns the aircraft of the newest snapshot before `token`, or else of the first one.
  ///
  /// The positions are those of the snapshot, but their times are shifted to `token`. Otherwise all aircraft would
  /// expire five minutes after the snapshot.
  func traffic(at token: Int64) -> [TrafficPosition] {
    guard let snapshot = snapshots.last(where: { $0.time < token }) ?? snapshots.first else { return [] }
    let shift = token - 1 - snapshot.time
    return snapshot.positions.map { position in
      var position = position
      position.observedAt += shift
      return position
    }
  }

  func advisories(after start: Int64, before end: Int64) -> [PolygonsAnswer.Area] {
    var seen: Set<PolygonsAnswer.Area> = []
    return advisories.filter { $0.arrival < end && $0.start < end && $0.end > start }.map(\.area)
      .filter { seen.insert($0).inserted }
  }
}

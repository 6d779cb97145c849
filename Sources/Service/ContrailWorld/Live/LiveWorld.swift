import ContrailGeodesy
import ContrailWire

/// A world that gains records: the fold of what feeds answered.
///
/// All records arrive at the time at which the service stored the answer, so an answer at time N contains what was stored before N.
struct LiveWorld: World {
  /// What a world gained from an answer.
  struct Gain: Hashable, Sendable {
    /// The new PIREPs and their turbulence reports.
    var pireps = 0
    var reports = 0
    /// The numbers of new and of withdrawn advisories.
    var advisories = 0
    var withdrawn = 0
    /// The aircraft of a new snapshot.
    var aircraft = 0
    /// The records that are too old or from the future.
    var refused = 0
    /// The time of the newest record in seconds since 1970.
    var newest: Int64?

    var isEmpty: Bool { pireps + reports + advisories + withdrawn + aircraft == 0 }
  }

  /// An advisory with the source that lists it.
  struct ListedAdvisory: Hashable, Sendable {
    var advisory: Advisory
    var source: String
  }

  /// The aircraft of all sources at one time.
  struct Traffic: Hashable, Sendable {
    var arrival: Int64
    /// The positions in the order of their addresses.
    var positions: [TrafficPosition]
  }

  /// The tolerance in seconds for clocks that are ahead.
  static let clockTolerance: Int64 = 300
  /// The time in seconds for which observations are kept: the longest history, and an hour for areas that change.
  static let memorySeconds = DataHistoryTime.sixHours.seconds + 3600
  /// The time in seconds for which earlier traffic is kept, against which changes are sent.
  static let trafficMemorySeconds: Int64 = 900

  /// The time in seconds since 1970 at which the log begins.
  var beginning: Int64
  private(set) var epochs: [Int64: WorldEpoch] = [:]
  /// The ids of the PIREPs, with their epochs.
  private(set) var known: [String: Int64] = [:]
  private(set) var advisories: [ListedAdvisory] = []
  /// The newest snapshot of each source, with its arrival.
  private(set) var snapshots: [String: Traffic] = [:]
  /// The time of the newest snapshot of each source.
  private(set) var snapshotTimes: [String: Int64] = [:]
  /// The traffic after each snapshot, oldest first.
  private(set) var traffic: [Traffic] = []
  /// All reports that are served, also those that tablets sent.
  var reportIndex = ArrivalIndex<WorldEpoch.Observation>()
  /// The PIREPs of ``epochs``.
  var pirepIndex = ArrivalIndex<PIREP>()

  init(beginning: Int64) { self.beginning = beginning }

  // MARK: World

  func epoch(_ index: Int64) -> WorldEpoch { epochs[index] ?? WorldEpoch(observations: [], pireps: []) }

  /// Returns the aircraft that were seen in the five minutes before `token`.
  ///
  /// - Complexity: O(*aircraft*).
  func traffic(at token: Int64) -> [TrafficPosition] {
    guard let newest = traffic.last(where: { $0.arrival < token }) else { return [] }
    return newest.positions.filter { $0.observedAt > token - TrafficPosition.lifetimeSeconds }
  }

  func advisories(after start: Int64, before end: Int64) -> [PolygonsAnswer.Area] {
    var seen: Set<PolygonsAnswer.Area> = []
    return advisories.lazy.map(\.advisory).filter { $0.arrival < end && $0.start < end && $0.end > start }.map(\.area)
      .filter { seen.insert($0).inserted }
  }

  /// Returns the epochs that contain the observations after `start` and before `end`, in seconds since 1970.
  func epochs(after start: Int64, before end: Int64) -> [WorldEpoch] {
    guard start + 1 < end else { return [] }
    return (WorldEpoch.index(of: start + 1)...WorldEpoch.index(of: end - 1)).compactMap { epochs[$0] }
  }

  // MARK: Gaining

  /// Adds the records of an answer.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - source: The name of the source. Its advisories that the answer doesn't list are withdrawn, unless the answer is empty.
  ///   - arrival: The time in seconds since 1970 at which the answer was stored.
  mutating func gain(_ records: FeedRecords, from source: String, arrival: Int64) -> Gain {
    var gain = Gain()
    add(records.pireps, arrival: arrival, &gain)
    if records.kind == .sigmets { list(records, from: source, arrival: arrival, &gain) }
    if let snapshot = records.snapshots.last { show(snapshot, from: source, arrival: arrival, &gain) }
    forget(before: arrival - Self.memorySeconds)
    return gain
  }

  private mutating func add(_ pireps: [PilotReport], arrival: Int64, _ gain: inout Gain) {
    var fresh: [Int64: [PilotReport]] = [:]
    for var report in pireps {
      let observedAt = report.pirep.observedAt
      if observedAt <= arrival + Self.clockTolerance { gain.newest = max(gain.newest ?? observedAt, observedAt) }
      let index = WorldEpoch.index(of: observedAt)
      guard observedAt <= arrival + Self.clockTolerance, observedAt > arrival - Self.memorySeconds else {
        gain.refused += 1
        continue
      }
      guard known.updateValue(index, forKey: report.pirep.id) == nil else { continue }
      report.pirep.updatedAt = arrival
      fresh[index, default: []].append(report)
      gain.pireps += 1
      gain.reports += report.reports.count
    }
    for (index, reports) in fresh { insert(reports, into: index) }
  }

  private mutating func insert(_ reports: [PilotReport], into index: Int64) {
    let epoch = epoch(index)
    let observations = reports.flatMap { report in
      report.reports.map {
        WorldEpoch.Observation(report: $0, centre: report.centre, arrival: report.pirep.updatedAt)
      }
    }
    let histories = reports.map { PIREPHistory(first: $0.pirep, correction: nil) }
    for observation in observations { reportIndex.add(observation) }
    for report in reports { pirepIndex.add(report.pirep) }
    epochs[index] = WorldEpoch(
      observations: (epoch.observations + observations).sortedWithoutDoubles(),
      pireps: (epoch.pireps + histories).sorted {
        ($0.first.observedAt, $0.first.id) < ($1.first.observedAt, $1.first.id)
      }
    )
  }

  /// Adds the advisories of an answer, and withdraws the source's other advisories.
  ///
  /// An answer without any record withdraws nothing: it may be an outage that looks like good weather.
  private mutating func list(_ records: FeedRecords, from source: String, arrival: Int64, _ gain: inout Gain) {
    var listed: Set<AdvisoryKey> = []
    let held = Set(advisories.lazy.map { $0.advisory.key })
    // The age of the answer is that of its newest advisory, served or not. A time in the future counts as now.
    gain.newest = records.file.newestAdvisory.map { min($0, arrival) }
    for var advisory in records.advisories {
      guard advisory.end > arrival - Self.memorySeconds else {
        gain.refused += 1
        continue
      }
      listed.insert(advisory.key)
      guard !held.contains(advisory.key) else { continue }
      advisory.arrival = arrival
      advisories.append(ListedAdvisory(advisory: advisory, source: source))
      gain.advisories += 1
    }
    guard records.file.records > 0 else { return }
    for index in advisories.indices where advisories[index].source == source && advisories[index].advisory.end > arrival
    {
      guard !listed.contains(advisories[index].advisory.key) else { continue }
      advisories[index].advisory.end = arrival
      gain.withdrawn += 1
    }
  }

  /// The identity of an advisory, which a source repeats while it is valid.
  struct AdvisoryKey: Hashable, Sendable {
    let area: PolygonsAnswer.Area
    let end: Int64
  }

  /// Replaces the snapshot of a source.
  ///
  /// A snapshot without aircraft is ignored, because it looks like an outage of the source: the aircraft that were seen expire
  /// after five minutes.
  private mutating func show(_ snapshot: TrafficSnapshot, from source: String, arrival: Int64, _ gain: inout Gain) {
    guard snapshot.time <= arrival + Self.clockTolerance else {
      gain.refused += snapshot.positions.count
      return
    }
    guard !snapshot.positions.isEmpty else { return }
    gain.newest = max(gain.newest ?? snapshot.time, snapshot.time)
    guard snapshot.time > snapshotTimes[source] ?? Int64.min else { return }
    snapshotTimes[source] = snapshot.time
    snapshots[source] = Traffic(
      arrival: arrival,
      positions: snapshot.positions.filter { $0.observedAt > arrival - TrafficPosition.lifetimeSeconds })
    gain.aircraft = snapshots[source]?.positions.count ?? 0
    gain.refused += snapshot.positions.count - gain.aircraft
    merge(arrival: arrival)
  }

  /// Merges the newest snapshots of all sources. The newest position of an aircraft counts.
  private mutating func merge(arrival: Int64) {
    var newest: [String: TrafficPosition] = [:]
    // In the order of their names, so that the result doesn't depend on hashes.
    for (_, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) {
      for position in snapshot.positions where position.observedAt > newest[position.id]?.observedAt ?? Int64.min {
        newest[position.id] = position
      }
    }
    if traffic.last?.arrival == arrival { traffic.removeLast() }
    traffic.append(Traffic(arrival: arrival, positions: newest.values.sorted { $0.id < $1.id }))
    let old = traffic.dropLast(2).prefix { $0.arrival < arrival - Self.trafficMemorySeconds }.count
    traffic.removeFirst(old)
  }

  private mutating func forget(before time: Int64) {
    reportIndex.forget(through: time)
    pirepIndex.forget(through: time)
    let index = WorldEpoch.index(of: time)
    if epochs.keys.contains(where: { $0 < index }) {
      epochs = epochs.filter { $0.key >= index }
      known = known.filter { $0.value >= index }
    }
    if advisories.contains(where: { $0.advisory.end < time }) { advisories.removeAll { $0.advisory.end < time } }
  }
}

extension Advisory {
  var key: LiveWorld.AdvisoryKey { LiveWorld.AdvisoryKey(area: area, end: end) }
}

// MARK: - Restoring

extension LiveWorld {
  mutating func restore(_ epoch: WorldEpoch, at index: Int64) {
    epochs[index] = epoch
    for history in epoch.pireps { known[history.first.id] = index }
    for observation in epoch.observations { reportIndex.add(observation) }
    for history in epoch.pireps { pirepIndex.add(history.first) }
  }

  mutating func restore(_ advisory: ListedAdvisory) { advisories.append(advisory) }

  mutating func restore(_ snapshot: Traffic, of source: String, time: Int64) {
    snapshots[source] = snapshot
    snapshotTimes[source] = time
  }

  /// Restores the merged traffic of one time. The oldest comes first.
  mutating func restore(_ merged: Traffic) { traffic.append(merged) }
}

package import ContrailCore
import ContrailGeodesy
import ContrailH3
public import ContrailWire

/// Tracks the turbulence ahead of the aircraft across positions, so that each cluster is reported once.
///
/// ```swift
/// var tracker = AlertTracker(query: AlertQuery(route: route))
/// for alert in try tracker.alerts(for: position, in: reports, asOf: second) where alert.phase == .new {
///   say("\(alert.severity) turbulence in \(Int(alert.distanceNM)) miles")
/// }
/// ```
///
/// A cluster keeps its identity while it is connected to its earlier places: as reports arrive and expire, as the
/// aircraft passes its near end, and as its far end comes into range. If it splits, the parts keep one identifier. If
/// two clusters merge, the older identifier remains. Each place is remembered for ``memorySeconds`` after it was last
/// ahead, so that a turn away and back, or a climb, repeats no alert.
///
/// The tracker is a value and deterministic: the same positions and reports give the same alerts.
public struct AlertTracker: Sendable {
  /// The criteria for turbulence. They can be changed at any time; clusters keep their identifiers.
  public var query: AlertQuery

  /// The time for which a place that is no longer ahead is remembered, in seconds. The default is ten minutes.
  public var memorySeconds: Int64 = 600

  /// The clusters ahead as of the last position, nearest first.
  public private(set) var current: [TurbulenceAlert] = []

  /// For each place of turbulence, its cluster and the time when it was last ahead.
  private var memory: [UInt64: (id: Int, seenAt: Int64)] = [:]
  /// The highest severity so far of each remembered cluster.
  private var worst: [Int: TurbulenceSeverity] = [:]
  private var lastID = 0
  private var route: RouteLine?
  /// The sources of what stands for a report, as of the last position.
  private var sources: [TurbulenceReport: AlertSources] = [:]
  private var alongNM: Double?

  public init(query: AlertQuery = AlertQuery()) {
    self.query = query
  }

  /// Processes a position and returns the clusters ahead, nearest first, followed by those that have ended.
  ///
  /// - Parameters:
  ///   - aircraft: The position of the aircraft.
  ///   - reports: The stored reports, without duplicates, of any age and place.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the position or the query is invalid; the tracker is then unchanged.
  /// - Complexity: O(*n* + *r* + *c* · *l*), with *n* reports, *r* points of the route, *c* cells near the part ahead,
  ///   and *l* legs of it.
  public mutating func alerts(
    for aircraft: AircraftPosition, in reports: some Sequence<TurbulenceReport>, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceAlert] {
    try query.check(aircraft)
    let filter = query.filter(aircraft, asOf: second)
    var admitted = reports.filter { filter.admits($0) }
    admitted.sortByPlace()
    return try alerts(for: aircraft, in: [ReportView(reports: admitted)], asOf: second)
  }

  /// Processes a position with the visible data of corridor and viewport.
  ///
  /// - Parameters:
  ///   - aircraft: The position of the aircraft.
  ///   - state: The state that contains the data.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the position or the query is invalid; the tracker is then unchanged.
  package mutating func alerts(
    for aircraft: AircraftPosition, in state: State, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceAlert] {
    try alerts(for: aircraft, in: state, asOf: second, ReportIndex(of: state))
  }

  /// Processes a position with the visible data of corridor and viewport.
  ///
  /// - Parameter index: The index, up to date with the state.
  /// - Complexity: O(*r* + *c* · *l*), with *r* points of the route, *c* cells near the part ahead, and *l* legs of it.
  package mutating func alerts(
    for aircraft: AircraftPosition, in state: State, asOf second: Int64, _ index: ReportIndex
  ) throws(QueryError) -> [TurbulenceAlert] {
    try alerts(for: aircraft, in: state, asOf: second, index, own: [], areas: [])
  }

  /// Processes a position with the visible data of corridor and viewport.
  ///
  /// - Parameters:
  ///   - own: The reports of the device.
  ///   - areas: The turbulence polygons, if the query uses them as a fallback.
  package mutating func alerts(
    for aircraft: AircraftPosition, in state: State, asOf second: Int64, _ index: ReportIndex, own: [OwnReport],
    areas: [TurbulencePolygons]
  ) throws(QueryError) -> [TurbulenceAlert] {
    var views = state.reportViews(only: nil, asOf: second, in: index)
    let ignored = own.map({ $0.report }).filter {
      Int64($0.observedAt).age(asOf: second) < query.ownReportsIgnoredSeconds
    }
    for place in views.indices { views[place].ignored = Set(ignored) }
    let pireps = query.fallbacks.contains(.pireps) ? try state.pireps(with: PIREPQuery(), asOf: second) : []
    return try alerts(for: aircraft, in: views, asOf: second, pireps, areas)
  }

  private mutating func alerts(
    for aircraft: AircraftPosition, in views: [ReportView], asOf second: Int64, _ pireps: [PIREP] = [],
    _ areas: [TurbulencePolygons] = []
  ) throws(QueryError) -> [TurbulenceAlert] {
    try query.check(aircraft)
    var (line, last) = (route, alongNM)
    if line?.points != query.route {
      line = try query.route.map { points throws(QueryError) in try RouteLine(points) }
      last = nil
    }
    let progress = line?.progress(of: aircraft, after: last)
    let way = try WayAhead(query, aircraft, route: line, progress: progress)
    (route, alongNM) = (line, way.mode == .route ? progress?.alongNM : last)

    var views = views
    let filter = query.filter(aircraft, asOf: second)
    let fallback = AlertFallback(way, filter, aircraft.knownAltitude, in: views, pireps, areas)
    if !fallback.reports.isEmpty { views.append(ReportView(reports: fallback.reports)) }
    sources = fallback.sources
    let sightings = sightings(on: way, of: aircraft, in: views, asOf: second)
    return tell(sightings, way.mode, aircraft, asOf: second)
  }

  // MARK: Sightings

  private struct Sighting {
    var report: TurbulenceReport
    var distanceNM: Double
  }

  private func sightings(
    on way: WayAhead, of aircraft: AircraftPosition, in views: [ReportView], asOf second: Int64
  ) -> [Sighting] {
    let filter = query.filter(aircraft, asOf: second)
    let count = views.reduce(0) { $0 + $1.reports.count }
    guard count > 0 else { return [] }
    let cells = CellArea(way.ring, count: count)
    var found: [Sighting] = []
    for view in views {
      cells.forEachCell(in: view.reports) { reports in
        var distance: Double??
        for report in reports where filter.admits(report) && view.shows(report) {
          let known = distance ?? H3Cell(packed22: report.cell).flatMap { way.distanceNM(to: $0) }
          distance = .some(known)
          if let known { found.append(Sighting(report: report, distanceNM: known)) }
        }
      }
    }
    if views.count > 1 {
      found.sort { ($0.report.packed, $0.report.observedAt) < ($1.report.packed, $1.report.observedAt) }
    }
    return found
  }

  // MARK: Alerts

  private mutating func tell(
    _ sightings: [Sighting], _ mode: TurbulenceAlert.Mode, _ aircraft: AircraftPosition, asOf second: Int64
  ) -> [TurbulenceAlert] {
    memory = memory.filter { $0.value.seenAt.age(asOf: second) <= memorySeconds }
    let clusters = identified(sightings, asOf: second)
    var told: [TurbulenceAlert] = []
    for (id, members) in clusters {
      guard var alert = self.alert(id, members, mode, aircraft, asOf: second) else { continue }
      alert.phase = phase(of: alert)
      worst[id] = max(worst[id] ?? .none, alert.severity)
      told.append(alert)
    }
    let ended = current.filter { alert in !told.contains { $0.id == alert.id } }.map { alert in
      var alert = alert
      alert.phase = .ended
      return alert
    }
    current = told
    let remembered = Set(memory.values.map({ $0.id }))
    worst = worst.filter { remembered.contains($0.key) }
    return told + ended
  }

  private func phase(of alert: TurbulenceAlert) -> TurbulenceAlert.Phase {
    guard let worst = worst[alert.id] else { return .new }
    if alert.severity > worst { return .worsened }
    return current.first { $0.id == alert.id }?.digest == alert.digest ? .unchanged : .changed
  }

  /// Groups the sightings by cluster, nearest first, each with its earlier identifier or a new one. Remembered places connect
  /// clusters.
  private mutating func identified(_ sightings: [Sighting], asOf second: Int64) -> [(id: Int, members: [Sighting])] {
    let places = Set(sightings.map { AlertClusters.place($0.report) }).union(memory.keys).sorted()
    var clusters = AlertClusters(places)
    // Merge the parts of an earlier cluster.
    var firsts: [Int: Int] = [:]
    for (index, place) in places.enumerated() {
      guard let id = memory[place]?.id else { continue }
      if let first = firsts[id] { clusters.join(first, index) } else { firsts[id] = index }
    }
    var numbers: [Int: Int] = [:]
    for (id, index) in firsts {
      let root = clusters.root(index)
      numbers[root] = min(numbers[root] ?? id, id)
    }

    var members: [Int: [Sighting]] = [:]
    var next = 0
    for sighting in sightings {
      let place = AlertClusters.place(sighting.report)
      while places[next] < place { next += 1 }
      members[clusters.root(next), default: []].append(sighting)
    }
    // Assign new identifiers, nearest first.
    let nearestFirst = members.sorted { a, b in
      let (near, far) = (a.value.map({ $0.distanceNM }).min() ?? 0, b.value.map({ $0.distanceNM }).min() ?? 0)
      return (near, a.key) < (far, b.key)
    }
    var result: [(id: Int, members: [Sighting])] = []
    for (root, sightings) in nearestFirst {
      if numbers[root] == nil {
        lastID += 1
        numbers[root] = lastID
      }
      if let id = numbers[root] { result.append((id, sightings)) }
    }
    for (index, place) in places.enumerated() {
      guard let id = numbers[clusters.root(index)] else { continue }
      if let known = memory[place] {
        // After a merge, the highest severity of both clusters applies.
        if known.id != id { worst[id] = max(worst[id] ?? .none, worst[known.id] ?? .none) }
        memory[place] = (id, known.seenAt)
      }
    }
    for (id, sightings) in result {
      for sighting in sightings { memory[AlertClusters.place(sighting.report)] = (id, second) }
    }
    return result
  }

  private func alert(
    _ id: Int, _ members: [Sighting], _ mode: TurbulenceAlert.Mode, _ aircraft: AircraftPosition, asOf second: Int64
  ) -> TurbulenceAlert? {
    func order(_ sighting: Sighting) -> (Double, Double, Int, UInt64, UInt32) {
      let report = sighting.report
      let apart = aircraft.knownAltitude.map { abs(Double(report.altitude) * 1000 - $0) } ?? 0
      return (sighting.distanceNM, apart, -Int(report.severityCode), report.packed, report.observedAt)
    }
    guard let nearest = members.min(by: { order($0) < order($1) }), let farthest = members.map({ $0.distanceNM }).max(),
      let low = members.map({ $0.report.altitude }).min(), let high = members.map({ $0.report.altitude }).max(),
      let severity = members.map({ severity(of: $0.report) }).max(),
      let newest = members.map({ $0.report.observedAt }).max()
    else { return nil }
    let cells = Set(members.map({ $0.report.cell })).sorted().compactMap { H3Cell(packed22: $0) }
    let speed = aircraft.groundSpeedKnots.flatMap { $0 >= 1 && $0.isFinite ? $0 : nil }
    let center = H3Cell(packed22: nearest.report.cell)?.center ?? aircraft.coordinate
    return TurbulenceAlert(
      id: id, phase: .new, mode: mode, distanceNM: nearest.distanceNM, farthestNM: farthest,
      bearingDegrees: Geodesic.inverse(from: aircraft.coordinate, to: center).initialAzimuth,
      timeToGoSeconds: speed.map { nearest.distanceNM / $0 * 3600 }, severity: severity,
      altitudeBandFeet: Int(low) * 1000...Int(high) * 1000, count: members.count, newestAt: Int64(newest),
      ageSeconds: Int64(newest).age(asOf: second), nearest: nearest.report, cells: cells,
      sources: members.reduce(into: []) { $0.formUnion(sources[$1.report] ?? .reports) },
      digest: members.reduce(0) { $0 &+ $1.report.digest })
  }

  private func severity(of report: TurbulenceReport) -> TurbulenceSeverity {
    query.aircraft?.severity(of: report) ?? report.severity
  }
}

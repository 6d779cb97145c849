package import ContrailCore
package import ContrailGeodesy
public import ContrailWire

extension State {
  /// The route of the app's query; nil without one, or with an invalid point.
  package var route: [Coordinate]? {
    guard let route = query.route else { return nil }
    let points = route.compactMap { $0?.coordinate }
    return points.count == route.count && points.count > 1 ? points : nil
  }

  /// Returns the visible turbulence along a route.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - second: The estimated server time, in seconds since 1970. `serverNow` is that of the last line.
  /// - Throws: ``QueryError`` if the route, a length or the position is invalid, or the scope isn't an area.
  /// - Complexity: O(*n* + *c* · √*b*), with *n* stored reports, *c* hexagons within the width and *b* bins.
  public func profile(with query: ProfileQuery, asOf second: Int64) throws(QueryError) -> RouteProfile {
    var memory = ProfileMemory()
    return try profile(with: query, asOf: second, in: nil, &memory)
  }

  /// Returns the visible turbulence along a route.
  ///
  /// - Parameters:
  ///   - index: The index, up to date with this state; nil to search all reports.
  ///   - own: The reports of the device.
  ///   - memory: What was computed for the last profile.
  /// - Complexity: O(*c* log *n* + *m* + *b*) for the route and the areas of the last profile, with *c* hexagons within the width, *n*
  ///   stored reports, *m* in the hexagons, and *b* bins.
  package func profile(
    with query: ProfileQuery, asOf second: Int64, in index: ReportIndex?, own: [OwnReport] = [],
    _ memory: inout ProfileMemory
  ) throws(QueryError) -> RouteProfile {
    let line = try memory.line(of: query)
    let cells = CellArea.cells(line.cells)
    let wanted = query.origin == .own ? [] : views(.turbulence, only: query.scope)
    let views = reportViews(wanted, asOf: second, own: query.origin == .server ? [] : own) {
      index?.reports(of: $0.id) ?? cells.reports(in: $0.reports)
    }
    let pireps = try pireps(with: PIREPQuery(scope: query.scope), asOf: second)
    let history = query.dataHistoryTime ?? history
    let areas = memory.areas(on: line, from: polygonScope(history, asOf: second), history)
    return query.profile(on: line, in: views, pireps, areas, asOf: second)
  }
}

extension ProfileQuery {
  /// Returns the profile of records that are visible. It has all given reports: ``origin`` and ``scope`` don't matter.
  ///
  /// - Parameters:
  ///   - reports: The reports, without duplicates.
  ///   - pireps: The PIREPs.
  ///   - polygons: The areas.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the route, a length or the position is invalid.
  /// - Complexity: O(*n* log *n* + *c* · √*b*), with *n* records, *c* hexagons within the width and *b* bins.
  public func profile(
    of reports: some Sequence<TurbulenceReport>, pireps: [PIREP] = [], polygons: TurbulencePolygons? = nil,
    asOf second: Int64
  ) throws(QueryError) -> RouteProfile {
    profile(of: reports, pireps: pireps, polygons: polygons, on: try ProfileLine(self), asOf: second)
  }

  /// Returns the profile of records that are visible.
  ///
  /// - Parameter line: The line of the query.
  package func profile(
    of reports: some Sequence<TurbulenceReport>, pireps: [PIREP], polygons: TurbulencePolygons?, on line: ProfileLine,
    asOf second: Int64
  ) -> RouteProfile {
    var sorted = Array(reports)
    sorted.sortByPlace()
    return profile(
      on: line, in: [ReportView(reports: sorted)], pireps,
      (polygons?.areas ?? []).compactMap { ProfileArea($0, on: line) }, asOf: second)
  }

  func profile(
    on line: ProfileLine, in views: [ReportView], _ pireps: [PIREP], _ areas: [ProfileArea], asOf second: Int64
  ) -> RouteProfile {
    let filter = RecordFilter(altRange: altRange, severities: .all, history: dataHistoryTime, asOf: second)
    let limit = RecordFilter.limit(dataHistoryTime, asOf: second)
    let band = AltitudeBand(altRange)
    var table = ProfileTable(binCount: line.edges.count - 1, asOf: second)
    for view in views { table.add(view, filter, on: line, category) }
    for (index, area) in areas.enumerated() {
      table.add(area: index, area, levels: Int(band.lower)...Int(band.upper))
    }
    var beside: [ProfilePIREP] = []
    for pirep in pireps where pirep.observedAt > limit && pirep.coordinate.isValid {
      let level = pirep.flightLevel.map { min(max(0, ($0 + 5) / 10), RouteProfile.ceiling) }
      if let level, !band.contains(UInt8(level)) { continue }
      let first = beside.count
      // A cell counts it once, also if the route turns within a bin.
      for pass in line.passes(of: pirep.coordinate) where !beside[first...].contains(where: { $0.bin == pass.bin }) {
        beside.append(
          ProfilePIREP(pirep: pirep, alongNM: pass.alongNM, offNM: pass.offNM, bin: pass.bin, level: level))
      }
    }
    beside.sort { ($0.alongNM, $0.pirep.observedAt) < ($1.alongNM, $1.pirep.observedAt) }
    for (index, pirep) in beside.enumerated() {
      if let level = pirep.level { table.add(pirep: index, bin: pirep.bin, level: level) }
    }
    let place = aircraft.flatMap { line.line.progress(of: $0, after: nil) }
      .map { RouteProfile.Place(alongNM: $0.alongNM, offNM: $0.offNM) }
    return RouteProfile(line, asOf: second, table, pireps: beside, areas: areas, aircraft: place)
  }
}

/// What one profile leaves for the next: the line of the route, and the areas over it.
package struct ProfileMemory: Sendable {
  private var line: ProfileLine?
  private var areas: (digest: UInt64, history: DataHistoryTime, areas: [ProfileArea])?

  package init() {}

  /// Returns the place of an aircraft on the route of the last profile; nil before the first.
  ///
  /// - Parameters:
  ///   - aircraft: The position.
  ///   - last: The distance along the route of the previous position, in nautical miles.
  /// - Complexity: O(*l*), with *l* legs.
  package func place(of aircraft: AircraftPosition, after last: Double?) -> RouteProfile.Place? {
    line?.line.progress(of: aircraft, after: last).map { RouteProfile.Place(alongNM: $0.alongNM, offNM: $0.offNM) }
  }

  fileprivate mutating func line(of query: ProfileQuery) throws(QueryError) -> ProfileLine {
    try query.check()
    if let line, line.isLine(of: query) { return line }
    let line = try ProfileLine(query)
    (self.line, areas) = (line, nil)
    return line
  }

  fileprivate mutating func areas(
    on line: ProfileLine, from scope: Scope?, _ history: DataHistoryTime
  ) -> [ProfileArea] {
    guard let scope else { return [] }
    if let areas, areas.digest == scope.digest, areas.history == history { return areas.areas }
    let found = TurbulenceArea.areas(in: scope.polygons).compactMap { ProfileArea($0, on: line) }
    areas = (scope.digest, history, found)
    return found
  }
}

extension ProfileArea {
  /// Creates the part of an area that covers a route; nil if the area covers no bin.
  ///
  /// - Complexity: O(*b* + *h* · *v*), with *b* bins, *h* of them in the bounding box of the area, and *v* corners.
  init?(_ area: TurbulenceArea, on line: ProfileLine) {
    var bins: [Int] = []
    for (bin, middle) in line.middles.enumerated() where area.contains(middle) { bins.append(bin) }
    guard !bins.isEmpty else { return nil }
    let base = min(max(0, (area.baseFeet ?? 0) / 1000), RouteProfile.ceiling)
    let top = min(max(base, (area.topFeet ?? .max) / 1000), RouteProfile.ceiling)
    self.init(severity: area.severity, levels: base...top, bins: bins)
  }
}

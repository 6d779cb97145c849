public import ContrailCore
public import ContrailWire

/// Which of the turbulence that is held is asked for. Nothing is fetched: what is held follows from the data query.
///
/// ```swift
/// let query = TurbulenceQuery(
///   area: .viewport(north: 55, west: -30, south: 45, east: -10), altRange: 34_000...40_000, minimumSeverity: .light)
/// let items = try state.turbulence(with: query, asOf: state.serverNow / 1000)
/// ```
public struct TurbulenceQuery: Hashable, Sendable {
  /// Where; a hexagon is in an area by its centre.
  public var area: QueryArea

  /// The altitudes in feet, both ends included, rounded outward to thousands and clamped to 0…52,000 as the data query does. Nil means
  /// all.
  public var altRange: ClosedRange<Double>?

  /// The severities; all by default.
  public var sevs: [TurbulenceSeverity]

  /// The mildest severity, beside ``sevs``: what is milder is left out.
  public var minimumSeverity: TurbulenceSeverity

  /// How far back. It may be less than the history that is fetched, and is answered at once; more shows no more than is held. Nil means
  /// all that is held.
  public var dataHistoryTime: DataHistoryTime?

  /// Whether there is one item for a hexagon, with its most severe report; otherwise one for each report. True by default.
  ///
  /// Of reports that are equally severe the one with the highest EDR stands, then the newest, then the highest.
  public var aggregate: Bool

  /// Only what is held for the corridor, or only for the viewport. Nil means both, each report once.
  public var scope: ScopeID?

  public init(
    area: QueryArea = .everywhere, altRange: ClosedRange<Double>? = nil,
    sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases, minimumSeverity: TurbulenceSeverity = .none,
    dataHistoryTime: DataHistoryTime? = nil, aggregate: Bool = true, scope: ScopeID? = nil
  ) {
    self.area = area
    self.altRange = altRange
    self.sevs = sevs
    self.minimumSeverity = minimumSeverity
    self.dataHistoryTime = dataHistoryTime
    self.aggregate = aggregate
    self.scope = scope
  }
}

extension TurbulenceQuery {
  /// What the query asks for among reports, in the order of cells; with ``aggregate`` off, within a cell by altitude, severity, EDR
  /// and time.
  ///
  /// - Parameters:
  ///   - reports: each once.
  ///   - second: the server's time as far as it is known, in seconds since 1970.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(*n* + *c* + *m* log *m*): *n* reports, *c* cells along the area's edge, *m* items.
  public func items(
    in reports: some Sequence<TurbulenceReport>, asOf second: Int64
  ) throws(QueryFault) -> [TurbulenceItem] {
    try items(count: reports.underestimatedCount, asOf: second) { reports.forEachReport($0) }
  }

  func items(
    count: Int, asOf second: Int64, _ forEach: ((TurbulenceReport) -> Void) -> Void
  ) throws(QueryFault) -> [TurbulenceItem] {
    var cells = CellFilter(try area.ring(), count: count)
    let filter = RecordFilter(
      altRange: altRange, severities: SeveritySet(sevs).intersection(.atLeast(minimumSeverity)),
      history: dataHistoryTime, asOf: second)
    guard aggregate else {
      var found: [TurbulenceReport] = []
      forEach { if filter.admits($0), cells.contains($0.cell) { found.append($0) } }
      found.sort { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }
      return found.map { TurbulenceItem($0, count: 1, asOf: second) }
    }
    var places: [UInt32: Int] = [:]
    var best: [(report: TurbulenceReport, count: Int)] = []
    forEach { report in
      guard filter.admits(report), cells.contains(report.cell) else { return }
      guard let place = places[report.cell] else {
        places[report.cell] = best.count
        best.append((report, 1))
        return
      }
      best[place].count += 1
      if report.rank > best[place].report.rank { best[place].report = report }
    }
    best.sort { $0.report.cell < $1.report.cell }
    return best.map { TurbulenceItem($0.report, count: $0.count, asOf: second) }
  }
}

extension TurbulenceReport {
  /// What is compared to choose one report of a hexagon.
  @inline(__always)
  var rank: (UInt8, UInt16, UInt32, UInt8) { (severityCode, edrE4, observedAt, altitude) }
}

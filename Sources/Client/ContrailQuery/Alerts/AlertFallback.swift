import ContrailGeodesy
import ContrailH3
import ContrailWire

/// The records that are used instead of reports, in the hexagons ahead without a report.
struct AlertFallback {
  /// The reports, sorted by place.
  private(set) var reports: [TurbulenceReport] = []
  /// The source of each.
  private(set) var sources: [TurbulenceReport: AlertSources] = [:]

  /// The maximum number of hexagons that are searched.
  private static let maximumCells = 20_000

  /// Finds what stands for reports.
  ///
  /// - Parameters:
  ///   - way: The area ahead.
  ///   - filter: The criteria for reports.
  ///   - altitudeFeet: The aircraft's altitude; nil if unknown.
  ///   - views: The visible reports.
  ///   - pireps: The PIREPs that count; none if they aren't a fallback.
  ///   - areas: The turbulence polygons that count.
  /// - Complexity: O(*c* log *n* + *p* + *c* · *v*), with *c* hexagons ahead, *n* reports, *p* PIREPs and *v* corners of areas.
  init(
    _ way: WayAhead, _ filter: AlertFilter, _ altitudeFeet: Double?, in views: [ReportView], _ pireps: [PIREP],
    _ areas: [TurbulencePolygons]
  ) {
    guard !pireps.isEmpty || !areas.isEmpty, let ring = way.ring,
      let cells = try? H3Cell.cells(in: ring, resolution: 5, limit: Self.maximumCells)
    else { return }
    var unknown: [UInt32: H3Cell] = [:]
    for cell in cells { if let packed = cell.packed22 { unknown[packed] = cell } }
    let area = CellArea(ring, count: views.reduce(0) { $0 + $1.reports.count })
    for view in views {
      area.forEachCell(in: view.reports) { reports in
        guard let cell = reports.first?.cell, unknown[cell] != nil else { return }
        if reports.contains(where: { filter.concerns($0) && view.shows($0) }) { unknown[cell] = nil }
      }
    }
    for pirep in pireps {
      guard let severity = pirep.severity, let level = pirep.flightLevel, (0...520).contains(level),
        let second = UInt32(exactly: pirep.observedAt),
        let cell = try? H3Cell(pirep.position.coordinate, resolution: 5).packed22, unknown[cell] != nil
      else { continue }
      let report = TurbulenceReport(
        cell: cell, altitude: UInt8((level + 5) / 10), severity: severity.rawValue, edrE4: 0, observedAt: second)
      if filter.admits(report) { sources[report, default: []].insert(.pireps) }
    }
    for report in sources.keys { unknown[report.cell] = nil }
    for polygons in areas {
      guard let second = UInt32(exactly: polygons.asOf) else { continue }
      for area in polygons.areas {
        guard let severity = area.severity, let altitude = Self.altitude(of: area, filter, altitudeFeet) else {
          continue
        }
        for (packed, cell) in unknown where area.contains(cell.center) {
          let report = TurbulenceReport(
            cell: packed, altitude: altitude, severity: severity.rawValue, edrE4: 0, observedAt: second)
          if filter.admits(report) { sources[report, default: []].insert(.areas) }
        }
      }
    }
    reports = Array(sources.keys)
    reports.sortByPlace()
  }

  /// Returns the altitude of an area that is nearest to the aircraft and counts, in thousands of feet; nil if none counts.
  private static func altitude(of area: TurbulenceArea, _ filter: AlertFilter, _ altitudeFeet: Double?) -> UInt8? {
    let low = max(Double(area.baseFeet ?? 0), filter.feet.lowerBound)
    let high = min(Double(area.topFeet ?? .max), filter.feet.upperBound, Double(AltitudeBand.ceiling) * 1000)
    guard low <= high else { return nil }
    let thousands = (min(max(altitudeFeet ?? low, low), high) / 1000).rounded()
    // Altitudes that count may be between two thousands.
    return (low...high).contains(thousands * 1000) ? UInt8(thousands) : nil
  }
}

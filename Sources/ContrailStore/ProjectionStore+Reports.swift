import ContrailCore
public import ContrailWire
import GRDB

extension ProjectionStore {
  /// Every report that a query asks for, by cell, then altitude, severity, EDR and time.
  ///
  /// - Complexity: O(cells along the area's edge + reports in it).
  public func reports(_ query: ReportQuery) throws(StoreError) -> [TurbulenceReport] {
    var found: [TurbulenceReport] = []
    try forEachReport(query) { found.append($0) }
    return found
  }

  /// The most severe report of each cell, of equals the one with the highest EDR, then the newest, then the highest; by cell.
  ///
  /// - Complexity: O(cells along the area's edge + reports in it).
  public func hexagons(_ query: ReportQuery) throws(StoreError) -> [TurbulenceReport] {
    var found: [TurbulenceReport] = []
    try forEachReport(query) { report in
      guard let last = found.last, last.cell == report.cell else { return found.append(report) }
      if report.rank > last.rank { found[found.count - 1] = report }
    }
    return found
  }

  /// The one scope of records by area that is kept on disk.
  static let area = ScopeID.corridor

  private func forEachReport(
    _ query: ReportQuery, _ body: (TurbulenceReport) -> Void
  ) throws(StoreError) {
    let cover = CellCover(query.area)
    try read("looking for reports") { db in
      guard let (key, _) = try ScopeSummary.fetch(db, Self.area) else { return }
      var walk = CellCover.Walk(cover)
      let statement = try db.cachedStatement(
        sql: "SELECT packed, observedAt FROM reports WHERE scope = ? AND packed BETWEEN ? AND ?")
      for run in cover.runs {
        let cursor = try Row.fetchCursor(statement, arguments: [key, run.lowerBound, run.upperBound])
        while let row = try cursor.next() {
          let report = TurbulenceReport(row)
          if query.admits(report), walk.contains(report.cell) { body(report) }
        }
      }
    }
  }
}

extension TurbulenceReport {
  /// What is compared to choose one report of a cell.
  @inline(__always)
  fileprivate var rank: (UInt8, UInt16, UInt32, UInt8) { (severityCode, edrE4, observedAt, altitude) }
}

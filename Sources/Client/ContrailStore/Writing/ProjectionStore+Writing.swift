package import ContrailCore
import ContrailGeodesy
import ContrailWire
import GRDB

extension ProjectionStore {
  /// Writes a change and its log position in one transaction.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - position: The log position after the change.
  /// - Throws: ``StoreError``; the change is then not written. ``StoreError/Code/outOfStep`` if the change doesn't
  ///   start from the contents of the store or isn't newer. In that case call ``catchUp(with:through:)``.
  /// - Complexity: O(*c* log *n*) for *c* changed records among *n* held records.
  package func apply(_ change: StoreChange, through position: LogPosition) throws(StoreError) {
    try write("writing a change") { db in
      if let held = try LogPosition.fetch(db), held.seq >= position.seq {
        throw StoreError(
          .outOfStep, file: path,
          reason: "the change ends at seq \(position.seq), but the store is already at seq \(held.seq)")
      }
      try ChangeWriter(db: db, path: path).write(change)
      try position.save(db, serverOffsetMS: change.serverOffsetMS)
    }
  }

  /// Compares the store with a state and writes the differences in one transaction.
  ///
  /// - Parameters:
  ///   - state: The state to store.
  ///   - position: The log position of the state.
  /// - Returns: The change that was written.
  /// - Throws: ``StoreError``. If the rows don't match their digests (see ``verify()``), the error can be
  ///   ``StoreError/Code/outOfStep``. In that case call ``rebuild(from:through:)``.
  /// - Complexity: O(rows) to read and O(differences) to write.
  @discardableResult
  package func catchUp(with state: State, through position: LogPosition) throws(StoreError) -> StoreChange {
    try write("catching up") { db in
      let change = StoreChange(from: try StoredContents(db), to: state)
      try ChangeWriter(db: db, path: path).write(change)
      try position.save(db, serverOffsetMS: change.serverOffsetMS)
      return change
    }
  }

  /// Deletes all rows without reading them and writes the rows of a state, in one transaction.
  ///
  /// - Parameters:
  ///   - state: The state to store.
  ///   - position: The log position of the state.
  /// - Throws: ``StoreError``.
  /// - Complexity: O(*n* log *n*).
  package func rebuild(from state: State, through position: LogPosition) throws(StoreError) {
    try write("rebuilding") { db in
      for table in ChangeWriter.tables + ["cells", "position"] { try db.execute(sql: "DELETE FROM \(table)") }
      let change = StoreChange(from: State(), to: state)
      try ChangeWriter(db: db, path: path).write(change)
      try position.save(db, serverOffsetMS: change.serverOffsetMS)
    }
  }
}

/// Writes a change as rows, and throws an error if it doesn't match the existing rows.
private struct ChangeWriter {
  let db: Database
  let path: String

  /// The tables with a `scope` column.
  static let tables = ["reportRows", "reportBlocks", "pirepRows", "trafficRows", "documentRows", "scopeRows"]

  func write(_ change: StoreChange) throws {
    for scope in change.scopes { try write(scope) }
  }

  private func write(_ change: StoreChange.ScopeChange) throws {
    let held = try ScopeSummary.fetch(db, change.id)
    guard held?.summary == change.before else {
      throw outOfStep(change.id, "holds other records than the change starts from")
    }
    guard let after = change.after else {
      if let held { try forget(held.key) }
      return
    }
    if held == nil, let key = try ScopeSummary.unreadableKey(db, change.id) { try forget(key) }
    let key = try after.save(db, key: held?.key)
    try write(change.reports, of: change, key)
    try write(change.pireps, of: change, key)
    if let traffic = change.traffic { try write(traffic, key) }
    if let polygons = change.polygons { try write(polygons, key) }
  }

  private func forget(_ key: Int64) throws {
    let cells = try CellRows.cells(db, key: key)
    for table in Self.tables {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE scope = ?").execute(arguments: [key])
    }
    try CellRows.removeUnused(cells, db)
  }

  private func write(
    _ difference: RecordDifference<TurbulenceReport>, of change: StoreChange.ScopeChange, _ key: Int64
  ) throws {
    let removed = difference.removed.sortedByPlace
    if !removed.isEmpty {
      let before = db.totalChangesCount
      if removed.count == change.before?.reportCount {
        try db.cachedStatement(sql: "DELETE FROM reportRows WHERE scope = ?").execute(arguments: [key])
      } else {
        let delete = try db.cachedStatement(
          sql: "DELETE FROM reportRows WHERE scope = ? AND packed = ? AND observedAt = ?")
        for report in removed { try delete.execute(report, key) }
      }
      guard db.totalChangesCount - before == removed.count else {
        throw outOfStep(change.id, "doesn't hold the reports that the change removes")
      }
    }
    let added = difference.added.sortedByPlace
    if !added.isEmpty {
      let before = db.totalChangesCount
      let insert = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO reportRows (scope, packed, observedAt) VALUES (?, ?, ?)")
      for report in added { try insert.execute(report, key) }
      guard db.totalChangesCount - before == added.count else {
        throw outOfStep(change.id, "already holds reports that the change adds")
      }
      try CellRows.add(added, db)
    }
    try CellRows.removeUnused(removed.map(\.cell), db)
    try ReportBlocks.write(difference, held: change.heldReports, db, key: key)
  }

  private func write(_ difference: RecordDifference<PIREP>, of change: StoreChange.ScopeChange, _ key: Int64) throws {
    if !difference.removed.isEmpty {
      let delete = try db.cachedStatement(sql: "DELETE FROM pirepRows WHERE scope = ? AND id = ?")
      for pirep in difference.removed {
        try delete.execute(arguments: [key, pirep.id.blob])
        guard db.changesCount == 1 else { throw outOfStep(change.id, "doesn't hold a PIREP that the change removes") }
      }
    }
    guard !difference.added.isEmpty else { return }
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO pirepRows
        (scope, id, latitudeE7, longitudeE7, flightLevel, severity, isUrgent, observedAt, updatedAt, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for pirep in difference.added {
      try insert.execute(arguments: [
        key, pirep.id.blob, pirep.position.latitudeE7, pirep.position.longitudeE7, pirep.flightLevel,
        pirep.severity?.rawValue, pirep.isUrgent, pirep.observedAt, pirep.updatedAt, pirep.text.blob,
      ])
      guard db.changesCount == 1 else { throw outOfStep(change.id, "already holds a PIREP that the change adds") }
    }
  }

  private func write(_ traffic: [TrafficPosition], _ key: Int64) throws {
    try db.cachedStatement(sql: "DELETE FROM trafficRows WHERE scope = ?").execute(arguments: [key])
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO trafficRows
        (scope, ordinal, id, callsign, latitudeE7, longitudeE7, altitudeFeet, groundSpeedKnots, trackDegrees, observedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (ordinal, aircraft) in traffic.enumerated() {
      try insert.execute(arguments: [
        key, ordinal, aircraft.id.blob, aircraft.callsign.blob, aircraft.position.latitudeE7,
        aircraft.position.longitudeE7, aircraft.altitudeFeet, aircraft.groundSpeedKnots, aircraft.trackDegrees,
        aircraft.observedAt,
      ])
    }
  }

  private func write(_ polygons: [UInt8], _ key: Int64) throws {
    if polygons.isEmpty {
      try db.cachedStatement(sql: "DELETE FROM documentRows WHERE scope = ?").execute(arguments: [key])
    } else {
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO documentRows (scope, body) VALUES (?, ?)")
        .execute(arguments: [key, polygons.blob])
    }
  }

  private func outOfStep(_ scope: ScopeID, _ reason: String) -> StoreError {
    StoreError(.outOfStep, file: path, reason: "\(scope.name) \(reason)")
  }
}

extension [TurbulenceReport] {
  /// The reports in primary key order, so that neighbouring rows are written consecutively.
  fileprivate var sortedByPlace: [TurbulenceReport] {
    sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }
  }
}

extension Statement {
  fileprivate func execute(_ report: TurbulenceReport, _ key: Int64) throws {
    try execute(arguments: [key, Int64(report.packed), Int64(report.observedAt)])
  }
}

public import ContrailCore
import ContrailGeodesy
import ContrailWire
import GRDB

extension ProjectionStore {
  /// Writes a change and the line of the log that it goes up to, both or neither.
  ///
  /// - Throws: ``StoreError``; nothing is kept of the change then. ``StoreError/Code/outOfStep`` where the change was made from other
  ///   contents than the store's, or does not go forward: then ``bringLevel(with:through:)``.
  /// - Complexity: O(*c* log *n*) in the records that change, and those that are held.
  public func apply(_ change: StoreChange, through position: LogPosition) throws(StoreError) {
    try write("writing a change") { db in
      if let held = try LogPosition.fetch(db), held.seq >= position.seq {
        throw StoreError(
          .outOfStep, file: path, reason: "the change goes up to seq \(position.seq), the store to seq \(held.seq)")
      }
      try ChangeWriter(db: db, path: path).write(change)
      try position.save(db)
    }
  }

  /// Compares what the store holds with a state and writes what differs, in one transaction.
  ///
  /// - Returns: The change that was needed.
  /// - Throws: ``StoreError``; where ``verify()`` would find fault with the rows, ``StoreError/Code/outOfStep`` is possible too:
  ///   then ``rebuild(from:through:)``.
  /// - Complexity: O(rows) to read, O(what differs) to write.
  @discardableResult
  public func bringLevel(with state: State, through position: LogPosition) throws(StoreError) -> StoreChange {
    try write("bringing the store level") { db in
      let held = try ScopeSummary.fetchAll(db).map { try ScopeContents.fetch(db, key: $0.key, $0.summary) }
      let change = StoreChange(from: held, to: state.scopes.compactMap(ScopeContents.init))
      try ChangeWriter(db: db, path: path).write(change)
      try position.save(db)
      return change
    }
  }

  /// Forgets all rows unread and writes those of a state, in one transaction.
  ///
  /// - Complexity: O(*n* log *n*).
  public func rebuild(from state: State, through position: LogPosition) throws(StoreError) {
    try write("rebuilding") { db in
      for table in ["reports", "pireps", "traffic", "documents", "scopes", "position"] {
        try db.execute(sql: "DELETE FROM \(table)")
      }
      try ChangeWriter(db: db, path: path).write(StoreChange(from: State(), to: state))
      try position.save(db)
    }
  }
}

/// Turns a change into rows, and stops where it does not fit what is there.
private struct ChangeWriter {
  let db: Database
  let path: String

  func write(_ change: StoreChange) throws {
    for scope in change.scopes { try write(scope) }
  }

  private func write(_ change: StoreChange.ScopeChange) throws {
    let held = try ScopeSummary.fetch(db, change.id)
    guard held?.summary == change.before else {
      throw outOfStep(change.id, "holds other records than the change was made from")
    }
    guard let after = change.after else {
      if let held { try forget(held.key) }
      return
    }
    let key = try after.save(db, key: held?.key)
    try write(change.reports, of: change, key)
    try write(change.pireps, of: change, key)
    if let traffic = change.traffic { try write(traffic, key) }
    if let polygons = change.polygons { try write(polygons, key) }
  }

  private func forget(_ key: Int64) throws {
    for table in ["reports", "pireps", "traffic", "documents", "scopes"] {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE scope = ?").execute(arguments: [key])
    }
  }

  private func write(
    _ difference: RecordDifference<TurbulenceReport>, of change: StoreChange.ScopeChange, _ key: Int64
  ) throws {
    let removed = difference.removed.sortedByPlace
    if !removed.isEmpty {
      let before = db.totalChangesCount
      if removed.count == change.before?.reportCount {
        try db.cachedStatement(sql: "DELETE FROM reports WHERE scope = ?").execute(arguments: [key])
      } else {
        let delete = try db.cachedStatement(
          sql: "DELETE FROM reports WHERE scope = ? AND packed = ? AND observedAt = ?")
        for report in removed { try delete.execute(report, key) }
      }
      guard db.totalChangesCount - before == removed.count else {
        throw outOfStep(change.id, "lacks reports that the change removes")
      }
    }
    let added = difference.added.sortedByPlace
    if !added.isEmpty {
      let before = db.totalChangesCount
      let insert = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO reports (scope, packed, observedAt) VALUES (?, ?, ?)")
      for report in added { try insert.execute(report, key) }
      guard db.totalChangesCount - before == added.count else {
        throw outOfStep(change.id, "has reports already that the change adds")
      }
    }
  }

  private func write(_ difference: RecordDifference<PIREP>, of change: StoreChange.ScopeChange, _ key: Int64) throws {
    if !difference.removed.isEmpty {
      let delete = try db.cachedStatement(sql: "DELETE FROM pireps WHERE scope = ? AND id = ?")
      for pirep in difference.removed {
        try delete.execute(arguments: [key, pirep.id.blob])
        guard db.changesCount == 1 else { throw outOfStep(change.id, "lacks a PIREP that the change removes") }
      }
    }
    guard !difference.added.isEmpty else { return }
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO pireps
        (scope, id, latitudeE7, longitudeE7, flightLevel, severity, isUrgent, observedAt, updatedAt, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for pirep in difference.added {
      try insert.execute(arguments: [
        key, pirep.id.blob, pirep.position.latitudeE7, pirep.position.longitudeE7, pirep.flightLevel,
        pirep.severity?.rawValue, pirep.isUrgent, pirep.observedAt, pirep.updatedAt, pirep.text.blob,
      ])
      guard db.changesCount == 1 else { throw outOfStep(change.id, "has a PIREP already that the change adds") }
    }
  }

  private func write(_ traffic: [TrafficPosition], _ key: Int64) throws {
    try db.cachedStatement(sql: "DELETE FROM traffic WHERE scope = ?").execute(arguments: [key])
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO traffic
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
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO documents (scope, body) VALUES (?, ?)")
      .execute(arguments: [key, polygons.blob])
  }

  private func outOfStep(_ scope: ScopeID, _ reason: String) -> StoreError {
    StoreError(.outOfStep, file: path, reason: "\(scope.name) \(reason)")
  }
}

extension [TurbulenceReport] {
  /// In the order of the table's key, so that neighbours are written one after the other.
  fileprivate var sortedByPlace: [TurbulenceReport] {
    sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }
  }
}

extension Statement {
  fileprivate func execute(_ report: TurbulenceReport, _ key: Int64) throws {
    try execute(arguments: [key, Int64(report.packed), Int64(report.observedAt)])
  }
}

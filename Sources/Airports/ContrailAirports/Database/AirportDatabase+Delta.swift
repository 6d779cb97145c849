public import ContrailAirportData
import ContrailGeodesy
import GRDB

extension AirportDatabase {
  /// Applies a delta to the cycle in use, and stages the new cycle in one transaction.
  ///
  /// An unfinished or pending load is discarded. ``activatePending(at:)`` then activates the cycle.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - fingerprint: An identifier of the file, such as its SHA-256.
  /// - Returns: The differences from the cycle in use.
  /// - Throws: ``AirportLoaderError/data(_:)`` with `wrongBase` if the cycle in use isn't the base of the delta, or with
  ///   `wrongDigest` or `damaged` if the delta doesn't give the new cycle; ``AirportLoaderError/store(_:)``. In each case,
  ///   nothing is changed.
  /// - Complexity: O(*n* log *n*) in the airports held.
  @discardableResult
  public func apply(_ delta: AirportDelta, fingerprint: String) throws(AirportLoaderError) -> AirportChanges {
    let comparison: Result<DeltaPlan, AirportDataError>
    do throws(AirportStoreError) {
      comparison = try read("comparing a delta with the cycle in use") { try DeltaPlan.make($0, delta) }
    } catch {
      throw .store(error)
    }
    let plan: DeltaPlan
    switch comparison {
    case .success(let made): plan = made
    case .failure(let error): throw .data(error)
    }
    do throws(AirportStoreError) {
      try AirportLoad.discardUnfinished(self)
      return try write("applying a delta") { db in
        guard try Self.generation(db) == plan.generation else {
          throw AirportStoreError(.busy, file: path, reason: "another cycle was activated in the meantime")
        }
        return try plan.write(db, fingerprint: fingerprint)
      }
    } catch {
      throw .store(error)
    }
  }
}

/// The writes that turn the cycle in use into the new cycle of a delta.
private struct DeltaPlan {
  let generation: Int64
  private let delta: AirportDelta
  /// The keys of the rows in use, by record ID.
  private let keys: [String: Int64]
  private let edits: AirportDelta.Edits
  private let runwayCount: Int

  /// Compares a delta with the rows in use.
  static func make(_ db: Database, _ delta: AirportDelta) throws -> Result<DeltaPlan, AirportDataError> {
    let generation = try AirportDatabase.generation(db)
    guard let (current, _) = try LoadedCycle.fetch(db, generation: generation) else {
      return .failure(
        AirportDataError(.wrongBase, at: 0, "the delta changes cycle \(delta.base), but no cycle is in use"))
    }
    guard current.dataVersion == AirportDatabase.dataVersion else {
      return .failure(AirportDataError(.wrongBase, at: 0, "the airports were stored by another data version"))
    }
    let row = try RowReader(
      db, "SELECT \(AirportDatabase.columns), a.steadyHash FROM airports AS a WHERE \(AirportDatabase.isInUse)",
      [generation])
    var held: [AirportDelta.Held] = []
    held.reserveCapacity(current.airportCount)
    var keys: [String: Int64] = [:]
    while try row.next() {
      let (recordID, variation) = (row.text(1) ?? "", row.real(11))
      keys[recordID] = row.integer(0)
      held.append(
        AirportDelta.Held(
          recordID: recordID, dataSource: row.text(7).flatMap(AirportDataSource.init) ?? .ourAirports,
          coordinate: Coordinate(latitude: row.number(8), longitude: row.number(9)),
          variationDegrees: variation,
          hash: AirportHash(steady: UInt64(bitPattern: row.integer(13)), variationDegrees: variation)))
    }
    do throws(AirportDataError) {
      let edits = try delta.edits(of: held)
      let isKnown = delta.added.contains { keys[$0.recordID] != nil }
      guard !isKnown else { throw AirportDataError(.damaged, at: 0, "an added airport is already in the base") }
      var runways = current.runwayCount
      for (recordID, edit) in edits.edits {
        switch edit {
        case .vary: continue
        case .remove: break
        case .replace(let new): runways += new.runways.count
        }
        if let key = keys[recordID] { runways -= Self.runwayCount(db, of: key) }
      }
      runways += delta.added.reduce(0) { $0 + $1.runways.count }
      let removed = edits.edits.values.count { if case .remove = $0 { true } else { false } }
      try delta.check(airportCount: held.count - removed + delta.added.count, runwayCount: runways)
      return .success(
        DeltaPlan(generation: generation, delta: delta, keys: keys, edits: edits, runwayCount: runways))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the number of runways of an airport. An unreadable table gives 0, and the count then doesn't match.
  private static func runwayCount(_ db: Database, of key: Int64) -> Int {
    let keys = AirportWriter.runwayKeys(of: key)
    let count = try? Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM runways WHERE runway >= ? AND runway < ?"),
      arguments: [keys.lowerBound, keys.upperBound])
    return count.flatMap(\.self) ?? 0
  }

  /// Writes the new cycle as the next generation, within a transaction.
  func write(_ db: Database, fingerprint: String) throws -> AirportChanges {
    let next = generation + 1
    var changes = AirportChanges(added: delta.added.count, unchanged: edits.unchangedCount)
    try AirportLoad.insertCycle(db, next, delta.header, fingerprint: fingerprint)
    var writer = try AirportWriter(db)
    var lastKey = try Int64.fetchOne(db, sql: "SELECT max(airport) FROM airports") ?? 0
    let boundary = keys.values.max() ?? 0
    // Sorted, so that equal deltas write equal rows.
    for (recordID, edit) in edits.edits.sorted(by: { $0.key < $1.key }) {
      guard let key = keys[recordID] else { continue }
      switch edit {
      case .remove:
        changes.removed += 1
        try writer.end(key: key, until: next)
      case .replace(let airport):
        changes.changed += 1
        lastKey += 1
        try writer.insert(airport, AirportHash(airport), key: lastKey, since: next)
        try writer.end(key: key, until: next)
      case .vary(let degrees):
        changes.variationOnly += 1
        try writer.vary(key: key, since: next, degrees: degrees)
      }
    }
    for airport in delta.added {
      lastKey += 1
      try writer.insert(airport, AirportHash(airport), key: lastKey, since: next)
    }
    let indexer = AirportIndexer(db: db, generation: next, boundary: boundary)
    try indexer.indexIdentifiers()
    try indexer.indexNames()
    try indexer.indexPlaces()
    try AirportLoad.completeCycle(
      db, next, changes, airportCount: delta.header.airportCount, runwayCount: runwayCount, digest: delta.digest)
    return changes
  }
}

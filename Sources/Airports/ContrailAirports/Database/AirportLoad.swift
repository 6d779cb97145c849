public import ContrailAirportData
import GRDB

/// A load of one cycle in batches, which can be interrupted after any batch.
///
/// ```swift
/// var load = try database.beginLoad(of: reader, fingerprint: sha256)
/// while try load.step() { show(load.progress) }
/// try database.activatePending(at: now)
/// ```
///
/// Queries don't see the staged airports. After an interruption or a crash, a load of the same file resumes and skips
/// the airports that are already staged. A load of another file discards them.
public struct AirportLoad: Sendable {
  /// The number of airports of the file in one transaction.
  public static let batchCount = 100

  /// The header of the file.
  public let header: AirportCycle
  /// The differences found so far.
  public private(set) var changes = AirportChanges()
  /// The number of processed airports.
  public private(set) var airportCount = 0
  /// The number of transactions that wrote rows.
  public private(set) var transactionCount = 0
  /// Whether the load resumes an interrupted one.
  public let isContinued: Bool
  /// The digest of the processed airports.
  public private(set) var digest = AirportDigest()
  /// Whether everything is staged, so that the cycle can be activated.
  public var isComplete: Bool { stage == .complete }

  private let database: AirportDatabase
  private var reader: AirportReader
  private let generation: Int64
  private var held: HeldAirports
  private var runwayCount = 0
  /// The stage of the load according to the database.
  private var stage: LoadStage
  /// The record IDs to remove, known after the whole file was processed.
  private var removals: [String]?

  private var next: Int64 { generation + 1 }

  init(_ database: AirportDatabase, _ reader: AirportReader, fingerprint: String) throws(AirportLoaderError) {
    self.database = database
    self.reader = reader
    header = reader.header
    do throws(AirportStoreError) {
      let begun = try Self.begin(database, reader.header, fingerprint)
      (generation, stage, isContinued) = (begun.generation, begun.stage ?? .rows, begun.stage != nil)
      let generation = generation
      held = try database.read("reading the held airports") { try HeldAirports($0, generation: generation) }
      held.entries.reserveCapacity(reader.header.airportCount)
    } catch {
      throw .store(error)
    }
  }

  /// The progress, from 0 to 1.
  public var progress: Double {
    if isComplete { return 1 }
    // The steps after the last batch take about a third of the time.
    let rows = header.airportCount == 0 ? 1 : min(1, Double(airportCount) / Double(header.airportCount))
    return removals == nil ? rows * 0.65 : 0.65 + Double(stage.rawValue) * 0.1
  }

  /// Processes the next batch, in one transaction if anything changes.
  ///
  /// - Returns: Whether there is more to do.
  /// - Throws: ``AirportLoaderError``. Airports already staged are kept.
  public mutating func step() throws(AirportLoaderError) -> Bool {
    if isComplete { return false }
    if removals == nil {
      let batch = try nextBatch()
      if !batch.isEmpty {
        try stage(batch)
        return true
      }
      removals = held.entries.filter { !$0.value.isSeen && $0.value.current != nil }.keys.sorted()
    }
    do throws(AirportStoreError) {
      if let removals, changes.removed < removals.count {
        try remove(removals[changes.removed..<min(removals.count, changes.removed + Self.batchCount)])
      } else {
        try finishStage()
      }
    } catch {
      throw .store(error)
    }
    return !isComplete
  }

  private mutating func nextBatch() throws(AirportLoaderError) -> [Airport] {
    var batch: [Airport] = []
    batch.reserveCapacity(Self.batchCount)
    do throws(AirportDataError) {
      while batch.count < Self.batchCount, let airport = try reader.next() { batch.append(airport) }
    } catch {
      throw .data(error)
    }
    return batch
  }

  // MARK: Beginning

  /// Returns the generation in use, and the stage of an interrupted load of the same file if there is one.
  private static func begin(
    _ database: AirportDatabase, _ header: AirportCycle, _ fingerprint: String
  ) throws(AirportStoreError) -> (generation: Int64, stage: LoadStage?) {
    let (generation, begun) = try database.read("checking for an unfinished load") { db in
      let generation = try AirportDatabase.generation(db)
      return (generation, try LoadedCycle.fetch(db, generation: generation + 1))
    }
    if let (cycle, stage) = begun, stage < .complete, cycle.fingerprint == fingerprint, cycle.cycle == header.cycle,
      cycle.dataVersion == AirportDatabase.dataVersion
    {
      return (generation, stage)
    }
    try discardUnfinished(database)
    try database.write("beginning a load") { db in
      try insertCycle(db, generation + 1, header, fingerprint: fingerprint)
    }
    return (generation, nil)
  }

  /// Deletes the rows of an unfinished load, and rows that are no longer in use.
  static func discardUnfinished(_ database: AirportDatabase) throws(AirportStoreError) {
    try database.sweep()
    while try database.write("discarding an unfinished load", { try AirportSweeper.discardStaged($0, limit: 1000) }) {}
  }

  /// Adds a cycle whose load begins.
  static func insertCycle(_ db: Database, _ generation: Int64, _ header: AirportCycle, fingerprint: String) throws {
    try db.execute(
      sql: """
        INSERT INTO airportCycles (
          generation, identifier, effectiveDay, fingerprint, dataVersion, sources, stage, airportCount, runwayCount,
          added, removed, changed, variationOnly, unchanged, digest
        ) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 0, 0, 0, 0, 0, 0)
        """,
      arguments: [
        generation, header.cycle.identifier, header.cycle.effectiveDay.daysSince1970, fingerprint,
        AirportDatabase.dataVersion, LoadedCycle.text(header.sources), header.airportCount,
      ])
  }

  /// Records the result of a load, after which the cycle can be activated.
  static func completeCycle(
    _ db: Database, _ generation: Int64, _ changes: AirportChanges, airportCount: Int, runwayCount: Int,
    digest: AirportDigest
  ) throws {
    try db.execute(
      sql: """
        UPDATE airportCycles SET stage = ?, airportCount = ?, runwayCount = ?, added = ?, removed = ?, changed = ?,
          variationOnly = ?, unchanged = ?, digest = ? WHERE generation = ?
        """,
      arguments: [
        LoadStage.complete.rawValue, airportCount, runwayCount, changes.added, changes.removed, changes.changed,
        changes.variationOnly, changes.unchanged, Int64(bitPattern: digest.value), generation,
      ])
  }

  // MARK: Staging

  /// The required change for one airport.
  private enum Change {
    /// Insert a new row for an airport of the batch.
    case insert(index: Int, AirportHash, key: Int64, ending: Int64?)
    case vary(key: Int64, degrees: Double)
  }

  private mutating func stage(_ batch: [Airport]) throws(AirportLoaderError) {
    var plan: [Change] = []
    for (index, airport) in batch.enumerated() {
      let hash = AirportHash(airport)
      var entry = held.entries[airport.recordID] ?? HeldAirports.Entry()
      guard !entry.isSeen else {
        throw .data(
          AirportDataError(.damaged, at: 0, "two airports have the record ID '\(airport.recordID)'"))
      }
      entry.isSeen = true
      if let change = decide(airport, index, hash, &entry) { plan.append(change) }
      held.entries[airport.recordID] = entry
      digest.add(hash)
      runwayCount += airport.runways.count
    }
    airportCount += batch.count
    guard !plan.isEmpty else { return }
    let next = next
    do throws(AirportStoreError) {
      try database.write("staging airports") { db in
        var writer = try AirportWriter(db)
        for change in plan {
          switch change {
          case .insert(let index, let hash, let key, let ending):
            try writer.insert(batch[index], hash, key: key, since: next)
            if let ending { try writer.end(key: ending, until: next) }
          case .vary(let key, let degrees): try writer.vary(key: key, since: next, degrees: degrees)
          }
        }
      }
    } catch {
      throw .store(error)
    }
    transactionCount += 1
  }

  /// Counts the difference of an airport and returns the change that isn't staged yet.
  private mutating func decide(
    _ airport: Airport, _ index: Int, _ hash: AirportHash, _ entry: inout HeldAirports.Entry
  ) -> Change? {
    if held.isOfThisVersion, let current = entry.current, current.steady == hash.steady {
      if current.variationDegrees == airport.variationDegrees {
        changes.unchanged += 1
        return nil
      }
      if current.variationDegrees != nil, let degrees = airport.variationDegrees {
        changes.variationOnly += 1
        return entry.stagedVariation == degrees ? nil : .vary(key: current.key, degrees: degrees)
      }
    }
    if entry.current == nil { changes.added += 1 } else { changes.changed += 1 }
    // The row, and the end of the row it replaces, were staged before an interruption.
    if entry.staged != nil { return nil }
    held.lastKey += 1
    return .insert(index: index, hash, key: held.lastKey, ending: entry.current?.key)
  }

  private mutating func remove(_ recordIDs: ArraySlice<String>) throws(AirportStoreError) {
    let keys = recordIDs.compactMap { held.entries[$0] }.filter { !$0.isEnding }.compactMap(\.current?.key)
    if !keys.isEmpty {
      let next = next
      try database.write("staging removals") { db in
        var writer = try AirportWriter(db)
        for key in keys { try writer.end(key: key, until: next) }
      }
      transactionCount += 1
    }
    changes.removed += recordIDs.count
  }

  /// Completes the next stage in one transaction.
  private mutating func finishStage() throws(AirportStoreError) {
    let reached = LoadStage(rawValue: stage.rawValue + 1) ?? .complete
    let (next, boundary) = (next, held.boundary)
    let (changes, digest, airports, runways) = (changes, digest, airportCount, runwayCount)
    try database.write("building the search indices") { db in
      let indexer = AirportIndexer(db: db, generation: next, boundary: boundary)
      switch reached {
      case .rows: break
      case .identifiers: try indexer.indexIdentifiers()
      case .names: try indexer.indexNames()
      case .places: try indexer.indexPlaces()
      case .complete:
        try Self.completeCycle(db, next, changes, airportCount: airports, runwayCount: runways, digest: digest)
      }
      try db.execute(
        sql: "UPDATE airportCycles SET stage = ? WHERE generation = ?", arguments: [reached.rawValue, next])
    }
    transactionCount += 1
    stage = reached
  }
}

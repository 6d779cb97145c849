public import ContrailAirportData
import GRDB

/// A cycle in the database, with the result of loading it.
public struct LoadedCycle: Hashable, Sendable {
  /// The cycle.
  public var cycle: AIRACCycle
  /// The sources of the airports.
  public var sources: [AirportSource]
  /// The fingerprint of the loaded file.
  public var fingerprint: String
  /// The ``AirportDatabase/dataVersion`` with which it was loaded.
  public var dataVersion: Int
  /// The differences from the cycle before it.
  public var changes: AirportChanges
  /// The number of airports.
  public var airportCount: Int
  /// The number of runway directions.
  public var runwayCount: Int
  /// The digest of all airports.
  public var digest: AirportDigest

  public init(
    cycle: AIRACCycle, sources: [AirportSource], fingerprint: String, dataVersion: Int, changes: AirportChanges,
    airportCount: Int, runwayCount: Int, digest: AirportDigest
  ) {
    self.cycle = cycle
    self.sources = sources
    self.fingerprint = fingerprint
    self.dataVersion = dataVersion
    self.changes = changes
    self.airportCount = airportCount
    self.runwayCount = runwayCount
    self.digest = digest
  }
}

/// The differences between a cycle and the cycle in use when it was loaded.
public struct AirportChanges: Hashable, Sendable {
  /// Airports that the cycle before doesn't contain.
  public var added: Int
  /// Airports that only the cycle before contains.
  public var removed: Int
  /// Airports that differ in more than the magnetic variation.
  public var changed: Int
  /// Airports that differ only in the magnetic variation.
  public var variationOnly: Int
  /// Airports that are the same.
  public var unchanged: Int

  public init(added: Int = 0, removed: Int = 0, changed: Int = 0, variationOnly: Int = 0, unchanged: Int = 0) {
    self.added = added
    self.removed = removed
    self.changed = changed
    self.variationOnly = variationOnly
    self.unchanged = unchanged
  }
}

extension AirportChanges: CustomStringConvertible {
  public var description: String {
    "\(added) added, \(removed) removed, \(changed) changed, \(variationOnly) in variation only, \(unchanged) unchanged"
  }
}

/// The contents of an airport database.
public struct AirportStatus: Hashable, Sendable {
  /// The cycle in use.
  public var current: LoadedCycle?
  /// A complete cycle that isn't effective yet.
  public var pending: LoadedCycle?
  /// A partially loaded cycle. Loading the same file resumes it.
  public var unfinished: AIRACCycle?

  public init(current: LoadedCycle? = nil, pending: LoadedCycle? = nil, unfinished: AIRACCycle? = nil) {
    self.current = current
    self.pending = pending
    self.unfinished = unfinished
  }
}

extension LoadedCycle {
  /// Returns the cycle of a generation and the stage of its load.
  static func fetch(_ db: Database, generation: Int64) throws -> (LoadedCycle, stage: LoadStage)? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT effectiveDay, fingerprint, dataVersion, sources, stage, airportCount, runwayCount,
          added, removed, changed, variationOnly, unchanged, digest
        FROM airportCycles WHERE generation = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [generation]),
      let cycle = CivilDay(daysSince1970: row[0]).flatMap(AIRACCycle.init(effectiveOn:))
    else { return nil }
    let loaded = LoadedCycle(
      cycle: cycle, sources: sources(row[3]), fingerprint: row[1], dataVersion: row[2],
      changes: AirportChanges(
        added: row[7], removed: row[8], changed: row[9], variationOnly: row[10], unchanged: row[11]),
      airportCount: row[5], runwayCount: row[6],
      digest: AirportDigest(value: UInt64(bitPattern: row[12] as Int64)))
    return (loaded, LoadStage(rawValue: row[4]) ?? .rows)
  }

  /// Encodes sources as one line each, with the time before the name.
  static func text(_ sources: [AirportSource]) -> String {
    sources.map { "\($0.asOf.map(String.init) ?? "-") \($0.name.replacing("\n", with: " "))" }.joined(separator: "\n")
  }

  private static func sources(_ text: String) -> [AirportSource] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? AirportSource(name: String(parts[1]), asOf: Int64(parts[0])) : nil
    }
  }
}

extension AirportDatabase {
  /// Returns the cycles in the database.
  public func status() throws(AirportStoreError) -> AirportStatus {
    try read("reading the status") { db in
      let generation = try Self.generation(db)
      var status = AirportStatus(current: try LoadedCycle.fetch(db, generation: generation)?.0)
      if let (next, stage) = try LoadedCycle.fetch(db, generation: generation + 1) {
        if stage == .complete { status.pending = next } else { status.unfinished = next.cycle }
      }
      return status
    }
  }
}

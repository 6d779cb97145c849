public import ContrailAirportData
import GRDB

/// A cycle that the database holds: what it is, what loading it changed, and what it comes to.
public struct LoadedCycle: Hashable, Sendable {
  /// The cycle.
  public var cycle: AIRACCycle
  /// What the airports were made from.
  public var sources: [AirportSource]
  /// What told the loaded file from others.
  public var fingerprint: String
  /// The ``AirportDatabase/dataVersion`` that it was loaded with.
  public var dataVersion: Int
  /// What the load found, against the cycle before it.
  public var changes: AirportChanges
  /// How many airports.
  public var airportCount: Int
  /// How many runways, each direction by itself.
  public var runwayCount: Int
  /// The sum over all its airports.
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

/// How a cycle's airports differ from those of the cycle that was in use when it was loaded.
public struct AirportChanges: Hashable, Sendable {
  /// Not in the cycle before.
  public var added = 0
  /// No more in this cycle.
  public var removed = 0
  /// Different in more than the variation.
  public var changed = 0
  /// Different in the magnetic variation only.
  public var variationOnly = 0
  /// The same.
  public var unchanged = 0

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

/// What a database of airports holds.
public struct AirportStatus: Hashable, Sendable {
  /// The cycle in use.
  public var current: LoadedCycle?
  /// A cycle that is loaded as a whole and waits to become effective.
  public var pending: LoadedCycle?
  /// A cycle that is loaded in part: a load of the same file goes on from there.
  public var unfinished: AIRACCycle?

  public init(current: LoadedCycle? = nil, pending: LoadedCycle? = nil, unfinished: AIRACCycle? = nil) {
    self.current = current
    self.pending = pending
    self.unfinished = unfinished
  }
}

extension LoadedCycle {
  /// The cycle of a generation, and how far its load has come.
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

  /// Sources in one text: a line each, the time before the name.
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
  /// What is held.
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

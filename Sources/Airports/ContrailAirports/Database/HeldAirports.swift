import ContrailAirportData
import GRDB

/// The row in use and the staged row of each airport, by record ID.
struct HeldAirports {
  /// The key of a row with the hash of its contents.
  struct Row {
    var key: Int64
    var steady: UInt64
    var variationDegrees: Double?
  }

  struct Entry {
    /// The row in use.
    var current: Row?
    /// Whether the end of the row in use is staged.
    var isEnding = false
    /// The staged row, which replaces the row in use or adds an airport.
    var staged: Row?
    /// The staged variation of the row in use.
    var stagedVariation: Double?
    /// Whether the new data contains the airport.
    var isSeen = false
  }

  var entries: [String: Entry] = [:]
  /// The highest key of any row.
  var lastKey: Int64
  /// The highest key in use. Staged keys are higher.
  let boundary: Int64
  /// Whether the rows in use were stored by this data version. Rows of another version are all replaced, whatever they
  /// contain.
  let isOfThisVersion: Bool

  /// - Complexity: O(*n*) in the rows.
  init(_ db: Database, generation: Int64) throws {
    let next = generation + 1
    var variations: [Int64: Double] = [:]
    var stagedVariations: [Int64: Double] = [:]
    let overrides = try GRDB.Row.fetchCursor(
      db, sql: "SELECT airport, since, degrees FROM airportVariations ORDER BY since")
    while let row = try overrides.next() {
      let since: Int64 = row[1]
      if since <= generation { variations[row[0]] = row[2] } else { stagedVariations[row[0]] = row[2] }
    }
    let rows = try GRDB.Row.fetchCursor(
      db, sql: "SELECT airport, since, until, recordID, steadyHash, variationDegrees FROM airports WHERE until > ?",
      arguments: [generation])
    while let row = try rows.next() {
      let (key, since, until): (Int64, Int64, Int64) = (row[0], row[1], row[2])
      let held = Row(
        key: key, steady: UInt64(bitPattern: row[4] as Int64), variationDegrees: variations[key] ?? row[5])
      var entry = entries[row[3] as String] ?? Entry()
      if since <= generation {
        entry.current = held
        entry.isEnding = until == next
        entry.stagedVariation = stagedVariations[key]
      } else {
        entry.staged = held
      }
      entries[row[3] as String] = entry
    }
    let cycle = try LoadedCycle.fetch(db, generation: generation)?.0
    isOfThisVersion = cycle.map { $0.dataVersion == AirportDatabase.dataVersion } ?? true
    lastKey = try Int64.fetchOne(db, sql: "SELECT max(airport) FROM airports") ?? 0
    boundary = entries.values.reduce(0) { max($0, $1.current?.key ?? 0) }
  }
}

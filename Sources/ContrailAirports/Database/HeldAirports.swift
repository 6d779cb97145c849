import ContrailAirportData
import GRDB

/// What a database holds of each airport, in as much as a load needs it: the row in use and the row that was staged, by record ID.
struct HeldAirports {
  /// A row: its key, and the hash of what it holds.
  struct Row {
    var key: Int64
    var steady: UInt64
    var variationDegrees: Double?
  }

  struct Entry {
    /// The row in use.
    var current: Row?
    /// Whether that row's end has been staged.
    var isEnding = false
    /// The row that was staged to follow it, or to come anew.
    var staged: Row?
    /// The variation that was staged for the row in use.
    var stagedVariation: Double?
    /// Whether the data that are loaded have this airport.
    var isSeen = false
  }

  var entries: [String: Entry] = [:]
  /// The highest key of any row.
  var lastKey: Int64 = 0
  /// The highest key of a row in use; what is staged comes after it.
  let boundary: Int64

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
    lastKey = try Int64.fetchOne(db, sql: "SELECT max(airport) FROM airports") ?? 0
    boundary = entries.values.reduce(0) { max($0, $1.current?.key ?? 0) }
  }
}

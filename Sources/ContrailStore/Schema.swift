import GRDB

/// The tables and views, as the steps that lead to them. A step that has shipped is never changed; a new one is added behind it.
struct Schema: Sendable {
  /// One step, known by its name.
  struct Step: Sendable {
    var name: String
    var sql: String
  }

  var steps: [Step]

  /// What SQLite keeps in a store's header, so that another program's database is never taken for one: "CTRL".
  static let applicationID: Int64 = 0x4354_524C

  /// The schema of this version.
  static let current = Schema(steps: [projections, views])

  /// The steps as GRDB takes them; each runs once, in a transaction of its own.
  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for step in steps {
      migrator.registerMigration(step.name) { db in
        try db.execute(sql: step.sql)
        try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
      }
    }
    return migrator
  }
}

/// What a file is, told by its header and its tables.
enum SchemaStatus {
  /// Nothing is in it yet, or not all of the tables of this version.
  case unfinished
  /// Another program's database.
  case foreign
  /// A newer version has added tables.
  case newer
  case current

  /// - Complexity: O(1).
  static func fetch(_ db: Database, _ migrator: DatabaseMigrator) throws -> SchemaStatus {
    guard try Int64.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
      // The migrator's own table is made before the first step.
      let tables = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
      return tables == 0 ? .unfinished : .foreign
    }
    if try migrator.hasBeenSuperseded(db) { return .newer }
    return try migrator.hasCompletedMigrations(db) ? .current : .unfinished
  }
}

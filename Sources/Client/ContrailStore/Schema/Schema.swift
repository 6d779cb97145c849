import GRDB

/// The database schema as a list of migrations. A released migration is never changed; new ones are appended.
struct Schema: Sendable {
  /// A migration, identified by its name.
  struct Step: Sendable {
    var name: String
    var sql: String
  }

  var steps: [Step]

  /// The application ID in the header of a store, "CTRL", which distinguishes it from databases of other programs.
  static let applicationID: Int64 = 0x4354_524C

  /// The schema of this version.
  static let current = Schema(steps: [projections, views, blocks])

  /// The GRDB migrator. Each migration runs once, in its own transaction.
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

/// The kind of a database file, based on its header and tables.
enum SchemaStatus {
  /// The file is empty or lacks some tables of this version.
  case unfinished
  /// The database belongs to another program.
  case foreign
  /// A newer version has added tables.
  case newer
  case current

  /// - Complexity: O(1).
  static func fetch(_ db: Database, _ migrator: DatabaseMigrator) throws -> SchemaStatus {
    guard try Int64.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
      // The migrator creates its own table before the first migration.
      let tables = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
      return tables == 0 ? .unfinished : .foreign
    }
    let applied = try migrator.appliedIdentifiers(db)
    guard applied.isSubset(of: migrator.migrations) else { return .newer }
    return applied.count == migrator.migrations.count ? .current : .unfinished
  }
}

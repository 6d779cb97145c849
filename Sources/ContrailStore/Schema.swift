import GRDB

/// The tables, as the steps that lead to them. A step that has shipped is never changed; a new one is added behind it.
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
  static let current = Schema(steps: [projections])

  /// A report is its 47 packed bits and its time. The cell is the top of the packed bits, so the key itself is the index by place:
  /// all the reports of a cell lie together, and the cells of one parent next to each other.
  ///
  /// Texts are blobs of UTF-8, because SQLite ends a text at a zero character and the wire does not.
  private static let projections = Step(
    name: "1 projections",
    sql: """
      CREATE TABLE position (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        seq INTEGER NOT NULL,
        crc INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE scopes (
        scope INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        asOf INTEGER NOT NULL,
        history INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        reportCount INTEGER NOT NULL,
        pirepCount INTEGER NOT NULL,
        trafficCount INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE reports (
        scope INTEGER NOT NULL,
        packed INTEGER NOT NULL,
        observedAt INTEGER NOT NULL,
        PRIMARY KEY (scope, packed, observedAt)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE pireps (
        scope INTEGER NOT NULL,
        id BLOB NOT NULL,
        latitudeE7 INTEGER NOT NULL,
        longitudeE7 INTEGER NOT NULL,
        flightLevel INTEGER,
        severity INTEGER,
        isUrgent INTEGER NOT NULL,
        observedAt INTEGER NOT NULL,
        updatedAt INTEGER NOT NULL,
        text BLOB NOT NULL,
        PRIMARY KEY (scope, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX pirepsByLatitude ON pireps (scope, latitudeE7);

      CREATE TABLE traffic (
        scope INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        id BLOB NOT NULL,
        callsign BLOB NOT NULL,
        latitudeE7 INTEGER NOT NULL,
        longitudeE7 INTEGER NOT NULL,
        altitudeFeet INTEGER,
        groundSpeedKnots INTEGER,
        trackDegrees INTEGER,
        observedAt INTEGER NOT NULL,
        PRIMARY KEY (scope, ordinal)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX trafficByLatitude ON traffic (scope, latitudeE7);

      CREATE TABLE documents (
        scope INTEGER PRIMARY KEY,
        body BLOB NOT NULL
      ) STRICT;
      """)

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

extension Schema {
  /// The tables of the first version.
  static let projections = Step(
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
}

import ContrailAirportData
import GRDB

/// The database schema as a list of migrations. A released migration is never changed; new ones are appended.
///
/// **Generations.** Each load is a generation, numbered from 1. `airportState` contains the generation in use. A row is
/// valid from generation `since` until before generation `until`. A load writes rows for the next generation, which no
/// query sees until one write to `airportState` activates them. The old cycle therefore stays in use during the whole
/// load, even if the load fails.
enum AirportSchema {
  /// The application ID in the header of the database, "CTRA", which distinguishes it from databases of other programs.
  static let applicationID: Int64 = 0x4354_5241

  /// The `until` of rows without an end.
  static let never = Int64.max

  /// The first migration.
  ///
  /// Texts contain no zero character, which the decoders ensure. The magnetic variation changes at nearly every airport
  /// from one cycle to the next, so changes of it are stored in a separate, narrow table.
  ///
  /// The key of a runway is the key of its airport times 1024 plus its index. Keys are therefore in insertion order.
  ///
  /// The search tables (`airportIdentifiers`, `airportNames`, `airportPlaces`) are filled at the end of a load in their
  /// own sort order, which costs a fraction of filling them row by row. The R*Tree contains the cells of two degrees
  /// that have airports, as three-dimensional boxes around their part of the unit sphere, where the antimeridian and
  /// the poles aren't special.
  private static let airports = """
    CREATE TABLE airportState (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO airportState (one, generation) VALUES (1, 0);

    CREATE TABLE airportCycles (
      generation INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL,
      effectiveDay INTEGER NOT NULL,
      fingerprint TEXT NOT NULL,
      dataVersion INTEGER NOT NULL,
      sources TEXT NOT NULL,
      stage INTEGER NOT NULL,
      airportCount INTEGER NOT NULL,
      runwayCount INTEGER NOT NULL,
      added INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      variationOnly INTEGER NOT NULL,
      unchanged INTEGER NOT NULL,
      digest INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE airports (
      airport INTEGER PRIMARY KEY,
      since INTEGER NOT NULL,
      until INTEGER NOT NULL,
      recordID TEXT NOT NULL,
      locationID TEXT NOT NULL,
      icaoID TEXT,
      iataID TEXT,
      name TEXT NOT NULL,
      city TEXT,
      dataSource TEXT NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      elevationMeters REAL,
      variationDegrees REAL,
      timeZone TEXT,
      longestRunwayMeters REAL,
      cell INTEGER NOT NULL,
      steadyHash INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX airportsEnded ON airports (until) WHERE until < \(never);

    CREATE TABLE airportVariations (
      airport INTEGER NOT NULL,
      since INTEGER NOT NULL,
      degrees REAL NOT NULL,
      PRIMARY KEY (airport, since)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE runways (
      runway INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      trueHeadingDegrees REAL,
      lengthMeters REAL,
      widthMeters REAL,
      surface INTEGER NOT NULL,
      elevationMeters REAL,
      reciprocalName TEXT,
      takeoffRunMeters REAL,
      takeoffDistanceMeters REAL,
      accelerateStopDistanceMeters REAL,
      landingDistanceMeters REAL,
      displacedThresholdMeters REAL,
      gradientPercent REAL,
      endLatitude REAL,
      endLongitude REAL
    ) STRICT;

    CREATE VIRTUAL TABLE airportNames USING fts5 (words, content = '', detail = none, columnsize = 0, tokenize = 'ascii');

    CREATE TABLE airportIdentifiers (
      code TEXT NOT NULL,
      kind INTEGER NOT NULL,
      airport INTEGER NOT NULL,
      PRIMARY KEY (code, kind, airport)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE airportPlaces (
      cell INTEGER NOT NULL,
      airport INTEGER NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      longestRunwayMeters REAL,
      PRIMARY KEY (cell, airport)
    ) STRICT, WITHOUT ROWID;

    CREATE VIRTUAL TABLE airportCells USING rtree (cell, x0, x1, y0, y1, z0, z1);
    """

  /// The GRDB migrator. Each migration runs once, in its own transaction.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 airports") { db in
      try db.execute(sql: airports)
    }
    return migrator
  }
}

import ContrailAirportData
import GRDB

/// The tables, as the steps that lead to them. A step that has shipped is never changed; a new one is added behind it.
///
/// **Generations.** Each load is one, numbered from 1; `state` says which is in use. A row holds from generation `since` on and before
/// `until`. What a load writes is of the generation after the one in use, and seen by nobody, until one write to `state` puts all of
/// it in use at once. So the old cycle stays in use, whole, for as long as a load takes, and whatever becomes of it.
enum AirportSchema {
  /// What SQLite keeps in the header of a database of our own, so that another program's is never taken for one: "CTRA".
  static let applicationID: Int64 = 0x4354_5241

  /// The `until` of what holds until further notice.
  static let never = Int64.max

  /// Texts hold no zero character: those who decode see to it. The variation, which drifts at nearly every airport from one cycle to
  /// the next, has a narrow table of its own for what became of it since the airport's row was written.
  ///
  /// A runway's key is its airport's times 1024 plus its place among the airport's: in the order of writing, and a number.
  ///
  /// What finds airports (`airportIdentifiers`, `airportNames`, `airportPlaces`) is filled at the end of a load, in its own order, at a
  /// fraction of what it would cost row by row. The R*Tree holds no airports but the cells of two degrees that have some, as boxes
  /// around their piece of the unit sphere in three dimensions, where there is neither an antimeridian nor a pole.
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

  /// The steps as GRDB takes them; each runs once, in a transaction of its own.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 airports") { db in
      try db.execute(sql: airports)
    }
    return migrator
  }
}

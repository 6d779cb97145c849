extension Schema {
  /// The tables for the data an app shows, and the views for other programs.
  ///
  /// The migration doesn't copy older contents. The store then counts as empty and is rebuilt from the log.
  ///
  /// A report consists of 47 packed bits and its time. The cell is stored in the highest bits, so the primary key is
  /// also the spatial index: the reports of a cell are adjacent, and so are the cells of one parent. SQL can't compute
  /// the centre of a cell, so `cells` stores it once per cell.
  ///
  /// Texts are UTF-8 blobs, because SQLite ends a text at a zero character, which texts on the wire may contain. The
  /// views use only SQL that SQLite and DuckDB have in common, because DuckDB executes the view definitions itself. No
  /// column name is a DuckDB keyword, such as `asOf`.
  static let views = Step(
    name: "2 views",
    sql: """
      DROP TABLE position;
      DROP TABLE scopes;
      DROP TABLE reports;
      DROP TABLE pireps;
      DROP TABLE traffic;
      DROP TABLE documents;

      CREATE TABLE position (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        seq INTEGER NOT NULL,
        crc INTEGER NOT NULL,
        serverOffsetMS INTEGER
      ) STRICT;

      CREATE TABLE scopeRows (
        scope INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        answeredAt INTEGER NOT NULL,
        history INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        reportCount INTEGER NOT NULL,
        pirepCount INTEGER NOT NULL,
        trafficCount INTEGER NOT NULL,
        lastSuccessAt INTEGER,
        want TEXT,
        wantTypes INTEGER,
        wantSeverities INTEGER,
        wantLower INTEGER,
        wantUpper INTEGER,
        wantHistory INTEGER,
        latitudeE4 INTEGER,
        longitudeE4 INTEGER
      ) STRICT;

      CREATE TABLE reportRows (
        scope INTEGER NOT NULL,
        packed INTEGER NOT NULL,
        observedAt INTEGER NOT NULL,
        PRIMARY KEY (scope, packed, observedAt)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE cells (
        cell INTEGER PRIMARY KEY,
        h3 TEXT NOT NULL,
        latitudeE7 INTEGER,
        longitudeE7 INTEGER
      ) STRICT;

      CREATE TABLE pirepRows (
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
      CREATE INDEX pirepRowsByLatitude ON pirepRows (scope, latitudeE7);

      CREATE TABLE trafficRows (
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
      CREATE INDEX trafficRowsByLatitude ON trafficRows (scope, latitudeE7);

      CREATE TABLE documentRows (
        scope INTEGER PRIMARY KEY,
        body BLOB NOT NULL
      ) STRICT;

      CREATE VIEW moment AS
      SELECT seq, crc, serverOffsetMS AS server_offset_ms FROM position;

      CREATE VIEW scopes AS
      SELECT
        name AS scope, answeredAt AS as_of, history AS history_seconds, lastSuccessAt AS last_success_ms,
        reportCount AS report_count, pirepCount AS pirep_count, trafficCount AS traffic_count, digest,
        CASE WHEN want IS NULL THEN 0 ELSE 1 END AS is_wanted, wantHistory AS wanted_history_seconds,
        wantLower * 1000 AS wanted_lowest_feet, wantUpper * 1000 AS wanted_highest_feet
      FROM scopeRows;

      CREATE VIEW turbulence AS
      SELECT
        s.name AS scope, c.h3 AS cell_h3, c.latitudeE7 / 1e7 AS latitude, c.longitudeE7 / 1e7 AS longitude,
        ((r.packed >> 19) & 63) * 1000 AS altitude_feet, (r.packed >> 16) & 7 AS severity,
        CASE (r.packed >> 16) & 7
          WHEN 0 THEN 'none' WHEN 1 THEN 'light' WHEN 2 THEN 'lightModerate' WHEN 3 THEN 'moderate'
          ELSE 'moderateSevere' END AS severity_name,
        (r.packed & 65535) / 1e4 AS edr, r.observedAt AS observed_at, r.observedAt + s.wantHistory AS shown_until
      FROM reportRows r JOIN scopeRows s ON s.scope = r.scope JOIN cells c ON c.cell = (r.packed >> 25)
      WHERE (s.wantTypes & 1) <> 0 AND ((s.wantSeverities >> ((r.packed >> 16) & 7)) & 1) <> 0
        AND ((r.packed >> 19) & 63) BETWEEN s.wantLower AND s.wantUpper;

      CREATE VIEW pireps AS
      SELECT
        s.name AS scope, CAST(p.id AS TEXT) AS id, p.latitudeE7 / 1e7 AS latitude, p.longitudeE7 / 1e7 AS longitude,
        p.flightLevel * 100 AS altitude_feet, p.severity AS severity,
        CASE p.severity
          WHEN 0 THEN 'none' WHEN 1 THEN 'light' WHEN 2 THEN 'lightModerate' WHEN 3 THEN 'moderate'
          WHEN 4 THEN 'moderateSevere' END AS severity_name,
        p.isUrgent AS is_urgent, p.observedAt AS observed_at, p.updatedAt AS updated_at,
        p.observedAt + s.wantHistory AS shown_until, CAST(p.text AS TEXT) AS text
      FROM pirepRows p JOIN scopeRows s ON s.scope = p.scope
      WHERE (s.wantTypes & 2) <> 0;

      CREATE VIEW traffic AS
      SELECT
        s.name AS scope, CAST(t.id AS TEXT) AS id, CAST(t.callsign AS TEXT) AS callsign,
        t.latitudeE7 / 1e7 AS latitude, t.longitudeE7 / 1e7 AS longitude, t.altitudeFeet AS altitude_feet,
        t.groundSpeedKnots AS ground_speed_knots, t.trackDegrees AS track_degrees, t.observedAt AS observed_at,
        t.observedAt + 300 AS shown_until
      FROM trafficRows t JOIN scopeRows s ON s.scope = t.scope
      WHERE (s.wantTypes & 4) <> 0;

      CREATE VIEW turbulence_polygons AS
      SELECT
        s.name AS scope, s.history AS history_seconds, s.answeredAt AS as_of, s.answeredAt + s.wantHistory AS shown_until,
        CAST(d.body AS TEXT) AS geojson
      FROM documentRows d JOIN scopeRows s ON s.scope = d.scope
      WHERE (s.wantTypes & 8) <> 0;

      CREATE VIEW weather AS
      SELECT
        s.name AS scope, s.latitudeE4 / 1e4 AS latitude, s.longitudeE4 / 1e4 AS longitude, s.answeredAt AS as_of,
        s.lastSuccessAt AS last_success_ms, CAST(d.body AS TEXT) AS json
      FROM documentRows d JOIN scopeRows s ON s.scope = d.scope
      WHERE s.latitudeE4 IS NOT NULL AND s.want IS NOT NULL;
      """)
}

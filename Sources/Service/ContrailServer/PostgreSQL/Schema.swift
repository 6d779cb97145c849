#if PostgreSQL
  /// The tables of a database that services share, in a schema of their own.
  ///
  /// `head` has one row, whose lock orders all lines: a position is visible only when all before it are. `told` is the time of
  /// ``SharedPage/Time/horizon``: a full second that some service has been told, so that no further line may have an earlier time, even
  /// if the clock of the database is set back.
  enum Schema {
    /// The version of the tables.
    static let version: Int64 = 1
    static let service = "contrail live service"

    /// Two numbers that name an advisory lock of this database.
    static let creationLock = "1131376210, 1"
    static let pollerLock = "1131376210, 2"

    /// Settings of each connection. The server ends a session whose other end doesn't answer, and with it the poller's lock.
    static let settings = """
      SET client_min_messages = warning; SET search_path = pg_catalog; SET lock_timeout = '5s';
      SET idle_in_transaction_session_timeout = '30s'; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2;
      SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000; SET statement_timeout = '60s';
      SET default_transaction_isolation = 'read committed'
      """

    /// Settings of the connection of the reader, which asks each second. If a proxy keeps the connection of an instance open that is cut off, the
    /// database ends the session after ten seconds, and the lock of the poller is free.
    static let readerSettings = """
      SET synchronous_commit = off;
      SELECT set_config(name, '10s', false) FROM pg_settings WHERE name = 'idle_session_timeout';
      LISTEN contrail
      """

    /// A line that is acknowledged is on stable storage.
    static let durable = """
      SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') IN ('off', 'local')
      """

    static let server = """
      SELECT pg_is_in_recovery(), current_setting('server_encoding'), current_setting('server_version_num'),
        current_setting('fsync')
      """

    /// Whether the schema and its table exist, and the numbers of relations in the schema and of tables elsewhere.
    static let contents = """
      SELECT to_regnamespace('contrail') IS NOT NULL, to_regclass('contrail.about') IS NOT NULL,
        count(*) FILTER (WHERE n.nspname = 'contrail'),
        count(*) FILTER (WHERE n.nspname <> 'contrail' AND c.relkind IN ('r', 'p'))
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      """

    static let about = "SELECT service, version, beginning FROM contrail.about"

    static let creation = """
      CREATE SCHEMA IF NOT EXISTS contrail;
      CREATE TABLE contrail.about (service text NOT NULL, version bigint NOT NULL, beginning bigint NOT NULL);
      CREATE TABLE contrail.head (
        position bigint NOT NULL, at bigint NOT NULL, told bigint NOT NULL, total bigint NOT NULL
      ) WITH (fillfactor = 20);
      CREATE TABLE contrail.line (
        position bigint PRIMARY KEY, at bigint NOT NULL, total bigint NOT NULL, kind text NOT NULL, payload text NOT NULL
      );
      CREATE TABLE contrail.snapshot (
        position bigint, part bigint, payload text NOT NULL, PRIMARY KEY (position, part)
      );
      INSERT INTO contrail.about
        VALUES ('\(service)', \(version), floor(extract(epoch FROM clock_timestamp())));
      INSERT INTO contrail.head SELECT 0, beginning * 1000, 0, 0 FROM contrail.about;

      CREATE FUNCTION contrail.clock() RETURNS bigint LANGUAGE sql VOLATILE AS
        $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

      CREATE FUNCTION contrail.append(kinds text[], payloads text[]) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        latest contrail.head;
        bytes bigint;
      BEGIN
        SELECT * INTO STRICT latest FROM contrail.head FOR UPDATE;
        latest.at := greatest(latest.at, latest.told, contrail.clock());
        INSERT INTO contrail.line
          SELECT latest.position + number, latest.at,
            latest.total + sum(octet_length(payload)) OVER (ORDER BY number), kind, payload
          FROM unnest(kinds, payloads) WITH ORDINALITY AS line (kind, payload, number);
        SELECT sum(octet_length(payload)) INTO bytes FROM unnest(payloads) AS payload;
        UPDATE contrail.head
          SET position = latest.position + cardinality(kinds), at = latest.at, total = latest.total + bytes;
        PERFORM pg_notify('contrail', '');
        RETURN latest.position + cardinality(kinds);
      END $$;

      CREATE FUNCTION contrail.tell(OUT final bigint, OUT now bigint, OUT horizon bigint) LANGUAGE plpgsql AS $$
      DECLARE
        latest contrail.head;
      BEGIN
        SELECT * INTO STRICT latest FROM contrail.head FOR UPDATE;
        now := greatest(contrail.clock(), latest.told);
        final := latest.position;
        horizon := now - now % 1000;
        IF horizon > latest.told THEN UPDATE contrail.head SET told = horizon; END IF;
      END $$;

      CREATE FUNCTION contrail.store(through bigint, parts text[]) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO contrail.snapshot
          SELECT through, number, payload FROM unnest(parts) WITH ORDINALITY AS part (payload, number)
          ON CONFLICT DO NOTHING;
        DELETE FROM contrail.snapshot WHERE position NOT IN
          (SELECT DISTINCT position FROM contrail.snapshot ORDER BY position DESC LIMIT 2);
      END $$;

      CREATE FUNCTION contrail.retain(before bigint, most bigint, count bigint) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        removed bigint;
      BEGIN
        DELETE FROM contrail.line WHERE position IN (
          SELECT position FROM (
            SELECT position, at, total FROM contrail.line
            WHERE position <= (SELECT min(position) FROM contrail.snapshot)
            ORDER BY position LIMIT count) AS oldest
          WHERE at < before OR total <= (SELECT total FROM contrail.head) - most);
        GET DIAGNOSTICS removed = ROW_COUNT;
        RETURN removed;
      END $$
      """

    static let append = "SELECT contrail.append($1, $2)"
    static let tell = "SELECT final, now, horizon FROM contrail.tell()"
    static let lock = "SELECT pg_try_advisory_lock(\(pollerLock))"
    static let pageLines = 500
    /// At most ``pageLines`` lines, and 16 MiB beyond the first.
    static let lines = """
      SELECT position, at, kind, payload FROM (
        SELECT *, first_value(total) OVER (ORDER BY position) AS first FROM (
          SELECT * FROM contrail.line WHERE position > $1::bigint ORDER BY position LIMIT \(pageLines)) AS next) AS next
      WHERE total <= first + 16777216 ORDER BY position
      """
    static let snapshot = """
      SELECT position, payload FROM contrail.snapshot
      WHERE position = (SELECT max(position) FROM contrail.snapshot) ORDER BY part
      """
    static let store = "SELECT contrail.store($1, $2)"
    static let retain = "SELECT contrail.retain($1, $2, 5000)"
  }
#endif

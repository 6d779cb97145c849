"""Replays the corridor responses of a log with Python.

  fold.py orjson FILE REPETITIONS   orjson and a dictionary; expired reports are removed after each response
  fold.py duckdb FILE REPETITIONS   one query with DuckDB's read_json

Prints the median time in nanoseconds, the number of reports held at the end and their checksum. The checksum is computed once at
the end and not timed, because a digest per report would double Python's time.
"""

import statistics
import sys
import time

HISTORY = 7200
MASK = (1 << 64) - 1


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def checksum(reports):
    total = 0
    for cell, altitude, severity, edr, observed_at in reports:
        word = observed_at << 32 | round(edr * 10_000) << 16 | altitude << 8 | severity
        total += mix((mix(int(cell, 16)) + word) & MASK)
    return total & MASK


def with_orjson(path):
    import orjson

    held = {}
    with open(path, "rb") as lines:
        for line in lines:
            event = orjson.loads(line)
            if event["kind"] != "response.received" or event["status"] != 200:
                continue
            data = event["body"]["data"]
            limit = data["lastUpdatedAt"] - HISTORY
            if "follows" not in data:
                held = {}
            for report in data["hexagons"]:
                key = (report["id"], report["alt"], report["sev"], report["edr"], report["observedAt"])
                held[key] = report["observedAt"]
            held = {key: second for key, second in held.items() if second > limit}
            if len(held) != data["count"]:
                sys.exit("the held reports don't match a response")
    return list(held)


def with_duckdb(path):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(
        """
        CREATE TABLE report AS
        SELECT body.data.lastUpdatedAt AS token, unnest(body.data.hexagons) AS hexagon
        FROM read_json(?, format = 'newline_delimited', maximum_object_size = 67108864, columns = {
          kind: 'VARCHAR', status: 'INTEGER',
          body: 'STRUCT(data STRUCT("lastUpdatedAt" BIGINT, hexagons
            STRUCT(id VARCHAR, alt UTINYINT, sev UTINYINT, edr DOUBLE, "observedAt" BIGINT)[]))'})
        WHERE kind = 'response.received' AND status = 200
        """,
        [path],
    )
    return connection.execute(
        """
        SELECT DISTINCT hexagon.id, hexagon.alt, hexagon.sev, hexagon.edr, hexagon.observedAt
        FROM report WHERE hexagon.observedAt > (SELECT max(token) FROM report) - ?
        """,
        [HISTORY],
    ).fetchall()


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("orjson", "duckdb"):
        sys.exit(__doc__)
    fold = with_orjson if sys.argv[1] == "orjson" else with_duckdb
    times = []
    for _ in range(int(sys.argv[3])):
        start = time.perf_counter_ns()
        reports = fold(sys.argv[2])
        times.append(time.perf_counter_ns() - start)
    print(round(statistics.median(times)), len(reports), f"{checksum(reports):016x}")


main()

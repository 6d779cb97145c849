"""Runs the queries of StoreBench with SQLite's R*Tree and with DuckDB.

  store.py rtree|duckdb FOLDER

The folder contains StoreBench's reports.csv and query.txt. Prints JSON with counts, and medians in nanoseconds. The results are
the most severe report of each cell, and all reports, in a rectangle.
"""

import csv
import json
import os
import statistics
import sys
import time



def median(runs, body):
    times = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        result = body()
        times.append(time.perf_counter_ns() - start)
    return round(statistics.median(times)), result


def read(folder):
    with open(os.path.join(folder, "query.txt")) as text:
        south, north, west, east = map(int, text.read().split())
    with open(os.path.join(folder, "reports.csv")) as text:
        reports = [tuple(map(int, row)) for row in list(csv.reader(text))[1:]]
    return (south, north, west, east), reports


def with_rtree(folder):
    import sqlite3

    box, reports = read(folder)
    path = os.path.join(folder, "rtree.sqlite")
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    # The coordinates of an R*Tree are 32-bit floats, so results near the edge are checked again.
    database.execute(
        "CREATE VIRTUAL TABLE places USING rtree(id, south, north, west, east, +cell INTEGER, +latitude INTEGER,"
        " +longitude INTEGER, +altitude INTEGER, +severity INTEGER, +edr INTEGER, +observedAt INTEGER)"
    )
    database.executemany(
        "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((i, r[1], r[1], r[2], r[2], *r) for i, r in enumerate(reports)),
    )
    database.commit()
    database.close()
    where = (
        f"south >= {box[0] - 64} AND north <= {box[1] + 64} AND west >= {box[2] - 64} AND east <= {box[3] + 64}"
        f" AND latitude BETWEEN {box[0]} AND {box[1]} AND longitude BETWEEN {box[2]} AND {box[3]}"
    )
    best = (
        "SELECT cell, altitude, severity, edr, observedAt, max(((severity * 4294967296 + observedAt) * 65536 + edr) * 4)"
        f" FROM places WHERE {where} GROUP BY cell"
    )
    every = f"SELECT cell, altitude, severity, edr, observedAt FROM places WHERE {where}"
    database = sqlite3.connect(path)
    hexagons_ns, hexagons = median(101, lambda: database.execute(best).fetchall())
    reports_ns, found = median(101, lambda: database.execute(every).fetchall())
    database.close()

    def open_and_ask():
        again = sqlite3.connect(path)
        rows = again.execute(best).fetchall()
        again.close()
        return rows

    open_ns, _ = median(21, open_and_ask)
    return hexagons_ns, hexagons, reports_ns, found, open_ns, os.path.getsize(path)


def with_duckdb(folder):
    import duckdb

    box, _ = read(folder)
    path = os.path.join(folder, "peer.duckdb")
    database = duckdb.connect(path)
    database.execute("SET threads = 1")
    source = os.path.join(folder, "reports.csv")
    database.execute(f"CREATE TABLE reports AS SELECT * FROM read_csv('{source}') ORDER BY latitude, longitude")
    database.execute("CHECKPOINT")
    database.close()
    where = f"latitude BETWEEN {box[0]} AND {box[1]} AND longitude BETWEEN {box[2]} AND {box[3]}"
    best = (
        "SELECT cell, unnest(arg_max({altitude, severity, edr, observedAt},"
        f" (severity::BIGINT * 4294967296 + observedAt) * 65536 + edr)) FROM reports WHERE {where} GROUP BY cell"
    ).replace("{altitude, severity, edr, observedAt}", "struct_pack(altitude, severity, edr, observedAt)")
    every = f"SELECT cell, altitude, severity, edr, observedAt FROM reports WHERE {where}"
    database = duckdb.connect(path)
    database.execute("SET threads = 1")
    hexagons_ns, hexagons = median(101, lambda: database.execute(best).fetchall())
    reports_ns, found = median(101, lambda: database.execute(every).fetchall())
    database.close()

    def open_and_ask():
        again = duckdb.connect(path)
        again.execute("SET threads = 1")
        rows = again.execute(best).fetchall()
        again.close()
        return rows

    open_ns, _ = median(21, open_and_ask)
    return hexagons_ns, hexagons, reports_ns, found, open_ns, os.path.getsize(path)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("rtree", "duckdb"):
        sys.exit(__doc__)
    ask = with_rtree if sys.argv[1] == "rtree" else with_duckdb
    hexagons_ns, hexagons, reports_ns, found, open_ns, size = ask(sys.argv[2])
    print(
        json.dumps(
            {
                "hexagons": len(hexagons), "reports": len(found), "hexagonsNS": hexagons_ns, "reportsNS": reports_ns,
                "openAndAskNS": open_ns, "bytes": size,
            }
        )
    )


main()

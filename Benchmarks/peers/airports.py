"""Loads the airports of a cycle with Python: lzma, plistlib, sqlite3.

  airports.py FILE            tables, identifiers, full-text index and R*Tree, like Contrail
  airports.py FILE --plain    only tables and their keys

Batches of 100 airports with one transaction each; write-ahead log and synchronous NORMAL, like Contrail. Prints one line per
measurement with its name and nanoseconds, or KiB for rss.
"""

import lzma
import os
import plistlib
import resource
import sqlite3
import sys
import tempfile
import time

TABLES = """
CREATE TABLE airports (airport INTEGER PRIMARY KEY, recordID TEXT, locationID TEXT, icaoID TEXT, name TEXT, city TEXT,
  dataSource TEXT, latitude REAL, longitude REAL, elevation REAL, variation REAL, timeZone TEXT);
CREATE TABLE runways (airport INTEGER, ordinal INTEGER, name TEXT, trueHeading REAL, length REAL, isTurf INTEGER,
  elevation REAL, reciprocalName TEXT, takeoffRun REAL, takeoffDistance REAL, landingDistance REAL,
  PRIMARY KEY (airport, ordinal)) WITHOUT ROWID;
"""
INDICES = """
CREATE INDEX airportsByRecordID ON airports (recordID);
CREATE INDEX airportsByLocationID ON airports (locationID);
CREATE INDEX airportsByICAO ON airports (icaoID);
CREATE VIRTUAL TABLE airportNames USING fts5 (name, city, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE airportPlaces USING rtree (airport, west, east, south, north);
"""


def main():
    path, is_plain = sys.argv[1], "--plain" in sys.argv
    folder = tempfile.mkdtemp()
    start, processor = time.perf_counter_ns(), time.process_time_ns()
    with open(path, "rb") as file:
        unpacked = lzma.decompress(file.read())
    lzma_end = time.perf_counter_ns()
    airports = plistlib.loads(unpacked, fmt=plistlib.FMT_BINARY)["airports"]
    db = sqlite3.connect(os.path.join(folder, "peer.sqlite"), isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.executescript(TABLES if is_plain else TABLES + INDICES)
    for first in range(0, len(airports), 100):
        batch = list(enumerate(airports[first : first + 100], first + 1))
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO airports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (key, a["recordID"], a["locationID"], a.get("ICAO_ID"), a["name"], a.get("city"), a["dataSource"],
                 a["latitude"], a["longitude"], a["elevation"], a["variation"], a.get("timeZone"))
                for key, a in batch
            ],
        )
        db.executemany(
            "INSERT INTO runways VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (key, ordinal, r["name"], r["trueHeading"], r["length"], r["isTurf"], r.get("elevation"),
                 r.get("reciprocalName"), r.get("takeoffRun"), r.get("takeoffDistance"), r.get("landingDistance"))
                for key, a in batch
                for ordinal, r in enumerate(a["runways"])
            ],
        )
        if not is_plain:
            db.executemany(
                "INSERT INTO airportNames (rowid, name, city) VALUES (?, ?, ?)",
                [(key, a["name"], a.get("city")) for key, a in batch],
            )
            db.executemany(
                "INSERT INTO airportPlaces VALUES (?, ?, ?, ?, ?)",
                [(key, a["longitude"], a["longitude"], a["latitude"], a["latitude"]) for key, a in batch],
            )
        db.execute("COMMIT")
    count = db.execute("SELECT count(*) FROM airports").fetchone()[0]
    end = time.perf_counter_ns()
    print("lzma", lzma_end - start)
    print("load", end - start)
    print("processor", time.process_time_ns() - processor)
    print("rss", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    print("airports", count)
    db.close()
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    os.rmdir(folder)


main()

"""Prints the tables of Scripts/bench.

  tables.py replays FILE          time of 'replay bench --json' for several recordings
  tables.py recordings FILE BYTES LINES LABEL
                                  recordings, replayed and parsed
  tables.py replay FILE           time, count and checksum of 'replay bench --json'
  tables.py folds FILE BYTES      a log of so many bytes, folded by replay and its peers
  tables.py appends FILE          appending
  tables.py store FOLDER          the store and its peers
  tables.py client FOLDER         the client and its peers
"""
import json
import os
import statistics
import sys


def replay(path):
    bench = json.load(open(path))[0]
    if not bench["same"]:
        sys.exit("bench: the replay diverged")
    print(bench["medianNS"], bench["held"], bench["heldChecksum"])


def replays(path):
    bench = json.load(open(path))
    if not all(log["same"] for log in bench):
        sys.exit("bench: a replay diverged")
    print("replay", sum(log["medianNS"] for log in bench))


def recordings(path, size, lines, label):
    names = {
        "replay": "replay: the whole fold", "simdjson": "C++ simdjson DOM: parse only", "orjson": "Python orjson: parse only",
        "duckdb": "DuckDB read_ndjson: envelopes only"}
    times = {}
    lines = int(lines)
    for line in open(path):
        row, time, *count = line.split()
        times.setdefault(row, []).append(int(time))
        if count and int(count[0]) != lines:
            sys.exit(f"bench: {row} found {count[0]} of {lines} lines")
    own = statistics.median(times["replay"])
    print(f"{label:40}{'MEDIAN':>12}{'SPEED':>12}{'LINES A SECOND':>18}{'REPLAY IS':>12}")
    for row, every in times.items():
        median = statistics.median(every)
        print(
            f"{names[row]:40}{median / 1e6:>9.1f} ms{int(size) / median * 1e3:>7.0f} MB/s"
            f"{lines / median * 1e9:>18,.0f}{median / own:>10.2f} ×")


def folds(path, size):
    names = {
        "replay-1": "replay, 1 thread",
        "replay-2": "replay, 2 threads",
        "cxx-buckets": "C++ simdjson, expiry by bucket",
        "cxx-sweep": "C++ simdjson, expiry by sweep",
        "py-duckdb": "DuckDB read_json, 1 thread",
        "py-orjson": "Python orjson",
    }
    times, sums = {}, set()
    for line in open(path):
        row, time, count, checksum = line.split()
        times.setdefault(row, []).append(int(time))
        sums.add((count, checksum))
    if len(sums) != 1:
        sys.exit(f"bench: the counts or checksums differ: {sorted(sums)}")
    own = statistics.median(times["replay-1"])
    print(f"{'':32}{'MEDIAN':>12}{'SPREAD':>12}{'SPEED':>12}{'REPLAY-1 IS':>14}")
    for row, every in times.items():
        median = statistics.median(every)
        spread = statistics.median(abs(time - median) for time in every)
        print(
            f"{names[row]:32}{median / 1e6:>9.1f} ms{spread / 1e6:>9.1f} ms"
            f"{int(size) / median * 1e3:>7.0f} MB/s{median / own:>11.2f} ×"
        )
    ((count, checksum),) = sums
    print(f"all programs hold {count} reports at the end, checksum {checksum}")


def appends(path):
    names = {"contrail": "log, synced each batch", "raw": "write and sync alone", "sqlite": "SQLite, WAL, full sync"}
    runs = {}
    for line in open(path):
        lines, who, *figures = line.split()
        runs.setdefault((int(lines), who), []).append([int(figure) for figure in figures])
    print(f"{'LINES PER BATCH':16}{'':24}{'EVENTS/S':>10}{'OF RAW':>8}{'MEDIAN':>12}{'P99':>12}")
    for (lines, who), figures in runs.items():
        rate, median, high = (statistics.median(column) for column in zip(*figures))
        # The ratio within a round, because other disk activity affects both.
        part = statistics.median(own[0] / raw[0] for own, raw in zip(figures, runs[lines, "raw"]))
        print(f"{lines:<16}{names[who]:24}{rate:>10,.0f}{part:>8.0%}{median / 1e3:>9,.0f} µs{high / 1e3:>9,.0f} µs")


def store(folder):
    names = {"store": "store", "rtree": "SQLite R*Tree, Python", "duckdb": "DuckDB, 1 thread, Python"}
    print(f"{'100,000 REPORTS':26}{'HEXAGONS':>10}{'REPORTS':>10}{'HEXAGONS IN':>14}{'REPORTS IN':>14}{'OPEN AND QUERY':>14}")
    counts = set()
    for key, name in names.items():
        path = os.path.join(folder, key + ".json")
        if not os.path.exists(path):
            continue
        row = json.load(open(path))
        counts.add((row["hexagons"], row["reports"]))
        times = "".join(f"{row[part] / 1e6:>11.2f} ms" for part in ("hexagonsNS", "reportsNS", "openAndAskNS"))
        print(f"{name:26}{row['hexagons']:>10,}{row['reports']:>10,}{times}")
    if len(counts) != 1:
        sys.exit(f"bench: the query results differ: {sorted(counts)}")
    row = json.load(open(os.path.join(folder, "store.json")))
    ours, log = row["launchNS"], row["openLogNS"]
    print(
        f"all shown reports: from the store {ours / 1e6:.1f} ms, from the log's snapshot {log / 1e6:.1f} ms,"
        f" {log / ours:.1f} ×; opening the store for writing {row['openStoreNS'] / 1e6:.1f} ms"
    )


def client(folder):
    names = {"client": "client", "tree": "SQLite R*Tree, GRDB", "array": "array, JSONDecoder"}
    lanes = [json.loads(line) for line in open(os.path.join(folder, "client.json"))]
    launches = [json.loads(line) for line in open(os.path.join(folder, "launches.json"))]
    columns = {"answerNS": "ANSWER OF 200", "firstNS": "FIRST QUERY", "hexagonsNS": "HEXAGONS IN", "reportsNS": "REPORTS IN", "aheadNS": "AHEAD", "profileNS": "PROFILE"}
    print(f"{'A CLIENT, 100,000':20}" + "".join(f"{title:>15}" for title in columns.values()) + f"{'LAUNCH':>12}{'MEMORY':>10}")
    for row in lanes:
        times = "".join(f"{row[column] / 1e6:>12.3f} ms" for column in columns)
        own = [launch for launch in launches if launch["name"] == row["name"]]
        if own:
            launch, memory = (statistics.median(each[key] for each in own) / 1e6 for key in ("launchNS", "bytes"))
            times += f"{launch:>9.1f} ms{memory:>7.1f} MB"
        print(f"{names[row['name']]:20}{times}")
    print(f"\n{'100 LIVE QUERIES':20}{'ANSWERS':>10}{'AFTER EACH':>15}{'99 % WITHIN':>15}{'HEXAGONS':>10}")
    for row in lanes:
        print(f"{names[row['name']]:20}{row['liveCount']:>10,}{row['liveNS'] / 1e6:>12.3f} ms{row['liveHighNS'] / 1e6:>12.3f} ms{row['observed']:>10,}")
    # The boxes of the peers contain the hexagons whose centre is in them; those of the client are queried alike.
    if len({row["observed"] for row in lanes}) != 1:
        sys.exit(f"bench: the results of live queries differ: {sorted({row['observed'] for row in lanes})}")
    # What is ahead isn't compared: the client counts hexagons whose area is in the way, its peers those whose centre is.
    counts = {(row["reports"], row["hexagons"]) for row in lanes}
    if len(counts) != 1:
        sys.exit(f"bench: the query results differ: {sorted(counts)}")


if __name__ == "__main__":
    {function.__name__: function for function in (replay, replays, recordings, folds, appends, store, client)}[sys.argv[1]](*sys.argv[2:])

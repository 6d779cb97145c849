"""Parses every line of some logs in Python, and does nothing else.

  parse.py orjson REPETITIONS FILE…   the files are read before the clock starts
  parse.py duckdb REPETITIONS FILE…   one thread; DuckDB reads the files itself, and the members of each envelope

Prints the median time in nanoseconds and the number of lines.
"""

import statistics
import sys
import time


def with_orjson(paths):
    import orjson

    logs = [open(path, "rb").read() for path in paths]

    def parse():
        count = 0
        for log in logs:
            for line in log.splitlines():
                orjson.loads(line)
                count += 1
        return count

    return parse


def with_duckdb(paths):
    import duckdb

    database = duckdb.connect()
    database.execute("SET threads = 1")
    files = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    columns = "{seq: 'BIGINT', 'at': 'BIGINT', kind: 'VARCHAR', crc: 'VARCHAR'}"
    query = (
        "SELECT count(*), max(seq), min(\"at\"), count(DISTINCT kind), count(crc)"
        f" FROM read_ndjson([{files}], columns = {columns}, maximum_object_size = 100000000)"
    )
    return lambda: database.execute(query).fetchone()[0]


parse = {"orjson": with_orjson, "duckdb": with_duckdb}[sys.argv[1]](sys.argv[3:])
times = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter_ns()
    count = parse()
    times.append(time.perf_counter_ns() - start)
print(int(statistics.median(times)), count)

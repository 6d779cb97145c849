"""Parses every line of some logs in Python with orjson, and does nothing else.

  parse.py REPETITIONS FILE…

The files are read before the clock starts. Prints the median time in nanoseconds and the number of lines.
"""

import statistics
import sys
import time

import orjson

logs = [open(path, "rb").read() for path in sys.argv[2:]]
times = []
for _ in range(int(sys.argv[1])):
    count = 0
    start = time.perf_counter_ns()
    for log in logs:
        for line in log.splitlines():
            orjson.loads(line)
            count += 1
    times.append(time.perf_counter_ns() - start)
print(int(statistics.median(times)), count)

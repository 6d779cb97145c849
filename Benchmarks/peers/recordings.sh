#!/usr/bin/env bash
# Replays recordings, and lets peers do no more than parse the same files, in turn: what users replay.
#
#   Benchmarks/peers/recordings.sh REPLAY ROUNDS WORK LABEL FILE…
#
# REPLAY is the program, WORK a directory for results. Prints a table.
set -euo pipefail
peers=$(cd "$(dirname "$0")" && pwd)
replay=$1 rounds=$2 work=$3 label=$4
shift 4
results=$work/recordings-$RANDOM
rows=(replay)
if packages=$(pkg-config --cflags --libs simdjson 2>/dev/null) &&
  # shellcheck disable=SC2086
  "${CXX:-c++}" -O3 -march=native -DNDEBUG -std=c++17 "$peers/parse.cpp" -o "$work/parse" $packages; then
  rows+=(simdjson)
fi
for package in orjson duckdb; do
  if python3 -c "import $package" 2>/dev/null; then rows+=("$package"); fi
done
for _ in $(seq "$rounds"); do
  for row in "${rows[@]}"; do
    case $row in
      replay)
        "$replay" bench "$@" --threads 1 --repetitions 5 --warm-up 1 --json >"$work/replay.json"
        python3 - "$work/replay.json" >>"$results" <<'END'
import json, sys
bench = json.load(open(sys.argv[1]))
if not all(log["same"] for log in bench): sys.exit("a replay diverged")
print("replay", sum(log["medianNS"] for log in bench))
END
        ;;
      simdjson) echo "simdjson $("$work/parse" 5 "$@")" >>"$results" ;;
      *) echo "$row $(python3 "$peers/parse.py" "$row" 3 "$@")" >>"$results" ;;
    esac
  done
done
python3 - "$results" "$(cat "$@" | wc -c)" "$(cat "$@" | wc -l)" "$label" <<'END'
import statistics, sys

names = {
    "replay": "replay: the whole fold", "simdjson": "C++ simdjson DOM: parse only", "orjson": "Python orjson: parse only",
    "duckdb": "DuckDB read_ndjson: envelopes only"}
times = {}
lines = int(sys.argv[3])
for line in open(sys.argv[1]):
    row, time, *count = line.split()
    times.setdefault(row, []).append(int(time))
    if count and int(count[0]) != lines:
        sys.exit(f"bench: {row} found {count[0]} of {lines} lines")
own = statistics.median(times["replay"])
print(f"{sys.argv[4]:40}{'MEDIAN':>12}{'SPEED':>12}{'LINES A SECOND':>18}{'REPLAY IS':>12}")
for row, all in times.items():
    median = statistics.median(all)
    print(
        f"{names[row]:40}{median / 1e6:>9.1f} ms{int(sys.argv[2]) / median * 1e3:>7.0f} MB/s"
        f"{lines / median * 1e9:>18,.0f}{median / own:>10.2f} ×")
END

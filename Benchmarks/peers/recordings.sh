#!/usr/bin/env bash
# Replays recordings, and parses the same files with other programs, in turn.
#
#   Benchmarks/peers/recordings.sh REPLAY ROUNDS WORK LABEL FILE…
#
# REPLAY is the program, and WORK is a folder for results. Prints a table.
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
        python3 "$peers/tables.py" replays "$work/replay.json" >>"$results"
        ;;
      simdjson) echo "simdjson $("$work/parse" 5 "$@")" >>"$results" ;;
      *) echo "$row $(python3 "$peers/parse.py" "$row" 3 "$@")" >>"$results" ;;
    esac
  done
done
python3 "$peers/tables.py" recordings "$results" "$(cat "$@" | wc -c)" "$(cat "$@" | wc -l)" "$label"

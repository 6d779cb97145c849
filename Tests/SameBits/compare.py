"""Compares what several processors found when they folded the same logs: a file for each processor, a line for each log."""
import json
import os
import sys

ORDER = ["x86-64", "plain", "wasm32", "aarch64"]


def read(path):
    """The outcome and the digest of each log, by its path."""
    found = {}
    with open(path) as file:
        for line in file:
            if line.startswith("{"):
                row = json.loads(line)
                found[row["path"]] = (row["result"] == "same", row["digest"])
            else:
                name, text = line.rstrip("\n").split("\t", 1)
                row = json.loads(text)
                found[name] = (row["isSame"], row["digest"])
    return found


def main(paths, results):
    with open(paths) as file:
        logs = file.read().split("\n")[:-1]
    found = {name: read(os.path.join(results, name)) for name in ORDER if os.path.exists(os.path.join(results, name))}
    reference = found[ORDER[0]]
    failed = False
    print(f"{'PROCESSOR':<12} {'LOGS':>7} {'SAME':>7} {'DIGESTS EQUAL':>14}")
    for name, rows in found.items():
        same = [log for log in logs if rows.get(log, (False, ""))[0]]
        equal = [log for log in logs if log in rows and rows[log][1] == reference[log][1]]
        print(f"{name:<12} {len(rows):>7} {len(same):>7} {len(equal):>14}")
        for log in logs:
            if log not in same or log not in equal:
                failed = True
                print(f"  {log}: {rows.get(log)}, and {reference.get(log)} on {ORDER[0]}")
    sys.exit(1 if failed or not logs else 0)


main(*sys.argv[1:])

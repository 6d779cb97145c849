"""Loads the airports of a cycle alternately with Contrail and with its Python peers, and prints medians: see Scripts/airports-bench."""

import statistics
import subprocess
import sys


def run(command):
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: value for name, value in (line.split(" ", 1) for line in lines)}


def main():
    program, peer, rounds, file, *following = sys.argv[1:]
    commands = {
        "contrail": [program, file, *following],
        "python": [sys.executable, peer, file],
        "python, tables alone": [sys.executable, peer, file, "--plain"],
    }
    answers = {name: [] for name in commands}
    for _ in range(int(rounds)):
        for name, command in commands.items():
            answers[name].append(run(command))

    def median(name, what):
        return statistics.median(int(answer[what]) for answer in answers[name])

    ours = median("contrail", "load")
    lzma = median("contrail", "lzma")
    print(f"{'':22} {'load':>9} {'times ours':>10} {'processor':>10} {'times ours':>10} {'peak memory':>12}")
    for name in commands:
        load, processor = median(name, "load"), median(name, "processor")
        print(
            f"{name:22} {load / 1e6:6.0f} ms {load / ours:10.2f} {processor / 1e6:7.0f} ms"
            f" {processor / median('contrail', 'processor'):10.2f} {median(name, 'rss') / 1024:8.0f} MiB"
        )
    print(f"{'liblzma alone':22} {lzma / 1e6:6.0f} ms: a load takes {ours / lzma:.2f} times as long")
    if following:
        print(f"{'the cycle after':22} {median('contrail', 'next') / 1e6:6.0f} ms")
    for what in ("lookup", "nearest", "search"):
        print(f"{what:22} {median('contrail', what) / 1e3:6.1f} µs")


main()

#!/usr/bin/env python3
"""Runs two programs that print `name<TAB>nanoseconds` alternately, three times each, and prints medians and their ratio.

Usage: side_by_side.py OURS PEER.py
"""
import statistics
import subprocess
import sys


def measure(command):
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split("\t") for line in lines if "\t" in line]
    return {row[0]: float(row[1]) for row in rows}


ours, peer = [], []
for _ in range(3):
    ours.append(measure([sys.argv[1]]))
    peer.append(measure([sys.executable, sys.argv[2]]))
print(f"{'':40}{'ours':>12}{'peer':>12}{'times as fast':>15}")
for name in ours[0]:
    a = statistics.median(run[name] for run in ours)
    others = [run[name] for run in peer if name in run]
    if others:
        b = statistics.median(others)
        print(f"{name:40}{a:12.0f}{b:12.0f}{b / a:15.2f}")
    else:
        print(f"{name:40}{a:12.0f}{'–':>12}{'':>15}")

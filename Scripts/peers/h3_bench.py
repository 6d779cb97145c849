#!/usr/bin/env python3
"""Compares the speed of ContrailH3 and libh3: medians in nanoseconds, and the speedup of ContrailH3.

Usage: h3_bench.py PATH-TO-H3Bench [--rounds N]

H3Bench is an executable in Benchmarks. libh3 is the one in PyPI's h3; the loops around it are C
(h3_bench.c, built here with cc), so that no Python is measured.
"""
import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile

NAMES = """latLngToCell cellToLatLng cellToBoundary cellToParent isValidCell gridDisk maxPolygonToCellsSize polygonToCells
maxPolygonToCellsSizeExperimental polygonToCellsExperimental""".split()


def peer():
    """Runs the C loops in this process with the functions of h3's extension modules."""
    import h3
    from h3._cy import cells, latlng

    # Each module contains its own copy of the part of libh3 that it uses.
    libraries = [ctypes.CDLL(module.__file__) for module in (cells, latlng)]

    def function(name):
        for library in libraries:
            if hasattr(library, name):
                return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        sys.exit(f"this build of h3 {h3.__version__} doesn't export libh3's {name}")

    functions = (ctypes.c_void_p * len(NAMES))(*map(function, NAMES))
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        built = os.path.join(folder, "h3_bench.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", built, os.path.join(here, "h3_bench.c")], check=True)
        ctypes.CDLL(built).run(functions)


def lines(command):
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in out.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", nargs="?", help="the built H3Bench")
    parser.add_argument("--rounds", type=int, default=3, help="the number of alternating rounds")
    parser.add_argument("--peer", action="store_true", help="measure only libh3, in this process")
    given = parser.parse_args()
    if given.peer:
        return peer()
    if not given.bench:
        parser.error("give the path of the built H3Bench")
    ours, theirs = {}, {}
    for _ in range(given.rounds):
        for name, value in lines([given.bench]).items():
            ours.setdefault(name, []).append(value)
        for name, value in lines([sys.executable, os.path.abspath(__file__), "--peer"]).items():
            theirs.setdefault(name, []).append(value)
    print(f"{'':62} {'Contrail':>9} {'libh3':>9} {'times as fast':>14}")
    for name in {**ours, **theirs}:
        a = statistics.median(ours[name]) if name in ours else None
        b = statistics.median(theirs[name]) if name in theirs else None
        ratio = f"{b / a:14.2f}" if a and b else ""
        print(f"{name:62} {'' if a is None else f'{a:9.1f}':>9} {'' if b is None else f'{b:9.1f}':>9} {ratio}".rstrip())


if __name__ == "__main__":
    main()

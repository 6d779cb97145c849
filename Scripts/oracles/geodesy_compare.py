#!/usr/bin/env python3
"""Compares the WGS 84 geodesics of ContrailGeodesy with PyPI's geographiclib.

Usage: geodesy_compare.py PATH-TO-GeodesyCompare [--pairs N] [--seed N]

Pairs of points are generated in four ways: anywhere, close to each other, nearly antipodal, and along meridians, the equator and the
poles. For each pair, the distance is compared, and the direct problem must lead back to the end point. Prints counts and the largest
difference in metres. The exit code is 1 if it exceeds a micrometre.
"""
import argparse
import math
import random
import struct
import subprocess
import sys

from geographiclib.geodesic import Geodesic

LIMIT = 1e-6


def anywhere(rng):
    return math.degrees(math.asin(rng.uniform(-1, 1))), rng.uniform(-180, 180)


def pairs(rng, kind):
    lat, lon = anywhere(rng)
    if kind == "anywhere":
        return (lat, lon, *anywhere(rng))
    if kind == "near each other":
        scale = 10 ** rng.uniform(-8, 0)
        return lat, lon, max(-90, min(90, lat + scale * rng.uniform(-1, 1))), lon + scale * rng.uniform(-1, 1)
    if kind == "nearly antipodal":
        scale = 10 ** rng.uniform(-6, 0)
        return lat, lon, max(-90, min(90, -lat + scale * rng.uniform(-1, 1))), lon + 180 + scale * rng.uniform(-1, 1)
    special = [0, 90, -90, 1e-10, -1e-10, 45, lat]
    return rng.choice(special), lon, rng.choice(special), lon + rng.choice([0, 90, 180, -180, 179.5, rng.uniform(0, 360)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--pairs", type=int, default=25_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    failed = False
    for kind in ["anywhere", "near each other", "nearly antipodal", "meridians, equator, poles"]:
        queries = [pairs(rng, kind) for _ in range(arguments.pairs)]
        data = b"".join(struct.pack("<4d", *query) for query in queries)
        answer = subprocess.run([arguments.tool], input=data, stdout=subprocess.PIPE, check=True).stdout
        worst_distance = worst_closure = 0.0
        for query, (s12, azi1, azi2, lat, lon, _) in zip(queries, struct.iter_unpack("<6d", answer)):
            expected = Geodesic.WGS84.Inverse(*query)
            worst_distance = max(worst_distance, abs(s12 - expected["s12"]))
            back = Geodesic.WGS84.Inverse(lat, lon, query[2], query[3])["s12"]
            worst_closure = max(worst_closure, back)
        bad = not (worst_distance < LIMIT and worst_closure < LIMIT)
        failed = failed or bad
        print(f"{'FAIL' if bad else 'ok':6}{kind:28}{len(queries):>10,}  distance worst {worst_distance:.2e} m  "
              f"direct from inverse, worst {worst_closure:.2e} m")
    sys.exit(1 if failed else 0)


main()

#!/usr/bin/env python3
"""Measures GEOS (through PyPI's shapely) on the routes of Benchmarks/Sources/GeodesyBench; prints `name<TAB>median nanoseconds`.

Needs: pip install shapely
"""

import math
import statistics
import time

import shapely


def vector(lat, lon):
    lat, lon = math.radians(lat), math.radians(lon)
    return (math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat))


def route(is_bent):
    a, b = vector(51.47, -0.45), vector(40.64, -73.78)
    angle = math.acos(sum(p * q for p, q in zip(a, b)))
    points = []
    for index in range(250):
        f = index / 249
        s, t = math.sin((1 - f) * angle), math.sin(f * angle)
        x, y, z = (s * p + t * q for p, q in zip(a, b))
        lat, lon = math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))
        phase = f * 4 - math.floor(f * 4)
        points.append((lon, lat + (1.5 * (1 - abs(2 * phase - 1)) if is_bent else 0)))
    return shapely.LineString(points)


def report(name, body, runs=31, calls=50):
    times = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        for _ in range(calls):
            body()
        times.append((time.perf_counter_ns() - start) / calls)
    print(f"{name}\t{statistics.median(times):.0f}")


def main():
    # Half of 100 NM is 0.833 degrees of latitude. GEOS treats degrees as plane coordinates.
    degrees = 50 / 60.04
    for name, is_bent in (("straight", False), ("bent", True)):
        line = route(is_bent)
        wide = line.buffer(degrees)
        report(f"buffer/{name}", lambda: line.buffer(degrees))
        report(f"simplify/{name}", lambda: wide.simplify(0.01, preserve_topology=True))
        if is_bent:
            ring = shapely.simplify(wide, 0.01)
            shapely.prepare(ring)
            points = [shapely.Point(-75 + i * 0.075, 38 + (i % 40) / 2) for i in range(1000)]
            report("contains (prepared)/1000", lambda: shapely.contains(ring, points), calls=5)
            report("is_valid", lambda: shapely.is_valid(ring))
        print(f"# points: buffer {len(wide.exterior.coords)}, simplified {len(wide.simplify(0.01).exterior.coords)}")


main()

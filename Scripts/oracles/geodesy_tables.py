#!/usr/bin/env python3
"""Generates Tests/Earth/ContrailGeodesyTests/Tables/*.swift with PyPI's geographiclib (pip install geographiclib==2.1).

The generator is seeded, so the tables are always equal. Only the tables are needed to build and test.
"""

import math
import pathlib
import random

from geographiclib.geodesic import Geodesic

EARTH = Geodesic.WGS84
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "ContrailGeodesyTests" / "Tables"


def latitude(rng):
    return round(math.degrees(math.asin(rng.uniform(-1, 1))), 9)


def longitude(rng):
    return round(rng.uniform(-180, 180), 9)


def pairs(rng):
    for _ in range(160):
        yield latitude(rng), longitude(rng), latitude(rng), longitude(rng)
    # Nearly antipodal points: within a degree, exactly antipodal, and along the cut locus.
    for _ in range(120):
        lat, lon = latitude(rng), longitude(rng)
        reach = 10 ** rng.uniform(-9, 0)
        yield lat, lon, -lat + rng.uniform(-reach, reach), lon + 180 + rng.uniform(-reach, reach)
    for _ in range(30):
        lat, lon = latitude(rng), longitude(rng)
        yield lat, lon, -lat, lon + rng.uniform(179, 180)
        yield lat, 0, -lat, 180
    for gap in (0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.6, 0.7, 1):
        yield 0, 0, 0, 180 - gap
        yield 0, 0, gap, 179.5
        yield 30, 0, -30, 180 - gap
    # Short distances, down to nanometres.
    for _ in range(80):
        lat, lon = latitude(rng), longitude(rng)
        reach = 10 ** rng.uniform(-12, 0)
        yield lat, lon, max(-90, min(90, lat + rng.uniform(-reach, reach))), lon + rng.uniform(-reach, reach)
    # Meridians, the equator, equal latitudes, poles.
    for _ in range(20):
        lat, lon = latitude(rng), longitude(rng)
        yield lat, lon, latitude(rng), lon
        yield lat, lon, latitude(rng), lon + 180
        yield 0, lon, 0, longitude(rng)
        yield lat, lon, lat, longitude(rng)
        yield 90, lon, latitude(rng), longitude(rng)
        yield latitude(rng), lon, -90, longitude(rng)
    yield 90, 0, -90, 0
    yield 90, 0, 90, 120
    yield 12, 34, 12, 34
    yield 0, 0, 0, 0


def row(*values):
    return " ".join(repr(float(value)).removesuffix(".0") for value in values)


def inverse_rows():
    rng = random.Random(1)
    for lat1, lon1, lat2, lon2 in pairs(rng):
        lat2 = max(-90, min(90, lat2))
        answer = EARTH.Inverse(lat1, lon1, lat2, lon2)
        yield row(lat1, lon1, lat2, lon2, answer["s12"], answer["azi1"] % 360, answer["azi2"] % 360)


def direct_rows():
    rng = random.Random(2)
    for index in range(240):
        lat, lon, azimuth = latitude(rng), longitude(rng), round(rng.uniform(-180, 360), 6)
        length = round(10 ** rng.uniform(-3, 7.6) if index % 2 else rng.uniform(-2.1e7, 4.2e7), 6)
        if index % 12 == 0:
            azimuth = rng.choice([0, 90, 180, 270, 360])
        if index % 20 == 0:
            lat = rng.choice([0, 90, -90])
        answer = EARTH.Direct(lat, lon, azimuth, length)
        yield row(lat, lon, azimuth, length, answer["lat2"], answer["lon2"], answer["azi2"] % 360)


def area_rows():
    rng = random.Random(3)
    for index in range(60):
        count = rng.randint(3, 9)
        lat, lon = latitude(rng), longitude(rng)
        if index % 6 == 0:
            lat = rng.choice([-88, 88])
        size = 10 ** rng.uniform(2, 6.7)
        turns = sorted(rng.uniform(0, 360) for _ in range(count))
        if index % 2:
            turns.reverse()
        polygon = EARTH.Polygon()
        values = []
        for turn in turns:
            point = EARTH.Direct(lat, lon, turn, size * rng.uniform(0.5, 1))
            corner = (round(point["lat2"], 9), round(point["lon2"], 9))
            polygon.AddPoint(*corner)
            values.extend(corner)
        yield row(polygon.Compute(False, True)[2], *values)


def write(name, doc, rows):
    lines = "\n".join("    " + line for line in rows)
    text = f'// Made by Scripts/oracles/geodesy_tables.py; do not edit.\n\nextension Tables {{\n  /// {doc}\n'
    text += f'  static let {name} = """\n{lines}\n    """\n}}\n'
    path = FOLDER / f"Tables+{name[0].upper()}{name[1:]}.swift"
    path.write_text(text)
    print(f"{path.name}: {len(text)} bytes")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    write("inverse", "lat₁ lon₁ lat₂ lon₂ s₁₂ azi₁ azi₂: degrees and metres.", inverse_rows())
    write("direct", "lat₁ lon₁ azi₁ s₁₂ lat₂ lon₂ azi₂: degrees and metres.", direct_rows())
    write("areas", "Square metres, counter-clockwise positive; then lat lon of each corner.", area_rows())


main()

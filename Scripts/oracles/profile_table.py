#!/usr/bin/env python3
"""Computes profiles of routes in the plainest way, with PROJ's geodesics (PyPI's pyproj 3.7), libh3 (h3 4.5) and numpy.

Usage: profile_table.py [PATH]                  writes Tests/Client/ContrailQueryTests/ProfileTable.swift (default: standard output)
       profile_table.py --compare REPLAY LOG T  compares `REPLAY profile LOG --at T --json` with a fold of the log in this script
       profile_table.py --compare-all REPLAY LOG…  the same for three lines of each log: a third, two thirds, and the last

A route is walked in steps of 0.1 NM, and the distance to the hexagon's centre is measured at each. Each stretch within half the width
is a pass, whose nearest step decides the bin.
"""
import json
import math
import random
import subprocess
import sys

import h3.api.basic_str as h3
import numpy as np
from pyproj import Geod

GEOD = Geod(ellps="WGS84")
NM = 1852.0
STEP = 0.1

ROUTES = [
    ("Atlantic", 40, 10, [(51.47, -0.45), (54, -20), (52, -40), (45, -60), (40.64, -73.78)]),
    ("antimeridian", 60, 10, [(-17.75, 177.45), (-15, 179.5), (-10, -172)]),
    ("over the pole", 80, 25, [(84, 30), (84, -150)]),
    ("there and back", 20, 10, [(10, 0), (12, 1), (10, 0.7)]),
    ("narrow bins", 30, 3, [(-33, 151), (-36, 150), (-37.7, 144.8)]),
]

HEAD = """/// Profiles by `Scripts/oracles/profile_table.py`.
///
/// Lines are
/// - `route` name, width and bin in nautical miles, length in nautical miles, points
/// - `report` index, level, severity, EDR × 10,000, age in seconds
/// - `cell` bin, level, worst severity, highest EDR, severity and EDR of the newest, count, age of the newest
enum ProfileTable {
  static let text = \"\"\"
"""


def walk(route):
    """The distances along a route in steps, and the places there."""
    along, latitudes, longitudes, start = [], [], [], 0.0
    for (a, b), (c, d) in zip(route, route[1:]):
        azimuth, _, length = GEOD.inv(b, a, d, c)
        count = max(2, math.ceil(length / NM / STEP) + 1)
        way = np.linspace(0, length, count)
        lon, lat, _ = GEOD.fwd(np.full(count, b), np.full(count, a), np.full(count, azimuth), way)
        along.append(start + way / NM)
        latitudes.append(lat)
        longitudes.append(lon)
        start += length / NM
    return np.concatenate(along), np.concatenate(latitudes), np.concatenate(longitudes), start


class Route:
    def __init__(self, points, width, bin_nm):
        self.along, self.lat, self.lon, self.length = walk(points)
        self.half, self.bin = width / 2, bin_nm
        self.count = max(1, math.ceil(self.length / bin_nm - 1e-9))
        self.known = {}

    def passes(self, cell):
        """The bins of a cell, and whether it is too near to a limit to tell by steps."""
        if cell not in self.known:
            lat, lon = h3.cell_to_latlng(cell)
            full = np.full(len(self.lat), lat)
            distance = GEOD.inv(self.lon, self.lat, np.full(len(self.lat), lon), full)[2] / NM
            within = distance <= self.half
            edges = np.flatnonzero(np.diff(np.concatenate(([0], within.astype(int), [0]))))
            bins, near = [], bool(abs(distance.min() - self.half) < 0.05)
            for first, end in zip(edges[::2], edges[1::2]):
                nearest = first + int(np.argmin(distance[first:end]))
                place = self.along[nearest] / self.bin
                bins.append(min(int(place), self.count - 1))
                near = near or abs(place - round(place)) * self.bin < 2 * STEP
                near = near or abs(distance[first:end].min() - self.half) < 0.05
            # Two passes may share a bin, in which a report counts once.
            self.known[cell] = [b for i, b in enumerate(bins) if i == 0 or bins[i - 1] != b], near
        return self.known[cell]

    def table(self, reports, now):
        """The cells of the profile: of each bin and level, what `ProfileCell.Reports` holds."""
        found = {}
        for cell, level, severity, edr, observed in reports:
            for b in self.passes(cell)[0]:
                found.setdefault((b, level), []).append((observed, severity, edr))
        for (b, level), all_reports in sorted(found.items()):
            newest = max(all_reports)
            yield (b, level, max(r[1] for r in all_reports), max(r[2] for r in all_reports), newest[1], newest[2],
                   len(all_reports), now - newest[0])


def lines():
    rng = random.Random(42)
    for name, width, bin_nm, points in ROUTES:
        route = Route(points, width, bin_nm)
        yield f"route {name.replace(' ', '-')} {width} {bin_nm} {route.length:.6f} " + ",".join(f"{x!r}" for p in points for x in p)
        reports, now = set(), 1_000_000
        while len(reports) < 110:
            around = rng.randrange(len(route.lat))
            lon, lat, _ = GEOD.fwd(route.lon[around], route.lat[around], rng.uniform(0, 360), rng.uniform(0, 0.7 * width) * NM)
            cell = h3.latlng_to_cell(lat, lon, 5)
            if route.passes(cell)[1]:
                continue
            reports.add((cell, rng.choice([0, 31, 35, 36, 37, 52]), rng.randrange(5), rng.randrange(6000), now - rng.randrange(7200)))
        for cell, level, severity, edr, observed in sorted(reports):
            yield f"report {cell} {level} {severity} {edr} {now - observed}"
        for cell in route.table(reports, now):
            yield "cell " + " ".join(map(str, cell))


def compare(replay, log, at):
    """Prints how a log's profile differs. Returns the number of cells here, and whether none differs; None without a route."""
    told = subprocess.run([replay, "profile", log, "--at", at, "--json"], capture_output=True, text=True)
    if "has no route" in told.stderr or "No profile" in told.stderr:
        return None
    if told.returncode:
        sys.exit(f"{log}: {told.stderr}")
    theirs = json.loads(told.stdout)
    held, asked, history, query = {}, {}, 7200, {}
    wanted = theirs["asOf"]
    for line in open(log):
        event = json.loads(line)
        if event["seq"] > theirs["line"]:
            break
        history = event.get("history", history) if event["kind"] == "history.changed" else history
        if event["kind"] == "fetch.started":
            asked[event["request"]] = (event["scope"], event["mode"])
        query = event["query"] if event["kind"] == "query.changed" else query
        if event["kind"] == "fetch.cancelled":
            asked.pop(event["request"], None)
        # Uploads of own reports have requests, too.
        scope, mode = asked.pop(event["request"], (None, None)) if event["kind"] == "response.received" else (None, None)
        if scope == "corridor" and event["status"] == 200:
            data = event.get("body", {}).get("data", {"hexagons": []})
            if mode == "full":
                held = {}
            for h in data["hexagons"]:
                held[(h["id"], h["alt"], h["sev"], round(h["edr"] * 10_000), h["observedAt"])] = None
    # What the app asks for now hides the rest.
    low, high = query.get("altRange") or (0, 52_000)
    levels = range(max(0, low // 1000), min(52, -(-high // 1000)) + 1)
    reports = {r for r in held if r[4] > wanted - history and r[2] in query.get("sevs", range(5)) and r[1] in levels}
    if "turbulence" not in query.get("types", ["turbulence"]):
        reports = set()
    points = [(p[1], p[0]) for p in theirs["route"]]
    route = Route(points, theirs["widthNM"], theirs["binNM"])
    ours = {cell[:2]: cell for cell in route.table(reports, wanted)}
    near = [r for r in reports if route.passes(r[0])[1]]
    found = {}
    for c in theirs["cells"]:
        if "sev" in c:
            found[(c["bin"], c["alt"])] = (c["bin"], c["alt"], c["sev"], round(c["edr"] * 10_000), c["newestSev"],
                                           round(c["newestEDR"] * 10_000), c["count"], c["age"])
    doubtful = {(b, r[1]) for r in near for n in route.passes(r[0])[0] for b in (n - 1, n, n + 1)}
    wrong = [k for k in set(ours) | set(found) if ours.get(k) != found.get(k) and k not in doubtful]
    print(f"{log} at {at}: {len(reports)} reports, {len(ours)} cells here, {len(found)} there, {len(doubtful)} too near to a limit to tell, {len(wrong)} differ")
    for key in sorted(wrong)[:10]:
        print("  ", ours.get(key), found.get(key))
    return len(ours), not wrong


def compare_all(replay, logs):
    compared = [compare(replay, log, str(seq)) for log in logs for seq in thirds(log)]
    compared = [each for each in compared if each]
    cells, differ = sum(count for count, _ in compared), sum(not equal for _, equal in compared)
    print(f"{len(compared)} profiles with {cells} cells, {differ} differ")
    return 1 if differ or not cells else 0


def thirds(log):
    """The numbers of three lines."""
    with open(log) as file:
        seqs = [json.loads(line)["seq"] for line in file]
    return sorted({seqs[len(seqs) // 3], seqs[2 * len(seqs) // 3], seqs[-1]})


if sys.argv[1:2] == ["--compare"]:
    found = compare(*sys.argv[2:5])
    sys.exit("the app has no route then" if found is None else 0 if found[0] and found[1] else 1)
if sys.argv[1:2] == ["--compare-all"]:
    sys.exit(compare_all(sys.argv[2], sys.argv[3:]))
text = HEAD + "".join(f"    {line}\n" for line in lines()) + '    """\n}\n'
if len(sys.argv) > 1:
    open(sys.argv[1], "w").write(text)
else:
    sys.stdout.write(text)

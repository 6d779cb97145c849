#!/usr/bin/env python3
"""Computes profiles of routes in the plainest way, with PROJ's geodesics (PyPI's pyproj 3.7), libh3 (h3 4.5) and numpy.

Usage: profile_table.py [PATH]                  writes Tests/Client/ContrailQueryTests/ProfileTable.swift (default: standard output)
       profile_table.py --compare REPLAY LOG T [NM]  compares `REPLAY profile LOG --at T --json`, of a width, with a fold of the log here
       profile_table.py --compare-all REPLAY [--width NM] LOG…  the same for three lines of each log: a third, two thirds, and the last

A route is walked in steps of 0.1 NM, and the distance to the hexagon's centre, or to a PIREP, is measured at each. Each stretch within
half the width is a pass, whose nearest step decides the bin. An area covers a bin if its corners go once around the middle of the bin,
as angles in the plane of longitude and latitude, and those of no hole do.
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
/// - `pirep` latitude, longitude, flight level or -, then the level and the bins
/// - `area` severity, base, top, the last two in thousands of feet or -
/// - `ring` the number of a polygon of the area, longitudes and latitudes; a hole if the polygon has a ring already
/// - `over` the lowest and the highest level of the area, and the first and the last bin of each stretch
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


def around(ring, places):
    """Whether a ring goes around places in the plane of longitude and latitude, and how near it comes to each, in degrees."""
    corners = np.array([corner[:2] for corner in ring], dtype=float)[None] - places[:, None]
    ends = np.roll(corners, -1, axis=1)
    cross = corners[..., 0] * ends[..., 1] - corners[..., 1] * ends[..., 0]
    turns = np.arctan2(cross, (corners * ends).sum(axis=2)).sum(axis=1) / (2 * math.pi)
    ways = ends - corners
    share = np.clip(-(corners * ways).sum(axis=2) / np.maximum((ways * ways).sum(axis=2), 1e-30), 0, 1)
    return np.rint(turns) != 0, np.linalg.norm(corners + ways * share[..., None], axis=2).min(axis=1)


class Route:
    def __init__(self, points, width, bin_nm):
        self.along, self.lat, self.lon, self.length = walk(points)
        self.half, self.bin = width / 2, bin_nm
        self.count = max(1, math.ceil(self.length / bin_nm - 1e-9))
        self.known = {}
        ends = [min((b + 1) * bin_nm, self.length) for b in range(self.count)]
        self.middles = np.array([self.place(points, (b * bin_nm + end) / 2) for b, end in enumerate(ends)])

    @staticmethod
    def place(points, along):
        """The longitude and the latitude at a distance along the route."""
        for number, ((a, b), (c, d)) in enumerate(zip(points, points[1:])):
            azimuth, _, length = GEOD.inv(b, a, d, c)
            if along * NM < length or number == len(points) - 2:
                return GEOD.fwd(b, a, azimuth, along * NM)[:2]
            along -= length / NM

    def passes(self, cell):
        """The bins of a cell, and whether it is too near to a limit to tell by steps."""
        return self.beside(*h3.cell_to_latlng(cell))

    def beside(self, lat, lon):
        """The bins of a place, and whether it is too near to a limit to tell by steps."""
        if (lat, lon) not in self.known:
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
            # Two passes may share a bin, in which a record counts once.
            self.known[lat, lon] = [b for i, b in enumerate(bins) if i == 0 or bins[i - 1] != b], near
        return self.known[lat, lon]

    def below(self, polygons):
        """The bins whose middle is in one of the polygons, and those that are too near to a ring to tell."""
        covered, near = np.zeros(self.count, bool), np.zeros(self.count, bool)
        for outer, *holes in filter(None, polygons):
            inside, distance = around(outer, self.middles)
            for hole in holes:
                within, to_hole = around(hole, self.middles)
                inside, distance = inside & ~within, np.minimum(distance, to_hole)
            covered, near = covered | inside, near | (distance < 1e-4)
        return np.flatnonzero(covered).tolist(), set(np.flatnonzero(near).tolist())

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


def pirep_level(flight_level):
    """The nearest level in thousands of feet."""
    return None if flight_level is None else max(0, min(52, math.floor(flight_level / 10 + 0.5)))


def area_levels(base, top):
    """The levels of an area, whose limits are in thousands of feet, or None if they aren't stated."""
    low = max(0, min(52, 0 if base is None else base))
    return low, max(low, min(52, 52 if top is None else top))


def other_records(name, route):
    """The lines of PIREPs and areas near a route, with their bins."""
    rng = random.Random(name)
    count = 0
    while count < 20:
        around_here = rng.randrange(len(route.lat))
        lon, lat, _ = GEOD.fwd(route.lon[around_here], route.lat[around_here], rng.uniform(0, 360), rng.uniform(0, 1.3 * route.half) * NM)
        lat, lon, level = round(lat, 4), round(lon, 4), rng.choice([None, -20, 4, 5, 294, 295, 344, 350, 357, 410, 600])
        bins, near = route.beside(lat, lon)
        if near:
            continue
        count += 1
        shown = ["-" if each is None else str(each) for each in (level, pirep_level(level))]
        yield f"pirep {lat} {lon} {shown[0]} {shown[1]} {' '.join(map(str, bins))}".rstrip()
    shapes = [
        lambda: [[star(rng, route, 2.5)]],
        lambda: [[star(rng, route, 3, 0), star(rng, route, 1, 0)]],
        lambda: [[star(rng, route, 1.5)], [star(rng, route, 1.5)]],
        # An area that the server cut along the antimeridian, and one around the pole.
        lambda: [[box(rng.randint(170, 178), -20, 180, -8)], [box(-180, -20, rng.randint(-178, -171), -8)]],
        lambda: [[box(-180, rng.randint(85, 88), 180, 90)]],
    ]
    for number in range(10):
        polygons = shapes[number % len(shapes)]()
        bins, near = route.below(polygons)
        if near or not bins:
            continue
        base = rng.choice([None, 0, 24, 31, 39])
        top = None if rng.randrange(4) == 0 else rng.choice([44, 52, 60]) if base is None else base + rng.choice([0, 3, 30])
        shown = ["-" if each is None else str(each) for each in (rng.choice([None, 1, 2, 3, 4]), base, top)]
        yield "area " + " ".join(shown)
        for index, rings in enumerate(polygons):
            for ring in rings:
                yield f"ring {index} " + ",".join(f"{x + 0.0:g}" for corner in ring for x in corner)
        low, high = area_levels(base, top)
        stretches = [(b, next(e for e in range(b, bins[-1] + 1) if e + 1 not in bins)) for b in bins if b - 1 not in bins]
        yield f"over {low} {high} " + " ".join(f"{first} {last}" for first, last in stretches)


def star(rng, route, size, most=1.0):
    """A closed ring of seven corners, in degrees, around a place near the route. Without `most`, its centre is that of the route."""
    here = rng.randrange(len(route.lat)) if most else len(route.lat) // 2
    lat, lon = route.lat[here] + most * rng.uniform(-0.3, 0.3), route.lon[here] + most * rng.uniform(-0.3, 0.3)
    turns = [2 * math.pi * (n + rng.uniform(-0.3, 0.3)) / 7 for n in range(7)]
    ring = [
        (round(max(-180, min(180, lon + 2 * size * rng.uniform(0.6, 1) * math.cos(t))), 2),
         round(max(-90, min(90, lat + size * rng.uniform(0.6, 1) * math.sin(t))), 2)) for t in turns
    ]
    return ring + ring[:1]


def box(west, south, east, north):
    """A closed ring of five corners."""
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


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
        yield from other_records(name, route)


class Fold:
    """What an application sees after a line of its log: reports, PIREPs and areas."""

    def __init__(self, log, last):
        self.held = {"corridor": (set(), {}), "viewport": (set(), {})}
        self.areas, self.query, self.history, self.asked = {}, {}, 7200, {}
        for line in open(log):
            event = json.loads(line)
            if event["seq"] > last:
                break
            self.add(event)

    def add(self, event):
        kind = event["kind"]
        if kind == "history.changed":
            self.history = event["history"]
        elif kind == "query.changed":
            self.query = event["query"]
            if "viewport" not in self.query:
                self.held["viewport"] = (set(), {})
        elif kind == "session.started":
            # What the map showed isn't kept across launches.
            self.query.pop("viewport", None)
            self.held["viewport"] = (set(), {})
        elif kind == "fetch.started":
            self.asked[event["request"]] = (event["scope"], event["mode"])
        elif kind == "fetch.cancelled":
            self.asked.pop(event["request"], None)
        elif kind == "response.received":
            # Uploads of own reports have requests, too.
            scope, mode = self.asked.pop(event["request"], (None, None))
            # The page of a portal isn't an answer.
            if event["status"] == 200 and scope and "body" in event:
                self.answer(scope, mode, event["body"])

    def answer(self, scope, mode, body):
        if scope.startswith("global.") and "features" in body:
            self.areas[scope] = body["lastUpdatedAt"], body["features"]
        elif scope in self.held and "hexagons" in body.get("data", {}):
            data = body["data"]
            if mode != "delta":
                self.held[scope] = (set(), {})
            reports, pireps = self.held[scope]
            for h in data["hexagons"]:
                reports.add((h["id"], h["alt"], h["sev"], round(h["edr"] * 10_000), h["observedAt"]))
            for p in data.get("pireps", []):
                if p["updatedAt"] >= pireps.get(p["id"], p)["updatedAt"]:
                    pireps[p["id"]] = p

    def types(self, scope):
        """What the application wants of a scope."""
        types = self.query.get("types", ["turbulence"])
        if scope == "viewport":
            types = self.query.get("viewportTypes", types) if "viewport" in self.query else []
        return types

    def reports(self, now):
        # What the app asks for now hides the rest.
        low, high = self.query.get("altRange") or (None, None)
        levels = range(max(0, (low or 0) // 1000), min(52, -(-(52_000 if high is None else high) // 1000)) + 1)
        severities = self.query.get("sevs", range(5))
        return {r for scope, (reports, _) in self.held.items() if "turbulence" in self.types(scope) for r in reports
                if r[4] > now - self.history and r[2] in severities and r[1] in levels}

    def pireps(self, now):
        found = {}
        for scope, (_, pireps) in self.held.items():
            for pirep in pireps.values() if "pireps" in self.types(scope) else []:
                if pirep["observedAt"] > now - self.history:
                    found[pirep["id"]] = max(pirep, found.get(pirep["id"], pirep), key=lambda p: p["updatedAt"])
        return found.values()

    def features(self, now):
        asked_at, features = self.areas.get(f"global.{self.history}", (0, []))
        return features if "turbulencePolygons" in self.types("corridor") and asked_at > now - self.history else []


def number(value):
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def compare(replay, log, at, width=None):
    """Prints how a log's profile differs. Returns the numbers of cells with reports, PIREPs and areas here, and whether none differs;
    None without a route."""
    arguments = [] if width is None else ["--width", width]
    told = subprocess.run([replay, "profile", log, "--at", at, "--json", *arguments], capture_output=True, text=True)
    if "has no route" in told.stderr or "No profile" in told.stderr:
        return None
    if told.returncode:
        sys.exit(f"{log}: {told.stderr}")
    theirs = json.loads(told.stdout)
    now = theirs["asOf"]
    fold = Fold(log, theirs["line"])
    reports = fold.reports(now)
    route = Route([(p[1], p[0]) for p in theirs["route"]], theirs["widthNM"], theirs["binNM"])

    # The reports.
    ours = {cell[:2]: cell for cell in route.table(reports, now)}
    near = [r for r in reports if route.passes(r[0])[1]]
    found = {}
    for c in theirs["cells"]:
        if "sev" in c:
            found[(c["bin"], c["alt"])] = (c["bin"], c["alt"], c["sev"], round(c["edr"] * 10_000), c["newestSev"],
                                           round(c["newestEDR"] * 10_000), c["count"], c["age"])
    doubtful = {(b, r[1]) for r in near for n in route.passes(r[0])[0] for b in (n - 1, n, n + 1)}

    # The number of PIREPs at each level. One without a level is in no cell.
    pireps, unsure = {}, set()
    for p in fold.pireps(now):
        bins, is_near = route.beside(p["lat"], p["lon"])
        level = pirep_level(p.get("fl"))
        for b in bins:
            if level is not None:
                pireps[b, level] = pireps.get((b, level), 0) + 1
        if is_near:
            unsure |= {(b, level) for n in bins for b in (n - 1, n, n + 1)}
    told_pireps = {(c["bin"], c["alt"]): c["pireps"] for c in theirs["cells"] if c["pireps"]}

    # The highest severity of the areas over each cell, or -1 if none states it.
    areas, uncertain = {}, set()
    for feature in fold.features(now):
        properties, geometry = feature["properties"] or {}, feature["geometry"]
        polygons = geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]
        bins, is_near = route.below(polygons)
        low, high = area_levels(number(properties.get("baseAltitude")), number(properties.get("topAltitude")))
        uncertain |= is_near
        for b in bins:
            for level in range(low, high + 1):
                areas[b, level] = max(areas.get((b, level), -1), properties.get("severity", properties.get("sev", -1)))
    told_areas = {(c["bin"], c["alt"]): c["areaSev"] for c in theirs["cells"] if "areaSev" in c}
    stated = {key: severity for key, severity in areas.items() if severity >= 0}

    wrong = [("reports", k, ours.get(k), found.get(k)) for k in set(ours) | set(found) if ours.get(k) != found.get(k) and k not in doubtful]
    wrong += [("PIREPs", k, pireps.get(k), told_pireps.get(k)) for k in set(pireps) | set(told_pireps)
              if pireps.get(k) != told_pireps.get(k) and k not in unsure]
    wrong += [("areas", k, stated.get(k), told_areas.get(k)) for k in set(stated) | set(told_areas)
              if stated.get(k) != told_areas.get(k) and k[0] not in uncertain]
    # A cell is there if it has one of the three, and only then.
    told_cells = {(c["bin"], c["alt"]) for c in theirs["cells"]}
    skipped = doubtful | unsure | {(b, level) for b in uncertain for level in range(53)}
    wrong += [("cell", k, k in told_cells, k not in told_cells) for k in told_cells ^ (set(ours) | set(pireps) | set(areas)) if k not in skipped]
    print(f"{log} at {at}: {len(reports)} reports; cells with reports {len(ours)}, with PIREPs {len(pireps)}, with areas {len(areas)}; "
          f"{len(skipped)} too near to a limit to tell, {len(wrong)} differ")
    for each in sorted(wrong, key=str)[:10]:
        print("  ", *each)
    return (len(ours), len(pireps), len(areas)), not wrong


def compare_all(replay, arguments):
    width = None
    if arguments[:1] == ["--width"]:
        width, arguments = arguments[1], arguments[2:]
    compared = [compare(replay, log, str(seq), width) for log in arguments for seq in thirds(log)]
    compared = [each for each in compared if each]
    cells, differ = [sum(column) for column in zip(*(counts for counts, _ in compared))], sum(not equal for _, equal in compared)
    cells = cells or [0, 0, 0]
    print(f"{len(compared)} profiles, cells with reports {cells[0]}, with PIREPs {cells[1]}, with areas {cells[2]}; {differ} differ")
    # Nothing is compared with a wider width unless there are PIREPs and areas.
    return 1 if differ or not cells[0] or width is not None and not all(cells) else 0


def thirds(log):
    """The numbers of three lines."""
    with open(log) as file:
        seqs = [json.loads(line)["seq"] for line in file]
    return sorted({seqs[len(seqs) // 3], seqs[2 * len(seqs) // 3], seqs[-1]})


if sys.argv[1:2] == ["--compare"]:
    found = compare(*sys.argv[2:6])
    sys.exit("the app has no route then" if found is None else 0 if any(found[0]) and found[1] else 1)
if sys.argv[1:2] == ["--compare-all"]:
    sys.exit(compare_all(sys.argv[2], sys.argv[3:]))
text = HEAD + "".join(f"    {line}\n" for line in lines()) + '    """\n}\n'
if len(sys.argv) > 1:
    open(sys.argv[1], "w").write(text)
else:
    sys.stdout.write(text)

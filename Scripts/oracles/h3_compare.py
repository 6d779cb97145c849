#!/usr/bin/env python3
"""Compares all results of ContrailH3 with libh3 through PyPI's h3 (4.5, with numpy).

Usage: h3_compare.py PATH-TO-H3Compare [--points N] [--seed N]

H3Compare is in Benchmarks: CONTRAIL_BENCHMARKS=1 swift build -c release --scratch-path Benchmarks/.build --product H3Compare.
Prints one line per comparison with counts and the largest difference. The exit code is 1 if any result differs.
"""
import argparse
import math
import random
import subprocess
import sys
import time

import h3.api.basic_int as h3
import numpy as np
from h3 import H3BaseException

RADIAN = 180 / math.pi


class Tool:
    """Runs H3Compare; queries and results are 64-bit words."""

    def __init__(self, path):
        self.path = path

    def ask(self, operation, words):
        data = np.ascontiguousarray(words).astype("<u8", copy=False).tobytes()
        done = subprocess.run([self.path, operation], input=data, stdout=subprocess.PIPE, check=True)
        return np.frombuffer(done.stdout, dtype="<u8")

    def cells(self, latitudes, longitudes, resolutions):
        query = np.empty((len(latitudes), 3))
        query[:, 0], query[:, 1] = latitudes, longitudes
        query = query.view("<u8")
        query[:, 2] = resolutions
        return self.ask("cell", query)

    def lists(self, operation, words):
        """Returns results that are lists of words with their counts; None for an error."""
        answer = self.ask(operation, np.array(words, dtype="u8")).tolist()
        place, lists = 0, []
        while place < len(answer):
            count = answer[place]
            if count == 2**64 - 1:
                lists.append(None)
                place += 1
                continue
            lists.append(answer[place + 1 : place + 1 + count])
            place += 1 + count
        return lists


def bits(values):
    return np.array(values, dtype="f8").view("u8").tolist()


class Report:
    def __init__(self):
        self.failed = False

    def line(self, name, count, differ, worst=None, note=""):
        self.failed = self.failed or differ > 0
        worst = "" if worst is None else f"  worst {worst:.2e}"
        print(f"{'FAIL' if differ else 'ok':4}  {name:44} {count:>10,}  differ {differ}{worst}  {note}", flush=True)


def answer(function, *arguments):
    """Returns the result of libh3, or None if it has none."""
    try:
        return function(*arguments)
    except H3BaseException:
        return None


def random_points(rng, count):
    latitudes = np.degrees(np.arcsin(rng.uniform(-1, 1, count)))
    return latitudes, rng.uniform(-180, 180, count)


def some_cells(rng, resolution, count):
    latitudes, longitudes = random_points(rng, count)
    return [h3.latlng_to_cell(a, b, resolution) for a, b in zip(latitudes, longitudes)]


def near_pentagons(resolution, k):
    cells = set()
    for pentagon in h3.get_pentagons(resolution):
        cells.update(h3.grid_disk(pentagon, k))
    return sorted(cells)


def all_cells(resolution):
    return [cell for base in h3.get_res0_cells() for cell in h3.cell_to_children(base, resolution)]


def special_cells(rng, resolution):
    """Returns points where the grid is irregular (pentagons, poles, the antimeridian), and some random ones."""
    cells = set(near_pentagons(resolution, 2)) | set(some_cells(rng, resolution, 300))
    for latitude in (90, -90, 89.9999, -89.9999, 0, 45):
        for longitude in (0, 180, -180, 90, -90, 179.9999999):
            cells.update(h3.grid_disk(h3.latlng_to_cell(latitude, longitude, resolution), 1))
    return sorted(cells)


def points(tool, report, rng, count):
    done = differ = 0
    while done < count:
        size = min(1_000_000, count - done)
        latitudes, longitudes = random_points(rng, size)
        resolutions = rng.integers(0, 16, size)
        ours = tool.cells(latitudes, longitudes, resolutions)
        theirs = np.fromiter(
            (h3.latlng_to_cell(a, b, r) for a, b, r in zip(latitudes.tolist(), longitudes.tolist(), resolutions.tolist())),
            dtype="u8", count=size)
        differ += int((ours != theirs).sum())
        done += size
    report.line("random points, resolutions 0-15", done, differ)


def edge_points(tool, report, rng):
    """Returns vertices, points on edges, centres and nearby points, and a lattice of whole degrees."""
    found = []
    for resolution in range(16):
        for cell in special_cells(rng, resolution):
            vertices = h3.cell_to_boundary(cell)
            for index, a in enumerate(vertices):
                b = vertices[(index + 1) % len(vertices)]
                found.append((*a, resolution))
                if abs(a[1] - b[1]) < 180:
                    for t in (0.5, 0.25, 0.1):
                        found.append((a[0] * t + b[0] * (1 - t), a[1] * t + b[1] * (1 - t), resolution))
            center = h3.cell_to_latlng(cell)
            for off in (0, 1e-7, 1e-9, 1e-11, 1e-13):
                found.append((center[0] + off, center[1] - off, resolution))
        for latitude in np.linspace(-90, 90, 37):
            for longitude in np.linspace(-360, 360, 49):
                found.append((latitude, longitude, resolution))
    found = np.array([row for row in found if abs(row[0]) <= 90 and abs(row[1]) <= 360])
    ours = tool.cells(found[:, 0], found[:, 1], found[:, 2].astype("u8"))
    theirs = np.array([h3.latlng_to_cell(a, b, int(r)) for a, b, r in found.tolist()], dtype="u8")
    report.line("points on edges, vertices, poles, antimeridian", len(found), int((ours != theirs).sum()))


def apart(a, b):
    """Returns the distance of two points in radians, and the rounding error of libh3 near a pole (it computes an arc sine)."""
    level = math.cos(a[0] / RADIAN)
    across = ((a[1] - b[1] + 180) % 360 - 180) / RADIAN * level
    return math.hypot((a[0] - b[0]) / RADIAN, across), 4e-16 / max(level, 1e-8)


def shapes(tool, report, name, cells):
    answers = tool.ask("shape", np.array(cells, dtype="u8")).reshape(-1, 23)
    values = answers.view("f8").tolist()
    counts = answers[:, 2].tolist()
    worst, differ, polar = 0.0, 0, 0
    for cell, value, count in zip(cells, values, counts):
        theirs = [h3.cell_to_latlng(cell), *h3.cell_to_boundary(cell)]
        ours = [(value[0], value[1])] + [(value[3 + 2 * k], value[4 + 2 * k]) for k in range(int(count))]
        if len(theirs) != len(ours):
            differ += 1
            continue
        for a, b in zip(theirs, ours):
            distance, rounding = apart(a, b)
            if rounding > 1e-13:
                polar += 1
                differ += distance > 1e-12 + rounding
            else:
                worst = max(worst, distance)
                differ += distance > 1e-12
    note = f"({polar} points within 0.25° of a pole: to libh3's own rounding)" if polar else ""
    report.line(f"centre and boundary, {name}", len(cells), differ, worst, note)


def validity(tool, report, rng, count):
    indexes = []
    for _ in range(count):
        resolution = random.randrange(16)
        index = 8 << 56 | resolution << 52 | random.randrange(128) << 45
        for place in range(1, 16):
            digit = random.choice((0, 0, random.randrange(7))) if place <= resolution else 7
            index |= digit << (45 - 3 * place)
        if random.random() < 0.3:
            index ^= 1 << random.randrange(64)
        indexes.append(index)
    indexes += [random.getrandbits(64) for _ in range(count // 4)]
    ours = tool.ask("valid", np.array(indexes, dtype="u8")).tolist()
    differ = 0
    for index, got in zip(indexes, ours):
        valid = h3.is_valid_cell(index)
        five = valid and h3.get_resolution(index) == 5
        expected = (1 if valid else 0) | (2 if valid and h3.is_pentagon(index) else 0) | (12 if five else 0)
        differ += got != expected
    report.line("validity, pentagons, packing", len(indexes), differ)


def family(tool, report, rng):
    query, expected = [], []
    for resolution in range(16):
        for cell in special_cells(rng, resolution):
            coarser, finer = random.randint(0, resolution), random.randint(resolution, 15)
            query += [cell, coarser, finer]
            size = h3.cell_to_children_size(cell, finer)
            expected += [
                h3.cell_to_parent(cell, coarser), h3.cell_to_child_pos(cell, coarser), size,
                h3.cell_to_center_child(cell, finer), h3.child_pos_to_cell(cell, finer, size // 3)]
    ours = tool.ask("family", np.array(query, dtype="u8")).tolist()
    report.line("parent, child position, count, centre child", len(expected), sum(a != b for a, b in zip(ours, expected)))
    query, expected = [], []
    for resolution in range(12):
        for cell in special_cells(rng, resolution)[::7] + h3.get_pentagons(resolution):
            query += [cell, resolution + 3]
            expected.append(h3.cell_to_children(cell, resolution + 3))
    ours = tool.lists("children", query)
    report.line("children", sum(map(len, expected)), sum(a != sorted(b) for a, b in zip(ours, expected)))


def sets(tool, report, rng):
    query, expected, unpack, unpacked = [], [], [], []
    for resolution in range(1, 8):
        for cell in h3.get_pentagons(resolution)[:4] + some_cells(rng, resolution, 8):
            cells = set(h3.grid_disk(cell, random.randint(0, 40)))
            if random.random() < 0.5:
                cells -= set(random.sample(sorted(cells), len(cells) // 20))
            cells = list(cells)
            query += [len(cells), *cells]
            expected.append(sorted(h3.compact_cells(cells)))
            unpack += [resolution, len(expected[-1]), *expected[-1]]
            unpacked.append(sorted(cells))
    ours = tool.lists("compact", query)
    report.line("compact", len(expected), sum(a != b for a, b in zip(ours, expected)))
    ours = tool.lists("uncompact", unpack)
    report.line("uncompact", len(expected), sum(sorted(a) != b for a, b in zip(ours, unpacked)))


def grid(tool, report, rng):
    for name, function in (("disk", h3.grid_disk), ("ring", h3.grid_ring)):
        query, expected = [], []
        for resolution in range(16):
            for cell in special_cells(rng, resolution):
                k = random.randint(0, 6)
                query += [cell, k]
                expected.append(sorted(function(cell, k)))
        for resolution in range(4):
            for cell in all_cells(resolution)[:: max(1, 7 ** max(0, resolution - 1) // 4)]:
                k = random.randint(1, 12 if resolution > 1 else 3)
                query += [cell, k]
                expected.append(sorted(function(cell, k)))
        ours = tool.lists(name, query)
        report.line(f"grid {name}", len(expected), sum(sorted(a) != b for a, b in zip(ours, expected)))
    for resolution in range(4):
        cells = all_cells(resolution)
        query = [word for cell in cells for word in (cell, 1)]
        ours = tool.lists("disk", query)
        differ = sum(sorted(a) != sorted(h3.grid_disk(cell, 1)) for a, cell in zip(ours, cells))
        report.line(f"neighbours, every cell of resolution {resolution}", len(cells), differ)
    query, expected, unanswered = [], [], 0
    for resolution in range(16):
        cells = special_cells(rng, resolution)
        for cell in cells:
            near = h3.grid_disk(cell, random.randint(1, 9))
            for other in random.sample(near, min(4, len(near))) + random.sample(cells, 2):
                query += [cell, other]
                distance = answer(h3.grid_distance, cell, other)
                unanswered += distance is None
                expected += [2**64 - 1 if distance is None else distance, int(h3.are_neighbor_cells(cell, other))]
    ours = tool.ask("distance", np.array(query, dtype="u8")).tolist()
    differ = sum(a != b for a, b in zip(ours, expected))
    report.line("grid distance, neighbour test", len(expected), differ, note=f"({unanswered} without an answer in both)")


def paths(tool, report, rng):
    query, expected = [], []
    for resolution in range(16):
        cells = special_cells(rng, resolution)
        for cell in cells:
            near = h3.grid_disk(cell, random.randint(1, 9))
            for other in random.sample(near, min(4, len(near))) + random.sample(cells, 1):
                path = answer(h3.grid_path_cells, cell, other)
                if path is None or len(path) < 2_000:
                    query += [cell, other]
                    expected.append(path)
    ours = tool.lists("path", query)
    differ = sum(a != b for a, b in zip(ours, expected))
    report.line("grid path", len(expected), differ, note=f"({expected.count(None)} without an answer in both)")


def measures(tool, report, rng):
    worst_area = worst_length = 0.0
    count = differ = polar = 0
    for resolution in range(16):
        cells = special_cells(rng, resolution)
        words = tool.ask("measure", np.array(cells, dtype="u8"))
        values, place = words.view("f8"), 0
        for cell in cells:
            number = int(words[place + 1])
            area, neighbours = values[place], words[place + 2 : place + 2 + 2 * number : 2].tolist()
            lengths = dict(zip(neighbours, values[place + 3 : place + 3 + 2 * number : 2].tolist()))
            place += 2 + 2 * number
            theirs = {h3.get_directed_edge_destination(e): h3.edge_length(e, unit="rads")
                      for e in h3.origin_to_directed_edges(cell)}
            count += 1
            if len(neighbours) != len(theirs) or lengths.keys() != theirs.keys():
                differ += 1
                continue
            if abs(h3.cell_to_latlng(cell)[0]) > 89.5 and resolution > 3:
                # libh3's vertices are inaccurate here, see ``apart``.
                polar += 1
                continue
            expected = h3.cell_area(cell, unit="rads^2")
            longitudes = [b for _, b in h3.cell_to_boundary(cell)]
            if max(longitudes) - min(longitudes) < 180:
                worst_area = max(worst_area, abs(area - expected) / expected)
            for other, length in theirs.items():
                error = abs(lengths[other] - length)
                worst_length = max(worst_length, error)
                differ += not error < 1e-12
    note = f"({polar} within 0.5° of a pole left out)"
    report.line("edge lengths, radians", count - polar, differ, worst_length, note)
    # Vertices are rounded to 1e-16, and at resolution 15 they are 1e-7 apart. Across the antimeridian, libh3 loses
    # more.
    report.line("areas, relative", count - polar, int(worst_area > 1e-6), worst_area, note)


def star(latitude, longitude, size, corners, spread=0.6):
    """Returns a polygon without self-intersections."""
    angles = [2 * math.pi * (k + random.uniform(0, 0.3)) / corners for k in range(corners)]
    loop = []
    for angle in angles:
        reach = size * random.uniform(1 - spread, 1)
        across = reach * math.sin(angle) / max(0.05, math.cos(latitude / RADIAN))
        loop.append((latitude + reach * math.cos(angle), (longitude + across + 180) % 360 - 180))
    return loop


def areas(tool, report, rng, count):
    modes = ((0, "center"), (1, "full"), (2, "overlap"))
    totals = {name: [0, 0, 0] for _, name in modes}
    polar = {h3.latlng_to_cell(pole, 0, resolution) for pole in (90, -90) for resolution in range(16)}
    for round_ in range(count // 100):
        query, expected, names = [], [], []
        for _ in range(100):
            resolution = random.randint(0, 15)
            spacing = 0.38 * RADIAN / math.sqrt(7) ** resolution
            size = min(25.0, spacing * random.choice((0.3, 1, 3, 10, 20)))
            latitude = random.uniform(-60, 60)
            longitude = random.choice((random.uniform(-180, 180), random.uniform(178, 182)))
            outer = star(latitude, longitude, size, random.choice((3, 4, 6, 20, 100)))
            holes = []
            if len(outer) >= 6 and random.random() < 0.4:
                holes = [star(latitude, longitude, size * 0.2, random.choice((3, 5, 12)))]
            mode, name = random.choice(modes)
            query += [resolution, mode, 1 + len(holes)]
            for loop in [outer] + holes:
                query += [len(loop), *bits([x for point in loop for x in point])]
            expected.append(sorted(h3.h3shape_to_cells_experimental(h3.LatLngPoly(outer, *holes), resolution, name)))
            names.append(name)
        ours = tool.lists("polygon", query)
        for a, b, name in zip(ours, expected, names):
            # Cells that contain a pole have no outline in libh3's plane.
            a, b = [x for x in a if x not in polar], [x for x in b if x not in polar]
            totals[name][0] += 1
            totals[name][1] += len(b)
            if a != b:
                totals[name][2] += 1
                if totals[name][2] < 4:
                    extra, missing = sorted(set(a) - set(b)), sorted(set(b) - set(a))
                    print("      ", name, len(b), "extra", [hex(x) for x in extra[:3]], "missing", [hex(x) for x in missing[:3]])
    for name, (polygons, cells, differ) in totals.items():
        report.line(f"polygon to cells, {name}", polygons, differ, note=f"({cells:,} cells)")


def normal(loop):
    """Returns a loop that begins at its smallest point, rounded to twelve digits."""
    points = [(round(a, 10), round((b + 180) % 360 - 180, 10) % 360) for a, b in loop]
    start = min(range(len(points)), key=lambda k: points[k])
    return tuple(points[start:] + points[:start])


def outlines(tool, report, rng):
    query, expected = [], []
    for resolution in range(0, 10):
        for cell in h3.get_pentagons(resolution)[:6] + some_cells(rng, resolution, 20):
            cells = set(h3.grid_disk(cell, random.randint(0, 8 if resolution > 1 else 1)))
            cells -= set(random.sample(sorted(cells), len(cells) // 4)) if len(cells) > 6 else set()
            cells = sorted(cells)
            query += [len(cells), *cells]
            shape = h3.cells_to_h3shape(cells, tight=False)
            expected.append(sorted((normal(p.outer), tuple(sorted(map(normal, p.holes)))) for p in shape))
    words = tool.ask("outline", np.array(query, dtype="u8"))
    values, place, differ, loops = words.view("f8"), 0, 0, 0
    for polygons in expected:
        ours = []
        number, place = int(words[place]), place + 1
        for _ in range(number):
            count, place = int(words[place]), place + 1
            found = []
            for _ in range(count):
                size, place = int(words[place]), place + 1
                found.append(normal([(values[place + 2 * k], values[place + 2 * k + 1]) for k in range(size)]))
                place += 2 * size
            loops += count
            ours.append((found[0], tuple(sorted(found[1:]))))
        differ += not same(sorted(ours), polygons)
    report.line("cells to multi-polygon", len(expected), differ, note=f"({loops} loops)")


def same(ours, theirs):
    """Returns whether two lists of polygons have the same loops, to 1e-9 degrees."""
    def loops(polygons):
        return sorted((len(p[0]), len(p[1]), p) for p in polygons)
    a, b = loops(ours), loops(theirs)
    if [x[:2] for x in a] != [x[:2] for x in b]:
        return False
    flat = lambda x: [c for p in x for loop in (p[2][0], *p[2][1]) for point in loop for c in point]
    x, y = flat(a), flat(b)
    return len(x) == len(y) and all(abs((p - q + 180) % 360 - 180) < 1e-8 for p, q in zip(x, y))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="the built H3Compare")
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--polygons", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="run only the comparisons whose function has this name")
    given = parser.parse_args()
    tool, report, rng = Tool(given.tool), Report(), np.random.default_rng(given.seed)
    random.seed(given.seed)
    start = time.time()
    print(f"libh3 {h3.versions()['c']} through PyPI's h3 {h3.versions()['python']}, seed {given.seed}")

    def everyone():
        for resolution in range(5):
            shapes(tool, report, f"every cell of resolution {resolution}", all_cells(resolution))

    def uneven():
        for resolution in range(5, 16):
            cells = special_cells(rng, resolution) + some_cells(rng, resolution, 20_000)
            shapes(tool, report, f"resolution {resolution}, uneven and random", cells)

    steps = {
        "validity": lambda: validity(tool, report, rng, 200_000),
        "edge_points": lambda: edge_points(tool, report, rng),
        "everyone": everyone, "uneven": uneven,
        "family": lambda: family(tool, report, rng),
        "sets": lambda: sets(tool, report, rng),
        "grid": lambda: grid(tool, report, rng),
        "paths": lambda: paths(tool, report, rng),
        "measures": lambda: measures(tool, report, rng),
        "areas": lambda: areas(tool, report, rng, given.polygons),
        "outlines": lambda: outlines(tool, report, rng),
        "points": lambda: points(tool, report, rng, given.points),
    }
    for name, step in steps.items():
        if given.only in (None, name):
            step()
    print(f"{'differences' if report.failed else 'no difference'} in {time.time() - start:.0f} s")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()

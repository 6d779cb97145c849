#!/usr/bin/env python3
"""Writes Tests/Earth/ContrailH3Tests/LibH3Table.swift: a sample of libh3's results (PyPI's h3 4.5, with numpy) for the tests.

Usage: h3_tables.py [PATH]      (default: standard output)

Each line is a result: its kind, then fields separated by spaces; lists within a field are separated by commas, indexes are hexadecimal.
"""
import math
import random
import sys

import h3.api.basic_int as h3
import numpy as np
from h3 import H3BaseException

from h3_compare import near_pentagons, random_points, some_cells, special_cells, star

HEAD = '''/// A sample of libh3 {version}'s answers, made by `Scripts/oracles/h3_tables.py`.
///
/// Lines are
/// - `cell` latitude longitude resolution index
/// - `shape` index centre vertices
/// - `family` index coarser parent place finer count centre-child
/// - `disk`, `ring` index k cells
/// - `distance` index index steps (`-` where libh3 has no answer)
/// - `compact` cells compacted
/// - `measure` index steradians neighbour:edge…
/// - `polygon` containment resolution loops cells (loops apart by `;`, cells compacted)
/// - `outline` cells polygons (polygons apart by `|`, loops by `;`)
enum LibH3Table {{
  static let text = """
'''


def points(coordinates):
    return ",".join(f"{x!r}" for point in coordinates for x in point)


def cells(indexes):
    return ",".join(f"{x:x}" for x in sorted(indexes)) or "-"


def lines(rng):
    found = []
    for latitude, longitude in zip(*random_points(rng, 600)):
        found.append((float(latitude), float(longitude), random.randrange(16)))
    for resolution in range(16):
        for cell in random.sample(special_cells(rng, resolution), 7):
            a, b = h3.cell_to_boundary(cell)[:2]
            found.append((*a, resolution))
            if abs(a[1] - b[1]) < 180:
                found.append(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, resolution))
        for latitude in (-90.0, 0.0, 90.0):
            for longitude in (-360.0, -180.0, 90.0):
                found.append((latitude, longitude, resolution))
    for latitude, longitude, resolution in found:
        yield f"cell {latitude!r} {longitude!r} {resolution} {h3.latlng_to_cell(latitude, longitude, resolution):x}"

    shapes = h3.get_res0_cells()[::4] + [p for r in range(16) for p in h3.get_pentagons(r)[:: 4 + r % 3]]
    for resolution in range(1, 16):
        shapes += some_cells(rng, resolution, 6) + random.sample(near_pentagons(resolution, 2), 3)
    for cell in shapes:
        if abs(h3.cell_to_latlng(cell)[0]) < 89.5:
            yield f"shape {cell:x} {points([h3.cell_to_latlng(cell)])} {points(h3.cell_to_boundary(cell))}"

    for resolution in range(16):
        near = near_pentagons(resolution, 3)
        some = random.sample(near, min(5, len(near))) + some_cells(rng, resolution, 3)
        for cell in some:
            coarser, finer = random.randint(0, resolution), random.randint(resolution, 15)
            yield (f"family {cell:x} {coarser} {h3.cell_to_parent(cell, coarser):x} {h3.cell_to_child_pos(cell, coarser)} "
                   f"{finer} {h3.cell_to_children_size(cell, finer)} {h3.cell_to_center_child(cell, finer):x}")
            k = random.randint(0, 2)
            yield f"disk {cell:x} {k} {cells(h3.grid_disk(cell, k))}"
            k = random.randint(0, 3)
            yield f"ring {cell:x} {k} {cells(h3.grid_ring(cell, k))}"
            for other in random.sample(sorted(h3.grid_disk(cell, 7)), 3):
                try:
                    distance = h3.grid_distance(cell, other)
                except H3BaseException:
                    distance = "-"
                yield f"distance {cell:x} {other:x} {distance}"
            longitudes = [b for _, b in h3.cell_to_boundary(cell)]
            if abs(h3.cell_to_latlng(cell)[0]) < 89 and max(longitudes) - min(longitudes) < 180:
                edges = {h3.get_directed_edge_destination(e): h3.edge_length(e, unit="rads")
                         for e in h3.origin_to_directed_edges(cell)}
                sides = " ".join(f"{other:x}:{length!r}" for other, length in sorted(edges.items()))
                yield f"measure {cell:x} {h3.cell_area(cell, unit='rads^2')!r} {sides}"

    for resolution in (1, 3, 6):
        for cell in h3.get_pentagons(resolution)[:1] + some_cells(rng, resolution, 1):
            disk = set(h3.grid_disk(cell, 4))
            disk -= set(random.sample(sorted(disk), 3))
            yield f"compact {cells(disk)} {cells(h3.compact_cells(list(disk)))}"

    count = 0
    while count < 75:
        resolution = random.randint(0, 15)
        size = min(25.0, 0.38 * 180 / math.pi / math.sqrt(7) ** resolution * random.choice((0.3, 1, 3)))
        latitude = random.uniform(-55, 55)
        longitude = random.choice((random.uniform(-180, 180), random.uniform(178, 182)))
        loops = [star(latitude, longitude, size, random.choice((3, 6, 12)))]
        if len(loops[0]) >= 6 and random.random() < 0.5:
            loops.append(star(latitude, longitude, size * 0.2, 5))
        name = random.choice(("center", "full", "overlap"))
        found = h3.h3shape_to_cells_experimental(h3.LatLngPoly(*loops), resolution, name)
        if any(x in found for pole in (90, -90) for x in [h3.latlng_to_cell(pole, 0, resolution)]):
            continue
        count += 1
        yield f"polygon {name} {resolution} {';'.join(map(points, loops))} {cells(h3.compact_cells(found))}"

    for resolution in (0, 1, 2, 5, 9):
        for cell in h3.get_pentagons(resolution)[:2] + some_cells(rng, resolution, 2):
            disk = set(h3.grid_disk(cell, 2 if resolution > 0 else 1))
            disk -= set(random.sample(sorted(disk), len(disk) // 4))
            shape = h3.cells_to_h3shape(sorted(disk), tight=False)
            polygons = "|".join(";".join(map(points, (p.outer, *p.holes))) for p in shape)
            yield f"outline {cells(disk)} {polygons}"


def main():
    random.seed(11)
    text = "".join(f"    {line}\n" for line in lines(np.random.default_rng(11)))
    source = HEAD.format(version=h3.versions()["c"]) + text + '    """\n}\n'
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write(source)
        print(f"{sys.argv[1]}: {len(source):,} bytes, {text.count(chr(10)):,} answers")
    else:
        sys.stdout.write(source)


if __name__ == "__main__":
    main()

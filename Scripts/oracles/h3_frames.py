#!/usr/bin/env python3
"""Computes the constants in Sources/Earth/ContrailH3/FaceTables.swift and Trigonometry.swift with forty digits.

Usage: h3_frames.py PATH-TO-H3/src/h3lib/lib/faceijk.c      (needs mpmath)

From the face centres and azimuths that H3 publishes, it prints for each face the centre, the two steps of the lattice and their
duals. Then it prints the coefficients of the polynomials for arc tangent, sine and cosine with their largest errors.
"""
import re
import sys

import mpmath as mp

mp.mp.dps = 40
UNIT = mp.mpf("0.38196601125010500003")  # one resolution-0 step on a face's plane


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def normalised(a):
    size = mp.sqrt(dot(a, a))
    return [x / size for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def frames(source):
    block = re.search(r"faceCenterPoint\[NUM_ICOSA_FACES\] = \{(.*?)\n\};", source, re.S).group(1)
    centres = [[mp.mpf(x) for x in re.findall(r"-?\d+\.\d+", line)] for line in block.strip().split("\n")]
    block = re.search(r"faceAxesAzRadsCII\[NUM_ICOSA_FACES\]\[3\] = \{(.*?)\n\};", source, re.S).group(1)
    azimuths = [mp.mpf(x) for x in re.findall(r"\d+\.\d{10,}", block)][0::3]
    for centre, azimuth in zip(centres, azimuths):
        centre = normalised(centre)
        north = normalised([-centre[2] * centre[0], -centre[2] * centre[1], 1 - centre[2] ** 2])
        east = cross(north, centre)
        along = [mp.cos(azimuth) * n + mp.sin(azimuth) * e for n, e in zip(north, east)]
        left = [mp.sin(azimuth) * n - mp.cos(azimuth) * e for n, e in zip(north, east)]
        yield {
            "centre": centre,
            "stepI": [UNIT * x for x in along],
            "stepJ": [UNIT * (-x / 2 + mp.sqrt(3) / 2 * y) for x, y in zip(along, left)],
            "dualI": [(x + y / mp.sqrt(3)) / UNIT for x, y in zip(along, left)],
            "dualJ": [2 / mp.sqrt(3) * y / UNIT for y in left],
        }


def interpolated(function, end, count):
    """Returns the polynomial through the function at the Chebyshev nodes of 0…end, constant term first."""
    nodes = [end / 2 + end / 2 * mp.cos((2 * k + 1) * mp.pi / (2 * count)) for k in range(count)]
    matrix, values = mp.matrix(count, count), mp.matrix(count, 1)
    for row, node in enumerate(nodes):
        values[row] = function(node)
        for column in range(count):
            matrix[row, column] = node**column
    return [float(x) for x in mp.lu_solve(matrix, values)]


def main():
    for face, frame in enumerate(frames(open(sys.argv[1]).read())):
        for name, vector in frame.items():
            print(face, name, *[repr(float(x)) for x in vector])
    for name, function, end, count in [
        ("arc tangent", lambda s: mp.atan(mp.sqrt(s)) / mp.sqrt(s), mp.tan(mp.pi / 8) ** 2, 12),
        ("sine", lambda s: mp.sin(mp.sqrt(s)) / mp.sqrt(s), (mp.pi / 4) ** 2, 7),
        ("cosine", lambda s: mp.cos(mp.sqrt(s)), (mp.pi / 4) ** 2, 8),
    ]:
        coefficients = interpolated(function, end, count)
        places = [end * k / 400 for k in range(1, 401)]
        error = max(abs(sum(mp.mpf(c) * s**k for k, c in enumerate(coefficients)) - function(s)) for s in places)
        print(name, "error", float(error), *coefficients)


if __name__ == "__main__":
    main()

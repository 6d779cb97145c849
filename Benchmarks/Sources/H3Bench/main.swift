// Measures ContrailH3 and prints one line per operation with its name and the median in nanoseconds.
// Scripts/peers/h3_bench.py measures libh3 with the same points in the same run.

import ContrailGeodesy
import ContrailH3
import Foundation

/// The random number generator of the peer, so that both use the same points.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Returns a number in 0 ..< 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Collects the results, so that the optimiser doesn't remove the work.
nonisolated(unsafe) var sink: UInt64 = 0

func median(of runs: Int, operations: Int, _ body: () -> UInt64) -> Double {
  sink ^= body()
  var times: [Double] = []
  for _ in 0..<runs {
    // CPU time in microseconds (POSIX), so that other programs don't affect the result.
    let start = clock()
    sink ^= body()
    times.append(Double(clock() - start) * 1000)
  }
  return times.sorted()[runs / 2] / Double(operations)
}

func report(_ name: String, operations: Int, runs: Int = 15, _ body: () -> UInt64) {
  let nanoseconds = median(of: runs, operations: operations, body)
  print(name, (nanoseconds * 100).rounded() / 100)
}

let count = 20_000
var generator = SplitMix64(state: 7)
// The points aren't evenly distributed on the sphere, but equal in both languages.
let points = (0..<count).map { _ in
  let latitude = generator.unit() * 160 - 80
  return Coordinate(latitude: latitude, longitude: generator.unit() * 360 - 180)
}

for resolution in [5, 9, 15] {
  let cells = points.compactMap { try? H3Cell($0, resolution: resolution) }
  report("point to cell, resolution \(resolution)", operations: count) {
    var all: UInt64 = 0
    for point in points { all ^= (try? H3Cell(point, resolution: resolution).rawValue) ?? 0 }
    return all
  }
  report("centre, resolution \(resolution)", operations: count) {
    var all = 0.0
    for cell in cells { all += cell.center.latitude }
    return all.bitPattern
  }
  report("boundary, resolution \(resolution)", operations: count) {
    var all = 0.0
    for cell in cells { all += cell.withBoundary { $0[0].latitude } }
    return all.bitPattern
  }
}
let cells = points.compactMap { try? H3Cell($0, resolution: 5) }
report("boundary as an array, resolution 5", operations: count) {
  var all = 0.0
  for cell in cells { all += cell.boundary[0].latitude }
  return all.bitPattern
}
report("parent, resolution 5", operations: 20 * count) {
  var all: UInt64 = 0
  for _ in 0..<20 { for cell in cells { all &+= cell.parent?.rawValue ?? 0 } }
  return all
}
report("validity, resolution 5", operations: 20 * count) {
  var all: UInt64 = 0
  for _ in 0..<20 { for cell in cells { all &+= H3Cell.isValid(cell.rawValue) ? 1 : 0 } }
  return all
}
report("disk of 2, resolution 5", operations: count) {
  var all: UInt64 = 0
  for cell in cells { all ^= ((try? cell.gridDisk(2)) ?? []).last?.rawValue ?? 0 }
  return all
}

/// The polygons of the peer: circles, and corridors of two parallel lines.
func circle(_ latitude: Double, _ longitude: Double, radius: Double, corners: Int) -> [Coordinate] {
  var (x, y) = (1.0, 0.0)
  // A rotation by the tangent of half its angle needs no libm, so both programs have the same corners.
  let t = 3.141592653589793 / Double(corners)
  let (c, s) = ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
  return (0..<corners).map { _ in
    let corner = Coordinate(latitude: latitude + radius * y, longitude: longitude + radius * x)
    (x, y) = (x * c - y * s, x * s + y * c)
    return corner
  }
}

func corridor(corners: Int) -> [Coordinate] {
  let half = corners / 2
  let line = (0..<half).map { step in
    let t = Double(step) / Double(half - 1)
    return Coordinate(latitude: 40 + 20 * t * (1 - t) * 2, longitude: -70 + 65 * t)
  }
  return line.map { Coordinate(latitude: $0.latitude + 1, longitude: $0.longitude) }.reversed()
    + line.map { Coordinate(latitude: $0.latitude - 1, longitude: $0.longitude) }
}

let areas: [(String, [Coordinate], Int)] = [
  ("circle of 100 corners, resolution 5", circle(47, 10, radius: 8, corners: 100), 5),
  ("circle of 8 corners and few cells, resolution 5", circle(47, 10, radius: 0.3, corners: 8), 5),
  ("circle of 100 corners, resolution 7", circle(47, 10, radius: 2, corners: 100), 7),
  ("corridor of 250 corners, resolution 5", corridor(corners: 250), 5),
]
for (name, corners, resolution) in areas {
  let polygon = H3Polygon(outer: corners)
  let found = (try? H3Cell.cells(in: polygon, resolution: resolution).count) ?? 0
  report("polygon to cells, a cell, \(name)", operations: max(found, 1), runs: 25) {
    UInt64((try? H3Cell.cells(in: polygon, resolution: resolution).count) ?? 0)
  }
}
if let ring = try? Ring(corridor(corners: 249) + [corridor(corners: 249)[0]]) {
  let found = (try? H3Cell.cells(in: ring, resolution: 5).count) ?? 0
  report("ring to cells, a cell, corridor, resolution 5", operations: max(found, 1), runs: 25) {
    UInt64((try? H3Cell.cells(in: ring, resolution: 5).count) ?? 0)
  }
}

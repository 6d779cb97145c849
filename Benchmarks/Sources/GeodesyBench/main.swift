import ContrailGeodesy

// Prints `name<TAB>median nanoseconds` on each line. `Scripts/peers/geodesy.py` prints the same names for GEOS.
// Run with `swift run -c release GeodesyBench`.

/// Returns the compared route: 250 points, either along one great circle or with a bend at every eighth of it.
func route(isBent: Bool) -> [Coordinate] {
  let start = Coordinate(latitude: 51.47, longitude: -0.45)
  let end = Coordinate(latitude: 40.64, longitude: -73.78)
  return (0..<250).map { index in
    let fraction = Double(index) / 249
    let point = start.interpolated(to: end, fraction: fraction)
    // A triangle wave of 1.5° of latitude.
    let phase = fraction * 4 - (fraction * 4).rounded(.down)
    let swing = isBent ? 1.5 * (1 - abs(2 * phase - 1)) : 0
    return Coordinate(latitude: point.latitude + swing, longitude: point.longitude)
  }
}

func median(of runs: Int, calls: Int, _ body: () -> Int) -> Double {
  let clock = ContinuousClock()
  var times: [Double] = []
  var sink = 0
  for _ in 0..<runs {
    let elapsed = clock.measure {
      for _ in 0..<calls { sink &+= body() }
    }
    let parts = elapsed.components
    times.append((Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9) / Double(calls))
  }
  times.sort()
  // Never true; prevents the optimiser from removing the calls.
  if sink == .min { print("") }
  return times[times.count / 2]
}

func report(_ name: String, runs: Int = 31, calls: Int, _ body: () -> Int) {
  let nanoseconds = median(of: runs, calls: calls, body)
  print("\(name)\t\(nanoseconds < 1000 ? (nanoseconds * 10).rounded() / 10 : nanoseconds.rounded())")
}

for (name, isBent) in [("straight", false), ("bent", true)] {
  let route = route(isBent: isBent)
  let wide = route.buffer(widthNM: 100, simplify: false)
  report("buffer/\(name)", calls: 100) { route.buffer(widthNM: 100, simplify: false).count }
  report("buffer-to-250/\(name)", calls: 100) { route.buffer(widthNM: 100).count }
  report("simplify/\(name)", calls: 100) { wide.simplified(tolerance: 0.6).count }
  print("# points: buffer \(wide.count), simplified \(wide.simplified(tolerance: 0.6).count)")
}

let ring = try Ring(route(isBent: true).buffer(widthNM: 100))
let places = (0..<1000).map { Coordinate(latitude: 38 + Double($0 % 40) / 2, longitude: -75 + Double($0) * 0.075) }
report("contains, 250 points/1000", calls: 20) { places.reduce(0) { $0 + (ring.contains($1) ? 1 : 0) } }
report("intersects, 250 points", calls: 100) { ring.intersects(ring) ? 1 : 0 }
report("polygonFault, 250 points", calls: 100) { ring.polygonError == nil ? 1 : 0 }
report("geodesic inverse/1000", calls: 5) {
  Int(places.reduce(0.0) { $0 + places[0].geodesicDistanceMeters(to: $1) })
}
report("geodesic direct/1000", calls: 5) {
  Int(places.reduce(0.0) { $0 + Geodesic.direct(from: $1, azimuth: 40, distanceMeters: 1e6).coordinate.latitude })
}
report("great circle/1000", calls: 20) { Int(places.reduce(0.0) { $0 + places[0].distanceNM(to: $1) }) }

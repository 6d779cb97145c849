import ContrailGeodesy
import ContrailTestSupport
import Testing

/// Whatever the points are, each function answers or throws its own error.
@Suite struct FuzzTests {
  private func number(_ random: inout SplitMix64, _ span: Double) -> Double {
    switch random.int(0...40) {
    case 0: .nan
    case 1: .infinity
    case 2: -.infinity
    case 3: .greatestFiniteMagnitude
    case 4: .leastNonzeroMagnitude
    case 5: -0.0
    case 6: span
    case 7: -span
    case 8: span * 2
    case 9: (span * random.double(-1...1)).rounded()
    default: span * random.double(-1...1)
    }
  }

  /// Points of every kind: arbitrary, clean but wild, clustered, repeated, spiky.
  private func points(_ random: inout SplitMix64, count: Int) -> [Coordinate] {
    let kind = random.int(0...5)
    let (lat, lon) = (random.double(-90...90), random.double(-180...180))
    var result: [Coordinate] = []
    for index in 0..<count {
      switch kind {
      case 0:
        result.append(Coordinate(latitude: number(&random, 90), longitude: number(&random, 180)))
      case 1:
        result.append(Coordinate(latitude: random.double(-90...90), longitude: random.double(-180...180)))
      case 2:
        let step = 1e-7 * Double(random.int(-3...3))
        result.append(
          Coordinate(latitude: min(max(lat + step, -90), 90), longitude: lon + 1e-7 * Double(random.int(-3...3))))
      case 3:
        result.append(
          result.isEmpty || random.int(0...2) == 0
            ? Coordinate(latitude: Double(random.int(-9...9)) * 10, longitude: Double(random.int(-18...18)) * 10)
            : result[random.int(0...(result.count - 1))])
      case 4:
        result.append(
          Coordinate(
            latitude: min(max(lat + (index % 2 == 0 ? 0 : random.double(-5...5)), -90), 90),
            longitude: lon + Double(index) * 0.001))
      default:
        result.append(
          Coordinate(latitude: lat, longitude: lon).destination(
            azimuth: random.double(0...360), distanceNM: random.double(0...300)))
      }
    }
    if random.int(0...1) == 0, let first = result.first { result.append(first) }
    return result
  }

  @Test func smallInputsOfEveryKind() {
    var random = SplitMix64(seed: 101)
    var corridors = 0
    for _ in 0..<120 {
      let given = points(&random, count: random.int(0...12))
      if let ring = try? given.corridor(
        widthNM: random.int(0...9) == 0 ? number(&random, 6000) : random.double(1...300))
      {
        corridors += 1
        #expect(ring.polygonError(maximumCount: .max) == nil, "\(given)")
        #expect(ring.simplified() == ring || ring.count > 250)
      }
      let tolerance = random.int(0...3) == 0 ? number(&random, 100) : random.double(0...50)
      let simple = given.simplified(tolerance: tolerance)
      #expect(simple.count <= given.count)
      if given.polygonError(maximumCount: .max) == nil {
        #expect(simple.polygonError(maximumCount: .max) == nil, "\(given) \(tolerance)")
      }
      _ = given.polygonError()
      _ = given.orientation
      _ = given.unwrapped()
      _ = given.splitAtAntimeridian()
      _ = given.lengthNM
      _ = given.densified(maximumNM: random.double(500...5000))
      _ = given.interpolated(fraction: number(&random, 1))
      _ = BoundingCap(containing: given)
      _ = Geodesic.area(of: given)
      if let ring = try? Ring(given) {
        _ = ring.areaSquareMeters
        _ = ring.polygonError
        _ = BoundingCap(containing: ring)
        #expect(ring.intersects(ring))
        _ = ring.contains(Coordinate(latitude: number(&random, 90), longitude: number(&random, 360)))
      }
      if let (a, b) = given.first.flatMap({ first in given.last.map { (first, $0) } }) {
        _ = a.distanceNM(to: b) + a.azimuth(to: b) + a.geodesicDistanceMeters(to: b)
        _ = a.destination(azimuth: number(&random, 360), distanceNM: number(&random, 1e4))
        _ = Geodesic.direct(from: a, azimuth: number(&random, 360), distanceMeters: number(&random, 1e7))
        _ = a.crossTrackNM(from: b, to: a) + a.alongTrackNM(from: b, to: b)
      }
    }
    #expect(corridors > 25)
  }

  @Test func aThousandPointsOfEveryKind() {
    var random = SplitMix64(seed: 102)
    for _ in 0..<6 {
      let given = points(&random, count: 1000)
      _ = given.polygonError()
      _ = given.polygonError(maximumCount: .max)
      #expect(given.simplified(tolerance: 5).count <= given.count)
      _ = given.simplified()
      _ = given.splitAtAntimeridian()
    }
    let cluster = (0..<1000).map { _ in
      Coordinate(latitude: 50, longitude: 179.9)
        .destination(azimuth: random.double(0...360), distanceNM: random.double(0...90))
    }
    #expect(throws: Never.self) { try Ring(cluster.corridor(widthNM: 50)) }
  }

  @Test func aHundredThousandPoints() throws {
    let track = (0..<100_000).map { Coordinate(latitude: 45 + Double($0) * 1e-5, longitude: 170 + Double($0) * 2e-4) }
    let ring = try Ring(track.corridor(widthNM: 100))
    #expect(ring.contains(track[0]) && ring.contains(track[50_000]) && ring.contains(track[99_999]))
    #expect(track.simplified(tolerance: 1).count < 200)
    // A comb whose last tooth crosses the first.
    let comb = (0..<99_998).map {
      Coordinate(latitude: $0 % 2 == 0 ? 0 : 1, longitude: Double($0) * 1e-4)
    }
    let crossing = comb + [Coordinate(latitude: 0.5, longitude: -1), comb[0]]
    #expect(crossing.polygonError(maximumCount: .max)?.code == "selfCrossing")
    #expect(crossing.polygonError() == .tooManyPoints(100_000))
  }
}

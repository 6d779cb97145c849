import ContrailGeodesy
import ContrailTestSupport
import Testing

@testable import ContrailQuery

/// A route as a line with distances along it.
@Suite struct RouteLineTests {
  private static func line(_ random: inout SplitMix64) throws -> RouteLine {
    var points = [point(Double.random(in: -60...60, using: &random), Double.random(in: -180...180, using: &random))]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      points.append(
        points[points.count - 1].destination(
          azimuth: Double.random(in: 0..<360, using: &random), distanceNM: Double.random(in: 5...300, using: &random)))
    }
    return try RouteLine(points)
  }

  /// The place at a distance along a line.
  private static func place(on line: RouteLine, at alongNM: Double) throws -> Coordinate {
    let leg = try #require(line.legs.last { $0.startNM <= alongNM })
    return leg.line.position(atMeters: (alongNM - leg.startNM) * Earth.metersPerNM).coordinate
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func aPartHasItsEndsAndItsTurns(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      let line = try Self.line(&random)
      #expect(abs(line.legs.reduce(0) { $0 + $1.start.geodesicDistanceNM(to: $1.end) } - line.lengthNM) < 1e-9)
      let ends = [Double.random(in: 0...line.lengthNM, using: &random), .random(in: 0...line.lengthNM, using: &random)]
        .sorted()
      let step = Double.random(in: 3...40, using: &random)
      let part = line.part(from: ends[0], to: ends[1], stepNM: step)
      #expect(part.first?.alongNM == ends[0] && part.last?.alongNM == ends[1])
      for (place, along) in part { #expect(place.geodesicDistanceNM(to: try Self.place(on: line, at: along)) < 1e-6) }
      for (a, b) in zip(part, part.dropFirst()) {
        #expect(a.alongNM < b.alongNM && b.alongNM - a.alongNM <= step + 1e-9)
      }
      let turns = line.legs.map(\.startNM).filter { ends[0] < $0 && $0 < ends[1] }
      #expect(turns.allSatisfy { turn in part.contains { $0.alongNM == turn } })
      // No more points than the steps and the turns need.
      #expect(part.count <= Int((ends[1] - ends[0]) / step) + 2 * turns.count + 2)
    }
  }

  @Test func beyondItsEndsALineHasNoPart() throws {
    let line = try RouteLine([point(0, 0), point(0, 1), point(0, 2)])
    #expect(line.part(from: line.lengthNM + 1, to: line.lengthNM + 9, stepNM: 10).isEmpty)
    #expect(
      line.part(from: line.lengthNM - 1, to: line.lengthNM + 9, stepNM: 10).map(\.alongNM) == [
        line.lengthNM - 1, line.lengthNM,
      ])
    #expect(
      line.part(from: -9, to: -1, stepNM: 10).isEmpty
        && line.part(from: -9, to: 1, stepNM: 10).map(\.alongNM) == [0, 1])
    let turn = line.legs[1].startNM
    #expect(line.part(from: turn, to: turn, stepNM: 10).map(\.alongNM) == [turn])
  }

  /// Points a metre apart are one.
  @Test func aRepeatedPointAddsNoLeg() throws {
    func legs(_ meters: Double) throws -> Int {
      let turn = point(0, 1)
      return try RouteLine([
        point(0, 0), turn, Geodesic.direct(from: turn, azimuth: 0, distanceMeters: meters).coordinate, point(0, 2),
      ]).legs.count
    }
    #expect(try legs(0) == 2 && legs(0.9) == 2 && legs(1.5) == 3)
    #expect(
      try RouteLine([]).progress(of: AircraftPosition(coordinate: point(0, 0), altitudeFeet: nil), after: nil) == nil)
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func theNearestPointIsFound(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      let line = try Self.line(&random)
      let beside = try Self.place(on: line, at: .random(in: 0...line.lengthNM, using: &random))
      let place = beside.destination(
        azimuth: .random(in: 0..<360, using: &random), distanceNM: .random(in: 0...80, using: &random))
      let progress = try #require(line.progress(of: AircraftPosition(coordinate: place, altitudeFeet: nil), after: nil))
      let foot = try Self.place(on: line, at: progress.alongNM)
      #expect(abs(foot.geodesicDistanceNM(to: place) - progress.offNM) < 1e-4)
      let nearest = line.part(from: 0, to: line.lengthNM, stepNM: 0.5).map { $0.point.geodesicDistanceNM(to: place) }
        .min()
      #expect(progress.offNM <= (nearest ?? 0) + 1e-4)
    }
  }

  /// A leg against the direction of flight must be ten miles nearer.
  @Test func theDirectionOfFlightCounts() throws {
    // East along the equator, and back 11.5 NM north of it.
    let north = 11.5 / point(0, 2).geodesicDistanceNM(to: point(1, 2))
    let line = try RouteLine([point(0, 0), point(0, 5), point(north, 5), point(north, 0)])
    func along(_ fromEquator: Double, track: Double?) throws -> Double {
      let aircraft = AircraftPosition(
        coordinate: point(north * fromEquator / 11.5, 2), altitudeFeet: nil, trackDegrees: track)
      return try #require(line.progress(of: aircraft, after: nil)).alongNM
    }
    for (fromEquator, track, isOutward) in [
      (10.4, 90.0, true), (10.9, 90, false), (1.1, 270, false), (0.6, 270, true), (10.4, nil, false), (1.1, nil, true),
      (10.4, 0, false),
    ] as [(Double, Double?, Bool)] {
      #expect(try (along(fromEquator, track: track) < 200) == isOutward, "\(fromEquator) \(String(describing: track))")
    }
  }

  /// Between two passes of a place, a mile behind the last position counts like two and a half miles ahead.
  @Test func theLastPositionCounts() throws {
    let line = try RouteLine([point(0, 0), point(0, 10), point(0, 0)])
    let aircraft = AircraftPosition(coordinate: point(0, 9), altitudeFeet: nil)
    let degree = line.lengthNM / 20
    for (last, pass) in [(9.33, 9.0), (9.5, 9), (9.6, 11), (10, 11), (11, 11), (12, 11), (13, 11), (9, 9), (3, 9)] {
      let progress = try #require(line.progress(of: aircraft, after: last * degree))
      #expect(abs(progress.alongNM - pass * degree) < 0.01, "\(last)")
    }
  }
}

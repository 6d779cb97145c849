import ContrailGeodesy
import Testing

@Suite struct GeodesicTests {
  @Test func distancesAgreeWithGeographicLibToAMicrometre() {
    var worst = 0.0
    let rows = Tables.rows(Tables.inverse)
    #expect(rows.count > 500)
    for row in rows {
      let (start, end) = (
        Coordinate(latitude: row[0], longitude: row[1]), Coordinate(latitude: row[2], longitude: row[3])
      )
      let error = abs(Geodesic.inverse(from: start, to: end).distanceMeters - row[4])
      worst = max(worst, error)
      #expect(error < 1e-6, "\(row)")
    }
    #expect(worst < 5e-8)
  }

  /// Azimuths of short ways are uncertain; what counts is where they lead.
  @Test func theAzimuthFoundLeadsToThePoint() {
    for row in Tables.rows(Tables.inverse) {
      let (start, end) = (
        Coordinate(latitude: row[0], longitude: row[1]), Coordinate(latitude: row[2], longitude: row[3])
      )
      let found = Geodesic.inverse(from: start, to: end)
      #expect(found.initialAzimuth >= 0 && found.initialAzimuth < 360)
      let reached = Geodesic.direct(from: start, azimuth: found.initialAzimuth, distanceMeters: found.distanceMeters)
      #expect(Geodesic.inverse(from: reached.coordinate, to: end).distanceMeters < 1e-6, "\(row)")
    }
  }

  @Test func azimuthsAgreeWithGeographicLib() {
    for row in Tables.rows(Tables.inverse) where row[4] > 1000 && row[4] < 1.99e7 {
      let (start, end) = (
        Coordinate(latitude: row[0], longitude: row[1]), Coordinate(latitude: row[2], longitude: row[3])
      )
      let found = Geodesic.inverse(from: start, to: end)
      #expect(abs((found.initialAzimuth - row[5]).remainder(dividingBy: 360)) < 1e-8, "\(row)")
      #expect(abs((found.finalAzimuth - row[6]).remainder(dividingBy: 360)) < 1e-8, "\(row)")
    }
  }

  @Test func positionsAgreeWithGeographicLibToAMicrometre() {
    let rows = Tables.rows(Tables.direct)
    #expect(rows.count > 200)
    for row in rows {
      let start = Coordinate(latitude: row[0], longitude: row[1])
      let reached = Geodesic.direct(from: start, azimuth: row[2], distanceMeters: row[3])
      let expected = Coordinate(latitude: row[4], longitude: row[5])
      #expect(Geodesic.inverse(from: reached.coordinate, to: expected).distanceMeters < 1e-6, "\(row)")
      let turn = (reached.finalAzimuth - row[6]).remainder(dividingBy: 360)
      if abs(expected.latitude) < 89.99 { #expect(abs(turn) < 1e-8, "\(row)") }
    }
  }

  @Test func aLineAnswersAsTheDirectProblem() {
    let start = Coordinate(latitude: 51.47, longitude: -0.45)
    let end = Coordinate(latitude: -33.95, longitude: 151.18)
    let line = GeodesicLine(from: start, to: end)
    let solution = Geodesic.inverse(from: start, to: end)
    for fraction in [0, 0.1, 0.5, 1, 1.2, -0.3] {
      let distance = fraction * solution.distanceMeters
      let direct = Geodesic.direct(from: start, azimuth: solution.initialAzimuth, distanceMeters: distance)
      let position = line?.position(atMeters: distance).coordinate
      #expect(position.map { $0.geodesicDistanceMeters(to: direct.coordinate) < 1e-6 } == true)
    }
  }

  @Test func areasAgreeWithGeographicLib() {
    let rows = Tables.rows(Tables.areas)
    #expect(rows.count == 60)
    for row in rows {
      let polygon = stride(from: 1, to: row.count, by: 2).map { Coordinate(latitude: row[$0], longitude: row[$0 + 1]) }
      let area = Geodesic.area(of: polygon)
      // A tenth of a square metre an edge is what double precision gives.
      #expect(abs(area - row[0]) < 0.1 * Double(polygon.count), "\(row)")
      #expect(abs(Geodesic.area(of: polygon + [polygon[0]]) - row[0]) < 0.1 * Double(polygon.count))
      #expect(abs(Geodesic.area(of: polygon.reversed()) + row[0]) < 0.1 * Double(polygon.count))
    }
  }

  @Test func badInputAnswersNaN() {
    let good = Coordinate(latitude: 1, longitude: 2)
    for bad in [
      Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 91, longitude: 0),
      Coordinate(latitude: 0, longitude: .infinity), Coordinate(latitude: -.infinity, longitude: .nan),
    ] {
      #expect(Geodesic.inverse(from: good, to: bad).distanceMeters.isNaN)
      #expect(Geodesic.inverse(from: bad, to: good).distanceMeters.isNaN)
      #expect(Geodesic.area(of: [good, bad, good]).isNaN)
      let reached = Geodesic.direct(from: bad, azimuth: 10, distanceMeters: 1000).coordinate
      #expect(reached.latitude.isNaN || reached.longitude.isNaN)
      #expect(GeodesicLine(from: good, to: bad) == nil)
    }
    let lost = Geodesic.direct(from: good, azimuth: .infinity, distanceMeters: 1000).coordinate
    #expect(lost.latitude.isNaN)
  }
}

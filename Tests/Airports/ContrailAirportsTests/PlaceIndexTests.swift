import ContrailAirportData
import ContrailGeodesy
import ContrailTestSupport
import Testing

@testable import ContrailAirports

/// The cells and distances of the spatial index. A search filters what the index finds, so a wrong one may only be slow.
@Suite struct PlaceIndexTests {
  private static func place(_ random: inout SplitMix64) -> Coordinate {
    Coordinate(latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
  }

  private static func distance(_ a: SpherePoint, _ b: SpherePoint) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z)).squareRoot()
  }

  @Test func aChordIsTheStraightDistanceAndHardlyMore() {
    var random = SplitMix64(seed: 91)
    for _ in 0..<500 {
      let (a, b) = (Self.place(&random), Self.place(&random))
      let more = SpherePoint.chord(a.distanceNM(to: b)) - Self.distance(SpherePoint(a), SpherePoint(b))
      #expect(more > 0 && more < 2e-9)
    }
    #expect((0...2e-9).contains(SpherePoint.chord(0)))
    #expect(SpherePoint.chord(-1) == SpherePoint.chord(0))
    #expect((2...2 + 2e-9).contains(SpherePoint.chord(1e6)))
  }

  @Test func aPointIsOnTheUnitSphere() {
    for (coordinate, x, y, z) in [
      (Coordinate(latitude: 0, longitude: 0), 1.0, 0.0, 0.0), (Coordinate(latitude: 0, longitude: 90), 0, 1, 0),
      (Coordinate(latitude: 90, longitude: 12), 0, 0, 1),
      (Coordinate(latitude: -30, longitude: 180), -0.75.squareRoot(), 0, -0.5),
    ] {
      let point = SpherePoint(coordinate)
      #expect(abs(point.x - x) < 1e-12 && abs(point.y - y) < 1e-12 && abs(point.z - z) < 1e-12)
    }
  }

  @Test func aCellHoldsItsSouthWestEdgesAndNotTheOthers() {
    for (row, column) in [(0, 0), (0, 179), (44, 90), (45, 89), (45, 90), (89, 0), (89, 179)] {
      let number = Int64(row * 180 + column)
      let (south, west) = (Double(row * 2 - 90), Double(column * 2 - 180))
      for (latitude, longitude) in [(south, west), (south + 1, west + 1), (south + 1.999, west + 1.999)] {
        #expect(PlaceCell(Coordinate(latitude: latitude, longitude: longitude)).number == number)
      }
    }
    // The pole and the antimeridian belong to the cells before them.
    #expect(PlaceCell(Coordinate(latitude: 90, longitude: 180)).number == 89 * 180 + 179)
    #expect(PlaceCell(Coordinate(latitude: 90, longitude: -180)).number == 89 * 180)
    #expect(PlaceCell(Coordinate(latitude: -90, longitude: 180)).number == 179)
  }

  @Test func theBoxOfACellHoldsItsPointsAndHardlyMore() {
    var random = SplitMix64(seed: 92)
    let numbers = [0, 179, 45 * 180 + 90, 44 * 180 + 89, 45 * 180 + 45, 44 * 180 + 135, 89 * 180, 16_199]
    for number in numbers.map(Int64.init) + (0..<200).map({ _ in Int64.random(in: 0..<16_200, using: &random) }) {
      let (south, west) = (Double(number / 180 * 2 - 90), Double(number % 180 * 2 - 180))
      let points = (0..<25).map { index in
        SpherePoint(
          Coordinate(latitude: south + Double(index / 5) / 2, longitude: west + Double(index % 5) / 2))
      }
      let box = PlaceCell(number: number).box
      #expect(box.count == 6)
      for (axis, values) in [points.map(\.x), points.map(\.y), points.map(\.z)].enumerated() {
        let (least, most) = (values.min() ?? .nan, values.max() ?? .nan)
        #expect((least - 2e-9..<least).contains(box[2 * axis]), "cell \(number)")
        #expect(box[2 * axis + 1] > most && box[2 * axis + 1] <= most + 2e-9, "cell \(number)")
      }
    }
  }
}

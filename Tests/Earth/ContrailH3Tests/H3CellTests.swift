import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import Foundation
import Testing

@Suite("A cell")
struct H3CellTests {
  private let sanFrancisco = Coordinate(latitude: 37.3615593, longitude: -122.0553238)

  @Test func isFoundByAPoint() throws {
    let cell = try H3Cell(sanFrancisco, resolution: 5)
    #expect(cell.description == "85283473fffffff")
    #expect(cell.resolution == 5 && cell.baseCell == 20 && !cell.isPentagon && cell.isClassIII)
  }

  @Test func hasACentreAndABoundary() throws {
    let cell = try #require(H3Cell("85283473fffffff"))
    // From H3's documentation of these functions, to its digits.
    #expect(abs(cell.center.latitude - 37.34579337536848) < 1e-12)
    #expect(abs(cell.center.longitude - -121.97637597255124) < 1e-12)
    let boundary = cell.boundary
    #expect(boundary.count == 6)
    #expect(abs(boundary[0].latitude - 37.271355866731895) < 1e-12)
    #expect(abs(boundary[0].longitude - -121.91508032705622) < 1e-12)
    #expect(cell.withBoundary { Array($0) } == boundary)
  }

  @Test func isNotFoundByWhatIsNoPoint() {
    for coordinate in [
      Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 0, longitude: .infinity),
      Coordinate(latitude: 90.1, longitude: 0), Coordinate(latitude: 0, longitude: 361),
    ] {
      #expect(throws: H3Error.coordinate) { try H3Cell(coordinate, resolution: 5) }
    }
    for resolution in [-1, 16, .min, .max] {
      #expect(throws: H3Error.resolution(resolution)) { try H3Cell(sanFrancisco, resolution: resolution) }
    }
  }

  @Test func isReadFromHexadecimalOnlyIfItIsACell() {
    #expect(H3Cell("85283473FFFFFFF") == H3Cell("085283473fffffff"))
    for text in [
      "", "0", "85283473ffffff", "85283473fffffffg", "-85283473fffffff", "0x85283473fffffff", "0085283473fffffff",
    ] {
      #expect(H3Cell(text) == nil, "\(text)")
    }
  }

  @Test func isCodedAsItsString() throws {
    let cell = try #require(H3Cell("85283473fffffff"))
    let json = try JSONEncoder().encode([cell])
    #expect(String(decoding: json, as: UTF8.self) == #"["85283473fffffff"]"#)
    #expect(try JSONDecoder().decode([H3Cell].self, from: json) == [cell])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([H3Cell].self, from: Data(#"["85283473"]"#.utf8)) }
  }

  @Test func packsIntoTwentyTwoBits() throws {
    let cell = try #require(H3Cell("85283473fffffff"))
    let packed = try #require(cell.packed22)
    #expect(packed == UInt32((cell.rawValue >> 30) & 0x3F_FFFF))
    #expect(H3Cell(packed22: packed) == cell)
    #expect(H3Cell(packed22: packed | 1 << 22) == nil)
    #expect(try H3Cell(sanFrancisco, resolution: 6).packed22 == nil)
  }

  @Test func packsIntoTwentyEightBitsWithAnAltitude() throws {
    let cell = try #require(H3Cell("85283473fffffff"))
    for altitude in [0, 38, 52, 63] {
      let packed = try #require(cell.packed28(thousandsOfFeet: altitude))
      let unpacked = try #require(H3Cell.unpacked28(packed))
      #expect(packed >> 28 == 0 && unpacked.cell == cell && unpacked.thousandsOfFeet == altitude)
    }
    #expect(cell.packed28(thousandsOfFeet: -1) == nil && cell.packed28(thousandsOfFeet: 64) == nil)
    #expect(H3Cell.unpacked28(.max) == nil)
  }

  @Test(arguments: 1...15)
  func sharesItsVerticesWithItsNeighboursToTheLastDigits(resolution: Int) throws {
    func vector(_ point: Coordinate) -> SIMD3<Double> {
      let angles = SIMD2(point.latitude, point.longitude) * (Double.pi / 180)
      return SIMD3(cos(angles[0]) * cos(angles[1]), cos(angles[0]) * sin(angles[1]), sin(angles[0]))
    }
    let points = [(90.0, 0.0), (-90, 0), (0, 180), (52.6, 10.5), (37.4, -122.1)]
    let cells = try points.map { try H3Cell(Coordinate(latitude: $0.0, longitude: $0.1), resolution: resolution) }
    for cell in try cells + [H3Cell.pentagons(resolution: resolution)[5]] {
      let others = cell.neighbors.flatMap(\.boundary).map(vector)
      for vertex in cell.boundary.map(vector) {
        // Across the edges of the icosahedron, whose published figures have sixteen digits.
        #expect(others.filter { (($0 - vertex) * ($0 - vertex)).sum() < 1e-28 }.count >= 1, "\(cell)")
      }
    }
  }

  @Test func allPackedCellsAreThoseOfResolution5() {
    var count = 0
    for packed in 0..<UInt32(1 << 22) where packed % 7 == 0 {
      let rawValue = 0x0850_0000_3FFF_FFFF | UInt64(packed) << 30
      let cell = H3Cell(packed22: packed)
      if (cell != nil) != H3Cell.isValid(rawValue) || cell?.packed22 ?? packed != packed { Issue.record("\(packed)") }
      if cell != nil { count += 1 }
    }
    #expect(count > 280_000)
  }

  /// Validity as the format's description has it, digit by digit.
  private func isValid(_ index: UInt64) -> Bool {
    guard index >> 56 == 8 else { return false }
    let resolution = Int(index >> 52 & 15)
    let baseCell = Int(index >> 45 & 127)
    guard baseCell < 122 else { return false }
    var isPentagon = [4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117].contains(baseCell)
    for place in 1...15 {
      let digit = index >> (45 - 3 * place) & 7
      if place > resolution {
        if digit != 7 { return false }
      } else {
        if digit == 7 || (isPentagon && digit == 1) { return false }
        if digit != 0 { isPentagon = false }
      }
    }
    return true
  }

  @Test func isValidByItsBits() {
    var generator = SplitMix64(seed: 3)
    var counts = [0, 0]
    for _ in 0..<40_000 {
      let resolution = UInt64.random(in: 0...15, using: &generator)
      var index = 8 << 56 | resolution << 52 | UInt64.random(in: 0...127, using: &generator) << 45
      for place in UInt64(1)...15 {
        // Zeros often, so that pentagons come up.
        let digit = UInt64.random(in: 0...6, using: &generator) & (Bool.random(using: &generator) ? 7 : 0)
        index |= (place <= resolution ? digit : 7) << (45 - 3 * place)
      }
      if Int.random(in: 0..<4, using: &generator) == 0 { index ^= 1 << UInt64.random(in: 0...63, using: &generator) }
      let expected = isValid(index)
      counts[expected ? 1 : 0] += 1
      if H3Cell.isValid(index) != expected { Issue.record("\(index)") }
      if H3Cell.isValidResolution5(index) != (expected && index >> 52 & 15 == 5) { Issue.record("\(index)") }
    }
    #expect(counts[0] > 5000 && counts[1] > 20_000)
  }
}

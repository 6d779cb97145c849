import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

/// The compact form of turbulence areas against their GeoJSON.
@Suite struct CompactPolygonsTests {
  /// Areas around random places, also at the poles and the antimeridian, and advisories.
  private func answer(_ random: inout SplitMix64, areas: ClosedRange<Int> = 0...6) throws -> PolygonsAnswer {
    var united: [PolygonsAnswer.Area] = []
    var taken: Set<UInt64> = []
    for _ in 0..<Int.random(in: areas, using: &random) {
      let place = Coordinate(
        latitude: random.chance(20) ? 89.5 : .random(in: -80...80, using: &random),
        longitude: random.chance(20) ? 179.9 : .random(in: -180..<180, using: &random))
      let disk = try H3Cell(place, resolution: 3).gridDisk(Int.random(in: 0...3, using: &random))
      let cells = disk.filter { _ in random.chance(70) }.filter { taken.insert($0.rawValue).inserted }
      guard !cells.isEmpty else { continue }
      united.append(
        .init(
          severity: TurbulenceSeverity.allCases.randomElement(using: &random) ?? .light,
          base: UInt8.random(in: 0...52, using: &random), top: UInt8.random(in: 0...52, using: &random),
          count: Int.random(in: 1...100_000, using: &random), cells: cells.sorted { $0.rawValue < $1.rawValue }))
    }
    var answer = PolygonsAnswer(
      token: Int64.random(in: 0...Int64(UInt32.max), using: &random), areas: PolygonsAnswer.outlined(united))
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let polygons = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        PlanePolygon(outer: ring(&random), holes: random.chance(30) ? [ring(&random)] : [])
      }
      answer.areas.append(
        .init(
          severity: .moderate, base: 0, top: 52, count: 1, polygons: polygons,
          advisory: random.chance(60) ? "SIGMET É\(polygons.count)" : nil))
    }
    return answer
  }

  private func ring(_ random: inout SplitMix64) -> [FixedCoordinate] {
    let points: [FixedCoordinate] = (0..<Int.random(in: 3...6, using: &random)).map { _ in
      FixedCoordinate(
        latitudeE7: .random(in: -900_000_000...900_000_000, using: &random),
        longitudeE7: .random(in: -1_800_000_000...1_800_000_000, using: &random))
    }
    return points + points.prefix(1)
  }

  private func read(_ bytes: [UInt8]) throws(CompactError) -> PolygonsAnswer {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CompactError) in
      try PolygonsAnswer(compact: UnsafeRawBufferPointer(bytes))
    }
  }

  @Test func bothFormsGiveTheSameDocument() throws {
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      let answer = try answer(&random)
      let back = try read(answer.compact)
      #expect(back == answer, "seed \(seed)")
      #expect(back.json == answer.json, "seed \(seed)")
    }
  }

  @Test func areasInAnotherOrderThanTheirCellsSayAreWrittenAsRings() throws {
    var random = SplitMix64(seed: 4)
    var answer = try answer(&random, areas: 5...6)
    answer.areas.reverse()
    let back = try read(answer.compact)
    #expect(back.json == answer.json)
    #expect(back.areas.allSatisfy { $0.cells.isEmpty })
  }

  @Test func aLargeAreaTakesLittleMoreThanAByteACell() throws {
    let cells = try H3Cell(Coordinate(latitude: 47, longitude: -40), resolution: 3).gridDisk(12)
      .sorted { $0.rawValue < $1.rawValue }
    let area = PolygonsAnswer.Area(severity: .light, base: 20, top: 41, count: 900, cells: cells)
    let answer = PolygonsAnswer(token: 1_740_000_000, areas: PolygonsAnswer.outlined([area]))
    #expect(answer.compact.count < cells.count * 5 / 4, "\(answer.compact.count) bytes of \(cells.count) cells")
    #expect(try read(answer.compact) == answer)
  }

  @Test func areasThatAreCutAreRejectedAtEveryLength() throws {
    for seed in UInt64(0)..<20 {
      var random = SplitMix64(seed: seed)
      let bytes = try answer(&random, areas: 1...3).compact
      for length in bytes.indices {
        #expect(throws: CompactError.self, "seed \(seed), \(length) bytes") { try read(Array(bytes[..<length])) }
      }
      let error = #expect(throws: CompactError.self) { try read(bytes + [0]) }
      #expect(error == CompactError(offset: bytes.count, reason: "the areas go on after their end"))
    }
  }

  @Test func changedBytesAreReadOrRejected() throws {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      var bytes = try answer(&random, areas: 0...2).compact
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let changed = try? read(bytes) else { continue }
      // What is read can be written, and is then the same.
      #expect(try read(changed.compact).json == changed.json, "seed \(seed)")
    }
  }

  @Test(
    arguments: [
      ([0xC4, 2], 1, "version 2 is unknown; the newest known is 1"),
      ([0xC1], 0, "there are no areas"),
      ([0xC4, 1, 1, 0x80, 0x94, 0xEB, 0xDC, 0x03], 8, "1000000000 areas don't fit into the remaining 0 bytes"),
      ([0xC4, 1, 1, 1, 0x0F, 0, 0, 0, 0], 5, "severity 7 is unknown"),
      ([0xC4, 1, 1, 1, 0x0A, 0, 0, 0, 0, 0], 9, "'cell' isn't a cell after the one before"),
      // The base cell 122.
      ([0xC4, 1, 1, 1, 0x0A, 0, 0, 0, 0x81, 0xE8, 0x03, 0], 11, "'cell' isn't a cell after the one before"),
      ([0xC4, 1, 1, 1, 0x02, 0, 0, 0, 0, 0], 6, "an area has 0 cells; all areas can have 1 to 41162"),
      ([0xC4, 1, 1, 0, 1, 0x02, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0], 12, "a ring has 2 points; at least 3 are needed"),
    ] as [([UInt8], Int, String)])
  func whatIsWrongIsNamed(bytes: [UInt8], offset: Int, reason: String) {
    let error = #expect(throws: CompactError.self) { try read(bytes) }
    #expect(error == CompactError(offset: offset, reason: reason))
  }

  @Test func theWorldHasOnlySoManyCells() {
    // Areas that repeat the cells of the first ten base cells.
    let numbers = (0..<10 << 9).filter { H3Cell(rawValue: 0x0830_000F_FFFF_FFFF | UInt64($0) << 36) != nil }
    var bytes: [UInt8] = [0xC4, 1, 1, 13]
    for area in 0..<13 {
      let cells = numbers[area...]
      bytes += [0x02, UInt8(cells.count & 127 | 128), UInt8(cells.count >> 7), 0, 0, 1]
      var before = area == 0 ? -1 : numbers[area - 1]
      for number in cells {
        bytes.append(UInt8(number - before))
        before = number
      }
    }
    let error = #expect(throws: CompactError.self) { try read(bytes + [0]) }
    #expect(error?.reason.hasSuffix("cells; all areas can have 1 to 41162") == true, "\(String(describing: error))")
  }
}

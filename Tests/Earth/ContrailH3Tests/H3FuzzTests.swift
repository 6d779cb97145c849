import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import Testing

@Suite("Whatever comes")
struct H3FuzzTests {
  /// Coordinates as they should not be.
  private func odd(_ generator: inout SplitMix64) -> Double {
    let values: [Double] = [
      .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 0, -0.0, 90, -90, 180, -180, 360, -360,
      179.999_999_999,
      1e-12,
    ]
    if Int.random(in: 0..<3, using: &generator) == 0 { return values.randomElement(using: &generator) ?? 0 }
    return .random(in: -200...200, using: &generator)
  }

  @Test func everyIndexIsAnsweredOrRefused() {
    var generator = SplitMix64(seed: 5)
    var found = 0
    for _ in 0..<20_000 {
      var raw = generator.next()
      // Half of them look like cells.
      if Bool.random(using: &generator) { raw = raw & 0x00ff_ffff_ffff_ffff | 0x0800_0000_0000_0000 }
      if Bool.random(using: &generator) {
        let resolution = raw >> 52 & 15
        raw |= (1 << (45 - 3 * resolution)) - 1
      }
      guard let cell = H3Cell(rawValue: raw) else { continue }
      found += 1
      #expect(H3Cell(cell.description) == cell)
      #expect(cell.center.isValid && (5...10).contains(cell.boundary.count))
      #expect((5...6).contains(cell.neighbors.count))
      if let parent = cell.parent { #expect(H3Cell.isValid(parent.rawValue)) }
      let other = H3Cell(rawValue: raw ^ (1 << 47)) ?? cell
      _ = try? cell.gridDistance(to: other)
      _ = try? cell.edgeLengthKm(to: other)
    }
    #expect(found > 200)
  }

  @Test func everyPointIsAnsweredOrRefused() {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<20_000 {
      let point = Coordinate(latitude: odd(&generator), longitude: odd(&generator))
      let resolution = Int.random(in: -2...17, using: &generator)
      let cell = try? H3Cell(point, resolution: resolution)
      #expect((cell != nil) == (point.isValid && (0...15).contains(resolution)))
      if let cell { #expect(H3Cell.isValid(cell.rawValue)) }
    }
  }

  @Test(arguments: 0..<50)
  func everyPolygonIsAnsweredOrRefused(seed: UInt64) {
    var generator = SplitMix64(seed: 100 + seed)
    let isMild = Bool.random(using: &generator)
    func loop() -> [Coordinate] {
      var points: [Coordinate] = []
      for _ in 0..<Int.random(in: 0...(isMild ? 40 : 8), using: &generator) {
        let latitude = isMild ? .random(in: -90...90, using: &generator) : odd(&generator)
        let longitude = isMild ? .random(in: -180...180, using: &generator) : odd(&generator)
        points.append(Coordinate(latitude: latitude, longitude: longitude))
        // Duplicates and spikes.
        if Int.random(in: 0..<4, using: &generator) == 0, let again = points.randomElement(using: &generator) {
          points.append(again)
        }
      }
      return points
    }
    let polygon = H3Polygon(outer: loop(), holes: (0..<Int.random(in: 0...2, using: &generator)).map { _ in loop() })
    let resolution = Int.random(in: 0...2, using: &generator)
    var found: [[H3Cell]] = []
    for containment in [H3Containment.full, .center, .overlapping] {
      if let cells = try? H3Cell.cells(in: polygon, resolution: resolution, containment: containment) {
        #expect(zip(cells, cells.dropFirst()).allSatisfy { $0 < $1 })
        found.append(cells)
      }
    }
    #expect(found.isEmpty || found.count == 3)
    if found.count == 3 {
      #expect(Set(found[0]).isSubset(of: found[1]) && Set(found[1]).isSubset(of: found[2]), "seed \(seed)")
    }
  }

  @Test func aLoopOfAHundredThousandPointsIsAnswered() throws {
    var generator = SplitMix64(seed: 9)
    let points = (0..<100_000).map { step in
      // A circle with a ragged edge, by a square's outline so that no libm is needed.
      let t = Double(step) / 25_000
      let side = t - t.rounded(.down)
      let ragged = Double.random(in: 5...5.01, using: &generator)
      switch Int(t) {
      case 0: return Coordinate(latitude: -ragged, longitude: -5 + 10 * side)
      case 1: return Coordinate(latitude: -5 + 10 * side, longitude: ragged)
      case 2: return Coordinate(latitude: ragged, longitude: 5 - 10 * side)
      default: return Coordinate(latitude: 5 - 10 * side, longitude: -ragged)
      }
    }
    let found = try H3Cell.cells(in: H3Polygon(outer: points), resolution: 3)
    let square = [(-5.0, -5.0), (-5, 5), (5, 5), (5, -5)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    let plain = try H3Cell.cells(in: H3Polygon(outer: square), resolution: 3)
    #expect(!plain.isEmpty && Set(plain).symmetricDifference(found).count < 3)
    #expect(throws: H3Error.windsTwice(loop: 0)) {
      try H3Cell.cells(
        in: H3Polygon(
          outer: (0..<100_000).map { Coordinate(latitude: 10, longitude: Double($0 * 170 % 360) - 180) }), resolution: 3
      )
    }
  }
}

import ContrailCompression
import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// Areas of turbulence as RFC 7946 wants polygons.
@Suite struct TurbulenceAreasTests {
  static let degree = FixedCoordinate.degree

  private static func report(
    _ latitude: Double, _ longitude: Double, severity: UInt8 = 2, altitude: UInt8 = 35,
    at time: UInt32 = 1_780_000_000
  ) throws -> TurbulenceReport {
    let cell = try H3Cell(Coordinate(latitude: latitude, longitude: longitude), resolution: 5)
    return TurbulenceReport(
      cell: try #require(cell.packed22), altitude: altitude, severity: severity, edrE4: 1700, observedAt: time)
  }

  /// The fault of an area's geometry; nil if it has none.
  static func fault(of area: PolygonsAnswer.Area) -> String? {
    for polygon in area.polygons {
      for ring in [polygon.outer] + polygon.holes {
        if ring.count < 4 || ring.first != ring.last { return "open" }
        if Set(ring).count != ring.count - 1 { return "touches itself" }
        for point in ring where abs(point.longitudeE7) > 180 * degree || abs(point.latitudeE7) > 90 * degree {
          return "beyond the earth"
        }
        for (a, b) in zip(ring, ring.dropFirst())
        where abs(a.longitudeE7 - b.longitudeE7) > 90 * degree && abs(a.latitudeE7) < 89 * degree {
          return "crosses the antimeridian"
        }
      }
      if Dissolve.signedArea(polygon.outer) <= 0 { return "clockwise" }
      for hole in polygon.holes {
        if Dissolve.signedArea(hole) >= 0 { return "counter-clockwise hole" }
        if !hole.dropLast().allSatisfy({ Dissolve.contains(polygon.outer, $0) }) { return "hole outside" }
      }
    }
    return area.polygons.isEmpty ? "empty" : nil
  }

  @Test func areasOfTheWorldAreValid() {
    var archive = WorldArchive(world: SimulatedWorld(seed: 21, aircraft: 250))
    let reports = archive.epochs(after: Samples.noon - 7200, before: Samples.noon).flatMap(\.observations).map(
      \.report)
    let areas = TurbulenceAreas.areas(of: reports)
    #expect(areas.count > 50)
    for area in areas {
      let fault = Self.fault(of: area)
      #expect(fault == nil, "\(area)")
      #expect(area.severity > .none && area.base <= area.top)
    }
    #expect(areas.map(\.count).reduce(0, +) == reports.count { $0.severity > .none })
    #expect(TurbulenceAreas.areas(of: reports.shuffled()) == areas)
  }

  @Test func theAreasOfTheWorldTakeATenthInTheCompactForm() throws {
    var archive = WorldArchive(world: SimulatedWorld(seed: 21, aircraft: 1000))
    let reports = archive.epochs(after: Samples.noon - 7200, before: Samples.noon).flatMap(\.observations).map(
      \.report)
    let answer = PolygonsAnswer(token: Samples.noon, areas: TurbulenceAreas.areas(of: reports))
    let (json, compact) = (answer.json, answer.compact)
    #expect(try compact.withUnsafeBytes { try PolygonsAnswer(compact: $0) }.json == json)
    let packed = try #require(Gzip.packed(json))
    #expect(compact.count * 10 <= packed.count, "\(compact.count) bytes of \(packed.count)")
  }

  @Test func aCellAcrossTheAntimeridianIsCutInTwo() throws {
    let areas = TurbulenceAreas.areas(of: try [-0.3, 0, 0.3].map { try Self.report(51, 180 + $0) })
    #expect(areas.contains { $0.polygons.count == 2 })
    for area in areas { #expect(Self.fault(of: area) == nil) }
    let cut = areas.flatMap(\.polygons).flatMap(\.outer).filter { abs($0.longitudeE7) == 180 * Self.degree }
    #expect(cut.contains { $0.longitudeE7 > 0 } && cut.contains { $0.longitudeE7 < 0 })
    // What ends on one side goes on at the same latitude on the other.
    #expect(
      Set(cut.filter { $0.longitudeE7 > 0 }.map(\.latitudeE7))
        == Set(cut.filter { $0.longitudeE7 < 0 }.map(\.latitudeE7)))
  }

  @Test(arguments: [90.0, -90.0]) func anAreaRoundAPoleIsClosedAlongIt(pole: Double) throws {
    var reports: [TurbulenceReport] = []
    for longitude in stride(from: -180.0, to: 180, by: 20) {
      for offset in [0.2, 1.0, 2.0, 3.0] { reports.append(try Self.report(pole - offset * (pole / 90), longitude)) }
    }
    let areas = TurbulenceAreas.areas(of: reports)
    let area = try #require(areas.first)
    #expect(areas.count == 1 && Self.fault(of: area) == nil, "\(Self.fault(of: area) ?? "")")
    let points = area.polygons.flatMap(\.outer)
    #expect(points.contains { $0.latitudeE7 == Int64(pole) * Self.degree })
    // A cap as large as its cells, and no more.
    let square = area.polygons.map { Dissolve.signedArea($0.outer) }.reduce(0, +)
    #expect((700...2500).contains(square), "\(square)")
  }

  @Test func aRingOfCellsHasAHole() throws {
    let centre = try H3Cell(Coordinate(latitude: 45, longitude: -40), resolution: 3)
    // Points on a circle that is wide enough to pass through the cells around one, and no others.
    let reports = try stride(from: 0.0, to: 360, by: 5).map { azimuth in
      let point = centre.center.destination(azimuth: azimuth, distanceNM: 62)
      return try Self.report(point.latitude, point.longitude)
    }
    let areas = TurbulenceAreas.areas(of: reports)
    let area = try #require(areas.first)
    #expect(areas.count == 1 && area.polygons.count == 1 && area.polygons.first?.holes.count == 1)
    #expect(Self.fault(of: area) == nil)
  }

  @Test func cellsAreGatheredByTheirMostSevereReport() throws {
    let areas = TurbulenceAreas.areas(of: [
      try Self.report(45, -40, severity: 1, altitude: 31), try Self.report(45, -40, severity: 3, altitude: 38),
      try Self.report(45, -40, severity: 0, altitude: 10), try Self.report(10, 20, severity: 1),
    ])
    #expect(areas.map(\.severity) == [.light, .moderate])
    let strong = try #require(areas.last)
    #expect(strong.base == 31 && strong.top == 38 && strong.count == 2)
  }

  @Test func areasThatMeetARingAreKept() throws {
    let centre = try H3Cell(Coordinate(latitude: 45, longitude: -40), resolution: 3).center
    let (north, east) = (centre.latitude, centre.longitude)
    let area = try #require(TurbulenceAreas.areas(of: [try Self.report(north, east)]).first)
    #expect(area.meets(Samples.rectangle(west: -60, south: 30, east: -20, north: 60)), "inside the ring")
    let small = Samples.rectangle(west: east - 0.05, south: north - 0.05, east: east + 0.05, north: north + 0.05)
    #expect(area.meets(small), "round the ring")
    let thin = Samples.rectangle(west: -60, south: north - 0.01, east: -20, north: north + 0.01)
    #expect(area.meets(thin), "crossed by the ring")
    #expect(!area.meets(Samples.rectangle(west: -20, south: 30, east: 20, north: 60)))
    let far = try #require(TurbulenceAreas.areas(of: [try Self.report(0, 179.9)]).first)
    #expect(far.meets(Samples.rectangle(west: 170, south: -10, east: -170, north: 10)), "across the antimeridian")
    #expect(!far.meets(Samples.rectangle(west: -170, south: -10, east: 170, north: 10)))
  }

  @Test func noReportsMakeAnEmptyCollection() {
    let document = PolygonDocument(PolygonsAnswer(token: 300, areas: TurbulenceAreas.areas(of: [])))
    #expect(
      String(decoding: document.body, as: UTF8.self)
        == #"{"type":"FeatureCollection","lastUpdatedAt":300,"features":[]}"#)
  }
}

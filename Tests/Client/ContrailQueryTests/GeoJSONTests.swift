import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

@Suite struct GeoJSONTests {
  private func items(_ reports: [TurbulenceReport]) throws -> [TurbulenceItem] {
    try TurbulenceQuery(aggregate: false).items(in: reports, asOf: now)
  }

  /// The rings of every feature of a document.
  private func rings(_ text: String) throws -> [[[Coordinate]]] {
    var features: [[[Coordinate]]] = []
    var text = text
    try text.withUTF8 { bytes in
      var json = JSONReader(UnsafeRawBufferPointer(bytes))
      try json.object { (key, json) throws(JSONError) in
        guard case "features" = key else { return _ = try json.skipValue() }
        try json.array { (json) throws(JSONError) in
          var rings: [[Coordinate]] = []
          try json.object { (key, json) throws(JSONError) in
            guard case "geometry" = key else { return _ = try json.skipValue() }
            var isMany = false
            try json.object { (key, json) throws(JSONError) in
              guard case "coordinates" = key else { return isMany = try json.string() == "MultiPolygon" }
              func polygon(_ json: inout JSONReader) throws(JSONError) {
                try json.array { (json) throws(JSONError) in
                  var ring: [Coordinate] = []
                  try json.array { (json) throws(JSONError) in
                    var pair: [Int64] = []
                    try json.array { (json) throws(JSONError) in pair.append(try json.scaled(by: 7)) }
                    ring.append(FixedCoordinate(latitudeE7: pair[1], longitudeE7: pair[0]).coordinate)
                  }
                  rings.append(ring)
                }
              }
              if isMany {
                try json.array { (json) throws(JSONError) in try polygon(&json) }
              } else {
                try polygon(&json)
              }
            }
          }
          features.append(rings)
        }
      }
      try json.end()
    }
    return features
  }

  @Test func aHexagonIsWrittenWithItsReportAndColours() throws {
    let cell = try #require(H3Cell("85283473fffffff"))
    let text = try items([report(cell, alt: 38, sev: 2, edrE4: 1121, age: 90)]).geoJSON()
    let properties = """
      "properties":{"alt":38,"sev":2,"edr":0.1121,"observedAt":\(now - 90),"age":90,"count":1,"fill":"#FFBC09",\
      "fill-opacity":0.8,"stroke":"#FFBC09","stroke-opacity":0,"stroke-width":0}
      """
    #expect(
      text.hasPrefix(#"{"type":"FeatureCollection","features":[{"type":"Feature","id":"85283473fffffff","geometry":"#))
    #expect(text.hasSuffix("\(properties)}]}"))
    #expect([TurbulenceItem]().geoJSON() == #"{"type":"FeatureCollection","features":[]}"#)
  }

  @Test func ringsAreClosedCounterClockwiseAndWithinHalfATurn() throws {
    var random = SplitMix64(seed: 4)
    var places = (0..<150).map { _ in random.place() }
    places += (0..<150).map { _ in
      point(Double.random(in: -85...85, using: &random), 180 + Double.random(in: -0.08...0.08, using: &random))
    }
    places += [point(90, 0), point(-90, 0), point(89.95, 180), point(-89.95, 0)]
    let cells = try Set(places.map { try H3Cell($0, resolution: 5) }).sorted()
    let written = try rings(try items(cells.map { report($0) }).geoJSON())
    #expect(written.count == cells.count)
    var parted = 0
    for (cell, rings) in zip(cells, written) {
      parted += rings.count > 1 ? 1 : 0
      #expect(!rings.isEmpty)
      var area = 0.0
      for ring in rings {
        #expect(ring.first == ring.last && ring.count >= 4)
        #expect(ring.allSatisfy { abs($0.longitude) <= 180 && abs($0.latitude) <= 90 })
        #expect(
          zip(ring, ring.dropFirst()).allSatisfy { abs($0.longitude - $1.longitude) < 180 || abs($0.latitude) == 90 })
        let twice = zip(ring, ring.dropFirst()).reduce(0) {
          $0 + ($1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude)
        }
        #expect(twice > 0, "\(cell) runs clockwise")
        // On the sphere: a strip between a latitude's sines.
        area += twice / 2
      }
      guard abs(cell.center.latitude) < 80 else { continue }
      // In the plane the area is the sphere's, stretched by the cosine of the latitude.
      let cosine = point(cell.center.latitude, 0).distanceNM(to: point(cell.center.latitude, 0.001)) / 0.001
      let height = point(0, 0).distanceNM(to: point(0.001, 0)) / 0.001
      let squareKm = area * cosine * height * 1.852 * 1.852
      #expect(abs(squareKm / cell.areaKm2 - 1) < 0.02, "\(cell): \(squareKm) km² for \(cell.areaKm2)")
    }
    #expect(parted > 50)
  }

  @Test func aRingInOnePieceRunsOnAcrossTheAntimeridian() throws {
    let item = try #require(try items([report(try H3Cell(point(10, 180), resolution: 5))]).first)
    let ring = item.ring
    #expect(ring.first == ring.last && ring.count == 7)
    #expect(zip(ring, ring.dropFirst()).allSatisfy { abs($0.longitude - $1.longitude) < 1 })
    #expect(item.rings.count == 2)
  }

  @Test func whatIsSmoothHasABorder() throws {
    let text = try items([report(try cell(50, 0), sev: 0)]).geoJSON()
    #expect(
      text.contains(
        ##""fill":"#FFFFFF","fill-opacity":0.6,"stroke":"#898989","stroke-opacity":0.8,"stroke-width":1}"##
      ))
  }

  @Test func aLevelIsWrittenIfItIsKnown() throws {
    let text = [try pirep("a", at: point(1, 2), level: 350), try pirep("b", at: point(1, 2), level: nil)].geoJSON(
      asOf: now)
    #expect(text.ranges(of: #""fl":"#).count == 1 && text.contains(#""properties":{"fl":350,"sev":3"#))
  }

  @Test func longitudesAreWithinHalfATurn() {
    func longitude(_ longitudeE7: Int64) -> String {
      var json = JSONWriter()
      GeoJSON.write(positions: [FixedCoordinate(latitudeE7: 0, longitudeE7: longitudeE7)], to: &json)
      return json.withBytes { String(decoding: $0, as: UTF8.self) }
    }
    for (degrees, text) in [
      (180, "180"), (-180, "-180"), (181, "-179"), (-181, "179"), (360, "0"), (-370, "-10"), (530, "170"), (540, "180"),
      (-540, "-180"),
      (550, "-170"),
      (-530, "-170"), (-550, "170"), (0, "0"),
    ] as [(Int64, String)] {
      #expect(longitude(degrees * 10_000_000) == "[[\(text),0]]", "\(degrees)")
    }
  }

  @Test func oneLineIsNoListOfLines() {
    func text(_ lines: [[Coordinate]]) -> String {
      var json = JSONWriter()
      GeoJSON.write(lines: lines, to: &json)
      return json.withBytes { String(decoding: $0, as: UTF8.self) }
    }
    let (one, other) = ([point(1, 2), point(3, 184)], [point(5, 6), point(7, -8)])
    #expect(text([one]) == #"{"type":"LineString","coordinates":[[2,1],[-176,3]]}"#)
    #expect(text([one, other]) == #"{"type":"MultiLineString","coordinates":[[[2,1],[-176,3]],[[6,5],[-8,7]]]}"#)
    #expect(text([]) == #"{"type":"MultiLineString","coordinates":[]}"#)
  }

  @Test func pointsAreWrittenWithinHalfATurn() throws {
    let pirep = PIREP(
      id: "a\"b", position: .init(latitudeE7: -123_456_789, longitudeE7: 1_900_000_000), flightLevel: nil,
      severity: .moderate,
      isUrgent: true, observedAt: now - 5, updatedAt: now, text: "UUA /TB MOD")
    #expect(
      [pirep].geoJSON(asOf: now) == """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"a\\"b","geometry":{"type":"Point","coordinates":\
        [-170,-12.3456789]},"properties":{"sev":3,"urgent":true,"observedAt":\(now - 5),"age":5,\
        "text":"UUA /TB MOD","marker-color":"#FF7100"}}]}
        """)
    let aircraft = TrafficPosition(
      id: "4b1", callsign: "EDW24", position: .init(latitudeE7: 5, longitudeE7: -1_800_000_000), altitudeFeet: 38_000,
      groundSpeedKnots: 470, trackDegrees: 270, observedAt: now + 5)
    #expect(
      [aircraft].geoJSON(asOf: now) == """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"4b1","geometry":{"type":"Point","coordinates":\
        [-180,0.0000005]},"properties":{"callsign":"EDW24","alt":38000,"gs":470,"track":270,"observedAt":\(now + 5),\
        "age":0}}]}
        """)
  }
}

@Suite struct TurbulenceStyleTests {
  @Test func coloursAreThoseOfTheGuide() {
    let legend = TurbulenceSeverity.allCases.map { severity in
      let fill = TurbulenceStyle.fill(severity)
      let border = TurbulenceStyle.border(severity).map { " Border \($0.hex) (alpha \($0.alpha))" } ?? ""
      return "\(TurbulenceStyle.name(severity)) \(fill.hex) (alpha \(fill.alpha))\(border)"
    }
    #expect(
      legend == [
        "Smooth #FFFFFF (alpha 0.6) Border #898989 (alpha 0.8)", "Light #FFF04C (alpha 0.8)",
        "Light-Moderate #FFBC09 (alpha 0.8)", "Moderate #FF7100 (alpha 0.8)",
        "Moderate-Occasionally Severe #FF0000 (alpha 0.8)",
      ])
    let orange = TurbulenceStyle.fill(.moderate).rgb
    #expect(orange == (255, 113, 0))
  }

  @Test func hexagonsGiveWayToPolygonsAtTheScaleOfTheGuide() {
    #expect(TurbulenceStyle.layer(metersPerPoint: 3319.9) == .hexagons)
    #expect(TurbulenceStyle.layer(metersPerPoint: 3320) == .polygons)
    #expect(TurbulenceStyle.polygonsMetersPerPixel * 2 == TurbulenceStyle.polygonsMetersPerPoint)
    #expect(abs(TurbulenceStyle.polygonsFeetPerPoint * 0.3048 - TurbulenceStyle.polygonsMetersPerPoint) < 1)
    #expect(TurbulenceStyle.polygonsFeetPerPixel * 2 == TurbulenceStyle.polygonsFeetPerPoint)
  }
}

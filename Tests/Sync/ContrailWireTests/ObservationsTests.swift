import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct ObservationsTests {
  // MARK: Round trips

  @Test func anAnswerIsReadAsItWasWritten() throws {
    for seed in UInt64(0)..<400 {
      var maker = MessageMaker(seed: seed)
      let answer = maker.answer()
      let read = try ObservationsAnswer(answer.json)
      #expect(read == answer, "seed \(seed)")
      #expect(read.json == answer.json, "seed \(seed)")
    }
  }

  @Test func aRequestIsReadAsItWasWritten() throws {
    for seed in UInt64(0)..<400 {
      var maker = MessageMaker(seed: seed)
      let request = try maker.request()
      #expect(try ObservationsRequest(request.json) == request, "seed \(seed)")
    }
  }

  @Test func anotherSpellingIsTheSameMessage() throws {
    for seed in UInt64(0)..<400 {
      var maker = MessageMaker(seed: seed)
      let answer = maker.answer()
      let request = try maker.request()
      let answerText = try maker.respelt(answer.json)
      let requestText = try maker.respelt(request.json)
      #expect(
        try ObservationsAnswer(answerText) == answer, "seed \(seed): \(String(decoding: answerText, as: UTF8.self))")
      #expect(
        try ObservationsRequest(requestText) == request, "seed \(seed): \(String(decoding: requestText, as: UTF8.self))"
      )
    }
  }

  @Test func pirepsAreWrittenEvenWithoutTheirSum() throws {
    var maker = MessageMaker(seed: 1)
    let answer = ObservationsAnswer(token: 5, pireps: [maker.pirep()])
    #expect(try ObservationsAnswer(answer.json) == answer)
  }

  @Test func whatARequestLeavesOutHasTheServicesDefaults() throws {
    var json = JSONWriter()
    try Ring(Rig.area).writePolygon(to: &json)
    let polygon = String(decoding: json.bytes, as: UTF8.self)
    let request = try ObservationsRequest(#"{"corridor":\#(polygon)}"#)
    #expect(
      request == ObservationsRequest(ring: try Ring(Rig.area), filter: Filter(types: .turbulence, history: .twoHours)))
    let nulls = try ObservationsRequest(#"{"corridor":\#(polygon),"lastUpdatedAt":null}"#)
    #expect(nulls == request)
  }

  @Test func unknownMembersOfAPolygonAndOfAnUploadAreSkipped() throws {
    let ring = try Ring(Rig.area)
    let request = ObservationsRequest(ring: ring, filter: Filter(types: .turbulence, history: .twoHours))
    let text = String(decoding: request.json, as: UTF8.self)
    let known = #""type":"Polygon""#
    #expect(text.contains(known))
    let parts = text.split(separator: known, maxSplits: 1)
    #expect(try ObservationsRequest(parts.joined(separator: #""crs":{"a":[1]},"type":"Polygon""#)) == request)

    let upload = try Array(#"{"meta":{"a":[1]},"reports":[],"x":null}"#.utf8).withUnsafeBytes {
      try ReportsUpload(json: $0)
    }
    #expect(upload.reports.isEmpty)
  }

  @Test func anAreaOfAnyWidthComesThroughTheWire() throws {
    for (west, east) in [(0.0, 10.0), (170, -170), (-170, 170), (-180, 180), (60, 50)] {
      let ring = Ring(try BoundingBox(north: 80, south: -60, west: west, east: east))
      let request = ObservationsRequest(ring: ring, filter: Filter(types: .turbulence, history: .twoHours))
      #expect(try ObservationsRequest(request.json).ring == ring)
      let target = PolygonsRequest(history: .twoHours, ring: ring).target
      let area = try #require(target.split(separator: "area=").last)
      #expect(try PolygonsRequest(hours: "2", area: String(area)).ring == ring)
    }
  }

  @Test func aPolygonIsTheSameAreaFromEveryCornerInBothDirections() throws {
    let expected = Ring(try BoundingBox(north: 50, south: 40, west: 0, east: 10))
    let corners = ["[10,50]", "[0,50]", "[0,40]", "[10,40]"]
    for shift in corners.indices {
      let turned = Array(corners[shift...] + corners[..<shift])
      for order in [turned, turned.reversed()] {
        let ring = (order + [order[0]]).joined(separator: ",")
        let request = try ObservationsRequest(#"{"corridor":{"type":"Polygon","coordinates":[[\#(ring)]]}}"#)
        #expect(request.ring == expected, "\(ring)")
      }
    }
  }

  // MARK: Faults

  static let goodAnswer =
    #"{"data":{"lastUpdatedAt":1732704917,"count":1,"checksum":"fd07dfa1588c179f","hexagons":[{"id":"85283473fffffff","#
    + #""alt":38,"sev":2,"edr":0.1121,"observedAt":1659530580}]}}"#

  /// The good answer with one part replaced, and the offset of the replacement.
  static func answer(_ part: String, _ other: String) throws -> (text: Substring, offset: Int) {
    let range = try #require(goodAnswer.firstRange(of: part))
    return (
      goodAnswer[..<range.lowerBound] + other + goodAnswer[range.upperBound...],
      goodAnswer.utf8.distance(from: goodAnswer.startIndex, to: range.lowerBound)
    )
  }

  @Test func eachBadAnswerHasItsOwnFaultWithItsPlace() throws {
    _ = try ObservationsAnswer(Self.goodAnswer)
    let time = "expected an integer from 0 to 4294967295"
    let cases: [(part: String, other: String, skip: Int, reason: String)] = [
      ("1732704917", " -1", 1, time), ("1732704917", "4294967296", 0, time),
      ("1732704917", "1.5", 0, "expected a 64-bit integer"),
      ("1732704917", "\"1\"", 0, "expected a value"), ("1732704917", "null", 0, "expected a value"),
      (#"1,"checksum""#, #"-1,"checksum""#, 0, "expected an integer from 0 to \(Int.max)"),
      (#""fd07dfa1588c179f""#, #" "fd07""#, 1, "expected sixteen hexadecimal digits"),
      (#""fd07dfa1588c179f""#, #""fd07dfa1588c179g""#, 0, "expected sixteen hexadecimal digits"),
      (#""85283473fffffff""#, #" "85283473ffffffe""#, 1, "expected an H3 cell of resolution 5"),
      (#""85283473fffffff""#, #""84283473fffffff""#, 0, "expected an H3 cell of resolution 5"),
      (#""85283473fffffff""#, #""""#, 0, "expected an H3 cell of resolution 5"),
      (#""85283473fffffff""#, #""\u0038""#, 0, "expected an H3 cell of resolution 5"),
      ("38", "53", 0, "expected an integer from 0 to 52"), ("38", "-1", 0, "expected an integer from 0 to 52"),
      (":2,", ": 5,", 2, "unknown severity 5"), (":2,", ":256,", 1, "expected an integer from 0 to 255"),
      ("0.1121", "6.5536", 0, "edr must be from 0 to 6.5535"), ("0.1121", "-0.0001", 0, "edr must be from 0 to 6.5535"),
      ("0.1121", "1e30", 0, "number out of range"), ("1659530580", "-1", 0, time), ("[{", "{", 0, "expected an array"),
      ("}]}}", "}]}", 3, "expected ',' or '}'"),
      (#""alt":38,"#, "", 45, "a hexagon must have 'id', 'alt', 'sev' and 'observedAt'"),
    ]
    for (part, other, skip, reason) in cases {
      let (text, offset) = try Self.answer(part, other)
      #expect(throws: WireError.json(JSONError(offset: offset + skip, reason: reason)), "\(part) → \(other)") {
        try ObservationsAnswer(String(text))
      }
    }
  }

  @Test func aMissingMemberIsNamed() throws {
    for (part, name) in [(#""lastUpdatedAt":1732704917,"#, "data.lastUpdatedAt"), (#""hexagons""#, "data.hexagons")] {
      let text = try Self.answer(part, part.hasSuffix(",") ? "" : #""others""#).text
      #expect(throws: WireError.missing(name)) { try ObservationsAnswer(String(text)) }
    }
    #expect(throws: WireError.missing("data.lastUpdatedAt")) { try ObservationsAnswer("{}") }
    #expect(throws: WireError.missing("corridor")) { try ObservationsRequest("{}") }
  }

  @Test func aReportFromTheFarFutureIsRefused() throws {
    let ok = try Self.answer("1659530580", "\(1_732_704_917 + 3600)").text
    _ = try ObservationsAnswer(String(ok))
    let bad = try Self.answer("1659530580", "\(1_732_704_917 + 3601)").text
    #expect(throws: WireError.fromTheFuture(observedAt: 1_732_708_518, token: 1_732_704_917)) {
      try ObservationsAnswer(String(bad))
    }
  }

  @Test func eachBadRequestHasItsOwnFaultWithItsPlace() throws {
    var json = JSONWriter()
    try Ring(Rig.area).writePolygon(to: &json)
    let polygon = String(decoding: json.bytes, as: UTF8.self)
    let cases: [(member: String, skip: Int, reason: String)] = [
      (#""hours":3"#, 8, "hours must be 0.5, 1, 2, 4 or 6"), (#""hours":0"#, 8, "hours must be 0.5, 1, 2, 4 or 6"),
      (#""hours":2.04"#, 8, "expected a number with at most 1 decimals"), (#""hours":"2""#, 8, "expected a value"),
      (#""hours":1e400"#, 8, "expected a number with at most 1 decimals"),
      (#""altFrom":-1"#, 10, "expected an integer from 0 to 52"),
      (#""altTo":53"#, 8, "expected an integer from 0 to 52"),
      (#""altTo":0.5"#, 8, "expected a 64-bit integer"), (#""sevs":[0, 5]"#, 11, "unknown severity 5"),
      (#""sevs":3"#, 7, "expected an array"), (#""types":["turbulence", "wind"]"#, 23, "unknown data type 'wind'"),
      (#""lastUpdatedAt":-1"#, 16, "expected an integer from 0 to 4294967295"),
      (#""corridor":{"type":"Point"}"#, 19, "the geometry must be a Polygon"),
      (#""corridor":{"type":"Polygon","coordinates":[[[0,0]],[]]}"#, 52, "a corridor must not have holes"),
      (
        #""corridor":{"type":"Polygon","coordinates":[[[0,0],[1]]]}"#, 51,
        "a position must have a longitude and a latitude"
      ),
      (#""corridor":{"type":"Polygon"}"#, 29, "a Polygon must have 'type' and 'coordinates'"),
    ]
    for (member, skip, reason) in cases {
      let head = #"{"corridor":\#(polygon),"#
      #expect(throws: WireError.json(JSONError(offset: head.utf8.count + skip, reason: reason)), "\(member)") {
        try ObservationsRequest(head + member + "}")
      }
    }
    #expect(throws: WireError.invertedAltitudes(lower: 30, upper: 20)) {
      try ObservationsRequest(#"{"corridor":\#(polygon),"altFrom":30,"altTo":20}"#)
    }
  }

  @Test func hoursBeyondAnyRangeAreAFaultAndNoTrap() {
    for hours in ["1e17", "922337203685477580", "-1e17", "1e18", "99999999999999999999"] {
      #expect(throws: WireError.self, "\(hours)") { try ObservationsRequest(#"{"hours":\#(hours)}"#) }
    }
  }

  @Test func aBadRingHasTheFaultOfTheRing() {
    let cases: [(String, GeodesyError)] = [
      ("[[0,0],[1,0],[1,1]]", .tooFewPoints(3)), ("[[0,0],[1,0],[1,1],[0,1]]", .open),
      ("[[0,0],[1,0],[1,91],[0,0]]", .latitude(index: 2)), ("[[0,0],[361,0],[1,1],[0,0]]", .longitude(index: 1)),
      ("[[0,0],[200,0],[1,1],[0,0]]", .longEdge(index: 0)),
      ("[" + [String](repeating: "[0,0]", count: 251).joined(separator: ",") + "]", .tooManyPoints(251)),
      ("[" + [String](repeating: "[0,0,9]", count: 9999).joined(separator: ",") + "]", .tooManyPoints(251)),
    ]
    for (ring, fault) in cases {
      #expect(throws: WireError.ring(fault)) {
        try ObservationsRequest(#"{"corridor":{"type":"Polygon","coordinates":[\#(ring)]}}"#)
      }
    }
  }

  @Test func everyFaultHasACodeOfItsOwn() {
    let faults: [WireError] = [
      .json(.init(offset: 3, reason: "expected a value")), .missing("corridor"), .ring(.open),
      .invertedAltitudes(lower: 2, upper: 1), .fromTheFuture(observedAt: 9, token: 1),
    ]
    #expect(Set(faults.map(\.code)).count == faults.count)
    #expect(Set(faults.map(\.description)).count == faults.count)
    #expect(faults[0].description.contains("byte 3"))
  }

  // MARK: Mutations

  @Test func noMutationStopsTheReaders() throws {
    var read = 0
    for seed in UInt64(0)..<3000 {
      var maker = MessageMaker(seed: seed)
      let answer = maker.answer().json.mutated(using: &maker.random)
      do {
        let value = try ObservationsAnswer(answer)
        read += 1
        // Whatever is accepted can be written and read again.
        #expect(try ObservationsAnswer(value.json).json == value.json, "seed \(seed)")
      } catch {
        #expect(error is WireError, "seed \(seed)")
      }
      let request = try maker.request().json.mutated(using: &maker.random)
      do {
        let value = try ObservationsRequest(request)
        #expect(try ObservationsRequest(value.json) == value, "seed \(seed)")
      } catch {
        #expect(error is WireError, "seed \(seed)")
      }
    }
    #expect((100...2700).contains(read), "\(read) of 3000 read")
  }
}

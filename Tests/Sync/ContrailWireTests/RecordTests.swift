import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// PIREPs, traffic, polygons and errors.
@Suite struct RecordTests {
  private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    write(&json)
    return json.bytes
  }

  @Test func recordsAreReadAsTheyWereWritten() throws {
    for seed in UInt64(0)..<1000 {
      var maker = MessageMaker(seed: seed)
      let pirep = maker.pirep()
      let traffic = maker.traffic()
      let pirepText = try maker.respelt(written(pirep.write))
      let trafficText = try maker.respelt(written(traffic.write))
      #expect(
        try reading(written(pirep.write)) { (json) throws(JSONError) in try PIREP(from: &json) } == pirep,
        "seed \(seed)")
      #expect(try reading(pirepText) { (json) throws(JSONError) in try PIREP(from: &json) } == pirep, "seed \(seed)")
      #expect(
        try reading(trafficText) { (json) throws(JSONError) in try TrafficPosition(from: &json) } == traffic,
        "seed \(seed)")
    }
  }

  @Test func aBadRecordNamesItsByte() {
    let cases: [(String, Int, String)] = [
      (#"{"lat": 90.0000001}"#, 8, "expected degrees from -90 to 90"),
      (#"{"lon":-360.0000001}"#, 7, "expected degrees from -360 to 360"),
      (#"{"lat":1e30}"#, 7, "number out of range"), (#"{"sev":9}"#, 7, "unknown severity 9"),
      (#"{"fl":1001}"#, 6, "expected an integer from -20 to 1000"),
      (#"{"urgent":1}"#, 10, "expected true or false"),
      (#"{"id":"a","lat":1,"lon":2}"#, 26, "a PIREP must have 'id', 'lat', 'lon' and 'observedAt'"),
    ]
    for (text, offset, reason) in cases {
      #expect(throws: JSONError(offset: offset, reason: reason), "\(text)") {
        try reading(text) { (json) throws(JSONError) in try PIREP(from: &json) }
      }
    }
    #expect(throws: JSONError.self) {
      try reading(#"{"track":361}"#) { (json) throws(JSONError) in try TrafficPosition(from: &json) }
    }
  }

  @Test func aPIREPWithoutUpdateWasUpdatedWhenItWasObserved() throws {
    let pirep = try reading(#"{"id":"a","lat":1,"lon":2,"observedAt":7,"fl":null,"sev":null}"#) {
      (json) throws(JSONError) in try PIREP(from: &json)
    }
    #expect(pirep.updatedAt == 7 && pirep.flightLevel == nil && pirep.severity == nil && !pirep.isUrgent)
  }

  // MARK: Polygons

  private func read(_ request: PolygonsRequest) throws -> PolygonsRequest {
    let query = request.target.drop { $0 != "?" }.dropFirst()
    let pairs = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    let values = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    return try PolygonsRequest(hours: values["hours"], area: values["area"])
  }

  @Test func aPolygonsRequestIsReadAsItWasWritten() throws {
    for seed in UInt64(0)..<200 {
      var maker = MessageMaker(seed: seed)
      for history in DataHistoryTime.allCases {
        let request = PolygonsRequest(history: history, ring: random(&maker) ? try maker.ring() : nil)
        #expect(try read(request) == request, "seed \(seed)")
      }
    }
    #expect(PolygonsRequest(history: .halfHour).target == "/polygons/v5?hours=0.5")
  }

  private func random(_ maker: inout MessageMaker) -> Bool { maker.random.chance(50) }

  @Test func aBadPolygonsRequestIsRefused() {
    for hours in ["", "3", "2.0", " 2", "1e0"] {
      #expect(throws: WireError.self, "\(hours)") { try PolygonsRequest(hours: hours, area: nil) }
    }
    for (area, fault) in [
      ("1,2,3", GeodesyError.open), ("1,2", .tooFewPoints(1)), ("0,0,0,x,1,1,0,0", .notFinite(index: 1)),
      ("0,0,9999999999999999999,0,1,1,0,0", .notFinite(index: 1)),
    ] {
      #expect(throws: WireError.ring(fault), "\(area)") { try PolygonsRequest(hours: "2", area: area) }
    }
  }

  @Test func aPolygonsAnswerIsAFeatureCollectionWithItsTime() throws {
    func token(_ text: String) throws -> Int64 {
      try PolygonsAnswer.token(document(text))
    }
    #expect(try token(#"{"lastUpdatedAt":5,"features":[{"a":1}],"type":"FeatureColl\u0065ction"}"#) == 5)
    #expect(throws: WireError.missing("features of a FeatureCollection")) { try token(#"{"lastUpdatedAt":5}"#) }
    #expect(throws: WireError.missing("features of a FeatureCollection")) {
      try token(#"{"type":"Feature","lastUpdatedAt":5,"features":[]}"#)
    }
    #expect(throws: WireError.missing("lastUpdatedAt")) { try token(#"{"type":"FeatureCollection","features":[]}"#) }
    #expect(throws: WireError.self) { try token(#"{"type":"FeatureCollection","features":[],"lastUpdatedAt":5}x"#) }
  }

  // MARK: Errors

  @Test func aServiceErrorIsReadAsItWasWritten() {
    for seed in UInt64(0)..<200 {
      var maker = MessageMaker(seed: seed)
      let error = ServiceError(status: 410, code: maker.speller.text(), message: maker.speller.text())
      #expect(
        error.json(reason: "Gone").withUnsafeBytes { ServiceError(status: 410, json: $0) } == error, "seed \(seed)")
    }
  }

  @Test func whatIsNoServiceErrorIsNone() {
    for text in ["", "{}", "<html>", #"{"data":{}}"#, #"{"data":{"code":1}}"#, #"{"data":{"code":"A"}}x"#, "[]"] {
      #expect(Array(text.utf8).withUnsafeBytes { ServiceError(status: 500, json: $0) } == nil, "\(text)")
    }
  }
}

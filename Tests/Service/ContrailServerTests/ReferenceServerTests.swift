import ContrailCompression
import ContrailGeodesy
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// The protocol over a real socket.
@Suite struct ReferenceServerTests {
  @Test func anAnswerIsOneOfTheProtocolAndItsSumsFit() async throws {
    try await withServer { client in
      let answer = try #require(await client.ask())
      #expect(answer.status == 200 && answer.isComplete)
      #expect(answer.fields["content-type"] == "application/json")
      #expect(answer.fields["contrail-time"] == String(Samples.noon * 1000 + 250))
      let observations = try answer.observations
      #expect(observations.token == Samples.noon)
      #expect(!observations.reports.isEmpty && observations.traffic?.isEmpty == false)
      #expect(Samples.sum(observations.reports) == observations.held)
    }
  }

  @Test func aDeltaFollowsItsToken() async throws {
    try await withServer { client in
      let delta = try #require(await client.ask(since: Samples.noon - 300)).observations
      #expect(delta.follows == Samples.noon - 300 && delta.token == Samples.noon)
      #expect(delta.reports.count < delta.held?.count ?? 0)
      let reply1 = try #require(await client.ask(since: Samples.noon - 43_201))
      #expect(reply1.errorCode == "DELTA_UNAVAILABLE")
      #expect(await client.ask(since: Samples.noon + 1)?.status == 410)
    }
  }

  @Test func severalAreasShareAnExchange() async throws {
    try await withServer { client in
      let first = try #require(await client.ask(fields: ["Accept": ObservationsAnswer.compactType]))
      let handle = try #require(first.fields[WireHeader.area.lowercased()])
      let since = Samples.noon - 60
      let alone = try #require(await client.get("/areas/\(handle)?since=\(since)&types=7"))
      let both = try #require(
        await client.get("/areas/\(handle)~unknown~\(handle)?since=\(since)~\(since)~1&types=7"))
      #expect(both.status == 200)
      let parts = try both.body.withUnsafeBytes { try CompactBundle.parts($0) }
      // An area that isn't known and a watermark that is too old concern no other area.
      #expect(parts.map(\.status) == [200, 404, 410])
      #expect(parts.first?.body == alone.body && parts.dropFirst().allSatisfy { $0.body.isEmpty })
      #expect(await client.get("/areas/\(handle)~\(handle)?since=1~2~3")?.status == 400)
    }
  }

  @Test func theTokenOfADeltaStandsInTheQueryOrInTheHead() async throws {
    try await withServer { client in
      let first = try #require(await client.ask(fields: ["Accept": ObservationsAnswer.compactType]))
      let handle = try #require(first.fields[WireHeader.area.lowercased()])
      let since = "\(Samples.noon - 60)"
      let query = try #require(await client.get("/areas/\(handle)?since=\(since)&traffic=1a&types=7"))
      let fields = [WireHeader.since: since, WireHeader.traffic: "1a"]
      let head = try #require(await client.get("/areas/\(handle)?types=7", fields))
      #expect(head.status == 200 && head.body == query.body)
      // The answer contains the time and needs no type.
      #expect(head.fields["content-length"] != nil)
      #expect(head.fields["date"] == nil && head.fields["content-type"] == nil && head.fields["contrail-time"] == nil)
      #expect(first.fields["date"] != nil)
      for target in ["?since=\(since)", "?traffic=1a"] {
        let twice = try #require(await client.get("/areas/\(handle)" + target, fields))
        #expect(twice.status == 400 && twice.errorCode == "PARAMETER_TWICE")
      }
      #expect(await client.get("/areas/\(handle)", [WireHeader.since: "soon"])?.status == 400)
    }
  }

  @Test func anAreaThatMovesIsAnsweredByChanges() async throws {
    try await withServer { client in
      func ask(
        _ ring: Ring, _ held: ObservationsRequest.HeldArea? = nil, at second: Int64 = Samples.noon
      ) async throws -> RawClient.Answer {
        let request = ObservationsRequest(ring: ring, filter: Filter(types: .areaTypes, history: .sixHours), held: held)
        let fields = [
          WireHeader.apiKey: "key", "Accept": ObservationsAnswer.compactType,
          WireHeader.simulatedTime: "\(second * 1000)",
        ]
        return try #require(await client.post(ObservationsRequest.path, fields, body: request.json))
      }
      func read(
        _ answer: RawClient.Answer, _ traffic: [TrafficPosition] = [], _ records: HeldRecords = HeldRecords()
      ) throws -> ObservationsAnswer {
        try answer.body.withUnsafeBytes { bytes in
          try ObservationsAnswer.read(compact: bytes, changing: traffic, and: records).answer
        }
      }
      let first = try await ask(Samples.atlantic, at: Samples.noon - 60)
      let before = try read(first)
      let records = HeldRecords(reports: before.reports, pireps: before.pireps)
      let traffic = before.traffic ?? []
      let held = ObservationsRequest.HeldArea(
        handle: try #require(first.fields[WireHeader.area.lowercased()]), since: before.token,
        records: records.checksum, traffic: TrafficPosition.checksum(of: traffic))
      let moved = Samples.rectangle(west: -74, south: 35, east: 6, north: 62)
      let complete = try await ask(moved)
      let changes = try await ask(moved, held)
      #expect(changes.body.count * 2 < complete.body.count, "\(changes.body.count) of \(complete.body.count) bytes")
      let (a, b) = (try read(complete), try read(changes, traffic, records))
      #expect(a.held == b.held && a.heldPIREPs == b.heldPIREPs && a.token == b.token)
      #expect(Set(a.reports) == Set(b.reports) && Set(a.pireps) == Set(b.pireps) && a.traffic == b.traffic)
      // What the server can't know is answered as a whole.
      for wrong in [
        ObservationsRequest.HeldArea(handle: "unknown", since: held.since, records: held.records),
        .init(handle: held.handle, since: held.since, records: held.records ^ 1),
        .init(handle: held.handle, since: held.since - 60, records: held.records),
        .init(handle: held.handle, since: Samples.noon + 60, records: held.records),
        .init(handle: held.handle, since: 0, records: held.records),
      ] {
        #expect(try await ask(moved, wrong).body == complete.body)
      }
    }
  }

  @Test func simulatedTimeIsTheRequestsNowWhereItIsAllowed() async throws {
    let fields = [WireHeader.simulatedTime: "1780000000999"]
    try await withServer { client in
      let answer = try #require(await client.ask(fields: fields))
      #expect(try answer.observations.token == 1_780_000_000)
      #expect(answer.fields["contrail-time"] == "1780000000999")
      let wrong = try #require(await client.ask(fields: [WireHeader.simulatedTime: "soon"]))
      #expect(wrong.status == 400 && wrong.errorCode == "SIMULATED_TIME_INVALID")
    }
    try await withServer({ $0.allowsSimulatedTime = false }) { client in
      let reply2 = try #require(await client.ask(fields: fields))
      #expect(try reply2.observations.token == Samples.noon)
    }
  }

  @Test(arguments: [
    ("", "NOT_THE_EXPECTED_JSON"), ("[]", "NOT_THE_EXPECTED_JSON"), ("{}", "MEMBER_MISSING"),
    (Self.body(#""hours":3"#), "NOT_THE_EXPECTED_JSON"), (Self.body(#""sevs":[5]"#), "NOT_THE_EXPECTED_JSON"),
    (Self.body(#""types":["weather"]"#), "NOT_THE_EXPECTED_JSON"),
    (Self.body(#""altFrom":30,"altTo":20"#), "ALTITUDES_INVERTED"),
    (Self.body(#""altTo":53"#), "NOT_THE_EXPECTED_JSON"),
    (Self.body(#""lastUpdatedAt":-1"#), "NOT_THE_EXPECTED_JSON"),
    (Self.corridor("[0,0],[1,0],[0,0]"), "TOO_FEW_POINTS"), (Self.corridor("[0,0],[1,0],[1,1],[0,1]"), "RING_OPEN"),
    (Self.corridor("[0,0],[1,0],[1,91],[0,0]"), "LATITUDE_OUT_OF_RANGE"),
    (Self.corridor("[0,0],[361,0],[1,1],[0,0]"), "LONGITUDE_OUT_OF_RANGE"),
    (Self.corridor("[0,0],[180,0],[1,1],[0,0]"), "LONG_EDGE"),
    (Self.corridor(String(repeating: "[0,0],", count: 250) + "[0,0]"), "TOO_MANY_POINTS"),
  ]) func badRequestsAreNamed(body: String, code: String) async throws {
    try await withServer { client in
      let answer = try #require(await client.post(ObservationsRequest.path, body: Array(body.utf8)))
      #expect(answer.status == 400 && answer.errorCode == code, "\(answer.text)")
    }
  }

  private static func body(_ members: String) -> String {
    #"{"corridor":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"# + members + "}"
  }

  private static func corridor(_ points: String) -> String {
    #"{"corridor":{"type":"Polygon","coordinates":[["# + points + "]]}}"
  }

  @Test func keysAreAskedForWhereThereAreSome() async throws {
    try await withServer({ $0.keys = ["first", "second"] }) { client in
      #expect(await client.ask()?.errorCode == "KEY_MISSING")
      for wrong in ["third", "firs", "first2", ""] {
        let answer = await client.ask(fields: [WireHeader.apiKey: wrong])
        #expect(answer?.status == 401, "\(wrong)")
      }
      #expect(await client.ask(fields: [WireHeader.apiKey: "second"])?.status == 200)
      #expect(await client.get("/polygons/v5")?.errorCode == "KEY_MISSING")
      #expect(await client.get("/health")?.status == 200)
      #expect(await client.get("/openapi.yaml")?.status == 200)
    }
  }

  @Test func whatIsNotThereIsNamedInTheSameShape() async throws {
    try await withServer { client in
      let nowhere = try #require(await client.get("/observations/v6"))
      #expect(nowhere.status == 404 && nowhere.errorCode == "NOT_FOUND")
      let wrong = try #require(await client.get(ObservationsRequest.path))
      #expect(wrong.status == 405 && wrong.errorCode == "METHOD_NOT_ALLOWED" && wrong.fields["allow"] == "POST")
      #expect(wrong.text.contains("\"error\":\"Method Not Allowed\""))
    }
  }

  @Test func theHeadOfAnAnswerCanBeRequestedAlone() async throws {
    try await withServer { client in
      for target in ["/polygons/v5?hours=1", "/openapi.yaml", "/nothing"] {
        let whole = try #require(await client.get(target))
        let head = try #require(await client.send("HEAD", target))
        #expect(head.status == whole.status && head.body.isEmpty, "\(target)")
        for name in ["content-type", "content-length", "etag", "vary"] {
          #expect(head.fields[name] == whole.fields[name], "\(name) of \(target)")
        }
      }
      let wrong = try #require(await client.send("HEAD", ObservationsRequest.path))
      #expect(wrong.status == 405 && wrong.fields["allow"] == "POST" && wrong.body.isEmpty)
      #expect(await client.send("DELETE", "/health")?.fields["allow"] == "GET, HEAD")
    }
  }

  @Test func aClientThatWaitsWithItsBodyIsToldToSendIt() async throws {
    try await withServer { client in
      let answer = try #require(await client.ask(fields: ["Expect": "100-continue"]))
      #expect(answer.status == 100)
      #expect(answer.text.hasPrefix("HTTP/1.1 200 "))
      #expect(await client.ask()?.status == 200)
    }
  }

  @Test(.timeLimit(.minutes(1))) func aConnectionIsClosedIfOneOfItsOptionsSaysSo() async throws {
    try await withServer { client in
      // The client also sends "close", and waits for the end of the connection.
      #expect(await client.get("/health", ["Connection": "TE"])?.status == 200)
    }
  }

  @Test func bodiesAreTakenAndGivenPacked() async throws {
    try await withServer { client in
      let plain = try #require(await client.ask())
      let packedQuestion = try #require(Gzip.packed(RawClient.question.json))
      let packed = try #require(
        await client.post(
          ObservationsRequest.path, ["Content-Encoding": "gzip", "Accept-Encoding": "br;q=1, gzip;q=0.5"],
          body: packedQuestion))
      #expect(packed.fields["content-encoding"] == "gzip" && packed.fields["vary"] == "Accept-Encoding")
      #expect(packed.body.count < plain.body.count / 2)
      #expect(try Gzip.unpacked(packed.body, limit: 1 << 24) == plain.body)
      let refused = await client.ask(fields: ["Accept-Encoding": "gzip;q=0"])
      #expect(refused?.fields["content-encoding"] == nil)
      let damaged = await client.post(
        ObservationsRequest.path, ["Content-Encoding": "gzip"], body: Array(packedQuestion.dropLast(9)))
      #expect(damaged?.errorCode == "GZIP_DAMAGED")
      let unknown = await client.ask(fields: ["Content-Encoding": "br"])
      #expect(unknown?.status == 415 && unknown?.errorCode == "CONTENT_ENCODING_UNKNOWN")
    }
  }

  @Test func largeBodiesAreRefusedPackedOrNot() async throws {
    try await withServer({ $0.maximumBodyBytes = 20_000 }) { client in
      let large = [UInt8](repeating: UInt8(ascii: " "), count: 20_001)
      #expect(await client.post(ObservationsRequest.path, body: large)?.errorCode == "BODY_TOO_LARGE")
      let packed = try #require(Gzip.packed(large))
      #expect(packed.count < 1000)
      let answer = await client.post(ObservationsRequest.path, ["Content-Encoding": "gzip"], body: packed)
      #expect(answer?.status == 413)
    }
  }

  @Test func aBodyThatDoesNotComeIsNotWaitedForForEver() async throws {
    try await withServer({ $0.bodyTimeoutSeconds = 1 }) { client in
      let answer = await client.send("POST", ObservationsRequest.path, body: Array("{".utf8), promising: 100)
      #expect(answer == nil || answer?.status == 408)
    }
  }

  @Test func polygonsComeInTheCompactFormToThoseWhoTakeIt() async throws {
    try await withServer { client in
      let target = "/polygons/v5?hours=6"
      let plain = try #require(await client.get(target))
      let accept = ["Accept": "\(ObservationsAnswer.compactType), application/json"]
      let compact = try #require(await client.get(target, accept))
      #expect(compact.status == 200 && compact.fields["content-type"] == ObservationsAnswer.compactType)
      #expect(compact.fields["vary"] == "Accept, Accept-Encoding" && plain.fields["vary"] == compact.fields["vary"])
      #expect(try compact.body.withUnsafeBytes { try PolygonsAnswer(compact: $0) }.json == plain.body)
      let tag = try #require(compact.fields["etag"])
      #expect(tag != plain.fields["etag"])
      for fields in [accept, [:]] {
        let again = try #require(await client.get(target, fields.merging(["If-None-Match": tag]) { $1 }))
        #expect(again.status == 304 && again.body.isEmpty)
      }
    }
    try await withServer({ $0.isPlain = true }) { client in
      let answer = await client.get("/polygons/v5", ["Accept": ObservationsAnswer.compactType])
      #expect(answer?.fields["content-type"] == "application/geo+json")
    }
  }

  @Test func polygonsOfARingComeByHandle() async throws {
    try await withServer { client in
      let accept = ["Accept": ObservationsAnswer.compactType]
      let ring = PolygonsRequest(history: .sixHours, ring: Samples.atlantic)
      let first = try #require(await client.get(ring.target, accept))
      let handle = try #require(first.fields[WireHeader.area.lowercased()])
      #expect(await client.get(ring.target)?.fields[WireHeader.area.lowercased()] == nil, "JSON is as ever")
      let byHandle = PolygonsRequest(history: .sixHours, handle: handle).target
      #expect(byHandle == "/polygons/v5?hours=6&handle=\(handle)")
      let again = try #require(await client.get(byHandle, accept))
      #expect(again.body == first.body && again.fields["etag"] == first.fields["etag"])
      #expect(again.fields[WireHeader.area.lowercased()] == nil)
      let tag = try #require(first.fields["etag"])
      #expect(await client.get(byHandle, accept.merging(["If-None-Match": tag]) { $1 })?.status == 304)
      let unknown = PolygonsRequest(history: .sixHours, handle: "none").target
      #expect(await client.get(unknown, accept)?.errorCode == ServiceError.areaUnknown)
      #expect(await client.get(byHandle + "&area=0,0,1,0,1,1,0,0", accept)?.errorCode == "PARAMETER_INVALID")
      #expect(await client.get("/polygons/v5?handle=%20", accept)?.errorCode == "PARAMETER_INVALID")
    }
  }

  @Test func polygonsComeOnceInFiveMinutes() async throws {
    try await withServer { client in
      let first = try #require(await client.get("/polygons/v5?hours=6"))
      #expect(first.status == 200 && first.fields["content-type"] == "application/geo+json")
      let token = try PolygonsAnswer.token(JSONDocument(first.body))
      #expect(token % 300 == 0 && (0..<300).contains(Samples.noon - token))
      let tag = try #require(first.fields["etag"])
      let again = try #require(await client.get("/polygons/v5?hours=6", ["If-None-Match": tag]))
      #expect(again.status == 304 && again.body.isEmpty && again.fields["etag"] == tag)
      #expect(again.fields["content-length"] != "0", "which would say that the document is empty")
      let packed = try #require(await client.get("/polygons/v5?hours=6", ["Accept-Encoding": "gzip"]))
      #expect(packed.fields["etag"] != tag)
      let packedTag = try #require(packed.fields["etag"])
      let fields = ["If-None-Match": "\"x\", \(packedTag)", "Accept-Encoding": "gzip"]
      #expect(await client.get("/polygons/v5?hours=6", fields)?.status == 304)
      let later = [WireHeader.simulatedTime: String((Samples.noon + 300) * 1000), "If-None-Match": tag]
      #expect(await client.get("/polygons/v5?hours=6", later)?.status == 200)
      #expect(await client.get("/polygons/v5?hours=3")?.errorCode == "NOT_THE_EXPECTED_JSON")
      #expect(await client.get("/polygons/v5?area=0,0,1")?.status == 400)
      let target = PolygonsRequest(history: .sixHours, ring: Samples.atlantic).target
      let inside = try #require(await client.get(target))
      #expect(inside.status == 200 && inside.body.count < first.body.count)
    }
  }

  @Test func uploadsAreTakenOnceForAKey() async throws {
    try await withServer({ $0.aircraft = 0 }) { client in
      let body = Array(
        #"{"reports":[{"id":"85283473fffffff","alt":38,"sev":2,"edr":0.1121,"observedAt":1780055990}]}"#.utf8)
      #expect(await client.post("/reports/v5", body: body)?.errorCode == "IDEMPOTENCY_KEY_MISSING")
      for _ in 0..<2 {
        let answer = try #require(await client.post("/reports/v5", ["Idempotency-Key": "one"], body: body))
        #expect(answer.status == 200 && answer.text.hasPrefix(#"{"data":{"accepted":1}"#))
      }
      let other = await client.post("/reports/v5", ["Idempotency-Key": "one"], body: Array("{\"reports\":[]}".utf8))
      #expect(other?.status == 409 && other?.errorCode == "IDEMPOTENCY_KEY_REUSED")
      let later = [WireHeader.simulatedTime: String((Samples.noon + 1) * 1000)]
      let held = try #require(await client.ask(fields: later)).observations
      #expect(held.reports.count == 1 && held.reports.first?.h3Index == 0x0852_8347_3fff_ffff)
      for wrong in [
        #"{"reports":[{"id":"85283473fffffff","alt":38,"sev":2,"observedAt":1790000000}]}"#,
        #"{"reports":[{"id":"84283473fffffff","alt":38,"sev":2,"observedAt":1780055990}]}"#,
        #"{"reports":[{"id":"85283473fffffff","alt":53,"sev":2,"observedAt":1780055990}]}"#,
        #"{"reports":[{"id":"85283473fffffff","alt":38,"sev":5,"observedAt":1780055990}]}"#,
        #"{"reports":[{"alt":38,"sev":2,"observedAt":1780055990}]}"#, "{}",
      ] {
        let answer = await client.post("/reports/v5", ["Idempotency-Key": wrong.hash], body: Array(wrong.utf8))
        #expect(answer?.status == 400, "\(wrong)")
      }
    }
  }

  @Test func aPortThatIsTakenIsAnError() async throws {
    try await withServer { client in
      var configuration = ServerConfiguration()
      configuration.port = client.port
      configuration.aircraft = 0
      let error = await #expect(throws: ServerError.self) { try await ReferenceServer.start(configuration) }
      #expect(error?.code == "cannotListen")
    }
  }

  @Test func aServerCanBeStoppedTwiceAndStartedAgain() async throws {
    var configuration = ServerConfiguration()
    configuration.aircraft = 0
    let first = try await ReferenceServer.start(configuration)
    await first.stop()
    await first.stop()
    #expect(await RawClient(port: first.port).get("/health") == nil)
    configuration.port = first.port
    let second = try await ReferenceServer.start(configuration)
    #expect(await RawClient(port: second.port).get("/health")?.status == 200)
    await second.stop()
  }
}

extension String {
  /// A short key that stands for the text.
  fileprivate var hash: String { Hex.string(Digest.hash(utf8)) }
}

import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// That the description and the server tell the same.
@Suite struct OpenAPITests {
  /// Statuses by method and path, as the document lists them.
  private static let described: [String: Set<String>] = {
    var described: [String: Set<String>] = [:]
    var path = ""
    var operation = ""
    var isInPaths = false
    for line in String(decoding: PackageResources.openapi_yaml, as: UTF8.self).split(separator: "\n") {
      let indent = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indent)
      guard text.hasSuffix(":") else { continue }
      let key = text.dropLast().filter { $0 != "\"" }
      switch indent {
      case 0: isInPaths = key == "paths"
      case 2 where isInPaths: path = key
      case 4 where isInPaths && ["get", "post"].contains(key): operation = "\(key.uppercased()) \(path)"
      case 8 where isInPaths && (Int(key) != nil || key == "default"): described[operation, default: []].insert(key)
      default: continue
      }
    }
    return described
  }()

  @Test func everyRouteIsDescribedAndNoOther() {
    #expect(Set(Self.described.keys) == Set(Route.allCases.map(\.name)))
  }

  @Test func everyStatusOfOurOwnIsDescribed() async throws {
    let body = RawClient.question.json
    let upload = Array(#"{"reports":[]}"#.utf8)
    var seen: [String: Set<String>] = [:]
    let directory = try TemporaryDirectory()
    try TemporaryDirectory.put([1, 2, 3], directory.file("2511.airports.xz"))
    try await withServer({
      $0.keys = ["key"]
      $0.maximumBodyBytes = 4000
      $0.airports = .directory(directory.path)
    }) { client in
      func ask(_ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8] = []) async {
        let fields = fields.merging([WireHeader.apiKey: "key"]) { given, _ in given }
        let answer = await client.send(method, path, fields, body: body)
        guard let status = answer?.status, let route = Route.at(String(path.prefix { $0 != "?" })) else { return }
        seen[route.name, default: []].insert(String(status))
      }
      let large = [UInt8](repeating: 32, count: 4001)
      let stale = ObservationsRequest(
        ring: Samples.atlantic, filter: Filter(types: .turbulence, history: .hour), since: 1)
      for (path, body) in [(ObservationsRequest.path, body), ("/reports/v5", upload)] {
        let named = ["Idempotency-Key": "one"]
        await ask("POST", path, named, body: body)
        await ask("POST", path, named, body: large)
        await ask("POST", path, named, body: [1])
        await ask("POST", path, [WireHeader.apiKey: "no"].merging(named) { $1 }, body: body)
        await ask("POST", path, ["Content-Encoding": "zip"].merging(named) { $1 }, body: body)
      }
      await ask("POST", "/reports/v5", ["Idempotency-Key": "one"], body: Array(#"{"reports": []}"#.utf8))
      await ask("POST", ObservationsRequest.path, body: stale.json)
      let first = await client.send("POST", ObservationsRequest.path, [WireHeader.apiKey: "key"], body: body)
      let area = "/areas/" + (first?.fields[WireHeader.area.lowercased()] ?? "")
      for path in [area, area + "?since=1", area + "?sevs=9", "/areas/none"] { await ask("GET", path) }
      await ask("GET", area + "?since=1", [WireHeader.since: "1"])
      await ask("GET", area, [WireHeader.apiKey: "no"])
      let repair = "/repairs/" + area.dropFirst("/areas/".count)
      let digest = Area.ring(RawClient.question.ring).digest
      let (own, other) = (
        RecordSketch(areaDigest: digest, cellCount: 12), RecordSketch(areaDigest: 0, cellCount: 12)
      )
      let many = HeldRecords(
        reports: (0..<200).map {
          TurbulenceReport(cell: $0 << 10, altitude: 30, severity: 2, edrE4: 1000, observedAt: UInt32(Samples.noon))
        })
      let full = RecordSketch(of: many, areaDigest: digest, cellCount: 12)
      for (path, body) in [
        (repair, full.bytes), (repair, other.bytes), (repair, [1]), (repair + "?since=soon", own.bytes),
        ("/repairs/none", own.bytes), (repair, large),
      ] {
        await ask("POST", path, body: body)
      }
      await ask("POST", repair, [WireHeader.apiKey: "no"], body: own.bytes)
      await ask("POST", repair, ["Content-Encoding": "zip"], body: own.bytes)
      await ask("POST", repair + "?sevs=0&alts=0-0", body: own.bytes)
      await ask("GET", "/polygons/v5?hours=1")
      await ask("GET", "/polygons/v5?hours=1", ["If-None-Match": "*"])
      await ask("GET", "/polygons/v5?hours=9")
      await ask("GET", "/polygons/v5?handle=none")
      await ask("GET", "/polygons/v5", [WireHeader.apiKey: "no"])
      for fields in [
        [:], ["If-None-Match": "*"], ["Range": "bytes=1-"], ["Range": "bytes=9-"], [WireHeader.apiKey: "no"],
      ] {
        await ask("GET", "/airports/v1/cycles", fields)
        await ask("GET", "/airports/v1/2511", fields)
      }
      await ask("GET", "/airports/v1/2512")
      for path in ["/airports/search?text=a", "/airports/EGLL"] {
        await ask("GET", path)
        await ask("GET", path, [WireHeader.apiKey: "no"])
      }
      await ask("GET", "/airports/search")
      let weather = "/v2.5/key/1,1/weather.json"
      await ask("GET", weather)
      await ask("GET", weather, ["If-None-Match": "*"])
      await ask("GET", weather + "?unit=feet")
      await ask("GET", "/v2.5/no/1,1/weather.json")
      await ask("GET", "/v2.5/key/1,1/nothing.json")
      await ask("GET", "/health")
      await ask("GET", "/openapi.yaml")
    }
    #expect(seen["POST /observations/v5/corridor"] == ["200", "400", "401", "410", "413", "415"])
    #expect(seen["POST /repairs/{handle}"] == ["200", "400", "401", "404", "409", "413", "415"])
    #expect(seen["POST /reports/v5"] == ["200", "400", "401", "409", "413", "415"])
    #expect(seen["GET /airports/v1/cycles"] == ["200", "304", "401"])
    #expect(seen["GET /airports/v1/{cycle}"] == ["200", "206", "304", "401", "404", "416"])
    // The file of this test has no airports.
    #expect(seen["GET /airports/search"] == ["400", "401", "503"])
    #expect(seen["GET /airports/{id}"] == ["401", "503"])
    #expect(seen["GET /polygons/v5"] == ["200", "304", "400", "401", "404"])
    #expect(seen["GET \(Route.weather.path)"] == ["200", "304", "400", "401", "404"])
    for (route, statuses) in seen {
      let described = Self.described[route] ?? []
      #expect(statuses.isSubset(of: described), "\(route): \(statuses.subtracting(described))")
      #expect(described.contains("default"))
    }
  }

  @Test func everyErrorCodeIsNamed() {
    let document = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
    for code in [
      "NOT_THE_EXPECTED_JSON", "MEMBER_MISSING", "ALTITUDES_INVERTED", "TOO_FEW_POINTS", "TOO_MANY_POINTS",
      "RING_OPEN",
      "NOT_FINITE", "LATITUDE_OUT_OF_RANGE", "LONGITUDE_OUT_OF_RANGE", "LONG_EDGE", "WINDS_TWICE", "GZIP_DAMAGED",
      "SIMULATED_TIME_INVALID", "FAULT_UNKNOWN", "KEY_MISSING", "KEY_UNKNOWN", "BODY_TOO_LARGE", "BODY_INCOMPLETE",
      "CONTENT_ENCODING_UNKNOWN", "IDEMPOTENCY_KEY_MISSING", "IDEMPOTENCY_KEY_REUSED", "NOT_FOUND",
      "METHOD_NOT_ALLOWED", "CYCLE_NOT_AVAILABLE", "RANGE_NOT_SATISFIABLE", "CYCLE_CHANGING",
      "PARAMETER_TWICE", "QUERY_MISSING", "LIMIT_OUT_OF_RANGE", "PLACE_INVALID", "AIRPORT_UNKNOWN", "NO_AIRPORTS",
      "SKETCH_INVALID", ServiceError.deltaUnavailable, ServiceError.differenceTooLarge,
    ] {
      #expect(document.contains(code), "\(code)")
    }
  }

  @Test func everyReasonForHoldingAReportBackIsNamed() {
    let document = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
    for reason in UploadAnswer.Reason.allCases { #expect(document.contains("`\(reason.rawValue)`: "), "\(reason)") }
    let words = UploadAnswer.Reason.allCases.map(\.rawValue).joined(separator: ", ")
    #expect(document.contains("enum: [\(words)]"))
  }

  @Test func faultCodesAreSpelledAsTheServiceSpellsThem() {
    #expect(ServiceError.spelled("ringOpen") == "RING_OPEN")
    #expect(ServiceError.spelled("notTheExpectedJSON") == "NOT_THE_EXPECTED_JSON")
  }
}

import ContrailCompression
import ContrailLog
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// The page of a service, over a real socket.
@Suite struct PageTests {
  private static let text = Array(String(repeating: "export const a = 1;\n", count: 100).utf8)

  private static func page() -> ServedPage {
    ServedPage(
      [
        "/": .init(type: "text/html; charset=utf-8", bytes: Array("<!doctype html>".utf8)),
        "/a.js": .init(type: "text/javascript; charset=utf-8", bytes: text, packed: Gzip.packed(text)),
      ], policy: "default-src 'none'")
  }

  @Test func aFileHasItsTypeAndThePolicy() async throws {
    try await withServer({ $0.page = Self.page() }) { client in
      let html = try #require(await client.get("/"))
      #expect(html.status == 200 && html.text == "<!doctype html>")
      #expect(html.fields["content-type"] == "text/html; charset=utf-8")
      #expect(html.fields["content-security-policy"] == "default-src 'none'")
      #expect(html.fields["x-content-type-options"] == "nosniff")
      #expect(html.fields["cache-control"] == "no-cache" && html.fields["contrail-time"] == nil)
      let script = try #require(await client.get("/a.js"))
      #expect(script.body == Self.text && script.fields["content-encoding"] == nil)
    }
  }

  @Test func aFileIsSentPackedToWhoTakesIt() async throws {
    try await withServer({ $0.page = Self.page() }) { client in
      let packed = try #require(await client.get("/a.js", ["Accept-Encoding": "gzip"]))
      #expect(packed.fields["content-encoding"] == "gzip" && packed.fields["vary"]?.contains("Accept-Encoding") == true)
      #expect(try Gzip.unpacked(packed.body, limit: 1 << 20) == Self.text)
      let tag = try #require(packed.fields["etag"])
      let again = try #require(await client.get("/a.js", ["Accept-Encoding": "gzip", "If-None-Match": tag]))
      #expect(again.status == 304 && again.body.isEmpty)
    }
  }

  @Test func aFileCanOnlyBeRead() async throws {
    try await withServer({ $0.page = Self.page() }) { client in
      let head = try #require(await client.send("HEAD", "/a.js"))
      #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "\(Self.text.count)")
      let post = try #require(await client.post("/", body: [1]))
      #expect(post.status == 405 && post.fields["allow"] == "GET, HEAD")
      #expect(await client.get("/b.js")?.status == 404)
      #expect(await client.get("/..")?.status == 404)
    }
  }

  @Test func thePageNeedsNoKeyAndTheDataDoes() async throws {
    try await withServer({
      $0.page = Self.page()
      $0.keys = ["key"]
    }) { client in
      #expect(await client.get("/")?.status == 200)
      #expect(await client.ask()?.status == 401)
    }
  }

  @Test func withoutAPageThereIsNothing() async throws {
    try await withServer { client in #expect(await client.get("/")?.status == 404) }
  }
}

/// Pages of other web sites.
@Suite struct CrossOriginTests {
  private static let desk = "https://desk.example.com"

  @Test func aPageOfAnAllowedSiteMaySendAndRead() async throws {
    let crossOrigin = try CrossOrigin([Self.desk])
    try await withServer({ $0.crossOrigin = crossOrigin }) { client in
      let asked = try #require(
        await client.send(
          "OPTIONS", "/observations/v5/corridor",
          [
            "Origin": Self.desk, "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type,x-api-key",
          ]))
      #expect(asked.status == 204 && asked.fields["access-control-allow-origin"] == Self.desk)
      #expect(asked.fields["access-control-allow-methods"] == "GET, HEAD, POST")
      let fields = try #require(asked.fields["access-control-allow-headers"])
      for name in ["Content-Type", "Content-Encoding", "X-API-Key", "Contrail-Since", "Prefer", "If-None-Match"] {
        #expect(fields.contains(name), "\(name)")
      }
      #expect(asked.fields["access-control-max-age"] == "86400" && asked.fields["vary"]?.contains("Origin") == true)
      let answer = try #require(await client.ask(fields: ["Origin": Self.desk]))
      #expect(answer.status == 200 && answer.fields["access-control-allow-origin"] == Self.desk)
      #expect(answer.fields["access-control-expose-headers"]?.contains("Contrail-Area") == true)
      #expect(answer.fields["access-control-allow-credentials"] == nil)
    }
  }

  @Test func anErrorCanBeReadToo() async throws {
    let crossOrigin = try CrossOrigin([Self.desk])
    try await withServer({
      $0.crossOrigin = crossOrigin
      $0.keys = ["key"]
    }) { client in
      let refused = try #require(await client.ask(fields: ["Origin": Self.desk]))
      #expect(refused.status == 401 && refused.fields["access-control-allow-origin"] == Self.desk)
    }
  }

  @Test(arguments: [["https://other.example.com"], ["https://desk.example.com:8443"], ["null"], []])
  func noOtherSiteMay(_ origins: [String]) async throws {
    let crossOrigin = try CrossOrigin([Self.desk])
    try await withServer({ $0.crossOrigin = crossOrigin }) { client in
      let fields = origins.first.map { ["Origin": $0] } ?? [:]
      let asked = try #require(
        await client.send(
          "OPTIONS", "/observations/v5/corridor", fields.merging(["Access-Control-Request-Method": "POST"]) { $1 }))
      #expect(asked.status == 405 && asked.fields["access-control-allow-origin"] == nil)
      let answer = try #require(await client.ask(fields: fields))
      #expect(answer.status == 200 && answer.fields["access-control-allow-origin"] == nil)
      #expect(answer.fields["vary"]?.contains("Origin") == true)
    }
  }

  @Test func allSitesMayIfAllAreAllowed() async throws {
    let crossOrigin = try CrossOrigin(["*"])
    try await withServer({ $0.crossOrigin = crossOrigin }) { client in
      let answer = try #require(await client.ask(fields: ["Origin": "null"]))
      #expect(answer.fields["access-control-allow-origin"] == "*")
      #expect(answer.fields["vary"]?.contains("Origin") != true)
    }
  }

  @Test func withoutPermissionNothingIsSaid() async throws {
    try await withServer { client in
      let answer = try #require(await client.ask(fields: ["Origin": Self.desk]))
      #expect(answer.fields["access-control-allow-origin"] == nil && answer.fields["vary"]?.contains("Origin") != true)
    }
  }

  @Test(arguments: [
    "desk.example.com", "https://desk.example.com/", "ftp://a", "https://", "https://A.com", "null", "",
  ])
  func whatIsNoOriginIsRefused(_ text: String) {
    #expect(throws: InputError.self) { try CrossOrigin([text]) }
  }
}

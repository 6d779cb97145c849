import ContrailCompression
import ContrailLog
import ContrailQuery
import ContrailTestSupport
import ContrailViewer
import ContrailWire
import Foundation
import Testing

@Suite struct FlightPageTests {
  private static let page = PageFiles(
    [
      "index.html": """
      <!doctype html>
      <html><head>
      <link rel="stylesheet" href="style.css">
      </head><body><!-- data -->
      <script type="module" src="main.js"></script>
      </body></html>
      """, "style.css": "/* a */\nbody {\n  margin: 0;\n}\n", "main.js": "run();\n",
      "engine.wasm.gz": "engine",
      "map/coast.bin": "coast",
    ].mapValues { Array($0.utf8) })

  private func html(_ flights: [FlightSource]) throws -> String {
    String(decoding: try FlightPage(files: Self.page).html(flights), as: UTF8.self)
  }

  private func flight(_ name: String, _ text: String) -> FlightSource {
    FlightSource(title: name, files: [.init(name: name, bytes: Array(text.utf8))])
  }

  /// The contents of the elements with an attribute, unpacked if they are gzip.
  private func elements(_ html: String, _ mark: String) throws -> [[UInt8]] {
    try html.split(separator: "<script type=\"text/plain\"").dropFirst().compactMap { element in
      guard let open = element.firstIndex(of: ">"), element[..<open].contains(mark),
        let close = element.firstRange(of: "</script>")
      else { return nil }
      let text = String(element[element.index(after: open)..<close.lowerBound])
      let bytes = Array(try #require(Data(base64Encoded: text)))
      return bytes.starts(with: [0x1F, 0x8B]) ? try Gzip.unpacked(bytes, limit: 1 << 20) : bytes
    }
  }

  @Test func everythingIsInOneFile() throws {
    let html = try html([flight("a.jsonl", "first"), flight("b.jsonl", "second")])
    #expect(html.contains("<style>body {\nmargin: 0;\n}</style>"))
    let script = "\"use strict\";\nconst m0 = (() => {\nrun();\nreturn {  };\n})();\n"
    #expect(html.contains("<script type=\"module\">\(script)</script>"))
    #expect(html.contains(FlightPage.generator))
    #expect(!html.contains("href=") && !html.contains("src="))
    #expect(try elements(html, "id=\"engine\"") == [Array("engine".utf8)])
    #expect(try elements(html, "data-name=\"map/coast.bin\"") == [Array("coast".utf8)])
    #expect(try elements(html, "class=\"flight\" data-flight=\"0\"") == [Array("first".utf8)])
    #expect(try elements(html, "class=\"flight\" data-flight=\"1\"") == [Array("second".utf8)])
  }

  @Test func withoutAFlightThePageTakesAtMost900KB() throws {
    let bytes = try FlightPage().html([])
    #expect(bytes.count <= 900_000, "\(bytes.count) bytes")
  }

  @Test func equalRecordingsGiveEqualBytes() throws {
    #expect(try html([flight("a.jsonl", "first")]) == html([flight("a.jsonl", "first")]))
  }

  @Test func thePolicyAllowsTheOwnScriptAndStyleAlone() throws {
    let html = try html([])
    let policy = try #require(html.split(separator: "content=\"").dropFirst().first?.prefix { $0 != "\"" })
    // Computed by openssl dgst -sha256 -binary | openssl base64.
    #expect(policy.contains("default-src 'none'; script-src 'sha256-"))
    #expect(policy.contains("connect-src 'none'"))
    // One script and one style.
    #expect(policy.split(separator: "'sha256-").count == 3)
    #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'") && !policy.contains("*"))
    let scripts = html.split(separator: "<script").dropFirst().filter { !$0.hasPrefix(" type=\"text/plain\"") }
    #expect(scripts.count == 1)
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "<!-- data -->", "' onload='x", "&lt;",
    "a\u{0}b\nc",
    "<link rel=\"stylesheet\" href=\"style.css\">",
  ])
  func noTextOfARecordingIsMarkup(_ hostile: String) throws {
    var source = flight(hostile, hostile)
    source.title = hostile
    source.blobs = [.init(name: hostile, bytes: Array(hostile.utf8))]
    let plain = try html([flight("x", "x")])
    let html = try html([source])
    #expect(try elements(html, "class=\"flight\"") == [Array(hostile.utf8)])
    // One more element than without a blob, and no other markup.
    #expect(html.split(separator: "<").count == plain.split(separator: "<").count + 2)
    // Each opening tag is made of the page's own attributes, and ends at its first '>'.
    for element in html.split(separator: "<script type=\"text/plain\"").dropFirst() {
      let head = element.prefix { $0 != ">" }
      #expect(head.wholeMatch(of: /(?: (?:id|class|data-[a-z]+)="[^"<>]*")+/) != nil, "\(head)")
    }
  }

  @Test func aTemplateWithoutItsPlacesIsRefused() throws {
    for place in ["<head>", "<!-- data -->", "style.css\">", "src=\"main.js\""] {
      var files = Self.page.bytes
      let text = String(decoding: files["index.html"] ?? [], as: UTF8.self).replacing(place, with: "")
      files["index.html"] = Array(text.utf8)
      #expect(throws: PageError.self) { try FlightPage(files: PageFiles(files)).html([]) }
    }
  }

  @Test func everyFileOfThePageIsInTheProgram() throws {
    let folder = PackageFolder.file("Sources/Replay/ContrailViewer/Page")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
    let files = PageFiles.bundled.bytes
    #expect(files.keys.sorted() == (names + ["turbulence-style.js"]).sorted())
    for name in names {
      #expect(files[name] == Array(try Data(contentsOf: folder.appendingPathComponent(name))), "\(name)")
    }
  }

  @Test func theColorsOfThePageAreThoseOfTurbulenceStyle() throws {
    #expect(
      PageFiles.turbulenceStyles == """
        export const turbulenceStyles = [
          { color: [255, 255, 255], alpha: 0.6, border: [137, 137, 137], borderAlpha: 0.8 },
          { color: [255, 240, 76], alpha: 0.8 },
          { color: [255, 188, 9], alpha: 0.8 },
          { color: [255, 113, 0], alpha: 0.8 },
          { color: [255, 0, 0], alpha: 0.8 },
        ];

        """)
    // The bundled script imports them, and no file of the page has a copy.
    let html = String(decoding: try FlightPage().html([]), as: UTF8.self)
    for severity in TurbulenceSeverity.allCases {
      let (red, green, blue) = TurbulenceStyle.fill(severity).rgb
      let row = "{ color: [\(red), \(green), \(blue)]"
      #expect(html.split(separator: row, omittingEmptySubsequences: false).count == 2, "\(row)")
    }
  }

  // MARK: Recordings

  @Test func aDirectoryOfSegmentsAndAnArchiveAreRead() throws {
    let directory = try TemporaryDirectory()
    let log = Array("{\"seq\":0}\n".utf8)
    try FileManager.default.createDirectory(atPath: directory.file("log/blobs"), withIntermediateDirectories: true)
    let blob = Array("contents".utf8)
    let id = BlobStore.ID(of: blob).digits
    let second = Array("{\"blob\":\"\(id)\"}\n".utf8)
    try Data(try XZ.compress(log)).write(to: URL(fileURLWithPath: directory.file("log/000000000000.jsonl.xz")))
    try Data(second).write(to: URL(fileURLWithPath: directory.file("log/000000000001.jsonl")))
    try Data(blob).write(to: URL(fileURLWithPath: directory.file("log/blobs/\(id)")))
    let source = try FlightSource(path: directory.file("log"))
    #expect(source.title == "log")
    #expect(
      source.files == [
        .init(name: "000000000000.jsonl", bytes: log), .init(name: "000000000001.jsonl", bytes: second),
      ])
    #expect(source.blobs == [.init(name: id, bytes: blob)])
    #expect(source.warnings == [])
  }

  @Test func whatPrecedesTheDamageOfAnArchiveIsRead() throws {
    let directory = try TemporaryDirectory()
    var packed = try XZ.compress(Array(repeating: UInt8(ascii: "a"), count: 1 << 20))
    packed.removeLast(20)
    try Data(packed).write(to: URL(fileURLWithPath: directory.file("cut.jsonl.xz")))
    let source = try FlightSource(path: directory.file("cut.jsonl.xz"))
    #expect(source.files.first?.name == "cut.jsonl")
    #expect(source.warnings.count == 1)
  }

  @Test func theLogOfAServiceIsRefused() throws {
    let directory = try TemporaryDirectory()
    let head = #"{"seq":0,"at":1,"kind":"segment.opened","format":1,"first":0,"crc":false}"# + "\n"
    for (name, line) in [
      ("start", #"{"seq":1,"at":1,"kind":"service.started","version":"1","sources":[]}"#),
      (
        "next",
        #"{"seq":1,"at":1,"kind":"snapshot.part","part":"head"}"# + "\n" + #"{"seq":2,"at":1,"kind":"feed.unchanged"}"#
      ),
    ] {
      try Data((head + line + "\n").utf8).write(to: URL(fileURLWithPath: directory.file("\(name).jsonl")))
      do throws(PageError) {
        _ = try FlightSource(path: directory.file("\(name).jsonl"))
        Issue.record("accepted")
      } catch {
        #expect(error.code == .ofService && "\(error)".hasSuffix("Read it with: contrail log."))
      }
    }
    // A flight may speak of one.
    let flight = head + #"{"seq":1,"at":1,"kind":"session.started","note":"\"kind\":\"feed.x"}"# + "\n"
    try Data(flight.utf8).write(to: URL(fileURLWithPath: directory.file("flight.jsonl")))
    #expect(try FlightSource(path: directory.file("flight.jsonl")).files.count == 1)
  }

  @Test func aMissingRecordingIsAnError() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: PageError.self) { try FlightSource(path: directory.file("none.jsonl")) }
  }
}

import ContrailCompression
import ContrailTestSupport
import ContrailViewer
import Foundation
import Testing

@Suite struct LivePageTests {
  @Test func everyFileThatThePageNamesIsThere() throws {
    let page = try LivePage()
    let paths = Set(page.files.map(\.path))
    let html = String(decoding: try #require(page.files.first { $0.path == "/" }).bytes, as: UTF8.self)
    for mark in ["href=\"", "src=\""] {
      for part in html.components(separatedBy: mark).dropFirst() {
        let name = String(part.prefix { $0 != "\"" })
        #expect(name.hasPrefix("data:") || paths.contains("/\(name)"), "\(name)")
      }
    }
    #expect(paths.isSuperset(of: ["/contrail.js", "/contrail.wasm", "/contrail.d.ts", "/contrail-offline.js"]))
  }

  @Test func aFileIsTheSameUnpacked() throws {
    for file in try LivePage().files {
      let packed = try #require(file.packed, "\(file.path)")
      #expect(try Gzip.unpacked(packed, limit: 16 << 20) == file.bytes, "\(file.path)")
    }
  }

  @Test func theClientTakesAtMost800KBPacked() throws {
    let files = try LivePage().files.filter { ["/contrail.js", "/contrail.wasm"].contains($0.path) }
    #expect(files.reduce(0) { $0 + $1.bytes.count } <= 2_000_000)
    #expect(files.reduce(0) { $0 + ($1.packed?.count ?? 0) } <= 800_000)
  }

  @Test func theClientExportsWhatItsTypesDeclare() throws {
    let files = try LivePage().files
    let script = String(decoding: try #require(files.first { $0.path == "/contrail.js" }).bytes, as: UTF8.self)
    let types = String(decoding: try #require(files.first { $0.path == "/contrail.d.ts" }).bytes, as: UTF8.self)
    let exports = try #require(script.split(separator: "\n").last { $0.hasPrefix("export const {") })
    for name in ["ContrailClient", "ContrailError", "DataHistoryTime", "DataQuery", "DataUpdateFrequency", "Geometry"] {
      #expect(exports.contains(name), "\(name)")
      #expect(types.contains("export class \(name) ") || types.contains("export const \(name):"), "\(name)")
    }
  }

  @Test func thePolicyAllowsNoOtherSite() {
    #expect(LivePage.policy.contains("default-src 'none'") && LivePage.policy.contains("connect-src 'self'"))
    #expect(!LivePage.policy.contains("unsafe-inline") && !LivePage.policy.contains("'unsafe-eval'"))
    #expect(!LivePage.policy.contains("*") && !LivePage.policy.contains("http"))
  }

  @Test func theFilesOfTheClientAreThoseOfItsFolder() throws {
    let folder = PackageFolder.file("Sources/Client/ContrailBrowser/Module")
    let files = PageFiles.bundledModule.bytes
    #expect(files.keys.sorted() == (try FileManager.default.contentsOfDirectory(atPath: folder.path)).sorted())
    for (name, bytes) in files {
      #expect(bytes == Array(try Data(contentsOf: folder.appendingPathComponent(name))), "\(name)")
    }
  }
}

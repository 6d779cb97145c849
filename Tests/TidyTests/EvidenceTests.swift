import ContrailTestSupport
import Foundation
import Testing

/// The pages that name tests, recordings and scripts as evidence name ones that exist.
@Suite struct EvidenceTests {
  private static let pages = ["ThreatModel", "Approval"]

  @Test(arguments: pages) func everyTestRecordingAndScriptOfAPageExists(_ page: String) throws {
    let text = try String(
      contentsOf: PackageFolder.file("Sources/Client/Contrail/Contrail.docc/\(page).md"), encoding: .utf8)
    let tests = try SourceFile.tests.get()
    for row in text.split(separator: "\n") where row.hasPrefix("| ") {
      let evidence = row.split(separator: "|").last ?? ""
      for name in evidence.matches(of: /`([^`]+)`/).map(\.1) {
        #expect(
          Self.exists(name, in: tests), "\(page) names '\(name)', which is no test, recording or script of the package")
      }
    }
  }

  private static func exists(_ name: Substring, in tests: [SourceFile]) -> Bool {
    if name.hasPrefix("Scripts/") { return isFile(String(name.prefix { $0 != " " })) }
    if name == "swift run replay" || isFile("Recordings/\(name).jsonl") { return true }
    if name.hasPrefix("test_") { return browserTests.contains("def \(name)(") }
    return tests.contains { file in file.lines.contains { $0.contains("func \(name)(") } }
  }

  /// The tests in a browser, which are written in Python.
  private static let browserTests: String = {
    let folder = PackageFolder.file("Tests/Browser")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".py") }
      .compactMap { try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
  }()

  private static func isFile(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: PackageFolder.file(path).path)
  }
}

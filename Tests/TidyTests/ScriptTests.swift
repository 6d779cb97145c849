import ContrailTestSupport
import Foundation
import Testing

/// What the scripts have in common.
@Suite struct ScriptTests {
  /// SwiftPM passes the traits in the order of a set, which is another one in each process: then everything is compiled again.
  @Test func scriptsThatBuildThePackageFixTheOrderOfItsTraits() throws {
    let builds = #/(?:\w+=\S+ |exec |if ! |\w+=\$\()*swift (?:build|test|package) /#
    let folder = PackageFolder.file("Scripts")
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      guard let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) else { continue }
      let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      // Another package, in a folder for the moment.
      guard lines.contains(where: { $0.prefixMatch(of: builds) != nil && !$0.contains(#"--package-path "$work""#) })
      else { continue }
      count += 1
      #expect(lines.contains("export SWIFT_DETERMINISTIC_HASHING=1"), "Scripts/\(name)")
    }
    #expect(count >= 8)
  }
}

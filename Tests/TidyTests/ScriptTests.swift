import ContrailTestSupport
import Foundation
import Testing

/// What the scripts have in common.
@Suite struct ScriptTests {
  /// SwiftPM passes the traits in the order of a set. That order is random in each process, and another one compiles everything again.
  /// Only builds fix it: tests must not depend on the order of a set, so they run with a random one.
  @Test func onlyBuildsFixTheOrderOfTraits() throws {
    let builds = #/(?:\w+=\S+ |exec |if ! |\w+=\$\()*swift (?:build|test|package) /#
    let folder = PackageFolder.file("Scripts")
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      guard let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) else { continue }
      for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) where line.prefixMatch(of: builds) != nil {
        // Another package, in a folder for the moment.
        guard !line.contains(#"--package-path "$work""#) else { continue }
        count += 1
        let (isFixed, isTest) = (line.contains("SWIFT_DETERMINISTIC_HASHING=1 "), line.contains("swift test "))
        #expect(isTest ? !isFixed && line.contains("--skip-build") : isFixed, "Scripts/\(name): \(line)")
      }
      #expect(!text.contains("export SWIFT_DETERMINISTIC_HASHING"), "Scripts/\(name)")
      // As a script in Python calls it.
      let isBuilding = text.contains(#""swift", "build""#)
      #expect(!isBuilding || text.contains("SWIFT_DETERMINISTIC_HASHING"), "Scripts/\(name)")
    }
    #expect(count >= 12)
  }

  #if os(macOS) || os(Linux)
    /// Otherwise '--help' would be an argument like others, and some scripts would build for half an hour.
    @Test func everyScriptExplainsItself() throws {
      let folder = PackageFolder.file("Scripts").path
      var count = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        // The help of 'replay' is that of the program, which must be built.
        var isFolder: ObjCBool = false
        let path = folder + "/" + name
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
          FileManager.default.isExecutableFile(atPath: path), name != "replay"
        else { continue }
        let run = try BuiltProgram(script: name).run(["--help"], in: folder, killedAfter: 30)
        // There is no Python.
        if run.status == 127 { continue }
        #expect(run.status == 0 && run.error.isEmpty, "Scripts/\(name): \(run.status) \(run.error)")
        #expect(run.output.contains(" "), "Scripts/\(name)")
        count += 1
      }
      #expect(count >= 25)
    }
  #endif

  /// Whoever follows the page makes the file of keys that the unit names, with the owner and the mode that the service demands.
  @Test func theUnitReadsTheKeysThatThePageMakes() throws {
    let unit = try String(contentsOf: PackageFolder.file("Scripts/contrail.service"), encoding: .utf8)
    let page = try String(
      contentsOf: PackageFolder.file("Sources/Service/ContrailServer/ContrailServer.docc/RunningTheService.md"),
      encoding: .utf8)
    let lines = unit.split(separator: "\n")
    let options = try #require(lines.first { $0.hasPrefix("Environment=\"CONTRAIL_OPTIONS=") })
    let keys = try #require(options.firstMatch(of: #/--keys (\S+?)"?$/#)?.1)
    #expect(lines.contains { $0.hasPrefix("ExecStart=") && $0.hasSuffix(" $CONTRAIL_OPTIONS") })
    let user = try #require(lines.first { $0.hasPrefix("User=") }?.dropFirst(5))
    for command in [
      "swift build -c release --product contrail", "useradd --system",
      "install -d -o \(user) -g \(user) -m 750 /var/lib/\(user)", "install -d -o root -g \(user) -m 750 /etc/contrail",
      "install -o \(user) -g \(user) -m 600 /dev/null \(keys)", "contrail keys tablet-1 >> \(keys)",
    ] { #expect(page.contains("\n    \(command)"), "\(command)") }
  }
}

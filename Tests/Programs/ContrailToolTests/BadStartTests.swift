#if os(macOS) || os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A live service with wrong input: an error at the start, and nothing touched.
  @Suite(.timeLimit(.minutes(5))) struct BadStartTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Starts the service, which must refuse to.
    private func refusal(_ arguments: [String], environment: [String: String] = [:]) throws -> BuiltProgram.Run {
      let run = try BuiltProgram("contrail").run(
        ["serve", "--live", "--port", "0"] + arguments, in: directory.path, environment: environment, killedAfter: 20)
      #expect(!FileManager.default.fileExists(atPath: directory.file("log")), "nothing is written")
      #expect(run.output.isEmpty, "\(run.output)")
      return run
    }

    @Test(arguments: [
      "http//example.com/x", "http://", "https:///x", "http://user:pass@example.com/x", "http://example.com/a b",
      "awc.pirep=nonsense", "receiver=", "opensky:1,2,3", "http://example.com:port/x",
    ]) func aFeedURLThatIsNoneIsRefused(source: String) throws {
      let run = try refusal(["--log", "log", "--source", source])
      #expect([1, 64].contains(run.status), "\(run.status): \(run.error)")
      #expect(run.error.contains(source) || run.error.contains("URL"), "\(run.error)")
      #expect(!run.error.contains("Fatal error"))
    }

    @Test func aCertificateThatDoesNotFitIsRefused() throws {
      for name in ["a", "b"] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
          ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
          + ["-subj", "/CN=localhost", "-keyout", directory.file("\(name).key"), "-out", directory.file("\(name).pem")]
        process.standardError = Pipe()
        try process.run()
        process.waitUntilExit()
      }
      try TemporaryDirectory.put(Array("no certificate".utf8), directory.file("c.pem"))
      for (chain, key) in [("a.pem", "b.key"), ("c.pem", "a.key"), ("a.pem", "c.pem"), ("a.key", "a.pem")] {
        let run = try refusal(["--log", "log", "--certificate", chain, "--certificate-key", key])
        #expect(run.status == 1 && run.error.contains("the certificate '\(chain)'"), "\(run.status): \(run.error)")
      }
      try TemporaryDirectory.put(Array("no certificate".utf8), directory.file("feeds.pem"))
      let other = try refusal(["--log", "log", "--certificate", "a.pem", "--certificate-key", "b.key"])
      #expect(other.error.contains("the key isn't that of the certificate"), "\(other.error)")
      let run = try refusal(
        ["--log", "log", "--source", "https://example.com/x", "--feed-certificate", "feeds.pem"])
      #expect(run.status == 1, "\(run.status): \(run.error)")
    }

    @Test func aFileOfKeysWithWrongRightsIsRefused() throws {
      let hash = String(repeating: "0a", count: 32)
      for (text, mode) in [
        ("tablets \(hash)", 0o644), ("tablets \(hash)", 0o660), ("tablets secret", 0o600), ("", 0o600),
      ] {
        try TemporaryDirectory.put(Array(text.utf8), directory.file("keys"))
        chmod(directory.file("keys"), mode_t(mode))
        let run = try refusal(["--log", "log", "--keys", "keys"])
        #expect(run.status == 1 && run.error.contains("keys"), "\(run.status): \(run.error)")
        #expect(!run.error.contains("secret") || text != "tablets secret")
      }
      #expect(try refusal(["--log", "log", "--keys", "none"]).status != 0)
      #expect(try refusal(["--log", "log", "--token-keys", "none", "--token-audience", "a"]).status != 0)
      #expect(try refusal(["--log", "log", "--token-keys", "keys"]).status == 64)
    }

    @Test func anErrorOfAFeedURLNamesTheSource() throws {
      for source in ["http://example.com:port/x", "receiver=ftp://example.com/x", "awc.pirep=http://a b/"] {
        let run = try refusal(["--log", "log", "--source", source])
        let url = source.split(separator: "=").last.map(String.init) ?? source
        #expect(run.error.contains("--source") && run.error.contains(url), "\(run.error)")
      }
      let twice = try refusal(["--log", "log", "--source", "awc", "--source", "awc.pirep"])
      #expect(twice.status == 64 && twice.error.contains("'awc.pirep' is named twice"), "\(twice.error)")
    }

    @Test func aPortInUseTouchesNothing() throws {
      let other = try ScriptedServer()
      let port = try #require(URL(string: other.address)?.port)
      try TemporaryDirectory.put(Array("[]".utf8), directory.file("x.json"))
      let run = try refusal(["--log", "log", "--source", "x.json", "--port", "\(port)"])
      #expect(run.status == 1 && run.error.contains("can't listen on 127.0.0.1:\(port)"), "\(run.error)")
    }

    @Test func aFileOfAnotherTimeIsWarnedAbout() throws {
      let report = #"{"obsTime":760000000,"lat":34.97,"lon":-95.07,"fltLvl":360,"rawOb":"MLC UA"}"#
      try TemporaryDirectory.put(Array("[\(report)]".utf8), directory.file("day.json"))
      let run = try BuiltProgram("contrail").run(
        ["serve", "--live", "--port", "0", "--log", "log", "--pireps", "day.json"], in: directory.path, killedAfter: 5)
      #expect(run.error.contains("Warning: all records of day.json are of another time"), "\(run.error)")
      #expect(run.error.contains("Without --live"))
    }

    @Test func aLogInJSONHasNoPlainLinesBesideIt() throws {
      let run = try BuiltProgram("contrail").run(
        ["serve", "--live", "--demo", "--port", "0", "--json-log"], in: directory.path,
        environment: ["TMPDIR": directory.path], killedAfter: 5)
      #expect(run.error.contains(#""message":"feed answered""#), "\(run.error)")
      #expect(run.output.contains("Listening on ") && !run.output.contains("demo.pireps:"), "\(run.output)")
    }

    @Test func aDatabaseThatIsNoneIsRefusedWithoutItsPassword() throws {
      for url in [
        "postgres:user:password@host", "http://user:password@host/x", "postgresql://user:password@host:port/x",
      ] {
        for run in [
          try refusal(["--database", url]), try refusal([], environment: ["CONTRAIL_DATABASE": url]),
        ] {
          #expect([1, 64].contains(run.status), "\(run.status): \(run.error)")
          #expect(!run.error.contains("password"), "\(run.error)")
        }
      }
      #expect(try refusal(["--database", "postgresql://host/x", "--log", "log"]).status == 64)
      #expect(try refusal(["--database", "postgresql://host/x", "--speed", "2"]).status == 64)
    }

    @Test func aLogBesideADatabaseOfTheEnvironmentIsRefused() throws {
      let url = "postgresql://user:password@host/x"
      let run = try refusal(["--log", "log"], environment: ["CONTRAIL_DATABASE": url])
      #expect(
        run.status == 64 && run.error.contains("--log and CONTRAIL_DATABASE are both set. Remove"), "\(run.error)")
      #expect(!run.error.contains("password"), "\(run.error)")
    }

    @Test func aDirectoryWithoutFilesIsRefused() throws {
      try FileManager.default.createDirectory(atPath: directory.file("feeds/old"), withIntermediateDirectories: true)
      let run = try refusal(["--log", "log", "--source", "./feeds"])
      #expect(run.status == 64 && run.error.contains("the directory './feeds' has no files"), "\(run.error)")
    }

    @Test(arguments: ["142", "noon", "1h10", ""]) func aTimeThatIsNoneIsRefused(at: String) throws {
      let run = try BuiltProgram("contrail").run(
        ["serve", "--from", "log", "--at", at, "--port", "0"], in: directory.path, killedAfter: 20)
      #expect(run.status == 64 && run.error.contains("--at: '\(at)' isn't a time"), "\(run)")
    }
  }
#endif

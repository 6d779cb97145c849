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

  /// `contrail record` as a user meets it: what it writes, what it leaves alone, and with which status it ends.
  @Suite struct RecordProcessTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.file("flight.jsonl")
    }

    private static let flight = ["record", "--fly", "51.47,-0.45 40.64,-73.78", "--until", "5m"]

    private func record(_ arguments: String...) throws -> BuiltProgram.Run {
      try BuiltProgram("contrail").run(Self.flight + arguments, in: directory.path)
    }

    private func names(_ folder: String = "") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.file(folder)).sorted()
    }

    /// Writes a recording of another flight.
    private func writeOld() throws -> [UInt8] {
      try Rig.flying().writeLog(to: path)
      return try TemporaryDirectory.contents(path)
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func namesOfValuesAreCompleted(shell: String) throws {
      let script = try BuiltProgram("contrail").run(["--generate-completion-script", shell], in: directory.path)
      #expect(script.status == 0)
      // Faults, frequencies, and links by a custom completion.
      for name in ["garble", "truncate=chunked", "minimal", "---completion"] {
        #expect(script.output.contains(name), "\(name)")
      }
    }

    @Test func aRecordingIsReplacedOnlyByForce() throws {
      let old = try writeOld()
      let refused = try record("--out", "flight.jsonl")
      #expect(refused.status == 64 && refused.output == "")
      #expect(refused.error.contains("flight.jsonl: alreadyExists") && refused.error.contains("--force"))
      #expect(try TemporaryDirectory.contents(path) == old)
      let replaced = try record("--out", "flight.jsonl", "--force")
      #expect(replaced.status == 0 && replaced.output.hasPrefix("flight.jsonl: "))
      #expect(try TemporaryDirectory.contents(path) != old)
      #expect(try names() == ["flight.jsonl"])
    }

    @Test func forceReplacesNothingButARecording() throws {
      let tree = directory.file("tree")
      try FileManager.default.createDirectory(atPath: tree + "/deep", withIntermediateDirectories: true)
      try TemporaryDirectory.put("mine".utf8, tree + "/deep/notes.txt")
      for out in ["tree", "tree/", "tree/deep/notes.txt"] {
        let outcome = try record("--out", out, "--force")
        #expect(outcome.status == 64 && outcome.output == "", "\(out)")
        #expect(outcome.error.contains("alreadyExists"), "\(out)")
      }
      #expect(try TemporaryDirectory.contents(tree + "/deep/notes.txt") == Array("mine".utf8))
      #expect(try names("tree") == ["deep"] && names("tree/deep") == ["notes.txt"])
    }

    @Test func whatIsNamedLikeTheRecordingStays() throws {
      let others = ["flight.jsonl.cycles", "flight.jsonl.airports"]
      for other in others {
        try FileManager.default.createDirectory(
          atPath: directory.file(other), withIntermediateDirectories: false)
        try TemporaryDirectory.put("mine".utf8, directory.file("\(other)/notes.txt"))
      }
      try TemporaryDirectory.put("10s airports check 2601\n20s airports load 2601\n".utf8, directory.file("a.scenario"))
      let outcome = try record("--scenario", "a.scenario", "--out", "flight.jsonl")
      #expect(outcome.status == 0)
      for other in others { #expect(try names(other) == ["notes.txt"], "\(other)") }
      #expect(try names() == ["a.scenario", "blobs", "flight.jsonl"] + others.sorted())
    }

    @Test func blobsAreBesideTheRecordingAndThoseOfOthersStay() throws {
      try FileManager.default.createDirectory(
        atPath: directory.file("blobs"), withIntermediateDirectories: false)
      let other = String(repeating: "0", count: 64)
      try TemporaryDirectory.put("theirs".utf8, directory.file("blobs/\(other)"))
      try TemporaryDirectory.put("2m fault html for 1m\n".utf8, directory.file("portal.scenario"))
      let outcome = try record("--scenario", "portal.scenario", "--out", "flight.jsonl")
      #expect(outcome.status == 0 && outcome.output.contains("  failed    notJSON × "))
      #expect(try names("blobs").count == 2 && names("blobs").contains(other))
      let log = String(decoding: try TemporaryDirectory.contents(path), as: UTF8.self)
      let blob = try #require(try names("blobs").first { $0 != other })
      #expect(log.contains("\"blob\":\"\(blob)\""))
    }

    @Test func aFlightWhoseRequestsAllFailEndsWithThree() throws {
      let old = try writeOld()
      try TemporaryDirectory.put("0s fault status=503 for 1h\n".utf8, directory.file("outage.scenario"))
      let outcome = try record("--scenario", "outage.scenario", "--out", "flight.jsonl", "--force")
      #expect(outcome.status == 3)
      #expect(outcome.output.hasPrefix("flight.jsonl (not kept): "))
      #expect(outcome.error.hasPrefix("Error: every request failed (503 × "))
      #expect(try TemporaryDirectory.contents(path) == old)
      #expect(try names() == ["flight.jsonl", "outage.scenario"])
      let kept = try record(
        "--scenario", "outage.scenario", "--out", "flight.jsonl", "--force", "--keep-failed", "--json")
      #expect(kept.status == 3)
      #expect(kept.output.contains(#""answered":0,"failures":{"503":"#) && kept.output.contains(#""kept":true"#))
      #expect(try TemporaryDirectory.contents(path) != old)
    }

    @Test func whatCannotBeWrittenEndsWithTwo() throws {
      let outcome = try record("--out", "nowhere/flight.jsonl")
      #expect(outcome.status == 2 && outcome.error.contains("nowhere/flight.jsonl: writeFailed"))
      #expect(try names() == [])
    }

    @Test func anInterruptedFlightLeavesTheOldRecordingAndNothingElse() throws {
      let old = try writeOld()
      let server = try SilentServer()
      let process = Process()
      process.executableURL = try BuiltProgram("contrail").file
      process.arguments = Self.flight + ["--out", "flight.jsonl", "--force", "--server", server.address]
      process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
      process.standardError = FileHandle.nullDevice
      try process.run()
      // It has begun when it asks for data, which never come.
      server.waitForRequest()
      #expect(try names().count == 2)
      #expect(try TemporaryDirectory.contents(path) == old)
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
      #expect(try TemporaryDirectory.contents(path) == old)
      #expect(try names() == ["flight.jsonl"])
    }

    // MARK: The command line

    @Test(arguments: [
      ["record", "--out", "x"], ["serve"], ["weather", "1,2"], ["airports", "build", "--cycle", "2511", "-o", "x"],
      ["airports", "load", "x"], ["airports", "search", "x"], ["airports", "nearest", "1,2"], ["airports", "status"],
      ["airports"], [],
    ]) func anOptionThatIsUnknownIsSaidToBe(arguments: [String]) throws {
      let outcome = try BuiltProgram("contrail").run(arguments + ["--bogus"], in: directory.path)
      #expect(outcome.status == 64 && outcome.output == "")
      #expect(outcome.error.hasPrefix("Error: Unknown option '--bogus'"))
    }

    /// Also where its value could be a place, or where another value is invalid.
    @Test(arguments: [
      ["weather", "--bogus", "X"], ["weather", "X", "--bogus"], ["weather", "1,2", "--bogus", "X"],
      ["weather", "1,2", "--hours", "999", "--bogus", "X"], ["weather", "1,2", "--unit", "stone", "--bogus", "X"],
      ["serve", "--bogus", "X"], ["serve", "--port", "99999", "--bogus", "X"], ["serve", "--cycle", "x", "--bogus"],
      ["record", "--out", "x.xz", "--bogus", "X"], ["airports", "search", "--bogus", "X"],
      ["airports", "search", "x", "--limit", "0", "--bogus", "X"], ["airports", "nearest", "--bogus", "X"],
      ["airports", "nearest", "1,2", "--count", "0", "--bogus", "X"], ["airports", "load", "--bogus", "X"],
      ["airports", "status", "--bogus", "X"], ["airports", "build", "--cycle", "2511", "-o", "x", "--bogus", "X"],
      ["airports", "--bogus", "X"], ["--bogus", "X"],
    ]) func anUnknownOptionIsToldBeforeAnInvalidValue(arguments: [String]) throws {
      let outcome = try BuiltProgram("contrail").run(arguments, in: directory.path)
      #expect(outcome.status == 64 && outcome.output == "")
      #expect(outcome.error.hasPrefix("Error: Unknown option '--bogus'"), "\(outcome.error)")
    }

    @Test(arguments: [
      (["weather", "X"], "'X' isn't a place"), (["weather", "1,2", "--hours", "999"], "--hours: 999"),
      (["weather", "1,2", "--api-version", "v9"], "--api-version: 'v9'"),
      (["serve", "--port", "99999"], "--port: 99999"),
      (["record", "--out", "x.xz"], "--out: 'x.xz'"), (["airports", "search", "x", "--limit", "0"], "--limit: 0"),
      (["airports", "nearest", "1,2", "--count", "0"], "--count: 0"),
    ]) func anInvalidValueIsTold(arguments: [String], words: String) throws {
      let outcome = try BuiltProgram("contrail").run(arguments, in: directory.path)
      #expect(outcome.status == 64 && outcome.output == "")
      #expect(outcome.error.hasPrefix("Error: \(words)"), "\(outcome.error)")
      #expect(outcome.error.contains("\nUsage: contrail \(arguments[0]) "), "\(outcome.error)")
    }

    @Test func withoutATokenItIsSaidHowToGiveOne() throws {
      let outcome = try BuiltProgram("contrail").run(["weather", "1,2"], in: directory.path)
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.error.contains("CONTRAIL_WEATHER_TOKEN") && outcome.error.contains("--token-from"))
    }

    @Test(arguments: [["record"], ["serve"], ["weather"], ["airports"], []])
    func helpTeachesByExamplesAndNamesEachStatus(command: [String]) throws {
      let help = try BuiltProgram("contrail").run(command + ["--help"], in: directory.path)
      #expect(help.status == 0 && help.error == "")
      #expect(help.output.contains("EXAMPLES\n") && help.output.contains("EXIT STATUS\n"))
      #expect(help.output.contains("contrail \(command.joined(separator: " "))"))
    }
  }

  /// A server on this machine that takes connections and never says anything.
  private final class SilentServer {
    let address: String
    private let listener: Int32

    struct Refused: Error {}

    init() throws {
      #if canImport(Glibc)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        listener = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &place) { [listener] pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, length) == 0 && listen(listener, 8) == 0
            && getsockname(listener, address, &length) == 0
        }
      }
      guard isListening else { throw Refused() }
      address = "http://127.0.0.1:\(place.sin_port.bigEndian)"
    }

    deinit { close(listener) }

    /// Returns when somebody has sent something; the connection stays open until the process ends.
    func waitForRequest() {
      let connection = accept(listener, nil, nil)
      var byte: UInt8 = 0
      _ = recv(connection, &byte, 1, 0)
    }
  }
#endif

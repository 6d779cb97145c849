import ContrailTestSupport
import Foundation
import Testing

/// The built program: what it prints where, and with which status it ends.
@Suite struct ProcessTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("Recordings"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: directory.file("deep"), withIntermediateDirectories: false)
    try Rig.flying().writeLog(to: directory.file("Recordings/first.jsonl"))
  }

  func replay(_ arguments: [String] = [], from folder: String = "") throws -> BuiltProgram.Outcome {
    try BuiltProgram("replay").run(arguments, in: directory.file(folder))
  }

  @Test func withoutArgumentsEveryRecordingIsReplayed() throws {
    let outcome = try replay()
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        RECORDING  EVENTS  SPAN  FULL  DELTA  WIRE  RESULT  DIGEST
        first           5    0s     1      0   0 B  same    e3d32a1c
        1 recording: 1 same, 0 diverged, 0 unreadable

        """)
    #expect(try replay(from: "deep").output == outcome.output)
  }

  @Test func everyCommandReadsARecording() throws {
    let path = "Recordings/first.jsonl"
    for (arguments, begin) in [
      (["inspect", path, "--at", "4"], "Recordings/first.jsonl at seq 4, t+00:00:00, "),
      (["why", path, "--request", "1"], "request 1: full P06 first, corridor, seq 4, t+00:00:00\n"),
      (["diff", path, path], "Recordings/first.jsonl and Recordings/first.jsonl are the same: "),
      (["verify"], "Recordings/first.jsonl  whole: "),
      (["accept", path, "--rule", "P08", "--dry-run"], "Recordings/first.jsonl replays the same: "),
      (["bench", "--repetitions", "1", "--json"], #"[{"path":"Recordings/first.jsonl","events":5,"#),
      (
        ["run", "--format", "json"], #"{"recordings":[{"name":"first","path":"Recordings/first.jsonl","result":"same","#
      ),
      ([path, "--until", "+0s"], "RECORDING  EVENTS"),
    ] {
      let outcome = try replay(arguments)
      #expect(outcome.status == 0, "\(arguments)")
      #expect(outcome.output.hasPrefix(begin), "\(arguments)")
    }
  }

  @Test func anIntendedChangeIsAcceptedWithItsReason() throws {
    let path = directory.file("first.jsonl")
    try Rig.flying().writeLog(to: path, hasCRC: false)
    let today = try TemporaryDirectory.contents(path)
    let old = String(decoding: today, as: UTF8.self).replacingOccurrences(of: #""rule":"P06""#, with: #""rule":"P07""#)
    try TemporaryDirectory.put(old.utf8, path)
    #expect(try replay(["run", "first.jsonl"]).status == 1)
    let refused = try replay(["accept", "first.jsonl", "--rule", "P08", "--because", "x"])
    #expect(refused.status == 1)
    #expect(refused.error.hasPrefix("Error: first.jsonl:5  seq 4, corridor changes under P07 and P06, not P08\n"))
    #expect(try TemporaryDirectory.contents(path) == Array(old.utf8))
    let accepted = try replay(["accept", "first.jsonl", "--rule", "P06", "--because", "first is first"])
    #expect(accepted.status == 0)
    #expect(accepted.output.hasSuffix("  reason kept in first.accepted.md\n"))
    #expect(try TemporaryDirectory.contents(path) == today)
    #expect(try replay(["run", "first.jsonl"]).status == 0)
  }

  @Test func whatDiffersEndsWithOne() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    try rig.writeLog(to: directory.file("second.jsonl"))
    let outcome = try replay(["diff", "Recordings/first.jsonl", "second.jsonl"])
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("Recordings/first.jsonl and second.jsonl differ\n"))
  }

  @Test func damageEndsWithTwo() throws {
    let path = directory.file("Recordings/first.jsonl")
    let whole = String(decoding: try TemporaryDirectory.contents(path), as: UTF8.self)
    try TemporaryDirectory.put(whole.replacingOccurrences(of: "P06", with: "P07").utf8, path)
    let damaged = try replay()
    #expect(damaged.status == 2)
    #expect(damaged.output.contains("Recordings/first.jsonl:5  unreadable: damagedLine at seq 4\n"))
    let verified = try replay(["verify", "Recordings/first.jsonl"])
    #expect(verified.status == 2)
    #expect(verified.output.hasPrefix("Recordings/first.jsonl:5  damaged: damagedLine at seq 4\n"))
  }

  @Test func aCommandLineThatIsWrongEndsWith64() throws {
    for arguments in [
      ["why", "Recordings/first.jsonl", "--request", "9"], ["run", "--until", "noon"], ["accept", "x.jsonl"],
      ["accept", "x.jsonl", "--rule", "P99", "--because", "x"],
      ["accept", "x.jsonl", "--rule", "P08", "--because", " "],
      ["bench", "--repetitions", "0"], ["diff", "one.jsonl"],
    ] {
      let outcome = try replay(arguments)
      #expect(outcome.status == 64, "\(arguments)")
      #expect(outcome.output == "")
    }
    let outcome = try replay(["run", "--until", "noon"])
    #expect(
      outcome.error.hasPrefix("Error: The value 'noon' is invalid for '--until <until>': 'noon' is neither a seq"))
  }

  @Test func helpTeachesWithExamples() throws {
    for command in ["run", "inspect", "why", "diff", "verify", "accept", "bench", "sample"] {
      let outcome = try replay([command, "--help"])
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("EXAMPLES"))
      // An example that is too long for a line would be broken in two.
      let examples = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
      #expect(!examples.isEmpty && examples.allSatisfy { $0.hasPrefix("  ") && $0.contains("replay ") }, "\(command)")
    }
    #expect(try replay(["--help"]).output.contains("EXIT STATUS"))
  }
}

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

  func replay(_ arguments: [String] = [], from folder: String = "") throws -> BuiltProgram.Run {
    try BuiltProgram("replay").run(arguments, in: directory.file(folder))
  }

  @Test func withoutArgumentsEveryRecordingIsReplayed() throws {
    let outcome = try replay()
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        RECORDING  EVENTS  SPAN  FULL  DELTA  BYTES  RESULT  DIGEST
        first           5    0s     1      0    0 B  same    6fd440f4
        1 recording: 1 same, 0 diverged, 0 unreadable

        """)
    #expect(try replay(from: "deep").output == outcome.output)
  }

  @Test func everyCommandReadsARecording() throws {
    let path = "Recordings/first.jsonl"
    for (arguments, begin) in [
      (["inspect", path, "--at", "4"], "Recordings/first.jsonl at seq 4, t+00:00:00, "),
      (["why", path, "--request", "1"], "request 1: full first, corridor, seq 4, t+00:00:00\n"),
      (["why", path], "REQUEST  TIME        SCOPE     MODE  RULE   OUTCOME   AFTER\n"),
      (["diff", path, path], "Recordings/first.jsonl and Recordings/first.jsonl are the same: "),
      (["verify"], "Recordings/first.jsonl  intact: "),
      (["accept", path, "--rule", "historyWidened", "--dry-run"], "Recordings/first.jsonl replays the same: "),
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

  /// All options read the times that scenarios, `inject` and `what-if` read.
  @Test(arguments: [
    ["run", "Recordings/repaired.jsonl", "--until"], ["inspect", "Recordings/repaired.jsonl", "--at"],
    ["profile", "Recordings/repaired.jsonl", "--route", "51.47,-0.45 40.64,-73.78", "--at"],
    ["import", "Recordings/repaired.jsonl", "--force", "-o", "OUT.jsonl", "--from"],
    ["import", "Recordings/repaired.jsonl", "--force", "-o", "OUT.jsonl", "--until"],
    ["export", "Recordings/repaired.jsonl", "--to", "geojson", "-o", "OUT.geojson", "--at"],
  ])
  func everyOptionReadsTheSameTimes(arguments: [String]) throws {
    let words = arguments.map { $0.hasPrefix("OUT.") ? directory.file($0) : $0 }
    let outcomes = try ["t+00:10:00", "+10m", "10m", "00:10:00", "0h10m"].map { time in
      try BuiltProgram("replay").run(words + [time], in: PackageFolder.url.path)
    }
    for outcome in outcomes {
      #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
      #expect(outcome.output == outcomes[0].output)
    }
  }

  private func replayRecorded(_ arguments: [String]) throws -> BuiltProgram.Run {
    try BuiltProgram("replay").run(arguments, in: PackageFolder.url.path)
  }

  @Test func aProfileAfterTheEndSaysSoAndExplainsItsRows() throws {
    let within = try replayRecorded(["profile", "Recordings/own-reports.jsonl", "--at", "2h"])
    #expect(!within.output.contains("The recording ends"))
    #expect(within.output.contains("\nown                   ^ FL370\n"))
    #expect(within.output.contains("\nown: ") && !within.output.contains("\nareas: "))
    let beyond = try replayRecorded(["profile", "Recordings/own-reports.jsonl", "--at", "20h"])
    #expect(beyond.status == 0 && beyond.output.contains("\nThe recording ends at seq 169, t+02:00:00: "))
    let json = try replayRecorded(["profile", "Recordings/own-reports.jsonl", "--at", "20h", "--json"])
    #expect(json.output.hasPrefix("{") && json.error.hasPrefix("The recording ends at seq 169, t+02:00:00: "))
    let areas = try replayRecorded(["profile", "Recordings/polygons.jsonl"])
    #expect(areas.output.contains("\nareas  233322") && areas.output.contains("\nareas: "))
  }

  @Test func aReplayBeyondTheEndSaysSo() throws {
    let text = try replayRecorded(["run", "Recordings/own-reports.jsonl", "--until", "+20h"])
    #expect(text.status == 0 && text.output.contains("\nThe recording ends at seq 169, t+02:00:00: "))
    let json = try replayRecorded(["run", "Recordings/own-reports.jsonl", "--until", "+20h", "--format", "json"])
    #expect(json.output.hasPrefix("{") && json.error.hasPrefix("The recording ends at seq 169, t+02:00:00: "))
    let within = try replayRecorded(["run", "Recordings/own-reports.jsonl", "--until", "1h"])
    #expect(within.status == 0 && !within.output.contains("The recording ends"))
  }

  @Test func aFlightThatListensIsWrittenWithItsTrouble() throws {
    let out = directory.file("injected.jsonl")
    let injected = try replayRecorded([
      "inject", "Recordings/listening-quiet-ocean.jsonl", "--fault", "drop@t+30m..t+40m", "--out", out,
    ])
    #expect(injected.status == 0, "\(injected.error)")
    #expect(try replayRecorded(["run", out]).status == 0)
  }

  @Test func theTypeOfAircraftDecidesTheSeveritiesOfAProfile() throws {
    let words = ["profile", "Recordings/own-reports.jsonl", "--json", "--aircraft"]
    let outcomes = try ["B738", "medium", "b77w", "C172"].map { try replayRecorded(words + [$0]) }
    #expect(outcomes.allSatisfy { $0.status == 0 })
    #expect(outcomes[0].output == outcomes[1].output && Set(outcomes.map(\.output)).count == 3)
    let unknown = try replayRecorded(words + ["B7388"])
    #expect(unknown.status == 64 && unknown.error.contains("'B7388' is neither a known type designator"))
    let text = try replayRecorded(["profile", "Recordings/own-reports.jsonl", "--aircraft", "C172"])
    #expect(
      text.output.contains("light aircraft\n") && text.output.contains("\nSeverities are those of the light class"))
  }

  @Test func plannedLevelsAreNamedAndChecked() throws {
    let words = ["profile", "Recordings/own-reports.jsonl", "--planned"]
    let text = try replayRecorded(words + ["0:310 800:350 1900:370"])
    #expect(text.output.contains("\nPlanned: FL310, FL350 from 800 NM, FL370 from 1900 NM\n"))
    let json = try replayRecorded(words + ["0:310 800:350", "--json"])
    #expect(json.output.contains(#""planned":[{"fromNM":0,"level":310},{"fromNM":800,"level":350}]"#))
    for (value, reason) in [
      ("0:310 800", "'800': expected a distance"), ("0:900", "must be 0 to 520"),
      ("0:310 3000:350", "is beyond the end"),
    ] {
      let outcome = try replayRecorded(words + [value])
      #expect(outcome.status == 64 && outcome.error.contains(reason), "\(outcome.error)")
    }
    let page = try replayRecorded(["view", "--planned", "0:310", "-o", directory.file("page.html")])
    #expect(page.status == 0)
  }

  @Test func anOutageThatOutlastsTheFlightIsSaidToBeCut() throws {
    let beyond = try replayRecorded(["inject", "Recordings/repaired.jsonl", "--outage", "t+1h..t+100h", "--kill", "2h"])
    #expect(beyond.status == 0)
    #expect(
      beyond.error.replacing("\n ", with: "").contains(
        "--outage t+01:00:00..t+100:00:00 is cut at the end of the flight")
    )
    let within = try replayRecorded([
      "inject", "Recordings/repaired.jsonl", "--outage", "1h..t+2h", "--fault", "gone@10m", "--kill", "2h",
    ])
    #expect(within.status == 0 && within.error == "")
  }

  @Test func anIntendedChangeIsAcceptedWithItsReason() throws {
    let path = directory.file("first.jsonl")
    try Rig.flying().writeLog(to: path, hasCRC: false)
    let today = try TemporaryDirectory.contents(path)
    let old = String(decoding: today, as: UTF8.self).replacingOccurrences(
      of: #""rule":"first""#, with: #""rule":"areaChanged""#)
    try TemporaryDirectory.put(old.utf8, path)
    #expect(try replay(["run", "first.jsonl"]).status == 1)
    let refused = try replay(["accept", "first.jsonl", "--rule", "historyWidened", "--because", "x"])
    #expect(refused.status == 1)
    #expect(
      refused.error.hasPrefix(
        "Error: first.jsonl:5  seq 4, corridor changes under areaChanged and first, not historyWidened\n"))
    #expect(try TemporaryDirectory.contents(path) == Array(old.utf8))
    let accepted = try replay(["accept", "first.jsonl", "--rule", "first", "--because", "first is first"])
    #expect(accepted.status == 0)
    #expect(accepted.output.hasSuffix("  reason saved in first.accepted.md\n"))
    #expect(try TemporaryDirectory.contents(path) == today)
    #expect(try replay(["run", "first.jsonl"]).status == 0)
  }

  /// A signal would end the process and leave half a file.
  @Test func beyondTheLimitOfFileSizesAChangeIsRefused() throws {
    let path = directory.file("long.jsonl")
    try Rig.flying().writeLog(to: path, hasCRC: false)
    let old = String(decoding: try TemporaryDirectory.contents(path), as: UTF8.self)
      .replacingOccurrences(of: #""rule":"first""#, with: #""rule":"areaChanged""#)
    try TemporaryDirectory.put(old.utf8, path)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    let refused = try BuiltProgram("replay").run(
      ["accept", "long.jsonl", "--rule", "first", "--because", "x"], in: directory.path, after: "ulimit -f 1")
    #expect(refused.status == 1)
    #expect(refused.error.contains("writeFailed") && refused.error.contains("long.jsonl"))
    #expect(try TemporaryDirectory.contents(path) == Array(old.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == names)
  }

  /// Texts of a recording may contain escape sequences.
  @Test func aTerminalDoesNotObeyARecording() throws {
    let path = directory.file("evil.jsonl")
    var rig = Rig()
    rig.launch(engine: "\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}")
    try rig.writeLog(to: path, hasCRC: false)
    for arguments in [
      ["inspect", "evil.jsonl", "--at", "1"], ["run", "evil.jsonl\u{1B}[31m"], ["verify", "evil.jsonl"],
      ["inspect", "evil.jsonl", "--at", "\u{1B}[31m"],
    ] {
      let outcome = try replay(arguments)
      let text = outcome.output + outcome.error
      #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (0x7f...0x9f).contains($0.value) })
      #expect(!text.isEmpty)
    }
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
    try TemporaryDirectory.put(
      whole.replacingOccurrences(of: #""rule":"first""#, with: #""rule":"areaChanged""#).utf8, path)
    let damaged = try replay()
    #expect(damaged.status == 2)
    #expect(damaged.output.contains("Recordings/first.jsonl:5  unreadable: damagedLine at seq 4\n"))
    let verified = try replay(["verify", "Recordings/first.jsonl"])
    #expect(verified.status == 2)
    #expect(verified.output.hasPrefix("Recordings/first.jsonl:5  damaged: damagedLine at seq 4\n"))
  }

  // MARK: What can't be read

  @Test(arguments: ["run", "verify", "bench"])
  func whereNoRecordingIsTheStatusIsTwoAndSaysWhatWasLookedFor(command: String) throws {
    for (path, words) in [
      ("deep", "no .jsonl file, no .jsonl.xz file, and no directory of segments"),
      ("typo", "No such file or directory"),
    ] {
      let outcome = try replay([command, path])
      #expect(outcome.status == 2, "\(path)")
      #expect((outcome.output + outcome.error).contains(words), "\(path)")
      #expect((outcome.output + outcome.error).contains(path))
    }
    try FileManager.default.removeItem(atPath: directory.file("Recordings/first.jsonl"))
    #expect(try replay([command]).status == 2)
  }

  @Test(.timeLimit(.minutes(30)), arguments: ["run", "verify", "bench", "inspect", "why", "diff", "accept"])
  func aPipeEndsWithTwoAndIsNotWaitedFor(command: String) throws {
    try TemporaryDirectory.makePipe(directory.file("pipe.jsonl"))
    let options = [
      "why": ["--request", "1"], "diff": ["pipe.jsonl"], "accept": ["--rule", "historyWidened", "--because", "x"],
    ]
    let outcome = try replay([command, "pipe.jsonl"] + (options[command] ?? []))
    #expect(outcome.status == 2)
    #expect((outcome.output + outcome.error).contains("it is a pipe, a socket or a device"))
  }

  /// Two minutes in segments of one input each.
  private func writeSegments() throws -> [String] {
    var rig = Rig.flying()
    for _ in 0..<2 { rig.pass(seconds: 60) }
    try rig.writeLog(toDirectory: directory.file("live"), inputsPerSegment: 1)
    return try FileManager.default.contentsOfDirectory(atPath: directory.file("live"))
      .filter { $0.hasSuffix(".jsonl") }.sorted().map { "live/\($0)" }
  }

  @Test(arguments: ["run", "verify", "bench", "inspect", "why", "diff"])
  func aCutSegmentThatOthersFollowEndsWithTwo(command: String) throws {
    let segments = try writeSegments()
    let path = directory.file(segments[1])
    try TemporaryDirectory.put(TemporaryDirectory.contents(path).dropLast(5), path)
    let options = ["why": ["--request", "99"], "diff": ["Recordings/first.jsonl"]]
    let outcome = try replay([command, "live"] + (options[command] ?? []))
    #expect(outcome.status == 2)
    let text = outcome.output + outcome.error
    #expect(text.contains("\(segments[1]):") && text.contains("cutShort at seq "))
    #expect(text.contains(" later lines not read, "))
    #expect(!text.contains(" same "))
  }

  @Test(arguments: ["bench", "inspect", "why", "diff"])
  func whatIsSetAsideIsSaidOnStandardError(command: String) throws {
    let path = directory.file("cut.jsonl")
    try Rig.flying().writeLog(to: path)
    let lineCount = try TemporaryDirectory.contents(path).count { $0 == UInt8(ascii: "\n") }
    try TemporaryDirectory.put(TemporaryDirectory.contents(path).dropLast(5), path)
    let options = ["why": ["--request", "99"], "diff": ["cut.jsonl"], "bench": ["--repetitions", "1"]]
    let outcome = try replay([command, "cut.jsonl"] + (options[command] ?? []))
    #expect(outcome.error.contains("cut.jsonl:\(lineCount)  skipped: the last line is truncated ("))
    #expect(!outcome.output.contains("skipped: "))
    guard command == "bench" else { return }
    let json = try replay(["bench", "cut.jsonl", "--repetitions", "1", "--json"])
    #expect(json.output.contains(#""setAside":{"file":"cut.jsonl","line":\#(lineCount),"#))
  }

  @Test func aSampleReplacesNothing() throws {
    let arguments = ["sample", "sample.jsonl", "--mebibytes", "1"]
    #expect(try replay(arguments).status == 0)
    let first = try TemporaryDirectory.contents(directory.file("sample.jsonl"))
    #expect(try replay(["verify", "sample.jsonl"]).status == 0)
    let again = try replay(arguments)
    #expect(again.status == 2 && again.error.contains("sample.jsonl: alreadyExists"))
    #expect(try TemporaryDirectory.contents(directory.file("sample.jsonl")) == first)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["Recordings", "deep", "sample.jsonl"])
  }

  @Test(arguments: [
    ["run"], ["inspect", "x"], ["why", "x", "--request", "1"], ["diff", "x", "y"], ["verify"],
    ["accept", "x", "--state", "--dry-run"], ["bench"], ["sample", "x"], [],
  ]) func anOptionThatIsUnknownIsSaidToBe(arguments: [String]) throws {
    let outcome = try replay(arguments + ["--bogus"])
    #expect(outcome.status == 64)
    #expect(outcome.error.hasPrefix("Error: Unknown option '--bogus'\n"))
  }

  @Test(arguments: [("vew", "view"), ("veiw", "view"), ("whi", "why"), ("bytess", "bytes"), ("what_if", "what-if")])
  func aCommandWithATypingErrorIsSaidToBe(word: String, meant: String) throws {
    let outcome = try replay([word, "Recordings/first.jsonl", "--json"])
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(
      outcome.error.hasPrefix("Error: There is no command and no recording '\(word)'. Did you mean '\(meant)'?\n"))
  }

  /// A recording may be named almost like a command.
  @Test func aRecordingWithTheNameOfACommandIsReplayed() throws {
    try FileManager.default.copyItem(
      atPath: directory.file("Recordings/first.jsonl"), toPath: directory.file("runs"))
    #expect(try replay(["runs"]).status == 0)
    let outcome = try replay(["nothing-like-it"])
    #expect(outcome.status == 2 && outcome.output.contains("unreadable"))
  }

  @Test func aCommandLineThatIsWrongEndsWith64() throws {
    for arguments in [
      ["why", "Recordings/first.jsonl", "--request", "9"], ["run", "--until", "noon"], ["accept", "x.jsonl"],
      ["accept", "x.jsonl", "--rule", "P99", "--because", "x"],
      ["accept", "x.jsonl", "--rule", "historyWidened", "--because", " "],
      ["bench", "--repetitions", "0"], ["diff", "one.jsonl"],
    ] {
      let outcome = try replay(arguments)
      #expect(outcome.status == 64, "\(arguments)")
      #expect(outcome.output == "")
      #expect(outcome.error.contains("\nUsage: replay \(arguments[0]) "), "\(outcome.error)")
    }
    let outcome = try replay(["run", "--until", "noon"])
    #expect(
      outcome.error.hasPrefix("Error: The value 'noon' is invalid for '--until <until>': 'noon' is neither a seq"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func namesOfValuesAreCompleted(shell: String) throws {
    let script = try replay(["--generate-completion-script", shell])
    #expect(script.status == 0)
    for name in ["garble", "retry-after=", "global.7200", "viewport", "---completion"] {
      #expect(script.output.contains(name), "\(name)")
    }
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
      #expect(outcome.output.contains("EXIT STATUS\n  0   "), "\(command)")
    }
    let help = try replay(["--help"]).output
    for word in ["EXIT STATUS", "replay verify log", "replay inevitable flight.jsonl"] { #expect(help.contains(word)) }
  }
}

#if os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  /// Every command of `replay` under hostile conditions.
  @Suite(.timeLimit(.minutes(30))) struct HostileTests {
    let directory: TemporaryDirectory
    let replay: HostileProgram

    init() throws {
      directory = try TemporaryDirectory()
      for name in ["a.jsonl", "b.jsonl"] {
        try FileManager.default.copyItem(
          at: PackageFolder.file("Recordings/history-widened.jsonl"),
          to: URL(fileURLWithPath: directory.file(name)))
      }
      try TemporaryDirectory.put("a.jsonl\nb.jsonl\n".utf8, directory.file("paths"))
      try TemporaryDirectory.put([UInt8](repeating: 7, count: 32), directory.file("secret"))
      replay = try HostileProgram(
        try BuiltProgram("replay"),
        [
          "run": .init(["a.jsonl"], [("report", "new")]), "view": .init(["a.jsonl"], [("output", "new.html")]),
          "inspect": .init(["a.jsonl"]),
          "why": .init(["a.jsonl"]), "diff": .init(["a.jsonl", "b.jsonl"]), "verify": .init(["a.jsonl"]),
          "bytes": .init(["a.jsonl"]), "check": .init(["a.jsonl"]), "cover": .init(["a.jsonl"]),
          "fold": .init([], [("paths", "paths")]), "import": .init(["a.jsonl"], [("output", "new-import.jsonl")]),
          "inject": .init(["a.jsonl"], [("outage", "t+1m..t+2m"), ("out", "new-inject.jsonl")]),
          "redact": .init(["a.jsonl"], [("output", "new-redact.jsonl"), ("secret", "secret")]),
          "what-if": .init(
            ["a.jsonl"],
            [("frequency", "minimal"), ("runs", "1"), ("out", "new-what-if.jsonl"), ("view", "new-what-if.html")]),
          "advise": .init(["a.jsonl"], [("runs", "1")]), "profile": .init(["a.jsonl"]),
          "accept": .init(["a.jsonl"], [("rule", "historyWidened")], flags: ["--dry-run"]),
          "bench": .init(["a.jsonl"], [("repetitions", "1"), ("warm-up", "0")]),
          "export": .init(["a.jsonl"], [("to", "csv"), ("out", "new-export")]),
          "inevitable": .init(["a.jsonl"], [("state", "rule=historyWidened"), ("futures", "4")]),
          "sample": .init(["new.jsonl"], [("mebibytes", "1")]),
        ], in: directory.path)
    }

    private func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func clear() throws {
      for name in try names() where name.hasPrefix("new") {
        try FileManager.default.removeItem(atPath: directory.file(name))
      }
    }

    @Test func aFullDiskAtStandardOutputIsAnError() throws {
      #expect(replay.unmatched == [])
      var written: Set<String> = []
      for outcome in try replay.runAll(withHelp: true) where !outcome.run.output.isEmpty {
        written.insert(outcome.line)
      }
      #expect(written.count >= 30)
      try clear()
      for outcome in try replay.runAll(after: "exec >/dev/full", withHelp: true) where written.contains(outcome.line) {
        #expect(outcome.run.status == 2, "\(outcome.line)")
        #expect(outcome.run.error.contains("Standard output can't be written: No space left"), "\(outcome.line)")
      }
    }

    @Test func aClosedStandardOutputIsAnError() throws {
      for outcome in try replay.runAll(after: "exec >&-") where !outcome.line.hasPrefix("sample") {
        #expect(outcome.run.status == 2, "\(outcome.line): \(outcome.run.error)")
      }
    }

    @Test(arguments: ["./pipe", "/dev/zero"]) func aPipeOrADeviceIsRefusedWhereverAFileBelongs(path: String) throws {
      try TemporaryDirectory.makePipe(directory.file("pipe"))
      let before = try names()
      for outcome in try replay.runAll(withPath: path) {
        #expect(outcome.run.status != SIGKILL, "\(outcome.line) hangs")
        // The summary has a line for each log, including unreadable ones.
        if outcome.line.hasPrefix("fold \(path)") {
          #expect(outcome.run.output.contains("unreadable"))
        } else {
          #expect([1, 2, 64].contains(outcome.run.status), "\(outcome.line): \(outcome.run)")
        }
        #expect(!(outcome.run.error + outcome.run.output).contains("Error("), "\(outcome.line)")
        try clear()
      }
      #expect(try names() == before)
    }

    @Test func whereNoFileCanBeWrittenNothingIsLeftBehind() throws {
      let before = try names()
      for outcome in try replay.runAll(after: "ulimit -f 0") {
        #expect(!(outcome.run.error + outcome.run.output).contains("StorageError"), "\(outcome.line)")
        #expect(try names() == before, "\(outcome.line)")
        try clear()
      }
    }

    @Test func aFolderWithoutLogsIsAnErrorOfFold() throws {
      try FileManager.default.createDirectory(atPath: directory.file("empty"), withIntermediateDirectories: false)
      let program = try BuiltProgram("replay")
      for arguments in [["fold", "empty"], ["fold", "a.jsonl", "empty"]] {
        let run = try program.run(arguments, in: directory.path)
        #expect(run.status == 2 && run.error.contains("There is no log in empty."))
      }
      try TemporaryDirectory.put([], directory.file("none"))
      let run = try program.run(["fold", "--paths", "none"], in: directory.path)
      #expect(run.status == 2 && run.error.contains("There is no path in none."))
    }
  }
#endif

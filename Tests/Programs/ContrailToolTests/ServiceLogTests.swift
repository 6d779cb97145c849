#if os(macOS) || os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  /// `contrail log`: what it prints of a log that is written by hand.
  @Suite(.timeLimit(.minutes(5))) struct ServiceLogTests {
    private let directory: TemporaryDirectory

    /// 2026-05-30 11:06 UTC, in milliseconds since 1970.
    private static let start: Int64 = 1_780_139_160_000
    private static let report =
      #"{"obsTime":1780138800,"receiptTime":"2026-05-30T11:05:00Z","lat":34.97,"lon":-95.07,"fltLvl":360,"tbInt1":"MOD","#
      + #""fltLvlType":"OTHER","pirepType":"PIREP","rawOb":"MLC UA /OV MLC/TM 1100/FL360/TP B738"}"#
    private static let reason =
      "the answer is damaged: invalid JSON at 1:2: expected a value, and the feed has repeated it since an hour, and so on"

    init() throws {
      directory = try TemporaryDirectory()
      try write("log.jsonl")
      try write("other.jsonl", reason: "timeout")
    }

    /// Writes a log of one minute.
    private func write(_ name: String, reason: String = reason) throws {
      let body = "[\(Self.report)]".replacing("\"", with: "\\\"")
      let lines = [
        (0, #""segment.opened","format":1,"first":0,"crc":false"#),
        (0, #""service.started","version":"contrail 1.0.0","sources":["awc.pirep","awc.gairmet"]"#),
        (10, #""feed.answered","source":"awc.pirep","status":200,"body":"\#(body)""#),
        (20, #""feed.failed","source":"awc.gairmet","status":500,"reason":"\#(reason)""#),
        (60, #""feed.unchanged","source":"awc.pirep","status":304"#),
      ].enumerated().map { seq, line in
        #"{"seq":\#(seq),"at":\#(Self.start + Int64(line.0) * 1000),"kind":\#(line.1)}"# + "\n"
      }
      try TemporaryDirectory.put(Array(lines.joined().utf8), directory.file(name))
    }

    private func log(_ arguments: [String]) throws -> BuiltProgram.Run {
      try BuiltProgram("contrail").run(["log", "log.jsonl"] + arguments, in: directory.path)
    }

    @Test func theStateAtTheEndHasSingularsAndPlurals() throws {
      let run = try log([])
      #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
      #expect(run.output.hasPrefix("through 2026-05-30T11:07:00Z, digest "), "\(run.output)")
      for part in [
        "  1 PIREP\n", "  1 report\n", "  0 advisories\n", "2 answers, 0 failures", "0 answers, 1 failure\n",
      ] {
        #expect(run.output.contains(part), "\(part): \(run.output)")
      }
    }

    @Test(arguments: [
      ("t+0", "11:06:00", "  0 PIREPs"), ("9s", "11:06:00", "  0 PIREPs"), ("10s", "11:06:10", "  1 PIREP"),
      ("-1s", "11:06:20", "  1 PIREP"), ("-51s", "11:06:00", "  0 PIREPs"), ("t+1m", "11:07:00", "  1 PIREP"),
      ("2026-05-30T11:06:15Z", "11:06:10", "  1 PIREP"),
    ]) func aTimeIsAbsoluteOrFromTheStartOrTheEnd(at: String, through: String, held: String) throws {
      let run = try log(["--at", at])
      #expect(run.output.hasPrefix("through 2026-05-30T\(through)Z"), "\(run)")
      #expect(run.output.contains(held) && run.error.isEmpty, "\(run)")
    }

    @Test func aTimeBesideTheLogIsSaid() throws {
      let late = try log(["--at", "1h"])
      #expect(late.error.hasPrefix("The log ends at 2026-05-30T11:07:00Z: what follows"), "\(late)")
      let early = try log(["--at", "2026-05-30T11:00:00Z"])
      #expect(early.error.hasPrefix("The log begins at 2026-05-30T11:06:00Z: no line"), "\(early)")
      #expect(early.status == 0 && !early.output.contains("through"), "\(early)")
      let lines = try log(["--lines", "--at", "1h"])
      #expect(lines.error.hasPrefix("The log ends at ") && !lines.output.contains("The log ends"), "\(lines)")
      for at in ["142", "noon", "1h10", "2026-05-30"] { #expect(try log(["--at", at]).status == 64, "\(at)") }
    }

    @Test func serviceFromALogSaysThatTheTimeIsBesideIt() throws {
      for (at, text) in [("-1h", "The log begins at "), ("1h", "The log ends at ")] {
        let run = try BuiltProgram("contrail").run(
          ["serve", "--from", "log.jsonl", "--at", at, "--port", "0"], in: directory.path, killedAfter: 5)
        #expect(run.error.hasPrefix(text), "\(run)")
      }
    }

    @Test func eachLineIsInWords() throws {
      let run = try log(["--lines"])
      let words = run.output.replacing("\n", with: " ").split(separator: " ").joined(separator: " ")
      #expect(words.hasPrefix("1 2026-05-30T11:06:00Z the service started: contrail 1.0.0, awc.pirep, awc.gairmet 2 "))
      #expect(words.contains(": 1 new PIREP, 1 report 3 2026-05-30T11:06:20Z awc.gairmet failed: \(Self.reason) 4 "))
      #expect(words.hasSuffix("4 2026-05-30T11:07:00Z awc.pirep hasn't changed (304)"), "\(words)")
      #expect(
        try log(["--lines", "--at", "15s"]).output.split(separator: "\n").count { $0.first?.isNumber == true } == 2)
    }

    @Test func bytesAreThoseOfTheFile() throws {
      let run = try log(["--bytes"])
      let rows = run.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }
      #expect(
        rows.map { $0.dropFirst(2).joined(separator: " ") }.sorted() == [
          "feed.answered awc.pirep", "feed.failed awc.gairmet", "feed.unchanged awc.pirep", "segment.opened",
          "service.started",
        ])
      let sum = rows.reduce(0) { $0 + (Int($1[0].filter(\.isNumber)) ?? 0) }
      #expect(sum == (try TemporaryDirectory.contents(directory.file("log.jsonl")).count))
      #expect(rows.allSatisfy { $0[1] == "1" })
    }

    @Test func theFirstLineThatDiffersIsShown() throws {
      let same = try log(["--diff", "log.jsonl"])
      #expect(same.status == 0 && same.output == "equal: 4 lines\n", "\(same)")
      let other = try log(["--diff", "other.jsonl"])
      #expect(other.status == 1, "\(other)")
      #expect(other.output.contains("other.jsonl: 2026-05-30T11:06:20Z awc.gairmet failed: timeout\n"), "\(other)")
      #expect(other.output.hasSuffix("2 lines before are equal\n"), "\(other)")
      let before = try log(["--diff", "other.jsonl", "--at", "10s"])
      #expect(before.status == 0 && before.output == "equal: 2 lines\n", "\(before)")
    }

    @Test func aTextThatNothingContainsIsAFailure() throws {
      let found = try log(["--why", "MLC"])
      #expect(found.status == 0 && found.output.contains("awc.pirep: PIREP 'MLC UA"), "\(found)")
      let missing = try log(["--why", "WHISKEY"])
      #expect(missing.status == 1 && missing.output.isEmpty, "\(missing)")
      #expect(missing.error.hasPrefix("Nothing in the log contains 'WHISKEY'."), "\(missing)")
    }

    @Test(arguments: [
      [], ["--lines"], ["--bytes"], ["--why", "MLC"], ["--why", "awc"], ["--diff", "other.jsonl"], ["--at", "2h"],
    ])
    func outputFitsATerminal(arguments: [String]) throws {
      let run = try log(arguments)
      #expect(!run.output.isEmpty)
      for line in run.output.split(separator: "\n") + run.error.split(separator: "\n") {
        #expect(line.count <= 80, "\(arguments): \(line)")
      }
    }
  }
#endif

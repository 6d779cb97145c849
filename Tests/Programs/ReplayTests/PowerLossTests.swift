#if os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  /// `replay accept`, whose power fails at each of its system calls that change a file.
  @Suite(.enabled(if: PowerLoss.library != nil, "there is no clang for Tests/Support/PowerLoss")) struct PowerLossTests
  {
    @Test func anAcceptedChangeAndItsReasonAreThereOrNeither() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("flight.jsonl")
      let reasonsPath = directory.file("flight.accepted.md")
      try Rig.flying().writeLog(to: path, hasCRC: false)
      let today = try TemporaryDirectory.contents(path)
      let old = Array(
        String(decoding: today, as: UTF8.self).replacingOccurrences(
          of: #""rule":"first""#, with: #""rule":"areaChanged""#
        ).utf8)
      let before = Array("# Changes accepted into flight.jsonl\n\n- an earlier one\n".utf8)
      let accept = PowerLoss(
        try BuiltProgram("replay"), ["accept", "flight.jsonl", "--rule", "first", "--because", "first is first"],
        in: directory.path)
      func restore() throws {
        try TemporaryDirectory.put(old, path)
        try TemporaryDirectory.put(before, reasonsPath)
      }
      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      }
      try restore()
      let calls = try accept.calls()
      let after = try TemporaryDirectory.contents(reasonsPath)
      #expect(calls > 10 && after.count > before.count)
      #expect(try TemporaryDirectory.contents(path) == today)

      for (call, seed) in PowerLoss.points(calls, atMost: 60) {
        try restore()
        let failed = try accept.run(failingAt: call, seed: seed)
        #expect(failed.status == SIGKILL, "call \(call)")
        let recording = try? TemporaryDirectory.contents(path)
        let reasons = try? TemporaryDirectory.contents(reasonsPath)
        #expect(recording == old || recording == today, "call \(call) seed \(seed): the recording is torn")
        #expect(reasons == before || reasons == after, "call \(call) seed \(seed): the reasons are torn")
        #expect(reasons == before || recording == today, "call \(call) seed \(seed): a reason without its change")
        let again = try accept.run(failingAt: 0, seed: 0)
        #expect(again.status == 0, "call \(call) seed \(seed): \(again.error)")
        #expect((try? TemporaryDirectory.contents(path)) == today, "call \(call) seed \(seed)")
        #expect(
          (try? TemporaryDirectory.contents(reasonsPath)) == after, "call \(call) seed \(seed): the reason is lost")
        #expect(try names() == ["flight.accepted.md", "flight.jsonl"], "call \(call) seed \(seed)")
      }
    }

    /// A recording that is written step by step would be shorter, and `replay verify` would call it intact.
    @Test(arguments: [
      ["inject", "--outage", "t+1m..t+2m", "--out", "new.jsonl", "a.jsonl"],
      ["what-if", "--frequency", "minimal", "--runs", "1", "--out", "new.jsonl", "a.jsonl"],
      ["sample", "new.jsonl", "--mebibytes", "1"], ["import", "a.jsonl", "-o", "new.jsonl"],
      ["export", "a.jsonl", "--to", "otlp", "--out", "new.jsonl"],
    ]) func aRecordingIsWrittenAsAWholeOrNotAtAll(arguments: [String]) throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("new.jsonl")
      try FileManager.default.copyItem(
        at: PackageFolder.file("Recordings/history-widened.jsonl"),
        to: URL(fileURLWithPath: directory.file("a.jsonl")))
      let command = PowerLoss(try BuiltProgram("replay"), arguments, in: directory.path)
      let calls = try command.calls()
      let whole = try TemporaryDirectory.contents(path)
      #expect(calls > 5 && !whole.isEmpty)
      for (call, seed) in PowerLoss.points(calls, atMost: 24) {
        try? FileManager.default.removeItem(atPath: path)
        let failed = try command.run(failingAt: call, seed: seed)
        #expect(failed.status == SIGKILL, "call \(call)")
        let found = try? TemporaryDirectory.contents(path)
        #expect(
          found == nil || found == whole, "call \(call) seed \(seed): \(found?.count ?? 0) of \(whole.count) bytes")
      }
    }
  }
#endif

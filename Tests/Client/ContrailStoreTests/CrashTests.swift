#if os(Linux) || os(macOS)
  import ContrailCore
  import ContrailStore
  import ContrailTestSupport
  import Foundation
  import Testing

  /// A process that writes all the time, killed at any time.
  @Suite(.enabled(if: WriterProcess.program != nil, "contrail-store-writer isn't built")) struct CrashTests {
    /// `CONTRAIL_KILLS` sets another number.
    private static let killCount = ProcessInfo.processInfo.environment["CONTRAIL_KILLS"].flatMap { Int($0) } ?? 20

    /// Kills a writer some time after it has said for the so many'th time that it is about something; answers its words.
    private static func killWriter(
      of path: String, amid phase: String, time: Int, and wait: Duration
    ) throws -> [Substring] {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = WriterProcess.program
      process.arguments = [path, "3"]
      process.standardOutput = pipe
      try process.run()
      var output = Data()
      func words() -> [Substring] { String(decoding: output, as: UTF8.self).split(separator: "\n") }
      while words().count(where: { $0 == "p \(phase)" }) < time {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        output += data
      }
      let moment = ContinuousClock.now + wait
      while ContinuousClock.now < moment {}
      kill(process.processIdentifier, SIGKILL)
      output += pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      return words()
    }

    @Test func aKilledWriterLeavesRowsAndPositionThatAgree() throws {
      let scratch = try Scratch()
      var random = SplitMix64(seed: 8)
      var inFlight = SteadyFlight(seed: 3, reportsPerMinute: 20)
      let states = (0..<8).map { _ in
        inFlight.step()
        return inFlight.state
      }
      var last: Int64 = -1
      var tally = KillTally()
      for kill in 0..<Self.killCount {
        let words = try Self.killWriter(
          of: scratch.path, amid: kill % 2 == 0 ? "checkpoint" : "apply", time: Int.random(in: 1...4, using: &random),
          and: .microseconds(Int.random(in: 0..<1500, using: &random) >> Int.random(in: 0..<6, using: &random)))
        tally.count(lastWords: words)
        // A reader needs nobody to put the database in order first.
        let left = try scratch.reader.contents()
        #expect(left.scopes == states[Int((left.position?.seq ?? 0) % 8)].scopes.compactMap(ScopeContents.init))
        let store = try scratch.store()
        tally.reopenings += 1
        #expect(store.recovery == nil)
        let position = try #require(try store.position())
        #expect(left.position == position)
        let acknowledged = words.filter { $0.hasPrefix("a ") }.compactMap { Int64($0.dropFirst(2)) }
        tally.acknowledged += acknowledged.count
        tally.lost += acknowledged.count { $0 > position.seq }
        #expect(position.seq >= last)
        #expect(position.crc == UInt32(truncatingIfNeeded: position.seq &* 2_654_435_761))
        last = position.seq
        try store.expectAgreement(with: states[Int(position.seq % 8)], "at \(position)")
        #expect(try store.verify() == [])
        try store.close()
      }
      #expect(tally.reopenings == Self.killCount && tally.lost == 0)
      #expect(tally.acknowledged > Self.killCount)
      if Self.killCount >= 100 {
        for phase in ["apply", "checkpoint"] { #expect(tally.phases[phase] != nil, "no kill amid \(phase)") }
      }
      print(tally.text("database"))
    }
  }
#endif

#if os(Linux) || os(macOS)
  import ContrailCore
  import ContrailStore
  import ContrailTestSupport
  import Foundation
  import Testing

  /// One process writes without a pause, this one reads.
  @Suite(.enabled(if: WriterProcess.program != nil, "contrail-store-writer isn't built")) struct TwoProcessTests {
    @Test func thousandsOfReadsSeeOneMomentEachWhileAnotherProcessWrites() throws {
      let scratch = try Scratch()
      var inFlight = SteadyFlight(seed: 3, reportsPerMinute: 20)
      let states = (0..<8).map { _ -> [ScopeContents] in
        inFlight.step()
        return inFlight.state.scopes.compactMap(ScopeContents.init)
      }
      let output = scratch.folder + "/output"
      try Data().write(to: URL(fileURLWithPath: output))
      let writer = Process()
      writer.executableURL = WriterProcess.program
      writer.arguments = [scratch.path, "3"]
      writer.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
      try writer.run()
      defer { if writer.isRunning { kill(writer.processIdentifier, SIGKILL) } }

      var (reads, moments, last) = (0, 0, Int64(-1))
      while writer.isRunning && (reads < 3000 || moments < 100) {
        let found: StoredContents
        do throws(StoreError) {
          // Each scope is held against its digest and its counts.
          found = try scratch.reader.contents()
        } catch {
          // Only before the writer has made it.
          #expect(last == -1 && [.missing, .unfinished].contains(error.code), "\(error)")
          continue
        }
        guard let position = found.position else { continue }
        reads += 1
        if position.seq != last { moments += 1 }
        #expect(position.seq >= last)
        last = position.seq
        #expect(position.crc == UInt32(truncatingIfNeeded: position.seq &* 2_654_435_761))
        #expect(found.scopes == states[Int(position.seq % 8)], "at \(position)")
      }
      #expect(writer.isRunning, "the writer has failed")
      try Data().write(to: URL(fileURLWithPath: scratch.path + ".stop"))
      writer.waitUntilExit()
      #expect(writer.terminationStatus == 0, "the writer has failed")
      let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
      // A writer that readers kept waiting for longer than its patience of two seconds would have failed.
      let longest = try #require(lines.last.flatMap { $0.hasPrefix("m ") ? Int($0.dropFirst(2)) : nil })
      #expect(longest < 2000)
      print("two processes: \(reads) reads of \(moments) moments; the longest change took \(longest) ms")
    }
  }
#endif

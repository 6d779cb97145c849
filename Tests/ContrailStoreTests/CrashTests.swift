#if os(Linux) || os(macOS)
  import ContrailCore
  import ContrailStore
  import ContrailTestSupport
  import Foundation
  import Testing

  /// A process that writes all the time, killed at any time.
  @Suite struct CrashTests {
    /// Kills a writer after it has applied `lines` more changes and gone on for a while.
    private static func killWriter(of path: String, afterLines lines: Int) throws {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = writer
      process.arguments = [path, "3"]
      process.standardOutput = pipe
      try process.run()
      var seen = 0
      while seen < lines {
        let output = pipe.fileHandleForReading.availableData
        if output.isEmpty { break }
        seen += output.count { $0 == UInt8(ascii: "\n") }
      }
      #expect(seen >= lines, "the writer stopped by itself")
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
    }

    /// The helper stands beside the tests.
    private static var writer: URL {
      let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
      return tests.deletingLastPathComponent().appendingPathComponent("StoreWriter")
    }

    @Test func aKilledWriterLeavesRowsAndPositionThatAgree() throws {
      let scratch = try Scratch()
      var random = SplitMix64(seed: 8)
      var flight = SteadyFlight(seed: 3, reportsPerMinute: 200)
      var last: Int64 = -1
      for _ in 0..<12 {
        try Self.killWriter(of: scratch.path, afterLines: Int.random(in: 1...6, using: &random))
        let store = try scratch.store()
        #expect(store.recovery == nil)
        let position = try #require(try store.position())
        #expect(position.seq > last)
        last = position.seq
        while flight.seq < position.seq { flight.step() }
        #expect(position == LogPosition(endOf: flight.state))
        try store.expectAgreement(with: flight.state)
        #expect(try store.verify() == [])
        try store.close()
      }
    }
  }
#endif

#if os(Linux) || os(macOS)
  import ContrailCore
  import ContrailStore
  import ContrailTestSupport
  import Foundation
  import Testing

  /// Where the writer that is to be killed stands: beside the tests. Elsewhere, `CONTRAIL_STORE_WRITER` says where.
  private let storeWriter: URL? = {
    if let path = ProcessInfo.processInfo.environment["CONTRAIL_STORE_WRITER"] { return URL(fileURLWithPath: path) }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    let folder = URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
    let found = folder.appendingPathComponent("contrail-store-writer")
    return FileManager.default.isExecutableFile(atPath: found.path) ? found : nil
  }()

  /// A process that writes all the time, killed at any time.
  @Suite(.enabled(if: storeWriter != nil, "contrail-store-writer isn't built")) struct CrashTests {
    /// `CONTRAIL_KILLS` sets another number.
    private static let killCount = ProcessInfo.processInfo.environment["CONTRAIL_KILLS"].flatMap { Int($0) } ?? 20

    /// Kills a writer some time after it has applied `lines` more changes: most likely in a transaction.
    private static func killWriter(of path: String, afterLines lines: Int, and wait: Duration) throws {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = storeWriter
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
      let moment = ContinuousClock.now + wait
      while ContinuousClock.now < moment {}
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
    }

    @Test func aKilledWriterLeavesRowsAndPositionThatAgree() throws {
      let scratch = try Scratch()
      var random = SplitMix64(seed: 8)
      var flight = SteadyFlight(seed: 3, reportsPerMinute: 20)
      let states = (0..<8).map { _ in
        flight.step()
        return flight.state
      }
      var last: Int64 = -1
      for _ in 0..<Self.killCount {
        try Self.killWriter(
          of: scratch.path, afterLines: Int.random(in: 1...5, using: &random),
          and: .microseconds(Int.random(in: 0..<1500, using: &random)))
        let store = try scratch.store()
        #expect(store.recovery == nil)
        let position = try #require(try store.position())
        #expect(position.seq > last)
        #expect(position.crc == UInt32(truncatingIfNeeded: position.seq &* 2_654_435_761))
        last = position.seq
        try store.expectAgreement(with: states[Int(position.seq % 8)], "at \(position)")
        #expect(try store.verify() == [])
        try store.close()
      }
    }
  }
#endif

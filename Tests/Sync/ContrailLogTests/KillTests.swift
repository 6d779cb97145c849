#if os(Linux) || os(macOS)
  import ContrailLog
  import ContrailTestSupport
  import Foundation
  import Testing

  /// Where the writer that is to be killed stands: beside the tests. Elsewhere, `CONTRAIL_CRASH_WRITER` says where.
  private let crashWriter: URL? = {
    if let path = ProcessInfo.processInfo.environment["CONTRAIL_CRASH_WRITER"] { return URL(fileURLWithPath: path) }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    let folder = URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
    let found = folder.appendingPathComponent("contrail-crash-writer")
    return FileManager.default.isExecutableFile(atPath: found.path) ? found : nil
  }()

  @Suite(.enabled(if: crashWriter != nil, "contrail-crash-writer isn't built")) struct KillTests {
    /// `CONTRAIL_KILLS` sets another number.
    static let killCount = ProcessInfo.processInfo.environment["CONTRAIL_KILLS"].flatMap { Int($0) } ?? 60

    /// What a process is killed amid, one after the other.
    private static let phases = ["write", "seal", "snapshot", "bulk", "sync", "blob", "retain", "bulk", "sign"]

    @Test func whatAKilledProcessAcknowledgedIsThere() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("log")
      var random = SplitMix64(seed: 2026)
      var tally = KillTally()
      for kill in 0..<Self.killCount {
        let acknowledged = try killed(
          path, seed: UInt64(kill), amid: Self.phases[kill % Self.phases.count], &random, &tally)
        tally.acknowledged += acknowledged.count
        let log = try LogDirectory(path: path, at: 0, policy: .everyEvent)
        tally.reopenings += 1
        if log.recovery.torn != nil { tally.tornTails += 1 }
        tally.lost += try judge(path, acknowledged, kill)
      }
      #expect(tally.acknowledged > Self.killCount)
      #expect(tally.reopenings == Self.killCount && tally.lost == 0)
      if Self.killCount >= 200 {
        for phase in Self.phases { #expect(tally.phases[phase] != nil, "no kill amid \(phase)") }
      }
      print(tally.text("log"))
    }

    /// Lets the writer run, kills it amid what it is to be killed amid, and answers what it had acknowledged.
    private func killed(
      _ path: String, seed: UInt64, amid phase: String, _ random: inout SplitMix64, _ tally: inout KillTally
    ) throws -> [Int64] {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = crashWriter
      process.arguments = [path, "\(seed)"]
      process.standardOutput = pipe
      try process.run()

      // Not the first time that it is about it, and somewhere in the middle, not always at the same place.
      var wanted = Int.random(in: 1...6, using: &random)
      var output = Data()
      let call = Data("p \(phase)\n".utf8)
      var searched = 0
      while wanted > 0 {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        output += data
        while wanted > 0, let found = output.range(of: call, in: searched..<output.count) {
          searched = found.upperBound
          wanted -= 1
        }
      }
      if phase == "bulk" {
        // A write is over before long, and on a busy machine it waits for this process to sleep.
        usleep(UInt32.random(in: 0..<400, using: &random))
      }
      var spins =
        phase == "bulk"
        ? 0 : Int.random(in: 0..<200_000, using: &random) >> Int.random(in: 0..<12, using: &random)
      while spins > 0 { spins -= 1 }
      kill(process.processIdentifier, SIGKILL)
      output += pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()

      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
      #expect(lines.first?.hasPrefix("o ") == true)
      #expect(lines.filter { $0.hasPrefix("e ") } == [])
      #expect(process.terminationReason == .uncaughtSignal)
      tally.count(lastWords: lines)
      return lines.filter { $0.hasPrefix("a ") }.compactMap { Int64($0.dropFirst(2)) }
    }

    /// Reads all that is left, and answers how much of what was acknowledged isn't there.
    private func judge(_ path: String, _ acknowledged: [Int64], _ kill: Int) throws -> Int {
      #expect(try ChainVerification(path: path, check: TestSigner().check).fault == nil, "kill \(kill)")
      let reader = try LogReader(path: path)
      let blobs = BlobStore(directory: "\(path)/blobs")
      var found: Set<Int64> = []
      var firstSeq: Int64?
      while let line = try reader.next() {
        firstSeq = firstSeq ?? line.seq
        guard line.isKind("note") else { continue }
        let payload = String(decoding: line.payload, as: UTF8.self)
        #expect(payload.hasPrefix("\"check\":\(line.seq &* 7919),"))
        found.insert(line.seq)
        if let digits = payload.split(separator: "\"").last, let id = BlobStore.ID(String(digits)) {
          _ = try blobs.bytes(of: id)
        }
      }
      let missing = acknowledged.filter { $0 >= firstSeq ?? 0 && !found.contains($0) }
      #expect(missing == [], "kill \(kill)")
      return missing.count
    }
  }
#endif

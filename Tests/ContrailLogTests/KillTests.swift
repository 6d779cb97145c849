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

    @Test func whatAKilledProcessAcknowledgedIsThere() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("log")
      var random = SplitMix64(seed: 2026)
      var tornCount = 0
      var acknowledgedCount = 0
      for kill in 0..<Self.killCount {
        let acknowledged = try killed(path, seed: UInt64(kill), random: &random)
        acknowledgedCount += acknowledged.count
        let log = try LogDirectory(path: path, at: 0, policy: .everyEvent)
        if log.recovery.torn != nil { tornCount += 1 }
        try judge(path, acknowledged, kill)
      }
      #expect(acknowledgedCount > Self.killCount)
      print("\(Self.killCount) kills, \(acknowledgedCount) events acknowledged, \(tornCount) tails set aside")
    }

    /// Lets the writer run, kills it at some point, and answers what it had acknowledged.
    private func killed(_ path: String, seed: UInt64, random: inout SplitMix64) throws -> [Int64] {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = crashWriter
      process.arguments = [path, "\(seed)"]
      process.standardOutput = pipe
      try process.run()

      let wanted = Int.random(in: 1...60, using: &random)
      var output = Data()
      while output.count(where: { $0 == UInt8(ascii: "\n") }) < wanted {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        output += data
      }
      // Somewhere in what comes after the acknowledgement, not always at the same place.
      var spins = Int.random(in: 0..<200_000, using: &random)
      while spins > 0 { spins -= 1 }
      kill(process.processIdentifier, SIGKILL)
      output += pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()

      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
      #expect(lines.first?.hasPrefix("o ") == true)
      #expect(lines.filter { $0.hasPrefix("e ") } == [])
      return lines.filter { $0.hasPrefix("a ") }.compactMap { Int64($0.dropFirst(2)) }
    }

    private func judge(_ path: String, _ acknowledged: [Int64], _ kill: Int) throws {
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
    }
  }
#endif

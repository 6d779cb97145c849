#if os(Linux) || os(macOS)
  import ContrailAirportData
  import ContrailAirports
  import Foundation
  import Testing

  /// Where the writer that is to be killed stands: beside the tests. Elsewhere, `CONTRAIL_AIRPORTS_WRITER` says where.
  private let airportsWriter: URL? = {
    if let path = ProcessInfo.processInfo.environment["CONTRAIL_AIRPORTS_WRITER"] { return URL(fileURLWithPath: path) }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
    let folder = URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
    let found = folder.appendingPathComponent("contrail-airports-writer")
    return FileManager.default.isExecutableFile(atPath: found.path) ? found : nil
  }()

  /// A process that loads, killed at any time.
  @Suite(.enabled(if: airportsWriter != nil, "contrail-airports-writer isn't built")) struct KillTests {
    /// Runs a load and kills it some time after a number of steps; nil lets it run to its end.
    private static func run(_ database: String, _ file: String, killAfter steps: Int?, wait: Duration) throws {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = airportsWriter
      process.arguments = [database, file]
      process.standardOutput = pipe
      try process.run()
      guard let steps else {
        _ = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return
      }
      var seen = 0
      while seen < steps {
        let output = pipe.fileHandleForReading.availableData
        if output.isEmpty { break }
        seen += output.count { $0 == UInt8(ascii: "\n") }
      }
      let moment = ContinuousClock.now + wait
      while ContinuousClock.now < moment {}
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    @Test func aKilledLoadLeavesTheOldCycleInUseAndIsTakenUp() throws {
      let scratch = try Scratch()
      var random = RandomAirports(seed: 21)
      let before = random.make(1500)
      let after = before.dropLast(200).map { airport in
        var airport = airport
        airport.name += " B"
        return airport
      }
      let file = scratch.path("after.airports.xz")
      let packed = try AirportFile.packed(after, cycle: Times.cycle, sources: [], preset: 0)
      try Data(packed).write(to: URL(fileURLWithPath: file))
      let path = scratch.path("airports.sqlite")
      do {
        let database = try AirportDatabase(path: path)
        try database.load(before, Times.before)
        try database.close()
      }
      for steps in [1, 5, 9, 12, 14, 17] {
        try Self.run(
          path, file, killAfter: steps, wait: .microseconds(Int.random(in: 0..<3000, using: &random.random)))
        let database = try AirportDatabase(path: path)
        #expect(database.recovery == nil)
        if try database.status().current?.cycle == Times.before {
          #expect(try database.computedDigest() == AirportDigest(before), "after \(steps) steps")
        } else {
          #expect(try database.computedDigest() == AirportDigest(after), "after \(steps) steps")
        }
        try database.close()
      }
      try Self.run(path, file, killAfter: nil, wait: .zero)
      let database = try AirportDatabase(path: path)
      #expect(try database.status().current?.cycle == Times.cycle)
      #expect(try database.computedDigest() == AirportDigest(after))
      try database.sweep()
      #expect(try database.read(table: "airports") == after.count)
      #expect(try database.read(table: "airportPlaces") == after.count)
      #expect(try database.airports(matching: "b", limit: 5000).count == after.count)
    }
  }
#endif

import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailLog
import ContrailReplay
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation
import Logging
import Testing

/// The whole line: an engine, a server on a socket of its own, a log on the disk.
@Suite(.timeLimit(.minutes(30))) struct FlightTests {
  @Test func aRecordedFlightHoldsWhatAFullFetchGives() async throws {
    try await withFolder { folder in
      let summary = try await record(
        to: folder + "/flight.jsonl", scenario: "20m offline\n40m online\n50m relaunch\n1h fault loses=1 for 1m")
      let comparison = try #require(summary.comparison)
      #expect(comparison.isEqual)
      #expect(comparison.held > 20)
      // The report that was lost is repaired.
      #expect(summary.fulls == 1 && summary.repairs == 1)
      #expect(summary.deltas > 20)
    }
  }

  @Test func aRecordingCanBeMadeAgainButForBytesOnTheWireAndCRC() async throws {
    try await withFolder { folder in
      let scenario = "10m history 4h\n15m fault garble for 1m\n20m viewport 6deg\n25m pan 5 300ms 1\n30m relaunch"
      for name in ["a", "b"] { _ = try await record(to: "\(folder)/\(name).jsonl", scenario: scenario, minutes: 40) }
      func comparable(_ name: String) throws -> [Substring] {
        let text = try String(contentsOfFile: "\(folder)/\(name).jsonl", encoding: .utf8)
        let unsized = text.replacing(/"(?:bytes|head|sent|sentHead)":[0-9]+/, with: "")
        return unsized.replacing(/,"crc":"[0-9a-f]+"/, with: "").split(separator: "\n")
      }
      let (a, b) = (try comparable("a"), try comparable("b"))
      #expect(a.count > 100)
      #expect(a == b)
    }
  }

  @Test func aServerWithoutHandlesGivesTheSameDataForMoreBytes() async throws {
    try await withFolder { folder in
      let scenario = "10m viewport 6deg\n20m offline\n30m online\n40m relaunch\n50m fault forget for 3m"
      let paths = [folder + "/plain.jsonl", folder + "/today.jsonl"]
      for (path, isPlain) in zip(paths, [true, false]) {
        let summary = try await record(
          to: path, scenario: scenario, types: [.turbulence, .pireps, .traffic], isPlain: isPlain)
        #expect(summary.comparison?.isEqual == true, "\(path)")
      }
      let lines = try paths.map { path in
        #expect(RecordingResult(replaying: path).outcome == .same)
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      }
      #expect(!lines[0].contains { $0.contains(#""handle""#) || $0.contains(#""form""#) })
      let named = lines[1].filter { $0.contains(#""kind":"fetch.started""#) && $0.contains(#""handle":""#) }
      #expect(named.count > 80)
      #expect(lines[1].contains { $0.contains(#""status":404"#) })
      let bytes = try paths.map { try ByteLedger(path: $0).total }
      #expect(bytes.allSatisfy { $0.uncounted == 0 })
      #expect(bytes[1].up.total * 2 < bytes[0].up.total && bytes[1].down.total < bytes[0].down.total, "\(bytes)")
    }
  }

  @Test func nothingOfTheKeyIsLeftInAnyFile() async throws {
    try await withFolder { folder in
      let key = "k3y-that-must-not-leak"
      _ = try await record(
        to: folder + "/flight.jsonl", scenario: "5m key bad\n10m key good\n12m fault html for 1m", minutes: 20,
        key: key)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      #expect(files.count >= 2)
      for file in files {
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + file) else { continue }
        #expect(bytes.range(of: Data(key.utf8)) == nil, "\(file)")
      }
    }
  }

  // Balloons fly for nineteen hours each: by hand, in a release build.
  @Test(
    .enabled(if: realTracks != nil, "CONTRAIL_DATA names no folder of real tracks"),
    arguments: (realTracks ?? []).filter { !$0.contains("balloon") })
  func aRealTrackHoldsWhatAFullFetchGives(path: String) async throws {
    let track = try Track(csv: try String(contentsOfFile: path, encoding: .utf8))
    try await withFolder { folder in
      let summary = try await record(to: folder + "/flight.jsonl", track: track, frequency: .minimal)
      #expect(summary.comparison?.isEqual == true, "\(path)")
    }
  }
}

private var realTracks: [String]? {
  guard let data = SharedData.folder else { return nil }
  let folder = data + "/flights"
  let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
  return names?.filter { $0.hasSuffix(".csv") }.sorted().map { folder + "/" + $0 }
}

private func record(
  to path: String, scenario: String = "", minutes: Int64 = 75, key: String = "key", track: Track? = nil,
  frequency: DataUpdateFrequency = .medium, types: DataTypeOptions = .turbulence, isPlain: Bool = false
) async throws -> Recorder.Summary {
  var configuration = ServerConfiguration(seed: 3)
  configuration.keys = [key]
  configuration.aircraft = 400
  configuration.isPlain = isPlain
  configuration.allowsSimulatedTime = true
  configuration.allowsRequestedFaults = true
  configuration.logger.logLevel = .critical
  let server = try await ReferenceServer.start(configuration)
  let transport = try PlatformTransport.make(server: server.address)
  var options = Recorder.Options(path: path)
  options.history = .fourHours
  options.types = types
  options.frequency = track == nil ? .fast : frequency
  options.untilMS = track == nil ? minutes * 60_000 : nil
  var recorder = try Recorder(
    options: options, sender: RequestSender(transport: transport), credentials: Credentials(apiKey: key),
    track: try track ?? Track(flying: line, departure: 1_768_471_200_000), scenario: try Scenario(text: scenario))
  let summary = try await recorder.run()
  await transport.shutdown()
  await server.stop()
  return summary
}

#if os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  /// Every command of `contrail` under hostile conditions.
  @Suite(.timeLimit(.minutes(30))) struct HostileTests {
    let directory: TemporaryDirectory
    let contrail: HostileProgram
    private let server: RunningServer

    init() throws {
      directory = try TemporaryDirectory()
      server = try RunningServer(in: directory.path)
      try TemporaryDirectory.put(
        """
        id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,municipality,icao_code,iata_code,gps_code,local_code
        1,EGLL,large_airport,London Heathrow Airport,51.4706,-0.461941,83,EU,GB,London,EGLL,LHR,EGLL,

        """.utf8, directory.file("airports.csv"))
      try TemporaryDirectory.put(
        """
        id,airport_ref,length_ft,width_ft,surface,closed,le_ident,le_latitude_deg,le_longitude_deg,le_elevation_ft,le_heading_degT,le_displaced_threshold_ft,he_ident,he_latitude_deg,he_longitude_deg,he_elevation_ft,he_heading_degT,he_displaced_threshold_ft
        1,1,12802,164,ASP,0,09L,51.4775,-0.4850,79,89.7,1007,27R,51.4777,-0.4333,78,269.7,

        """.utf8, directory.file("runways.csv"))
      let program = try BuiltProgram("contrail")
      let environment = ["CONTRAIL_AIRPORTS": directory.file("a.sqlite")]
      for folder in ["public", "cache"] {
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: false)
      }
      let build = ["airports", "build", "--ourairports", "airports.csv", "--ourairports", "runways.csv"]
      for arguments in [
        build + ["--cycle", "2511", "-o", "2511.airports.xz"], build + ["--cycle", "2512", "-o", "2512.airports.xz"],
        ["airports", "load", "2511.airports.xz", "--at", "2025-11-01"],
      ] {
        let run = try program.run(arguments, in: directory.path, environment: environment)
        #expect(run.status == 0, "\(run.error)")
      }
      // Killed, it leaves a log.
      _ = try program.run(
        ["serve", "--live", "--port", "0", "--log", "service", "--source", "./airports.csv"], in: directory.path,
        killedAfter: 3)
      let sources = [("ourairports", "airports.csv"), ("ourairports", "runways.csv"), ("cycle", "2511")]
      contrail = try HostileProgram(
        program,
        [
          "airports build": .init([], sources + [("output", "new.airports.xz")]),
          "airports delta": .init(["2511.airports.xz", "2512.airports.xz"], [("output", "new.delta.xz")]),
          "airports publish": .init(["public", "2511.airports.xz"]),
          "airports load": .init(["2511.airports.xz"], [("at", "2025-11-01")]),
          "airports search": .init(["heathr"]), "airports nearest": .init(["51,0"]), "airports status": .init(),
          "record": .init([], [("fly", "51.47,-0.45 40.64,-73.78"), ("until", "2m"), ("out", "new.jsonl")]),
          "serve": .init([], [("port", "0")]), "keys": .init(["tablets"]), "log": .init(["service"]),
          "weather": .init(["1,2"], [("server", server.address), ("cache", "cache")]),
        ], in: directory.path, environment: environment)
    }

    private func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func clear() throws {
      for name in try names() where name.hasPrefix("new") {
        try FileManager.default.removeItem(atPath: directory.file(name))
      }
    }

    @Test func aFullDiskAtStandardOutputIsAnError() throws {
      #expect(contrail.unmatched == [])
      for outcome in try contrail.runAll(after: "exec >/dev/full", withHelp: true) {
        #expect(outcome.run.status == 2, "\(outcome.line): \(outcome.run.error)")
        #expect(outcome.run.error.contains("Standard output can't be written: No space left"), "\(outcome.line)")
      }
    }

    @Test(arguments: ["./pipe", "/dev/zero"]) func aPipeOrADeviceIsRefusedWhereverAFileBelongs(path: String) throws {
      try TemporaryDirectory.makePipe(directory.file("pipe"))
      let before = try names()
      for outcome in try contrail.runAll(withPath: path) {
        // A cache that can't be used doesn't keep the weather from being shown.
        let isCache = outcome.line.contains("--cache \(path)")
        #expect((isCache ? [0, 1] : [1, 2, 64]).contains(outcome.run.status), "\(outcome.line): \(outcome.run)")
        #expect(!(outcome.run.error + outcome.run.output).contains("StorageError"), "\(outcome.line)")
        try clear()
      }
      #expect(try names() == before)
    }

    /// The server has today's time, and the flight is in January 2026.
    @Test func aServerWithAnotherTimeGivesNoRecording() throws {
      let run = try BuiltProgram("contrail").run(
        [
          "record", "--fly", "51.47,-0.45 40.64,-73.78", "--until", "5m", "--out", "new.jsonl", "--server",
          server.address,
        ],
        in: directory.path, killedAfter: 120)
      #expect(run.status == 3 && run.error.contains("the server's clock is "), "\(run)")
      #expect(try !names().contains("new.jsonl"))
    }
  }

  /// `contrail serve` as a process that is ended with the object.
  private final class RunningServer {
    let address: String
    private let process = Process()

    struct Silent: Error {}

    init(in directory: String) throws {
      let output = Pipe()
      process.executableURL = try BuiltProgram("contrail").file
      process.arguments = ["serve", "--port", "0"]
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let start = line.firstRange(of: "http://"), let end = line[start.lowerBound...].firstIndex(of: " ") else {
        process.terminate()
        throw Silent()
      }
      address = String(line[start.lowerBound..<end])
    }

    deinit { process.terminate() }
  }
#endif

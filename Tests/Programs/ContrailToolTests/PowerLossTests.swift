#if os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  /// Commands that write a file, whose power fails at a system call that changes one.
  @Suite(.enabled(if: PowerLoss.library != nil, "there is no clang for Tests/Support/PowerLoss")) struct PowerLossTests
  {
    let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
    }

    private func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    /// Whether a file is what the command writes. Two recordings of a flight differ in the name of their session.
    private func isWhole(_ path: String, _ whole: [UInt8]) throws -> Bool {
      guard path.hasSuffix(".jsonl") else { return try TemporaryDirectory.contents(path) == whole }
      return try BuiltProgram("replay").run(["run", path], in: directory.path).status == 0
        && BuiltProgram("replay").run(["verify", path], in: directory.path).status == 0
    }

    /// What a command writes is there as a whole or not at all, and the command can be run again.
    private func check(_ arguments: [String], writes name: String, in environment: [String: String], atMost limit: Int)
      throws
    {
      let command = PowerLoss(
        try BuiltProgram("contrail"), arguments, in: directory.path, environment: environment)
      let calls = try command.calls()
      #expect(calls > 5)
      let path = directory.file(name)
      let whole = try TemporaryDirectory.contents(path)
      let all = try names()
      for (call, seed) in PowerLoss.points(calls, atMost: limit) {
        for isThere in [false, true] where !isThere || arguments.contains("--force") {
          try? FileManager.default.removeItem(atPath: path)
          if isThere { try TemporaryDirectory.put(whole, path) }
          let failed = try command.run(failingAt: call, seed: seed)
          #expect(failed.status == SIGKILL, "call \(call): \(failed.error)")
          if FileManager.default.fileExists(atPath: path) {
            #expect(try isWhole(path, whole), "call \(call) seed \(seed) leaves a part")
          } else {
            #expect(!isThere, "call \(call) seed \(seed) loses the file before")
          }
        }
        try? FileManager.default.removeItem(atPath: path)
        let again = try command.run(failingAt: 0, seed: 0)
        #expect(again.status == 0, "call \(call) seed \(seed): \(again.error)")
        #expect(try isWhole(path, whole), "call \(call) seed \(seed)")
        #expect(try names() == all, "call \(call) seed \(seed) leaves something behind")
      }
    }

    @Test func aDeltaOfAirportsIsWholeOrNotThere() throws {
      let environment = ["CONTRAIL_AIRPORTS": directory.file("a.sqlite")]
      for (cycle, name) in [("2510", "Heathrow"), ("2511", "London Heathrow")] {
        try TemporaryDirectory.put(
          """
          id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,municipality,icao_code,iata_code,gps_code,local_code
          1,EGLL,large_airport,\(name),51.4706,-0.461941,83,EU,GB,London,EGLL,LHR,EGLL,
          2,EHAM,large_airport,Amsterdam Airport Schiphol,52.308601,4.76389,-11,EU,NL,Amsterdam,EHAM,AMS,EHAM,

          """.utf8, directory.file("airports.csv"))
        try TemporaryDirectory.put(
          """
          id,airport_ref,length_ft,width_ft,surface,closed,le_ident,le_latitude_deg,le_longitude_deg,le_elevation_ft,le_heading_degT,le_displaced_threshold_ft,he_ident,he_latitude_deg,he_longitude_deg,he_elevation_ft,he_heading_degT,he_displaced_threshold_ft
          1,1,12802,164,ASP,0,09L,51.4775,-0.4850,79,89.7,1007,27R,51.4777,-0.4333,78,269.7,

          """.utf8, directory.file("runways.csv"))
        let built = try BuiltProgram("contrail").run(
          [
            "airports", "build", "--ourairports", "airports.csv", "--ourairports", "runways.csv", "--cycle", cycle,
            "-o", "\(cycle).airports.xz",
          ],
          in: directory.path, environment: environment)
        #expect(built.status == 0, "\(built.error)")
      }
      try check(
        ["airports", "delta", "2510.airports.xz", "2511.airports.xz", "-o", "2510-2511.delta.xz"],
        writes: "2510-2511.delta.xz", in: environment, atMost: 20)
    }

    @Test func aRecordingIsWholeOrNotThere() throws {
      try check(
        ["record", "--fly", "51.47,-0.45 40.64,-73.78", "--until", "5m", "--out", "flight.jsonl", "--force"],
        writes: "flight.jsonl", in: [:], atMost: 6)
    }
  }
#endif

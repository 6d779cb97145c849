#if os(macOS) || os(Linux)
  import ContrailTestSupport
  import Testing

  /// `contrail airports` as a user meets it: from sources to a database that is asked, one process after the other.
  @Suite struct AirportsProcessTests {
    let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      try TemporaryDirectory.put(
        """
        id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,municipality,icao_code,iata_code,gps_code,local_code
        1,EGLL,large_airport,London Heathrow Airport,51.4706,-0.461941,83,EU,GB,London,EGLL,LHR,EGLL,
        2,EHAM,large_airport,Amsterdam Airport Schiphol,52.308601,4.76389,-11,EU,NL,Amsterdam,EHAM,AMS,EHAM,
        3,NFFN,large_airport,Nadi International Airport,-17.755399,177.442993,59,OC,FJ,Nadi,NFFN,NAN,NFFN,
        4,XX,large_airport,Nowhere,95,0,0,EU,GB,,,,,

        """.utf8, directory.file("airports.csv"))
      try TemporaryDirectory.put(
        """
        id,airport_ref,length_ft,width_ft,surface,closed,le_ident,le_latitude_deg,le_longitude_deg,le_elevation_ft,le_heading_degT,le_displaced_threshold_ft,he_ident,he_latitude_deg,he_longitude_deg,he_elevation_ft,he_heading_degT,he_displaced_threshold_ft
        1,1,12802,164,ASP,0,09L,51.4775,-0.4850,79,89.7,1007,27R,51.4777,-0.4333,78,269.7,

        """.utf8, directory.file("runways.csv"))
    }

    private func airports(_ arguments: String...) throws -> BuiltProgram.Run { try airports(arguments) }

    private func airports(_ arguments: [String]) throws -> BuiltProgram.Run {
      try BuiltProgram("contrail").run(
        ["airports"] + arguments, in: directory.path, environment: ["CONTRAIL_AIRPORTS": directory.file("a.sqlite")])
    }

    private func build(_ cycle: String) throws -> BuiltProgram.Run {
      try airports(
        "build", "--ourairports", "airports.csv", "--ourairports", "runways.csv", "--cycle", cycle, "-o",
        "\(cycle).airports.xz")
    }

    @Test func aCycleIsBuiltLoadedAndAsked() throws {
      let built = try build("2511")
      #expect(built.status == 0)
      #expect(built.output.contains("written: 3 airports, 2 runway directions, "))
      #expect(built.output.contains("  airports.csv:5: latitude_deg is out of range -90 to 90: 95\n"))

      let loaded = try airports("load", "2511.airports.xz", "--at", "2025-11-01")
      #expect(loaded.status == 0)
      #expect(loaded.output.hasPrefix("cycle 2511 in use: 3 airports, 2 runway directions\n"))

      let found = try airports("search", "heathr")
      #expect(found.status == 0)
      #expect(found.output.contains("EGLL  LHR   EGLL   London Heathrow Airport  London"))
      #expect(found.output.contains("27R         270      12802"))

      let nearest = try airports("nearest", "0,180", "--json")
      #expect(nearest.output.hasPrefix(#"[{"recordID":"3","icaoID":"NFFN","#))
      #expect(nearest.output.contains(#""distanceNM":1076.69,"azimuth":187.9"#))
    }

    /// A name in a file may contain an escape sequence.
    @Test func aTerminalDoesNotObeyNames() throws {
      let csv = String(decoding: try TemporaryDirectory.contents(directory.file("airports.csv")), as: UTF8.self)
      try TemporaryDirectory.put(
        csv.replacing("London Heathrow", with: "London\u{1B}]0;owned\u{7} \u{9B}31mHeathrow\u{202E}").utf8,
        directory.file("airports.csv"))
      #expect(try build("2511").status == 0)
      #expect(try airports("load", "2511.airports.xz", "--at", "2025-11-01").status == 0)
      for arguments in [
        ["search", "EGLL"], ["nearest", "51,0"], ["search", "EGLL", "--json"], ["load", "x\u{1B}[2J"],
      ] {
        let outcome = try airports(arguments)
        let text = outcome.output + outcome.error
        #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (0x7f...0x9f).contains($0.value) })
        #expect(text.contains(#"\u001b"#), "\(arguments)")
      }
    }

    @Test(.timeLimit(.minutes(30)), arguments: [",", "", " , "])
    func aServerWhoseKeysAreAMistakeDoesNotStart(keys: String) throws {
      let outcome = try BuiltProgram("contrail").run(
        ["serve", "--port", "0"], in: directory.path, environment: ["CONTRAIL_KEYS": keys])
      #expect(outcome.status == 64)
      #expect(outcome.error.hasPrefix("Error: CONTRAIL_KEYS is set but contains no key."))
    }

    @Test func aCycleWaitsForItsDay() throws {
      for cycle in ["2511", "2512"] {
        #expect(try build(cycle).status == 0)
        #expect(try airports("load", "\(cycle).airports.xz", "--at", "2025-11-01").status == 0)
      }
      let before = try airports("status", "--at", "2025-11-26")
      #expect(before.output.contains("in use      cycle 2511, 2025-10-30 to 2025-11-27: "))
      #expect(before.output.contains("waiting     cycle 2512, 2025-11-27 to 2025-12-25: "))
      let after = try airports("status", "--at", "2025-11-27")
      #expect(after.output.contains("in use      cycle 2512, 2025-11-27 to 2025-12-25: "))
      #expect(!after.output.contains("waiting"))
    }

    @Test func whatIsNoFileOfAirportsLeavesTheCycleInUse() throws {
      #expect(try build("2511").status == 0)
      #expect(try airports("load", "2511.airports.xz", "--at", "2025-11-01").status == 0)
      let refused = try airports("load", "airports.csv", "--at", "2025-11-01")
      #expect(refused.status == 1 && refused.output == "")
      #expect(refused.error.contains("unknownFormat at byte 0"))
      #expect(try airports("search", "EGLL").status == 0)
    }

    @Test func nothingFoundEndsWithOneAndSaysWhy() throws {
      let empty = try airports("search", "heathr")
      #expect(empty.status == 1 && empty.output == "")
      #expect(empty.error.contains("Load a cycle with 'contrail airports load FILE'"))
      #expect(try build("2511").status == 0)
      #expect(try airports("load", "2511.airports.xz").status == 0)
      let missing = try airports("search", "zzzz")
      #expect(missing.status == 1)
      #expect((missing.output + missing.error).contains("No airport matches 'zzzz'."))
    }

    @Test(arguments: [
      ["build", "--cycle", "25x", "-o", "x"], ["nearest", "0,180", "--count", "0"], ["status", "--at", "yesterday"],
      ["load"], ["fly"],
      ["build", "--ourairports", ".", "--cycle", "2511", "-o", "x", "--kinds", "castle"],
    ]) func aCommandLineThatIsWrongEndsWith64(arguments: [String]) throws {
      let outcome = try airports(arguments)
      #expect(outcome.status == 64 && outcome.output == "" && outcome.error.hasPrefix("Error: "))
    }

    @Test(arguments: ["build", "delta", "publish", "load", "search", "nearest", "status"])
    func eachCommandTeachesByExamples(command: String) throws {
      let help = try airports(command, "--help")
      #expect(help.status == 0 && help.error == "")
      #expect(help.output.contains("EXAMPLES\n  contrail airports \(command)"))
    }
  }
#endif

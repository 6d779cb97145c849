import ContrailAirportBuilder
import ContrailAirportData
import ContrailCompression
import ContrailGeodesy
import ContrailTestSupport
import Foundation
import Testing

@Suite struct AirportBuilderTests {
  private let sources: Sources

  init() throws { sources = try Sources() }

  private let ord = "2025/10/30,04508.,A,ORD,CHICAGO,CHICAGO O'HARE INTL,41.97694027,-87.90814972,680,3,W,O,KORD\n"
  private let ordOurs =
    "3754,KORD,large_airport,Chicago O'Hare International Airport,41.9786,-87.9048,672,NA,US,Chicago,KORD,ORD,KORD,ORD\n"

  @Test func nasrWinsAndOurAirportsFillsWhatItLacks() throws {
    let nasr = try sources.nasr(
      ord, runways: "04508.,A,10L/28R,13000,150,ASPH-CONC\n",
      ends: """
        04508.,A,10L/28R,10L,90,41.96903,-87.93152,668.1,,.1,UP,13000,13000,12990,12250
        04508.,A,10L/28R,28R,,,,650,430,.1,DOWN,13000,13000,13000,12578

        """)
    let ours = try sources.ourAirports(
      ordOurs,
      runways: """
        1,3754,12000,100,CON,0,10L,41.96,-87.93,600,91,77,28R,41.9689,-87.8836,651,271,88
        2,3754,9000,150,ASP,0,15,,,,,,33,,,,,

        """)
    let (airports, report) = try sources.merge(nasr: nasr, ourAirports: ours)
    let airport = try #require(airports.first)
    #expect(airports.count == 1)
    #expect(airport.recordID == "04508.*A")
    #expect(airport.icaoID == "KORD" && airport.locationID == "ORD" && airport.iataID == "ORD")
    #expect(airport.name == "CHICAGO O'HARE INTL")
    #expect(airport.elevationFeet == 680 && airport.variationDegrees == -3 && airport.timeZone == nil)
    let left = try #require(airport.runway(named: "10L"))
    #expect(left.trueHeadingDegrees == 90 && left.lengthMeters == 13000 * 0.3048 && left.surface == .paved)
    #expect(left.gradientPercent == 0.1 && left.reciprocalName == "28R" && left.displacedThresholdMeters == nil)
    #expect(left.takeoffRunMeters == 13000 * 0.3048 && left.accelerateStopDistanceMeters == 12990 * 0.3048)
    let right = try #require(airport.runway(named: "28R"))
    #expect(right.gradientPercent == -0.1 && right.displacedThresholdMeters == 430 * 0.3048)
    #expect(right.trueHeadingDegrees == 271 && right.endCoordinate?.latitude == 41.9689)
    #expect(right.landingDistanceMeters == 12578 * 0.3048)
    #expect(airport.runways.count == 2)
    #expect(report.ourRunways.merged == 1 && report.ourRunways.dropped[.supersededByNASR]?.count == 1)
    #expect(report.filled["iataID"]?.count == 1 && report.matchedByIdentifier.count == 1)
    #expect(report.conflicts["longestRunway"]?.count == 1 && report.conflicts["elevation"] == nil)
    #expect(report.isBalanced)
  }

  @Test func oneNamesakeFarAwayIsAnother() throws {
    let ours = try sources.ourAirports("1,XX,small_airport,Elsewhere,-41,170,,OC,NZ,,,,,ORD\n")
    let (airports, _) = try sources.merge(nasr: sources.nasr(ord), ourAirports: ours)
    #expect(airports.map(\.recordID) == ["04508.*A", "1"])
  }

  @Test func onePlaceIsOneAirportWhateverItIsCalled() throws {
    let nasr = try sources.nasr(
      """
      2025/10/30,1.,A,51AL,ARDMORE,ARDMORE,34.979,-86.883,922,,,O,
      2025/10/30,2.,A,AA1,X,SMITH RANCH,50,179.9999,922,,,O,
      2025/10/30,3.,H,AA2,X,HOSPITAL,10,10,922,,,O,

      """)
    let ours = try sources.ourAirports(
      """
      1,1M3,small_airport,Ardmore Airport,34.9791,-86.8831,,NA,US,,,,,
      2,ZZ,small_airport,Smith Field,50,-179.99,,NA,US,,,,,
      3,YY,small_airport,Other Strip,50,-179.99,,NA,US,,,,,
      4,WW,small_airport,Over the Hospital,10,10,,NA,US,,,,,

      """)
    let (airports, report) = try sources.merge(nasr: nasr, ourAirports: ours)
    #expect(report.matchedByNearness.count == 2)
    #expect(airports.map(\.recordID) == ["1.*A", "2.*A", "3", "4"])
    #expect(report.nasrAirports.dropped[.unwantedKind]?.count == 1)
    #expect(report.isBalanced)
  }

  @Test func whatNASRHasClosedIsNotFilledFromElsewhere() throws {
    let closed = ord.replacing(",O,KORD", with: ",CP,KORD")
    let ours = try sources.ourAirports(ordOurs, runways: "1,3754,12000,100,CON,0,10L,,,,,,28R,,,,,\n")
    let (airports, report) = try sources.merge(nasr: sources.nasr(closed), ourAirports: ours)
    #expect(airports.isEmpty)
    #expect(report.ourAirports.dropped[.droppedInNASR]?.count == 1)
    #expect(report.ourRunways.dropped[.airportDropped]?.count == 1)
    #expect(report.isBalanced)
  }

  @Test func theOddPlacesOfTheWorldAreKeptAsTheyAre() throws {
    let ours = try sources.ourAirports(
      """
      1,NZSP,medium_airport,Amundsen–Scott,-90,-1,9300,AN,AQ,,NZSP,,,
      2,LLMZ,small_airport,Bar Yehuda Airfield,31.328,35.388,-1266,AS,IL,Masada,LLMZ,MTZ,LLMZ,
      3,FYWH,large_airport,"Hosea, ""Kutako"" Airport",-22.4799,17.4709,5640,AF,NA,NA,FYWH,WDH,FYWH,
      4,XX,closed,Gone,0,0,,AF,NA,,,,,
      5,HH,heliport,Roof,0,0,,AF,NA,,,,,

      """)
    let (airports, report) = try sources.merge(ourAirports: ours)
    #expect(airports.map(\.coordinate.latitude) == [-90, 31.328, -22.4799])
    #expect(airports[1].elevationFeet == -1266)
    #expect(airports[2].city == "NA" && airports[2].name == "Hosea, \"Kutako\" Airport")
    #expect(airports[0].variationDegrees == nil && airports[0].timeZone == nil)
    #expect(report.ourAirports.dropped[.closed]?.count == 1)
    #expect(report.ourAirports.dropped[.unwantedKind]?.count == 1)
  }

  @Test func runwaysThatAreNoneAreDroppedByReason() throws {
    let ours = try sources.ourAirports(
      "1,AAAA,small_airport,A,10,10,,AF,XX,,,,,\n",
      runways: """
        1,1,3000,-1,GRS,0,9,,,,,,27,,,,,
        2,1,3000,60,GRS,1,18,,,,,,36,,,,,
        3,1,60,60,CON,0,H1,,,,,,,,,,,
        4,1,3000,60,GRS,0,,,,,,,,,,,,
        5,7,3000,60,GRS,0,18,,,,,,36,,,,,
        6,1,2000,60,GRS,0,13,,,,,,,,,,,

        """)
    let (airports, report) = try sources.merge(ourAirports: ours)
    #expect(airports.first?.runways.map(\.name) == ["9", "27", "13"])
    #expect(airports.first?.runways.first?.widthMeters == nil)
    #expect(airports.first?.runway(named: "13")?.reciprocalName == nil)
    for reason in [BuildReport.DropReason.closed, .helipad, .nameless, .orphan] {
      #expect(report.ourRunways.dropped[reason]?.count == 1, "\(reason)")
    }
    #expect(report.refusedValues["runways.csv width_ft"]?.examples == ["line 2: '-1'"])
    #expect(report.isBalanced)
  }

  @Test func headingsComeFromTheReciprocalOrTheEnds() throws {
    let ours = try sources.ourAirports(
      "1,AAAA,small_airport,A,10,10,,AF,XX,,,,,\n",
      runways: """
        1,1,3000,60,GRS,0,9,,,,95,,27,,,,,
        2,1,3000,60,GRS,0,18,10.01,10,,,,36,10,10,,,
        3,1,3000,60,GRS,0,01,10.01,10,,,,19,10,10,,,
        4,1,3000,60,GRS,0,05,10,10,,,,23,10,10,,,
        5,1,3000,60,GRS,0,02,,,,20,,20,,,,20,

        """)
    let (airports, report) = try sources.merge(ourAirports: ours)
    let airport = try #require(airports.first)
    #expect(airport.runway(named: "27")?.trueHeadingDegrees == 275)
    #expect(airport.runway(named: "18")?.trueHeadingDegrees == 180)
    #expect(airport.runway(named: "36")?.trueHeadingDegrees == 0)
    // The ends are the wrong way round, or one point.
    #expect(airport.runway(named: "01")?.trueHeadingDegrees == nil)
    #expect(airport.runway(named: "05")?.trueHeadingDegrees == nil)
    #expect(report.refusedValues["heading from the ends"]?.count == 2)
    // The source has one heading for both; what is painted tells which is wrong.
    #expect(airport.runway(named: "02")?.trueHeadingDegrees == 20)
    #expect(airport.runway(named: "20")?.trueHeadingDegrees == 200)
    #expect(report.refusedValues["heading against what is painted"]?.count == 1)
  }

  @Test func rowsThatCannotBeReadAreNamedAndTheOthersKept() throws {
    let ours = try sources.ourAirports(
      """
      1,A,small_airport,A,10,10,,AF,XX,,,,,
      2,B,small_airport,B,95,10,,AF,XX,,,,,
      3,C,small_airport,C,,10,,AF,XX,,,,,
      4,D,small_airport,D,1,nan,,AF,XX,,,,,
      5,E,spaceport,E,1,1,,AF,XX,,,,,
      6,F,small_airport,F,1,1
      7,G,small_airport,"G"x,1,1,,AF,XX,,,,,
      1,H,small_airport,H,20,20,,AF,XX,,,,,
      9,I,small_airport,I,30,30,12x,AF,XX,,,,,
      10,\(String(repeating: "J", count: 5000)),small_airport,J,1,1,,AF,XX,,,,,

      """)
    let (airports, report) = try sources.merge(ourAirports: ours)
    #expect(airports.map(\.recordID) == ["1", "9"])
    #expect(report.malformed.map(\.line) == [3, 4, 5, 6, 7, 8, 11])
    #expect(report.malformed.allSatisfy { $0.file == "airports.csv" })
    #expect(report.malformed.map(\.reason).contains("the row has 6 of 14 fields"))
    #expect(report.ourAirports.read == 3 && report.ourAirports.dropped[.duplicate]?.count == 1)
    #expect(report.refusedValues["airports.csv elevation_ft"]?.count == 1)
    #expect(report.isBalanced)
  }

  @Test func theSamePlaceTwiceInOneSourceIsOneAirport() throws {
    let ours = try sources.ourAirports(
      """
      1,AA1,small_airport,Belforest Field,30.6,-87.8,,NA,US,,,,,
      2,AA2,small_airport,Belforest Airport,30.6001,-87.8,,NA,US,,,,,
      3,AA3,small_airport,Another,30.6001,-87.8,,NA,US,,,,,

      """, runways: "1,2,3000,60,GRS,0,18,,,,,,36,,,,,\n")
    let (airports, report) = try sources.merge(ourAirports: ours)
    #expect(airports.map(\.recordID) == ["2", "3"])
    #expect(report.ourAirports.dropped[.duplicate]?.count == 1)
    #expect(report.isBalanced)
  }

  @Test func theSameSourcesGiveTheSameBytesPackedOrNot() throws {
    let ours = try sources.ourAirports(ordOurs, runways: "1,3754,12000,100,CON,0,10L,,,,,,28R,,,,,\n")
    let packed = try XZ.compress(Array(Data(contentsOf: URL(fileURLWithPath: ours.airports))))
    try sources.write("packed.csv", packed)
    var fractions: [Double] = []
    let report = try AirportBuilder.build(
      AirportSources(ourAirports: ours), cycle: Sources.cycle, to: sources.path("a.airports.xz")
    ) { fractions.append($0.fraction) }
    _ = try AirportBuilder.build(
      AirportSources(ourAirports: .init(airports: sources.path("packed.csv"), runways: ours.runways)),
      cycle: Sources.cycle, to: sources.path("b.airports.xz"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sources.path("a.airports.xz")))
    #expect(try bytes == Data(contentsOf: URL(fileURLWithPath: sources.path("b.airports.xz"))))
    #expect(report.fileBytes == bytes.count)
    #expect(fractions == fractions.sorted() && fractions.last == 1)
    var reader = try AirportReader(Array(bytes))
    #expect(reader.header.cycle == Sources.cycle && reader.header.sources.map(\.name) == ["OurAirports"])
    #expect(try reader.next()?.icaoID == "KORD")
    #expect(try reader.next() == nil)
    #expect(!FileManager.default.fileExists(atPath: sources.path("a.airports.xz.part")))
  }

  @Test func onlyAFileOfAirportsIsReplaced() throws {
    let ours = AirportSources(ourAirports: try sources.ourAirports(ordOurs))
    let path = sources.path("a.airports.xz")
    func build() throws { _ = try AirportBuilder.build(ours, cycle: Sources.cycle, to: path) }
    try build()
    try build()
    for other in [Array("notes".utf8), try XZ.compress(Array("notes".utf8))] {
      try sources.write("a.airports.xz", other)
      #expect {
        try build()
      } throws: {
        ($0 as? AirportBuildError)?.reason == "the existing file isn't an airport file, so it isn't replaced"
      }
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == other)
    }
    try FileManager.default.removeItem(atPath: path)
    try sources.write("a.airports.xz.part", "mine")
    try build()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".part")) == Data("mine".utf8))
  }

  @Test func whatIsNoSourceIsAnErrorThatSaysWhich() throws {
    #expect(throws: AirportBuildError.self) { try sources.merge() }
    #expect {
      _ = try AirportSources.NASR(directory: sources.folder.path)
    } throws: { ($0 as? AirportBuildError)?.code == .missingFile }
    try sources.write("airports.csv", "id,name\n")
    try sources.write("runways.csv", Sources.runwayColumns)
    #expect {
      _ = try sources.merge(ourAirports: .init(directory: sources.folder.path))
    } throws: { ($0 as? AirportBuildError)?.code == .notTheTable }
    try sources.write("airports.csv", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00])
    #expect {
      _ = try sources.merge(ourAirports: .init(directory: sources.folder.path))
    } throws: { ($0 as? AirportBuildError)?.code == .unreadable }
  }

  @Test func anotherCycleThanNASRsIsWarnedOf() throws {
    let nasr = try sources.nasr(ord.replacing("2025/10/30", with: "2025/09/04"))
    let report = try sources.merge(nasr: nasr).report
    #expect(report.nasrCycle?.identifier == "2509" && report.warnings.count == 1)
  }

  @Test(arguments: 0..<150) func spoiledSourcesAreReadAndAccountedFor(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func spoil(_ text: String) -> [UInt8] {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(Array("\",\n-9".utf8)[Int.random(in: 0..<5, using: &random)], at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 30))
        }
      }
      return bytes
    }
    let nasr = try sources.nasr(ord)
    let ours = try sources.ourAirports("")
    let airports = (0..<20).map { "\($0),A\($0),small_airport,Name \($0),\(Int($0) % 90),\($0),100,NA,NA,,,,,\n" }
    let runways = (0..<20).map { "\($0),\($0),3000,60,GRS,0,9,,,,95,,27,,,,,\n" }
    let columns = { (names: String) in Array((names + "\n").utf8) }
    try sources.write("APT_BASE.csv", columns(Sources.baseColumns) + spoil(ord + ord.replacing("04508.", with: "1.")))
    try sources.write(
      "APT_RWY.csv", columns(Sources.nasrRunwayColumns) + spoil("04508.,A,10L/28R,13000,150,ASPH\n1.,A,9/27,1,1,CON\n"))
    try sources.write(
      "APT_RWY_END.csv",
      columns(Sources.endColumns) + spoil("04508.,A,10L/28R,10L,90,41.9,-87.9,668,,.1,UP,1,2,3,4\n"))
    try sources.write("airports.csv", columns(Sources.airportColumns) + spoil(airports.joined() + ordOurs))
    try sources.write("runways.csv", columns(Sources.runwayColumns) + spoil(runways.joined()))
    let options = BuildOptions(
      kinds: seed % 3 == 0 ? Set(AirportKind.allCases) : BuildOptions.usualKinds, requiresRunway: seed % 2 == 0)
    let (merged, report) = try sources.merge(nasr: nasr, ourAirports: ours, options: options)
    #expect(report.isBalanced, "seed \(seed): \(report.text)")
    _ = try AirportFile.encoded(merged, cycle: Sources.cycle, sources: [])
    let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
    #expect(json?["airports"] as? Int == merged.count)
  }
}

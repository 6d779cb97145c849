import ContrailAirportBuilder
import ContrailAirportData
import ContrailTestSupport
import Foundation
import Testing

@Suite struct TimeZoneTests {
  private let sources: Sources

  init() throws { sources = try Sources() }

  private let places = """
    1,LFSB,large_airport,EuroAirport Basel-Mulhouse-Freiburg,47.5896,7.5299,885,EU,FR,Bâle,LFSB,BSL,LFSB,
    2,KEUF,small_airport,Weedon Field,31.951,-85.129,285,NA,US,Eufaula,KEUF,EUF,KEUF,EUF
    3,XPLT,small_airport,A platform at sea,57.0,2.0,100,EU,GB,,,,,

    """

  private func build(_ table: String) throws -> (airports: [Airport], sources: [AirportSource], report: BuildReport) {
    try sources.write("zones.csv", table)
    return try AirportBuilder.merge(
      AirportSources(ourAirports: sources.ourAirports(places), timeZones: sources.path("zones.csv")),
      cycle: Sources.cycle)
  }

  @Test func airportsGetTheZonesOfTheTable() throws {
    let (airports, made, report) = try build(
      """
      source,record_id,time_zone
      ourAirports,1,Europe/Paris
      ourAirports,3,Etc/GMT
      nasr,2,America/New_York
      ourAirports,99,Asia/Tokyo

      """)
    #expect(airports.map(\.timeZone) == ["Europe/Paris", nil, "Etc/GMT"], "the key has a source")
    #expect(report.timeZoneCount == 2 && report.json.contains(#""timeZones":2"#))
    #expect(made.map(\.name).last == "time zones (c) OpenStreetMap contributors, ODbL 1.0")
  }

  @Test func rowsThatCannotBeReadAreListed() throws {
    let (airports, _, report) = try build(
      """
      source,record_id,time_zone
      elsewhere,1,Europe/Paris
      ourAirports,2,America/<Chicago>
      ourAirports,,Europe/Paris
      ourAirports,3,Etc/GMT+2

      """)
    #expect(airports.map(\.timeZone) == [nil, nil, "Etc/GMT+2"])
    #expect(report.malformed.map(\.line) == [2, 3, 4] && report.malformed.allSatisfy { $0.file == "zones.csv" })
  }

  @Test func anotherTableIsRefused() throws {
    #expect(throws: AirportBuildError.self) { try build("id,zone\n1,Europe/Paris\n") }
    #expect(throws: AirportBuildError.self) {
      try AirportBuilder.merge(
        AirportSources(ourAirports: sources.ourAirports(places), timeZones: sources.path("none.csv")),
        cycle: Sources.cycle)
    }
  }
}

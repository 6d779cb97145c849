import ContrailCore
import ContrailField
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Foundation
import Testing

/// What a summary says of a flight, and what a check ends with.
@Suite struct SummaryTests {
  private func row(_ name: String) throws -> [String: Any] {
    let json = FlightSummary(path: Logs.recording(name)).json(listingCells: true)
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test(arguments: ["atlantic", "antimeridian"]) func aRowSaysWhenAndWhereTheFlightWas(name: String) throws {
    let row = try row(name)
    let start = try #require(row["start"] as? String)
    let day = try #require(row["day"] as? String)
    #expect(day.count == 10 && start.hasPrefix(day + "T"))
    let origin = try #require(row["origin"] as? String)
    #expect(row["destination"] as? String != origin)
    let names = try #require(row["cellNames"] as? [String])
    #expect(row["cells"] as? Int == names.count && !names.isEmpty)
  }

  @Test func theMiddleOfACorridorIsOnItsSideOfTheAntimeridian() throws {
    let fetches = try #require(try row("antimeridian")["fullFetches"] as? [[String: Any]])
    let longitudes = fetches.compactMap { $0["lon"] as? Int }
    #expect(!longitudes.isEmpty && longitudes.allSatisfy { (130...180).contains(abs($0)) }, "\(longitudes)")
  }

  @Test func theExitCodeOfACheckIsThatOfTheWorstLog() throws {
    let same = FlightSummary(path: Logs.recording("atlantic"))
    let draft = try LogDraft(path: Logs.recording("key-revoked")).withDecisions { decision in
      if case .errorReported = decision { [] } else { [decision] }
    }
    let found = Logs.summary(of: draft)
    let missing = FlightSummary(path: Logs.recording("no-such-flight"))
    #expect(found.findingCount > 0 && missing.isUnreadable && !same.isUnreadable)
    #expect(CheckReport([]).exitCode == 0 && CheckReport([same]).exitCode == 0)
    #expect(CheckReport([same, found]).exitCode == 1)
    #expect(CheckReport([found, missing, same]).exitCode == 2)
  }
}

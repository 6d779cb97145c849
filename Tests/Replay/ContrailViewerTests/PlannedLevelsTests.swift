import ContrailGeodesy
import ContrailLog
import ContrailQuery
import ContrailViewer
import ContrailWire
import Testing

/// Planned levels, and what draws them.
@Suite struct PlannedLevelsTests {
  @Test(arguments: [
    ("0:310 800:350 1900:370", "0:310 800:350 1900:370", "FL310, FL350 from 800 NM, FL370 from 1900 NM"),
    ("0:FL060,12.5:90", "0:60 12.5:90", "FL060, FL090 from 12.5 NM"), (" 5:0  ", "5:0", "FL000 from 5 NM"),
  ])
  func stepsAreRead(_ text: String, _ plain: String, _ words: String) throws {
    let planned = try PlannedLevels(text)
    #expect(planned.text == plain && planned.words == words)
    #expect(try PlannedLevels(planned.text) == planned)
  }

  @Test(arguments: [
    ("", "expected distances and flight levels"), ("310", "expected a distance"), ("0:310 800", "expected a distance"),
    ("0:310:2", "expected a distance"), ("-5:310", "expected a distance"), ("0:FL", "expected a distance"),
    ("nan:310", "expected a distance"), ("1e3:310", "expected a distance"), ("0:530", "must be 0 to 520"),
    ("25001:310", "must be 0 to 25,000 NM"), ("0:310 0:350", "must be greater than"),
    ("800:310 0:350", "must be greater than"),
  ])
  func whatIsNoStepIsRefused(_ text: String, _ reason: String) {
    let error = #expect(throws: InputError.self) { try PlannedLevels(text) }
    #expect(error?.description.contains(reason) == true, "\(error.map { "\($0)" } ?? "none")")
  }

  @Test func tooManyStepsAreRefused() {
    #expect(throws: InputError.self) { try PlannedLevels((0...100).map { "\($0):310" }.joined(separator: " ")) }
  }

  private func profile() throws -> RouteProfile {
    let route = [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 10)]
    return try ProfileQuery(along: route).profile(of: [], asOf: 1_000_000)
  }

  @Test func theDrawingHasALineOfSteps() throws {
    let planned = try PlannedLevels("0:310 300:350 550:370 700:390")
    let svg = ProfileDrawing(title: "x", try profile(), historySeconds: 7200, planned: planned).svg
    let line = try #require(
      svg.split(separator: "<path d=\"M52 ").dropFirst().map { $0.prefix { $0 != "\"" } }.first { $0.contains("H") })
    // A level line to 300 NM, a step up, and so on to the end; the step beyond the end isn't drawn.
    #expect(line.filter { $0 == "H" }.count == 3 && line.filter { $0 == "V" }.count == 2 && line.hasSuffix("H1052"))
    #expect(svg.contains("<title>Planned: FL310, FL350 from 300 NM, FL370 from 550 NM, FL390 from 700 NM</title>"))
    #expect(svg.contains(">FL310</text>") && svg.contains("dashes: planned"))
    let without = ProfileDrawing(title: "x", try profile(), historySeconds: 7200).svg
    #expect(!without.contains("lanned"))
  }

  @Test func thePageHasThem() throws {
    let html = String(decoding: try FlightPage().html([], planned: try PlannedLevels("0:FL310 800:350")), as: UTF8.self)
    #expect(html.contains("<meta name=\"contrail-planned\" content=\"0:310 800:350\">"))
    #expect(!String(decoding: try FlightPage().html([]), as: UTF8.self).contains("<meta name=\"contrail-planned\""))
  }
}

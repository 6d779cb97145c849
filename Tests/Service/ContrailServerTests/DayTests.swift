import ContrailLog
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

@Suite struct DayTests {
  @Test func aDayIsServedOverASocket() async throws {
    let fixture = try DayFixture()
    let pireps = (0..<40).map { index in
      let time = DayFixture.eleven + Int64(index) * 60
      return DayFixture.pirep([
        "obsTime": "\(time)", "receiptTime": "\(time + 60)", "lat": "\(20 + index)", "tbInt1": #""MOD""#,
        "tbBas1": "340", "tbTop1": "360",
      ])
    }
    let day = try RecordedDay(
      pireps: [try fixture.list("p.json", pireps)], states: [],
      sigmets: [try fixture.list("g.json", [DayFixture.gAirmet()])])
    try await withServer({
      $0.day = day
      $0.dayClock = .recorded
    }) { client in
      let newest = day.pireps.map(\.arrival).max() ?? 0
      let own = try #require(await client.ask())
      #expect((1...300).contains(try own.observations.token - newest), "the server lives at the end of the day")
      #expect(own.fields["contrail-time"]?.hasSuffix("000") == true)
      let now = DayFixture.eleven + 1800
      let fields = [WireHeader.simulatedTime: String(now * 1000)]
      let then = try #require(await client.ask(fields: fields)).observations
      #expect(then.reports.isEmpty == false && then.held == Samples.sum(then.reports))
      #expect(then.pireps.allSatisfy { $0.updatedAt < now })
      let areas = try #require(await client.get("/polygons/v5?hours=1", fields))
      #expect(areas.text.contains("G-AIRMET"))
      let tag = try #require(areas.fields["etag"])
      let again = await client.get("/polygons/v5?hours=1", fields.merging(["If-None-Match": tag]) { $1 })
      #expect(again?.status == 304)
    }
  }
}

import ContrailReplay
import ContrailTestSupport
import Testing

@Suite struct RunReportTests {
  @Test func aGoodLogReplaysTheSame() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("small.jsonl")
    try Flights.widened().writeLog(to: path)
    let report = RunReport([RecordingResult(replaying: path)])
    #expect(report.exitCode == 0)
    print(report.text(as: .text, detailed: true))
  }
}

import ContrailCore
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct InspectionTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("flight.jsonl")
    try Flights.widened().writeLog(to: path)
  }

  func text(_ moment: String?) throws -> String {
    try Inspection(path: path, at: moment.map { try TimelinePosition($0) }).text.without(directory)
  }

  @Test func whatWasHeldAndUnderWayAtALine() throws {
    let text = try text("16")
    #expect(
      text == """
        flight.jsonl at seq 16, t+00:02:30, 2025-02-19T21:22:30.800Z
          session    s0, engine test, seed 7
          link       online; the server's clock is the same
          query      types turbulence, polygon 5 points (67a2685c)
          history    4h
          frequency  fast: every 1 min
        corridor
          wanted     turbulence, all severities, all altitudes, 4h, area fde396d1
          held       233 reports; digest 1b93162b
          as of      2025-02-19T21:22:00Z, 30s old
          spec       turbulence, all severities, all altitudes, 2h, area fde396d1
          in flight  request 4, full, historyWidened, sent at t+00:02:30, spec as wanted
          rule       joined: the request in flight covers the wanted data

        """)
  }

  @Test func aHeldRequestUnderWayHasItsTerms() throws {
    let path = "\(PackageFolder.recordings)/listening-quiet-ocean.jsonl"
    let text = try Inspection(path: path, at: .offset(20_000)).text
    #expect(text.contains("  in flight  request 2, delta since "))
    #expect(
      text.contains(
        "\n  hold       up to 50 s, until there is a report of moderate or worse, or another that is 60 s old\n"))
  }

  @Test func expiredDataIsNamedAsSuch() throws {
    let path = "\(PackageFolder.recordings)/offline-past-expiry.jsonl"
    let text = try Inspection(path: path, at: .offset(115 * 60_000)).text
    #expect(text.contains("\n  as of      2026-01-15T10:40:07Z, 1h14m old\n"))
    #expect(text.contains("\n  expired    at t+01:40:07, older than 1h\n"))
    #expect(try !Inspection(path: path, at: .offset(60 * 60_000)).text.contains("expired"))
  }

  @Test func theAgeIsThatOfTheMomentThatWasAskedFor() throws {
    let text = try text("t+00:02:29")
    #expect(text.hasPrefix("flight.jsonl at seq 14, t+00:02:29, 2025-02-19T21:22:29Z\n"))
    #expect(text.contains("  as of      2025-02-19T21:22:00Z, 29s old\n  spec       as wanted\n"))
  }

  @Test func theEndIfNoMomentIsGiven() throws {
    #expect(try text(nil).hasPrefix("flight.jsonl at seq 34, t+00:05:33, "))
  }

  @Test func aMomentBeforeTheFirstLine() throws {
    #expect(try text("2020-01-01T00:00:00Z") == "flight.jsonl: no line was written by then\n")
  }

  @Test func whatWasAskedForOfflineIsShown() throws {
    let text = try text("21")
    #expect(text.contains("  link       offline; the server's clock is the same\n"))
    #expect(text.contains("  requested  a delta update\n"))
    #expect(text.contains("  rule       offline: the device is offline\n"))
  }

  @Test func failuresWaitsAndBlocksAreShown() throws {
    var rig = Rig.flying { $0.types = [.turbulence, .pireps, .turbulencePolygons] }
    rig.answer(.global(.twoHours)) { $0.body = .none }
    rig.pass(seconds: 60)
    rig.answer(.corridor, status: 503, retryAfter: 90)
    rig.answer(.global(.twoHours), status: 401)
    rig.send(.responseReceived(.init(request: 999, status: 200, wireBytes: 1)))
    try rig.writeLog(to: path)
    let text = try text(nil)
    #expect(text.contains("  dropped    1 response without a request in flight\n"))
    #expect(text.contains("  failed     1 time in a row\n  waits      until t+00:02:30, requested by the server\n"))
    #expect(text.contains("  rule       backingOff: an attempt failed, and the retry delay hasn't passed\n"))
    #expect(text.contains("global.7200\n  wanted     turbulencePolygons, 2h, the world\n  held       nothing\n"))
    #expect(text.contains("  blocked    unauthorized\n"))
  }

  @Test func aClockThatDiffersFromTheServersCountsForTheAge() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer { $0.serverTimeMS = ($0.serverTimeMS ?? 0) + 2500 }
    try rig.writeLog(to: path)
    let text = try text(nil)
    #expect(text.contains("the server's clock is 2.5 s ahead\n"))
    #expect(text.contains("as of      2025-02-19T21:21:00Z, 2s old\n"))
  }
}

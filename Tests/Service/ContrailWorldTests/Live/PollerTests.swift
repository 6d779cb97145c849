import ContrailLog
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// When feeds are asked, and what becomes of their answers.
@Suite struct PollerTests {
  private let source = FeedSource(
    name: "awc.pirep", location: .url("https://example.com/pirep"), kind: .pireps, cadenceSeconds: 60,
    staleSeconds: 900, limits: "", licence: "")

  private func states(_ lines: [(ServiceLine, Int64)]) -> [String: SourceState] {
    var state = ServiceState(beginning: 0, reader: FeedReader())
    for (line, at) in lines { _ = state.fold(line, at: at) }
    return state.sources
  }

  @Test func aSourceIsAskedAtItsCadenceAndNeverTwiceAtATime() {
    var poller = Poller(sources: [source], reader: FeedReader())
    let first = poller.due([:], at: 0)
    #expect(first.requests.map(\.source.name) == ["awc.pirep"] && first.requests[0].hours == 6)
    #expect(poller.due([:], at: 100_000).requests.isEmpty)
    poller.end(first.requests[0])
    let states = states([(.unchanged(source: "awc.pirep", status: 200), 1000)])
    #expect(poller.due(states, at: 60_999).requests.isEmpty && poller.due(states, at: 60_999).next == 61_000)
    #expect(poller.due(states, at: 61_000).requests.map(\.hours) == [1])
  }

  @Test func failuresDoubleTheIntervalUpToHalfAnHour() {
    var lines: [(ServiceLine, Int64)] = []
    for (count, seconds) in [60, 120, 240, 480, 960, 1800, 1800].enumerated() {
      let due = states(lines)["awc.pirep"]?.dueAt(source)
      if count > 0 { #expect(due == Int64(seconds) * 1000 + (lines.last?.1 ?? 0)) }
      lines.append((.failed(.init(source: "awc.pirep", reason: "x")), Int64(count) * 10_000_000))
    }
    lines.append((.failed(.init(source: "awc.pirep", status: 429, reason: "x", retryAfterSeconds: 7200)), 90_000_000))
    #expect(states(lines)["awc.pirep"]?.dueAt(source) == Int64(97_200_000))
    lines.append((.unchanged(source: "awc.pirep", status: 304), 100_000_000))
    #expect(states(lines)["awc.pirep"]?.dueAt(source) == 100_060_000)
  }

  @Test func aBudgetIsSpreadOverTheDay() throws {
    let world = try #require(try FeedSource.sources("opensky").first)
    #expect(world.intervalSeconds == 864)
    #expect(try FeedSource.sources("opensky:45,5,48,11").first?.intervalSeconds == 216)
    #expect(try FeedSource.sources("opensky:45,5,48,13.5").first?.intervalSeconds == 432)
  }

  @Test func openSkySourcesShareTheCreditsOfAClient() throws {
    let boxes = try ["opensky:45,5,48,11", "opensky:45,5,48,11", "awc.pirep"].flatMap { try FeedSource.sources($0) }
    #expect(boxes.sharingBudgets(isRegistered: false).map(\.intervalSeconds) == [432, 432, 60])
    #expect(boxes.sharingBudgets(isRegistered: true).map(\.intervalSeconds) == [44, 44, 60])
    let world = try FeedSource.sources("opensky")
    #expect(world.sharingBudgets(isRegistered: true).map(\.intervalSeconds) == [87])
    let three = (world + world + world).sharingBudgets(isRegistered: false)
    #expect(three[0].intervalSeconds == 2619 && three[0].staleSeconds == 5238, "its interval doesn't make it stale")
  }

  @Test func creditsOfADayAreCounted() throws {
    let world = try #require(try FeedSource.sources("opensky").first)
    let day: Int64 = 86_400_000
    let lines: [(ServiceLine, Int64)] = [
      (.unchanged(source: "opensky", status: 200), day - 1), (.unchanged(source: "opensky", status: 200), day),
      (.failed(.init(source: "opensky", status: 500, reason: "x")), day + 1),
      (.failed(.init(source: "opensky", reason: "timeout")), day + 2),
    ]
    let state = try #require(states(lines)["opensky"])
    #expect(state.creditsUsed(of: world, at: day + 3) == 8, "a request without an answer costs nothing")
    #expect(state.creditsUsed(of: world, at: 2 * day) == 0)
    #expect(state.creditsUsed(of: source, at: day) == nil)
  }

  @Test func theCreditsThatAreLeftAreThoseThatTheSourceSays() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let world = try #require(try FeedSource.sources("opensky").first)
    _ = try await live.observations.record(.unchanged(source: "opensky", status: 200))
    #expect(await live.observations.status?.creditsLeft(of: world, at: rig.now) == 396)
    await live.observations.note(creditsLeft: 17, of: "opensky")
    #expect(await live.observations.status?.creditsLeft(of: world, at: rig.now) == 17)
    rig.advance(seconds: 86_400)
    #expect(await live.observations.status?.creditsLeft(of: world, at: rig.now) == 400, "another day")
  }

  @Test func answersBecomeLines() throws {
    let poller = Poller(sources: [source], reader: FeedReader())
    let request = Poller.Request(
      source: source, entityTag: "\"1\"", hours: 1, timeoutSeconds: 1, maximumBytes: 1)
    func line(_ status: Int, _ body: String = "", retryAfter: Int64? = nil, _ state: SourceState = SourceState())
      -> ServiceLine
    {
      poller.result(
        .answer(
          status: status, entityTag: "\"2\"", modified: nil, retryAfterSeconds: retryAfter, body: Array(body.utf8)),
        of: request, state
      ).line
    }
    let body = "[\(DayFixture.pirep())]"
    #expect(line(200, body) == .answered(.init(source: "awc.pirep", status: 200, entityTag: "\"2\"", body: body)))
    var known = SourceState()
    known.digest = Digest.hash(body.utf8)
    #expect(line(200, body, known) == .unchanged(source: "awc.pirep", status: 200))
    #expect(line(304) == .unchanged(source: "awc.pirep", status: 304))
    #expect(line(204) == .unchanged(source: "awc.pirep", status: 204))
    guard case .failed(let failure) = line(429, retryAfter: 1_000_000) else { return #expect(Bool(false)) }
    #expect(failure.status == 429 && failure.retryAfterSeconds == 86_400)
    for (status, text) in [(500, ""), (200, ""), (200, "<html>"), (200, "{\"states\":[]}"), (302, "")] {
      guard case .failed = line(status, text) else {
        #expect(Bool(false), "\(status) \(text)")
        continue
      }
    }
    #expect(
      poller.result(.failure("timeout"), of: request, SourceState()).line
        == .failed(.init(source: "awc.pirep", reason: "timeout")))
  }

  @Test func aLineThatCannotBeStoredIsTriedLater() {
    var poller = Poller(sources: [source], reader: FeedReader())
    let request = poller.due([:], at: 0).requests[0]
    poller.end(request, retryAt: 60_000)
    #expect(poller.due([:], at: 59_999).requests.isEmpty)
    #expect(poller.due([:], at: 60_000).requests.count == 1)
  }

  @Test func theConditionTellsStaleFromCurrent() throws {
    let states = states([(.unchanged(source: "awc.pirep", status: 200), 1_000_000)])
    let state = try #require(states["awc.pirep"])
    #expect(state.condition(of: source, at: 1_001_000) == .current)
    #expect(state.condition(of: source, at: 1_901_001) == .stale)
    #expect(SourceState().condition(of: source, at: 0) == .waiting)
    var old = state
    old.newestRecord = 1000 - 7201
    #expect(old.condition(of: source, at: 1_001_000) == .stale, "yesterday's file")
  }

  private func answered(_ body: String, by source: String, at seconds: Int64) -> (ServiceLine, Int64) {
    (.answered(.init(source: source, status: 200, body: body)), seconds * 1000)
  }

  @Test func aReceiverWithoutAircraftIsNotCurrent() throws {
    let receiver = try #require(try FeedSource.sources("receiver=http://127.0.0.1/aircraft.json").first)
    let seen = answered(
      #"{"now":5000,"aircraft":[{"hex":"a","lat":1,"lon":1,"seen_pos":0}]}"#, by: "receiver", at: 5000)
    let empty = answered(#"{"now":5301,"aircraft":[]}"#, by: "receiver", at: 5301)
    let state = try #require(states([seen, empty])["receiver"])
    #expect(state.condition(of: receiver, at: 5_300_000) == .current)
    #expect(state.condition(of: receiver, at: 5_301_000) == .stale, "nothing is served any more")
    let always = try #require(states([empty])["receiver"])
    #expect(always.condition(of: receiver, at: 5_301_000) == .stale)
    // A source whose kind is found out from its answers.
    var unknown = receiver
    unknown.kind = nil
    #expect(state.condition(of: unknown, at: 5_301_000) == .stale)
  }

  @Test func yesterdaysAdvisoriesAreNotCurrent() throws {
    let feed = try #require(try FeedSource.sources("awc.gairmet").first)
    // Received at 10:50.
    let list = answered("[\(DayFixture.gAirmet())]", by: "awc.gairmet", at: DayFixture.eleven)
    let again = { (seconds: Int64) in (ServiceLine.unchanged(source: "awc.gairmet", status: 304), seconds * 1000) }
    func condition(_ lines: [(ServiceLine, Int64)], at seconds: Int64) throws -> SourceState.Condition {
      try #require(states(lines)["awc.gairmet"]).condition(of: feed, at: seconds * 1000)
    }
    let received = DayFixture.eleven - 600
    #expect(try condition([list, again(received + 28_800)], at: received + 28_800) == .current)
    #expect(try condition([list, again(received + 28_801)], at: received + 28_801) == .stale)
    func others(_ members: [String: String]) -> (ServiceLine, Int64) {
      answered(
        "[\(DayFixture.gAirmet(members.merging(["hazard": #""ICE""#]) { $1 }))]", by: "awc.gairmet",
        at: received + 28_801)
    }
    #expect(try condition([list, others([:])], at: received + 28_801) == .stale, "as old, without turbulence")
    #expect(try condition([others([:])], at: received + 28_801) == .stale)
    let fresh = others(["receiptTime": "\(received + 28_000)"])
    #expect(try condition([list, fresh], at: received + 28_801) == .current, "there is no turbulence")
    let line = others(["receiptTime": "\(received)", "geometryType": #""LINE""#])
    #expect(try condition([line], at: received + 28_801) == .stale, "skipped by its form")
    let undated = others(["receiptTime": "null", "validTime": "null"])
    #expect(try condition([undated], at: received + 28_801) == .current, "its age can't be told")
    let none = answered("[]", by: "awc.gairmet", at: received + 28_801)
    #expect(try condition([list, none], at: received + 28_801) == .stale, "it looks like an outage")
  }

  @Test(arguments: [
    ("awc", 4), ("awc-cache", 3), ("awc.pirep", 1), ("awc.gairmet=http://127.0.0.1:1/x?format=json", 1),
    ("receiver=http://127.0.0.1/data/aircraft.json", 1), ("https://example.com/states.json", 1), ("day/pireps.json", 1),
  ]) func anOptionNamesSources(text: String, count: Int) throws {
    #expect(try FeedSource.sources(text).count == count)
  }

  @Test(arguments: [
    "", "awx", "awc.taf=https://x", "receiver=ftp://x", "https://", "https:///x", "https://user:key@example.com/",
    "opensky:1,2,3", "opensky:48,5,45,11", "http://example.com/#x",
  ]) func anOptionThatIsNoneIsRefused(text: String) {
    #expect(throws: InputError.self) { try FeedSource.sources(text) }
  }

  @Test(arguments: ["https://user:key@example.com/", "receiver=ftp://x", "awc.taf=https://x", "awc.pirep=https:///x"])
  func anErrorOfASourceNamesTheOption(text: String) {
    do throws(InputError) {
      _ = try FeedSource.sources(text)
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains("'\(text)'"))
    }
  }

  @Test func twoSourcesAtOneLocationAreRefused() throws {
    func refusal(_ options: [String]) throws -> String? {
      let sources = try options.flatMap { try FeedSource.sources($0) }
      do throws(InputError) {
        try FeedSource.checkLocations(of: sources)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(try refusal(["awc", "awc-cache", "opensky", "opensky:45,5,48,11"]) == nil)
    #expect(try refusal(["awc", "awc.pirep"])?.contains("'awc.pirep' is named twice") == true)
    #expect(
      try refusal(["receiver=http://a/x", "http://a/x"])?.contains("'receiver' and 'url' have the same location")
        == true)
  }

  @Test func linesAreReadAsTheyWereWritten() throws {
    let ring = Samples.rectangle(west: 170, south: -10, east: -170, north: 80)
    let lines: [ServiceLine] = [
      .started(version: "1", sources: ["a", "b"]),
      .answered(.init(source: "a", status: 200, entityTag: "\"x\"", modified: "Sat", body: "{\"a\":\"\u{1}\n\\\"é\"}")),
      .unchanged(source: "a", status: 304),
      .failed(.init(source: "a", status: 429, reason: "no", retryAfterSeconds: 3)),
      .failed(.init(source: "a", reason: "no")), .area(ring),
      .uploaded(
        .init(
          owner: "o", key: "k", bodyDigest: .max,
          reports: [TurbulenceReport(cell: 1, altitude: 3, severity: 2, edrE4: 1, observedAt: 7)])),
    ]
    let log = try LiveLines(lines)
    #expect(try log.read() == lines)
  }
}

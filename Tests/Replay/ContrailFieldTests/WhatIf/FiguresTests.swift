import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// What a flight costs and how old its data is, by its log.
@Suite struct FiguresTests {
  private static let minute: Int64 = 60_000

  /// The figures of the lines of a rig.
  private static func figures(_ rig: Rig, in world: RecordedWorld = RecordedWorld()) -> FlightFigures {
    var (state, figures) = (State(), FlightFigures())
    for record in rig.records {
      figures.beforeLine(state, at: record.at)
      state.evolve(record)
      figures.afterLine(record.event, state, in: world)
    }
    figures.finish(state, at: rig.now)
    return figures
  }

  private static func account(_ figures: FlightFigures, _ scope: String, _ rule: String) -> [Int64] {
    figures.accounts[.init(scope: scope, rule: rule)].map { [Int64($0.requests), $0.up, $0.down] } ?? []
  }

  private static func size(_ up: Int64?, _ down: Int64) -> (inout Input.Response) -> Void {
    {
      $0.sent = up.map { SentBytes(total: $0, head: 0) }
      $0.wireBytes = down
    }
  }

  /// Online, with an area whose request is under way.
  private static func waiting(_ change: (inout ResolvedQuery) -> Void = { $0.polygon = Rig.area }) -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query(change)
    return rig
  }

  // MARK: Cost

  @Test func bytesAreThoseOfTheScopeAndTheRule() {
    var rig = Self.waiting()
    rig.now += 800
    rig.answer(change: Self.size(300, 2000))
    for bytes in [Int64(60), 70] {
      rig.pass(seconds: 60)
      rig.now += 500
      rig.answer(change: Self.size(40, bytes))
    }
    rig.pass(seconds: 60)
    rig.now += 100
    rig.send(.responseFailed(request: rig.state.nextRequest - 1, failure: .network, sent: .init(total: 33, head: 0)))
    let figures = Self.figures(rig)
    #expect(Self.account(figures, "corridor", "first") == [1, 300, 2000])
    #expect(Self.account(figures, "corridor", "due") == [3, 113, 130])
    #expect(figures.accounts.count == 2 && figures.requests == 4 && figures.upBytes == 413 && figures.downBytes == 2130)
    // From the request to its result.
    let start = Rig.start
    #expect(
      figures.activity == [
        .init(fromMS: start, toMS: start + 800, bytes: 2300),
        .init(fromMS: start + 60_800, toMS: start + 61_300, bytes: 100),
        .init(fromMS: start + 121_300, toMS: start + 121_800, bytes: 110),
        .init(fromMS: start + 181_800, toMS: start + 181_900, bytes: 33),
      ])
    #expect(figures.uncountedRequests == 0)
  }

  @Test func aFailureWithoutAConnectionHasNoBytes() {
    var rig = Self.waiting()
    rig.now += 100
    rig.fail()
    // A second result of the same request says nothing.
    rig.send(.responseFailed(request: rig.state.nextRequest - 1, failure: .network, sent: .init(total: 9, head: 0)))
    let figures = Self.figures(rig)
    #expect(Self.account(figures, "corridor", "first") == [1, 0, 0])
    #expect(figures.activity.map(\.bytes) == [0] && figures.activity[0].fromMS == Rig.start)
  }

  @Test func anAnswerFromBeforeALaunchIsLate() {
    var rig = Self.waiting()
    let request = rig.state.nextRequest - 1
    rig.now += 100
    rig.launch()
    rig.now += 100
    rig.send(
      .responseReceived(.init(request: request, status: 503, wireBytes: 80, sent: SentBytes(total: 20, head: 0))))
    let figures = Self.figures(rig)
    #expect(Self.account(figures, "late", "") == [0, 20, 80])
    #expect(figures.activity.first { $0.bytes == 100 }.map { $0.toMS - $0.fromMS } == 0)
  }

  @Test func whatTheApplicationLoadsItselfIsCounted() {
    var rig = Self.waiting()
    let lookup = WeatherLookup(place: Rig.place, version: "v2.5", spec: WeatherSpec())
    rig.send(.weatherReceived(.init(lookup: lookup, status: 200, wireBytes: 900, body: .none)))
    rig.send(.weatherReceived(.init(lookup: lookup, status: 200, wireBytes: 800, body: .none)))
    let edition = AirportEdition(cycle: "2501", effectiveMS: Rig.start)
    rig.send(
      .airportsDownloaded(.init(edition: edition, blob: .init(sha256: "a", byteCount: 5), wireBytes: 70_000)))
    let figures = Self.figures(rig)
    #expect(Self.account(figures, "weather", "") == [2, 0, 1700])
    #expect(Self.account(figures, "airports", "") == [1, 0, 70_000])
    #expect(figures.activity.map(\.bytes) == [900, 800, 70_000])
  }

  @Test func uploadsAreAccountedToTheirQueue() {
    var rig = Rig.flying()
    rig.send(.reportTracked(TurbulenceReport(cell: 0, altitude: 30, severity: 3, edrE4: 10, observedAt: 1_740_000_000)))
    while rig.state.outbox.upload?.request == nil { rig.pass(seconds: 10) }
    rig.now += 200
    let request = rig.state.outbox.upload?.request ?? 0
    rig.send(
      .responseReceived(.init(request: request, status: 200, wireBytes: 90, sent: SentBytes(total: 150, head: 0))))
    #expect(Self.account(Self.figures(rig), "outbox", "upload") == [1, 150, 90])
  }

  /// A log of before doesn't count what was sent.
  @Test func uncountedRequestsAreEstimated() throws {
    var rig = Self.waiting()
    rig.now += 800
    rig.answer(change: Self.size(nil, 2000))
    rig.pass(seconds: 60)
    rig.answer(change: Self.size(640, 60))
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let flight = try RecordedFlight(path: "/a.jsonl", storage: disk)
    #expect(flight.figures.uncountedRequests == 1)
    let size = try #require(flight.exchanges[0].size)
    let bytes = flight.wire.upBytes(size, isWeather: false).bytes
    #expect(bytes > 100)
    #expect(Self.account(flight.figures, "corridor", "first") == [1, bytes, 2000])
    #expect(Self.account(flight.figures, "corridor", "due") == [1, 640, 60])
    #expect(flight.figures.activity.map(\.bytes) == [2000 + bytes, 700])
  }

  /// Another server has the weather, with another host and another key.
  @Test func uncountedRequestsForWeatherAreEstimatedByThoseForWeather() throws {
    let scope = ScopeID.weather(Rig.place)
    var rig = Self.waiting {
      $0.polygon = Rig.area
      $0.weather.places = [Rig.place]
    }
    rig.answer(change: Self.size(640, 60))
    rig.answer(scope, change: Self.size(nil, 900))
    rig.now += 60_000
    rig.send(.refreshRequested(full: true))
    rig.answer(change: Self.size(640, 60))
    rig.answer(scope, change: Self.size(5000, 900))
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let flight = try RecordedFlight(path: "/a.jsonl", storage: disk)
    let uncounted = try #require(flight.exchanges.first { $0.scope == scope })
    let size = try #require(uncounted.size)
    let bytes = flight.wire.upBytes(size, isWeather: true).bytes
    #expect(bytes > flight.wire.upBytes(size, isWeather: false).bytes + 1000)
    #expect(Self.account(flight.figures, scope.name, "first") == [1, bytes, 900])
  }

  // MARK: Ages

  /// The age is that of the watermark, by the server's clock.
  @Test func dataAgesFromItsWatermarkToTheNextOne() {
    var rig = Self.waiting()
    rig.now += 1000
    // Until here, nothing was shown.
    rig.answer()
    rig.pass(seconds: 60)
    rig.now += 2000
    rig.answer()
    rig.now += 30_000
    rig.send(.clockAdjusted(byMS: 0))
    let figures = Self.figures(rig)
    #expect(figures.withoutMS == 1000)
    // From 0 s to 62 s, and from 0 s to 30 s.
    #expect(figures.ages.totalMS == 92_000 && figures.ages.worstMS == 62_000)
    #expect(figures.ages.quantileMS(0.5) == 23_000)
  }

  @Test func noTimePassesWhileAClockIsBehind() {
    let rig = Self.waiting()
    var (state, figures) = (State(), FlightFigures())
    for record in rig.records { state.evolve(record) }
    for time in [Int64(100), 40, 80, 120] { figures.beforeLine(state, at: time) }
    #expect(figures.withoutMS == 20)
  }

  @Test(arguments: [Int64(500_000), -500_000]) func aClockThatDiffersMakesNothingOlder(ahead: Int64) {
    var rig = Self.waiting()
    rig.now += 1000
    let second = (rig.now + ahead) / 1000
    rig.answer {
      $0.serverTimeMS = second * 1000
      $0.body = .answer(ObservationsAnswer(token: second))
    }
    rig.pass(seconds: 20)
    #expect((20_000...21_000).contains(Self.figures(rig).ages.worstMS))
  }

  /// Without a time of the server, its clock is taken to be the device's.
  @Test func withoutATimeOfTheServerAnAgeIsThatOfTheDevice() {
    var rig = Self.waiting()
    rig.now += 1000
    rig.answer { $0.serverTimeMS = nil }
    rig.now += 20_000
    #expect(Self.figures(rig).ages.worstMS == 20_000)
  }

  /// Data that is older than the history isn't shown.
  @Test func expiredDataIsNoData() {
    var rig = Rig()
    rig.launch()
    rig.send(.historyChanged(.halfHour))
    rig.query { $0.polygon = Rig.area }
    rig.answer()
    rig.send(.connectivityChanged(isOnline: false))
    rig.now += 40 * Self.minute
    rig.send(.clockAdjusted(byMS: 0))
    rig.now += 5 * Self.minute
    rig.send(.clockAdjusted(byMS: 0))
    let figures = Self.figures(rig)
    #expect(figures.ages.worstMS == 30 * Self.minute && figures.ages.totalMS == 30 * Self.minute)
    #expect(figures.withoutMS == 15 * Self.minute)
  }

  /// The corridor is what counts; without one, the map.
  @Test func agesAreThoseOfTheCorridorOrElseOfTheMap() {
    func without(_ change: @escaping (inout ResolvedQuery) -> Void) -> [Int64] {
      var rig = Self.waiting(change)
      rig.pass(seconds: 10)
      rig.now += 5000
      rig.answer(.viewport)
      rig.now += 4000
      rig.send(.clockAdjusted(byMS: 0))
      let figures = Self.figures(rig)
      return [figures.withoutMS, figures.ages.totalMS]
    }
    #expect(without { $0.polygon = Rig.area } == [19_000, 0])
    #expect(without { $0.viewport = Rig.otherArea } == [15_000, 4000])
    #expect(without { ($0.polygon, $0.viewport) = (Rig.area, Rig.otherArea) } == [19_000, 0])
    #expect(without { _ in } == [0, 0])
    // A corridor that was given up leaves the map.
    var rig = Self.waiting { ($0.polygon, $0.viewport) = (Rig.area, Rig.otherArea) }
    rig.answer()
    rig.query { $0.polygon = nil }
    rig.pass(seconds: 7)
    #expect(Self.figures(rig).withoutMS == 7000)
  }

  // MARK: Reports

  @Test func aReportIsShownFromItsFirstAnswerOn() throws {
    let reports = (0..<4).map { index in
      TurbulenceReport(
        cell: UInt32(index), altitude: 30, severity: 2, edrE4: 10, observedAt: 1_739_999_990 - UInt32(index) * 3000)
    }
    var world = RecordedWorld()
    var rig = Self.waiting()
    let spec = try #require(rig.state.scope(.corridor)?.want)
    _ = world.learn(.init(token: 1_740_000_001, reports: reports), spec: spec, since: nil)
    rig.now += 1000
    rig.answer { $0.reports = [reports[1]] }
    rig.pass(seconds: 60)
    let second = rig.now
    rig.answer { $0.reports = [reports[0], reports[1], reports[3]] }
    rig.pass(seconds: 60)
    // Refused: it follows another watermark.
    rig.answer {
      $0.reports = [reports[2]]
      $0.follows = 5
    }
    let shown = Self.figures(rig, in: world).firstShown
    // The last is older than the history of two hours.
    #expect((0..<5).map { shown[$0] } == [second, Rig.start + 1000, nil, nil, nil])
    #expect(shown.count == 2 && shown[-1] == nil)
  }

  @Test func theFirstTimeOfAReportCounts() {
    var shown = ShownReports()
    #expect(shown.count == 0 && shown[0] == nil)
    shown.note(3, at: 5000)
    shown.note(1, at: 6000)
    shown.note(3, at: 7000)
    shown.note(0, at: 4000)
    #expect((0..<5).map { shown[$0] } == [5000, 6000, nil, 5000, nil] && shown.count == 4)
  }

  /// A report is late if it is shown more than a minute later than it was, by severity.
  @Test func reportsAreComparedWithTheRecordedFlight() throws {
    let disk = MemoryDisk()
    let reports = (0..<5).map { severity in
      TurbulenceReport(
        cell: UInt32(severity), altitude: 30, severity: UInt8(severity), edrE4: 10, observedAt: 1_739_999_990)
    }
    var rig = Self.waiting()
    rig.now += 1000
    rig.answer { $0.reports = reports }
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let flight = try RecordedFlight(path: "/a.jsonl", storage: disk)
    let first = try #require(flight.figures.firstShown[0])
    // Those shown 60 s later aren't late; the last is in no answer.
    var other = Self.waiting()
    other.now = first
    other.answer { $0.reports = [reports[0]] }
    other.now = first + 60_000
    other.pass(seconds: 0)
    other.answer { $0.reports = [reports[1]] }
    other.now += 1
    other.send(.refreshRequested(full: false))
    other.answer { $0.reports = [reports[2], reports[3]] }
    try other.writeLog(to: "/b.jsonl", storage: disk)
    let flown = try RecordedFlight(path: "/b.jsonl", storage: disk)
    let tariff = Tariff(name: "none")
    let values = FigureValues(flown.figures, in: flown.world, comparedWith: flight, tariff)
    #expect(values.late == [0, 0, 1, 1, 0] && values.never == [0, 0, 0, 0, 1])
    #expect(values[.late] == 2 && values[.never] == 1 && values[.requests] == 3)
    let same = FigureValues(flight.figures, comparedWith: flight, tariff)
    #expect(same[.late] == 0 && same[.never] == 0 && same[.without] == 1000)
  }
}

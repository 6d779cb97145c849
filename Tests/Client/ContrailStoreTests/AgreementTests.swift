import ContrailCore
import ContrailGeodesy
import ContrailStore
import ContrailTestSupport
import ContrailWire
import Testing

/// Memory and SQLite say the same, whatever happens on a flight.
@Suite struct AgreementTests {
  @Test(arguments: 1...12) func rowsAreTheStateAfterEveryLine(seed: UInt64) throws {
    let scratch = try Scratch()
    var store = try scratch.store()
    var inFlight = RandomFlight(seed: seed)
    // Of its own, so that the flight doesn't depend on what is written.
    var reopening = SplitMix64(seed: seed)
    var applied = 0
    for step in 0..<70 {
      let previous = inFlight.rig.state
      let name = inFlight.step()
      let change = StoreChange(from: previous, to: inFlight.rig.state)
      if !change.isEmpty { applied += 1 }
      try store.follow(from: previous, to: inFlight.rig.state)
      if change.isEmpty && step % 10 != 0 { continue }
      if reopening.chance(10) {
        try store.close()
        store = try scratch.store()
        #expect(store.recovery == nil)
      }
      try store.expectAgreement(with: inFlight.rig.state, "seed \(seed), step \(step): \(name)")
    }
    #expect(try store.verify() == [])
    #expect(applied >= 5, "seed \(seed) hardly changed anything")
  }

  @Test func theWeatherOfAPlaceIsKeptAndChangesWithItsAnswer() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying { $0.weather.places = [Rig.place] }
    rig.answer(.weather(Rig.place))
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    func held(_ place: RoundedCoordinate) throws -> [UInt8]? {
      try scratch.reader.read { (store) throws(StoreError) in try store.weather(at: place) }.map(Array.init)
    }
    #expect(try store.summaries().compactMap(\.id.weatherPlace) == [Rig.place] && held(Rig.otherPlace) == nil)
    let first = try #require(try held(Rig.place))
    #expect(first == rig.state.scope(.weather(Rig.place))?.weather)

    let previous = rig.state
    rig.pass(seconds: 600)
    rig.answer(.weather(Rig.place)) {
      $0.status = 200
      $0.body = .inline(Array(#"{"status":"ok","result":{"other":1}}"#.utf8))
    }
    try store.follow(from: previous, to: rig.state)
    #expect(try held(Rig.place) == rig.state.scope(.weather(Rig.place))?.weather && held(Rig.place) != first)
    try store.expectAgreement(with: rig.state)
    #expect(try store.verify() == [])
  }

  @Test func aDeltaCostsWhatItChanges() {
    var inFlight = SteadyFlight(seed: 1, reportsPerMinute: 100)
    for _ in 0..<40 { inFlight.step() }
    let previous = inFlight.state
    inFlight.step()
    let change = StoreChange(from: previous, to: inFlight.state)
    #expect(inFlight.state.scope(.corridor)?.recordCount ?? 0 > 2500)
    #expect(change.recordCount <= 220)
    #expect(change.recordCount >= 190)
  }

  @Test func nothingIsWrittenWhileNothingChanges() {
    var rig = Rig.flying()
    let previous = rig.state
    rig.pass(seconds: 60)
    rig.fail()
    #expect(StoreChange(from: previous, to: rig.state).isEmpty)
  }

  @Test func theViewportIsNeverWritten() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying { $0.viewport = Rig.otherArea }
    let previous = rig.state
    rig.answer(.viewport)
    #expect(rig.state.scope(.viewport)?.recordCount ?? 0 > 0)
    #expect(StoreChange(from: previous, to: rig.state).isEmpty)
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    #expect(try store.summaries().map(\.id) == [.corridor])
  }

  @Test func aRelaunchFindsWhatWasHeld() throws {
    let scratch = try Scratch()
    var rig = Rig.flying { $0.types = [.turbulence, .turbulencePolygons] }
    rig.answer(.global(.twoHours))
    let store = try scratch.store()
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    try store.close()

    let again = try scratch.store()
    #expect(again.recovery == nil)
    #expect(try again.position() == LogPosition(endOf: rig.state))
    try again.expectAgreement(with: rig.state)
    #expect(try again.contents(of: .global(.twoHours))?.polygons == rig.state.scope(.global(.twoHours))?.polygons)
    #expect(
      try again.contents(of: .global(.twoHours))?.summary.asOf == rig.state.scope(.global(.twoHours))?.have?.watermark)
    #expect(try again.contents(of: .global(.hour)) == nil)
    // What the engine restores at a launch goes on from there.
    let previous = rig.state
    rig.launch()
    rig.pass(seconds: 60)
    rig.answer()
    try again.follow(from: previous, to: rig.state)
    try again.expectAgreement(with: rig.state)
  }

  @Test func textsAreKeptToTheByte() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying { $0.types = [.pireps, .traffic] }
    try store.follow(from: State(), to: rig.state)
    let second = rig.now / 1000
    let place = FixedCoordinate(latitudeE7: -1, longitudeE7: 3_599_999_999)
    for text in ["", "a\u{0}b", "caf\u{E9}", "cafe\u{301}", "\u{FFFF}\u{1F6E9}", "'; DROP TABLE pireps; --"] {
      rig.now += 60_000
      let previous = rig.state
      rig.send(.refreshRequested(full: true))
      rig.answer {
        $0.hold([
          PIREP(
            id: text, position: place, flightLevel: -2, severity: .some(.none), isUrgent: true, observedAt: second,
            updatedAt: second, text: text)
        ])
        $0.traffic = [
          TrafficPosition(
            id: text, callsign: text, position: place, altitudeFeet: nil, groundSpeedKnots: 0, trackDegrees: 360,
            observedAt: second),
          TrafficPosition(
            id: text, callsign: "twice", position: place, altitudeFeet: -100, groundSpeedKnots: nil, trackDegrees: nil,
            observedAt: second),
        ]
      }
      try store.follow(from: previous, to: rig.state)
      try store.expectAgreement(with: rig.state)
      let held = try store.contents(of: .corridor)
      #expect(held?.pireps.count == 1)
      #expect(held?.pireps.sorted.first.map { Array($0.text.utf8) } == Array(text.utf8))
      #expect(held?.traffic.first.map { Array($0.callsign.utf8) } == Array(text.utf8))
    }
    #expect(try store.verify() == [])
  }
}

/// A flight on which anything may happen next.
struct RandomFlight {
  var rig = Rig()
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let start = Rig.start / 1000
    rig.server = ModelServer(seed: seed, from: start - 8000, to: start + 12_000, perMinute: 1)
    rig.server.pireps = (0..<120).map { index in
      let second = start - 8000 + Int64(index) * 150
      return PIREP(
        id: "p\(index % 80)", position: Self.place(&random), flightLevel: index % 400,
        severity: index % 3 == 0 ? .light : nil, isUrgent: index % 7 == 0, observedAt: second, updatedAt: second + 30,
        text: "UA /OV \(index)")
    }
    rig.launch()
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .pireps, .traffic, .turbulencePolygons]
    }
  }

  static func place(_ random: inout SplitMix64) -> FixedCoordinate {
    FixedCoordinate(
      latitudeE7: Int64.random(in: -900_000_000...900_000_000, using: &random),
      longitudeE7: Int64.random(in: -1_800_000_000...1_800_000_000, using: &random))
  }

  /// Does one thing and names it.
  mutating func step() -> String {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40:
      rig.pass(seconds: Int64([1, 60, 60, 300].randomElement(using: &random) ?? 60))
      return answer()
    case 40..<70: return answer()
    case 70..<73:
      rig.launch()
      return "launch"
    case 73..<77:
      rig.query { $0.altitudes = Bool.random(using: &random) ? nil : .init(lower: 10_000, upper: 40_000) }
      return "altitudes"
    case 77..<81:
      rig.query { $0.severities = Bool.random(using: &random) ? .all : .atLeast(.moderate) }
      return "severities"
    case 81..<85:
      let types: [DataTypeOptions] = [
        .turbulence, .pireps, [.turbulence, .traffic, .turbulencePolygons], [.turbulence, .pireps, .traffic], [],
      ]
      rig.query { $0.types = types.randomElement(using: &random) ?? [] }
      return "types"
    case 85..<88:
      rig.query { $0.polygon = [Rig.area, Rig.otherArea, nil].randomElement(using: &random) ?? nil }
      return "polygon"
    case 88..<91:
      rig.send(.historyChanged(DataHistoryTime.allCases.randomElement(using: &random) ?? .hour))
      return "history"
    case 91..<93:
      rig.query { $0.isUpToEnabled.toggle() }
      return "up to"
    case 93..<95:
      rig.now += 3 * 3600 * 1000
      rig.send(.connectivityChanged(isOnline: true))
      return "three hours"
    default:
      rig.send(.refreshRequested(full: Bool.random(using: &random)))
      return "refresh"
    }
  }

  /// Answers one of the requests under way, well or badly.
  private mutating func answer() -> String {
    guard let scope = rig.state.scopes.filter({ $0.inFlight != nil }).randomElement(using: &random) else {
      return "none"
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: rig.fail(scope.id)
    case 1: rig.answer(scope.id, status: 410)
    case 2: rig.answer(scope.id, status: 503)
    case 3 where scope.id.hasDeltas:
      // Counts that fit nothing: what is held is broken, and yet there.
      rig.answer(scope.id) {
        $0.held = HeldSum(count: 1, checksum: 2)
        $0.reports = [ModelServer.report(at: $0.token - 1, using: &random)]
      }
    case 4..<9 where scope.id.hasDeltas:
      let count = Int.random(in: 0...6, using: &random)
      rig.answer(scope.id) { answer in
        answer.traffic = (0..<count).map {
          TrafficPosition(
            id: "t\($0)", callsign: "", position: Self.place(&random), altitudeFeet: $0 * 1000, groundSpeedKnots: nil,
            trackDegrees: nil, observedAt: answer.token)
        }
      }
    default:
      if Bool.random(using: &random) { rig.server.polygonsETag = "\"\(random.next())\"" }
      rig.answer(scope.id)
    }
    return "answer \(scope.id.name)"
  }
}

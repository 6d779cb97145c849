import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailField

/// Faults and news of a redacted log are those of the original, elsewhere.
@Suite struct RedactFaultsTests {
  private static let secret = RedactionSecret(bytes: Array("a secret of these tests".utf8))

  static func redacted(_ rig: Rig) throws -> (then: LogDraft, now: LogDraft) {
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let then = try LogDraft(path: "/a.jsonl", storage: disk)
    let now = try Redaction(then, secret: secret).draft
    #expect(Logs.summary(of: then).result == "same" && Logs.summary(of: now).result == "same")
    return (then, now)
  }

  // MARK: Areas

  private static func points(_ places: [(Double, Double)?]) -> ResolvedQuery.Points {
    places.map { place in
      place.map {
        FixedCoordinate(
          latitudeE7: Int64($0.0 * Double(FixedCoordinate.degree)),
          longitudeE7: Int64($0.1 * Double(FixedCoordinate.degree)))
      }
    }
  }

  private static let outline: [(Double, Double)?] = [
    (40, -40), (39, -37), (40, -34), (42, -32), (45, -32), (47, -34), (48, -37), (47, -40), (45, -42), (42, -42),
    (40, -40),
  ]

  private static func changed(_ index: Int, to place: (Double, Double)?) -> ResolvedQuery.Points {
    var places = outline
    places[index] = place
    return points(places)
  }

  /// A circle of so many points, which are too many.
  private static func circle(_ count: Int) -> ResolvedQuery.Points {
    points(
      (0..<count).map { index in
        let angle = 2 * Double.pi * Double(index % (count - 1)) / Double(count - 1)
        return (40 + 8 * sin(angle), -40 + 8 * cos(angle))
      })
  }

  /// Areas, each with one fault.
  private static let faults: [ResolvedQuery.Points] =
    [
      points(Array(outline.prefix(1))), points(Array(outline.prefix(2))),
      points(Array(outline.prefix(3)) + [outline[0]]), points(Array(outline.dropLast())), points([]),
      // It winds around the earth twice.
      points([(40, -150), (40, -30), (40, 90), (45, -150), (45, -30), (45, 90), (40, -150)]),
      // Edges touch, where it comes back to a corner.
      changed(9, to: outline[1]), changed(5, to: outline[3]),
      // It folds back, at its first point and at others.
      changed(9, to: (38, -34)), changed(2, to: (39.5, -38.5)), changed(5, to: (43.5, -32)),
      points(Array(repeating: outline[0], count: 5)),
      circle(251), circle(300),
    ]
    + [1, 4, 8].flatMap { index in
      [
        changed(index, to: nil), changed(index, to: (95, -37)), changed(index, to: (45, 400)),
        changed(index, to: (45, 145)), changed(index, to: (45, 160)), changed(index, to: (43, -32 + Double(index))),
        changed(index, to: outline[index - 1]),
        changed(index, to: outline[(index + 3) % 10]),
      ]
    }

  @Test(arguments: faults.indices) func anAreaIsRejectedForTheSameReasonAtTheSamePlace(index: Int) throws {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Self.faults[index] }
    rig.answer()
    let (then, now) = try Self.redacted(rig)
    func rejections(_ draft: LogDraft) -> [String] {
      draft.turns.flatMap(\.events).compactMap { event in
        guard case .decision(.queryRejected(let it)) = event else { return nil }
        return "\(it.scope.name) \(it.reason) \(it.place)"
      }
    }
    #expect(rejections(then) == rejections(now))
    func area(_ draft: LogDraft) -> ResolvedQuery.Points? {
      for case .queryChanged(let query)? in draft.turns.map(\.input) { return query.polygon }
      return nil
    }
    #expect(area(now)?.isEmpty == true || area(then) != area(now))
    if Self.faults[index].count > 250 { #expect(area(now)?.count == Self.faults[index].count) }
  }

  // MARK: What is drawn

  @Test func drawnAreasAreConvexAndOfManySizesAndPlaces() throws {
    var (sizes, latitudes, longitudes) = ([Double](), [Double](), [Double]())
    for seed in UInt8(0)..<200 {
      var standIns = StandIns(RedactionSecret(bytes: [seed]), attempt: 0)
      let points = standIns.ring(for: Self.points(Self.outline)).compactMap { $0 }
      #expect(points.count == 6 && points.first == points.last && standIns.areaCount == 1)
      #expect(throws: Never.self) { try Ring(simple: points) }
      let corners = points.dropLast().map(\.coordinate)
      let turns = corners.indices.map { index in
        let (a, b, c) = (corners[index], corners[(index + 1) % 5], corners[(index + 2) % 5])
        return (b.longitude - a.longitude) * (c.latitude - b.latitude)
          - (b.latitude - a.latitude) * (c.longitude - b.longitude)
      }
      #expect(turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 })
      let (north, south) = (corners.map(\.latitude).max() ?? 0, corners.map(\.latitude).min() ?? 0)
      let (east, west) = (corners.map(\.longitude).max() ?? 0, corners.map(\.longitude).min() ?? 0)
      sizes.append(max(north - south, east - west))
      latitudes.append((north + south) / 2)
      longitudes.append((east + west) / 2)
    }
    #expect(sizes.allSatisfy { (1...16).contains($0) } && sizes.min() ?? 9 < 4 && sizes.max() ?? 9 > 12)
    #expect(latitudes.allSatisfy { abs($0) < 58 } && latitudes.min() ?? 0 < -40 && latitudes.max() ?? 0 > 40)
    #expect(longitudes.allSatisfy { abs($0) < 158 } && longitudes.min() ?? 0 < -120 && longitudes.max() ?? 0 > 120)
  }

  @Test func drawnPlacesAreAllOverTheWorld() {
    var standIns = StandIns(Self.secret, attempt: 0)
    let places = (Int32(0)..<400).map { standIns.place(for: .init(longitudeE4: $0, latitudeE4: 0)) }
    #expect(Set(places).count == 400 && standIns.place(for: .init(longitudeE4: 7, latitudeE4: 0)) == places[7])
    // A quarter of the sphere is north of 30 degrees.
    let (latitudes, longitudes) = (places.map(\.latitudeE4), places.map(\.longitudeE4))
    for (numbers, limit) in [(latitudes, Int32(300_000)), (longitudes, 900_000)] {
      let (above, below) = (numbers.count { $0 > limit }, numbers.count { $0 < -limit })
      #expect((70...130).contains(above) && (70...130).contains(below))
    }
  }

  @Test func drawnPIREPsAreOfTheLastHalfHour() {
    var standIns = StandIns(Self.secret, attempt: 0)
    let drawn = (0..<300).flatMap { _ in standIns.pireps(nil, at: 100_000) }
    #expect(drawn.map(\.id) == (1...300).map { "r\($0)" })
    #expect(drawn.allSatisfy { (98_200...99_940).contains($0.observedAt) && $0.updatedAt == $0.observedAt })
    #expect(Set(drawn.map(\.position)).count == 300)
    let levels = Set(drawn.compactMap(\.flightLevel))
    #expect(levels == Set(stride(from: 100, through: 450, by: 10)))
    #expect(Set(drawn.map(\.isUrgent)) == [true, false] && drawn.allSatisfy { $0.text.isEmpty })
  }

  @Test func drawnReportsAreThoseThatWereAskedForAllOverTheWorld() throws {
    var standIns = StandIns(Self.secret, attempt: 0)
    let any = (0..<300).map { _ in standIns.report(nil, at: 100_000) }
    #expect(Set(any.map(\.cell)).count > 290 && any.allSatisfy { H3Cell(packed22: $0.cell)?.resolution == 5 })
    #expect(Set(any.map(\.severityCode)) == [0, 1, 2, 3, 4] && Set(any.map(\.altitude)).count > 40)
    var filter = Filter(types: .turbulence)
    (filter.severities, filter.altitudes) = (SeveritySet([.moderate]), try #require(AltitudeBand(lower: 10, upper: 12)))
    let spec = FetchSpec(area: .world, filter: filter)
    let some = (0..<100).map { _ in standIns.report(spec, at: 100_000) }
    #expect(Set(some.map(\.severityCode)) == [TurbulenceSeverity.moderate.rawValue])
    #expect(Set(some.map(\.altitude)) == [10, 11, 12])
    #expect(standIns.reports(FetchSpec(area: .world, filter: Filter(types: .pireps)), at: 1).isEmpty)
    #expect(standIns.pireps(spec, at: 1).isEmpty)
    let counts = Set((0..<50).map { _ in standIns.reports(spec, at: 100_000).count })
    #expect(counts == [1, 2, 3])
  }

  // MARK: What names somebody

  @Test func theVersionOfAnEngineHasNoWords() throws {
    for (engine, version) in [
      ("12.3 of Jane's tablet", "12.3"), (String(repeating: "4", count: 40), String(repeating: "4", count: 32)),
    ] {
      var rig = Rig()
      rig.launch(engine: engine)
      rig.query { $0.polygon = Rig.area }
      let now = try Self.redacted(rig).now
      guard case .sessionStarted(let session)? = now.turns.first?.input else { continue }
      #expect(session.engine == version && session.id == "s1")
    }
  }

  /// Equal ones stay equal, and the engine accepts them.
  @Test func languagesAndUnitsAreOtherOnes() throws {
    var rig = Rig.flying { $0.weather.places = [Rig.place] }
    let (languages, units) = (WeatherSpec.languages, WeatherSpec.units)
    for index in [1, 2, 1, 0, 2] {
      rig.query { ($0.weather.spec.language, $0.weather.spec.unit) = (languages[index], units[index % units.count]) }
    }
    rig.query { $0.weather.spec.language = "fr" }
    func specs(_ draft: LogDraft) -> [WeatherSpec] {
      draft.turns.compactMap { if case .queryChanged(let query)? = $0.input { query.weather.spec } else { nil } }
    }
    let (then, now) = try Self.redacted(rig)
    let (before, after) = (specs(then), specs(now))
    for (values, known) in [(after.dropLast().map(\.language), languages), (after.map(\.unit), units)] {
      #expect(values.allSatisfy { known.contains($0) })
    }
    for (a, b) in zip(before, after) {
      for (c, d) in zip(before, after) {
        #expect((a.language == c.language) == (b.language == d.language) && (a.unit == c.unit) == (b.unit == d.unit))
      }
    }
    #expect(after.last?.language == "l1" && after[0].language == languages[0] && after[1].language == languages[1])
  }

  @Test func eachDocumentCounts() throws {
    var rig = Rig.flying {
      $0.weather.places = [Rig.place]
      $0.types.insert(.turbulencePolygons)
    }
    for scope in rig.state.scopes where scope.inFlight != nil { rig.answer(scope.id) }
    let lookup = WeatherLookup(place: Rig.place, version: "v2.5", spec: WeatherSpec())
    rig.send(.weatherReceived(.init(lookup: lookup, status: 200, wireBytes: 90, body: .inline(Array("{}".utf8)))))
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let report = try Redaction(try LogDraft(path: "/a.jsonl", storage: disk), secret: Self.secret).report
    #expect(report.documents == 3 && report.otherBodies == 0)
  }

  // MARK: Sums and digests

  @Test func aDigestThatIsWrongStaysWrong() throws {
    var flight = LongFlight()
    for _ in 0..<3 { flight.minute() }
    for isWrong in [false, true] {
      var (draft, digest) = (flight.draft, flight.state.digest)
      if isWrong { digest.control = ~digest.control }
      draft.turns[draft.turns.count - 1].events.append(.mark(.stateDigested(digest)))
      let redacted = try Redaction(draft, secret: Self.secret).draft
      let results = [draft, redacted].map { Logs.summary(of: $0).result }
      #expect(results == (isWrong ? ["diverged", "diverged"] : ["same", "same"]))
    }
  }

  /// A repair is proven by the sums of its own records.
  @Test func aRepairStaysProven() throws {
    var rig = Rig()
    rig.launch()
    rig.query { ($0.polygon, $0.types) = (Rig.area, [.turbulence, .pireps]) }
    func records(_ count: Int) -> ObservationsAnswer {
      let second = rig.now / 1000
      var answer = ObservationsAnswer(token: second)
      answer.reports = (0..<count).map {
        TurbulenceReport(cell: 0, altitude: 30 + UInt8($0), severity: 2, edrE4: 100, observedAt: UInt32(second - 60))
      }
      answer.pireps = (0..<count).map {
        PIREP(
          id: "p\($0)", position: FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000), flightLevel: nil,
          severity: nil, isUrgent: false, observedAt: second - 60, updatedAt: second - 60, text: "")
      }
      answer.held = HeldSum(count: count, checksum: answer.reports.reduce(0) { $0 &+ $1.digest })
      answer.heldPIREPs = HeldSum(count: count, checksum: answer.pireps.reduce(0) { $0 &+ $1.digest })
      return answer
    }
    let first = records(4)
    rig.answer { ($0.handle, $0.repairs, $0.body) = ("a1", true, .answer(first)) }
    rig.pass(seconds: 60)
    rig.answer { $0.held = HeldSum(count: 40, checksum: 1) }
    let repair = try #require(rig.state.scope(.corridor)?.inFlight)
    #expect(repair.mode == .repair)
    let second = records(5)
    rig.answer { $0.body = .answer(second) }
    #expect(rig.state.scope(.corridor)?.have?.broken == nil && rig.state.scope(.corridor)?.retry.failures == 0)
    rig.pass(seconds: 60)
    rig.answer()
    let (then, now) = try Self.redacted(rig)
    #expect(now.turns.count == then.turns.count)
  }

  // MARK: News

  /// After an answer without news, which came early, the next request waits; after news, it is held at once.
  @Test(arguments: [DataTypeOptions.turbulence, .pireps, .traffic, [.turbulence, .traffic]])
  func aHeldAnswerBringsNewsIfTheOriginalDid(types: DataTypeOptions) throws {
    for hasNews in [false, true] {
      var rig = Rig()
      rig.launch()
      rig.query { ($0.polygon, $0.types) = (Rig.area, types) }
      let first = rig.now / 1000
      rig.answer {
        $0.handle = "a1"
        $0.holdSeconds = 540
        $0.body = .answer(ObservationsAnswer(token: first, traffic: types.contains(.traffic) ? [] : nil))
      }
      rig.pass(seconds: 1)
      #expect(rig.state.scope(.corridor)?.inFlight?.hold != nil)
      rig.now += 5000
      let second = rig.now / 1000
      rig.answer { answer in
        answer.traffic = types.contains(.traffic) ? [] : nil
        guard hasNews else { return }
        if types.contains(.turbulence) {
          answer.reports = [
            TurbulenceReport(cell: 0, altitude: 30, severity: 3, edrE4: 10, observedAt: UInt32(second - 9))
          ]
        } else if types.contains(.pireps) {
          answer.pireps = [
            PIREP(
              id: "a", position: .init(latitudeE7: 1, longitudeE7: 1), flightLevel: nil, severity: nil, isUrgent: false,
              observedAt: second - 9, updatedAt: second - 9, text: "")
          ]
        } else {
          answer.traffic = [
            TrafficPosition(
              id: "a", callsign: "", position: .init(latitudeE7: 1, longitudeE7: 1), altitudeFeet: nil,
              groundSpeedKnots: nil, trackDegrees: nil, observedAt: second)
          ]
        }
      }
      let next = rig.state.nextWake?.at
      for _ in 0..<3 { rig.pass(seconds: 30) }
      let (then, now) = try Self.redacted(rig)
      let answers = now.turns.compactMap { turn -> ObservationsAnswer? in
        guard case .responseReceived(let response)? = turn.input else { return nil }
        return try? response.body.observations()
      }
      let last = try #require(answers.last)
      #expect(
        answers.count == 2 && (last.reports.isEmpty && last.pireps.isEmpty && last.traffic ?? [] == []) == !hasNews)
      #expect(last.traffic?.allSatisfy { $0.id == "000000" && $0.observedAt == last.token } ?? true)
      // The first answer has whatever was asked for.
      #expect(
        (answers[0].reports.isEmpty == !types.contains(.turbulence))
          && (answers[0].pireps.isEmpty == !types.contains(.pireps)))
      #expect(then.turns.count == now.turns.count && next != nil)
    }
  }

  // MARK: Weather

  /// Its length says nothing of the place.
  @Test func aDelayThatAConnectionShortenedStaysAsLong() throws {
    var rig = Rig.flying { $0.weather.places = [Rig.place] }
    let scope = ScopeID.weather(Rig.place)
    func due() -> Int64 { rig.state.scope(scope)?.retry.notBefore ?? 0 }
    for failure in 1...5 {
      rig.answer(scope, status: 503)
      if failure == 5 {
        rig.send(.connectivityChanged(isOnline: false))
        rig.send(.connectivityChanged(isOnline: true))
      }
      rig.now = due()
      rig.send(.clockTicked(scope: scope, due: rig.now))
    }
    #expect(rig.state.scope(scope)?.inFlight != nil)
    let (then, now) = try Self.redacted(rig)
    let waits = [then, now].map { draft in zip(draft.turns, draft.turns.dropFirst()).map { $1.at - $0.at }.last ?? 0 }
    #expect(waits[0] == waits[1] && waits[0] > 0)
  }

  /// The delay after a failure depends on the place. A place is drawn that waits past the inputs before its next request.
  @Test(arguments: UInt8(0)..<12) func anInputDuringADelayFindsTheDrawnPlaceWaitingToo(seed: UInt8) throws {
    var rig = Rig.flying { $0.weather.places = [Rig.place] }
    for _ in 0..<3 {
      rig.answer(.weather(Rig.place), status: 503)
      let retry = try #require(rig.state.scope(.weather(Rig.place))).retry
      let due = retry.notBefore
      rig.now = min(rig.now + Backoff.longestDelayMS(count: retry.failures) * 5 / 8, due - 1)
      rig.send(.clockAdjusted(byMS: 0))
      rig.now = due
      rig.send(.clockTicked(scope: .weather(Rig.place), due: due))
      #expect(rig.state.scope(.weather(Rig.place))?.inFlight != nil)
    }
    rig.answer(.weather(Rig.place))
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let then = try LogDraft(path: "/a.jsonl", storage: disk)
    let now = try Redaction(then, secret: RedactionSecret(bytes: [seed])).draft
    let summary = Logs.summary(of: now)
    #expect(summary.result == "same" && summary.findings.isEmpty)
    func rules(_ draft: LogDraft) -> [[Rule]] {
      draft.turns.map { $0.events.compactMap { if case .decision(let decision) = $0 { decision.rule } else { nil } } }
    }
    #expect(rules(then) == rules(now))
  }
}

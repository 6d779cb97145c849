import ContrailCore
import ContrailGeodesy
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailField

/// Faults and news of a redacted log are those of the original, elsewhere.
@Suite struct RedactFaultsTests {
  private static let secret = RedactionSecret(bytes: Array("a secret of these tests".utf8))

  private static func redacted(_ rig: Rig) throws -> (then: LogDraft, now: LogDraft) {
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
        changed(index, to: (45, 145)), changed(index, to: (43, -32 + Double(index))),
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
    let levels = Set(drawn.compactMap(\.flightLevel))
    #expect(levels == Set(stride(from: 100, through: 450, by: 10)))
    #expect(Set(drawn.map(\.isUrgent)) == [true, false] && drawn.allSatisfy { $0.text.isEmpty })
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

  // MARK: Budgets

  /// A redaction with a budget changes the sizes of answers. A head stays smaller than its answer.
  @Test func aHeadIsAPartOfItsAnswer() throws {
    var rig = Rig()
    rig.launch()
    rig.send(.budgetChanged(ByteBudget(bytes: 2000)))
    rig.query { $0.polygon = Rig.area }
    for bytes in [Int64(900), 5, 300, 700] {
      rig.answer {
        $0.wireBytes = bytes
        $0.headBytes = min(bytes, 150)
        $0.sent = bytes == 300 ? nil : SentBytes(total: 40, head: 30)
      }
      rig.pass(seconds: 600)
    }
    let (then, now) = try Self.redacted(rig)
    func responses(_ draft: LogDraft) -> [Input.Response] {
      draft.turns.compactMap { turn in
        if case .responseReceived(let response)? = turn.input { response } else { nil }
      }
    }
    #expect(responses(now).count == responses(then).count && responses(now).count > 1)
    for response in responses(now) {
      let head = try #require(response.headBytes)
      #expect(head <= response.wireBytes && response.wireBytes >= 0)
      if let sent = response.sent { #expect(sent.head <= sent.total) }
    }
    #expect(responses(now).map { $0.sent == nil } == responses(then).map { $0.sent == nil })
  }

  @Test func failedRequestsUseUpABudgetAtTheSameLines() throws {
    var rig = Rig()
    rig.launch()
    rig.send(.budgetChanged(ByteBudget(bytes: 2000)))
    rig.query { $0.polygon = Rig.area }
    for sent in [SentBytes(total: 1100, head: 1000), nil, SentBytes(total: 700, head: 50)] {
      let request = try #require(rig.state.scope(.corridor)?.inFlight?.request)
      rig.send(.responseFailed(request: request, failure: .network, sent: sent))
      rig.pass(seconds: 600)
    }
    let (then, now) = try Self.redacted(rig)
    func sent(_ draft: LogDraft) -> [SentBytes?] {
      draft.turns.compactMap { turn -> SentBytes?? in
        if case .responseFailed(_, _, let sent)? = turn.input { .some(sent) } else { nil }
      }
    }
    func savings(_ draft: LogDraft) -> [DataSaving] {
      draft.turns.flatMap(\.events).compactMap { event in
        if case .decision(.savingChanged(let changed)) = event { changed.saving } else { nil }
      }
    }
    #expect(sent(now).count == 3 && sent(now).map { $0 == nil } == sent(then).map { $0 == nil })
    #expect(sent(now).allSatisfy { $0.map { $0.total >= 0 && $0.head <= $0.total } ?? true })
    #expect(zip(sent(now), sent(then)).allSatisfy { $0 == nil || $0 != $1 })
    #expect(savings(then).count > 1 && savings(now) == savings(then))
  }
}

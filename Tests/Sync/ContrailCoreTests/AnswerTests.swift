import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What answers do that no rule says in so many words.
@Suite struct AnswerTests {
  @Test func requestsAreNumberedFromOneWithoutAGap() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.query { $0.viewport = Rig.otherArea }
    rig.send(
      .reportTracked(
        .init(cell: 1 << 15, altitude: 35, severity: 2, edrE4: 1800, observedAt: UInt32(Rig.start / 1000))))
    rig.query { $0.polygon = Rig.square(south: 0, west: 0) }
    let numbers = rig.records.compactMap { record -> Int64? in
      switch record.event {
      case .decision(.fetchStarted(let started)): started.request
      case .decision(.uploadStarted(let started)): started.request
      default: nil
      }
    }
    #expect(numbers == [1, 2, 3, 4])
  }

  /// A log may be that of another engine, which decided otherwise.
  @Test func aRequestInFlightIsAsItsLineSays() throws {
    var rig = Rig()
    rig.launch()
    var query = rig.state.query
    query.polygon = Rig.area
    let decision = try #require(rig.decisions(after: .queryChanged(query)).first)
    guard case .fetchStarted(var started) = decision else {
      Issue.record("nothing is fetched")
      return
    }
    let want = try #require(rig.state.scope(.corridor)?.want)
    started.types = [.turbulence, .pireps]
    started.severities = SeveritySet([.moderate])
    started.altitudes = try #require(AltitudeBand(lower: 20, upper: 30))
    started.history = .sixHours
    rig.state.evolve(Record(seq: 9, at: rig.now, event: .decision(.fetchStarted(started))))
    let spec = try #require(rig.state.scope(.corridor)?.inFlight?.spec)
    #expect(spec.area == want.area && spec.types == started.types && spec.severities == started.severities)
    #expect(spec.altitudes == started.altitudes && spec.history == started.history)
  }

  @Test func aLateAnswerTeachesNothingNotEvenTheTime() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let late = rig.state.scope(.corridor)!.inFlight!.request
    rig.query { $0.polygon = Rig.otherArea }
    let offset = rig.state.serverOffsetMS
    rig.send(.responseReceived(.init(request: late, status: 200, wireBytes: 0, serverTimeMS: rig.now + 9_000_000)))
    #expect(rig.state.serverOffsetMS == offset)
    #expect(rig.state.droppedAnswers == 1)
  }

  @Test func polygonsThatAreGoneAreAFailureAndNoBrokenDelta() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.types = .turbulencePolygons }
    rig.answer(.global(.twoHours))
    #expect(rig.pass(seconds: 60) == ["global.7200 delta due"])
    #expect(rig.answer(.global(.twoHours), status: 410) == [])
    #expect(rig.state.scope(.global(.twoHours))?.retry.failures == 1)
    #expect(rig.state.scope(.global(.twoHours))?.have?.broken == nil)
  }

  @Test func afterThreePolygonsThatCannotBeReadTheCompactFormIsNotTaken() {
    let id = ScopeID.global(.twoHours)
    var rig = Rig()
    rig.launch()
    rig.query { $0.types = .turbulencePolygons }
    for losses in 0..<3 {
      #expect(rig.state.outgoingRequest(id)?.acceptsCompact == true, "\(losses)")
      rig.answer(id) {
        $0.form = .compact
        $0.body = .blob(.init(sha256: "", byteCount: 2), [0xC4, 9])
      }
      rig.pass(seconds: 600)
    }
    #expect(rig.state.outgoingRequest(id)?.acceptsCompact == false)
    rig.answer(id)
    #expect(rig.state.scope(id)?.polygons.isEmpty == false)
  }

  /// A corridor for which three compact answers in a row were useless.
  private func withoutCompactForm() -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    for _ in 0..<Scope.HandleState.maximumLosses {
      rig.answer {
        $0.form = .compact
        $0.body = .blob(.init(sha256: "", byteCount: 2), [0xC4, 9])
      }
      rig.pass(seconds: 600)
    }
    #expect(rig.state.outgoingRequest(.corridor)?.acceptsCompact == false)
    return rig
  }

  @Test func halfAnHourAfterTheLastLossAnAnswerLeadsToTheCompactFormAgain() throws {
    var rig = withoutCompactForm()
    let lostAt = try #require(rig.state.scope(.corridor)?.handles.lostAt)
    while rig.now - lostAt < Scope.HandleState.restMS {
      rig.answer()
      #expect(rig.state.scope(.corridor)?.handles.areTaken == false)
      rig.pass(seconds: 60)
    }
    rig.answer()
    rig.pass(seconds: 60)
    #expect(rig.state.outgoingRequest(.corridor)?.acceptsCompact == true)
    // Another useless answer costs it at once.
    rig.answer {
      $0.form = .compact
      $0.body = .blob(.init(sha256: "", byteCount: 2), [0xC4, 9])
    }
    rig.pass(seconds: 600)
    #expect(rig.state.outgoingRequest(.corridor)?.acceptsCompact == false)
    #expect(rig.unrest == [])
  }

  @Test func aNewAreaLeadsToTheCompactFormAgain() {
    var rig = withoutCompactForm()
    rig.answer()
    rig.query { $0.polygon = Rig.otherArea }
    #expect(rig.state.outgoingRequest(.corridor)?.acceptsCompact == true)
  }

  @Test func aSnapshotKeepsTheTimeOfTheLastLoss() {
    let rig = withoutCompactForm()
    let text = String(decoding: rig.state.controlJSON, as: UTF8.self)
    #expect(text.contains(#""handlesLostAt":"#))
    var resumed = State()
    for part in rig.state.snapshotParts {
      resumed.evolve(Record(seq: 0, at: rig.state.now, event: .mark(.snapshotPart(part))))
    }
    resumed.evolve(Record(seq: rig.state.nextSeq - 1, at: rig.state.now, event: .mark(.snapshotEnded)))
    #expect(resumed.controlJSON == rig.state.controlJSON)
  }

  @Test func polygonsOfTheCorridorAreUpdatedByHandleUntilItIsLost() {
    let id = ScopeID.global(.twoHours)
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.types = .turbulencePolygons
      $0.globalEnabled = false
      $0.polygon = Rig.area
    }
    let whole = rig.state.outgoingRequest(id)?.target
    #expect(whole?.contains("&area=") == true)
    rig.answer(id) { $0.handle = "k3" }
    rig.pass(seconds: 60)
    #expect(rig.state.outgoingRequest(id)?.target == "/polygons/v5?hours=2&handle=k3")
    // A forgotten handle costs one short exchange.
    rig.answer(id, status: 404)
    #expect(rig.state.outgoingRequest(id)?.target == whole)
    #expect(rig.state.outgoingRequest(id)?.ifNoneMatch != nil)
    rig.answer(id) { $0.handle = "k4" }
    // Another area has another handle.
    rig.query { $0.polygon = Rig.otherArea }
    #expect(rig.state.outgoingRequest(id)?.target.contains("&area=") == true)
  }

  @Test func afterPolygonsByHandleTheCountOfLossesStartsAnew() {
    let id = ScopeID.global(.twoHours)
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.types = .turbulencePolygons
      $0.globalEnabled = false
      $0.polygon = Rig.area
    }
    /// Answers with new polygons, and with a handle if `name` isn't nil.
    func answer(handle name: String?) {
      rig.answer(id) {
        $0.status = 200
        $0.handle = name
        $0.body = .inline(Array(#"{"type":"FeatureCollection","lastUpdatedAt":5,"features":[]}"#.utf8))
      }
    }
    answer(handle: "k0")
    rig.pass(seconds: 60)
    answer(handle: nil)
    for loss in 1..<Scope.HandleState.maximumLosses {
      rig.pass(seconds: 60)
      #expect(rig.state.scope(id)?.inFlight?.handle != nil, "before loss \(loss)")
      rig.answer(id, status: 404)
      answer(handle: "k\(loss)")
    }
    rig.pass(seconds: 60)
    #expect(rig.state.scope(id)?.inFlight?.handle != nil)
  }

  @Test func theHandleOfAWorldWithoutRingIsIgnored() {
    let id = ScopeID.global(.twoHours)
    var rig = Rig()
    rig.launch()
    rig.query { $0.types = .turbulencePolygons }
    rig.answer(id) { $0.handle = "k3" }
    rig.pass(seconds: 60)
    #expect(rig.state.outgoingRequest(id)?.target.contains("k3") == false)
  }

  @Test func takingTheViewportAwayAndBackIsNoWayRoundAWait() {
    for (status, retryAfter) in [(503, Int64(120)), (401, nil)] {
      var rig = Rig.flying { $0.viewport = Rig.otherArea }
      rig.answer(.viewport, status: status, retryAfter: retryAfter)
      rig.query { $0.viewport = nil }
      // The key is still refused, and that is told again.
      let told = retryAfter == nil ? ["viewport report blocked unauthorized"] : []
      #expect(rig.query { $0.viewport = Rig.otherArea } == told)
      if retryAfter == nil {
        #expect(rig.send(.credentialsChanged) == ["viewport full first"])
      } else {
        rig.now += 119_999
        #expect(rig.send(.connectivityChanged(isOnline: true)).filter { $0.hasPrefix("viewport") } == [])
        rig.now += 1
        #expect(
          rig.send(.connectivityChanged(isOnline: true)).filter { $0.hasPrefix("viewport") }
            == ["viewport full first"])
      }
    }
  }

  @Test func aViewportThatIsNotWantedIsForgottenWhenItsWaitIsOver() {
    var rig = Rig.flying { $0.viewport = Rig.otherArea }
    rig.answer(.viewport, status: 503, retryAfter: 120)
    rig.query { $0.viewport = nil }
    #expect(rig.state.scope(.viewport)?.recordCount == 0)
    rig.now += 120_000
    rig.send(.connectivityChanged(isOnline: true))
    #expect(rig.state.scope(.viewport) == nil)
  }

  @Test func aFullAnswerThatFollowsAnotherIsNone() {
    var rig = Rig.flying()
    let held = rig.state.scope(.corridor)?.reports
    rig.send(.refreshRequested(full: true))
    let token = rig.state.scope(.corridor)!.have!.watermark
    #expect(rig.answer { $0.body = .inline(ObservationsAnswer(token: token + 60, follows: token).json) } == [])
    #expect(rig.state.scope(.corridor)?.retry.failures == 1)
    #expect(rig.state.scope(.corridor)?.reports == held)
  }

  @Test func aDeltaAfterAlmostAllOfALongHistoryIsWholeToTheLastReport() {
    func report(_ second: Int64) -> ModelServer.Arrival {
      .init(
        report: TurbulenceReport(cell: 9, altitude: 1, severity: 1, edrE4: 1, observedAt: UInt32(second)),
        second: second)
    }
    var rig = Rig()
    let start = rig.now / 1000
    rig.launch()
    rig.send(.historyChanged(.sixHours))
    // Observed just within the history of the first answer, and a little in the future of the second, as hasty clocks do.
    rig.server.arrivals = [report(start - 21_599), .init(report: report(start + 25_100).report, second: start + 10)]
    rig.query { $0.polygon = Rig.area }
    rig.answer()
    #expect(rig.state.scope(.corridor)?.recordCount == 1)
    rig.send(.connectivityChanged(isOnline: false))
    rig.now += 21_599_000
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor delta due"])
    #expect(rig.answer() == [])
    let scope = rig.state.scope(.corridor)!
    #expect(scope.reports == rig.server.held(scope.want!, asOf: scope.have!.watermark) && scope.recordCount == 1)
  }

  @Test func askingForLessIsNoWayRoundTheGuard() {
    var rig = Rig.flying()
    rig.server.retentionSeconds = -1
    rig.send(.refreshRequested(full: false))
    #expect(rig.answer() == ["corridor full deltaUnavailable"])
    rig.answer()
    rig.send(.refreshRequested(full: false))
    #expect(rig.answer() == ["corridor report guarded refetchLoop"])
    #expect(rig.send(.historyChanged(.hour)) == [])
    #expect(rig.query { $0.severities = SeveritySet([.moderate]) } == [])
    #expect(rig.state.plan(.corridor).rule == .guarded)
  }

  @Test func polygonsStandOnOneLineHoweverTheyWereSent() {
    let pretty = Array(
      "\n {\"type\": \"FeatureCollection\",\r\n\t\"lastUpdatedAt\": 5, \"features\": [\" \\\" \\\\\", 1 ] } ".utf8)
    let compact = Array(#"{"type":"FeatureCollection","lastUpdatedAt":5,"features":[" \" \\",1]}"#.utf8)
    for body in [Input.Body.blob(.init(sha256: "", byteCount: pretty.count), pretty), .inline(compact)] {
      var rig = Rig()
      rig.launch()
      rig.query { $0.types = .turbulencePolygons }
      rig.answer(.global(.twoHours)) { $0.body = body }
      #expect(rig.state.scope(.global(.twoHours))?.polygons == compact)
      for part in rig.state.snapshotParts {
        #expect(!Event.mark(.snapshotPart(part)).payload.contains(0x0A))
      }
    }
  }
}

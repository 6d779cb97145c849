import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// After an inconsistent delta, what differs is fetched, and all of it only if that fails.
@Suite struct RepairTests {
  /// A flight whose server remembers the area and repairs; its corridor was verified by a delta.
  private func flying(repairs: Bool = true) -> Rig {
    var rig = Rig.flying()
    for _ in 0..<2 {
      rig.pass(seconds: 60)
      rig.answer {
        $0.handle = "h1"
        $0.repairs = repairs
      }
    }
    rig.pass(seconds: 60)
    return rig
  }

  /// Answers the delta in flight as a server with so many more records would.
  @discardableResult
  private func breakData(_ rig: inout Rig, missing: Int = 1) -> [Decision] {
    let request = rig.state.scope(.corridor)?.inFlight?.request ?? 0
    let current = rig.state.scope(.corridor).map { scope in
      scope.reports.sorted.count { $0.observedAt > rig.now / 1000 - (scope.want?.history ?? .twoHours).seconds }
    }
    let held = HeldSum(count: (current ?? 0) + missing, checksum: 1)
    let answer = ObservationsAnswer(
      token: rig.now / 1000, follows: rig.state.scope(.corridor)?.inFlight?.since, held: held)
    return rig.decisions(
      after: .responseReceived(.init(request: request, status: 200, wireBytes: 0, body: .inline(answer.json))))
  }

  private func broken(missing: Int = 1) -> Rig {
    var rig = flying()
    breakData(&rig, missing: missing)
    return rig
  }

  @Test func aDifferenceIsRepaired() throws {
    var rig = flying()
    let decisions = breakData(&rig, missing: 5)
    #expect(decisions.map(Rig.line) == ["corridor repair countDiffers"])
    guard case .fetchStarted(let started) = decisions.first else { return }
    #expect(started.handle == "h1" && started.since == nil && started.cells == 20)
    let request = try #require(rig.state.outgoingRequest(.corridor))
    #expect(request.method == .post && request.target == "/repairs/h1" && request.mode == .repair)
    let sketch = try request.body.withUnsafeBytes { try RecordSketch($0) }
    let spec = try #require(rig.state.scope(.corridor)?.want)
    #expect(sketch.areaDigest == spec.areaDigest && sketch.cellCount == 20)
    #expect(sketch == RecordSketch(of: request.heldRecords, areaDigest: spec.areaDigest, cellCount: 20))
    #expect(rig.answer() == [])
    #expect(rig.state.scope(.corridor)?.have?.broken == nil && rig.state.scope(.corridor)?.repair == nil)
    #expect(rig.state.scope(.corridor)?.handle?.name == "h1", "the handle is kept")
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.unrest == [])
  }

  /// With equal counts, at least one record is missing and one is too many.
  @Test(arguments: [(0, 2), (1, 2), (2, 2), (3, 3), (-4, 4), (9, 9), (40, 40)])
  func theSketchHasRoomForAsManyDifferencesAsTheCountsShow(missing: Int, differences: Int) {
    var rig = flying()
    breakData(&rig, missing: missing)
    #expect(rig.state.scope(.corridor)?.inFlight?.cells == Int64(RecordSketch.cellCount(for: differences)))
  }

  @Test func aServerThatRepairsNothingIsAskedForAll() {
    var rig = flying(repairs: false)
    #expect(breakData(&rig).map(Rig.line) == ["corridor full countDiffers"])
    #expect(!String(decoding: rig.state.controlJSON, as: UTF8.self).contains("repair"))
  }

  @Test func whatCannotBeRepairedIsFetchedInFull() {
    var rig = flying()
    #expect(rig.answer(status: 410) == ["corridor full deltaUnavailable"])
    rig = flying()
    #expect(breakData(&rig, missing: 200).map(Rig.line) == ["corridor full countDiffers"], "too many are missing")
    #expect(rig.state.scope(.corridor)?.handle == nil)
  }

  @Test func aLargerSketchFollowsOnceAndThenAFullFetch() {
    var rig = broken()
    #expect(rig.state.scope(.corridor)?.inFlight?.cells == 12)
    #expect(rig.answer(status: 409) == ["corridor repair countDiffers"])
    #expect(rig.state.scope(.corridor)?.inFlight?.cells == 48)
    #expect(rig.answer(status: 409) == ["corridor full countDiffers"])
    #expect(rig.answer() == [] && rig.unrest == [])
    #expect(rig.pass(seconds: 60).first?.hasPrefix("corridor delta due") == true)
  }

  @Test(arguments: [400, 405, 415, 422]) func aServerThatNoLongerRepairsIsAskedForAll(status: Int) {
    var rig = broken()
    #expect(rig.answer(status: status) == ["corridor full countDiffers"])
    #expect(rig.state.scope(.corridor)?.handle?.repairs == false)
    rig.answer()
    rig.pass(seconds: 60)
    rig.answer()
    rig.pass(seconds: 60)
    #expect(breakData(&rig).map(Rig.line) == ["corridor full countDiffers"])
  }

  @Test func aForgottenAreaIsFetchedInFull() {
    var rig = broken()
    #expect(rig.answer(status: 404) == ["corridor full countDiffers"])
    #expect(rig.state.scope(.corridor)?.inFlight?.handle == nil)
  }

  @Test func aLostRepairIsTriedOnceMore() {
    var rig = broken()
    #expect(rig.fail() == [])
    #expect(rig.pass(seconds: 3) == ["corridor repair countDiffers"])
    #expect(rig.answer(status: 503) == [])
    #expect(rig.pass(seconds: 10) == ["corridor full countDiffers"])
    #expect(rig.answer() == [] && rig.unrest == [])
  }

  @Test(arguments: [400, 409]) func aRefusedRepairEndsTheFailuresInARow(status: Int) {
    var rig = broken()
    rig.fail()
    rig.pass(seconds: 3)
    #expect(rig.state.scope(.corridor)?.retry.failures == 1)
    rig.answer(status: status)
    #expect(rig.state.scope(.corridor)?.retry.failures == 0)
  }

  @Test func aRepairWhoseSumsProveNothingChangesNothing() {
    for spoil in [
      { (answer: inout ObservationsAnswer) in answer.held = nil },
      { $0.held?.count += 1 }, { $0.held?.checksum ^= 1 }, { $0.follows = $0.token - 60 },
      // Right sums, of a time before the stored data's.
      { $0.token -= 100 },
    ] as [(inout ObservationsAnswer) -> Void] {
      var rig = broken()
      let before = rig.state.scope(.corridor)
      #expect(
        rig.answer { response in
          guard var answer = try? response.body.observations() else { return }
          spoil(&answer)
          response.body = .inline(answer.json)
        } == [])
      let after = rig.state.scope(.corridor)
      #expect(after?.records == before?.records && after?.have?.watermark == before?.have?.watermark)
      #expect(after?.have?.broken == .countDiffers && after?.repair == nil && after?.retry.failures == 1)
      #expect(rig.pass(seconds: 3) == ["corridor full countDiffers"])
    }
  }

  @Test func anUnreadableRepairIsFollowedByAFullFetch() {
    var rig = broken()
    #expect(rig.answer { $0.body = .blob(.init(sha256: "", byteCount: 1), [0xC1]) } == [])
    #expect(rig.pass(seconds: 3) == ["corridor full countDiffers"])
  }

  @Test func aWrongRepairIsFollowedByOneFullFetchAtOnce() {
    var rig = broken()
    // Another area's records, with the right sums of their own.
    let answer = ObservationsAnswer(token: rig.now / 1000, held: HeldSum(count: 0, checksum: 0))
    rig.answer { $0.body = .inline(answer.json) }
    rig.pass(seconds: 60)
    #expect(breakData(&rig).map(Rig.line) == ["corridor full countDiffers"])
    #expect(rig.answer() == [])
    // From here on as without repairs.
    rig.pass(seconds: 60)
    #expect(breakData(&rig).map(Rig.line) == ["corridor full countDiffers"])
  }

  @Test func aServerThatIsAlwaysInconsistentIsNotAskedForRepairsAgainAndAgain() {
    var rig = flying()
    var (repairs, fulls) = (0, 0)
    for _ in 0..<60 {
      guard let inFlight = rig.state.scope(.corridor)?.inFlight else {
        rig.pass(seconds: 60)
        continue
      }
      let lines =
        inFlight.mode == .delta
        ? breakData(&rig).map(Rig.line)
        : rig.answer {
          $0.handle = "h1"
          $0.repairs = true
        }
      repairs += lines.count { $0.contains("repair") }
      fulls += lines.count { $0.contains("full countDiffers") }
      rig.pass(seconds: 60)
    }
    #expect(repairs == 1 && fulls > 3, "\(repairs) repairs, \(fulls) full fetches")
  }

  @Test func afterAVerifiedDeltaThereIsAnotherRepair() {
    var rig = broken()
    rig.answer()
    rig.pass(seconds: 60)
    rig.answer()
    rig.pass(seconds: 60)
    #expect(breakData(&rig).map(Rig.line) == ["corridor repair countDiffers"])
  }

  @Test func aFullRefreshTakesThePlaceOfARepair() {
    var rig = broken()
    #expect(rig.send(.refreshRequested(full: true)) == ["corridor cancel superseded", "corridor full refresh"])
    rig.answer()
    #expect(rig.state.scope(.corridor)?.have?.broken == nil && rig.state.scope(.corridor)?.repair == nil)
  }

  @Test func aRepairSurvivesARelaunchAndASnapshot() {
    var rig = broken()
    var restored = State()
    let marks = rig.state.snapshotParts.map { Mark.snapshotPart($0) } + [.snapshotEnded]
    for mark in marks { restored.evolve(mark, seq: rig.state.nextSeq - 1, at: rig.state.now) }
    #expect(restored.digest == rig.state.digest && restored.scope(.corridor)?.repair == .init(cells: 12))
    #expect(restored.scope(.corridor)?.inFlight?.cells == 12)
    #expect(rig.launch() == ["corridor repair countDiffers"])
  }

  @Test func everyLineIsReadBack() throws {
    var rig = broken()
    rig.answer {
      $0.handle = "h2"
      $0.repairs = true
    }
    for record in rig.records {
      let payload = record.event.payload
      for isFast in [true, false] {
        let event = try payload.withUnsafeBytes {
          isFast
            ? try Event(kind: record.event.kind, payload: $0) : try Event(anySpelling: record.event.kind, payload: $0)
        }
        #expect(event == record.event)
      }
    }
  }

  @Test func theSketchHasWhatIsWantedAndNotExpired() throws {
    var rig = flying()
    rig.query { $0.severities = SeveritySet([.moderate]) }
    breakData(&rig, missing: -2)
    let request = try #require(rig.state.outgoingRequest(.corridor))
    let scope = try #require(rig.state.scope(.corridor))
    #expect(request.mode == .repair && !request.heldRecords.isEmpty)
    for report in request.heldRecords.reports {
      #expect(scope.want?.admits(report, asOf: rig.state.serverNow / 1000) == true)
    }
  }
}

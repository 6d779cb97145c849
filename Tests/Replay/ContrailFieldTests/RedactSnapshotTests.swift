import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// The snapshot of a log that was cut says nothing of whose it is, and leads to the same.
@Suite struct RedactSnapshotTests {
  private static let secret = RedactionSecret(bytes: Array("a secret of these tests".utf8))
  private static let second: Int64 = 1000

  /// The log of a rig from its last turn on, and its redaction.
  private static func redacted(_ rig: Rig, blob: [UInt8] = []) throws -> (then: LogDraft, now: LogDraft) {
    let disk = MemoryDisk()
    _ = try BlobStore(ofLogAt: "/a.jsonl", storage: disk).put(blob)
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    let whole = try LogDraft(path: "/a.jsonl", storage: disk)
    let cut = whole.starting(atTurn: whole.turns.count - 1)
    let redacted = try Redaction(cut, secret: secret).draft
    #expect(Logs.summary(of: cut).result == "same" && Logs.summary(of: redacted).result == "same")
    return (cut, redacted)
  }

  private static func control(_ draft: LogDraft) -> String {
    for case .control(let bytes) in draft.start { return String(decoding: bytes, as: UTF8.self) }
    return ""
  }

  /// The numbers of a text that are times, in seconds or milliseconds since 1970.
  private static func times(_ text: String) -> Set<String> {
    Set(text.split { !$0.isNumber }.filter { [10, 13].contains($0.count) }.map(String.init))
  }

  // MARK: Times

  @Test(arguments: [
    "atlantic", "destination-weather", "own-reports", "server-outage", "listening-storm", "listening-dying-link",
    "listening-old-server", "no-deltas-loop", "pan-rests", "repaired",
  ])
  func noTimeOfASnapshotIsLeft(name: String) throws {
    let whole = try LogDraft(path: Logs.recording(name))
    for part in 1...9 {
      let cut = whole.starting(atTurn: whole.turns.count * part / 10)
      let redacted = try Redaction(cut, secret: Self.secret).draft
      #expect(Logs.summary(of: redacted).result == "same")
      let (then, now) = (Self.times(Self.control(cut)), Self.times(Self.control(redacted)))
      #expect(!then.isEmpty && then.isDisjoint(with: now), "\(then.intersection(now))")
      // All are moved alike, but for waits that the name of a place decides.
      let shift = redacted.startAt - cut.startAt
      #expect(shift % Self.second == 0 && shift != 0)
      for scope in cut.startState.scopes where scope.id.weatherPlace == nil {
        let twin = try #require(redacted.startState.scope(scope.id))
        func isMoved(_ then: Int64?, _ now: Int64?, unit: Int64 = 1) -> Bool {
          then == 0 || then == nil ? now == then : now == (then ?? 0) + shift / unit
        }
        #expect(isMoved(scope.retry.notBefore, twin.retry.notBefore))
        #expect(isMoved(scope.retry.lastAttemptAt, twin.retry.lastAttemptAt))
        #expect(isMoved(scope.retry.requestedUntil, twin.retry.requestedUntil))
        #expect(isMoved(scope.lastSuccessAt, twin.lastSuccessAt) && isMoved(scope.confirmAt, twin.confirmAt))
        #expect(isMoved(scope.have?.watermark, twin.have?.watermark, unit: Self.second))
        #expect(isMoved(scope.inFlight?.since, twin.inFlight?.since, unit: Self.second))
        #expect(isMoved(scope.inFlight?.hold?.deadline, twin.inFlight?.hold?.deadline))
        #expect(
          isMoved(scope.motion?.changedAt, twin.motion?.changedAt) && isMoved(scope.motion?.since, twin.motion?.since))
        #expect(twin.retry.failures == scope.retry.failures && twin.pendingRefresh == scope.pendingRefresh)
        #expect(
          twin.inFlight?.hold?.terms == scope.inFlight?.hold?.terms && twin.inFlight?.mode == scope.inFlight?.mode)
        #expect((twin.have == nil) == (scope.have == nil) && twin.want?.filter == scope.want?.filter)
        #expect(
          (twin.handles.known == nil) == (scope.handles.known == nil) && twin.handles.losses == scope.handles.losses)
      }
      let (before, after) = (cut.startState, redacted.startState)
      #expect(after.session?.seed == before.session?.seed && after.session?.engine == before.session?.engine)
      #expect(after.session?.service == before.session?.service && after.frequency == before.frequency)
      #expect(after.history == before.history && after.isOnline == before.isOnline)
      #expect(after.nextRequest == before.nextRequest && after.serverOffsetMS == before.serverOffsetMS)
      #expect(after.outbox.reports.count == before.outbox.reports.count)
    }
  }

  @Test func anInvalidAreaOfASnapshotKeepsItsFault() throws {
    var rig = Rig.flying()
    rig.query { $0.polygon?[2] = nil }
    rig.now += 100
    rig.send(.clockAdjusted(byMS: 0))
    let (then, now) = try Self.redacted(rig)
    let (before, after) = (then.startState.query.polygon ?? [], now.startState.query.polygon ?? [])
    #expect(before.firstIndex { $0 == nil } == 2 && after.firstIndex { $0 == nil } == 2)
  }

  @Test(arguments: [ServiceProfile.contrail, .corridorV5()]) func theKindOfServiceStays(_ service: ServiceProfile)
    throws
  {
    var flight = LongFlight(service: service)
    for _ in 0..<4 { flight.minute() }
    let cut = flight.draft.starting(atTurn: flight.draft.turns.count - 2)
    let redacted = try Redaction(cut, secret: Self.secret).draft
    #expect(redacted.startState.session?.service == service && Logs.summary(of: redacted).result == "same")
  }

  // MARK: Weather

  /// The delay after a failure is drawn from the name of the place, so it would tell the place.
  @Test(arguments: [Int64?.none, 900]) func aFailedPlaceWaitsAsLongAsAnyPlaceMight(retryAfter: Int64?) throws {
    var rig = Rig.flying { $0.weather.places = [Rig.place, Rig.otherPlace] }
    rig.answer(.weather(Rig.otherPlace))
    rig.answer(.weather(Rig.place), status: 503, retryAfter: retryAfter)
    let failedAt = rig.now
    rig.now += 100
    rig.send(.clockAdjusted(byMS: 0))
    let (then, now) = try Self.redacted(rig)
    let shift = now.startAt - then.startAt
    let place = try #require(then.startState.scope(.weather(Rig.place)))
    let others = now.startState.scopes.filter { $0.id.weatherPlace != nil }
    #expect(others.count == 2 && !others.contains { [Rig.place, Rig.otherPlace].contains($0.id.weatherPlace) })
    let failed = try #require(others.first { $0.retry.failures > 0 })
    #expect(place.retry.failures == 1 && failed.retry.failures == 1)
    #expect(failed.retry.lastAttemptAt == place.retry.lastAttemptAt + shift)
    if let retryAfter {
      #expect(failed.retry.notBefore == failedAt + retryAfter * Self.second + shift)
      #expect(failed.retry.requestedUntil == failed.retry.notBefore)
    } else {
      #expect(failed.retry.notBefore == place.retry.lastAttemptAt + shift + Backoff.longestDelayMS(count: 1))
      #expect(failed.retry.requestedUntil == 0)
    }
    let served = try #require(others.first { $0.retry.failures == 0 })
    #expect(
      served.retry.notBefore == 0
        && served.lastSuccessAt.map { $0 - shift } == then.startState.scope(.weather(Rig.otherPlace))?.lastSuccessAt)
  }

  // MARK: Airports

  /// The cycles of airports are public; when somebody looked for them isn't.
  @Test func theTimesOfAirportsAreMovedAndTheirCyclesStay() throws {
    var rig = Rig.flying()
    let edition = AirportEdition(cycle: "2501", effectiveMS: Rig.start - 86_400_000)
    let next = AirportEdition(cycle: "2502", effectiveMS: Rig.start + 20 * 86_400_000)
    let file = Array("airports".utf8)
    let blob = BlobName(sha256: BlobStore.ID(of: file).digits, byteCount: file.count)
    rig.send(.airportsDownloaded(.init(edition: edition, blob: blob, wireBytes: 900)))
    rig.send(.airportsLoaded(.init(edition: edition, count: 3, digest: 5, changes: .init(added: 3, unchanged: 0))))
    rig.now += 5000
    rig.send(.airportsChecked(.init(wanted: next)))
    rig.now += 100
    rig.send(.clockAdjusted(byMS: 0))
    let (then, now) = try Self.redacted(rig, blob: file)
    // The dates of the cycles would tell a time that is moved further.
    #expect(abs(now.startAt - then.startAt) <= 13 * 86_400_000)
    let (before, after) = (then.startState.airports, now.startState.airports)
    #expect(after.inUse?.edition == edition && before.inUse?.edition == edition)
    let check = try #require(before.lastCheck)
    #expect(after.lastCheck?.at == check.at + now.startAt - then.startAt)
  }

  // MARK: Reports and names

  @Test func reportsThatWaitForTheirUploadStayAsMany() throws {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    for number in UInt16(0)..<3 {
      rig.send(
        .reportTracked(
          TurbulenceReport(
            cell: 2 << 15, altitude: 35, severity: 2, edrE4: 1800 + number, observedAt: UInt32(Rig.start / 1000))))
    }
    let (then, now) = try Self.redacted(rig)
    let (before, after) = (then.startState.outbox.reports, now.startState.outbox.reports)
    #expect(before.count == 2 && after.count == 2 && Set(after).isDisjoint(with: before))
    let second = now.startAt / 1000
    #expect(after.allSatisfy { (second - 1800...second).contains(Int64($0.observedAt)) })
  }

  @Test func anAreaInASnapshotIsAnotherOneOfTheSameKind() throws {
    var rig = Rig.flying { $0.viewport = Rig.otherArea }
    rig.answer(.viewport)
    rig.query { $0.viewport = nil }
    rig.query { $0.route = [Rig.area[0], Rig.area[2]] }
    rig.now += 100
    rig.send(.clockAdjusted(byMS: 0))
    let (then, now) = try Self.redacted(rig)
    let (before, after) = (then.startState.query, now.startState.query)
    #expect(after.polygon != nil && after.polygon != before.polygon)
    #expect(after.route?.count == 2 && after.route != before.route && after.viewport == nil)
    let (held, drawn) = (then.startState.scope(.corridor)?.have?.spec, now.startState.scope(.corridor)?.have?.spec)
    #expect(drawn?.filter == held?.filter && drawn?.areaDigest != held?.areaDigest)
    #expect(now.startState.scope(.corridor)?.want == drawn)
  }
}

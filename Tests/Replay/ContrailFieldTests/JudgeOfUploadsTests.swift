import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// Uploads, and fetches of a moved viewport, that the judge of logs finds, and the like that are right.
@Suite struct JudgeOfUploadsTests {
  // MARK: Uploads

  @Test func anUploadKeepsItsKeyAndItsReports() {
    var log = ToldLog.withReports(3)
    log.upload(key: "a", count: 2)
    log.tick(after: 1)
    log.upload(key: "a", count: 2)
    log.refuse(503, isDecided: false)
    log.tick(after: 60_000)
    log.upload(key: "a", count: 3)
    log.refuse(503, isDecided: false)
    log.tick(after: 60_000)
    log.upload(key: "b", count: 3)
    #expect(
      log.findings == [
        "uploads upload: upload 3 is sent while request 2 is open; one upload at a time",
        "uploads upload: upload 4 has 3 reports under a key that had 2; 2 reports",
        "uploads upload: upload 5 has another key, and the upload before it has no final answer; the same key and reports as before",
      ])
  }

  @Test func aConfirmedUploadIsNotRepeated() {
    var log = ToldLog.withReports(3)
    log.upload(key: "a")
    log.confirm()
    log.tick(after: 60_000)
    log.upload(key: "b")
    log.confirm()
    #expect(log.findings.isEmpty)
    log.tick(after: 60_000)
    log.upload(key: "a")
    #expect(log.findings == ["uploads upload: upload 4 repeats a confirmed upload; nothing, or a new key"])
  }

  @Test func aConfirmedUploadEndsTheDelayThatTheServerRequested() {
    var log = ToldLog.withReports(3)
    log.upload(key: "a")
    log.refuse(503, retryAfter: 600, isDecided: false)
    log.tick(after: 60_000)
    log.upload(key: "a")
    #expect(log.findings.count == 1)
    log.confirm()
    log.tick(after: 1)
    log.upload(key: "b")
    #expect(log.findings.count == 1)
  }

  @Test(arguments: [1, 2]) func aRefusedUploadOfSeveralReportsIsSplit(count: Int64) {
    var log = ToldLog.withReports(3)
    log.upload(key: "a", count: count)
    log.refuse(400, isDecided: false)
    log.tick(after: 60_000)
    // The key of the split upload may come again; that of a single report is settled.
    log.upload(key: "a", count: count)
    #expect(
      log.findings == (count == 2 ? [] : ["uploads upload: upload 3 repeats a confirmed upload; nothing, or a new key"])
    )
  }

  @Test(arguments: 1...3) func anUploadWaitsAfterAFailure(failures: Int) {
    let shortest = Int64(1000) << (failures - 1)
    for early: Int64 in [0, 1] {
      var log = ToldLog.withReports(1)
      for failure in 1...failures {
        log.tick(after: 200_000)
        log.upload()
        if failure == 2 {
          log.send(.responseFailed(request: log.state.nextRequest - 1, failure: .timeout), isDecided: false)
        } else {
          log.refuse(500, isDecided: false)
        }
      }
      log.tick(after: shortest - early)
      log.upload()
      #expect(
        log.findings
          == (early == 0
            ? []
            : [
              "backoff upload: upload \(failures + 2) is sent \(shortest - 1) ms after failure \(failures); no upload for at least \(shortest) ms"
            ]))
    }
  }

  @Test(arguments: [0, 1]) func aConnectionShortensTheDelayOfAnUpload(early: Int64) {
    var log = ToldLog.withReports(1)
    for _ in 1...5 {
      log.tick(after: 200_000)
      log.upload()
      log.refuse(500, isDecided: false)
    }
    // The last attempt was 200 ms before its failure.
    log.send(.connectivityChanged(isOnline: true), after: 0, isDecided: false)
    log.tick(after: 1800 - early)
    log.upload()
    #expect(
      log.findings
        == (early == 0
          ? [] : ["backoff upload: upload 7 is sent 1799 ms after failure 5; no upload for at least 1800 ms"]))
  }

  @Test func whatEndsARefusalOfUploads() {
    let ends: [(Input, Bool)] = [
      (.credentialsChanged, true), (.refreshRequested(full: false), true),
      (.connectivityChanged(isOnline: true), false),
    ]
    for (input, isEnd) in ends {
      var log = ToldLog.withReports(1)
      log.upload()
      log.refuse(401)
      log.send(input, after: 60_000, isDecided: false)
      log.upload()
      #expect(
        log.findings
          == (isEnd ? [] : ["backoff upload: upload 3 is sent after a refusal; no upload until the credentials change"])
      )
    }
  }

  @Test func aRefusedUploadIsReported() {
    var log = ToldLog.withReports(1)
    log.upload()
    log.refuse(403, isDecided: false)
    log.tick(after: 1)
    #expect(
      log.findings == [
        "outages blocked: request 2 was refused, and nothing reports it; an error.reported that names request 2"
      ])
    // With a new key on its way, a refusal of the old one says nothing.
    log = ToldLog.withReports(1)
    log.upload()
    log.send(.credentialsChanged, isDecided: false)
    log.refuse(403, isDecided: false)
    log.tick(after: 60_000)
    log.upload()
    log.refuse(503, isDecided: false)
    // The new request has the new key.
    log.tick(after: 60_000)
    log.upload()
    log.refuse(401, isDecided: false)
    log.tick(after: 1)
    #expect(log.findings.count == 1)
  }

  /// A snapshot tells of an upload under way, and whether it has the old key.
  @Test(arguments: [true, false]) func aRefusalAfterASnapshotIsOneOfTheKeyThatWasSent(hasOldKey: Bool) {
    var log = ToldLog.withReports(1)
    log.upload()
    if hasOldKey { log.send(.credentialsChanged, isDecided: false) }
    log.lose()
    log.write(.mark(.snapshotEnded))
    log.refuse(401, isDecided: false)
    log.tick(after: 1)
    #expect(log.findings.map { $0.prefix(16) } == (hasOldKey ? [] : ["outages blocked:"]))
  }

  @Test func aLaunchForgetsTheOpenUploadAndItsRefusal() {
    var log = ToldLog.withReports(1)
    log.upload()
    log.send(.sessionStarted(.init(engine: EngineVersion.current.description, id: "told-2", seed: 2)), isDecided: false)
    log.send(.connectivityChanged(isOnline: true), isDecided: false)
    log.upload()
    log.refuse(401)
    log.send(.sessionStarted(.init(engine: EngineVersion.current.description, id: "told-3", seed: 3)), isDecided: false)
    log.send(.connectivityChanged(isOnline: true), isDecided: false)
    log.upload()
    #expect(log.findings.isEmpty)
  }

  // MARK: The viewport

  @Test func aViewportIsFetchedWhenItRests() {
    for (rest, isFound) in [(Int64(1499), true), (1500, false)] {
      var log = ToldLog()
      log.moveViewport(to: 0)
      log.cancel(.viewport)
      log.moveViewport(to: 5, after: 1000)
      log.tick(after: rest)
      log.requestAll(.viewport, .first)
      #expect(
        log.findings
          == (isFound
            ? [
              "frugality first: request 2 of viewport is sent while the viewport is moved; one after 1500 ms without a change, or 5000 ms"
            ] : []))
    }
  }

  @Test func aViewportThatRestedBeforeIsFetchedAtOnce() {
    for (rest, isFound) in [(Int64(1499), true), (1500, false)] {
      var log = ToldLog()
      log.moveViewport(to: 0)
      log.moveViewport(to: 5, after: rest)
      log.requestAll(.viewport, .first)
      #expect(log.findings.count == (isFound ? 1 : 0))
    }
  }

  @Test func aSnapshotTellsThatTheViewportIsMoved() {
    for (rest, isFound) in [(Int64(1499), true), (1500, false)] {
      var log = ToldLog()
      log.moveViewport(to: 0)
      log.moveViewport(to: 5, after: 1000)
      log.lose()
      log.write(.mark(.snapshotEnded))
      log.tick(after: rest)
      log.requestAll(.viewport, .first)
      #expect(log.findings.count == (isFound ? 1 : 0))
    }
  }

  @Test func aMapThatIsShownAgainDoesNotMove() throws {
    let specs = try [Int64(0), 5].map { west in
      FetchSpec(area: .ring(try Ring(ToldLog.area(west: west))), filter: Filter())
    }
    var motion = WatchedMotion()
    motion.change(from: nil, to: specs[0], at: 1000)
    #expect(!motion.isMoving(at: 1000))
    // Another filter is no motion.
    var other = specs[0]
    other.filter.types = .pireps
    motion.change(from: specs[0], to: other, at: 1100)
    #expect(!motion.isMoving(at: 1100))
    var hidden = motion
    motion.change(from: other, to: specs[1], at: 1200)
    #expect(motion.isMoving(at: 1200) && motion.isMoving(at: 2699) && !motion.isMoving(at: 2700))
    hidden.change(from: other, to: nil, at: 1150)
    hidden.change(from: nil, to: specs[1], at: 1200)
    #expect(!hidden.isMoving(at: 1200))
  }

  @Test func aFetchEndsAMotion() throws {
    var (motion, last) = (WatchedMotion(), FetchSpec?.none)
    for second in Int64(1)...5 {
      let spec = FetchSpec(area: .ring(try Ring(ToldLog.area(west: second))), filter: Filter())
      motion.change(from: last, to: spec, at: second * 1000)
      last = spec
    }
    #expect(motion.isMoving(at: 5999) && !motion.isMoving(at: 6000))
    motion.fetch(at: 6000)
    #expect(!motion.isMoving(at: 6001))
  }

  @Test func aViewportThatMovesForLongIsFetchedAllTheSame() {
    for (wait, isFound) in [(Int64(999), true), (1000, false)] {
      var log = ToldLog()
      log.moveViewport(to: 0)
      for step in 1...4 { log.moveViewport(to: Int64(step), after: 1000) }
      log.tick(after: wait)
      log.requestAll(.viewport, .first)
      #expect(log.findings.count == (isFound ? 1 : 0))
      guard !isFound else { continue }
      // After the fetch, the five seconds begin again.
      log.answer(.viewport, after: 100)
      log.moveViewport(to: 30, after: 100)
      log.moveViewport(to: 31, after: 1000)
      log.tick(after: 1499)
      log.requestAll(.viewport, .areaChanged)
      #expect(log.findings.count == 1)
    }
  }
}

extension ToldLog {
  /// A log with reports of its own that wait.
  static func withReports(_ count: Int) -> ToldLog {
    var log = ToldLog()
    for index in 0..<count {
      log.send(
        .reportTracked(
          TurbulenceReport(
            cell: 0x0F_1234, altitude: UInt8(index), severity: 2, edrE4: 100, observedAt: UInt32(log.now / 1000))),
        isDecided: false)
    }
    log.tick(after: 20_000)
    return log
  }

  /// The service accepts the upload.
  mutating func confirm() {
    let body = Array(#"{"data":{"accepted":1},"meta":{},"links":{},"warnings":{}}"#.utf8)
    send(
      .responseReceived(.init(request: state.nextRequest - 1, status: 200, wireBytes: 90, body: .inline(body))),
      isDecided: false)
  }

  mutating func moveViewport(to west: Int64, after ms: Int64 = 200) {
    tick(after: ms - 200)
    change(isDecided: false) { $0.viewport = ToldLog.area(west: west) }
  }
}

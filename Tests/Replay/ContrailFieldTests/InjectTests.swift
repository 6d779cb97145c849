import ContrailCore
import ContrailField
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

/// Recorded flights with trouble put in.
@Suite struct InjectTests {
  private static let minute: Int64 = 60_000

  private static let atlantic = Result { try injection("atlantic") }

  private static func injection(_ name: String) throws -> Injection { try Injection(path: Logs.recording(name)) }

  @Test(arguments: [
    "atlantic", "relaunch-in-flight", "own-reports", "captive-portal", "polygons", "destination-weather",
    "listening-storm", "listening-dying-link", "listening-quiet-ocean",
  ])
  func withoutTroubleAFlightIsTheRecording(_ name: String) throws {
    let injection = try Self.injection(name)
    let summary = FlightSummary(path: injection.path)
    #expect(injection.recorded.digest == summary.digest)
    #expect(injection.recorded.findings.isEmpty, "\(injection.recorded.findings)")
    #expect(injection.recorded.lineCount == summary.statistics.inputs + summary.statistics.decisions)
  }

  /// The judge knows what a snapshot says: that the app is online, and what it holds.
  @Test(arguments: ["atlantic", "own-reports", "listening-storm"])
  func aLogThatWasCutIsFlownFromItsSnapshot(_ name: String) throws {
    let whole = try LogDraft(path: Logs.recording(name))
    var hasRequestUnderWay = false
    for part in 2...6 {
      let cut = whole.starting(atTurn: whole.turns.count * part / 8)
      if cut.startState.scope(.corridor)?.inFlight != nil { hasRequestUnderWay = true }
      let (path, storage) = cut.inMemory
      let injection = try Injection(path: path, storage: storage)
      #expect(injection.recorded.findings.isEmpty, "\(injection.recorded.findings)")
      #expect(injection.recorded.digest == Logs.summary(of: cut).digest)
      let outage = try injection.fly([Trouble(.outage, 10 * Self.minute..<40 * Self.minute)])
      #expect(outage.findings.isEmpty && outage.digest != injection.recorded.digest, "\(outage.findings)")
    }
    #expect(hasRequestUnderWay)
  }

  @Test func anOutageCostsDataAndIsOver() throws {
    let injection = try Self.atlantic.get()
    let outage = try injection.fly([Trouble(.outage, 60 * Self.minute..<240 * Self.minute)])
    #expect(outage.findings.isEmpty, "\(outage.findings)")
    #expect(outage.withoutMS > injection.recorded.withoutMS)
    #expect(outage.requests < injection.recorded.requests)
    #expect(outage.digest != injection.recorded.digest)
    #expect(try injection.fly(outage.troubles).digest == outage.digest)
  }

  /// A launch learns of the link from the device.
  @Test func aLinkThatIsUpAgainIsNotUsedBeforeTheDeviceTellsOfIt() throws {
    var known = KnownFlight(seconds: [])
    known.inputs += [
      (27 * Self.minute, .sessionStarted(.init(engine: EngineVersion.current.description, id: "again", seed: 9))),
      (29 * Self.minute, .connectivityChanged(isOnline: true)),
    ]
    known.fly()
    let disk = MemoryDisk()
    try known.write(to: "/a.jsonl", on: disk)
    let whatIf = WhatIf(try RecordedFlight(path: "/a.jsonl", storage: disk))
    var changes: [[Int64]] = []
    _ = try whatIf.fly(through: [Trouble(.outage, 26 * Self.minute..<28 * Self.minute)]) { record, _ in
      guard case .input(.connectivityChanged(let isOnline)) = record.event else { return }
      changes.append([(record.at - KnownFlight.start) / Self.minute, isOnline ? 1 : 0])
    }
    #expect(changes == [[0, 1], [26, 0], [29, 1]])
  }

  @Test(arguments: [
    "latency=20000", "drop", "timeout", "status=503", "retry-after=600", "unauthorized", "badrequest", "gone", "garble",
    "count", "follows", "ahead=7200", "stale=7200",
  ])
  func aFaultChangesTheFlightAndKeepsTheGuarantees(_ fault: String) throws {
    let injection = try Self.atlantic.get()
    let flight = try injection.fly([Trouble("fault", "\(fault)@t+30m..t+2h")])
    #expect(flight.findings.isEmpty, "\(flight.findings)")
    #expect(flight.digest != injection.recorded.digest)
    // A single one may be healed without a trace, or have the same effect: after a refusal, nothing is requested.
    let once = try injection.fly([Trouble("fault", "\(fault)@t+30m")])
    #expect(once.findings.isEmpty, "\(once.findings)")
  }

  @Test(arguments: ["atlantic", "relaunch-in-flight", "own-reports", "destination-weather"])
  func flightsWithTroubleFromSeedsKeepTheGuarantees(_ name: String) throws {
    let injection = try Self.injection(name)
    let plans = (1...5).map { Trouble.drawn(seed: $0, lengthMS: injection.lengthMS) }
    for flight in try injection.flyAll(plans, threads: 2) {
      #expect(flight.findings.isEmpty, "\(flight.troubles.map(\.name)): \(flight.findings)")
    }
  }

  @Test func aFlightWithTroubleIsARecording() throws {
    let injection = try Self.atlantic.get()
    let troubles = [
      try Trouble("kill", "t+70m"), try Trouble("outage", "t+1h..t+1h20m"), try Trouble("fault", "garble@t+2h"),
    ]
    let folder = try TemporaryDirectory()
    try injection.write(troubles, to: folder.path + "/b.jsonl")
    let summary = FlightSummary(path: folder.path + "/b.jsonl")
    #expect(summary.result == "same", "\(summary.outcome)")
    #expect(summary.findings.isEmpty)
    #expect(summary.digest == (try injection.fly(troubles).digest))
    #expect(summary.coverage.faults.isSuperset(of: ["relaunch", "offline", "200, not JSON"]))
    withExtendedLifetime(folder) {}
  }

  /// After trouble, the server holds requests as their terms say, so that the client goes on listening.
  @Test(arguments: ["listening-storm", "listening-dying-link", "listening-quiet-ocean"])
  func aFlightWithTroubleThatListensIsARecording(name: String) throws {
    let injection = try Self.injection(name)
    let troubles = [try Trouble("fault", "drop@t+30m..t+40m")]
    let folder = try TemporaryDirectory()
    let path = folder.path + "/b.jsonl"
    try injection.write(troubles, to: path)
    let summary = FlightSummary(path: path)
    #expect(summary.result == "same", "\(summary.outcome)")
    #expect(summary.findings.isEmpty)
    #expect(summary.digest == (try injection.fly(troubles).digest))
    let flight = try RecordedFlight(path: path)
    let later = flight.exchanges.filter {
      $0.sentAtMS > flight.startMS + 45 * Self.minute && $0.response?.status == 200
    }
    let held = later.filter { $0.hold != nil }
    #expect(held.count > 10 && held.count > later.count / 2)
    #expect(held.contains { $0.durationMS > 49_000 })
    for exchange in held {
      let terms = try #require(exchange.hold)
      #expect(exchange.durationMS < terms.seconds * 1000 + 20_000)
    }
    withExtendedLifetime(folder) {}
  }

  /// After an answer to a held request, an urgent report is known to the second: an earlier one would have ended it earlier.
  @Test func heldRequestsTellWhenReportsArrived() throws {
    let flight = try RecordedFlight(path: Logs.recording("listening-storm"))
    var urgent = 0
    for exchange in flight.exchanges where exchange.durationMS > 30_000 {
      guard let terms = exchange.hold, case .answer(let answer)? = exchange.response(in: flight.world)?.body else {
        continue
      }
      for report in answer.reports {
        let observation = flight.world.observations[try #require(flight.world.index(of: report))]
        #expect(observation.latest < answer.token)
        #expect(observation.latest - observation.earliest <= (terms.isUrgent(report) ? 1 : terms.ordinarySeconds))
        if terms.isUrgent(report) { urgent += 1 }
      }
    }
    #expect(urgent > 10)
  }

  @Test(arguments: ["listening-storm", "listening-dying-link"])
  func listeningFlightsWithTroubleFromSeedsKeepTheGuarantees(_ name: String) throws {
    let injection = try Self.injection(name)
    let plans = (1...10).map { Trouble.drawn(seed: $0, lengthMS: injection.lengthMS) }
    for flight in try injection.flyAll(plans, threads: 2) {
      #expect(flight.findings.isEmpty, "\(flight.troubles.map(\.name)): \(flight.findings)")
    }
  }

  @Test func aSweepHasAnOutageAtEveryMinute() throws {
    let injection = try Self.injection("manual-refresh")
    let plans = injection.sweep(outageMS: 5 * Self.minute)
    #expect(plans.count == Int((injection.lengthMS + Self.minute - 1) / Self.minute))
    #expect(plans[0] == [Trouble(.outage, 0..<5 * Self.minute)])
    #expect(plans[3] == [Trouble(.outage, 3 * Self.minute..<8 * Self.minute)])
    let some = Array(plans.prefix(21))
    let flights = try injection.flyAll(some, threads: 2)
    #expect(flights.map(\.troubles) == some)
    let report = InjectionReport(injection, flights)
    #expect(report.exitCode == 0, "\(report.text)")
    #expect(report.text.contains("longest without data: --outage t+"))
    #expect(report.json.split(separator: "\n").count == 22)
  }

  @Test func theNameOfATroubleIsItsOption() throws {
    for (option, text) in [
      ("outage", "t+01:00:00..t+01:20:00"), ("kill", "t+00:00:09"), ("fault", "gone@t+01:00:00"),
      ("fault", "latency=250@t+01:00:00..t+25:00:00"),
    ] {
      #expect(try Trouble(option, text).name == "--\(option) \(text)")
    }
    for trouble in (1...200).flatMap({ Trouble.drawn(seed: $0, lengthMS: 36_000_000) }) {
      let words = trouble.name.split(separator: " ").map(String.init)
      #expect(try Trouble(String(words[0].dropFirst(2)), words[1]) == trouble)
    }
  }

  @Test func textsThatAreNoTroubleAreRefused() {
    for (option, text) in [
      ("outage", "t+1h"), ("outage", "t+2h..t+1h"), ("outage", ""), ("outage", "1h..tomorrow"), ("kill", "t+1h..t+2h"),
      ("fault", "garble"), ("fault", "sorrow@t+1h"), ("fault", "status=200@t+1h"), ("fault", "latency=@t+1h"),
      ("fault", "gone@"),
    ] {
      #expect(throws: InputError.self, "--\(option) \(text)") { try Trouble(option, text) }
    }
  }
}

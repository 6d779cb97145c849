import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// Flights whose cause is known.
@Suite struct InevitabilityTests {
  private static let minute: Int64 = 60_000

  private static func verdict(
    _ name: String, _ outcome: FlightOutcome, _ change: (inout Inevitability) -> Void = { _ in }
  ) throws -> Inevitability.Verdict {
    var inevitability = try Inevitability(RecordedFlight(path: Logs.recording(name)), outcome)
    inevitability.futures = 20
    change(&inevitability)
    return try inevitability.verdict(threads: 2)
  }

  /// Offline from minute 45 to 135, with a history of an hour: what expires at minute 105 was lost at minute 45.
  @Test func expiredDataIsCausedByTheOutageAndNotByTheExpiry() throws {
    let verdict = try Self.verdict("offline-past-expiry", .withoutData(.corridor, atMS: 115 * Self.minute))
    let cause = try #require(verdict.cause)
    #expect(verdict.words[cause.input.seq] == "connectivity.changed online → offline")
    #expect(cause.input.at - verdict.startMS == 45 * Self.minute)
    #expect(cause.share == 1)
    #expect(try #require(verdict.before).share < 0.5)
    // The last answer before minute 45 is valid for an hour.
    #expect((100 * Self.minute...106 * Self.minute).contains(verdict.symptomMS - verdict.startMS))
    // Until about then, the link could have come back.
    let lastChance = try #require(verdict.lastChanceMS) - verdict.startMS
    #expect((113 * Self.minute...115 * Self.minute).contains(lastChance))
  }

  /// The key is refused from minute 20 on, and no request is sent until minute 60, but for a refresh at minute 40.
  @Test func oldDataIsCausedByTheRefusalOfTheKey() throws {
    let verdict = try Self.verdict(
      "key-revoked", .older(.corridor, thanMS: 20 * Self.minute, atMS: 55 * Self.minute))
    let cause = try #require(verdict.cause)
    #expect(verdict.words[cause.input.seq]?.contains("401") == true, "\(verdict.text)")
    #expect((19 * Self.minute...23 * Self.minute).contains(cause.input.at - verdict.startMS))
  }

  /// Nothing but a setting of the application keeps the data from being updated.
  @Test func aSettingIsFoundByLeavingItOut() throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    var rig = Rig.flying()
    for _ in 0..<20 {
      rig.pass(seconds: 60)
      rig.now += 800
      rig.answer()
    }
    rig.send(.frequencyChanged(.none))
    rig.now += 90 * Self.minute
    rig.send(.clockAdjusted(byMS: 0))
    try rig.writeLog(to: folder.file("a.jsonl"))
    let start = rig.records[0].at
    let flight = try RecordedFlight(path: folder.file("a.jsonl"))
    var inevitability = try Inevitability(
      flight, .older(.corridor, thanMS: 60 * Self.minute, atMS: rig.now - start - Self.minute))
    inevitability.futures = 12
    let verdict = try inevitability.verdict()
    #expect(verdict.before == nil)
    #expect(
      verdict.omissions.contains { $0.ended == 0 && verdict.words[$0.place.seq]?.contains("frequency") == true },
      "\(verdict.text)")
  }

  @Test func everyLineAndBisectionAgree() throws {
    let outcome = FlightOutcome.withoutData(.corridor, atMS: 115 * Self.minute)
    let bisected = try Self.verdict("offline-past-expiry", outcome) { $0.gridCount = 4 }
    let every = try Self.verdict("offline-past-expiry", outcome) {
      $0.gridCount = nil
      $0.futures = 8
    }
    #expect(bisected.cause?.input == every.cause?.input)
    #expect(bisected.forks.count < every.forks.count)
  }

  @Test func threadsDontChangeTheVerdict() throws {
    let outcome = FlightOutcome.withoutData(.corridor, atMS: 115 * Self.minute)
    let inevitability = try Inevitability(RecordedFlight(path: Logs.recording("offline-past-expiry")), outcome)
    #expect(try inevitability.verdict(threads: 1).json == inevitability.verdict(threads: 4).json)
  }

  @Test func aFlightThatDoesntEndSoIsRefused() throws {
    #expect(throws: WhatIfError.self) {
      try Self.verdict("offline-past-expiry", .withoutData(.corridor, atMS: 30 * Self.minute))
    }
  }

  @Test(arguments: [
    ("no-data@t+01:00:00", true), ("no-data@1h", true), ("older=30m@1h", true), ("rule=due", true),
    ("rule=countDiffers:full@2h", true), ("no-data", false), ("older=30m", false), ("older=0s@1h", false),
    ("rule=nothing", false), ("rule=due:half", false), ("no-data@-1h", false), ("", false), ("no-data=1@1h", false),
  ])
  func anOutcomeIsRead(_ text: String, _ isValid: Bool) {
    #expect(((try? FlightOutcome(text, scope: nil)) != nil) == isValid)
  }

  @Test func intervalsOfSharesAreThoseOfWilson() {
    let half = Inevitability.Verdict.interval(ended: 10, count: 20)
    #expect(abs(half.lowerBound - 0.299) < 0.001 && abs(half.upperBound - 0.701) < 0.001)
    let all = Inevitability.Verdict.interval(ended: 40, count: 40)
    #expect(abs(all.lowerBound - 0.912) < 0.001 && all.upperBound == 1)
  }

  @Test func aMovedLinkHasTheOutagesOfTheFlightAtOtherTimes() throws {
    let flight = try RecordedFlight(path: Logs.recording("offline-past-expiry"))
    let length = flight.endMS - flight.startMS
    for part in Int64(0)..<7 {
      let shift = length * part / 7
      let course = LinkCourse(link: .moved(byMS: shift), from: flight.startMS)
      let down = course.outages(of: flight).reduce(0) { $0 + $1.span.upperBound - $1.span.lowerBound }
      #expect(abs(down - 90 * Self.minute) <= 2, "shift \(shift)")
      #expect(course.recordedTime(at: flight.startMS, in: flight) == flight.startMS + shift)
    }
  }
}

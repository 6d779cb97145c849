import ContrailCore
import ContrailGeodesy
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// Where the recording tells everything, a flight over another link is the flight as it would have been, line by line.
@Suite struct KnownCourseTests {
  private static let minute: Int64 = 60_000

  /// Reports that arrive in the middle of each other minute.
  private static let seconds = (0..<40).map { 90 * Int64($0) + 20 + Int64(Digest.mix(UInt64($0) + 3) % 30) }

  /// The lines of a flight, and its recording.
  private static func recorded(_ flight: KnownFlight) throws -> (lines: [String], whatIf: WhatIf) {
    var flown = flight
    flown.fly()
    let disk = MemoryDisk()
    try flown.write(to: "/a.jsonl", on: disk)
    let whatIf = WhatIf(try RecordedFlight(path: "/a.jsonl", storage: disk))
    return (try KnownFlight.lines(of: "/a.jsonl", on: disk), whatIf)
  }

  /// The lines of a recorded flight over another link.
  private static func lines(_ whatIf: WhatIf, on link: LinkCourse.Link, from start: Int64 = KnownFlight.start) throws
    -> [String]
  {
    let server = whatIf.server(run: 0)
    var (flight, lines) = (whatIf.begun(server), [String]())
    flight.depart(on: LinkCourse(link: link, from: start), server) { record, _ in lines.append(record.known) }
    _ = try flight.run()
    return lines
  }

  private static func lines(_ whatIf: WhatIf, through troubles: [Trouble]) throws -> [String] {
    var lines: [String] = []
    _ = try whatIf.fly(through: troubles) { record, _ in lines.append(record.known) }
    return lines
  }

  // MARK: Flights

  enum Kind: CaseIterable {
    case plain, slow, refused, forgetful, gone, lost, repaired, fetchedAgain, uploads, offline, ahead
    case held, heldSlow, heldAhead, heldLost, heldRefused, heldEarly, heldSilent
    /// With a map, whose requests share exchanges with those of the corridor.
    case map, mapRefused, mapForgetful, mapGone, mapHeld

    var flight: KnownFlight {
      let hasMap = [Kind.map, .mapRefused, .mapForgetful, .mapGone, .mapHeld].contains(self)
      var flight = KnownFlight(seconds: KnownCourseTests.seconds) {
        if hasMap { $0.viewport = KnownFlight.polygon(by: 4) }
      }
      let bad = Int64(20 * 60)..<Int64(23 * 60)
      switch self {
      case .plain, .map: break
      case .slow: flight.slowMS = { Int64(Digest.mix(UInt64($0)) % 9000) }
      case .refused, .mapRefused: flight.fail(with: 503, in: bad)
      case .forgetful, .mapForgetful: flight.fail(with: 404, in: bad)
      case .gone, .mapGone: flight.fail(with: 410, in: bad)
      case .lost: flight.fail(with: 0, in: bad)
      case .held, .mapHeld: flight.holdSeconds = 540
      case .heldAhead: (flight.holdSeconds, flight.clockLeadMS) = (540, { _ in 70_000 })
      case .heldLost, .heldRefused:
        flight.holdSeconds = 540
        flight.fail(with: self == .heldLost ? 0 : 503, in: bad)
      case .heldSilent:
        (flight.reports, flight.holdSeconds) = ([], 540)
        flight.isSilent = { (26 * 60..<29 * 60).contains($0) }
      case .heldEarly:
        flight.holdSeconds = 540
        flight.longestHoldMS = { bad.contains($0) ? 20_000 : .max }
      case .heldSlow:
        flight.holdSeconds = 540
        flight.slowMS = { Int64(Digest.mix(UInt64($0)) % 2000) }
      case .repaired, .fetchedAgain:
        (flight.hasSums, flight.repairs) = (true, self == .repaired)
        flight.isWrong = { (1200..<1262).contains($0) }
      case .uploads:
        for index in Int64(0)..<5 {
          let report = KnownFlight.report(1000 + UInt64(index), at: 600 * index)
          flight.inputs.append((600_000 * index + 5000, .reportTracked(report)))
        }
      case .offline:
        flight.inputs += [
          (16 * minute, .connectivityChanged(isOnline: false)), (19 * minute, .connectivityChanged(isOnline: true)),
        ]
      case .ahead: flight.clockLeadMS = { _ in 70_000 }
      }
      return flight
    }
  }

  // MARK: The recorded link

  /// The size of the sketch of a repair depends on what the server said.
  @Test(arguments: Kind.allCases.filter { $0 != .repaired }) func aLinkThatIsMovedByNothingIsTheRecordedOne(
    _ kind: Kind
  ) throws {
    let (wanted, whatIf) = try Self.recorded(kind.flight)
    #expect(wanted.count > (kind == .heldSilent ? 20 : 60))
    for start in [0, 21 * Self.minute].map({ KnownFlight.start + $0 }) {
      let found = try Self.lines(whatIf, on: .moved(byMS: 0), from: start)
      let difference = KnownFlight.difference(wanted, found)
      #expect(difference == nil, "\(kind) from \(start)")
    }
  }

  /// An outage at the start changes nothing of the link and the service later.
  @Test(arguments: [
    Kind.plain, .refused, .forgetful, .gone, .lost, .held, .heldEarly, .heldSilent, .heldRefused, .heldLost, .uploads,
    .offline, .ahead,
  ])
  func afterAnOutageTheLinkIsTheRecordedOne(_ kind: Kind) throws {
    let flight = kind.flight
    var truth = flight
    truth.inputs.insert((2 * Self.minute, .connectivityChanged(isOnline: false)), at: 3)
    truth.inputs.insert((3 * Self.minute, .connectivityChanged(isOnline: true)), at: 4)
    truth.inputs.sort { $0.at < $1.at }
    let (wanted, _) = try Self.recorded(truth)
    let (_, whatIf) = try Self.recorded(flight)
    let found = try Self.lines(whatIf, through: [Trouble(.outage, 2 * Self.minute..<3 * Self.minute)])
    let difference = KnownFlight.difference(wanted, found)
    #expect(difference == nil, "\(kind)")
  }

  /// A fault that spoils nothing: the flight is a different one, but each request gets its recorded result. A repair isn't compared,
  /// because the size of its sketch depends on what the server said.
  @Test(arguments: Kind.allCases.filter { $0 != .repaired }) func theSameRequestHasTheSameResult(_ kind: Kind) throws {
    try Self.compareWithoutAFault(kind.flight)
  }

  /// Two requests of the same moment each get their own recorded result.
  @Test(arguments: [ScopeID.corridor, .viewport]) func eachRequestOfAMomentHasItsResult(_ scope: ScopeID) throws {
    var flight = KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }
    flight.isCompact = false
    flight.refusal = { $0.scope == scope && (20 * 60..<23 * 60).contains($1) ? 503 : nil }
    try Self.compareWithoutAFault(flight)
  }

  private static func compareWithoutAFault(
    _ flight: KnownFlight, _ place: SourceLocation = #_sourceLocation
  ) throws {
    let (wanted, whatIf) = try recorded(flight)
    // The first request isn't a delta.
    let found = try lines(whatIf, through: [Trouble(.fault(.gone), 0..<1)])
    let difference = KnownFlight.difference(wanted, found)
    #expect(difference == nil, sourceLocation: place)
  }

  @Test func onlyDeltasAreGone() throws {
    let whatIf = try Self.recorded(Kind.plain.flight).whatIf
    let lines = try Self.lines(whatIf, through: [Trouble(.fault(.gone), 10 * Self.minute..<13 * Self.minute)])
    let (gone, full) = (lines.count { $0.contains("\"status\":410") }, lines.count { $0.contains("\"mode\":\"full\"") })
    #expect(gone > 0 && full == gone + 1)
  }

  @Test func aFaultThatIsMeantOnceSpoilsOneAnswer() throws {
    let whatIf = try Self.recorded(Kind.plain.flight).whatIf
    let fault = try #require(InjectedFault("status=503"))
    for (isOnce, counts) in [(true, 1...1), (false, 2...99)] {
      let trouble = Trouble(.fault(fault), 10 * Self.minute..<30 * Self.minute, isOnce: isOnce)
      let lines = try Self.lines(whatIf, through: [trouble])
      #expect(counts.contains(lines.count { $0.contains("\"status\":503") }))
    }
  }

  /// Of a flight over the recorded link, everything is known.
  @Test(arguments: [Kind.plain, .refused, .gone, .lost, .uploads, .map, .mapRefused, .held])
  func everyByteOfTheRecordedLinkIsKnown(_ kind: Kind) throws {
    let whatIf = try Self.recorded(kind.flight).whatIf
    let server = whatIf.server(run: 0)
    var (recorded, moved) = (whatIf.begun(server), whatIf.begun(server))
    moved.depart(on: LinkCourse(link: .moved(byMS: 0), from: KnownFlight.start), server)
    let outcomes = [try recorded.run(), try moved.run()]
    let (known, derived) = (outcomes[0].knowledge, outcomes[1].knowledge)
    #expect(!known.hasDeparted && derived.hasDeparted)
    for (figures, knowledge) in outcomes.map({ ($0.figures, $0.knowledge) }) {
      #expect(knowledge.up.recorded + knowledge.up.derivable == Double(figures.upBytes))
      #expect(knowledge.down.recorded + knowledge.down.derivable == Double(figures.downBytes))
      for bytes in [knowledge.up, knowledge.down] { #expect(bytes.unknown == 0 && bytes.missing == 0) }
      #expect(knowledge.unknownExchanges == 0 && knowledge.gaps.values.allSatisfy { $0 == 0 })
    }
    #expect(known.up.derivable == 0 && known.derivableExchanges == 0 && known.recordedExchanges > 5)
    #expect(derived.up.recorded == 0 && derived.recordedExchanges == 0)
    #expect(derived.derivableExchanges == known.recordedExchanges)
  }

  // MARK: Other links

  /// A service that is out of order for ten minutes is so ten minutes earlier.
  @Test(arguments: [503, 404, 410, 0]) func aMovedLinkHasItsFaultsAtOtherTimes(_ status: Int) throws {
    let shift: Int64 = 10 * 60
    var (flight, truth) = (KnownFlight(seconds: Self.seconds), KnownFlight(seconds: Self.seconds))
    flight.fail(with: status, in: 20 * 60..<30 * 60)
    truth.fail(with: status, in: 20 * 60 - shift..<30 * 60 - shift)
    let found = try Self.lines(try Self.recorded(flight).whatIf, on: .moved(byMS: shift * 1000))
    let difference = KnownFlight.difference(try Self.recorded(truth).lines, found)
    #expect(difference == nil)
  }

  @Test(arguments: [503, 404, 410, 0]) func overAPerfectLinkEverythingIsServed(_ status: Int) throws {
    let plain = KnownFlight(seconds: Self.seconds)
    var flight = plain
    flight.fail(with: status, in: 20 * 60..<23 * 60)
    let found = try Self.lines(try Self.recorded(flight).whatIf, on: .perfect)
    let difference = KnownFlight.difference(try Self.recorded(plain).lines, found)
    #expect(difference == nil)
  }

  @Test func overAPerfectLinkHeldRequestsAreAnsweredByTheirTerms() throws {
    let flight = Kind.held.flight
    let (wanted, whatIf) = try Self.recorded(flight)
    let difference = KnownFlight.difference(wanted, try Self.lines(whatIf, on: .perfect))
    #expect(difference == nil)
  }
}

import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// Where the recording tells everything, a prediction is the flight as it would have been, line by line.
@Suite struct KnownFlightTests {
  static let minute: Int64 = 60_000

  /// Reports that arrive in the middle of each other minute.
  static let seconds = (0..<40).map { 90 * Int64($0) + 20 + Int64(Digest.mix(UInt64($0) + 3) % 30) }

  /// The flight under an alternative: the same inputs, with other settings.
  private static func changed(_ flight: KnownFlight, _ alternative: Alternative) -> KnownFlight {
    var other = flight
    other.inputs = []
    var (hasBegun, isOnline, last) = (false, false, ResolvedQuery())
    func isInPart(_ at: Int64) -> Bool { alternative.span?.contains(at) ?? true }
    for (at, input) in flight.inputs {
      switch input {
      case .sessionStarted:
        other.inputs.append((at, input))
        if !hasBegun, isInPart(at) {
          if let history = alternative.history { other.inputs.append((at, .historyChanged(history))) }
          if let frequency = alternative.frequency { other.inputs.append((at, .frequencyChanged(frequency))) }
          last = alternative.query(DataQuery()).resolved()
          if last != ResolvedQuery() { other.inputs.append((at, .queryChanged(last))) }
        }
        (hasBegun, isOnline) = (true, false)
      case .historyChanged where alternative.history != nil && isInPart(at): break
      case .frequencyChanged where alternative.frequency != nil && isInPart(at): break
      case .queryChanged(let query):
        var given = DataQuery(query)
        if isInPart(at) { given = alternative.query(given) }
        if given.resolved() != last { other.inputs.append((at, .queryChanged(given.resolved()))) }
        last = given.resolved()
      case .connectivityChanged(let isUp) where alternative.link != nil && (!isUp || isOnline): break
      default: other.inputs.append((at, input))
      }
      if case .connectivityChanged(true) = input { isOnline = true }
    }
    if let offered = alternative.offered { other.isCompact = offered == .compact }
    other.refetches = alternative.policy == .seed
    other.link = alternative.link
    return other
  }

  struct Comparison {
    var prediction: Prediction
    var truth: RecordedFlight
    var recorded: RecordedFlight
    var predicted: RecordedFlight
  }

  /// Compares the first run of an alternative with the truth.
  @discardableResult
  static func compare(
    _ flight: KnownFlight, _ alternative: Alternative, truth change: (inout KnownFlight) -> Void = { _ in },
    isEveryLineKnown: Bool = true, _ place: SourceLocation = #_sourceLocation
  ) throws -> Comparison {
    let disk = MemoryDisk()
    var (flown, truth) = (flight, changed(flight, alternative))
    flown.fly()
    try flown.write(to: "/a.jsonl", on: disk)
    change(&truth)
    truth.fly()
    try truth.write(to: "/b.jsonl", on: disk)
    var whatIf = WhatIf(try RecordedFlight(path: "/a.jsonl", storage: disk))
    whatIf.runs = 1
    _ = try whatIf.write(alternative, to: "/c.jsonl", storage: disk)
    let (wanted, found) = (
      try KnownFlight.lines(of: "/b.jsonl", on: disk), try KnownFlight.lines(of: "/c.jsonl", on: disk)
    )
    #expect(wanted.count > 5, sourceLocation: place)
    if isEveryLineKnown {
      let difference = KnownFlight.difference(wanted, found)
      #expect(difference == nil, "\(alternative.name)", sourceLocation: place)
    }
    let prediction = try whatIf.predictions([alternative])[0]
    let recorded = try RecordedFlight(path: "/b.jsonl", storage: disk)
    if isEveryLineKnown {
      let values = FigureValues(recorded.figures, in: recorded.world, comparedWith: whatIf.flight, whatIf.tariff)
      for figure in FigureValues.Figure.allCases {
        #expect(prediction[figure].value == values[figure], "\(figure)", sourceLocation: place)
      }
    }
    let predicted = try RecordedFlight(path: "/c.jsonl", storage: disk)
    return Comparison(prediction: prediction, truth: recorded, recorded: whatIf.flight, predicted: predicted)
  }

  // MARK: Settings

  @Test(arguments: [DataUpdateFrequency.none, .minimal, .medium]) func aLowerFrequencyIsKnown(
    _ frequency: DataUpdateFrequency
  ) throws {
    let flight = KnownFlight(seconds: Self.seconds)
    let comparison = try Self.compare(flight, Alternative { $0.frequency = frequency })
    #expect(comparison.prediction[.up].shares.unknown == 0 && comparison.prediction.hasVerdict)
  }

  @Test(arguments: [true, false]) func lessDataIsKnown(isCompact: Bool) throws {
    var flight = KnownFlight(seconds: Self.seconds, types: [.turbulence, .pireps, .traffic])
    flight.isCompact = isCompact
    flight.pireps = KnownFlight.pireps(arriving: (0..<10).map { 330 * $0 + 11 })
    for alternative in [
      Alternative { $0.severities = .atLeast(.lightModerate) }, Alternative { $0.types = .turbulence },
      Alternative { $0.types = .pireps }, Alternative { $0.types = [.turbulence, .pireps] },
      Alternative { $0.history = .halfHour },
      Alternative { ($0.history, $0.severities, $0.frequency) = (.halfHour, .atLeast(.moderate), .medium) },
    ] {
      let comparison = try Self.compare(flight, alternative)
      #expect(comparison.prediction.hasVerdict, "\(alternative.name)")
    }
  }

  @Test func aMapThatIsLeftOutIsKnown() throws {
    var flight = KnownFlight(seconds: Self.seconds) { $0.viewport = KnownFlight.polygon(by: 4) }
    flight.inputs.append(
      (Self.minute * 7, .queryChanged(Self.query(of: flight) { $0.viewport = KnownFlight.polygon(by: 3) })))
    let comparison = try Self.compare(flight, Alternative { $0.hasNoViewport = true })
    #expect(comparison.recorded.exchanges.contains { $0.sharing == 2 })
  }

  static func query(of flight: KnownFlight, _ change: (inout ResolvedQuery) -> Void) -> ResolvedQuery {
    var query = ResolvedQuery()
    for case (_, .queryChanged(let last)) in flight.inputs { query = last }
    change(&query)
    return query
  }

  @Test func aNarrowerCorridorIsKnown() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    let place = KnownFlight.place.coordinate
    func route(_ query: inout ResolvedQuery) {
      query.polygon = nil
      query.route = [-3.0, 3].map {
        FixedCoordinate(Coordinate(latitude: place.latitude, longitude: place.longitude + $0))
      }
      query.routeWidthMilliNM = 200_000
      query = DataQuery(query).resolved()
    }
    flight.inputs[2] = (0, .queryChanged(Self.query(of: flight, route)))
    let comparison = try Self.compare(flight, Alternative { $0.widthMilliNM = 120_000 })
    #expect(comparison.prediction[.down].shares.unknown < 0.01)
    let handles = [comparison.recorded, comparison.truth].map { $0.exchanges.compactMap(\.handle).first }
    #expect(handles[0] != handles[1])
  }

  /// Nothing differs, so nothing is in doubt.
  @Test(arguments: [200, 503, 404, 410, 0]) func aSettingThatIsTheRecordedOneChangesNothing(status: Int) throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.fail(with: status, in: Int64(20 * 60)..<Int64(23 * 60))
    let comparison = try Self.compare(flight, Alternative { $0.types = .turbulence })
    for figure in FigureValues.Figure.allCases {
      let estimate = comparison.prediction[figure]
      #expect(estimate.low == estimate.value && estimate.high == estimate.value, "\(figure)")
    }
  }

  /// After wrong sums, what differs is repaired, or everything is fetched.
  @Test(arguments: [true, false]) func wrongSumsLeadToTheSameUnderOtherSettings(repairs: Bool) throws {
    var flight = KnownFlight(seconds: Self.seconds)
    (flight.hasSums, flight.repairs) = (true, repairs)
    flight.isWrong = { (1200..<1262).contains($0) }
    let comparison = try Self.compare(
      flight, Alternative { $0.severities = .atLeast(.light) }, isEveryLineKnown: false)
    let truth = comparison.truth.figures.accounts
    #expect(truth.keys.contains { $0.rule == "countDiffers" })
    for (heading, account) in truth {
      let found = comparison.prediction.accounts.first { $0.heading == heading }
      #expect(found?.requests.value == Double(account.requests), "\(heading)")
    }
  }

  /// The answer to a repair has the head of an answer by handle.
  @Test func aRepairOfOtherRecordsIsKnown() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    (flight.hasSums, flight.repairs, flight.extraCount, flight.handleHeadBytes) = (true, true, 0, 57)
    flight.isWrong = { (1200..<1262).contains($0) }
    let comparison = try Self.compare(
      flight, Alternative { $0.severities = .atLeast(.light) }, isEveryLineKnown: false)
    #expect(comparison.truth.exchanges.contains { $0.mode == .repair })
    let heading = try #require(comparison.truth.figures.accounts.keys.first { $0.rule == "checksumDiffers" })
    let found = try #require(comparison.prediction.accounts.first { $0.heading == heading })
    let account = try #require(comparison.truth.figures.accounts[heading])
    #expect(found.requests.value == Double(account.requests))
    #expect(found.down.value == Double(account.down), "\(found.down.value), not \(account)")
  }

  /// A setting that comes too late for a request makes no other one, but the flight isn't the recorded one any more.
  @Test func aSettingWithoutARequestIsAnAlternative() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.lengthMS = 30_000
    let comparison = try Self.compare(flight, Alternative { $0.frequency = .minimal })
    #expect(comparison.recorded.exchanges.count == 1 && comparison.prediction[.up].value > 0)
    #expect(comparison.prediction[.up].high > comparison.prediction[.up].value)
  }

  @Test func aSettingInAPartIsKnown() throws {
    let flight = KnownFlight(seconds: Self.seconds)
    let alternative = Alternative {
      ($0.frequency, $0.span) = (DataUpdateFrequency.none, 10 * Self.minute..<30 * Self.minute)
    }
    try Self.compare(flight, alternative) { truth in
      truth.inputs.append((10 * Self.minute, .frequencyChanged(.none)))
      truth.inputs.append((30 * Self.minute, .frequencyChanged(.fast)))
    }
  }

  // MARK: What happens

  @Test func refreshesLaunchesAndOutagesAreThoseOfTheFlight() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.inputs += [
      (Self.minute * 6, .refreshRequested(full: false)), (Self.minute * 11, .refreshRequested(full: true)),
      (Self.minute * 16, .connectivityChanged(isOnline: false)),
      (Self.minute * 19, .connectivityChanged(isOnline: true)),
      (Self.minute * 27, .sessionStarted(.init(engine: EngineVersion.current.description, id: "again", seed: 9))),
      (Self.minute * 27 + 20, .connectivityChanged(isOnline: true)),
      (Self.minute * 40 + 100, .connectivityChanged(isOnline: false)),
      (Self.minute * 41, .connectivityChanged(isOnline: true)),
    ]
    for frequency in [DataUpdateFrequency.medium, .minimal] {
      try Self.compare(flight, Alternative { $0.frequency = frequency })
    }
    try Self.compare(flight, Alternative { $0.severities = .atLeast(.light) })
  }

  @Test func documentsAndUploadsAreThoseOfTheFlight() throws {
    var flight = KnownFlight(seconds: Self.seconds, types: [.turbulence, .turbulencePolygons])
    flight.document = { $0 < 700 ? 1 : $0 < 2400 ? 2 : 3 }
    for index in Int64(0)..<5 {
      let report = KnownFlight.report(1000 + UInt64(index), at: 600 * index)
      flight.inputs.append((600_000 * index + 5000, .reportTracked(report)))
    }
    flight.inputs.append(
      (Self.minute * 3, .queryChanged(Self.query(of: flight) { $0.weather.places = [Rig.place, Rig.otherPlace] })))
    for alternative in [
      Alternative { $0.severities = .atLeast(.light) }, Alternative { $0.history = .halfHour },
    ] {
      try Self.compare(flight, alternative)
    }
  }

  /// A server that refuses, forgets or loses for a time does so under any settings.
  @Test(arguments: [503, 404, 410, 0]) func troubleOfTheServerIsThatOfTheFlight(_ status: Int) throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.fail(with: status, in: Int64(20 * 60)..<Int64(23 * 60))
    try Self.compare(flight, Alternative { $0.severities = .atLeast(.light) })
  }

  @Test(arguments: [503, 410]) func theSizeOfARecordedRefusalIsNotInDoubt(status: Int) throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.fail(with: status, in: Int64(20 * 60)..<Int64(23 * 60))
    flight.fly()
    let disk = MemoryDisk()
    try flight.write(to: "/a.jsonl", on: disk)
    let whatIf = WhatIf(try RecordedFlight(path: "/a.jsonl", storage: disk))
    let server = whatIf.server(run: 0)
    var again = whatIf.begun(server)
    again.depart(on: LinkCourse(link: .moved(byMS: 0), from: 0), server)
    let outcome = try again.run()
    #expect(outcome.knowledge.down.variance == 0 && outcome.knowledge.down.derivable > 0)
  }

  /// The same moment has the same link.
  @Test func anAnswerToOtherDataTakesAsLongAsTheRecordedOne() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.slowMS = { Int64(Digest.mix(UInt64($0)) % 9000) }
    for alternative in [
      Alternative { $0.severities = .atLeast(.light) }, Alternative { $0.history = .halfHour },
    ] {
      let comparison = try Self.compare(flight, alternative)
      #expect(Set(comparison.truth.exchanges.map(\.durationMS)).count > 30)
    }
  }

  /// No answer had come when the recorded request was cancelled. Its answer comes after the time that others take.
  @Test func aRequestThatIsNotCancelledIsAnswered() throws {
    var flight = KnownFlight(seconds: Self.seconds) { $0.severities = SeveritySet([.moderate]) }
    var flown = flight
    flown.fly()
    let due = try #require(
      flown.records.filter { if case .input(.clockTicked) = $0.event { true } else { false } }.dropFirst(9).first)
    for after in [Int64(300), 700] {
      flight.inputs = Array(flight.inputs.prefix(3))
      flight.inputs.append(
        (due.at - KnownFlight.start + after, .queryChanged(Self.query(of: flight) { $0.severities = .all })))
      let comparison = try Self.compare(flight, Alternative { $0.severities = SeveritySet([.moderate]) })
      #expect(comparison.recorded.exchanges.count { $0.isCancelled } == 1)
      #expect(comparison.truth.exchanges.count { $0.isCancelled } == 0)
    }
    // The answer would have come later than others do.
    let second = (due.at - KnownFlight.start) / 1000
    flight.slowMS = { $0 == second ? 9000 : 0 }
    flight.inputs[3].at = due.at - KnownFlight.start + 3000
    let comparison = try Self.compare(
      flight, Alternative { $0.severities = SeveritySet([.moderate]) }, isEveryLineKnown: false)
    #expect(comparison.recorded.exchanges.first { $0.isCancelled }?.durationMS == 3000)
    let found = [comparison.truth, comparison.predicted].map { flight in
      flight.exchanges.first { $0.sentAtMS == due.at }?.durationMS
    }
    #expect(found == [9800, 3001])
  }

  /// The watermark stays until the clock has passed it again.
  @Test func aServerWhoseClockIsSetBackKeepsItsWatermarks() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.clockLeadMS = { $0 < 1800 ? 0 : -150_000 }
    let comparison = try Self.compare(
      flight, Alternative { $0.severities = .atLeast(.light) }, isEveryLineKnown: false)
    #expect(Set(comparison.truth.figures.accounts.keys.map(\.rule)) == ["first", "due"])
    #expect(Set(comparison.prediction.accounts.map { $0.heading.rule }) == ["first", "due"])
  }

  @Test func heldRequestsAreKnown() throws {
    var flight = KnownFlight(seconds: Self.seconds)
    flight.holdSeconds = 540
    let comparison = try Self.compare(
      flight, Alternative { $0.severities = .atLeast(.light) }, isEveryLineKnown: false)
    #expect(comparison.recorded.exchanges.contains { $0.wasHeld })
    #expect(abs(comparison.prediction[.requests].value - Double(comparison.truth.figures.requests)) <= 1)
  }
}

import ContrailCore
import ContrailWire
import Testing

@testable import ContrailField

/// What follows from the runs of an alternative: figures, their intervals, and where they come from.
@Suite struct PredictionTests {
  private typealias Knowledge = AlternativeFlight.Knowledge
  private typealias Pending = PlannedDeliveries.PendingBytes

  private static let whatIf = Result { WhatIf(try RecordedFlight(path: Logs.recording("polygons"))) }

  // MARK: Knowledge

  private static func pending(
    up: Int64 = 100, down: Int64 = 900, isRecorded: Bool = false, known: Double = 1, gap: Coverage.Gap? = nil,
    isLinkKnown: Bool = true, isUpKnown: Bool = true, isHeld: Bool = false, areSizesRecorded: Bool = true
  ) -> Pending {
    Pending(
      up: .init(bytes: up, deviation: 3, isRecorded: areSizesRecorded),
      down: .init(bytes: down, deviation: 4, isRecorded: areSizesRecorded), isRecorded: isRecorded,
      share: .init(known: known, gap: gap), isLinkKnown: isLinkKnown, isUpKnown: isUpKnown, isHeld: isHeld)
  }

  private static func knowledge(_ exchanges: Pending...) -> Knowledge {
    var knowledge = Knowledge()
    for exchange in exchanges { knowledge.add(exchange) }
    return knowledge
  }

  private static func shares(_ bytes: Knowledge.Bytes) -> [Double] { [bytes.recorded, bytes.derivable, bytes.unknown] }

  private static func exchanges(_ it: Knowledge) -> [Double] {
    [it.recordedExchanges, it.derivableExchanges, it.unknownExchanges]
  }

  @Test func aRecordedExchangeIsKnownAsItWas() {
    let knowledge = Self.knowledge(
      Self.pending(isRecorded: true, known: 0.5, gap: .area), Self.pending(isRecorded: true))
    #expect(Self.shares(knowledge.up) == [200, 0, 0] && Self.shares(knowledge.down) == [1800, 0, 0])
    #expect(Self.exchanges(knowledge) == [2, 0, 0] && knowledge.gaps.isEmpty)
    #expect(knowledge.down.missing == 0 && knowledge.down.variance == 0 && knowledge.down.foreign == 0)
  }

  @Test func anAnswerIsKnownAsFarAsItsDataIs() {
    let knowledge = Self.knowledge(
      Self.pending(known: 0.75, gap: .area), Self.pending(known: 0.5, gap: .types), Self.pending(known: 0.5, gap: .area)
    )
    #expect(Self.shares(knowledge.up) == [0, 300, 0] && Self.shares(knowledge.down) == [0, 1575, 1125])
    #expect(Self.exchanges(knowledge) == [0, 3, 0])
    #expect(knowledge.gaps == [.area: 0.75, .types: 0.5])
    // A half of the data has half of the bytes: as many are missing.
    #expect(abs(knowledge.down.missing - (900.0 / 3 + 900 + 900)) < 1e-9 && knowledge.up.missing == 0)
    // A hardly known one says little about what is missing.
    #expect(abs(Self.knowledge(Self.pending(known: 0)).down.missing - 900 * 19) < 1e-9)
    #expect(knowledge.up.variance == 27 && knowledge.down.variance == 48 && knowledge.down.foreign == 0)
  }

  @Test func withoutTheLinkNothingIsKnown() {
    let knowledge = Self.knowledge(Self.pending(isLinkKnown: false), Self.pending(isLinkKnown: false), Self.pending())
    #expect(Self.shares(knowledge.up) == [0, 100, 200] && Self.shares(knowledge.down) == [0, 900, 1800])
    #expect(Self.exchanges(knowledge) == [0, 1, 2] && knowledge.gaps == [.link: 2])
  }

  /// Unknown news would have ended a held request.
  @Test func aHeldRequestIsKnownAsFarAsItsNewsIs() {
    let knowledge = Self.knowledge(
      Self.pending(known: 0.75, gap: .area, isHeld: true), Self.pending(isHeld: true), Self.pending(isHeld: true))
    #expect(Self.shares(knowledge.up) == [0, 275, 25] && Self.exchanges(knowledge) == [0, 2.75, 0.25])
  }

  @Test func aRequestMayDependOnUnknownTraffic() {
    #expect(Self.shares(Self.knowledge(Self.pending(isUpKnown: false)).up) == [0, 0, 100])
  }

  /// The errors of heads of another server add up; those of one server even out.
  @Test func errorsOfUnknownHeadsAddUp() {
    let other = Self.pending(areSizesRecorded: false)
    let knowledge = Self.knowledge(other, other, Self.pending())
    #expect(knowledge.up.foreign == 6 && knowledge.up.variance == 9)
    #expect(knowledge.down.foreign == 8 && knowledge.down.variance == 16)
  }

  // MARK: Figures

  private static func run(
    _ values: [FigureValues.Figure: Double], late: [Double] = [0, 0, 0, 0, 0], never: [Double] = [0, 0, 0, 0, 0],
    accounts: [FlightFigures.Heading: FlightFigures.Account] = [:], _ knowledge: Knowledge
  ) throws -> Prediction.Run {
    var it = try whatIf.get().recorded
    it.values = FigureValues.Figure.allCases.map { values[$0] ?? 0 }
    (it.late, it.never) = (late, never)
    return Prediction.Run(values: it, accounts: accounts, knowledge: knowledge)
  }

  private static func departed(_ change: (inout Knowledge) -> Void = { _ in }) -> Knowledge {
    var knowledge = Knowledge()
    knowledge.hasDeparted = true
    (knowledge.up.derivable, knowledge.down.derivable, knowledge.derivableExchanges) = (1000, 9000, 10)
    change(&knowledge)
    return knowledge
  }

  private static func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 * max(1, abs(b)) }

  @Test func aFigureIsTheMeanOfItsRuns() throws {
    let runs = [10.0, 12, 14].map { value in
      Result {
        try Self.run([.requests: value, .ageMedian: value * 1000], late: [0, value, 0, 0, 0], Self.departed())
      }
    }
    let prediction = Prediction(Alternative(), try runs.map { try $0.get() })
    #expect(prediction[.requests].value == 12 && prediction[.ageMedian].value == 12_000)
    #expect(prediction.late[1].value == 12 && prediction.late[0].value == 0)
    #expect(prediction[.requests].low < 10 && prediction[.requests].high > 14)
    #expect(prediction[.requests].low.rounded() == prediction[.requests].low)
  }

  /// The errors of the model itself, which runs don't show. `Scripts/what-if-check` finds them wide enough.
  @Test func eachFigureHasItsMargin() throws {
    let margins: [(FigureValues.Figure, Double, Double)] = [
      (.requests, 1000, 2.25), (.sessions, 1000, 0.25), (.ageMedian, 100_000, 800), (.ageP95, 100_000, 800),
      (.ageWorst, 100_000, 1100), (.without, 100_000, 400), (.late, 100, 1.25), (.never, 100, 1.25), (.cost, 1000, 5),
      (.up, 10_000, 92), (.down, 10_000, 92),
    ]
    var values: [FigureValues.Figure: Double] = [:]
    for (figure, value, margin) in margins {
      #expect(Self.isNear(figure.margin(of: value), margin), "\(figure)")
      values[figure] = value
    }
    let prediction = Prediction(Alternative(), [try Self.run(values, Self.departed())])
    for (figure, value, margin) in margins where !figure.isCount {
      #expect(Self.isNear(prediction[figure].high - value, 4.3 * margin), "\(figure)")
      #expect(Self.isNear(value - prediction[figure].low, 4.3 * margin), "\(figure)")
    }
    #expect(prediction[.requests].high == 1010 && prediction[.requests].low == 990)
    #expect(prediction[.late].high == 106 && prediction[.sessions].high == 1002)
    // A flight in which nothing differs is the recorded one.
    let same = Prediction(Alternative(), [try Self.run(values, Self.departed { $0.hasDeparted = false })])
    for (figure, value, _) in margins { #expect(same[figure].low == value && same[figure].high == value, "\(figure)") }
    #expect(FigureValues.Figure.allCases.filter(\.isCount) == [.requests, .sessions, .late, .never])
  }

  @Test func theErrorsOfSizesWidenBytesAndCost() throws {
    let knowledge = Self.departed {
      ($0.up.variance, $0.up.foreign, $0.down.variance, $0.down.foreign, $0.down.missing) = (9, 4, 144, 5, 500)
    }
    let values: [FigureValues.Figure: Double] = [.up: 1000, .down: 9000, .cost: 20_000, .requests: 10]
    let prediction = Prediction(Alternative(), [try Self.run(values, knowledge)])
    func half(_ margin: Double, _ variance: Double) -> Double { 4.3 * (margin * margin + variance).squareRoot() }
    #expect(
      Self.isNear(prediction[.up].high - 1000, half(20, 25)) && Self.isNear(1000 - prediction[.up].low, half(20, 25)))
    #expect(Self.isNear(9000 - prediction[.down].low, half(84, 169)))
    // Unknown data adds bytes, and never saves any.
    #expect(Self.isNear(prediction[.down].high - 9000, half(84, 169) + 500))
    // Two for each byte.
    #expect(Self.isNear(20_000 - prediction[.cost].low, half(62, 4 * (25 + 169))))
    #expect(Self.isNear(prediction[.cost].high - 20_000, half(62, 4 * (25 + 169)) + 1000))
    #expect(prediction[.requests].high == 10 + (4.3 * 0.27).rounded(.up))
    // Without a byte there is no price of one.
    let none = Prediction(Alternative(), [try Self.run([.cost: 500], knowledge)])
    #expect(Self.isNear(none[.cost].high, 500 + half(3.5, 500 * 500 * (25 + 169)) + 500 * 500))
  }

  @Test func reportsOfASeverityHaveTheMarginAndTheSharesOfReports() throws {
    let knowledge = Self.departed { $0.unknownExchanges = 10 }
    let prediction = Prediction(
      Alternative(), [try Self.run([:], late: [0, 100, 0, 0, 0], never: [0, 0, 0, 300, 0], knowledge)])
    #expect(prediction.late.map(\.low) == [0, 94, 0, 0, 0] && prediction.late.map(\.high) == [2, 106, 2, 2, 2])
    #expect(prediction.never.map(\.low) == [0, 0, 0, 286, 0] && prediction.never.map(\.high) == [2, 2, 2, 314, 2])
    #expect((prediction.late + prediction.never).allSatisfy { $0.shares == prediction[.late].shares })
    #expect(prediction[.late].shares.unknown == 0.5)
  }

  @Test func equalRunsAreAsOne() throws {
    let knowledge = Self.departed {
      ($0.up.variance, $0.up.foreign, $0.down.variance, $0.down.foreign, $0.down.missing) = (9, 20, 144, 80, 500)
      ($0.up.recorded, $0.down.recorded, $0.down.unknown, $0.recordedExchanges) = (500, 600, 700, 8)
    }
    var account = FlightFigures.Account()
    (account.requests, account.up, account.down) = (10, 1000, 8000)
    let heading = FlightFigures.Heading(scope: "corridor", rule: "due")
    let values = Dictionary(
      uniqueKeysWithValues: zip(FigureValues.Figure.allCases, (1...).lazy.map { Double($0 * 1000) }))
    let run = try Self.run(
      values, late: [0, 100, 0, 0, 0], never: [0, 0, 0, 300, 0], accounts: [heading: account], knowledge)
    let (one, two) = (Prediction(Alternative(), [run]), Prediction(Alternative(), [run, run]))
    #expect(one.estimates == two.estimates && one.late == two.late && one.never == two.never)
    #expect(one.accounts.map { [$0.requests, $0.up, $0.down] } == two.accounts.map { [$0.requests, $0.up, $0.down] })
    #expect(one.unbounded.isEmpty && two.unbounded.isEmpty)
  }

  @Test func sharesAreThoseOfBytesAndOfExchanges() throws {
    let knowledge = Self.departed {
      ($0.up.recorded, $0.up.derivable, $0.up.unknown) = (100, 300, 100)
      ($0.down.recorded, $0.down.derivable, $0.down.unknown) = (1000, 500, 500)
      ($0.recordedExchanges, $0.derivableExchanges, $0.unknownExchanges) = (8, 1, 1)
    }
    func estimate(_ figure: FigureValues.Figure, _ change: (inout Knowledge) -> Void = { _ in }) throws -> [Double] {
      var knowledge = knowledge
      change(&knowledge)
      let shares = Prediction(Alternative(), [try Self.run([:], knowledge)])[figure].shares
      return [shares.recorded, shares.derivable, shares.unknown].map { ($0 * 1000).rounded() / 1000 }
    }
    #expect(try estimate(.up) == [0.2, 0.6, 0.2] && estimate(.down) == [0.5, 0.25, 0.25])
    #expect(try estimate(.cost) == [0.44, 0.32, 0.24] && estimate(.requests) == [0.8, 0.1, 0.1])
    #expect(try estimate(.ageMedian) == [0.8, 0.1, 0.1])
    // Which reports are missed depends on both; what is known less counts.
    #expect(try estimate(.late) == [0.5, 0.25, 0.25])
    #expect(try estimate(.never) { $0.unknownExchanges = 91 } == [0.08, 0.01, 0.91])
    // As much is known, but less was recorded.
    let less: (inout Knowledge) -> Void = {
      ($0.recordedExchanges, $0.derivableExchanges, $0.unknownExchanges) = (1, 2, 1)
    }
    #expect(try estimate(.late, less) == [0.25, 0.5, 0.25])
    let two = Prediction(
      Alternative(), [try Self.run([:], knowledge), try Self.run([:], Self.departed { $0.down.derivable = 2000 })])
    #expect(Self.isNear(two[.down].shares.derivable, 2500.0 / 4000))
  }

  /// Bytes of heads that nobody recorded are a guess once they are more than 3 % of all.
  @Test func foreignHeadsLeaveNoInterval() throws {
    func unbounded(up: Double, down: Double) throws -> [FigureValues.Figure] {
      let knowledge = Self.departed { ($0.up.foreign, $0.down.foreign) = (up, down) }
      let run = try Self.run([.up: 1000, .down: 9000, .cost: 5], knowledge)
      let other = try Self.run([.up: 1000, .down: 9000, .cost: 5], knowledge)
      return Prediction(Alternative(), [run, other]).unbounded
    }
    #expect(try unbounded(up: 30, down: 270) == [] && unbounded(up: 30.01, down: 0) == [.up, .cost])
    #expect(try unbounded(up: 0, down: 270.01) == [.down, .cost])
    #expect(try unbounded(up: 31, down: 271) == [.up, .down, .cost])
  }

  // MARK: Rules

  @Test func eachRuleHasItsRequestsAndBytes() throws {
    func account(_ requests: Int, _ up: Int64, _ down: Int64) -> FlightFigures.Account {
      var account = FlightFigures.Account()
      (account.requests, account.up, account.down) = (requests, up, down)
      return account
    }
    let (due, first) = (
      FlightFigures.Heading(scope: "corridor", rule: "due"), FlightFigures.Heading(scope: "a", rule: "first")
    )
    let runs = [
      try Self.run(
        [.up: 900, .down: 9000], accounts: [due: account(10, 1000, 8000), first: account(1, 1, 2)], Self.departed()),
      try Self.run([.up: 900, .down: 9000], accounts: [due: account(20, 3000, 10_000)], Self.departed()),
    ]
    let prediction = Prediction(Alternative(), runs)
    #expect(prediction.accounts.map(\.heading) == [first, due])
    #expect(prediction.accounts[1].requests.value == 15 && prediction.accounts[1].up.value == 2000)
    #expect(prediction.accounts[1].down.value == 9000 && prediction.accounts[0].requests.value == 0.5)
    #expect(prediction.accounts[1].requests.low.rounded() == prediction.accounts[1].requests.low)
    // Which areas share an exchange may differ: 1.4 % of the bytes.
    let one = Prediction(Alternative(), [try Self.run([:], accounts: [due: account(10, 1000, 8000)], Self.departed())])
    let margin = (76.0 * 76 + 0.0002 * 8000 * 8000).squareRoot()
    #expect(Self.isNear(one.accounts[0].down.high - 8000, 4.3 * margin))
    #expect(one.accounts[0].requests.high == 12)
    let same = Prediction(
      Alternative(),
      [try Self.run([:], accounts: [due: account(10, 1000, 8000)], Self.departed { $0.hasDeparted = false })])
    #expect(same.accounts[0].down.high == 8000 && same.accounts[0].requests.high == 10)
    // Of a wider corridor, the bytes down by rule have no interval.
    let wider = Prediction(Alternative(), runs, isWider: true)
    #expect(wider.accounts.map { $0.down.hasInterval } == [false, false] && wider.accounts[0].up.hasInterval)
    #expect(wider.hasUncertainRules && !prediction.hasUncertainRules && wider[.down].hasInterval)
  }

  @Test func rulesAreInTheOrderOfTheirNames() throws {
    let headings = (0..<9).map { FlightFigures.Heading(scope: "s\($0 / 3)", rule: "r\($0 % 3)") }
    let accounts = Dictionary(uniqueKeysWithValues: headings.map { ($0, FlightFigures.Account()) })
    let prediction = Prediction(Alternative(), [try Self.run([:], accounts: accounts, Self.departed())])
    #expect(prediction.accounts.map { $0.heading } == headings)
  }

  @Test func theReasonIsTheMostFrequentOfAllRuns() throws {
    let runs = [
      try Self.run([:], Self.departed { $0.gaps = [.area: 3, .types: 2] }),
      try Self.run([:], Self.departed { $0.gaps = [.area: 1, .types: 1.9, .times: 3.9] }),
    ]
    #expect(Prediction(Alternative(), runs).gap == .area)
    #expect(Prediction(Alternative(), [try Self.run([:], Self.departed())]).gap == nil)
  }

  @Test func aRefusalSaysHowMuchIsKnown() throws {
    let knowledge = Self.departed {
      ($0.up.recorded, $0.up.derivable, $0.up.unknown, $0.gaps) = (899, 0, 101, [.types: 1])
    }
    let prediction = Prediction(Alternative(), [try Self.run([:], knowledge)])
    #expect(Self.isNear(prediction.known, 0.899) && !prediction.hasVerdict)
    #expect(
      prediction.refusal
        == "no verdict on 'recorded': the recording covers 89 % of it; record the flight with these types")
    #expect(Prediction(Alternative(), [try Self.run([:], Self.departed())]).refusal == nil)
    // Nine parts of ten are enough.
    var enough = prediction
    enough.estimates = [.up: Estimate([1], margin: 0, shares: .init(recorded: 9, derivable: 0, unknown: 1))]
    #expect(enough.known == 0.9 && enough.hasVerdict && enough.refusal == nil)
    enough.estimates = [:]
    #expect(enough.known == 1 && enough[.up] == Estimate(recorded: 0))
  }

  @Test func theRecordedFlightIsItsOwnPrediction() throws {
    let whatIf = try Self.whatIf.get()
    let (prediction, figures) = (whatIf.recordedPrediction, whatIf.flight.figures)
    #expect(prediction.alternative.isRecorded && prediction.hasVerdict && prediction.gap == nil)
    for figure in FigureValues.Figure.allCases {
      #expect(prediction[figure] == Estimate(recorded: whatIf.recorded[figure]))
    }
    #expect(prediction.late == Array(repeating: Estimate(recorded: 0), count: 5) && prediction.never == prediction.late)
    #expect(prediction.accounts.map(\.heading) == figures.accounts.keys.sorted() && prediction.accounts.count > 1)
    for account in prediction.accounts {
      let recorded = try #require(figures.accounts[account.heading])
      #expect(account.requests == Estimate(recorded: Double(recorded.requests)))
      #expect(account.up == Estimate(recorded: Double(recorded.up)))
      #expect(account.down == Estimate(recorded: Double(recorded.down)))
    }
    #expect(prediction.unbounded == [] && !prediction.hasUncertainRules)
  }
}

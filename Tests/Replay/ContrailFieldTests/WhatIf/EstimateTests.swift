import ContrailCore
import ContrailReplay
import ContrailWire
import Foundation
import Testing

@testable import ContrailField

/// Intervals, ages, and the advice that follows from them.
@Suite struct EstimateTests {
  private static let derivable = Estimate.Shares(recorded: 0, derivable: 1, unknown: 0)

  // MARK: Intervals

  @Test func aRecordedValueIsItsOwnInterval() {
    let estimate = Estimate(recorded: 7)
    #expect(estimate.value == 7 && estimate.low == 7 && estimate.high == 7)
    #expect(estimate.hasInterval && estimate.hasVerdict && estimate.shares.recorded == 1)
    #expect(estimate.contains(7) && !estimate.contains(6.9) && !estimate.contains(7.1))
  }

  @Test func anIntervalIsAsWideAsRunsAndModelVary() {
    // Student's factor for three runs is 3.6; their mean is 12, their variance 4.
    let three = Estimate([10, 12, 14], margin: 3, shares: Self.derivable)
    #expect(three.value == 12)
    let spread = 3.6 * (4 * (1 + 1.0 / 3) + 9).squareRoot()
    #expect(abs(three.high - (12 + spread)) < 1e-9)
    #expect(three.low == max(0, 12 - spread))
    // Of a single run only the model's error is known.
    let one = Estimate([100], margin: 3, shares: Self.derivable)
    #expect(abs(one.high - (100 + 4.3 * 3)) < 1e-9 && abs(one.low - (100 - 4.3 * 3)) < 1e-9)
    // What may be missing is added above only.
    let missing = Estimate([100], margin: 0, excess: 50, shares: Self.derivable)
    #expect(missing.low == 100 && missing.high == 150)
    let wide = Estimate([1, 1000], margin: 0, shares: Self.derivable)
    #expect(wide.low == 0 && wide.high > 1000)
    // More runs tell more.
    let widths = [2, 3, 4, 5, 8, 9].map { count in
      let estimate = Estimate(Array(repeating: 100, count: count), margin: 1, shares: Self.derivable)
      return estimate.high - estimate.low
    }
    #expect(zip(widths, [8.6, 7.2, 6.4, 5.6, 5.0, 4.6]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func anIntervalHoldsAllRuns() {
    // One of nine runs is far from the others.
    let low = Estimate(Array(repeating: 100, count: 8) + [1], margin: 0, shares: Self.derivable)
    #expect(low.low == 1 && low.high < 199)
    let high = Estimate(Array(repeating: 100, count: 8) + [199], margin: 0, excess: 5, shares: Self.derivable)
    #expect(high.high == 204 && high.low > 1)
  }

  @Test func aNumberOfThingsHasWholeBounds() {
    var estimate = Estimate([10.5], margin: 0.1, shares: Self.derivable)
    estimate.roundOutwards()
    #expect(estimate.low == 10 && estimate.high == 11 && estimate.value == 10.5)
  }

  @Test func ninePartsOfTenGiveAVerdict() {
    for (unknown, hasVerdict) in [(1.0, true), (1.2, false)] {
      let shares = Estimate.Shares(recorded: 4, derivable: 10 - unknown - 4, unknown: unknown)
      #expect(Estimate([1], margin: 0, shares: shares).hasVerdict == hasVerdict)
      #expect(abs(shares.recorded + shares.derivable + shares.unknown - 1) < 1e-9)
      #expect(abs(shares.known - (1 - unknown / 10)) < 1e-9 && shares.recorded == 0.4)
    }
    // Of nothing, everything is known.
    #expect(Estimate.Shares(recorded: 0, derivable: 0, unknown: 0) == .recorded)
  }

  // MARK: Ages

  /// A time during which the age grew from a value, in milliseconds.
  struct Part: Sendable {
    var from: Int64
    var length: Int64
  }

  private static let parts: [[Part]] = [
    [Part(from: 0, length: 500)], [Part(from: 0, length: 60_000)], [Part(from: 999, length: 2)],
    [Part(from: 1000, length: 1000)],
    [Part(from: 500, length: 90_000), Part(from: 300, length: 61_000), Part(from: 4_000_000, length: 7000)],
  ]

  @Test(arguments: parts) func quantilesAreThoseOfTheTime(_ parts: [Part]) throws {
    var ages = AgeHistogram()
    for part in parts { ages.add(fromMS: part.from, lengthMS: part.length) }
    // Millisecond by millisecond.
    var times: [Int64] = []
    for part in parts { times += part.from..<part.from + part.length }
    times.sort()
    #expect(ages.totalMS == Int64(times.count))
    #expect(ages.worstMS == (times.last ?? 0) + 1)
    for fraction in [0.01, 0.25, 0.5, 0.95, 0.99] {
      let found = try #require(ages.quantileMS(fraction))
      let index = min(Int(Double(times.count) * fraction), times.count - 1)
      // Within a second, times are taken as evenly spread.
      let seconds = [times[max(index - 1, 0)] / 1000, times[index] / 1000]
      #expect(seconds.contains(found / 1000), "\(fraction): \(found), \(times[index])")
    }
  }

  /// Within a second, times are taken as evenly spread.
  @Test func aQuantileDividesASecond() {
    func quantiles(_ parts: [Part], _ fractions: [Double]) -> [Int64?] {
      var ages = AgeHistogram()
      for part in parts { ages.add(fromMS: part.from, lengthMS: part.length) }
      return fractions.map { ages.quantileMS($0) }
    }
    #expect(quantiles([Part(from: 0, length: 1)], [0.5]) == [500])
    #expect(quantiles([Part(from: 0, length: 500)], [0.25, 1]) == [250, 1000])
    #expect(quantiles([Part(from: 200, length: 100)], [0.25]) == [250])
    #expect(quantiles([Part(from: 0, length: 2500)], [0.9]) == [2500])
    #expect(quantiles([Part(from: 0, length: 10_500)], [0.5]) == [5250])
    // The result lies in a second with data, never between the two parts.
    let apart = [Part(from: 5000, length: 1000), Part(from: 9000, length: 1000)]
    #expect(quantiles(apart, [0, 0.5, 0.75]) == [5000, 6000, 9500])
  }

  @Test func agesHaveBounds() {
    var ages = AgeHistogram()
    #expect(ages.quantileMS(0.5) == nil && ages.worstMS == 0)
    ages.add(fromMS: 5, lengthMS: 0)
    ages.add(fromMS: 5, lengthMS: -7)
    #expect(ages.totalMS == 0 && ages.quantileMS(0.5) == nil)
    ages.add(fromMS: -5000, lengthMS: 1)
    #expect(ages.totalMS == 1 && ages.worstMS == 1)
    ages.add(fromMS: 1, lengthMS: 9)
    #expect(ages.totalMS == 10 && ages.worstMS == 10)
    // Half a day is the most.
    ages.add(fromMS: 1 << 50, lengthMS: 1 << 50)
    #expect(ages.worstMS == (12 * 3600 - 1) * 1000 && ages.totalMS == 10 + 1000)
    #expect(ages.quantileMS(1).map { $0 <= ages.worstMS } == true)
  }

  // MARK: Advice

  private func prediction(
    _ alternative: Alternative = Alternative(), bytes: Double, ageMS: Double = 60_000, withoutMS: Double = 0,
    missed: Double = 0, known: Double = 1
  ) throws -> Prediction {
    func estimate(_ value: Double) -> Estimate {
      Estimate([value], margin: 0, shares: .init(recorded: known, derivable: 0, unknown: 1 - known))
    }
    // Of weak turbulence, many reports are late, which doesn't count.
    let late = [100, 100, 100, missed / 2, 0].map { Estimate(recorded: $0) }
    let never = [100, 100, 100, 0, missed / 2].map { Estimate(recorded: $0) }
    let estimates: [FigureValues.Figure: Estimate] = [
      .up: estimate(bytes / 4), .down: estimate(bytes * 3 / 4), .ageMedian: estimate(ageMS),
      .without: estimate(withoutMS),
    ]
    var prediction = try Self.recorded.get()
    (prediction.alternative, prediction.estimates) = (alternative, estimates)
    (prediction.late, prediction.never) = (late, never)
    return prediction
  }

  /// The prediction of a recording, whose figures the tests replace.
  private static let recorded = Result {
    try WhatIf(try RecordedFlight(path: Logs.recording("polygons"))).predictions([Alternative()])[0]
  }

  @Test func aPointIsTheSumOfItsFlightsByTheHour() throws {
    let minimal = Alternative { $0.frequency = .minimal }
    let hour: Int64 = 3_600_000
    let advice = Advice([
      (
        hour,
        [
          try prediction(bytes: 4000, ageMS: 100_000, withoutMS: 600_000, missed: 2),
          try prediction(minimal, bytes: 1000, known: 0.95),
        ]
      ),
      (3 * hour, [try prediction(bytes: 8000, ageMS: 20_000), try prediction(minimal, bytes: 2000)]),
    ])
    #expect(advice.flightCount == 2 && advice.spanMS == 4 * hour && advice.points.count == 2)
    let recorded = advice.points[0]
    #expect(recorded.alternative.isRecorded && recorded.bytesPerHour == 3000 && recorded.ageMS == 40_000)
    #expect(recorded.withoutPerHourMS == 150_000 && recorded.known == 1 && recorded.missedPerHour == 0.5)
    #expect(advice.points[1].bytesPerHour == 750 && advice.points[1].known == 0.95)
    #expect(advice.text.hasPrefix("2 flights, "))
    let rows = advice.text.split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("recorded ") } && rows.contains { $0.hasPrefix("frequency=minimal ") })
    // Of a flight of a millisecond, too.
    let moment = Advice([(1, [try prediction(bytes: 4)])]).points[0]
    #expect(moment.bytesPerHour == 4000 && moment.ageMS == 60_000)
  }

  @Test func aPointIsOnTheFrontIfNoOtherIsBetterInAll() throws {
    func point(_ width: Int64, _ bytes: Double, _ age: Double, _ without: Double) throws -> Prediction {
      try prediction(Alternative { $0.widthMilliNM = width }, bytes: bytes, ageMS: age, withoutMS: without)
    }
    let advice = Advice([
      (
        3_600_000,
        [
          try prediction(bytes: 1000, ageMS: 100, withoutMS: 100), try point(1, 900, 100, 100),
          try point(2, 1100, 50, 100),
          try point(3, 1100, 100, 50), try point(4, 1100, 50, 200), try point(5, 950, 100, 100),
        ]
      )
    ])
    let front = Dictionary(uniqueKeysWithValues: advice.points.map { ($0.alternative.widthMilliNM ?? 0, $0.isOnFront) })
    #expect(front == [0: false, 1: true, 2: true, 3: true, 4: false, 5: false])
  }

  @Test func aSettingThatMakesNoDifferenceIsLeftOut() throws {
    let (one, two) = (Alternative { $0.wire = .json }, Alternative { ($0.wire, $0.frequency) = (.json, .medium) })
    let points = Advice([(3_600_000, [try prediction(bytes: 1000), try prediction(one, bytes: 1000)])]).points
    #expect(points.map { $0.alternative } == [Alternative()])
    let fewest = Advice([
      (3_600_000, [try prediction(bytes: 9), try prediction(two, bytes: 5), try prediction(one, bytes: 5)])
    ])
    .points
    #expect(fewest.map { $0.alternative } == [Alternative(), one])
    // Both change one setting: the first one stays.
    let other = Alternative { $0.frequency = .medium }
    let equal = Advice([
      (3_600_000, [try prediction(bytes: 9), try prediction(other, bytes: 5), try prediction(one, bytes: 5)])
    ])
    #expect(equal.points.map { $0.alternative } == [Alternative(), other])
    #expect([Alternative(), one, two].map { $0.changeCount } == [0, 1, 2])
  }

  @Test func theFirstSettingToChangeSavesMuchForLittle() throws {
    let (dear, good, small) = (
      Alternative { $0.history = .halfHour }, Alternative { $0.frequency = .minimal },
      Alternative { $0.wire = .compact }
    )
    let both = Alternative { ($0.frequency, $0.wire) = (.minimal, .compact) }
    let predictions = [
      try prediction(bytes: 1000), try prediction(dear, bytes: 300, ageMS: 60_000, withoutMS: 1_800_000),
      try prediction(good, bytes: 600, ageMS: 90_000), try prediction(small, bytes: 905),
      try prediction(both, bytes: 100),
    ]
    let advice = Advice([(3_600_000, predictions)])
    #expect(advice.first?.alternative == good)
    #expect(
      advice.text.contains("Change first: frequency=minimal. It saves 40 % of the bytes; the median age becomes "))
    // Half of the reports that are missed, and nobody would advise it.
    var missing = predictions
    missing[2] = try prediction(good, bytes: 600, ageMS: 90_000, missed: 40)
    #expect(Advice([(3_600_000, missing)]).first?.alternative == dear)
    let none = Advice([(3_600_000, [predictions[0], predictions[3]])])
    #expect(none.first == nil && none.text.contains("No single setting saves more than a tenth of the bytes."))
    // Two settings show data equally late: the one that saves more bytes is first.
    let most = try prediction(Alternative { $0.history = .hour }, bytes: 300, ageMS: 90_000)
    #expect(Advice([(3_600_000, [predictions[0], predictions[2], most])]).first?.alternative == most.alternative)
    // Six minutes without data in an hour count as much as one missed report, so the first of these two stays first.
    let (without, missed) = (
      try prediction(dear, bytes: 500, withoutMS: 360_000), try prediction(good, bytes: 500, missed: 1)
    )
    for both in [[without, missed], [missed, without]] {
      #expect(Advice([(3_600_000, [predictions[0]] + both)]).first?.alternative == both[0].alternative)
    }
    for (bytes, first) in [(899.0, small), (900, nil)] {
      let tenth = Advice([(3_600_000, [predictions[0], try prediction(small, bytes: bytes)])])
      #expect(tenth.first?.alternative == first)
    }
  }

  /// Age, time without data and missed reports, for the part of the bytes that is saved.
  @Test func aSavedByteCostsWhatIsShownLater() {
    func point(_ bytes: Double, _ age: Double, _ without: Double, _ missed: Double) -> Advice.Point {
      .init(
        alternative: Alternative(), bytesPerHour: bytes, ageMS: age, withoutPerHourMS: without, missedPerHour: missed,
        known: 1)
    }
    func isCost(
      _ bytes: Double, _ age: Double, _ without: Double, _ missed: Double, recordedAge: Double = 60_000, _ cost: Double
    ) -> Bool {
      abs(Advice.cost(point(bytes, age, without, missed), point(1000, recordedAge, 100_000, 2)) - cost) < 1e-9
    }
    #expect(isCost(500, 60_000, 100_000, 2, 0.01 / 0.5) && isCost(800, 60_000, 100_000, 2, 0.01 / 0.2))
    #expect(isCost(500, 90_000, 100_000, 2, 0.51 / 0.5))
    // Six minutes without data in an hour count as much as one missed report.
    #expect(isCost(500, 60_000, 460_000, 2, 1.01 / 0.5) && isCost(500, 60_000, 100_000, 3, 1.01 / 0.5))
    #expect(isCost(500, 90_000, 460_000, 5, 4.51 / 0.5))
    // Figures that are better than recorded don't change the cost.
    #expect(isCost(500, 1000, 0, 0, 0.01 / 0.5))
    // Without a recorded age, a millisecond stands for it.
    #expect(isCost(500, 3, 100_000, 2, recordedAge: 0, 3.01 / 0.5))
    #expect(isCost(500, 3, 100_000, 2, recordedAge: 1, 2.01 / 0.5))
  }

  /// Five points: the recorded settings, two on the front, one behind it, and one of which less than 90 % is known.
  private func severalPoints() throws -> Advice {
    func point(_ frequency: DataUpdateFrequency, _ bytes: Double, _ ageMS: Double, known: Double = 1) throws
      -> Prediction
    {
      try prediction(
        Alternative { $0.frequency = frequency }, bytes: bytes, ageMS: ageMS, withoutMS: 90_000, missed: 2.26,
        known: known)
    }
    return Advice([
      (
        3_600_000,
        [
          try prediction(bytes: 4000, ageMS: 60_000.4, withoutMS: 90_000), try point(.medium, 2000.4, 60_000.4),
          try point(.minimal, 1000, 180_000, known: 0.9), try point(.fast, 3000, 70_000),
          try prediction(Alternative { $0.history = .halfHour }, bytes: 1, known: 0.8996),
        ]
      )
    ])
  }

  @Test func theTableHasTheFrontAndTheRecordedSettings() throws {
    let lines = try severalPoints().text.split(separator: "\n").map(String.init)
    #expect(
      lines[1...4].map { $0.split(separator: #/ {2,}/#).map(String.init) } == [
        ["SETTINGS", "BYTES/HOUR", "AGE", "WITHOUT/HOUR", "MISSED/HOUR", "KNOWN", "FRONT"],
        ["frequency=minimal", "1.0 KB", "3m00s", "1m30s", "2.3", "90 %", "yes"],
        ["frequency=medium", "2.0 KB", "1m00s", "1m30s", "2.3", "100 %", "yes"],
        ["recorded", "4.0 KB", "1m00s", "1m30s", "0.0", "100 %"],
      ])
    #expect(
      Array(lines[5...]) == [
        "Change first: frequency=medium. It saves 50 % of the bytes; the median age becomes 1m00s instead of 1m00s.",
        "MISSED counts moderate or stronger reports that weren't shown, or more than a minute later than recorded.",
        "1 combination left out: the recordings cover less than 90 % of them.",
      ])
  }

  @Test func eachPointIsALineOfJSON() throws {
    let lines = try severalPoints().json.split(separator: "\n").map(String.init)
    #expect(
      lines[1]
        == #"{"alternative":"frequency=medium","bytesPerHour":2000,"ageMS":60000,"withoutPerHourMS":90000,"#
        + #""missedPerHour":2.26,"known":1,"verdict":true,"front":true,"first":true}"#)
    #expect(lines[0].hasSuffix(#""front":false,"first":false}"#) && lines[2].hasSuffix(#""front":true,"first":false}"#))
    #expect(lines[2].contains(#""known":0.9,"verdict":true"#) && lines[4].contains(#""known":0.899,"verdict":false"#))
    #expect(lines.count == 5)
  }

  @Test func whatIsHardlyKnownIsRefused() throws {
    let wide = Alternative { $0.widthMilliNM = 400_000 }
    let advice = Advice([(3_600_000, [try prediction(bytes: 1000), try prediction(wide, bytes: 500, known: 0.8)])])
    #expect(advice.points.count == 1 && advice.refused.map { $0.alternative } == [wide])
    #expect(
      advice.text
        == "1 flight, 1h00m: the best settings by bytes and age\n"
        + "No advice: the recordings cover less than 90 % of every alternative. "
        + "Record with the frequency 'fast', the longest history and the widest corridor of interest.\n")
    let rows = try advice.json.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(rows.map { $0["alternative"] as? String } == ["recorded", "width=400"])
    #expect(rows.map { $0["verdict"] as? Bool } == [true, false])
    #expect(rows.map { $0["known"] as? Double } == [1, 0.8])
    #expect(rows.map { $0["bytesPerHour"] as? Int } == [1000, 500])
    #expect(rows.map { $0["front"] as? Bool } == [true, false])
    #expect(Advice([]).points.isEmpty && Advice([]).first == nil)
  }

  @Test func theGridHasEachSettingAloneAndWithTheOthers() {
    let grid = Advice.grid(hasWidth: true, widths: [50_000, 80_000])
    #expect(grid.count == 4 * 6 * 3 - 1 && Set(grid).count == grid.count)
    #expect(!grid.contains(Alternative()) && grid.allSatisfy { $0.frequency != DataUpdateFrequency.none })
    let narrow = Advice.grid(hasWidth: false, widths: [50_000])
    #expect(narrow.count == 4 * 6 - 1 && narrow.allSatisfy { $0.widthMilliNM == nil })
  }
}

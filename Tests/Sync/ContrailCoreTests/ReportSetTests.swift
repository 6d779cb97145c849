import ContrailCore
import ContrailTestSupport
import ContrailWire
import Testing

/// The set of reports against Swift's own.
@Suite struct ReportSetTests {
  /// What it must be like: a set, and a bound on how far reports lie apart.
  private struct Naive {
    var reports: Set<TurbulenceReport> = []

    var checksum: UInt64 { reports.reduce(0) { $0 &+ $1.digest } }
    var sorted: [TurbulenceReport] { reports.sorted { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) } }
  }

  private func check(_ set: ReportSet, _ naive: Naive, _ note: String) {
    #expect(set.count == naive.reports.count, "\(note)")
    #expect(set.checksum == naive.checksum, "\(note)")
    #expect(set.sorted == naive.sorted, "\(note)")
  }

  /// Few cells and times, so that many are equal.
  private func report(_ times: ClosedRange<UInt32>, _ random: inout SplitMix64) -> TurbulenceReport {
    TurbulenceReport(
      cell: UInt32.random(in: 0..<20, using: &random), altitude: UInt8.random(in: 0..<3, using: &random),
      severity: UInt8.random(in: 0...4, using: &random), edrE4: UInt16.random(in: 0...1, using: &random),
      observedAt: UInt32.random(in: times, using: &random))
  }

  @Test func itDoesWhatASetDoes() {
    for seed in UInt64(0)..<150 {
      var random = SplitMix64(seed: seed)
      var set = ReportSet()
      var naive = Naive()
      let start: UInt32 = [0, 1_740_000_000, .max - 40_000].randomElement(using: &random) ?? 0
      let times = start...(start + UInt32.random(in: 1...40_000, using: &random))
      for step in 0..<200 {
        let note = "seed \(seed) step \(step)"
        switch Int.random(in: 0..<20, using: &random) {
        case 19:
          // Reserving changes no contents, whether the bucket is empty or not.
          let room = Int.random(in: 0...3000, using: &random)
          set.reserveCapacity(room, ofBucket: UInt32.random(in: times, using: &random) >> 6)
        case 0:
          let limit = Int64(UInt32.random(in: times, using: &random))
          set.removeAll(observedUpTo: limit)
          naive.reports = naive.reports.filter { Int64($0.observedAt) > limit }
          check(set, naive, note)
          let severity = UInt8.random(in: 0...4, using: &random)
          let filter = Filter(severities: SeveritySet(rawValue: 1 << severity)).reports(asOf: limit + 9000)
          let oldest = naive.reports.filter { $0.severityCode == severity && Int64($0.observedAt) > limit + 1800 }
          #expect(set.oldest(admittedBy: filter) == oldest.map(\.observedAt).min(), "\(note)")
        case 1:
          let severity = UInt8.random(in: 0...4, using: &random)
          set.keep { $0.severityCode != severity }
          naive.reports = naive.reports.filter { $0.severityCode != severity }
          check(set, naive, note)
        default:
          let report = report(times, &random)
          #expect(set.contains(report) == naive.reports.contains(report), "\(note)")
          let isNew = set.insert(report)
          let isNewToo = naive.reports.insert(report).inserted
          #expect(isNew == isNewToo, "\(note)")
          #expect(set.contains(report), "\(note)")
        }
      }
      check(set, naive, "seed \(seed)")
      var forEached: Set<TurbulenceReport> = []
      set.forEach { forEached.insert($0) }
      #expect(forEached == naive.reports, "seed \(seed)")
    }
  }

  @Test func manyAtOnceAreTheSameAsOneByOne() {
    for seed in UInt64(0)..<120 {
      var random = SplitMix64(seed: seed)
      var set = ReportSet()
      var naive = Naive()
      // Up to the end of time; and so few seconds that tables grow large, or so many that each is small.
      let start: UInt32 = [0, 1_740_000_000, .max - 10_000].randomElement(using: &random) ?? 0
      let times = start...(start + ([40, 700, 9_000].randomElement(using: &random) ?? 0))
      for step in 0..<12 {
        let reports = (0..<Int.random(in: 0...900, using: &random)).map { _ in
          TurbulenceReport(
            cell: UInt32.random(in: 0..<0x3F_FFFF, using: &random), altitude: UInt8.random(in: 0...63, using: &random),
            severity: UInt8.random(in: 0...7, using: &random), edrE4: UInt16.random(in: 0...9, using: &random),
            observedAt: UInt32.random(in: times, using: &random))
        }
        var run = reports + reports.shuffled(using: &random).prefix(100)
        if random.chance(70) { run.sort { $0.observedAt < $1.observedAt } }
        var spec = FetchSpec(area: .world, filter: Filter(types: .turbulence, history: .twoHours))
        spec.severities = random.chance(30) ? [] : SeveritySet(rawValue: UInt8.random(in: 0...31, using: &random))
        if let band = AltitudeBand(lower: Int64.random(in: 0...20, using: &random), upper: 40) { spec.altitudes = band }
        let filter = spec.filter.reports(asOf: Int64(UInt32.random(in: times, using: &random)) + 7_100)
        naive.reports.formUnion(run.filter { filter.admits($0) })
        set.insert(run, admittedBy: filter)
        if step % 4 == 3 {
          set.removeAll(observedUpTo: Int64(times.lowerBound) + 30)
          naive.reports = naive.reports.filter { Int64($0.observedAt) > Int64(times.lowerBound) + 30 }
        }
        check(set, naive, "seed \(seed) step \(step)")
        #expect(reports.allSatisfy { set.contains($0) == naive.reports.contains($0) }, "seed \(seed) step \(step)")
      }
    }
  }

  /// The next bucket begins with a table of the size of the one before.
  @Test func afterAMinuteOfThousandsOfReportsTheNextOneHoldsAsMany() {
    let reports = (UInt32(0)..<4000).map {
      TurbulenceReport(
        cell: $0 / 2, altitude: 1, severity: 1, edrE4: 1, observedAt: 1_740_000_000 / 64 * 64 + $0 % 2 * 64)
    }.sorted { $0.observedAt < $1.observedAt }
    var set = ReportSet()
    let filter = FetchSpec(area: .world, filter: Filter(types: .turbulence, history: .twoHours)).filter.reports(
      asOf: 1_740_000_000)
    set.insert(reports, admittedBy: filter)
    #expect(set.count == 4000 && reports.allSatisfy { set.contains($0) })
  }

  @Test func theOrderOfInsertionDoesNotMatter() {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      let reports = (0..<150).map { _ in report(1_740_000_000...1_740_043_200, &random) }
      var a = ReportSet()
      var b = ReportSet()
      reports.forEach { a.insert($0) }
      (reports + reports).shuffled(using: &random).forEach { b.insert($0) }
      #expect(a == b && a.count == Set(reports).count, "seed \(seed)")
      if let last = reports.last {
        b.keep { $0 != last }
        #expect(a != b, "seed \(seed)")
      }
    }
  }

  @Test func copiesAreIndependent() {
    var random = SplitMix64(seed: 5)
    var set = ReportSet()
    for _ in 0..<100 { set.insert(report(5_000...9_000, &random)) }
    let copy = set
    let before = copy.sorted
    set.insert(report(5_000...9_000, &random))
    set.removeAll(observedUpTo: 7_000)
    set.keep { $0.severityCode == 2 }
    #expect(copy.sorted == before && copy.count == before.count)
    #expect(copy.checksum == before.reduce(0) { $0 &+ $1.digest })
    #expect(set != copy)
  }

  @Test func theFirstAndTheLastSecondOfTimeAreHeld() {
    for time in [0, 1, 63, 64, UInt32.max - 64, UInt32.max - 1, UInt32.max] {
      var set = ReportSet()
      let report = TurbulenceReport(cell: 0, altitude: 0, severity: 0, edrE4: 0, observedAt: time)
      #expect([set.insert(report), set.insert(report), set.contains(report)] == [true, false, true])
      #expect(set.sorted == [report])
      for limit in [Int64.min, -1, Int64(time) - 1] {
        set.removeAll(observedUpTo: limit)
        #expect(set.count == 1, "\(time) \(limit)")
      }
      set.removeAll(observedUpTo: time % 2 == 0 ? Int64(time) : .max)
      #expect(set.count == 0 && set.checksum == 0 && !set.contains(report), "\(time)")
      #expect(set == ReportSet())
    }
  }

  @Test func aReportTooFarFromTheOthersIsRefused() {
    func report(_ time: UInt32) -> TurbulenceReport {
      TurbulenceReport(cell: 1, altitude: 1, severity: 1, edrE4: 1, observedAt: time)
    }
    for base in [UInt32(1_740_000_000), 1_740_000_001, 1_740_000_031, 1_740_000_063] {
      var set = ReportSet()
      set.insert(report(base))
      let isHeld1 = set.insert(report(base + 43_200))
      #expect(isHeld1, "twelve hours apart are always held")
      for time in [base + 43_200 + 128, base - 128, 0, .max] {
        let isHeld = set.insert(report(time))
        #expect(!isHeld, "\(time)")
      }
      #expect(set.count == 2)
    }
  }

  /// Either of two reports may be the first to come.
  @Test func aReportTwelveHoursBeforeTheOthersIsHeld() {
    func report(_ time: UInt32) -> TurbulenceReport {
      TurbulenceReport(cell: 1, altitude: 1, severity: 1, edrE4: 1, observedAt: time)
    }
    for phase in UInt32(0)..<64 {
      let last = UInt32(1_740_000_000) + phase
      var set = ReportSet()
      set.insert(report(last))
      let isHeld = set.insert(report(last - 43_200))
      #expect(isHeld, "\(phase)")
      #expect(set.sorted.map(\.observedAt) == [last - 43_200, last], "\(phase)")
      var other = ReportSet()
      other.insert(report(last - 43_200))
      other.insert(report(last))
      #expect(set == other && set.checksum == report(last).digest &+ report(last - 43_200).digest, "\(phase)")
      var refusing = ReportSet()
      refusing.insert(report(last))
      let isTooFar = !refusing.insert(report(last - 43_200 - 128))
      #expect(isTooFar && refusing.count == 1, "\(phase)")
    }
  }

  @Test func afterTheOldestReportGoesTheNextOneCounts() {
    func report(_ time: UInt32) -> TurbulenceReport {
      TurbulenceReport(cell: 1, altitude: 1, severity: 1, edrE4: 1, observedAt: time)
    }
    var set = ReportSet()
    set.insert(report(1000))
    set.insert(report(41_000))
    set.removeAll(observedUpTo: 1000)
    let isHeld = set.insert(report(41_000 + 43_200))
    #expect(isHeld && set.sorted.map(\.observedAt) == [41_000, 84_200])
  }

  @Test func howFarAReportMayLieIsCountedFromWhatIsHeld() {
    func report(_ time: UInt32) -> TurbulenceReport {
      TurbulenceReport(cell: 1, altitude: 1, severity: 1, edrE4: 1, observedAt: time)
    }
    var set = ReportSet()
    set.insert(report(1_740_000_000))
    set.keep { _ in false }
    let isHeld2 = set.insert(report(100))
    #expect(isHeld2, "an empty set holds any time")
    set.insert(report(40_000))
    set.keep { $0.observedAt > 100 }
    let isHeld3 = set.insert(report(80_000))
    #expect(isHeld3)
    set.keep { $0.observedAt < 80_000 }
    let isHeld4 = set.insert(report(100))
    #expect(isHeld4)
    set.removeAll(observedUpTo: 39_999)
    let isHeld5 = set.insert(report(80_000))
    #expect(isHeld5)
    #expect(set.sorted.map(\.observedAt) == [40_000, 80_000])
  }
}

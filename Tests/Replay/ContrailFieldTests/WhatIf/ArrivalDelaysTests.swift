import Testing

@testable import ContrailField

/// How long after their observation reports arrive, as learned from intervals.
@Suite struct ArrivalDelaysTests {
  /// Where one bin holds all reports, times are evenly spread in it.
  @Test func delaysOfOneBinAreEven() {
    let delays = ArrivalDelays(Array(repeating: Int64(64)...95, count: 50))
    for (quantile, delay) in [(0.0, Int64(64)), (0.25, 72), (0.5, 80), (0.75, 88), (1, 95)] {
      #expect(delays.delay(in: 64...95, quantile: quantile) == delay)
      #expect(abs(delays.delay(in: 0...86_399, quantile: quantile) - delay) <= 1 || quantile == 0 || quantile == 1)
    }
    #expect(delays.delay(in: 70...73, quantile: 0.5) == 72 && delays.delay(in: 70...73, quantile: 0.99) == 73)
    #expect((0..<70).allSatisfy { delays.delay(in: 70...76, quantile: (Double($0) + 0.5) / 70) == 70 + Int64($0 / 10) })
    #expect(delays.delay(in: 90...3000, quantile: 0.4) < 96)
    // Beyond all bins, every time is as likely.
    #expect(delays.delay(in: 90_000...90_100, quantile: 0.25) == 90_025)
  }

  @Test func withoutReportsEveryBinIsAsLikely() {
    let delays = ArrivalDelays([ClosedRange<Int64>]())
    #expect(delays.delay(in: 0...3, quantile: 0.5) == 2 && delays.delay(in: 0...7, quantile: 0.6) == 3)
    #expect(delays.delay(in: 0...15, quantile: 0.72) == 10 && delays.delay(in: 5...5, quantile: 0.9) == 5)
    // Of the second bin, only its first second is possible: a third of the time.
    #expect(delays.delay(in: 0...2, quantile: 0.6) == 1 && delays.delay(in: 0...2, quantile: 0.9) == 2)
    #expect(delays.delay(in: 4...9, quantile: 0) == 4 && delays.delay(in: 8192...86_399, quantile: 0.75) == 51_392)
    // By clocks that differ, a report arrived before its observation.
    #expect(delays.delay(in: -1...3, quantile: 0) == 0 && delays.delay(in: -3...(-1), quantile: 0.5) == -2)
  }

  /// Of two bins, each is as likely as its reports.
  @Test func delaysAreAsFrequentAsReports() {
    let early = Array(repeating: Int64(2)...3, count: 30)
    let delays = ArrivalDelays(early + Array(repeating: 512...767, count: 10))
    let drawn = (0..<1000).map { delays.delay(in: 0...86_399, quantile: Double($0) / 1000) }
    #expect(abs(drawn.count { (2...3).contains($0) } - 740) < 15)
    #expect(abs(drawn.count { (512...767).contains($0) } - 247) < 15)
    #expect(zip(drawn, drawn.dropFirst()).allSatisfy { $0 <= $1 })
    #expect((512...767).contains(ArrivalDelays([2...3, 512...767]).delay(in: 0...86_399, quantile: 0.9)))
    // Of many reports, a part is enough.
    let many = ArrivalDelays((0..<9000).map { $0 % 2 == 0 ? Int64(2)...3 : 512...767 })
    #expect((2...3).contains(many.delay(in: 0...86_399, quantile: 0.45)))
    // An interval over both is divided by the others.
    let mixed = ArrivalDelays(early + Array(repeating: 0...86_399, count: 10))
    let late = (0..<1000).count { mixed.delay(in: 0...86_399, quantile: Double($0) / 1000) > 3 }
    #expect(late < 40)
  }
}

import Foundation
import Testing

@testable import Contrail

@Suite struct GustFilterTests {
  /// The measured gain of a sinusoid is the documented one.
  @Test(arguments: [8.0, 20, 100], [0.03, 0.1, 0.3, 0.8, 2])
  func theGainIsTheDocumentedOne(rateHZ: Double, frequencyHZ: Double) {
    let interval = 1 / rateHZ
    var filter = GustFilter(input: 0)
    var sum = 0.0
    var count = 0.0
    // Whole periods after it has settled.
    let settled = (30 * frequencyHZ).rounded(.up) / frequencyHZ
    let end = settled + (20 * frequencyHZ).rounded(.up) / frequencyHZ
    for index in 0..<Int(end * rateHZ) {
      let time = Double(index) * interval
      let output = filter.add(sin(2 * .pi * frequencyHZ * time), intervalSeconds: interval)
      guard time >= settled else { continue }
      sum += output * output
      count += 1
    }
    let expected = GustFilter.power(atHZ: frequencyHZ, intervalSeconds: interval) / 2
    #expect((sum / count - expected).magnitude < 0.02 * expected + 1e-5, "\(sum / count) and \(expected)")
  }

  @Test func aConstantGivesNothing() {
    var filter = GustFilter(input: 3)
    let outputs = (0..<100).map { _ in filter.add(3, intervalSeconds: 0.05).magnitude }
    #expect(outputs.allSatisfy { $0 < 1e-12 })
  }

  @Test func theIntegralHardlyDependsOnTheRate() {
    let slow = GustFilter.inertialIntegral(intervalSeconds: 1.0 / 8)
    let fast = GustFilter.inertialIntegral(intervalSeconds: 1.0 / 100)
    #expect((slow / fast - 1).magnitude < 0.05)
    #expect((0.2...0.6).contains(fast))
  }
}

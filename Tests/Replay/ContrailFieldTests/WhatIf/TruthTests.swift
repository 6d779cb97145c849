import ContrailCore
import ContrailField
import ContrailTestSupport
import ContrailTesting
import ContrailWhatIfTruth
import ContrailWire
import Testing

/// A part of `Scripts/what-if-check`: what-if against the truth.
@Suite struct TruthTests {
  private static var material: HeldOutFlight.Material {
    var material = HeldOutFlight.Material()
    material.minutes = 20...30
    material.aircraft = 80
    return material
  }

  @Test func intervalsHoldTheTruth() async {
    var total = TruthCheck()
    for (index, kind) in AlternativeKind.all.enumerated() {
      total.add(await TruthCheck(kind, seed: 1000 + UInt64(index), of: Self.material, runs: 3))
    }
    #expect(total.faults == [])
    #expect(AlternativeKind.all.count >= 12)
    let held = total.figures.values.reduce(0) { $0 + $1.held }
    let count = total.figures.values.reduce(0) { $0 + $1.count }
    #expect(count > 250)
    #expect(Double(held) >= 0.95 * Double(count))
  }

  /// Without faults, the sizes are those of the encoders, and each head is counted once for its exchange. Without the viewport, which
  /// shares the corridor's exchanges, the heads are those of one area.
  @Test(arguments: [UInt64(3), 5, 8]) func bytesOfASteadyFlightAreKnown(seed: UInt64) async throws {
    var flight = try HeldOutFlight(seed: seed, of: Self.material)
    flight.scenario = []
    // With held requests, ordinary reports are known to have arrived in the minutes before their answer only.
    flight.holdsRequests = false
    flight.options.types = .turbulence
    flight.options.frequency = .fast
    flight.options.link = .steady(.init())
    flight.options.widthNM = 100
    flight.options.viewport = .following(heightDegrees: 8)
    var rarer = Alternative()
    rarer.frequency = .medium
    // A map that moves gets the changes to the records that it holds, which are old by then.
    var first = Alternative()
    first.frequency = DataUpdateFrequency.none
    var alone = Alternative()
    alone.hasNoViewport = true
    let folder = try TemporaryDirectory(isInMemory: true)
    try await flight.fly(to: folder.file("a.jsonl"))
    for (alternative, name) in [(rarer, "b.jsonl"), (alone, "c.jsonl"), (first, "d.jsonl")] {
      try await flight.fly(alternative, to: folder.file(name))
      let prediction = try WhatIf(RecordedFlight(path: folder.file("a.jsonl"))).predictions([alternative])[0]
      let truth = try RecordedFlight(path: folder.file(name)).figures
      #expect(abs(prediction[.up].value - Double(truth.upBytes)) <= 4 + 0.01 * Double(truth.upBytes), "\(name)")
      #expect(abs(prediction[.down].value - Double(truth.downBytes)) <= 4 + 0.03 * Double(truth.downBytes), "\(name)")
      for account in prediction.accounts where account.heading.rule == "areaChanged" {
        let down = Double(truth.accounts[account.heading]?.down ?? 0)
        #expect(abs(account.down.value - down) <= 4 + 0.05 * down, "\(name)")
      }
    }
  }

  /// Another history doesn't change when a server's sums are wrong, nor what is requested then.
  @Test(arguments: [UInt64(3), 8]) func requestsAfterWrongSumsAreKnown(seed: UInt64) async throws {
    var flight = try HeldOutFlight(seed: seed, of: Self.material)
    flight.scenario = ["500s fault checksum for 200s"]
    flight.holdsRequests = false
    flight.options.types = .turbulence
    flight.options.frequency = .fast
    flight.options.history = .twoHours
    flight.options.link = .steady(.init())
    flight.options.viewport = .off
    var shorter = Alternative()
    shorter.history = .hour
    let folder = try TemporaryDirectory(isInMemory: true)
    try await flight.fly(to: folder.file("a.jsonl"))
    try await flight.fly(shorter, to: folder.file("b.jsonl"))
    let prediction = try WhatIf(RecordedFlight(path: folder.file("a.jsonl"))).predictions([shorter])[0]
    let truth = try RecordedFlight(path: folder.file("b.jsonl")).figures
    #expect(truth.accounts.keys.contains { $0.rule == "checksumDiffers" })
    #expect(Set(truth.accounts.keys).isSubset(of: prediction.accounts.map(\.heading)))
    for account in prediction.accounts {
      let requests = Double(truth.accounts[account.heading]?.requests ?? 0)
      #expect(account.requests.contains(requests), "\(account.heading): \(account.requests), not \(requests)")
    }
  }
}

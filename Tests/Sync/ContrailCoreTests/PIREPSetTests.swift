import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct PIREPSetTests {
  private func pirep(_ id: String, updatedAt: Int64, observedAt: Int64 = 1000, text: String = "") -> PIREP {
    PIREP(
      id: id, position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), flightLevel: nil, severity: nil,
      isUrgent: false, observedAt: observedAt, updatedAt: updatedAt, text: text)
  }

  @Test func theNewestUpdateOfEachKeyIsHeldWhateverTheOrder() {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      var all: [PIREP] = []
      for _ in 0..<40 {
        all.append(
          pirep(
            "p\(Int.random(in: 0..<6, using: &random))", updatedAt: Int64.random(in: 0..<8, using: &random),
            observedAt: Int64.random(in: 0..<50, using: &random), text: "\(Int.random(in: 0..<3, using: &random))"))
      }
      var a = PIREPSet()
      var b = PIREPSet()
      all.forEach { a.insert($0) }
      (all + all).shuffled(using: &random).forEach { b.insert($0) }
      #expect(a == b && a.sorted == b.sorted && a.checksum == b.checksum, "seed \(seed)")
      for (id, updates) in Dictionary(grouping: all, by: \.id) {
        #expect(a.sorted.first { $0.id == id }?.updatedAt == updates.map(\.updatedAt).max(), "seed \(seed)")
      }
      #expect(a.checksum == a.sorted.reduce(0) { $0 &+ $1.digest }, "seed \(seed)")
      let limit = Int64.random(in: 0..<50, using: &random)
      let kept = a.sorted.filter { $0.observedAt > limit }
      a.removeAll(observedUpTo: limit)
      #expect(a.sorted == kept && a.count == kept.count, "seed \(seed)")
      #expect(a.checksum == kept.reduce(0) { $0 &+ $1.digest }, "seed \(seed)")
    }
  }

  @Test func keysAreEqualOnlyByteForByte() {
    var set = PIREPSet()
    set.insert(pirep("\u{e9}", updatedAt: 1))
    set.insert(pirep("e\u{301}", updatedAt: 1))
    #expect(set.count == 2)
  }
}

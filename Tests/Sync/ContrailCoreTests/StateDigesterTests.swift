import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// The digests that repeat only what has changed against those that are made anew.
@Suite struct StateDigesterTests {
  @Test func itGivesTheDigestsOfTheState() {
    for seed in UInt64(0)..<40 {
      var flight = RandomFlight(seed: seed)
      var (digester, later) = (StateDigester(), StateDigester())
      var kept: [UInt64] = []
      for step in 0..<120 {
        _ = flight.send(flight.nextInput())
        // Not at each step, so that several things change between two digests.
        guard flight.rig.now % 3 == 0 else { continue }
        let state = flight.rig.state
        #expect(digester.digest(of: state) == state.digest, "seed \(seed), step \(step)")
        if step % 7 == 0 { #expect(later.digest(of: state) == state.digest, "beside kept ones, seed \(seed)") }
        later.keepControl(of: state)
        kept.append(Digest.hash(state.controlJSON))
        if later.keptCount == Digest.laneCount || step % 5 == 0 {
          #expect(later.hashKept() == kept, "seed \(seed), step \(step)")
          kept = []
        }
        #expect(later.scopes(of: state) == state.digest.scopes, "seed \(seed), step \(step)")
      }
    }
  }

  @Test func bodiesAreHashedAnewWhenTheyChange() {
    var hashes = BodyHashes()
    var bodies: [[UInt8]] = (0..<50).map { [UInt8](repeating: $0, count: 100) }
    for round in 0..<4 {
      hashes.startNext()
      for index in bodies.indices { #expect(hashes.hash(bodies[index]) == Digest.hash(bodies[index])) }
      bodies[round * 7][round] ^= 1
      bodies.swapAt(round, 49 - round)
    }
  }

  /// A ring that was read before is the ring that is read now, whatever was in between.
  @Test func theCorridorIsReadAsIfNoneWasBefore() {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      var rig = Rig.flying()
      let area = rig.state.query.polygon
      let open = area.map { Array($0.dropLast()) }
      for _ in 0..<12 {
        rig.query { query in
          switch Int.random(in: 0..<5, using: &random) {
          case 0: query.polygon = area
          case 1: query.polygon = open
          case 2: (query.polygon, query.corridor) = (nil, area)
          case 3: (query.polygon, query.corridorError) = (nil, random.chance(50) ? .init(code: "c", place: "p") : nil)
          default: query.isUpToEnabled.toggle()
          }
        }
        var fresh = rig.state
        fresh.corridorMemory = RingMemory()
        var same = rig.state
        let again = Input.queryChanged(rig.state.query)
        fresh.evolve(again, seq: fresh.nextSeq, at: fresh.now)
        same.evolve(again, seq: same.nextSeq, at: same.now)
        #expect(fresh == same && fresh.corridor == same.corridor, "seed \(seed)")
        #expect(fresh.decide() == same.decide(), "seed \(seed)")
      }
    }
  }
}

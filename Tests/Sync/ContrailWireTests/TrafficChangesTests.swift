import ContrailGeodesy
import ContrailTestSupport
import Foundation
import Testing

@testable import ContrailWire

/// Traffic as changes to what the client holds.
@Suite struct TrafficChangesTests {
  private static let token: Int64 = 1_740_000_000

  private func aircraft(_ number: Int, at second: Int64, using random: inout SplitMix64) -> TrafficPosition {
    TrafficPosition(
      id: "a\(1000 + number)", callsign: "CTR\(number)",
      position: FixedCoordinate(
        latitudeE7: Int64.random(in: -899_999...899_999, using: &random) * 1000,
        longitudeE7: Int64.random(in: -1_799_999...1_799_999, using: &random) * 1000),
      altitudeFeet: random.chance(90) ? Int.random(in: 0...45_000, using: &random) : nil,
      groundSpeedKnots: random.chance(90) ? Int.random(in: 0...600, using: &random) : nil,
      trackDegrees: random.chance(90) ? Int.random(in: 0...359, using: &random) : nil,
      observedAt: second - Int64.random(in: 0...20, using: &random))
  }

  /// The held positions, and those of a minute later.
  private func pair(_ random: inout SplitMix64) -> (held: [TrafficPosition], new: [TrafficPosition]) {
    var (held, new): ([TrafficPosition], [TrafficPosition]) = ([], [])
    for number in 0..<Int.random(in: 1...20, using: &random) {
      let old = aircraft(number, at: Self.token - 60, using: &random)
      if random.chance(85) { held.append(old) }
      guard random.chance(85) else { continue }
      var later = random.chance(80) ? old : aircraft(number, at: Self.token, using: &random)
      later.observedAt = Self.token - Int64.random(in: 0...20, using: &random)
      later.position.latitudeE7 = min(
        later.position.latitudeE7 + Int64.random(in: 0...99_999, using: &random), 900_000_000)
      if random.chance(20) { later.altitudeFeet = Int.random(in: 0...45_000, using: &random) }
      if random.chance(20) { later.trackDegrees = random.chance(50) ? nil : 90 }
      if random.chance(5) { later.callsign = "OTHER" }
      new.append(later)
    }
    return (held, new)
  }

  private func read(_ bytes: [UInt8], changing held: [TrafficPosition]) throws(CompactError) -> ObservationsAnswer {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CompactError) in
      try ObservationsAnswer.read(compact: UnsafeRawBufferPointer(bytes), changing: held).answer
    }
  }

  @Test func changesLeadToTheSameTraffic() throws {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let (held, new) = pair(&random)
      let answer = ObservationsAnswer(token: Self.token, follows: Self.token - 60, traffic: new)
      let bytes = answer.compact(milliseconds: 0, changing: held)
      #expect(try read(bytes, changing: held) == answer, "seed \(seed)")
    }
  }

  /// What cruises costs less than three bytes; in the complete list it costs more than eight times as much.
  @Test(arguments: [0.0, 52.0, -70.0]) func whatKeepsItsCourseCostsLittle(latitude: Double) throws {
    var random = SplitMix64(seed: 7)
    let held = (0..<100).map { number in
      var position = aircraft(number, at: Self.token - 60, using: &random)
      position.position.latitudeE7 = Int64(latitude * 1e7) + Int64(number) * 10_000
      (position.groundSpeedKnots, position.trackDegrees, position.altitudeFeet) = (480, number * 3, 37_000)
      return position
    }
    let new = try held.map { old in
      var new = old
      new.observedAt = Self.token - 3
      let miles = Double(new.observedAt - old.observedAt) * 480 / 3600
      let there = old.position.coordinate.destination(azimuth: Double(old.trackDegrees ?? 0), distanceNM: miles)
      let fixed = try #require(FixedCoordinate(there))
      new.position = FixedCoordinate(
        latitudeE7: fixed.latitudeE7 / 1000 * 1000, longitudeE7: fixed.longitudeE7 / 1000 * 1000)
      return new
    }
    let answer = ObservationsAnswer(token: Self.token, traffic: new)
    let bare = ObservationsAnswer(token: Self.token).compact(milliseconds: 0).count
    let changes = answer.compact(milliseconds: 0, changing: held).count - bare
    let whole = answer.compact(milliseconds: 0).count - bare
    #expect(changes <= 300 && whole > 8 * changes, "\(changes) bytes of changes, \(whole) of the complete list")
    #expect(try read(answer.compact(milliseconds: 0, changing: held), changing: held) == answer)
  }

  @Test func aPredictionIsAsFarAsTheSpeedSaysForTenMinutesAtMost() {
    let old = TrafficPosition(
      id: "a", callsign: "", position: .init(latitudeE7: 0, longitudeE7: 0), altitudeFeet: nil, groundSpeedKnots: 360,
      trackDegrees: 0, observedAt: Self.token)
    // A degree of latitude is 60 nautical miles.
    for (seconds, degrees) in [(-60, 0), (0, 0), (60, 0.1), (600, 1), (6000, 1)] as [(Int64, Double)] {
      let there = old.predicted(at: Self.token + seconds)
      #expect(there.latitudeE7 == Int64(degrees * 1e7) && there.longitudeE7 == 0, "after \(seconds) s")
    }
  }

  @Test func aPredictionGoesNorthByTheCosineOfTheTrack() {
    for track in 0...360 {
      let old = TrafficPosition(
        id: "a", callsign: "", position: .init(latitudeE7: 0, longitudeE7: 0), altitudeFeet: nil, groundSpeedKnots: 360,
        trackDegrees: track, observedAt: Self.token)
      let millionths = Int64((cos(Double(track) * .pi / 180) * 1e6).rounded())
      #expect(old.predicted(at: Self.token + 600).latitudeE7 == 10 * millionths, "track \(track)")
    }
  }

  @Test func predictionsAreAlikeEastAndWestAndNorthAndSouth() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<2000 {
      var old = aircraft(1, at: Self.token, using: &random)
      old.trackDegrees = Int.random(in: 0...360, using: &random)
      // Near the antimeridian, which half of them cross.
      if random.chance(50) {
        old.position.longitudeE7 = Int64.random(in: 1_790_000_000...1_800_000_000, using: &random)
      }
      let second = old.observedAt + Int64.random(in: 0...600, using: &random)
      let there = old.predicted(at: second)
      #expect((-1_800_000_000...1_800_000_000).contains(there.longitudeE7))

      var west = old
      west.position.longitudeE7 *= -1
      west.trackDegrees = old.trackDegrees.map { 360 - $0 }
      let mirrored = west.predicted(at: second)
      #expect(mirrored.latitudeE7 == there.latitudeE7 && mirrored.longitudeE7 == -there.longitudeE7)

      var south = old
      south.position.latitudeE7 *= -1
      south.trackDegrees = old.trackDegrees.map { (540 - $0) % 360 }
      let turned = south.predicted(at: second)
      #expect(turned.latitudeE7 == -there.latitudeE7 && turned.longitudeE7 == there.longitudeE7)
    }
  }

  @Test func aChangeBeyondTheLimitsOfAValueIsRejected() {
    let limits: [(WritableKeyPath<TrafficPosition, Int?>, ClosedRange<Int>)] = [
      (\.altitudeFeet, -5_000...200_000), (\.groundSpeedKnots, 0...5_000), (\.trackDegrees, 0...360),
    ]
    for (value, range) in limits {
      for (limit, beyond) in [(range.lowerBound, range.lowerBound - 1), (range.upperBound, range.upperBound + 1)] {
        var old = TrafficPosition(
          id: "a", callsign: "", position: .init(latitudeE7: 0, longitudeE7: 0), altitudeFeet: 100,
          groundSpeedKnots: 100, trackDegrees: 100, observedAt: Self.token)
        old[keyPath: value] = (range.lowerBound + range.upperBound) / 2
        for new in [limit, beyond] {
          var changed = old
          changed[keyPath: value] = new
          let answer = ObservationsAnswer(token: Self.token, traffic: [changed])
          let read = try? read(answer.compact(milliseconds: 0, changing: [old]), changing: [old])
          #expect(read == (new == limit ? answer : nil), "\(new)")
        }
      }
    }
  }

  @Test func changesToOtherTrafficAreRejected() {
    for seed in UInt64(0)..<500 {
      var random = SplitMix64(seed: seed)
      let (held, new) = pair(&random)
      let bytes = ObservationsAnswer(token: Self.token, traffic: new).compact(milliseconds: 0, changing: held)
      guard !held.isEmpty else { continue }
      var other = held
      other[0].position.latitudeE7 += 1_000_000
      other[0].callsign = "GHOST"
      // Only removals and complete records are independent of the held data.
      if let answer = try? read(bytes, changing: other) { #expect(answer.traffic == new, "seed \(seed)") }
      if let answer = try? read(bytes, changing: []) { #expect(answer.traffic == new, "seed \(seed)") }
    }
  }

  @Test func cutAndChangedBytesAreRejectedOrRead() {
    for seed in UInt64(0)..<5000 {
      var random = SplitMix64(seed: seed)
      let (held, new) = pair(&random)
      var bytes = ObservationsAnswer(token: Self.token, traffic: new).compact(milliseconds: 0, changing: held)
      if random.chance(30) {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        #expect(throws: CompactError.self, "seed \(seed)") { try read(bytes, changing: held) }
      } else {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        _ = try? read(bytes, changing: held)
      }
    }
  }

  @Test func theChecksumNamesAllValuesAndTheirOrder() {
    var random = SplitMix64(seed: 3)
    let traffic = (0..<3).map { aircraft($0, at: Self.token, using: &random) }
    let sum = TrafficPosition.checksum(of: traffic)
    let changes: [(inout TrafficPosition) -> Void] = [
      { $0.id += "x" }, { $0.callsign += "x" }, { $0.position.longitudeE7 += 1 }, { $0.altitudeFeet = 7 },
      { $0.groundSpeedKnots = nil }, { $0.trackDegrees = 361 }, { $0.observedAt += 1 },
    ]
    for change in changes {
      var other = traffic
      change(&other[1])
      #expect(TrafficPosition.checksum(of: other) != sum)
    }
    #expect(TrafficPosition.checksum(of: traffic.reversed()) != sum)
    #expect(TrafficPosition.checksum(of: []) != TrafficPosition.checksum(of: [traffic[0]]))
  }
}

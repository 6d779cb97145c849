import ContrailGeodesy
package import ContrailWire

extension ObservationsAnswer {
  /// Returns an answer with all kinds of records, and texts that must be escaped.
  package static func random(reports: ClosedRange<Int> = 0...40, using random: inout SplitMix64) -> ObservationsAnswer {
    let token = Int64.random(in: 1_740_000_000...1_750_000_000, using: &random)
    var answer = ObservationsAnswer(
      token: token, follows: random.chance(70) ? token - Int64.random(in: -90...90_000, using: &random) : nil)
    if random.chance(90) {
      answer.held = HeldSum(count: Int.random(in: 0...100_000, using: &random), checksum: random.next())
    }
    if random.chance(50) { answer.heldPIREPs = HeldSum(count: 3, checksum: random.next()) }
    answer.reports = (0..<Int.random(in: reports, using: &random)).map { _ in
      ModelServer.report(at: token - Int64.random(in: -3600...20_000, using: &random), using: &random)
    }
    let texts = ["", "UA /OV DAG /TM 2215", "é \u{1F6EB} \"quoted\"", "A1B2C3"]
    func text(_ random: inout SplitMix64) -> String { texts.randomElement(using: &random) ?? "" }
    func degrees(_ limit: Int64, _ random: inout SplitMix64) -> Int64 {
      let value = Int64.random(in: -limit * 10_000_000...limit * 10_000_000, using: &random)
      return random.chance(60) ? value / 1000 * 1000 : value
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) where random.chance(50) {
      answer.pireps.append(
        PIREP(
          id: text(&random), position: .init(latitudeE7: degrees(90, &random), longitudeE7: degrees(180, &random)),
          flightLevel: random.chance(50) ? Int.random(in: -20...600, using: &random) : nil,
          severity: random.chance(50) ? TurbulenceSeverity.allCases.randomElement(using: &random) : nil,
          isUrgent: random.chance(50), observedAt: token - 100,
          updatedAt: token - Int64.random(in: 0...99, using: &random),
          text: text(&random)))
    }
    if random.chance(40) {
      answer.traffic = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        TrafficPosition(
          id: text(&random), callsign: text(&random),
          position: .init(latitudeE7: degrees(90, &random), longitudeE7: degrees(180, &random)),
          altitudeFeet: random.chance(80) ? Int.random(in: -1000...45_000, using: &random) : nil,
          groundSpeedKnots: random.chance(80) ? Int.random(in: 0...600, using: &random) : nil,
          trackDegrees: random.chance(80) ? Int.random(in: 0...359, using: &random) : nil, observedAt: token - 9)
      }
    }
    return answer
  }
}

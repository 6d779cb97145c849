import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct DigestTests {
  private static func report(altitude: UInt8) throws -> TurbulenceReport {
    let text =
      #"{"data":{"lastUpdatedAt":1732704917,"hexagons":[{"id":"85283473fffffff","alt":\#(altitude),"sev":2,"#
      + #""edr":0.1121,"observedAt":1659530580}]},"meta":{},"links":{},"warnings":{}}"#
    let answer = try Array(text.utf8).withUnsafeBytes { try ObservationsAnswer(json: $0) }
    return try #require(answer.reports.first)
  }

  @Test func theChecksumIsThatOfTheProtocol() throws {
    let first = try Self.report(altitude: 38).digest
    #expect(Hex.string(first) == "fd07dfa1588c179f")
    #expect(Hex.string(first &+ (try Self.report(altitude: 39).digest)) == "1bb7baf398007de7")
  }

  @Test func mixIsABijectionOnASample() {
    var random = SplitMix64(seed: 1)
    let values = (0..<4096).map { _ in random.next() }
    #expect(Set(values.map(Digest.mix)).count == Set(values).count)
    #expect(Digest.mix(0) == 0)
  }

  @Test func hexReadsBothCasesAndNothingElse() {
    func value(_ text: String) -> UInt64? { Array(text.utf8).withUnsafeBytes(Hex.value) }
    #expect(value("fd07dfa1588c179f") == 0xfd07_dfa1_588c_179f)
    #expect(value("FD07dfA1588C179F") == 0xfd07_dfa1_588c_179f)
    #expect(value("0") == 0 && value("ffffffffffffffff") == .max)
    for text in ["", "g", "0x1", " 1", "1 ", "-1", "10000000000000000", "é"] { #expect(value(text) == nil, "\(text)") }
    for seed in UInt64(0)..<100 { #expect(value(Hex.string(Digest.mix(seed))) == Digest.mix(seed)) }
  }

  @Test func theDigestOfAnAreaDependsOnEachPoint() throws {
    let ring = try Ring(Rig.area)
    #expect(Area.world.digest == 0)
    #expect(Area.ring(ring).digest == Area.ring(try Ring(Rig.area.reversed())).digest)
    for index in 1...3 {
      var points = Rig.area
      points[index]?.latitudeE7 += 1
      #expect(Area.ring(try Ring(points)).digest != Area.ring(ring).digest)
    }
  }

  // MARK: Packed reports

  @Test func aReportIsPackedWithoutLoss() {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let cell = UInt32.random(in: 0..<1 << 22, using: &random)
      let altitude = UInt8.random(in: 0...63, using: &random)
      let severity = UInt8.random(in: 0...7, using: &random)
      let edr = UInt16.random(in: 0...UInt16.max, using: &random)
      let time = UInt32.random(in: 0...UInt32.max, using: &random)
      let report = TurbulenceReport(cell: cell, altitude: altitude, severity: severity, edrE4: edr, observedAt: time)
      #expect(report.cell == cell && report.altitude == altitude && report.severityCode == severity, "seed \(seed)")
      #expect(report.edrE4 == edr && report.observedAt == time && report.packed < 1 << 47, "seed \(seed)")
      #expect(TurbulenceReport(packed: report.packed, observedAt: time) == report, "seed \(seed)")
      #expect(report.h3Index >> 52 == 0x85 && report.h3Index & 0x3FFF_FFFF == 0x3FFF_FFFF, "seed \(seed)")
    }
  }

  @Test func aTwelveByteReportIsTwelveBytes() {
    #expect(MemoryLayout<TurbulenceReport>.size == 12)
  }
}

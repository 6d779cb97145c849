import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// Full answers as changes to the records that a client holds of another area.
@Suite struct HeldRecordsTests {
  private static let token: Int64 = 1_740_000_000

  private func pirep(_ number: Int, using random: inout SplitMix64) -> PIREP {
    let observed = Self.token - Int64.random(in: 1...3600, using: &random)
    return PIREP(
      id: "P\(number)", position: FixedCoordinate(latitudeE7: 515_000_000, longitudeE7: Int64(number) * 10_000),
      flightLevel: 370, severity: nil, isUrgent: false, observedAt: observed, updatedAt: observed,
      text: "UA /OV KJFK /FL370 /TB LGT \(number)")
  }

  /// Records of two areas that overlap.
  private func pair(_ random: inout SplitMix64) -> (held: HeldRecords, answer: ObservationsAnswer) {
    var (held, new): ([TurbulenceReport], [TurbulenceReport]) = ([], [])
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let report = ModelServer.report(at: Self.token - Int64.random(in: 1...3600, using: &random), using: &random)
      if random.chance(80) { held.append(report) }
      if random.chance(80) { new.append(report) }
    }
    var (heldPIREPs, newPIREPs): ([PIREP], [PIREP]) = ([], [])
    for number in 0..<Int.random(in: 0...8, using: &random) {
      let pirep = pirep(number, using: &random)
      if random.chance(80) { heldPIREPs.append(pirep) }
      var updated = pirep
      if random.chance(20) { updated.updatedAt += 1 }
      if random.chance(80) { newPIREPs.append(updated) }
    }
    return (HeldRecords(reports: held, pireps: heldPIREPs), Self.answer(new, newPIREPs))
  }

  private static func answer(_ reports: [TurbulenceReport], _ pireps: [PIREP]) -> ObservationsAnswer {
    // The order of the compact form.
    let sorted = HeldRecords(reports: Array(Set(reports)), pireps: pireps)
    return ObservationsAnswer(
      token: token,
      held: HeldSum(count: sorted.reports.count, checksum: sorted.reports.reduce(0) { $0 &+ $1.digest }),
      heldPIREPs: HeldSum(count: pireps.count, checksum: pireps.reduce(0) { $0 &+ $1.digest }),
      reports: sorted.reports, pireps: pireps)
  }

  private func read(_ bytes: [UInt8], and held: HeldRecords) throws(CompactError) -> ObservationsAnswer {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CompactError) in
      try ObservationsAnswer.read(compact: UnsafeRawBufferPointer(bytes), and: held).answer
    }
  }

  private func sorted(_ answer: ObservationsAnswer) -> ObservationsAnswer {
    var answer = answer
    answer.pireps.sort { $0.id < $1.id }
    return answer
  }

  @Test func changesLeadToTheSameRecords() throws {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let (held, answer) = pair(&random)
      let bytes = answer.compact(milliseconds: 0, and: held)
      #expect(sorted(try read(bytes, and: held)) == answer, "seed \(seed)")
    }
  }

  /// The log contains the answer as JSON: what is read here must be read there, too.
  @Test func whatIsReadIsReadFromTheLogAgain() throws {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      let (held, recent) = pair(&random)
      var answer = recent
      answer.token -= Int64.random(in: 0...7200, using: &random)
      let isNewer = answer.reports.contains { Int64($0.observedAt) > answer.token + 3600 }
      let bytes = answer.compact(milliseconds: 0, and: held)
      let read = try? read(bytes, and: held)
      #expect((read == nil) == isNewer, "seed \(seed)")
      guard let read else { continue }
      #expect(try read.json.withUnsafeBytes { try ObservationsAnswer(json: $0) } == read, "seed \(seed)")
    }
  }

  @Test func recordsThatAreHeldCostNextToNothing() throws {
    var random = SplitMix64(seed: 5)
    let reports = (0..<300).map { _ in ModelServer.report(at: Self.token - 60, using: &random) }
      .sorted { $0.cell < $1.cell }
    let held = HeldRecords(reports: Array(reports.prefix(280)), pireps: [pirep(1, using: &random)])
    let answer = Self.answer(Array(reports.dropFirst(30)), held.pireps)
    let bytes = answer.compact(milliseconds: 0, and: held)
    let whole = answer.compact(milliseconds: 0)
    #expect(bytes.count < 300 && whole.count > 8 * bytes.count, "\(bytes.count) of \(whole.count) bytes")
    #expect(try read(bytes, and: held) == answer)
  }

  @Test func changesToOtherRecordsAreRejected() {
    for seed in UInt64(0)..<500 {
      var random = SplitMix64(seed: seed)
      let (held, answer) = pair(&random)
      guard !held.reports.isEmpty else { continue }
      let bytes = answer.compact(milliseconds: 0, and: held)
      for other in [HeldRecords(reports: Array(held.reports.dropFirst()), pireps: held.pireps), HeldRecords()] {
        // Only removals and complete records are independent of the held data.
        if let result = try? read(bytes, and: other) { #expect(sorted(result) == answer, "seed \(seed)") }
      }
    }
  }

  @Test func cutAndChangedBytesAreRejectedOrRead() {
    for seed in UInt64(0)..<5000 {
      var random = SplitMix64(seed: seed)
      let (held, answer) = pair(&random)
      var bytes = answer.compact(milliseconds: 0, and: held)
      if random.chance(30) {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        #expect(throws: CompactError.self, "seed \(seed)") { try read(bytes, and: held) }
      } else {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        _ = try? read(bytes, and: held)
      }
    }
  }

  @Test func anAnswerWhoseSumsAreNotItsOwnIsComplete() throws {
    var random = SplitMix64(seed: 9)
    let reports = (0..<5).map { _ in ModelServer.report(at: Self.token - 60, using: &random) }
    var answer = Self.answer(reports, [])
    answer.held?.count += 1
    let held = HeldRecords(reports: reports)
    #expect(answer.compact(milliseconds: 0, and: held) == answer.compact(milliseconds: 0))
  }

  @Test func theChecksumNamesAllRecords() {
    var random = SplitMix64(seed: 11)
    let (held, _) = pair(&random)
    #expect(held.checksum != HeldRecords(reports: Array(held.reports.dropLast()), pireps: held.pireps).checksum)
    #expect(
      HeldRecords().checksum
        == HeldRecords.checksum(reports: .init(count: 0, checksum: 0), pireps: .init(count: 0, checksum: 0)))
  }

  @Test func aRequestSaysWhatIsHeld() throws {
    let ring = try Ring(Rig.square(south: 50, west: -10))
    for held in [
      nil, ObservationsRequest.HeldArea(handle: "k3", since: Self.token, records: 7),
      ObservationsRequest.HeldArea(handle: "k-4_", since: 0, records: .max, traffic: 0),
    ] {
      let request = ObservationsRequest(ring: ring, filter: Filter(types: .areaTypes, history: .twoHours), held: held)
      let back = try request.json.withUnsafeBytes { try ObservationsRequest(json: $0) }
      #expect(back == request)
    }
    for held in [
      #"{"area":"a b","since":1,"records":2}"#, #"{"area":"k3","since":1}"#, #"{"area":"k3","since":-1,"records":2}"#,
    ] {
      let json = String(
        decoding: ObservationsRequest(ring: ring, filter: Filter(types: .turbulence, history: .twoHours)).json,
        as: UTF8.self)
      let wrong = Array((json.dropLast() + #","held":\#(held)}"#).utf8)
      #expect(throws: WireError.self) { try wrong.withUnsafeBytes { try ObservationsRequest(json: $0) } }
    }
  }
}

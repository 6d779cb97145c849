import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// Sketches of held records, and the answers to repairs.
@Suite struct RecordSketchTests {
  private static let token: Int64 = 1_740_000_000
  private static let area: UInt64 = 0x1234_5678_9abc_def0

  private static func reports(_ count: Int, using random: inout SplitMix64) -> [TurbulenceReport] {
    (0..<count).map { _ in ModelServer.report(at: token - Int64.random(in: 1...3600, using: &random), using: &random) }
  }

  private static func pirep(_ number: Int, updated: Int64 = 0) -> PIREP {
    PIREP(
      id: "P\(number)", position: FixedCoordinate(latitudeE7: 515_000_000, longitudeE7: Int64(number) * 10_000),
      flightLevel: 370, severity: nil, isUrgent: false, observedAt: token - 600, updatedAt: token - 600 + updated,
      text: "UA /OV KJFK /FL370 /TB LGT \(number)")
  }

  /// What a server has, in the order of the compact form.
  private static func answer(_ reports: [TurbulenceReport], _ pireps: [PIREP] = []) -> ObservationsAnswer {
    let sorted = HeldRecords(reports: Array(Set(reports)), pireps: pireps)
    return ObservationsAnswer(
      token: token,
      held: HeldSum(count: sorted.reports.count, checksum: sorted.reports.reduce(0) { $0 &+ $1.digest }),
      heldPIREPs: HeldSum(count: pireps.count, checksum: pireps.reduce(0) { $0 &+ $1.digest }),
      reports: sorted.reports, pireps: sorted.pireps)
  }

  private static func sketch(_ held: HeldRecords, _ cells: Int) -> RecordSketch {
    RecordSketch(of: held, areaDigest: area, cellCount: cells)
  }

  private func read(_ bytes: [UInt8], and held: HeldRecords) throws(CompactError) -> ObservationsAnswer {
    let result = bytes.withUnsafeBytes { bytes -> Result<ObservationsAnswer, CompactError> in
      do throws(CompactError) {
        return .success(try ObservationsAnswer.read(compact: bytes, and: held).answer)
      } catch {
        return .failure(error)
      }
    }
    var answer = try result.get()
    answer.pireps = HeldRecords(pireps: answer.pireps).pireps
    return answer
  }

  private func sketch(_ bytes: [UInt8]) throws(CompactError) -> RecordSketch {
    let result = bytes.withUnsafeBytes { bytes -> Result<RecordSketch, CompactError> in
      do throws(CompactError) {
        return .success(try RecordSketch(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  @Test(arguments: [1, 2, 3, 5, 10, 50, 120]) func almostEveryDifferenceIsFound(count: Int) {
    var found = 0
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      let all = Self.reports(400, using: &random)
      let (own, others) = (all.dropFirst(count / 2), all.dropLast(count - count / 2))
      let cells = RecordSketch.cellCount(for: count)
      let difference = Self.sketch(HeldRecords(reports: Array(own)), cells).difference(
        from: Self.sketch(HeldRecords(reports: Array(others)), cells))
      if difference?.count == count { found += 1 }
    }
    #expect(found >= 293, "\(found) of 300")
  }

  @Test func changesLeadToTheSameRecords() throws {
    var repaired = 0
    for seed in UInt64(0)..<1000 {
      var random = SplitMix64(seed: seed)
      let all = Self.reports(Int.random(in: 0...80, using: &random), using: &random)
      let share = Int.random(in: 80...100, using: &random)
      let answer = Self.answer(
        all.filter { _ in random.chance(share) },
        (0..<8).filter { _ in random.chance(share) }.map { Self.pirep($0, updated: random.chance(20) ? 60 : 0) })
      let held = HeldRecords(
        reports: all.filter { _ in random.chance(share) },
        pireps: (0..<8).filter { _ in random.chance(share) }.map { Self.pirep($0) })
      guard let bytes = answer.compact(repairing: Self.sketch(held, 64), milliseconds: 0) else { continue }
      repaired += 1
      #expect(try read(bytes, and: held) == answer, "seed \(seed)")
    }
    #expect(repaired > 700, "\(repaired) of 1000")
  }

  @Test(arguments: [1, 5, 50]) func theSizeIsThatOfWhatDiffers(count: Int) throws {
    var random = SplitMix64(seed: 3)
    let all = Self.answer(Self.reports(2000, using: &random), [Self.pirep(1)])
    let held = HeldRecords(reports: Array(all.reports.dropFirst(count)), pireps: all.pireps)
    let sketch = Self.sketch(held, RecordSketch.cellCount(for: count))
    let bytes = try #require(all.compact(repairing: sketch, milliseconds: 0))
    // Two heads of HTTP/2 over TLS take less than 170 bytes.
    let total = 170 + sketch.bytes.count + bytes.count
    #expect(total <= 300 + 40 * count, "\(sketch.bytes.count) up and \(bytes.count) down for \(count)")
    #expect(try read(bytes, and: held) == all)
  }

  @Test func moreThanASketchShowsIsNotFound() {
    var random = SplitMix64(seed: 5)
    let answer = Self.answer(Self.reports(300, using: &random))
    #expect(answer.compact(repairing: Self.sketch(HeldRecords(), 64), milliseconds: 0) == nil)
    var delta = answer
    delta.follows = Self.token - 60
    let same = Self.sketch(HeldRecords(reports: answer.reports), 64)
    #expect(answer.compact(repairing: same, milliseconds: 0) != nil)
    #expect(delta.compact(repairing: same, milliseconds: 0) == nil, "a delta has other records")
  }

  @Test func theAnswerToAnotherIsRejected() {
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      let answer = Self.answer(Self.reports(60, using: &random), [Self.pirep(1)])
      let held = HeldRecords(reports: Array(answer.reports.dropFirst(3)), pireps: [Self.pirep(1, updated: -60)])
      let others = HeldRecords(reports: Array(answer.reports.dropLast(4)))
      guard let bytes = answer.compact(repairing: Self.sketch(others, 64), milliseconds: 0) else { continue }
      #expect(throws: CompactError.self, "seed \(seed)") { try read(bytes, and: held) }
    }
  }

  @Test func cutAndChangedAnswersAreRejectedOrRead() throws {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let answer = Self.answer(Self.reports(40, using: &random))
      let held = HeldRecords(reports: Array(answer.reports.dropFirst(4)))
      var bytes = try #require(answer.compact(repairing: Self.sketch(held, 64), milliseconds: 0))
      if random.chance(30) {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        #expect(throws: CompactError.self, "seed \(seed)") { try read(bytes, and: held) }
      } else {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        _ = try? read(bytes, and: held)
      }
    }
  }

  @Test func aSketchIsReadBack() throws {
    var random = SplitMix64(seed: 8)
    let held = HeldRecords(reports: Self.reports(100, using: &random), pireps: [Self.pirep(2)])
    for cells in [1, 4, 5, 12, 200, 256, 100_000] {
      let written = Self.sketch(held, cells)
      #expect(try sketch(written.bytes) == written && written.cellCount <= RecordSketch.maximumCells)
    }
  }

  @Test func bytesThatAreNoSketchAreRejected() {
    let good = RecordSketch(areaDigest: 7, cellCount: 4).bytes
    let wrong: [(bytes: [UInt8], offset: Int)] = [
      ([], 0), ([0xC1] + good.dropFirst(), 0), ([0xC3, 2] + good.dropFirst(2), 1), (Array(good.prefix(7)), 7),
      (Array(good.prefix(10)), 10), (Array(good.dropLast()), 10), (good + [0], 10), (good + good.suffix(8), 10),
      (good + Array(repeating: 0, count: 8 * RecordSketch.maximumCells), 10),
    ]
    for (bytes, offset) in wrong {
      do throws(CompactError) {
        _ = try sketch(bytes)
        Issue.record("\(bytes.count) bytes were read")
      } catch {
        #expect(error.offset == offset, "\(error)")
      }
    }
  }
}

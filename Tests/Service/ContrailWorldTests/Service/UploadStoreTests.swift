import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// What the service remembers of uploads.
@Suite struct UploadStoreTests {
  /// A report of a minute, which arrives ten seconds after its observation.
  private static func observation(
    _ number: Int, at second: Int64 = Samples.noon, arrival: Int64? = nil
  ) throws -> WorldEpoch.Observation {
    let report = TurbulenceReport(
      cell: UInt32(0x0852_8347_3fff_ffff >> 30 & 0x3F_FFFF), altitude: UInt8(number % 50), severity: 1,
      edrE4: UInt16(1000 + number / 50), observedAt: UInt32(second))
    return try #require(WorldEpoch.Observation(report, arrival: arrival ?? second + 10))
  }

  private static func numbers(_ observations: [WorldEpoch.Observation]) -> [Int] {
    observations.map { Int($0.report.altitude) + 50 * (Int($0.report.edrE4) - 1000) }
  }

  @Test func oneKeyDoesNotPushOutTheUploadsOfAnother() throws {
    var store = UploadStore(capacity: 4)
    #expect(try store.accept([], owner: "quiet", key: "one", bodyDigest: 1, now: Samples.noon).accepted == 0)
    for number in 0..<100 {
      _ = try store.accept([], owner: "loud", key: "\(number)", bodyDigest: 1, now: Samples.noon + Int64(number))
    }
    // The key is still known, and belongs to its owner alone.
    #expect(throws: ServiceError.self) {
      try store.accept([], owner: "quiet", key: "one", bodyDigest: 2, now: Samples.noon + 200)
    }
    #expect(try store.accept([], owner: "loud", key: "one", bodyDigest: 2, now: Samples.noon + 200).accepted == 0)
  }

  /// A broken sensor may send uploads that are held back as a whole, of which nothing else is stored.
  @Test func whatIsHeldBackIsListedForTheLatestUploadsOnly() throws {
    var store = UploadStore(capacity: 100)
    let heldBack = (0..<10).map { UploadAnswer.HeldBack(report: $0, reason: .stuck) }
    func answer(_ number: Int) throws -> UploadAnswer {
      try store.accept(
        [], heldBack: heldBack, owner: "a", key: "\(number)", bodyDigest: 1, now: Samples.noon + Int64(number))
    }
    for number in 0..<1000 { #expect(try answer(number).heldBack == heldBack) }
    let known = try (0..<1000).compactMap {
      try store.receipt(owner: "a", key: "\($0)", bodyDigest: 1, now: Samples.noon + 1000)
    }
    let listed = known.count { !$0.heldBack.isEmpty }
    #expect((5...10).contains(listed) && known.last?.heldBack == heldBack)
    // The keys are kept: a report still counts once.
    #expect(known.count >= 50)
  }

  @Test func reportsBelongToTheirOwners() throws {
    var store = UploadStore()
    #expect(store.observations.isEmpty && store.count(of: "a", after: 0) == 0)
    func send(_ owner: String, _ numbers: [Int], key: String) throws -> Int {
      try store.accept(
        try numbers.map { try Self.observation($0, arrival: Samples.noon + Int64($0)) }, owner: owner, key: key,
        bodyDigest: 1, now: Samples.noon
      ).accepted
    }
    #expect(try send("a", [1, 2], key: "one") == 2)
    #expect(Self.numbers(store.observations) == [1, 2])
    // Reports that the owner sent before are confirmed, and stored once.
    #expect(try send("a", [2, 3], key: "two") == 2)
    #expect(try send("b", [2, 4], key: "one") == 2)
    #expect(Self.numbers(store.observations).sorted() == [1, 2, 2, 3, 4])
    #expect(store.others(than: "a").map { $0.report.altitude } == [2, 4])
    #expect(store.others(than: "a").allSatisfy { $0.owner == "b" })
    #expect(store.others(than: "c").count == 5)
    #expect([0, 1, 2, 3].map { store.count(of: "a", after: Samples.noon + $0) } == [3, 2, 1, 0])
  }

  @Test func reportsOlderThanAnyHistoryAreNotStored() throws {
    var store = UploadStore()
    let limit = Samples.noon - UploadStore.longestHistory
    let answer = try store.accept(
      [try Self.observation(1, at: limit), try Self.observation(2, at: limit + 1)], owner: "a", key: "one",
      bodyDigest: 1, now: Samples.noon)
    #expect(answer.accepted == 1 && Self.numbers(store.observations) == [2])
  }

  @Test func aKeyOfIdempotencyIsKnownForThirtyDays() throws {
    var store = UploadStore()
    let first = try store.accept([try Self.observation(1)], owner: "a", key: "k", bodyDigest: 1, now: Samples.noon)
    let end = Samples.noon + 30 * 86_400
    #expect(try store.accept([], owner: "a", key: "k", bodyDigest: 1, now: end - 1) == first)
    let error = #expect(throws: ServiceError.self) {
      try store.accept([], owner: "a", key: "k", bodyDigest: 2, now: end - 1)
    }
    #expect(error?.status == 409 && error?.code == "IDEMPOTENCY_KEY_REUSED")
    #expect(try store.receipt(owner: "a", key: "k", bodyDigest: 2, now: end) == nil)
    #expect(try store.accept([], owner: "a", key: "k", bodyDigest: 2, now: end).accepted == 0)
    // The 30 days begin again with the new use.
    #expect(throws: ServiceError.self) { try store.receipt(owner: "a", key: "k", bodyDigest: 1, now: end + 1) }
  }

  /// What is removed can be sent again.
  @Test func beyondItsCapacityAnOwnerKeepsItsNewestHalf() throws {
    var store = UploadStore(capacity: 10)
    func send(_ number: Int) throws {
      _ = try store.accept(
        [try Self.observation(number)], owner: "a", key: "\(number)", bodyDigest: 1, now: Samples.noon + Int64(number))
    }
    for number in 0..<10 { try send(number) }
    #expect(Self.numbers(store.observations) == Array(0..<10) && store.trimCount == 0)
    try send(10)
    #expect(Self.numbers(store.observations) == Array(6...10) && store.trimCount == 1)
    let known = try (0...10).filter {
      try store.receipt(owner: "a", key: "\($0)", bodyDigest: 1, now: Samples.noon + 10) != nil
    }
    #expect(known == Array(6...10))
    for number in [3, 6, 8] {
      _ = try store.accept(
        [try Self.observation(number)], owner: "a", key: "again \(number)", bodyDigest: 1, now: Samples.noon + 11)
    }
    #expect(Self.numbers(store.observations) == Array(6...10) + [3])
  }

  /// Keys that have expired go first. As long as there are enough of them, no other goes.
  @Test func expiredKeysAreForgottenFirst() throws {
    var store = UploadStore(capacity: 10)
    let later = Samples.noon + UploadStore.keyLifetimeSeconds
    for number in 0..<5 {
      _ = try store.accept([], owner: "a", key: "old \(number)", bodyDigest: 1, now: Samples.noon)
    }
    for number in 0..<6 { _ = try store.accept([], owner: "a", key: "\(number)", bodyDigest: 1, now: later) }
    for number in 0..<6 {
      #expect(try store.receipt(owner: "a", key: "\(number)", bodyDigest: 1, now: later) != nil, "\(number)")
    }
    #expect(store.parts(at: later).map { $0.receipts.count } == [6])
  }

  /// If the store is full, the owner with the most entries loses its oldest ones.
  @Test func theLargestOwnerGivesWay() throws {
    var store = UploadStore(capacity: 11)
    let sizes = ["a": 9, "b": 11, "c": 11, "d": 11]
    for (owner, size) in sizes.sorted(by: { $0.key < $1.key }) {
      let reports = try (0..<size).map { try Self.observation($0) }
      _ = try store.accept(reports, owner: owner, key: "k", bodyDigest: 1, now: Samples.noon)
    }
    for owner in ["e", "f"] {
      _ = try store.accept([try Self.observation(0)], owner: owner, key: "k", bodyDigest: 1, now: Samples.noon)
    }
    #expect(store.observations.count == 44 && store.trimCount == 0)
    _ = try store.accept([try Self.observation(0)], owner: "g", key: "k", bodyDigest: 1, now: Samples.noon)
    // Of equally large ones, the last by name.
    let left = Dictionary(grouping: store.others(than: ""), by: \.owner).mapValues(\.count)
    #expect(left == ["a": 9, "b": 11, "c": 11, "d": 5, "e": 1, "f": 1, "g": 1] && store.trimCount == 1)
  }

  /// The newest lists of held-back reports are kept, up to half of the capacity.
  @Test(arguments: [
    ([10], [10]), ([10, 1], [0, 1]), ([9, 4], [0, 4]), ([3, 1, 4, 3], [0, 0, 0, 3]), ([5, 1, 2, 3], [0, 0, 2, 3]),
    ([5, 6], [0, 0]), ([1, 2, 3, 4], [1, 2, 3, 4]),
  ]) func theNewestListsAreKept(sizes: [Int], kept: [Int]) throws {
    var store = UploadStore(capacity: 10)
    for (number, size) in sizes.enumerated() {
      let heldBack = (0..<size).map { UploadAnswer.HeldBack(report: $0, reason: .stuck) }
      let answer = try store.accept(
        [], heldBack: heldBack, owner: "a", key: "\(number)", bodyDigest: 1, now: Samples.noon + Int64(number))
      #expect(answer.heldBack == heldBack)
    }
    let known = try sizes.indices.map {
      try store.receipt(owner: "a", key: "\($0)", bodyDigest: 1, now: Samples.noon + 100)?.heldBack.count
    }
    #expect(known == kept && store.trimCount == 0, "no report was removed")
  }

  /// Lists of expired results don't count.
  @Test func expiredListsGoFirst() throws {
    var store = UploadStore(capacity: 10)
    let later = Samples.noon + UploadStore.keyLifetimeSeconds
    let heldBack = (0..<8).map { UploadAnswer.HeldBack(report: $0, reason: .stuck) }
    _ = try store.accept([], heldBack: heldBack, owner: "a", key: "old", bodyDigest: 1, now: Samples.noon)
    _ = try store.accept([], heldBack: Array(heldBack.prefix(6)), owner: "a", key: "new", bodyDigest: 1, now: later)
    #expect(try store.receipt(owner: "a", key: "new", bodyDigest: 1, now: later)?.heldBack.count == 6)
  }

  @Test func aSnapshotHasWhatStillCounts() throws {
    var store = UploadStore()
    let heldBack = [UploadAnswer.HeldBack(report: 0, reason: .stuck)]
    let later = Samples.noon + UploadStore.keyLifetimeSeconds
    _ = try store.accept([], owner: "b", key: "old", bodyDigest: 1, now: Samples.noon)
    let old = try Self.observation(1, at: later - LiveWorld.memorySeconds)
    let young = try Self.observation(2, at: later - LiveWorld.memorySeconds + 1)
    let now = later - LiveWorld.memorySeconds + 2
    for key in ["two", "one"] {
      _ = try store.accept([old, young], heldBack: heldBack, owner: "b", key: key, bodyDigest: 7, now: now)
    }
    _ = try store.accept([], owner: "a", key: "one", bodyDigest: 3, now: now)
    let parts = store.parts(at: later)
    #expect(parts.map(\.owner) == ["a", "b"] && parts[0].receipts.map(\.bodyDigest) == [3])
    #expect(parts[1].receipts.map(\.key) == ["one", "two"], "in order of time, then of the key")
    #expect(parts[1].receipts.allSatisfy { $0.at == now && $0.bodyDigest == 7 && $0.answer.heldBack == heldBack })
    #expect(parts[1].reports.map(\.report) == [young.report] && parts[1].reports.map(\.arrival) == [young.arrival])
    #expect(store.parts(at: later - 1)[1].receipts.map(\.key) == ["old", "one", "two"])
    var restored = UploadStore()
    for part in parts { restored.restore(part) }
    let again = restored.parts(at: later)
    #expect(again.map(\.owner) == parts.map(\.owner) && again.map(\.receipts) == parts.map(\.receipts))
    #expect(again.flatMap(\.reports).map(\.report) == [young.report])
    #expect(again.flatMap(\.reports).map(\.arrival) == [young.arrival])
    // Of an owner that has some, the others are added.
    restored.restore(
      UploadStore.Part(owner: "a", receipts: [.init(key: "two", bodyDigest: 4, answer: .init(accepted: 0), at: now)]))
    #expect(restored.parts(at: later).first?.receipts.map(\.key) == ["one", "two"])
    // A report that is restored isn't stored again.
    _ = try restored.accept([young], owner: "b", key: "three", bodyDigest: 1, now: now)
    #expect(restored.observations.count == 1)
  }

  @Test func whatNoAnswerContainsIsForgotten() throws {
    var store = UploadStore()
    let (old, young) = (try Self.observation(1, at: Samples.noon), try Self.observation(2, at: Samples.noon + 1))
    _ = try store.accept([old, young], owner: "a", key: "one", bodyDigest: 1, now: Samples.noon)
    store.forget(before: Samples.noon - 1)
    #expect(store.observations.count == 2)
    store.forget(before: Samples.noon)
    #expect(Self.numbers(store.observations) == [2])
    _ = try store.accept([old, young], owner: "a", key: "two", bodyDigest: 1, now: Samples.noon)
    #expect(Self.numbers(store.observations) == [2, 1])
    store.forget(before: Samples.noon + 1)
    #expect(store.observations.isEmpty)
  }
}

import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// The compact form of an answer against its JSON.
@Suite struct CompactAnswerTests {
  private func read(_ bytes: [UInt8]) throws(CompactError) -> (answer: ObservationsAnswer, milliseconds: Int64) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CompactError) in
      try ObservationsAnswer.read(compact: UnsafeRawBufferPointer(bytes))
    }
  }

  /// The same answer with its reports in the order of the compact form.
  private func sorted(_ answer: ObservationsAnswer) -> ObservationsAnswer {
    var answer = answer
    answer.reports.sort { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }
    return answer
  }

  @Test func bothFormsGiveTheSameAnswer() throws {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let answer = ObservationsAnswer.random(using: &random)
      let milliseconds = Int64.random(in: 0...999, using: &random)
      let compact = try read(answer.compact(milliseconds: milliseconds))
      #expect(compact.answer == sorted(answer) && compact.milliseconds == milliseconds, "seed \(seed)")
      let json = try answer.json.withUnsafeBytes { try ObservationsAnswer(json: $0) }
      #expect(sorted(json) == sorted(answer), "seed \(seed)")
    }
  }

  @Test func aReportTakesLessThanNineBytes() {
    var random = SplitMix64(seed: 5)
    let answer = ObservationsAnswer.random(reports: 500...500, using: &random)
    var bare = answer
    bare.reports = []
    let bytes = answer.compact(milliseconds: 0).count - bare.compact(milliseconds: 0).count
    #expect(bytes < 9 * 500, "\(bytes) bytes")
    #expect(bytes * 5 < answer.json.count)
  }

  @Test func anAnswerThatIsCutIsRejectedAtEveryLength() {
    for seed in UInt64(0)..<40 {
      var random = SplitMix64(seed: seed)
      let bytes = ObservationsAnswer.random(reports: 1...6, using: &random).compact(milliseconds: 7)
      for length in bytes.indices {
        #expect(throws: CompactError.self, "seed \(seed), \(length) bytes") { try read(Array(bytes[..<length])) }
      }
      let error = #expect(throws: CompactError.self) { try read(bytes + [0]) }
      #expect(error == CompactError(offset: bytes.count, reason: "the answer goes on after its end"))
    }
  }

  @Test func changedBytesAreReadOrRejected() {
    for seed in UInt64(0)..<20_000 {
      var random = SplitMix64(seed: seed)
      var bytes = ObservationsAnswer.random(reports: 0...8, using: &random).compact(milliseconds: 7)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let changed = try? read(bytes) else { continue }
      // What is read can be written, and is then the same.
      let again = try? read(changed.answer.compact(milliseconds: changed.milliseconds))
      #expect(again?.answer == sorted(changed.answer), "seed \(seed)")
    }
  }

  @Test(
    arguments: [
      ([0xC1, 2], 1, "version 2 is unknown; the newest known is 1"),
      ([0x7B], 0, "the answer isn't compact"),
      ([0xC1, 1, 0x80], 2, "a repair needs sums, and a full answer"),
      ([0xC1, 1, 0x40], 2, "changes of records need sums, and a full answer"),
      ([0xC1, 1, 0x30, 1, 0, 0, 0], 2, "unknown parts 48"),
      // A watermark of 1, and a billion reports.
      (
        [0xC1, 1, 0, 1, 0, 0x80, 0x94, 0xEB, 0xDC, 0x03], 10, "1000000000 reports don't fit into the remaining 0 bytes"
      ),
      ([0xC1, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 13, "a number has more than 64 bits"),
      ([0xC1, 1, 0, 1, 0, 1, 0xFF, 0xFF, 0xFF, 0x7F], 10, "'cell' is 268435455; the limit is 4194303"),
    ] as [([UInt8], Int, String)])
  func whatIsWrongIsNamed(bytes: [UInt8], offset: Int, reason: String) {
    let error = #expect(throws: CompactError.self) { try read(bytes) }
    #expect(error == CompactError(offset: offset, reason: reason))
  }
}

@Suite struct AreaRequestTests {
  @Test func aRequestIsReadAsItWasWritten() throws {
    for seed in UInt64(0)..<500 {
      var random = SplitMix64(seed: seed)
      let request = AreaRequest(
        handle: "aZ-_09",
        filter: Filter(
          types: DataTypeOptions(rawValue: [1, 3, 7, 0].randomElement(using: &random) ?? 1),
          severities: random.chance(50) ? .all : SeveritySet([.moderate, .moderateSevere]),
          altitudes: random.chance(50) ? .all : try #require(AltitudeBand(lower: 20, upper: 41)),
          history: DataHistoryTime.allCases.randomElement(using: &random) ?? .hour),
        since: random.chance(70) ? Int64.random(in: 0...Int64(UInt32.max), using: &random) : nil,
        heldTraffic: random.chance(50) ? UInt32.random(in: 0...UInt32.max, using: &random) : nil)
      let parts = request.target.dropFirst(AreaRequest.prefix.count).split(separator: "?")
      let items = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
        let sides = item.split(separator: "=", maxSplits: 1)
        return (name: String(sides[0]), value: String(sides[1]))
      }
      #expect(try AreaRequest(handle: String(parts[0]), items: items) == request, "seed \(seed): \(request.target)")
    }
  }

  @Test func whatIsUsualIsNotWritten() {
    #expect(AreaRequest(handle: "k3", since: 5).target == "/areas/k3?since=5")
    #expect(AreaRequest(handle: "k3").target == "/areas/k3")
  }

  @Test(arguments: [
    ("since", "-1"), ("since", "4294967296"), ("hours", "3"), ("types", "8"), ("types", "turbulence"), ("sevs", "9"),
    ("alts", "9-1"),
    ("alts", "1"), ("traffic", "4294967296"), ("traffic", "-1"), ("more", "1"),
  ])
  func anInvalidParameterIsNamed(name: String, value: String) {
    #expect(throws: WireError.parameter(name, value: value)) {
      try AreaRequest(handle: "k3", items: [(name: name, value: value)])
    }
  }

  @Test(arguments: ["", "a/b", "ä", "012345678901234567890123456789012"]) func aHandleIsShortAndPlain(handle: String) {
    #expect(!AreaRequest.isHandle(handle))
    #expect(throws: WireError.parameter("handle", value: handle)) { try AreaRequest(handle: handle, items: []) }
  }
}

@Suite struct SharedExchangeTests {
  private func items(_ target: String) -> (handles: String, items: [(name: String, value: String)]) {
    let parts = target.dropFirst(AreaRequest.prefix.count).split(separator: "?")
    let items = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
      let sides = item.split(separator: "=", maxSplits: 1)
      return (name: String(sides[0]), value: String(sides[1]))
    }
    return (String(parts[0]), items)
  }

  @Test func requestsAreReadAsTheyWereWritten() throws {
    for seed in UInt64(0)..<1000 {
      var random = SplitMix64(seed: seed)
      let since = Int64.random(in: 0...Int64(UInt32.max), using: &random)
      let requests = try (0..<Int.random(in: 1...AreaRequest.maximumCount, using: &random)).map { index in
        AreaRequest(
          handle: "k\(index)",
          filter: Filter(
            types: DataTypeOptions(rawValue: [1, 7].randomElement(using: &random) ?? 1),
            severities: random.chance(70) ? .all : SeveritySet([.moderate, .moderateSevere]),
            altitudes: random.chance(70) ? .all : try #require(AltitudeBand(lower: 20, upper: 41)),
            history: random.chance(70) ? .twoHours : .hour), since: random.chance(80) ? since : nil,
          heldTraffic: random.chance(50) ? UInt32.random(in: 0...UInt32.max, using: &random) : nil)
      }
      let (handles, items) = items(AreaRequest.target(of: requests))
      #expect(try AreaRequest.requests(handles: handles, items: items) == requests, "seed \(seed)")
    }
  }

  @Test func whatIsTheSameIsWrittenOnce() {
    let requests = [("k3", UInt32(46)), ("k4", 83)].map {
      AreaRequest(handle: $0.0, filter: Filter(types: .areaTypes), since: 1_740_000_060, heldTraffic: $0.1)
    }
    #expect(AreaRequest.target(of: requests) == "/areas/k3~k4?since=1740000060&types=7&traffic=1a~2b")
  }

  @Test(arguments: [
    ("a~b~c", "since", "1~2", "since"), ("a~", "since", "1", "handle"), ("a~a~a~a~a~a~a~a~a", "since", "1", "handle"),
    ("a~b", "since", "1~x", "since"),
  ])
  func anInvalidNumberOfValuesIsNamed(handles: String, name: String, value: String, named: String) {
    let error = #expect(throws: WireError.self) {
      try AreaRequest.requests(handles: handles, items: [(name, value)])
    }
    if case .parameter(let name, _) = error {
      #expect(name == named)
    } else {
      Issue.record("\(String(describing: error))")
    }
  }

  private func parts(_ bytes: [UInt8]) throws(CompactError) -> [CompactBundle.Part] {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CompactError) in
      try CompactBundle.parts(UnsafeRawBufferPointer(bytes))
    }
  }

  @Test func aBundleIsReadAsItWasWrittenAndRejectedWhereverItIsCut() throws {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      let bundle = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        CompactBundle.Part(
          status: Int.random(in: 200...599, using: &random),
          body: (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      let bytes = CompactBundle.bytes(bundle)
      #expect(try parts(bytes) == bundle, "seed \(seed)")
      for length in bytes.indices {
        #expect(throws: CompactError.self, "seed \(seed)") { try parts(Array(bytes[..<length])) }
      }
      #expect(throws: CompactError.self) { try parts(bytes + [0]) }
      var changed = bytes
      changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try? parts(changed)
    }
  }

  @Test(
    arguments: [
      ([0xC1, 1, 0], 0, "there is no bundle of answers"),
      ([0xC2, 2, 0], 1, "version 2 is unknown; the newest known is 1"),
      ([0xC2, 1, 0x80, 0x94, 0xEB, 0xDC, 0x03], 7, "1000000000 answers don't fit into the remaining 0 bytes"),
      ([0xC2, 1, 1, 100, 0], 4, "'status' is 100, which is outside 200…599"),
    ] as [([UInt8], Int, String)])
  func whatIsWrongWithABundleIsNamed(bytes: [UInt8], offset: Int, reason: String) {
    let error = #expect(throws: CompactError.self) { try parts(bytes) }
    #expect(error == CompactError(offset: offset, reason: reason))
  }
}

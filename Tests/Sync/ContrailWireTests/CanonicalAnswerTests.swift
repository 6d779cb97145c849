import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// The fast way to an answer against the one that knows every spelling.
@Suite struct CanonicalAnswerTests {
  /// The result of reading: the answer, or nil.
  private func read(_ bytes: some Collection<UInt8>, _ read: (UnsafeRawBufferPointer) throws -> ObservationsAnswer)
    -> ObservationsAnswer?
  {
    Array(bytes).withUnsafeBytes { try? read($0) }
  }

  private func fast(_ bytes: some Collection<UInt8>) -> ObservationsAnswer? {
    Array(bytes).withUnsafeBytes { ObservationsAnswer(canonical: $0) }
  }

  /// Both ways must agree; the fast one may only take what is spelt as it is written.
  private func compare(_ bytes: [UInt8], _ note: @autoclosure () -> String) {
    let either = read(bytes, ObservationsAnswer.init(json:))
    #expect(either == read(bytes, ObservationsAnswer.init(anySpelling:)), "\(note())")
    if let fast = fast(bytes) { #expect(fast == either && fast.json == bytes, "\(note())") }
  }

  private func answer(_ random: inout SplitMix64) -> ObservationsAnswer {
    let token = Int64.random(in: 1_700_000_000...4_000_000_000, using: &random)
    var answer = ObservationsAnswer(token: token)
    if random.chance(50) { answer.follows = token - Int64.random(in: 0...400, using: &random) }
    if random.chance(80) {
      answer.held = HeldSum(count: Int.random(in: 0...99_999, using: &random), checksum: random.next())
    }
    answer.reports = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      let report = ModelServer.report(at: token - Int64.random(in: -3600...9000, using: &random), using: &random)
      // EDRs of every length, among them 0, 1 and the most that can be.
      let edr: UInt16 = [report.edrE4, 0, 10_000, 65_535, 10, 500, 4000, 12_300].randomElement(using: &random) ?? 0
      return TurbulenceReport(
        cell: report.cell, altitude: report.altitude, severity: report.severityCode, edrE4: edr,
        observedAt: report.observedAt)
    }
    if random.chance(30) { addOthers(to: &answer, &random) }
    return answer
  }

  /// Adds PIREPs and traffic, in all forms that are scanned.
  private func addOthers(to answer: inout ObservationsAnswer, _ random: inout SplitMix64) {
    func maybe<T>(_ value: (inout SplitMix64) -> T) -> T? { random.chance(60) ? value(&random) : nil }
    let token = answer.token
    answer.heldPIREPs = maybe { HeldSum(count: Int.random(in: 0...99, using: &$0), checksum: $0.next()) }
    for number in 0..<Int.random(in: 0...3, using: &random) {
      answer.pireps.append(
        PIREP(
          id: "pirep-\(number)", position: place(&random),
          flightLevel: maybe { Int.random(in: -20...1000, using: &$0) },
          severity: maybe { TurbulenceSeverity.allCases.randomElement(using: &$0) ?? .light },
          isUrgent: random.chance(50), observedAt: token - 5, updatedAt: token,
          text: "UA /OV KJFK /TB LGT-MOD" + String(repeating: "/", count: number)))
    }
    answer.traffic = maybe { random in
      (0..<Int.random(in: 0...3, using: &random)).map { number in
        TrafficPosition(
          id: "4b18f\(number)", callsign: number == 0 ? "" : "SWR\(number)", position: place(&random),
          altitudeFeet: random.chance(50) ? Int.random(in: -5000...200_000, using: &random) : nil,
          groundSpeedKnots: random.chance(50) ? Int.random(in: 0...5000, using: &random) : nil,
          trackDegrees: random.chance(50) ? Int.random(in: 0...360, using: &random) : nil, observedAt: token)
      }
    }
  }

  private func place(_ random: inout SplitMix64) -> FixedCoordinate {
    let shift = Int64.random(in: 0...31, using: &random)
    return FixedCoordinate(
      latitudeE7: Int64.random(in: -900_000_000...900_000_000, using: &random) >> shift,
      longitudeE7: Int64.random(in: -3_600_000_000...3_600_000_000, using: &random) >> shift)
  }

  @Test func itReadsWhatIsWritten() {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let answer = answer(&random)
      #expect(fast(answer.json) == answer, "seed \(seed)")
      #expect(read(answer.json, ObservationsAnswer.init(anySpelling:)) == answer, "seed \(seed)")
    }
  }

  @Test func otherSpellingsAreReadToTheSameAnswer() {
    for seed in UInt64(0)..<600 {
      var random = SplitMix64(seed: seed)
      let answer = answer(&random)
      let other = Respelling(random: random).respelt(answer.json)
      #expect(fast(other) == nil || other == answer.json, "seed \(seed)")
      #expect(
        read(other, ObservationsAnswer.init(json:)) == answer, "seed \(seed): \(String(decoding: other, as: UTF8.self))"
      )
    }
  }

  @Test func noByteMayBeInsertedIntoAHexagon() {
    let json = Self.hexagons.json
    // Zeros, and the characters beside the digits.
    for byte in Array("0/:9@`ag".utf8) {
      for place in json.indices {
        var bytes = json
        bytes.insert(byte, at: place)
        compare(bytes, "byte \(place) \(byte)")
      }
    }
  }

  @Test func noChangedByteMakesBothWaysDiffer() {
    let interesting = Array("0123456789abcdefgAF.,:\"{}[]-+eE \\/_".utf8) + [0, 0x0A, 0x7F, 0x80, 0xB0, 0xFF]
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      var bytes = answer(&random).json
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(interesting.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
        default: bytes[place] = interesting.randomElement(using: &random) ?? 0
        }
      }
      compare(bytes, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Hexagons with altitudes and EDRs of every length.
  private static let hexagons: ObservationsAnswer = {
    var answer = ObservationsAnswer(token: 1_740_000_000)
    answer.reports = [
      TurbulenceReport(cell: 0x0C_1234, altitude: 38, severity: 2, edrE4: 1121, observedAt: 1_739_999_000),
      TurbulenceReport(cell: 0x0C_1234, altitude: 3, severity: 0, edrE4: 30, observedAt: 1_739_999_001),
      TurbulenceReport(cell: 4 << 15 | 0o200, altitude: 10, severity: 4, edrE4: 4200, observedAt: 1_739_999_002),
      TurbulenceReport(cell: 0o1, altitude: 0, severity: 1, edrE4: 50_000, observedAt: 1_739_999_003),
    ]
    return answer
  }()

  @Test func everyByteOfAHexagonCountsWhateverItBecomes() {
    let json = Self.hexagons.json
    for place in json.indices {
      for byte in UInt8.min...UInt8.max where byte != json[place] {
        var bytes = json
        bytes[place] = byte
        compare(bytes, "byte \(place) \(byte)")
      }
    }
  }

  @Test func everyByteOfAPIREPAndOfTrafficCountsWhateverItBecomes() {
    var answer = ObservationsAnswer(token: 1_740_000_000)
    answer.heldPIREPs = HeldSum(count: 1, checksum: 0xabc)
    answer.pireps = [
      PIREP(
        id: "p1", position: .init(latitudeE7: -5, longitudeE7: 1_234_567_890), flightLevel: -20, severity: .moderate,
        isUrgent: true, observedAt: 1_740_000_000, updatedAt: 7, text: "TB MOD")
    ]
    answer.traffic = [
      TrafficPosition(
        id: "4b", callsign: "", position: .init(latitudeE7: 0, longitudeE7: -10_000_000), altitudeFeet: 0,
        groundSpeedKnots: 480, trackDegrees: 360, observedAt: 1_740_000_000)
    ]
    let json = answer.json
    #expect(fast(json) == answer)
    for place in json.indices {
      for byte in UInt8.min...UInt8.max where byte != json[place] {
        var bytes = json
        bytes[place] = byte
        compare(bytes, "byte \(place) \(byte)")
      }
    }
  }

  @Test func whatStandsBehindTheEndIsNotLookedAt() {
    var random = SplitMix64(seed: 9)
    var answer = answer(&random)
    answer.reports = (0..<3).map { _ in ModelServer.report(at: answer.token - 5, using: &random) }
    let json = answer.json
    json.withUnsafeBytes { bytes in
      for count in bytes.indices {
        // The rest of the answer follows in memory, but is none of the scanner's.
        let cut = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        #expect(ObservationsAnswer(canonical: cut) == nil, "\(count)")
      }
    }
  }

  @Test(arguments: [
    ("\"alt\":38", ["\"alt\":53", "\"alt\":038", "\"alt\":-1", "\"alt\":3.8e1", "\"alt\":99", "\"alt\":380"]),
    ("\"sev\":2", ["\"sev\":5", "\"sev\":22", "\"sev\":9", "\"sev\":2.0"]),
    (
      "0.1121",
      ["6.5536", "6.5535", "7", "0.11210", "0.11", "0.1120", ".1121", "0.", "00.1", "1.1121e-1", "0.11214999"]
    ),
    (
      "1739999000",
      ["739999000", "0739999000", "4294967296", "1740003600", "1740003601", "17399990001", "1739999000.0"]
    ),
    (
      "852c1234fffffff",
      ["852C1234fffffff", "852c1235fffffff", "852c123cfffffff", "842c1234fffffff", "85fc1234fffffff"]
    ),
  ]) func limitsAreTheSameBothWays(part: String, others: [String]) {
    for other in others {
      let text = #"""
        {"data":{"lastUpdatedAt":1740000000,"hexagons":[{"id":"85283473fffffff","alt":38,"sev":2,"edr":0.1121,\#
        "observedAt":1739999000}]},"meta":{},"links":{},"warnings":{}}
        """#
        .replacing(part == "852c1234fffffff" ? "85283473fffffff" : part, with: other)
      compare(Array(text.utf8), other)
    }
  }
}

/// Says the same JSON in another spelling: white space, escapes, the order of members, longer numbers.
private struct Respelling {
  var random: SplitMix64

  func respelt(_ json: [UInt8]) -> [UInt8] {
    var copy = self
    var text: [UInt8] = []
    json.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) { try copy.value(&reader, to: &text) } catch {}
    }
    return text
  }

  private mutating func value(_ reader: inout JSONReader, to text: inout [UInt8]) throws(JSONError) {
    var ahead = reader
    let range = try ahead.skipValue()
    let raw = Array(reader.slice(range))
    space(&text)
    switch raw.first {
    case UInt8(ascii: "{"): try object(&reader, to: &text)
    case UInt8(ascii: "["):
      text.append(UInt8(ascii: "["))
      var isFirst = true
      try reader.array { (reader) throws(JSONError) in
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        try value(&reader, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case UInt8(ascii: "\""):
      string(try reader.string(), to: &text)
    default:
      try reader.skipValue()
      if ["true", "false", "null"].contains(String(decoding: raw, as: UTF8.self)) {
        text += raw
      } else {
        number(raw, to: &text)
      }
    }
    space(&text)
  }

  private mutating func object(_ reader: inout JSONReader, to text: inout [UInt8]) throws(JSONError) {
    var members: [[UInt8]] = []
    try reader.object { (key, reader) throws(JSONError) in
      var member: [UInt8] = []
      space(&member)
      string(key.string, to: &member)
      space(&member)
      member.append(UInt8(ascii: ":"))
      try value(&reader, to: &member)
      members.append(member)
    }
    if random.chance(20) { members.append(Array(#""later":[{"a":"}"}]"#.utf8)) }
    if random.chance(30) { members.shuffle(using: &random) }
    text.append(UInt8(ascii: "{"))
    text += members.joined(separator: [UInt8(ascii: ",")])
    text.append(UInt8(ascii: "}"))
  }

  private mutating func space(_ text: inout [UInt8]) {
    if random.chance(4) { text.append([0x20, 0x09, 0x0A, 0x0D].randomElement(using: &random) ?? 0x20) }
  }

  private mutating func string(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      if random.chance(2) {
        let digits = String(byte, radix: 16)
        text += Array("\\u00\(digits.count < 2 ? "0" : "")\(random.chance(50) ? digits.uppercased() : digits)".utf8)
      } else {
        text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  private mutating func number(_ raw: [UInt8], to text: inout [UInt8]) {
    text += raw
    guard random.chance(10) else { return }
    if !raw.contains(UInt8(ascii: ".")) { text.append(UInt8(ascii: ".")) }
    text += Array(["0", "00", "0e0", "0E+00"].randomElement(using: &random)?.utf8 ?? "0".utf8)
  }
}

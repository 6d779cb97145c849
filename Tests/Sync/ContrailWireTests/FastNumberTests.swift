import ContrailTestSupport
import ContrailWire
import Testing

/// Numbers are read and written eight digits at a time: against the language's own text of them.
@Suite struct FastNumberTests {
  private func numbers(_ random: inout SplitMix64) -> [UInt64] {
    var numbers: [UInt64] = [0, 9, 10, 99, 100, .max]
    var power: UInt64 = 1
    for _ in 0..<20 {
      numbers += [power &- 1, power, power &+ 1, power &* 9]
      power = power &* 10
    }
    for _ in 0..<5000 { numbers.append(random.next() >> UInt64.random(in: 0..<64, using: &random)) }
    return numbers
  }

  @Test func eachNumberIsWrittenAsItsDigits() {
    var random = SplitMix64(seed: 1)
    for number in numbers(&random) {
      var json = JSONWriter()
      json.array { json in
        json.value(number)
        json.value(Int64(truncatingIfNeeded: number))
      }
      #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(number),\(Int64(truncatingIfNeeded: number))]")
    }
  }

  @Test func eachIntegerIsReadByTheScannerOrLeftToTheReader() throws {
    var random = SplitMix64(seed: 2)
    for number in numbers(&random) {
      let value = Int64(truncatingIfNeeded: number)
      // With and without bytes behind it, which decides how many are read at once.
      for end in ["", ",", "]      ", ".5      "] {
        let bytes = Array("\(value)\(end)".utf8)
        let (scanned, position) = bytes.withUnsafeBytes {
          var scan = CanonicalScanner($0)
          return (scan.integer(), scan.position)
        }
        if value.magnitude < 1_000_000_000_000_000_000 {
          #expect(scanned == value && position == bytes.count - end.utf8.count, "\(value)")
        }
        guard !end.hasPrefix(".") else { continue }
        #expect(try reading(bytes) { (json) throws(JSONError) in try json.int64() } == value)
      }
    }
    for text in ["-0", "01", "-01", "", "-", "00000000", "012345678", "+1", "x", "00000000000000000"] {
      for end in ["", "        "] {
        Array((text + end).utf8).withUnsafeBytes {
          var scan = CanonicalScanner($0)
          #expect(scan.integer() == nil, "\(text)")
        }
      }
    }
  }

  /// Whether a whole text is a number, by the grammar of RFC 8259.
  private func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
  }

  @Test func aNumberIsSkippedWhereItIsOne() {
    for seed in UInt64(0)..<6000 {
      var random = SplitMix64(seed: seed)
      var text = ""
      for _ in 0..<Int.random(in: 1...7, using: &random) {
        text += ["0", "1", "27", ".", "-", "e", "E", "+", "12345678"].randomElement(using: &random) ?? ""
      }
      // A number may be followed by other text, which is the next one's matter.
      let skipped = try? reading(text) { (json) throws(JSONError) in try json.skipValue() }
      let whole = try? reading(text) { (json) throws(JSONError) in
        let range = try json.skipValue()
        try json.end()
        return range
      }
      #expect((whole != nil) == isNumber(text), "\(text)")
      if let skipped { #expect(isNumber(String(text.prefix(skipped.upperBound))), "\(text)") }
    }
  }

  @Test func aDecimalIsScannedOnlyAsItIsWritten() {
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      let value =
        Int64.random(in: -3_600_000_000...3_600_000_000, using: &random) >> Int64.random(in: 0...31, using: &random)
      var json = JSONWriter()
      json.decimal(value, digits: 7)
      var bytes = json.bytes
      if random.chance(50) {
        bytes.insert(
          Array("0123456789.-e".utf8).randomElement(using: &random) ?? 0,
          at: Int.random(in: 0...bytes.count, using: &random))
      }
      bytes.withUnsafeBytes { text in
        var scan = CanonicalScanner(text)
        guard let scanned = scan.decimal(digits: 7, upTo: 3_600_000_000), scan.isAtEnd else { return }
        var again = JSONWriter()
        again.decimal(scanned, digits: 7)
        #expect(again.bytes == Array(text), "seed \(seed)")
      }
      if bytes == json.bytes {
        json.withBytes {
          var scan = CanonicalScanner($0)
          #expect(scan.decimal(digits: 7, upTo: 3_600_000_000) == value && scan.isAtEnd, "seed \(seed)")
        }
      }
    }
  }

  @Test func stringsAreTheSameWhereverTheirSpecialBytesAre() throws {
    let specials = ["\"", "\\", "\u{1}", "\u{1f}", "\u{7f}", "é", "😀", "!", "#", "[", "]"]
    for special in specials {
      for place in 0..<20 {
        for tail in 0..<10 {
          let text = String(repeating: "a", count: place) + special + String(repeating: "z", count: tail)
          var json = JSONWriter()
          json.value(text)
          #expect(try reading(json.bytes) { (json) throws(JSONError) in try json.string() } == text)
          let scanned = json.withBytes { bytes -> String? in
            var scan = CanonicalScanner(bytes)
            return scan.string()
          }
          let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x80 && $0 != 0x22 && $0 != 0x5C }
          #expect(scanned == (isPlain ? text : nil))
        }
      }
    }
  }

  @Test func severalTextsAreHashedLikeEach() {
    // With vectors, other bytes than ASCII and other ASCII than numbers are treated in other ways, in blocks of 512 bytes.
    let kinds: [ClosedRange<UInt8>] = [0...255, 0...127, 0x2C...0x39]
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      let longest = random.chance(20) ? 3000 : 200
      let texts = (0..<Int.random(in: 0...Digest.laneCount, using: &random)).map { _ in
        let kind = kinds.randomElement(using: &random) ?? 0...0
        var text = (0..<Int.random(in: 0...longest, using: &random)).map { _ in UInt8.random(in: kind, using: &random) }
        if !text.isEmpty, random.chance(30) { text[Int.random(in: 0..<text.count, using: &random)] = 0xE9 }
        return text
      }
      var (together, ends): ([UInt8], [Int]) = ([], [])
      for text in texts {
        together += text
        ends.append(together.count)
      }
      let alone = texts.map { Digest.hash($0) }
      together.withUnsafeBytes { bytes in
        for usesVectors in [true, false] {
          #expect(Digest.hashes(of: bytes, endingAt: ends, usesVectors: usesVectors) == alone, "seed \(seed)")
        }
      }
    }
  }

  /// Numbers of any length with commas behind them, in which up to two bytes are others.
  private func list(_ random: inout SplitMix64) -> [UInt8] {
    var text: [UInt8] = []
    while text.count < 400 {
      let number = Int64(truncatingIfNeeded: random.next() >> UInt64.random(in: 12..<64, using: &random))
      text += Array("\(number),".utf8)
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      text[Int.random(in: 0..<text.count, using: &random)] =
        Array("0123456789.,-[]e \"".utf8).randomElement(using: &random) ?? 0
    }
    return text
  }

  @Test func manyIntegersAreReadLikeOneAfterTheOther() {
    var readCount = 0
    for seed in UInt64(0)..<4000 {
      var random = SplitMix64(seed: seed)
      list(&random).withUnsafeBytes { text in
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: Int.random(in: 1...300, using: &random)) { room in
          var (many, each) = (CanonicalScanner(text), CanonicalScanner(text))
          for number in room[..<many.integers(into: room)] {
            #expect(each.integer() == number && each.skip(","), "seed \(seed)")
            readCount += 1
          }
          #expect(many.position == each.position, "seed \(seed)")
        }
      }
    }
    // Where the processor has the instructions for it.
    #expect(readCount > 20_000 || !CanonicalScanner.readsIntegers)
  }
}

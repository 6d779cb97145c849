import ContrailAirportBuilder
import ContrailTestSupport
import Testing

@Suite struct CSVReaderTests {
  /// What a text holds, given in blocks of a size: the fields of each row, or the line and the fault in its place.
  private func read(_ text: String, blockBytes: Int = .max) -> [[String]] {
    read(Array(text.utf8), blockBytes: blockBytes)
  }

  private func read(_ bytes: [UInt8], blockBytes: Int) -> [[String]] {
    var reader = CSVReader()
    var found: [[String]] = []
    func take() {
      while let item = reader.next() {
        switch item {
        case .row(let row): found.append(row.fields)
        case .malformed(let line, let fault): found.append(["!", "\(line)", fault.code])
        }
      }
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(blockBytes))
      rest = rest.dropFirst(blockBytes)
      take()
    }
    reader.finish()
    take()
    return found
  }

  @Test func rowsEndWithOrWithoutReturnsAndTheLastWithoutAnything() {
    #expect(read("a,b\nc,d\r\ne,f") == [["a", "b"], ["c", "d"], ["e", "f"]])
    #expect(read("a,b\r\n") == [["a", "b"]])
    #expect(read("a\r") == [["a"]])
    #expect(read("") == [])
    #expect(read(",\n,") == [["", ""], ["", ""]])
  }

  @Test func quotedFieldsHoldCommasQuotesAndLineEnds() {
    #expect(read("\"a,b\",\"c\"\"d\",\"e\r\nf\"\r\ng,h,i\n") == [["a,b", "c\"d", "e\r\nf"], ["g", "h", "i"]])
    #expect(read("\"\",\"\"\"\"\n") == [["", "\""]])
  }

  @Test func aReturnThatEndsNoLineIsText() {
    #expect(read("a\rb,c\n") == [["a\rb", "c"]])
  }

  @Test func aByteOrderMarkIsLeftOutAtTheBeginningOnly() {
    #expect(read("\u{FEFF}a,b\n\u{FEFF}c,d\n") == [["a", "b"], ["\u{FEFF}c", "d"]])
  }

  @Test func aBrokenRowCostsItsFirstLineOnly() {
    #expect(read("a\"b,c\nd,e\n") == [["!", "1", "quoteInField"], ["d", "e"]])
    #expect(read("\"a\"b,c\nd,e\n") == [["!", "1", "textAfterQuote"], ["d", "e"]])
    #expect(read("a,b\n\"c,d\ne,f\n") == [["a", "b"], ["!", "2", "unclosedQuote"], ["e", "f"]])
    #expect(read("\"a,b\n\"c\",d\ne,f\n") == [["!", "1", "textAfterQuote"], ["c", "d"], ["e", "f"]])
  }

  @Test func bytesThatAreNoTextAreNamedByLine() {
    var bytes = Array("a,b\nc,".utf8)
    bytes += [0xff, 0x0a] + Array("d,e\n".utf8)
    #expect(read(bytes, blockBytes: 3) == [["a", "b"], ["!", "2", "notText"], ["d", "e"]])
  }

  @Test func aRowIsNoLongerThanItsLimit() {
    let long = String(repeating: "x", count: CSVReader.maximumRowBytes)
    #expect(read("a\n\(long)\nb\n") == [["a"], ["!", "2", "tooLong"], ["b"]])
    #expect(read("a\n\(long.dropLast())\nb\n").count == 3)
    #expect(read("\"\(long)\nb\n", blockBytes: 1000) == [["!", "1", "unclosedQuote"], ["b"]])
  }

  @Test func linesAreCountedThroughQuotedLineEnds() {
    var reader = CSVReader()
    reader.append("a\n\"b\nc\"\nd\n".utf8)
    reader.finish()
    var lines: [Int] = []
    while case .row(let row)? = reader.next() { lines.append(row.line) }
    #expect(lines == [1, 2, 4])
  }

  @Test(arguments: 0..<300) func whatIsWrittenIsReadHoweverItIsCut(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = ["a", "b", ",", "\"", "\n", "\r\n", " ", "é", "滑", "\u{1F6EC}", "\r", ""]
    let rows = (0..<Int.random(in: 1...20, using: &random)).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        }.joined()
      }
    }
    let text = rows.map { row in
      row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + (seed % 2 == 0 ? "\n" : "\r\n")
    }.joined()
    #expect(read(text, blockBytes: Int.random(in: 1...64, using: &random)) == rows)
  }

  @Test(arguments: 0..<400) func anyBytesAreReadTheSameHoweverTheyAreCut(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet: [UInt8] = Array("\"\",,\n\n\rab".utf8) + [0xc3, 0xa9, 0xef, 0xbb, 0xbf, 0x00]
    let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
    }
    let whole = read(bytes, blockBytes: .max)
    #expect(read(bytes, blockBytes: 1) == whole)
    #expect(read(bytes, blockBytes: Int.random(in: 2...40, using: &random)) == whole)
    // Each line begins at most one row.
    #expect(whole.count <= bytes.count { $0 == 0x0a } + 1)
  }
}

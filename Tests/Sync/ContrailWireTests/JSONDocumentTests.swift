import ContrailTestSupport
import ContrailWire
import Testing

/// Documents whose members are found once: against a reader of the whole text.
@Suite struct JSONDocumentTests {
  private struct Member: Equatable {
    var key: String
    var value: [UInt8]
  }

  private func members(_ text: [UInt8]) -> Result<[Member], JSONError> {
    text.withUnsafeBytes { bytes in
      var members: [Member] = []
      var json = JSONReader(bytes)
      do throws(JSONError) {
        try json.object { (key, json) throws(JSONError) in
          let key = key.string
          members.append(Member(key: key, value: Array(json.slice(try json.skipValue()))))
        }
        try json.end()
        return .success(members)
      } catch {
        return .failure(error)
      }
    }
  }

  private func membersOfDocument(_ text: [UInt8], reading isRead: (Int) -> Bool) -> Result<[Member], JSONError> {
    var members: [Member] = []
    do throws(JSONError) {
      let document = try JSONDocument(text)
      try document.forEachMember { (key, json) throws(JSONError) in
        var reader = json
        members.append(Member(key: key.string, value: Array(reader.slice(try reader.skipValue()))))
        if isRead(members.count) { json = reader }
      }
      return .success(members)
    } catch {
      return .failure(error)
    }
  }

  private func texts() -> [[UInt8]] {
    var texts = ["{}", " { } ", "{\"a\":1}", "[]", "1", "", "{", "{}}", "{\"a\":1,}", #"{"\u0061":[ ]}"#, #"{"":""}"#]
      .map { Array($0.utf8) }
    for count in [2, 200] {
      let members = (0..<count).map { "\"\($0)\":[\($0)]" }
      texts += [",", " , "].map { Array(("{" + members.joined(separator: $0) + "}").utf8) }
      texts.append(Array(("{" + members.joined(separator: ",") + ",}").utf8))
    }
    for seed in UInt64(0)..<2000 {
      var speller = JSONSpeller(seed: seed &+ 90_000)
      let spelt = Array(
        ("{\"first\":" + speller.spell(speller.tree()) + ",\"2\":" + speller.spell(speller.tree()) + "}").utf8)
      texts += [spelt, spelt.mutated(using: &speller.random)]
      if (try? JSONTree(spelt)) != nil { texts.append(JSONWriter.compact(spelt)) }
    }
    return texts
  }

  @Test func aDocumentHasTheMembersAndTheFaultsOfItsText() {
    var faults = 0
    for text in texts() {
      let expected = members(text)
      #expect(membersOfDocument(text, reading: { _ in true }) == expected, "\(String(decoding: text, as: UTF8.self))")
      #expect(membersOfDocument(text, reading: { _ in false }) == expected, "\(String(decoding: text, as: UTF8.self))")
      #expect(
        membersOfDocument(text, reading: { $0 % 2 == 0 }) == expected, "\(String(decoding: text, as: UTF8.self))")
      if case .failure = expected { faults += 1 }
    }
    #expect(faults > 500)
  }

  @Test func aCompactDocumentIsTheTextWithoutSpaces() throws {
    var same = 0
    for text in texts() {
      guard let document = try? JSONDocument(text) else { continue }
      let compact = document.compact
      #expect(compact == JSONWriter.compact(text))
      #expect(document.bytes == text)
      if compact == text { same += 1 }
    }
    #expect(same > 1000)
  }

  /// Points are skipped many at once where no whitespace is among them.
  @Test func listsOfPointsAreValidWhereTheyAreWithASpaceInThem() {
    var validCount = 0
    for seed in UInt64(0)..<6000 {
      var random = SplitMix64(seed: seed)
      func number() -> String {
        let digits = Int.random(in: 0...5, using: &random)
        let whole = Int.random(in: -180...180, using: &random)
        return digits == 0 ? "\(whole)" : "\(whole).\(String(repeating: "7", count: digits))"
      }
      var list = Array(
        (0..<Int.random(in: 1...20, using: &random)).map { _ in "[\(number()),\(number())]" }.joined(separator: ",")
          .utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let byte = Array("0123456789.,-[]eE\"{}".utf8).randomElement(using: &random) ?? 0
        list[Int.random(in: 0..<list.count, using: &random)] = byte
      }
      let compact = Array("{\"a\":[".utf8) + list + Array("],\"b\":[[1,2],[3,4]]}".utf8)
      let spaced = Array("{\"a\":[ ".utf8) + list + Array("],\"b\":[[1,2],[3,4]]}".utf8)
      let isValid = (try? JSONDocument(spaced)) != nil
      #expect(((try? JSONDocument(compact)) != nil) == isValid, "seed \(seed)")
      validCount += isValid ? 1 : 0
    }
    #expect(validCount > 1500 && validCount < 5000)
  }
}

import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct JSONWriterTests {
  private func write(_ tree: JSONTree, to json: inout JSONWriter) {
    switch tree {
    case .null: json.null()
    case .bool(let flag): json.value(flag)
    case .number(let text): json.verbatim(Array(text.utf8))
    case .string(let text): json.value(text)
    case .array(let elements): json.array { json in elements.forEach { write($0, to: &json) } }
    case .object(let members):
      json.object { json in
        for member in members {
          json.key(named: member.key)
          write(member.value, to: &json)
        }
      }
    }
  }

  @Test func aKeyIsFollowedByAColonAndItsValue() {
    var json = JSONWriter()
    json.object { json in
      json.key("ab")
      json.value(1)
      json.key(named: "c\"")
      json.value(2)
    }
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"ab":1,"c\"":2}"#)
  }

  /// Lists of 16 points and more are kept.
  @Test(arguments: [0, 1, 15, 16, 17, 40]) func listsOfPointsAreWrittenAlikeWhetherTheyAreKeptOrNot(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var points = (0..<count).map { _ in
      FixedCoordinate(
        latitudeE7: Int64.random(in: -900_000_000...900_000_000, using: &random),
        longitudeE7: Int64.random(in: -1_800_000_000...1_800_000_000, using: &random))
    }
    let given: [FixedCoordinate?] = points + [nil]
    var keeping = JSONWriter()
    keeping.pointTexts = PointTexts()
    for round in 0..<4 {
      // A change gives the list another storage.
      if round == 2, !points.isEmpty { points[0].latitudeE7 += 1 }
      var plain = JSONWriter()
      func write(_ json: inout JSONWriter) {
        json.array { json in
          json.points(points)
          json.points(given)
          json.points(points)
        }
      }
      write(&plain)
      keeping.removeAll()
      write(&keeping)
      keeping.pointTexts?.startNext()
      #expect(keeping.bytes == plain.bytes, "round \(round)")
    }
  }

  @Test func whatIsWrittenIsReadAsItWas() throws {
    for seed in UInt64(0)..<1000 {
      var speller = JSONSpeller(seed: seed)
      let tree = speller.tree()
      var json = JSONWriter()
      write(tree, to: &json)
      #expect(try JSONTree(json.bytes) == tree, "seed \(seed)")
      #expect(!json.bytes.contains(0x0A), "seed \(seed)")
    }
  }

  @Test func compactJSONHasNoSpaceBetweenItsTokens() throws {
    for seed in UInt64(0)..<1000 {
      var speller = JSONSpeller(seed: seed)
      let tree = speller.tree()
      let spelt = Array(speller.spell(tree).utf8)
      let compact = JSONWriter.compact(spelt)
      #expect(try JSONTree(compact) == tree, "seed \(seed)")
      #expect(JSONWriter.compact(compact) == compact, "seed \(seed)")
      // Without the strings, nothing is left that could be left out.
      let bare = String(decoding: compact, as: UTF8.self).replacing(
        /"([^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar), with: "")
      #expect(bare.utf8.allSatisfy { $0 > 0x20 }, "seed \(seed)")
    }
  }

  @Test func decimalsHaveOneSpelling() throws {
    let cases: [(Int64, Int, String)] = [
      (0, 4, "0"), (1121, 4, "0.1121"), (-1121, 4, "-0.1121"), (10_000, 4, "1"), (10_010, 4, "1.001"),
      (-1, 7, "-0.0000001"),
      (5, 1, "0.5"), (20, 1, "2"), (.max, 7, "922337203685.4775807"), (.min, 7, "-922337203685.4775808"), (7, 0, "7"),
    ]
    for (scaled, digits, text) in cases {
      var json = JSONWriter()
      json.decimal(scaled, digits: digits)
      #expect(String(decoding: json.bytes, as: UTF8.self) == text)
      #expect(try reading(text) { (json) throws(JSONError) in try json.scaled(by: digits, exactly: true) } == scaled)
    }
  }

  @Test func commasStandBetweenAndNowhereElse() {
    var json = JSONWriter()
    json.object { json in
      json.key("a")
      json.array { json in
        json.value(1)
        json.object { _ in }
        json.array { _ in }
        json.hex(255)
      }
      json.key(named: "b\"")
      json.value("\u{1}")
    }
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":[1,{},[],"00000000000000ff"],"b\"":"\u0001"}"#)
    json.removeAll()
    json.value(true)
    #expect(String(decoding: json.bytes, as: UTF8.self) == "true")
  }
}

import ContrailTestSupport
import Testing

@testable import ContrailLog

@Suite struct LogLineTests {
  static func canonical(_ text: String) -> LogEnvelope? {
    Array(text.utf8).withUnsafeBytes { LogLine(canonical: $0)?.envelope }
  }

  static func lenient(_ text: String) throws(LogEnvelopeError) -> LogEnvelope {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { buffer throws(LogEnvelopeError) in
      try LogEnvelope(json: UnsafeRawBufferPointer(buffer))
    }
  }

  @Test func aLineIsSpeltExactlySo() {
    let envelope = LogEnvelope(
      seq: 9, at: 1_732_704_917_000, kind: "response.received", payload: Array(#""request":4,"status":200"#.utf8))
    var bytes: [UInt8] = []
    envelope.append(to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let head = #"{"seq":9,"at":1732704917000,"kind":"response.received","request":4,"status":200"#
    let crc = String(CRC32CTests.reference(head.utf8), radix: 16)
    #expect(text == head + #","crc":""# + String(repeating: "0", count: 8 - crc.count) + crc + "\"}\n")

    bytes = []
    envelope.append(to: &bytes, hasCRC: false)
    #expect(String(decoding: bytes, as: UTF8.self) == head + "}\n")
  }

  @Test func whatIsWrittenIsReadByBothPaths() throws {
    var random = SplitMix64(seed: 3)
    let payloads = ["", #""a":1"#, #""a":{"crc":"00000000"}"#, #""body":{"x":[1,2.5e-3,"\u00e9 é \\"]},"ok":true"#]
    for _ in 0..<500 {
      let envelope = LogEnvelope(
        seq: Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random) >> Int.random(in: 0..<60, using: &random),
        at: Int64.random(in: -1_000_000_000_000_000..<1_000_000_000_000_000, using: &random),
        kind: ["a", "clock.ticked", "A-b_9"].randomElement(using: &random) ?? "",
        payload: Array((payloads.randomElement(using: &random) ?? "").utf8))
      for hasCRC in [true, false] {
        var bytes: [UInt8] = []
        let crc = envelope.append(to: &bytes, hasCRC: hasCRC)
        bytes.removeLast()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(Self.canonical(text) == envelope)
        #expect(try Self.lenient(text) == envelope)
        bytes.withUnsafeBytes {
          #expect(LogLine(canonical: $0)?.crc == (hasCRC ? crc : nil))
          #expect(!hasCRC || LogLine.computedCRC($0) == crc)
        }
      }
    }
  }

  @Test(arguments: [
    #"{ "seq":1,"at":2,"kind":"k.l","a":3}"#,
    #"{"seq": 1,"at":2,"kind":"k.l","a":3}"#,
    #"{"at":2,"seq":1,"kind":"k.l","a":3}"#,
    #"{"a":3,"kind":"k.l","at":2,"seq":1}"#,
    #"{"seq":1,"at":2,"kind":"\u006b.l","a":3}"#,
    #"{"\u0073eq":1,"at":2,"kind":"k.l","a":3}"#,
    #"{"seq":1e0,"at":2.0,"kind":"k.l","a":3}"#,
    #"{"seq":10e-1,"at":0.2e1,"kind":"k.l","a":3}"#,
    #"{"seq":1,"at":2,"crc":"01234567","kind":"k.l","a":3}"#,
    #"  {"seq":1,"at":2,"kind":"k.l","a" : 3 , "crc":"01234567"}  "#,
    "{\t\"seq\":1,\"at\":2,\"kind\":\"k.l\",\"a\":3}\r",
  ]) func anyOtherSpellingIsLeftToTheSlowPath(_ text: String) throws {
    #expect(Self.canonical(text) == nil)
    #expect(try Self.lenient(text) == LogEnvelope(seq: 1, at: 2, kind: "k.l", payload: Array(#""a":3"#.utf8)))
  }

  @Test func whatIsNoLineIsRefusedWithTheReason() {
    let cases: [(String, LogEnvelopeError)] = [
      ("", .notAnObject(offset: 0)),
      ("[]", .notAnObject(offset: 0)),
      ("{}", .missing(key: "seq")),
      (#"{"seq":1}"#, .missing(key: "at")),
      (#"{"seq":1,"at":2}"#, .missing(key: "kind")),
      (#"{"seq":-1,"at":2,"kind":"k"}"#, .wrongType(key: "seq")),
      (#"{"seq":1.5,"at":2,"kind":"k"}"#, .wrongType(key: "seq")),
      (#"{"seq":1e99,"at":2,"kind":"k"}"#, .wrongType(key: "seq")),
      (#"{"seq":99999999999999999999,"at":2,"kind":"k"}"#, .wrongType(key: "seq")),
      (#"{"seq":1,"at":"2","kind":"k"}"#, .wrongType(key: "at")),
      (#"{"seq":1,"at":2,"kind":7}"#, .wrongType(key: "kind")),
      (#"{"seq":1,"at":2,"kind":""}"#, .wrongType(key: "kind")),
      (#"{"seq":1,"at":2,"kind":"a b"}"#, .wrongType(key: "kind")),
      (#"{"seq":1,"at":2,"kind":"k"} x"#, .notAnObject(offset: 28)),
      (#"{"seq":01,"at":2,"kind":"k"}"#, .notAnObject(offset: 8)),
      (#"{"seq":1,"at":2,"kind":"k",}"#, .notAnObject(offset: 27)),
    ]
    for (text, fault) in cases {
      #expect(throws: fault) { _ = try Self.lenient(text) }
      #expect(Self.canonical(text) == nil)
    }
  }

  /// Found by the fuzzer: the slow path dropped the first of them.
  @Test func ofSeveralCRCsTheLastOneCountsOnBothPaths() throws {
    let line = #"{"seq":1,"at":2,"kind":"a","crc":"of another","x":1,"crc":"0badcafe"}"#
    let payload = Array(#""crc":"of another","x":1"#.utf8)
    #expect(Self.canonical(line)?.payload == payload)
    #expect(try Self.lenient(line).payload == payload)
    #expect(try Self.lenient(#"{"crc":1,"seq":1,"at":2,"kind":"a","x":1}"#).payload == Array(#""x":1"#.utf8))
    let between = #"{"seq":1,"at":2,"kind":"a","x":1,"crc":1,"y":2}"#
    #expect(try Self.lenient(between).payload == Array(#""x":1,"y":2"#.utf8))
  }

  @Test func theFastPathNeverReadsWhatTheSlowOneReadsOtherwise() {
    var random = SplitMix64(seed: 4)
    let seeds = [
      #"{"seq":9,"at":17,"kind":"clock.ticked","timer":"due","at2":[1,{"x":null}],"crc":"0badf00d"}"#,
      #"{"seq":9,"at":-17,"kind":"a"}"#, #"{"seq":0,"at":0,"kind":"crc","crc":"0badf00d"}"#,
    ]
    let alphabet = Array("{}[]\":,\\0123456789-+.eE ackdniqstu\u{7f}\t".utf8)
    for _ in 0..<20_000 {
      var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let letter = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(letter, at: index)
        case 2: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        default: bytes[index] = letter
        }
      }
      bytes.withUnsafeBytes { raw in
        guard let fast = LogLine(canonical: raw)?.envelope, let slow = try? LogEnvelope(json: raw) else { return }
        // The payload may be spelt with blanks, or name an envelope's key again, which only the slow path minds.
        if fast.seq != slow.seq || fast.at != slow.at || fast.kind != slow.kind {
          Issue.record("differs on \(String(decoding: raw, as: UTF8.self))")
        }
      }
    }
  }
}

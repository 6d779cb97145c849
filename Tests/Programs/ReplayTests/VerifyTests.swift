#if Signatures
  import ContrailLog
  import ContrailTestSupport
  import Crypto
  import Foundation
  import Testing

  /// `replay verify` of logs that are signed by keys of P-256.
  @Suite struct VerifyTests {
    private let directory: TemporaryDirectory
    private let key = P256.Signing.PrivateKey()

    init() throws {
      directory = try TemporaryDirectory()
      try Data(key.publicKey.pemRepresentation.utf8).write(to: URL(fileURLWithPath: directory.file("key.pem")))
      try Data(P256.Signing.PrivateKey().publicKey.pemRepresentation.utf8)
        .write(to: URL(fileURLWithPath: directory.file("other.pem")))
      try writeLog()
    }

    /// A log of two segments. Lines 1 to 5 and the snapshot are signed, the last two lines aren't.
    private func writeLog() throws {
      let log = try LogDirectory(path: directory.file("log"), at: 1_700_000_000_000, policy: .everyEvent)
      let name = LogSignature.keyName(of: [UInt8](key.publicKey.x963Representation))
      func add(_ kinds: [String]) throws {
        var batch = log.writer.batch()
        for kind in kinds { try batch.add(kind: kind, at: 1_700_000_000_000, payload: payload(kind)) }
        try log.writer.append(batch)
      }
      func sign() throws {
        try log.writer.sync(at: 1_700_000_000_000)
        let head = try #require(log.writer.syncedHead)
        let bytes = [UInt8](try key.signature(for: head.statement).derRepresentation)
        try log.writer.append(try #require(LogSignature(of: head, key: name, bytes: bytes)), at: 1_700_000_000_000)
      }
      try add(["session.started", "history.changed"])
      try sign()
      try add(["history.changed", "history.changed"])
      try sign()
      try add(["history.changed"])
      try log.writer.sync(at: 1_700_000_000_000)
      try add(["history.changed"])
    }

    private func payload(_ kind: String) -> [UInt8] {
      Array((kind == "session.started" ? #""engine":"1.0.0","session":"1-1","seed":1"# : #""history":14400"#).utf8)
    }

    private func verify(_ arguments: String...) throws -> BuiltProgram.Run {
      try BuiltProgram("replay").run(["verify", "log"] + arguments, in: directory.path)
    }

    private var segment: String { directory.file("log/000000000000.jsonl") }

    private func edit(_ change: (inout [Substring]) -> Void) throws {
      let text = String(decoding: try TemporaryDirectory.contents(segment), as: UTF8.self)
      var lines = text.split(separator: "\n")
      change(&lines)
      try TemporaryDirectory.put(Array(lines.map { $0 + "\n" }.joined().utf8), segment)
    }

    /// Changes the history in a line, and computes the CRC of the changed line.
    private func setHistory(inLine index: Int) throws {
      try edit { lines in
        let end = lines[index].range(of: #","crc""#)?.lowerBound ?? lines[index].endIndex
        let text = lines[index][..<end].replacingOccurrences(of: #""history":14400"#, with: #""history":3600"#)
        let crc = String(CRC32C.checksum(Array(text.utf8)), radix: 16)
        lines[index] = Substring(text + #","crc":""# + String(repeating: "0", count: 8 - crc.count) + crc + #""}"#)
      }
    }

    @Test func anHonestLogIsSignedAsFarAsItWasSigned() throws {
      let run = try verify("--public-key", "key.pem")
      #expect(run.status == 0, "\(run.output)\(run.error)")
      #expect(run.output.contains("hashes    cover seq 0 to 7; not yet seq 8 to 9"), "\(run.output)")
      #expect(run.output.contains("signed    through seq 5, 2 signatures; not yet seq 6 to 9"), "\(run.output)")
    }

    @Test func withoutAKeyTheSignaturesAreTold() throws {
      let run = try verify()
      #expect(run.status == 0)
      #expect(run.output.contains("2 signatures by "))
    }

    @Test func aChangedLineIsNamed() throws {
      try setHistory(inLine: 4)
      let run = try verify("--public-key", "key.pem")
      #expect(run.status == 1)
      #expect(run.output.hasPrefix("log  changed: seq 4, log/000000000000.jsonl:5\n"), "\(run.output)")
      #expect(!run.output.contains("intact"))
    }

    @Test func removedLinesAreNamed() throws {
      try edit { $0.removeSubrange(3...4) }
      let run = try verify("--public-key", "key.pem")
      #expect(run.status == 2)
      #expect(
        run.output.contains("missing   seq 3 to 4, after the last line of log/000000000000.jsonl"), "\(run.output)")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(try verify("--json").output.utf8)) as? [String: Any])
      let missing = try #require(object["missing"] as? [String: Any])
      #expect(missing["from"] as? Int == 3 && missing["through"] as? Int == 4)
      #expect(object["receipt"] == nil)
    }

    /// As in a copy that was taken right after the process was killed.
    @Test func aTornLastLineIsDamageAndNoChange() throws {
      let bytes = try TemporaryDirectory.contents(segment)
      try TemporaryDirectory.put(Array(bytes.dropLast(10)), segment)
      let run = try verify("--public-key", "key.pem")
      #expect(run.status == 2 && !run.output.contains("changed"), "\(run.output)")
      #expect(run.output.contains("signed    through seq 5, 2 signatures; not yet seq 6 to 8"), "\(run.output)")
    }

    /// A header states the hash of the lines before it, and a mark a signature of them: both can be copied before lines that were made up.
    @Test func aSignatureOfEarlierLinesDoesntSignAPart() throws {
      let name = LogSignature.keyName(of: [UInt8](key.publicKey.x963Representation))
      let head = LogHead(seq: 99, chain: String(repeating: "5", count: 64))
      let signature = [UInt8](try key.signature(for: head.statement).derRepresentation).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
      var text = ""
      var chain = ContrailLog.SHA256()
      func add(_ seq: Int, _ kind: String, _ payload: String) {
        let line = #"{"seq":\#(seq),"at":1700000000000,"kind":"\#(kind)",\#(payload)"#
        let crc = String(CRC32C.checksum(Array(line.utf8)), radix: 16)
        let whole = line + #","crc":""# + String(repeating: "0", count: 8 - crc.count) + crc + "\"}\n"
        text += whole
        Array(whole.utf8).withUnsafeBytes { chain.update($0) }
      }
      add(
        100, "segment.opened",
        #""format":1,"first":100,"previousSeq":99,"previousCrc":"00000000","previousSynced":99,"previousChain":"\#(head.chain)""#
      )
      add(101, "session.started", #""engine":"1.0.0","session":"1-1","seed":1"#)
      let sum = chain.finishedHex()
      add(
        102, "log.synced",
        #""through":101,"chain":"\#(sum)","signed":99,"key":"\#(name)","signature":"\#(signature)""#)
      try TemporaryDirectory.put(Array(text.utf8), directory.file("part.jsonl"))
      let run = try BuiltProgram("replay").run(["verify", "part.jsonl", "--public-key", "key.pem"], in: directory.path)
      #expect(run.status == 1, "\(run.output)")
      #expect(run.output.contains("signed    through seq 99, 1 signature, none of these lines"), "\(run.output)")
    }

    @Test func aLogOfAnotherKeyIsRefused() throws {
      let run = try verify("--public-key", "other.pem")
      #expect(run.status == 1)
      #expect(run.output.contains("signed    no line by a key that was given"))
      #expect(try verify("--public-key", "other.pem", "--public-key", "key.pem").status == 0)
    }

    @Test func aReceiptShowsWhatWasCut() throws {
      let receipt = try #require(try verify().output.split(separator: "\n").last.map { String($0.dropFirst(2)) })
      #expect(try verify("--receipt", receipt).status == 0)
      try edit { $0.removeLast(4) }
      #expect(try verify().status == 0)
      let run = try verify("--receipt", receipt)
      #expect(run.status == 1)
      #expect(run.output.hasPrefix("log  changed: seq 6 to 7, "), "\(run.output)")
    }

    @Test func theResultIsAlsoJSON() throws {
      try setHistory(inLine: 4)
      let run = try verify("--public-key", "key.pem", "--json")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let change = try #require(object["change"] as? [String: Any])
      #expect(object["status"] as? Int == 1)
      #expect(change["code"] as? String == "changed" && change["from"] as? Int == 4 && change["line"] as? Int == 5)
      #expect(object["signedThrough"] as? Int == 2)
    }

    @Test(arguments: [
      ["--public-key", "missing.pem"], ["--public-key", "log/000000000000.jsonl"], ["--receipt", "7"],
      ["--receipt", "7:xyz"],
    ]) func invalidArgumentsAreRefused(_ arguments: [String]) throws {
      let run = try BuiltProgram("replay").run(["verify", "log"] + arguments, in: directory.path)
      #expect(run.status == (arguments[0] == "--receipt" ? 64 : 2), "\(run.output)")
      #expect(!run.error.isEmpty)
    }
  }
#endif

import ContrailLog
import ContrailTestSupport
import Testing

@Suite struct LogReaderTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("log.jsonl")
  }

  @Test(.timeLimit(.minutes(30))) func aPipeIsRefusedAndNotWaitedFor() throws {
    try TemporaryDirectory.makePipe(path)
    let error = readError(path)
    #expect(error?.code == .notALog && error?.reason.hasPrefix("it is a pipe, a socket or a device") == true)
    #expect(throws: StorageError.self) { try POSIXStorage().open(path, .read) }
    #expect(readError("/dev/zero")?.code == .notALog)
  }

  @Test func whatIsAppendedIsRead() throws {
    let writer = try LogWriter.create(path: path, at: 1000, policy: .everyEvent)
    var batch = writer.batch()
    let cause = try batch.add("history.changed", at: 1001, payload: Array(#""hours":4"#.utf8))
    try batch.add(kind: "fetch.started", at: 1001, payload: Array(#""cause":\#(cause)"#.utf8))
    try writer.append(batch)
    #expect(writer.isSyncDue(at: 1001))
    try writer.sync(at: 1002)
    #expect(!writer.isSyncDue(at: 9999))
    batch = writer.batch()
    #expect(batch.nextSeq == 4)
    try batch.add("clock.ticked", at: 1003)
    try writer.append(batch)

    let read = try envelopes(path)
    #expect(read.map(\.seq) == Array(0...4))
    #expect(read.map(\.at) == [1000, 1001, 1001, 1002, 1003])
    #expect(read.map(\.kind) == ["segment.opened", "history.changed", "fetch.started", "log.synced", "clock.ticked"])
    let payloads = read.map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(payloads[..<3] == [#""format":1,"first":0"#, #""hours":4"#, #""cause":1"#])
    #expect(payloads[3].hasPrefix(#""through":2,"chain":""#) && payloads[4].isEmpty)
  }

  @Test func readerTellsWhereItIs() throws {
    let first = #"{"seq":0,"at":1,"kind":"segment.opened","format":1,"crc":false,"first":0}"#
    try put("\(first)\n{\"seq\":1,\"at\":2,\"kind\":\"a\"}\n", path)
    let reader = try LogReader(path: path)
    _ = try reader.next()
    #expect((reader.file, reader.line, reader.offset) == (path, 1, 0))
    _ = try reader.next()
    #expect((reader.line, reader.offset) == (2, Int64(first.utf8.count + 1)))
    #expect(try reader.next() == nil)
    #expect(reader.last?.seq == 1)
  }

  @Test func aLogWrittenByHandIsRead() throws {
    try put(
      """
      { "kind": "segment.opened", "seq": 0, "at": 0, "first": 0, "crc": false, "format": 1 }
      {"at":5, "seq":1, "kind":"history.changed", "hours" : 4}
      {"seq":2,"at":6,"kind":"clock.ticked","crc":"00000000"}
      """, path)
    let read = try envelopes(path)
    #expect(read.map(\.kind) == ["segment.opened", "history.changed", "clock.ticked"])
    #expect(read[1].payload == Array(#""hours":4"#.utf8))
  }

  @Test func linesLongerThanABlockAreRead() throws {
    var random = SplitMix64(seed: 5)
    let writer = try LogWriter.create(path: path, at: 0, policy: .everyEvent)
    var expected: [LogEnvelope] = []
    for count in [0, 63, 64, 65, 5000, 9 << 20, 1] {
      var batch = writer.batch()
      let letter = UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random)
      let payload = Array("\"body\":\"".utf8) + [UInt8](repeating: letter, count: count) + [UInt8(ascii: "\"")]
      let seq = try batch.add("response.received", at: 1, payload: payload)
      try writer.append(batch)
      expected.append(LogEnvelope(seq: seq, at: 1, kind: "response.received", payload: payload))
    }
    for blockBytes in [1, 100, 256 << 10] {
      var options = LogReader.Options()
      options.blockBytes = blockBytes
      #expect(try envelopes(path, options: options).dropFirst() == expected[...])
    }
    var options = LogReader.Options()
    options.maximumLineBytes = 8 << 20
    let error = readError(path, options: options)
    #expect(error?.code == .lineTooLong)
    #expect(error?.line == 7)
  }

  @Test(arguments: [
    ("", LogError.Code.notALog, 1),
    ("hello\n", .notALog, 1),
    ("{\"type\":\"FeatureCollection\"}\n", .notALog, 1),
    (#"{"seq":0,"at":0,"kind":"clock.ticked"}"# + "\n", .notALog, 1),
    (#"{"seq":0,"at":0,"kind":"segment.opened","format":2,"crc":false,"first":0}"# + "\n", .newerFormat, 1),
    (#"{"seq":0,"at":0,"kind":"segment.opened","format":0,"crc":false,"first":0}"# + "\n", .olderFormat, 1),
    (#"{"seq":0,"at":0,"kind":"segment.opened","format":1,"first":0}"# + "\n", .damagedLine, 1),
    (#"{"seq":0,"at":0,"kind":"segment.opened","format":1,"first":0,"crc":true}"# + "\n", .damagedLine, 1),
    (#"{"seq":0,"at":0,"kind":"segment.opened","format":1,"first":0,"crc":"0badf00d"}"# + "\n", .damagedLine, 1),
    (#"{"seq":0,"at":0,"kind":"segment.opened","format":1,"crc":false,"first":4}"# + "\n", .damagedLine, 1),
    (head + #"{"seq":1,"at":0,"kind":"a"}"# + "\n" + #"{"seq":3,"at":0,"kind":"a"}"# + "\n", .sequenceBroken, 3),
    (head + #"{"seq":1,"at":0,"kind":"a"}"# + "\n" + #"{"seq":1,"at":0,"kind":"a"}"# + "\n", .sequenceBroken, 3),
    (head + #"{"seq":1,"at":0,"kind":"a","b":tru}"# + "\n", .damagedLine, 2),
    (head + "\n", .damagedLine, 2),
    (head + "{\"seq\":1,\"at\":0,\"kind\":\"a\",\"b\":\"\u{1}\"}\n", .damagedLine, 2),
  ]) func whatIsWrongIsNamed(_ text: String, _ code: LogError.Code, _ line: Int) throws {
    try put(text, path)
    let error = try #require(readError(path))
    #expect(error.code == code)
    #expect(error.line == line)
    #expect(error.file == path)
  }

  static let head = #"{"seq":0,"at":0,"kind":"segment.opened","format":1,"crc":false,"first":0}"# + "\n"

  @Test func anErrorStays() throws {
    try put(Self.head + "x\n", path)
    let reader = try LogReader(path: path)
    _ = try reader.next()
    for _ in 0..<3 {
      #expect(throws: LogError.self) { _ = try reader.next() }
    }
  }

  @Test func aFileThatIsNotThereIsNamed() {
    let error = readError("/nowhere/log.jsonl")
    #expect(error?.code == .unreadable)
    #expect(error?.description.hasPrefix("/nowhere/log.jsonl: unreadable: open failed:") == true)
  }

  @Test func anyFlippedByteIsNamedByItsLine() throws {
    let writer = try LogWriter.create(path: path, at: 1_732_704_917_000, policy: .everyEvent)
    for index in 0..<4 {
      var batch = writer.batch()
      try batch.add("history.changed", at: 1_732_704_917_001, payload: Array(#""hours":\#(index)"#.utf8))
      try batch.add("fetch.started", at: 1_732_704_917_001, payload: Array(#""cause":\#(batch.nextSeq - 1)"#.utf8))
      try writer.append(batch)
      try writer.sync(at: 1_732_704_917_002)
    }
    let whole = try contents(path)
    var line = 1
    for index in whole.indices {
      for flip in [UInt8(0x01), 0x20, 0x80, 0xFF, whole[index] ^ UInt8(ascii: "\n")] where flip != 0 {
        var bytes = whole
        bytes[index] ^= flip
        try put(bytes, path)
        let error = readError(path)
        if error?.line != line {
          Issue.record("byte \(index) ^ \(flip): line \(line), but \(String(describing: error))")
        }
      }
      if whole[index] == UInt8(ascii: "\n") { line += 1 }
    }
  }

  @Test func anOlderFormatIsLiftedByNamedUpcasters() throws {
    try put(
      """
      {"seq":0,"at":0,"kind":"segment.opened","format":0,"crc":false,"first":0}
      {"seq":1,"at":5,"kind":"report","fl":380}
      {"seq":2,"at":6,"kind":"clock.ticked"}

      """, path)
    let upcaster = LogUpcaster(name: "report becomes report.tracked", from: 0) { envelope throws(LogEnvelopeError) in
      guard envelope.kind == "report" else { return }
      guard envelope.payload == Array(#""fl":380"#.utf8) else {
        throw LogEnvelopeError.notConverted(reason: "no level")
      }
      envelope.kind = "report.tracked"
      envelope.payload = Array(#""altitudeFeet":38000"#.utf8)
      envelope.seq = 99
    }
    var options = LogReader.Options()
    options.format = LogFormat(version: 1, upcasters: [upcaster])
    let read = try envelopes(path, options: options)
    #expect(
      read[1]
        == LogEnvelope(
          seq: 1, at: 5, kind: "report.tracked", payload: Array(#""altitudeFeet":38000"#.utf8)))
    #expect(read[2].kind == "clock.ticked")

    options.format = LogFormat(version: 2, upcasters: [upcaster])
    #expect(readError(path, options: options)?.code == .olderFormat)

    try put(try String(decoding: contents(path), as: UTF8.self).replacing380(), path)
    options.format = LogFormat(version: 1, upcasters: [upcaster])
    let error = readError(path, options: options)
    #expect(error?.code == .upcastFailed)
    #expect(error?.reason == "report becomes report.tracked: no level")
    #expect(error?.line == 2)
  }
}

extension String {
  fileprivate func replacing380() -> String { split(separator: "380", maxSplits: 1).joined(separator: "390") }
}

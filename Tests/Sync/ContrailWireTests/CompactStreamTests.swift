import ContrailTestSupport
import ContrailWire
import Testing

/// Streams of answers to held requests, in pieces of any size.
@Suite struct CompactStreamTests {
  private static func stream(_ bodies: [[UInt8]]) -> [UInt8] {
    bodies.reduce(CompactStream.head) { $0 + CompactStream.part($1) }
  }

  @Test(arguments: 0..<20) func answersArriveInPieces(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bodies = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    var rest = Self.stream(bodies)[...]
    let count = rest.count
    var reader = CompactStream(limit: 1000)
    var parts: [CompactStream.Part] = []
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...50, using: &random))
      rest = rest.dropFirst(piece.count)
      reader.append(Array(piece))
      while let part = try reader.next() { parts.append(part) }
    }
    #expect(parts.map(\.body) == bodies && parts.reduce(0) { $0 + $1.streamBytes } == count)
  }

  @Test func aTooLargeAnswerIsRefusedBeforeItArrives() throws {
    var reader = CompactStream(limit: 10)
    reader.append(CompactStream.head + [11])
    #expect(throws: CompactError.self) { try reader.next() }
    var endless = CompactStream(limit: .max)
    endless.append(CompactStream.head + Array(repeating: 0xFF, count: 9))
    #expect(throws: CompactError.self) { try endless.next() }
  }

  @Test func anotherFormIsNoStream() throws {
    for bytes in [[0xC1, 1, 0], [0xC5, 2, 0], Array("{}".utf8)] as [[UInt8]] {
      var reader = CompactStream(limit: 10)
      reader.append(bytes)
      #expect(throws: CompactError.self) { try reader.next() }
    }
  }

  @Test func thePreferenceIsOneOfSeveral() {
    #expect(HoldTerms.asksForStream("wait=50, stream") && HoldTerms.asksForStream("Stream"))
    #expect(!HoldTerms.asksForStream("wait=50") && !HoldTerms.asksForStream("streams") && !HoldTerms.asksForStream(nil))
    #expect(HoldTerms.wait("wait=50, stream") == 50)
  }
}

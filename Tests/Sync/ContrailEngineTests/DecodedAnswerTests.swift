import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

/// The fold takes an answer as it was decoded, and comes to the state that the written line gives.
@Suite struct DecodedAnswerTests {
  private struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      throw TransportError(.network, "there is none")
    }
  }

  /// Two states: one takes events as the live client makes them, the other takes the lines written of them.
  private struct Twins {
    var live = State()
    var replayed = State()
    let blobs: BlobStore?

    mutating func fold(_ record: Record) throws {
      live.evolve(record)
      var written = record
      written.event = try record.event.payload.withUnsafeBytes { payload in
        try Event(kind: record.event.kind, payload: payload) { name in
          if case .input(.responseReceived(let response)) = record.event { return response.body.bytes }
          return blobs?.bytes(of: name)
        }
      }
      #expect(written.event == record.event)
      replayed.evolve(written)
    }
  }

  private static let sender = RequestSender(transport: NoTransport())

  /// Returns the input of an answer to the request of a scope, as the live client makes it of bytes.
  private static func received(
    _ bytes: [UInt8], _ original: Input.Response, to request: OutgoingRequest
  ) throws -> Input.Response {
    let result = sender.result(
      of: TransportAnswer(status: original.status, headers: [], body: bytes), to: request,
      with: Credentials(apiKey: "a-key-that-no-answer-repeats"))
    guard case .answered(let received) = result else { throw TransportError(.network, "\(result)") }
    var response = original
    (response.body, response.form) = (received.body, received.form)
    return response
  }

  static let recordings: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: PackageFolder.recordings)) ?? []
    return files.filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  @Test(arguments: recordings) func aRecordedAnswerIsDecodedOnceAndWrittenTheSame(name: String) throws {
    let blobs = BlobStore(directory: PackageFolder.recordings + "/blobs")
    var twins = Twins(blobs: blobs)
    var decoded = 0
    let reader = try LogReader(path: PackageFolder.recordings + "/" + name)
    while let line = try reader.next() {
      let event = try Event(kind: line.kindName, payload: line.payload) { blobs.bytes(of: $0) }
      var record = Record(seq: line.seq, at: line.at, event: event)
      if case .input(.responseReceived(var response)) = event,
        let scope = twins.live.scopes.first(where: { $0.inFlight?.request == response.request }),
        let request = twins.live.outgoingRequest(scope.id)
      {
        let original = response.body
        var bytes = original.bytes
        if response.form == .compact, scope.id.hasDeltas, let answer = try? original.observations() {
          bytes = answer.compact(milliseconds: 0, changing: request.heldTraffic, and: request.heldRecords)
        }
        response = try Self.received(bytes, response, to: request)
        #expect(response.body == original, "\(name): seq \(line.seq)")
        if case .answer = response.body { decoded += 1 }
        record.event = .input(.responseReceived(response))
      }
      try twins.fold(record)
    }
    #expect(twins.live == twins.replayed && twins.live.digest == twins.replayed.digest)
    let isOfAreas = twins.live.scopes.contains { $0.id.hasDeltas && $0.lastSuccessAt != nil }
    #expect(decoded > 0 || !isOfAreas, "no answer was decoded before the fold")
  }

  /// Folds an answer of these bytes in both ways, after a flight with an answer before.
  private func compare(_ bytes: [UInt8], _ random: inout SplitMix64, _ comment: Comment) throws {
    var twins = Twins(blobs: nil)
    var rig = Rig.flying { $0.types = .areaTypes }
    rig.pass(seconds: 61)
    (twins.live, twins.replayed) = (rig.state, rig.state)
    var request = try #require(rig.state.outgoingRequest(.corridor))
    request.acceptsCompact = random.chance(80)
    let original = Input.Response(request: request.number, status: 200, wireBytes: 1, serverTimeMS: rig.now)
    let response = try Self.received(bytes, original, to: request)
    try twins.fold(
      Record(seq: rig.state.nextSeq, at: rig.now, event: .input(.responseReceived(response))))
    #expect(twins.live == twins.replayed && twins.live.digest == twins.replayed.digest, comment)
    #expect(twins.live.decide() == twins.replayed.decide(), comment)
  }

  @Test func randomAnswersGiveTheSameState() throws {
    for seed in UInt64(0)..<1500 {
      var random = SplitMix64(seed: seed)
      var answer = ObservationsAnswer.random(using: &random)
      answer.token = Rig.start / 1000 + 61
      answer.follows = random.chance(80) ? Rig.start / 1000 : nil
      var bytes = random.chance(50) ? answer.compact(milliseconds: 7) : answer.json
      if random.chance(40) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      try compare(bytes, &random, "seed \(seed)")
    }
  }

  @Test(arguments: ["answer", "compact", "json", "service"]) func fuzzInputsGiveTheSameState(target: String) throws {
    let folder = PackageFolder.file("Tests/Fuzz/Corpus/\(target)")
    var random = SplitMix64(seed: 1)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      try compare(Array(try Data(contentsOf: folder.appending(path: file))), &random, "\(file)")
    }
  }

  @Test func aSecretInTheTextsOfACompactAnswerIsMasked() throws {
    let key = "s3cr3t-\"key\""
    let position = FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
    let answer = ObservationsAnswer(
      token: 1_740_000_000,
      pireps: [
        PIREP(
          id: key, position: position, flightLevel: nil, severity: nil, isUrgent: false, observedAt: 1_740_000_000,
          updatedAt: 1_740_000_000, text: "UA /RM \(key)")
      ],
      traffic: [
        TrafficPosition(
          id: "a\(key)", callsign: key, position: position, altitudeFeet: nil, groundSpeedKnots: nil,
          trackDegrees: nil, observedAt: 1_740_000_000)
      ])
    let request = OutgoingRequest(
      number: 1, scope: .corridor, mode: .full, method: .post, target: "/", acceptsCompact: true)
    let result = Self.sender.result(
      of: TransportAnswer(status: 200, headers: [], body: answer.compact(milliseconds: 0)), to: request,
      with: Credentials(apiKey: key))
    guard case .answered(let response) = result else { throw TransportError(.network, "\(result)") }
    let text = String(decoding: Event.input(.responseReceived(response)).payload, as: UTF8.self)
    #expect(!text.contains("s3cr3t") && text.contains("UA /RM *") && text.contains("a****"))
  }
}

extension BlobStore {
  fileprivate func bytes(of name: BlobName) -> [UInt8]? {
    BlobStore.ID(name.sha256).flatMap { try? bytes(of: $0, count: name.byteCount) }
  }
}

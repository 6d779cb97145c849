import ContrailCompression
import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// The bytes of other exchanges are predicted from the recorded ones.
@Suite struct WireModelTests {
  /// A server with heads and bodies of its own.
  struct Server {
    /// The bytes of the host, the path and the key.
    var base: Int64 = 75
    var weatherBase: Int64 = 120
    var isSecure = false
    var packs = true
    /// Whether answers for an area that moved contain only the changes.
    var changesRecords = true
    var head: Int64? = 200
    /// The size of a body on the wire, of what the encoder gives.
    var body: (Int) -> Int = { $0 }
    private(set) var exchanges: [RecordedExchange] = []

    var model: WireModel {
      var model = WireModel()
      model.learn(exchanges, in: RecordedWorld())
      return model
    }

    /// Answers a request in an exchange of its own, or in that of another.
    mutating func answer(
      _ request: OutgoingRequest, _ answer: ObservationsAnswer, form: Input.BodyForm? = .compact,
      handle: String? = nil, leader: Int64? = nil, overhead: Int = 0
    ) {
      let bytes =
        switch form {
        case .compact? where request.heldRecords.isEmpty || !changesRecords: answer.compact(milliseconds: 500)
        case .compact?: WireModelTests.changes(answer, request)
        case nil: answer.json
        }
      let isPacked = packs && request.area == nil && bytes.count >= OutgoingRequest.packedFromBytes
      let count = body(isPacked ? Gzip.packed(bytes, level: 6)?.count ?? 0 : bytes.count)
      var response = Input.Response(
        request: request.number, status: 200, wireBytes: Int64(count + overhead), handle: handle, form: form,
        body: .answer(answer))
      if leader == nil, let head { (response.wireBytes, response.headBytes) = (response.wireBytes + head, head) }
      add(request, response, leader: leader)
    }

    /// Adds an exchange with a response.
    mutating func add(_ request: OutgoingRequest, _ response: Input.Response, leader: Int64? = nil) {
      var exchange = RecordedExchange(
        request: request.number, scope: request.scope, rule: .due, leader: leader ?? request.number, sentAtMS: 0,
        endedAtMS: 1, result: .none)
      exchange.mode = request.mode
      if request.scope.hasDeltas { exchange.spec = WireModelTests.spec }
      exchange.handle = request.area?.handle
      exchange.heldRecords = request.heldRecords
      exchange.heldTraffic = request.heldTraffic
      var response = response
      if leader == nil {
        let size = WireModel.size([request], bodyBytes: WireModel.bodyBytes(request))
        exchange.size = size
        let isWeather = request.scope.weatherPlace != nil
        let total = Int64(isSecure ? size.secure : size.plain) + (isWeather ? weatherBase : base)
        response.sent = response.sent ?? SentBytes(total: total, head: 0)
      }
      exchange.result = .answered(response)
      exchanges.append(exchange)
    }
  }

  static let spec = FetchSpec(area: .world, filter: Filter())

  static func changes(_ answer: ObservationsAnswer, _ request: OutgoingRequest) -> [UInt8] {
    var answer = answer
    answer.held = HeldSum(count: answer.reports.count, checksum: answer.reports.reduce(0) { $0 &+ $1.digest })
    return answer.compact(milliseconds: 500, changing: request.heldTraffic, and: request.heldRecords)
  }

  static func answer(_ count: Int, seed: UInt64 = 1) -> ObservationsAnswer {
    ObservationsAnswer(
      token: 1_750_000_000, follows: 1_749_999_000,
      reports: (0..<UInt64(count)).map { index in
        let draw = Digest.mix(seed &* 1000 &+ index)
        return TurbulenceReport(
          cell: UInt32(truncatingIfNeeded: draw) & 0x3_FFFF, altitude: UInt8(draw >> 20 & 31),
          severity: UInt8(draw >> 30 & 3), edrE4: UInt16(draw >> 33 & 0xFFF),
          observedAt: 1_749_990_000 + UInt32(draw >> 50 & 0xFFF))
      })
  }

  static func full(_ number: Int64, body: Int = 90, mode: FetchMode = .full) -> OutgoingRequest {
    OutgoingRequest(
      number: number, scope: .corridor, mode: mode, method: .post, target: ObservationsRequest.path,
      body: (0..<body).map { UInt8(truncatingIfNeeded: Digest.mix(UInt64($0))) }, acceptsCompact: true)
  }

  static func byHandle(
    _ number: Int64, since: Int64 = 1_749_999_000, scope: ScopeID = .corridor, hold: HoldTerms? = nil
  ) -> OutgoingRequest {
    let area = AreaRequest(handle: "k3", since: since, hold: hold)
    return OutgoingRequest(
      number: number, scope: scope, mode: .delta, method: .get, target: area.target, acceptsCompact: true, area: area)
  }

  private static func weather(_ number: Int64) -> OutgoingRequest {
    OutgoingRequest(
      number: number, scope: .weather(.init(longitudeE4: 80_000, latitudeE4: 500_000)), mode: .full, method: .get,
      target: "/weather/50/8")
  }

  private static func size(_ request: OutgoingRequest) -> WireModel.RequestSize {
    WireModel.size([request], bodyBytes: WireModel.bodyBytes(request))
  }

  // MARK: Requests

  /// The size is that of the HTTP request, without the server's host and path and without the key.
  @Test func theSizeOfARequestIsThatOfItsHTTP() {
    let hold = HoldTerms(seconds: 540)
    for request in [
      Self.full(1), Self.full(2, body: 3000), Self.byHandle(3), Self.byHandle(4, hold: hold), Self.weather(5),
    ] {
      for isSecure in [false, true] {
        let (target, fields) = OutgoingRequest.head(of: [request], isSecure: isSecure)
        let body = request.body.count < 256 ? request.body : Gzip.packed(request.body, level: 9) ?? []
        var text = "\(request.method.rawValue)\(target)" + fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
        let size = Self.size(request)
        #expect((isSecure ? size.secure : size.plain) == text.utf8.count + body.count)
      }
    }
  }

  @Test(arguments: [false, true]) func aRequestHasTheHostAndTheKeyOfTheRecordedOnes(isSecure: Bool) {
    var server = Server()
    server.isSecure = isSecure
    for number in Int64(1)...3 { server.answer(Self.full(number, body: 60 * Int(number)), Self.answer(1)) }
    // Over TLS, the watermark is in the head, and its length is another.
    for number in Int64(4)...6 { server.answer(Self.byHandle(number, since: number), Self.answer(1)) }
    server.answer(Self.byHandle(7, hold: HoldTerms(seconds: 50)), Self.answer(1))
    server.add(Self.weather(8), Input.Response(request: 8, status: 200, wireBytes: 400))
    let model = server.model
    for request in [Self.full(9, body: 1000), Self.byHandle(10, hold: HoldTerms(seconds: 540)), Self.weather(11)] {
      let isWeather = request.scope.weatherPlace != nil
      let (size, up) = (Self.size(request), model.upBytes(Self.size(request), isWeather: isWeather))
      #expect(up.bytes == Int64(isSecure && !isWeather ? size.secure : size.plain) + (isWeather ? 120 : 75))
      #expect(up.deviation == 0 && up.isRecorded)
    }
  }

  @Test func withoutARequestByHandleTLSIsInDoubt() {
    var server = Server()
    server.answer(Self.full(1), Self.answer(1))
    let (model, request) = (server.model, Self.byHandle(2))
    let (size, up) = (Self.size(request), model.upBytes(Self.size(request), isWeather: false))
    #expect(size.plain != size.secure && !up.isRecorded)
    #expect(up.deviation == abs(Double(size.plain - size.secure)) && up.bytes == Int64(size.plain) + 75)
    let same = model.upBytes(Self.size(Self.full(3)), isWeather: false)
    #expect(same.isRecorded && same.deviation == 0)
    // The host of the weather may be another.
    let weather = model.upBytes(Self.size(Self.weather(4)), isWeather: true)
    #expect(!weather.isRecorded && weather.bytes == Int64(Self.size(Self.weather(4)).plain) + 75)
  }

  @Test func aLogThatCountsNoRequestsTellsNothingOfTheHost() {
    let size = Self.size(Self.full(1))
    var server = Server()
    server.add(Self.full(1), Input.Response(request: 1, status: 200, wireBytes: 9, sent: .zero))
    for model in [WireModel(), server.model] {
      let up = model.upBytes(size, isWeather: false)
      #expect(up.bytes == Int64(size.plain) + 80 && up.deviation == 30 && !up.isRecorded)
    }
  }

  @Test func requestsOfOneHostDifferByTheirMiddle() {
    var server = Server()
    for (number, base) in [(Int64(1), Int64(70)), (2, 72), (3, 90), (4, 71), (5, 76)] {
      server.base = base
      server.answer(Self.full(number), Self.answer(1))
    }
    let up = server.model.upBytes(Self.size(Self.full(6)), isWeather: false)
    #expect(up.bytes == Int64(Self.size(Self.full(6)).plain) + 72)
    #expect(abs(up.deviation - 69.0.squareRoot()) < 1e-9)
  }

  /// Another compressor makes other sizes.
  @Test(arguments: [true, false]) func aServerPacksIfItsSizesAreRatherPackedOnes(packs: Bool) {
    var server = Server()
    (server.packs, server.body) = (packs, { $0 + 3 })
    for number in Int64(1)...3 { server.answer(Self.full(number), Self.answer(90), form: nil) }
    #expect(server.model.packsJSON == packs)
  }

  /// A size that is as near to both is a compressed one; a byte nearer to JSON, it isn't.
  @Test func theNearerSizeTellsWhetherAServerPacks() throws {
    for count in 20..<60 {
      let json = Self.answer(count).json
      let (packed, plain) = (try #require(Gzip.packed(json, level: 6)).count, json.count)
      var server = Server()
      (server.head, server.body) = (nil, { _ in (packed + plain + 1) / 2 })
      server.answer(Self.full(1), Self.answer(count), form: nil)
      #expect(server.model.packsJSON == (packed + plain).isMultiple(of: 2))
    }
  }

  /// Changes to few held records take more bytes than everything.
  @Test func theNearerSizeTellsWhetherAServerSendsChanges() {
    for count in 20..<60 {
      let answer = Self.answer(count)
      var request = Self.full(1)
      request.heldRecords = HeldRecords(reports: Self.answer(count / 2).reports)
      let (changes, complete) = (Self.changes(answer, request).count, answer.compact(milliseconds: 500).count)
      var server = Server()
      (server.head, server.body) = (nil, { _ in (changes + complete) / 2 })
      server.answer(request, answer)
      #expect(changes > complete && server.model.changesRecords == (changes + complete).isMultiple(of: 2))
    }
  }

  // MARK: Heads

  @Test func eachFormHasItsHead() {
    var server = Server()
    let heads: [(WireModel.ResponseForm, Int64, OutgoingRequest, Input.BodyForm?, Int)] = [
      (.json, 101, Self.full(1), nil, 0), (.packedJSON, 102, Self.full(2), nil, 20),
      (.compact, 103, Self.full(3), .compact, 1),
      (.packedCompact, 104, Self.full(4), .compact, 90), (.compactByHandle, 105, Self.byHandle(5), .compact, 3),
    ]
    for (_, head, request, form, count) in heads {
      server.head = head
      server.answer(request, Self.answer(count), form: form)
    }
    server.add(Self.full(6), Input.Response(request: 6, status: 304, wireBytes: 106))
    server.add(
      OutgoingRequest(number: 7, scope: .outbox, mode: nil, method: .post, target: "/reports"),
      Input.Response(request: 7, status: 200, wireBytes: 107, headBytes: 50))
    let model = server.model
    for (form, bytes) in heads.map({ ($0.0, $0.1) }) + [(.notModified, 106), (.upload, 107)] {
      let head = model.headBytes(form)
      #expect(head.bytes == bytes && head.deviation == 0 && head.isRecorded, "\(form)")
    }
  }

  @Test func anUnknownHeadIsThatOfTheReferenceServer() {
    let sizes: [(WireModel.ResponseForm, Int64)] = [
      (.json, 163), (.packedJSON, 189), (.compact, 197), (.packedCompact, 223), (.compactByHandle, 39), (.repair, 39),
      (.notModified, 150), (.upload, 190),
    ]
    for (form, bytes) in sizes {
      let head = WireModel().headBytes(form)
      #expect(head.bytes == bytes && head.deviation == 30 && !head.isRecorded, "\(form)")
    }
    // A log of before counts whole responses, which contain their heads.
    var server = Server()
    server.head = nil
    server.body = { $0 + 150 }
    server.answer(Self.full(1), Self.answer(2))
    let model = server.model
    let (form, body) = model.bodyBytes(Self.answer(3), .compact, changing: [], and: HeldRecords())
    let count = Int64(Self.answer(3).compact(milliseconds: 500).count)
    #expect(form == .compact && body.bytes == count + 150 && model.headBytes(.compact).bytes == 0)
    #expect(model.headBytes(.compactByHandle).bytes == 39)
  }

  /// The fields of a handle are in the head of an answer in JSON, if the server gives one.
  @Test func aHandleIsAPartOfTheHead() {
    var server = Server()
    server.answer(Self.full(1), Self.answer(0), form: nil, handle: "k3abc")
    let plain = Int64("Contrail-Area: k3abc\r\n".utf8.count)
    #expect(server.model.headBytes(.json, givesHandles: true).bytes == 200)
    #expect(server.model.headBytes(.json).bytes == 200 - plain)
    #expect(server.model.headBytes(.packedJSON, givesHandles: true).bytes == 189 + plain)
    #expect(server.model.headBytes(.compact, givesHandles: true).bytes == 197 && server.model.isCompact)
    var rich = Server()
    rich.add(
      Self.full(1),
      Input.Response(request: 1, status: 200, wireBytes: 9, handle: "k", repairs: true, holdSeconds: 540))
    let fields = Int64("Contrail-Area: k\r\nContrail-Repairs: 1\r\nContrail-Holds: 540\r\n".utf8.count)
    #expect(rich.model.headBytes(.json, givesHandles: true).bytes == 163 + fields)
    var brief = Server()
    brief.add(Self.full(1), Input.Response(request: 1, status: 200, wireBytes: 9, handle: "k", holdSeconds: 1))
    let holds = Int64("Contrail-Area: k\r\nContrail-Holds: 1\r\n".utf8.count)
    #expect(brief.model.headBytes(.json, givesHandles: true).bytes == 163 + holds)
    var without = Server()
    without.answer(Self.full(1), Self.answer(0), form: nil)
    #expect(without.model.headBytes(.json, givesHandles: true).bytes == 200 && !without.model.isCompact)
    without.answer(Self.full(2), Self.answer(0))
    #expect(without.model.isCompact)
  }

  // MARK: Bodies

  @Test(arguments: [(Input.BodyForm?.none, true), (nil, false), (.compact, true), (.compact, false)])
  func largeAnswersAreCompressedAsTheRecordedOnes(_ form: Input.BodyForm?, _ packs: Bool) {
    var server = Server()
    server.packs = packs
    for number in Int64(1)...4 { server.answer(Self.full(number), Self.answer(120, seed: UInt64(number)), form: form) }
    let (model, answer) = (server.model, Self.answer(150, seed: 9))
    let bytes = form == nil ? answer.json : answer.compact(milliseconds: 500)
    let (found, body) = model.bodyBytes(answer, form == nil ? .json : .compact, changing: [], and: HeldRecords())
    #expect(body.bytes == Int64(packs ? Gzip.packed(bytes, level: 6)?.count ?? 0 : bytes.count))
    #expect(body.deviation == 0 && body.isRecorded)
    let names: [WireModel.ResponseForm] = form == nil ? [.json, .packedJSON] : [.compact, .packedCompact]
    #expect(found == names[packs ? 1 : 0])
    // Small ones, and those by handle, never are.
    let small = model.bodyBytes(Self.answer(1), form == nil ? .json : .compact, changing: [], and: HeldRecords())
    #expect(small.form == (form == nil && Self.answer(1).json.count >= 256 ? names[packs ? 1 : 0] : names[0]))
    let byHandle = model.bodyBytes(answer, .compactByHandle, changing: [], and: HeldRecords())
    #expect(byHandle.form == .compactByHandle && byHandle.1.bytes == answer.compact(milliseconds: 500).count)
    #expect(!byHandle.1.isRecorded)
  }

  /// Of few sizes, only a constant difference is learned.
  @Test func sizesThatDifferFromTheEncodersAreLearned() {
    func model(_ count: Int64, _ body: @escaping (Int) -> Int) -> (WireModel.Estimate, Int) {
      var server = Server()
      server.body = body
      for number in 1...count {
        server.answer(Self.byHandle(number), Self.answer(Int(number) * 20, seed: UInt64(number)))
      }
      let answer = Self.answer(300)
      return (
        server.model.bodyBytes(answer, .compactByHandle, changing: [], and: HeldRecords()).1,
        answer.compact(milliseconds: 500).count
      )
    }
    let (shifted, size) = model(3) { $0 + 17 }
    #expect(shifted.bytes == Int64(size) + 17 && shifted.deviation < 1e-6)
    let (steep, steepSize) = model(12) { $0 * 3 / 2 + 10 }
    #expect(abs(Double(steep.bytes) - (Double(steepSize) * 1.5 + 10)) <= 2 && steep.deviation < 1)
    let (flat, _) = model(7) { _ in 500 }
    #expect(flat.deviation > 50)
    // Eight tell a slope.
    let (eight, eightSize) = model(8) { $0 * 3 / 2 + 10 }
    #expect(abs(Double(eight.bytes) - (Double(eightSize) * 1.5 + 10)) <= 2 && eight.deviation < 1)
    // A slope beyond a half or the double would be a guess.
    let (steepest, steepestSize) = model(12) { $0 * 5 }
    let means = (1...12).map { Double(Self.answer($0 * 20, seed: UInt64($0)).compact(milliseconds: 500).count) }
    let mean = means.reduce(0, +) / 12
    #expect(abs(Double(steepest.bytes) - (5 * mean + 2 * (Double(steepestSize) - mean))) <= 1)
    let (flattest, _) = model(12) { _ in 2000 }
    #expect(abs(Double(flattest.bytes) - (2000 + 0.5 * (Double(steepestSize) - mean))) <= 1)
    let error = means.reduce(0) { $0 + 0.25 * ($1 - mean) * ($1 - mean) } / 12
    #expect(abs(flattest.deviation - error.squareRoot()) < 1e-6)
    // No answer is empty.
    #expect(WireModel().bodyBytes(Self.answer(0), .compact, changing: [], and: HeldRecords()).1.bytes > 0)
  }

  /// A slope holds far beyond the sizes that tell it.
  @Test func theSizeOfALargeAnswerFollowsFromSmallOnes() {
    var server = Server()
    server.body = { $0 + 7 }
    for number in Int64(1)...12 {
      server.answer(Self.byHandle(number), Self.answer(20 + 2 * Int(number % 3), seed: UInt64(number)))
    }
    let answer = Self.answer(3000)
    let body = server.model.bodyBytes(answer, .compactByHandle, changing: [], and: HeldRecords()).1
    #expect(body.bytes == Int64(answer.compact(milliseconds: 500).count + 7))
  }

  /// Eight equal sizes don't tell a slope.
  @Test func ofEqualSizesADifferenceIsConstant() {
    var server = Server()
    server.body = { $0 * 2 }
    for number in Int64(1)...9 { server.answer(Self.byHandle(number), Self.answer(5)) }
    let (count, answer) = (Self.answer(5).compact(milliseconds: 500).count, Self.answer(100))
    let body = server.model.bodyBytes(answer, .compactByHandle, changing: [], and: HeldRecords()).1
    #expect(body.bytes == Int64(answer.compact(milliseconds: 500).count + count))
  }

  /// The first has the head of all and what separates the answers.
  @Test func answersThatShareAnExchangeHaveTheirOwnBodies() {
    var server = Server()
    server.head = 39
    let answers = [Self.answer(30), Self.answer(200, seed: 2)]
    let counts = answers.map { $0.compact(milliseconds: 500).count }
    let overhead = CompactBundle.overheadBytes(of: counts)
    server.answer(Self.byHandle(1), answers[0], overhead: overhead)
    server.answer(Self.byHandle(2, scope: .viewport), answers[1], leader: 1)
    let model = server.model
    #expect(model.headBytes(.compactByHandle).bytes == 39 && model.headBytes(.compactByHandle).deviation == 0)
    for answer in answers + [Self.answer(70, seed: 3)] {
      let body = model.bodyBytes(answer, .compactByHandle, changing: [], and: HeldRecords()).1
      #expect(body.bytes == Int64(answer.compact(milliseconds: 500).count) && body.deviation == 0)
    }
  }

  @Test(arguments: [true, false]) func anAnswerForAnAreaThatMovedHasTheChangesOrEverything(hasChanges: Bool) {
    var server = Server()
    #expect(server.model.changesRecords)
    server.packs = false
    server.changesRecords = hasChanges
    // Another encoder makes other sizes.
    server.body = { $0 + 3 }
    let held = HeldRecords(reports: Array(Self.answer(90).reports))
    func moved(_ number: Int64) -> OutgoingRequest {
      var request = Self.full(number)
      request.heldRecords = held
      return request
    }
    func answer(_ added: Int) -> ObservationsAnswer {
      var answer = Self.answer(80)
      answer.reports += Self.answer(added, seed: 7).reports
      return answer
    }
    for number in Int64(1)...3 { server.answer(moved(number), answer(Int(number))) }
    let model = server.model
    #expect(model.changesRecords == hasChanges)
    let body = model.bodyBytes(answer(9), .compact, changing: [], and: held).1
    let wanted = hasChanges ? Self.changes(answer(9), moved(4)) : answer(9).compact(milliseconds: 500)
    #expect(body.bytes == Int64(wanted.count) + 3 && body.deviation == 0)
    let whole = model.bodyBytes(answer(9), .compact, changing: [], and: HeldRecords()).1
    #expect(whole.bytes == Int64(answer(9).compact(milliseconds: 500).count) + 3)
    // The answer to a repair has the changes in any case.
    let repair = model.bodyBytes(answer(9), .repair, changing: [], and: held)
    #expect(repair.form == .repair && repair.1.bytes == Int64(Self.changes(answer(9), moved(4)).count))
  }

  @Test func theSizesOfRepairsTellNothingOfOthers() {
    var server = Server()
    server.answer(Self.byHandle(1), Self.answer(10))
    var repair = Self.byHandle(2)
    repair.mode = .repair
    server.body = { $0 + 1000 }
    server.answer(repair, Self.answer(10))
    let body = server.model.bodyBytes(Self.answer(10), .compactByHandle, changing: [], and: HeldRecords()).1
    #expect(body.bytes == Int64(Self.answer(10).compact(milliseconds: 500).count) && body.deviation == 0)
  }

  @Test func theErrorsOfAHeadAndABodyAddUpAsOfIndependentOnes() {
    let sum =
      WireModel.Estimate(bytes: 10, deviation: 3, isRecorded: true)
      + WireModel.Estimate(bytes: 20, deviation: 4, isRecorded: false)
    #expect(sum.bytes == 30 && sum.deviation == 5 && !sum.isRecorded)
    #expect((sum + .none).bytes == 30 && (sum + .none).deviation == 5 && WireModel.Estimate.none.isRecorded)
    #expect(!(WireModel.Estimate(bytes: 1, deviation: 0, isRecorded: false) + .none).isRecorded)
    #expect(WireModel.Estimate.none.sent == .zero && sum.sent == SentBytes(total: 30, head: 0))
  }
}

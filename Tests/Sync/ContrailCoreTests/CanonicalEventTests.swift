import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// The fast way to an event against the one that knows every spelling.
@Suite struct CanonicalEventTests {
  private func answered(_ random: inout SplitMix64) -> Event {
    let second = Int64.random(in: 1_740_000_000...1_750_000_000, using: &random)
    var answer = ObservationsAnswer(token: second, follows: random.chance(50) ? second - 60 : nil)
    answer.held = HeldSum(count: 7, checksum: random.next())
    answer.reports = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      ModelServer.report(at: second - Int64.random(in: 0...7200, using: &random), using: &random)
    }
    return .input(
      .responseReceived(
        .init(
          request: Int64.random(in: 0...9999, using: &random),
          status: [200, 500, 0, 999].randomElement(using: &random) ?? 1,
          wireBytes: Int64.random(in: -5...1 << 50, using: &random),
          headBytes: random.chance(50) ? Int64.random(in: 0...900, using: &random) : nil,
          sent: random.chance(50) ? SentBytes(total: Int64.random(in: 0...9000, using: &random), head: 99) : nil,
          serverTimeMS: random.chance(70) ? second * 1000 : nil, etag: random.chance(10) ? "\"1\"" : nil,
          handle: random.chance(10) ? "aB-_9" : nil, form: random.chance(50) ? .compact : nil,
          body: random.chance(50) ? .answer(answer) : .inline(answer.json))))
  }

  private func ticked(_ random: inout SplitMix64) -> Event {
    let scopes: [ScopeID] = [.corridor, .viewport, .global(.twoHours)]
    return .input(
      .clockTicked(
        scope: scopes.randomElement(using: &random) ?? .corridor, due: Int64.random(in: -9...1 << 60, using: &random)))
  }

  private func read(_ kind: Kind, _ payload: [UInt8], _ read: (Kind, UnsafeRawBufferPointer) throws -> Event) -> Event?
  {
    payload.withUnsafeBytes { try? read(kind, $0) }
  }

  @Test func bothWaysAgreeOnWhatIsWrittenAndOnWhatIsDamaged() {
    for seed in UInt64(0)..<3000 {
      var random = SplitMix64(seed: seed)
      let event = random.chance(70) ? answered(&random) : ticked(&random)
      var payload = event.payload
      #expect(read(event.kind, payload, { try Event(kind: $0, payload: $1) }) == event, "seed \(seed)")
      #expect(read(event.kind, payload, { try Event(anySpelling: $0, payload: $1) }) == event, "seed \(seed)")
      for _ in 0..<2 {
        payload[Int.random(in: payload.indices, using: &random)] = UInt8.random(in: 0x20...0x7F, using: &random)
        let fast = read(event.kind, payload) { try Event(kind: $0, payload: $1) }
        #expect(fast == read(event.kind, payload) { try Event(anySpelling: $0, payload: $1) }, "seed \(seed)")
        if let fast {
          #expect(fast.hashValue == read(event.kind, payload, { try Event(anySpelling: $0, payload: $1) })?.hashValue)
        }
      }
    }
  }

  /// A query as an app sets it, with points that are all finite.
  private func queried(_ maker: inout EventMaker) -> Event {
    var query = maker.query()
    if maker.random.chance(80) { (query.corridorError, query.weather) = (nil, WeatherQuery()) }
    if maker.random.chance(80) {
      for path in [\ResolvedQuery.polygon, \.viewport, \.route, \.corridor] {
        query[keyPath: path] = query[keyPath: path]?.filter { $0 != nil && abs($0?.latitudeE7 ?? 0) < 1 << 55 }
      }
    }
    return .input(.queryChanged(query))
  }

  /// A mark as the log writes it, with all or some of its members.
  private func syncMark(_ maker: inout EventMaker) -> [UInt8] {
    var text = #""through":\#(maker.ordinal())"#
    if maker.random.chance(80) { text += #","chain":"\#(String(repeating: "0a", count: 32))","sums":"d9c07a08""# }
    if maker.random.chance(20) { text += #","kept":\#(maker.ordinal())"# }
    if maker.random.chance(40) { text += #","signed":\#(maker.ordinal()),"key":"0123456789abcdef","signature":"30""# }
    return Array(text.utf8)
  }

  @Test func bothWaysAgreeOnEveryKind() {
    var fastCount = 0
    for seed in UInt64(0)..<16_000 {
      var maker = EventMaker(seed: seed)
      let kind = maker.pick([.queryChanged, .responseReceived, .stateDigested, .logSynced] + Kind.allCases)
      let event = kind == .queryChanged ? queried(&maker) : maker.event(kind)
      var payload = kind == .logSynced ? syncMark(&maker) : event.payload
      for round in 0..<4 {
        let fast = read(kind, payload) { kind, payload in
          if let input = Input(canonical: kind, payload) { return .input(input) }
          guard let mark = Mark(canonical: kind, payload) else { throw EventError.unknownKind("") }
          return .mark(mark)
        }
        let slow = read(kind, payload) { try Event(anySpelling: $0, payload: $1) }
        if let fast { #expect(fast == slow, "seed \(seed), round \(round)") }
        fastCount += fast == nil ? 0 : 1
        guard !payload.isEmpty else { break }
        let place = maker.int(0...payload.count - 1)
        switch maker.int(0...3) {
        case 0: payload.remove(at: place)
        case 1: payload.insert(maker.pick(Array(" 0-.,:[]{}\"\\".utf8)), at: place)
        default: payload[place] = maker.pick(Array("0123456789-.eE ,:[]{}\"\\tfn".utf8))
        }
      }
    }
    #expect(fastCount > 2000, "\(fastCount) were read the fast way")
  }

  @Test(arguments: Kind.allCases) func aKindIsKnownByItsBytes(kind: Kind) {
    Array(kind.rawValue.utf8).withUnsafeBytes { #expect(Kind($0) == kind) }
    Array((kind.rawValue + "x").utf8).withUnsafeBytes { #expect(Kind($0) == nil) }
    Array(kind.rawValue.utf8.dropLast()).withUnsafeBytes { #expect(Kind($0) == nil) }
  }

  /// A state comes to the same whether an answer was read ahead or by the fold.
  @Test func theFoldTakesAnAnswerThatIsRead() throws {
    var rig = Rig.flying()
    for _ in 0..<20 {
      rig.pass(seconds: 61)
      rig.answer()
    }
    var ahead = State()
    for record in rig.records {
      var record = record
      if case .input(.responseReceived(var response)) = record.event {
        response.body = .answer(try response.body.observations())
        record.event = .input(.responseReceived(response))
      }
      ahead.evolve(record)
    }
    #expect(ahead == rig.state)
  }
}

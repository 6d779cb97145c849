import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct EventTests {
  @Test(arguments: Kind.allCases) func anEventIsReadAsItWasWritten(kind: Kind) throws {
    for seed in UInt64(0)..<60 {
      var maker = EventMaker(seed: seed)
      let event = maker.event(kind)
      let read = try Event(kind: kind.rawValue, payload: event.payload, blob: { _ in [1, 2, 3] })
      #expect(read == event, "seed \(seed)")
      #expect(read.payload == event.payload, "seed \(seed)")
      #expect(event.kind == kind && !event.payload.contains(0x0A), "seed \(seed)")
    }
  }

  /// The members of a payload as they stand.
  private func members(_ payload: [UInt8]) throws -> [String] {
    try payload.withUnsafeBytes { bytes in
      var members: [String] = []
      var json = JSONReader(bytes)
      try json.members { (key, json) throws(JSONError) in
        let value = try json.skipValue()
        members.append("\"\(key.string)\" :\t" + String(decoding: json.slice(value), as: UTF8.self))
      }
      return members
    }
  }

  /// The state and its digest would hold several copies of a text as long as a line.
  @Test(arguments: [
    ("session.started", #""session":"TEXT","engine":"1","seed":7"#, "session"),
    ("response.received", #""request":1,"status":200,"bytes":0,"etag":"TEXT""#, "etag"),
    ("response.received", #""request":1,"status":200,"bytes":0,"handle":"TEXT""#, "handle"),
    ("clock.ticked", #""timer":"TEXT","due":5"#, "timer"),
  ])
  func aTextThatIsTooLongIsRefused(kind: String, payload: String, member: String) throws {
    func event(_ count: Int) throws(EventError) -> Event {
      let text = String(repeating: "x", count: count)
      let parts = payload.split(separator: "TEXT", omittingEmptySubsequences: false)
      return try Event(kind: kind, payload: Array("\(parts[0])\(text)\(parts[1])".utf8), blob: { _ in nil })
    }
    if member != "timer" { #expect(throws: Never.self) { try event((1 << 16) - 2) } }
    for count in [(1 << 16) - 1, 1 << 20] {
      let error = #expect(throws: EventError.self) { try event(count) }
      #expect(error?.description.contains("\(member): the text has more than 65536 bytes") == true)
    }
  }

  @Test(arguments: Kind.allCases) func membersMayStandInAnyOrderBesideUnknownOnes(kind: Kind) throws {
    for seed in UInt64(0)..<20 {
      var maker = EventMaker(seed: seed)
      let event = maker.event(kind)
      let shuffled = (try members(event.payload) + [#""later":{"a":[null]}"#]).shuffled(using: &maker.random)
      let text = " " + shuffled.joined(separator: " ,") + " "
      #expect(
        try Event(kind: kind.rawValue, payload: Array(text.utf8), blob: { _ in [1, 2, 3] }) == event,
        "seed \(seed): \(text)")
    }
  }

  @Test(arguments: Kind.allCases) func aMemberThatIsMissingOrOfAnotherTypeIsNamed(kind: Kind) throws {
    var maker = EventMaker(seed: 3)
    var event = maker.event(kind)
    if kind == .snapshotPart { event = .mark(.snapshotPart(.reports(.corridor, []))) }
    if case .input(.responseReceived(var response)) = event {
      response.body = .none
      response.sent = nil
      event = .input(.responseReceived(response))
    }
    if case .input(.responseFailed(let request, let failure, _)) = event {
      event = .input(.responseFailed(request: request, failure: failure))
    }
    if case .input(.weatherReceived(var received)) = event {
      received.body = .none
      event = .input(.weatherReceived(received))
    }
    let optional = [
      "head", "serverTime", "retryAfter", "etag", "handle", "form", "since", "base", "repairs", "holds", "hold",
      "urgent", "altitudes", "budget", "flight", "savesOnExpensive", "savesOnConstrained",
      "confirm", "cells", "service",
    ]
    let all = try members(event.payload)
    for index in all.indices {
      let name = String(all[index].dropFirst().prefix { $0 != "\"" })
      let withoutRule: [Kind] = [
        .queryRejected, .uploadStarted, .weatherExpired, .airportsSwitched, .airportsRequested, .savingChanged,
      ]
      let isRule = withoutRule.contains(kind) && name == "rule"
      var without = all
      without.remove(at: index)
      if !optional.contains(name), !isRule {
        #expect(throws: EventError.missing(kind: kind.rawValue, member: name)) {
          try Event(kind: kind, without.joined(separator: ","))
        }
      }
      without.insert("\"\(name)\":[{}]", at: index)
      do {
        _ = try Event(kind: kind, without.joined(separator: ","))
        #expect(isRule, "\(kind) \(name)")
      } catch {
        guard case .malformed(kind.rawValue, let fault) = error else {
          Issue.record("\(kind) \(name): \(error)")
          continue
        }
        #expect(fault.reason.hasPrefix("\(name): "), "\(fault)")
        let start = without[..<index].reduce(0) { $0 + $1.utf8.count + 1 } + name.utf8.count + 3
        #expect((start...start + 4).contains(fault.offset), "\(kind) \(name): \(fault) begins at \(start)")
      }
    }
  }

  @Test func whatIsNoEventSaysWhy() {
    let cases: [(kind: String, payload: String, fault: EventError)] = [
      ("nothing", "", .unknownKind("nothing")),
      (
        "history.changed", "\"history\":3",
        .malformed(kind: "history.changed", .init(offset: 11, reason: "history: unknown history time of 3 s"))
      ),
      (
        "history.changed", "\"history\":7200,",
        .malformed(kind: "history.changed", .init(offset: 15, reason: "expected a key"))
      ),
      (
        "history.changed", "\"history\":7200}",
        .malformed(kind: "history.changed", .init(offset: 14, reason: "expected the end of the input"))
      ),
      (
        "frequency.changed", "\"frequency\":\"often\"",
        .malformed(kind: "frequency.changed", .init(offset: 19, reason: "frequency: unknown value 'often'"))
      ),
      (
        "clock.ticked", "\"timer\":\"global.1\",\"due\":1",
        .malformed(kind: "clock.ticked", .init(offset: 18, reason: "timer: unknown scope 'global.1'"))
      ),
      ("refresh.requested", "", .missing(kind: "refresh.requested", member: "full")),
      ("refresh.requested", "\"full\":null", .missing(kind: "refresh.requested", member: "full")),
    ]
    for (kind, payload, fault) in cases {
      #expect(throws: fault, "\(kind) \(payload)") { try Event(kind: kind, payload: Array(payload.utf8)) }
      #expect(!fault.description.isEmpty && !fault.code.isEmpty)
    }
  }

  @Test func aFetchWithoutAPartOfItsSpecIsNoDecision() throws {
    let whole =
      #""request":1,"scope":"corridor","mode":"full","rule":"first","cause":1,"spec":{"area":"00","#
      + #""types":["turbulence"],"sevs":[0],"altitudes":[0,52],"history":7200}"#
    _ = try Event(kind: .fetchStarted, whole)
    for part in [
      #""area":"00","#, #""types":["turbulence"],"#, #""sevs":[0],"#, #""altitudes":[0,52],"#, #","history":7200"#,
    ] {
      let range = try #require(whole.firstRange(of: part))
      let text = whole[..<range.lowerBound] + whole[range.upperBound...]
      #expect(throws: EventError.self, "\(part)") { try Event(kind: .fetchStarted, String(text)) }
    }
  }

  @Test func noMutationOfALineStopsTheReaderOrTheFold() throws {
    var states = [Rig.flying().state, State()]
    var read = 0
    for seed in UInt64(0)..<4000 {
      var maker = EventMaker(seed: seed)
      let kind = maker.pick(Kind.allCases)
      var payload = maker.event(kind).payload
      for _ in 0..<maker.int(1...3) where !payload.isEmpty {
        let index: Int = maker.int(0...payload.count - 1)
        switch maker.int(0...3) {
        case 0: payload[index] = maker.int(0...255)
        case 1: payload[index] = maker.pick(Array("0123456789-eE.,:{}[]\"\\".utf8))
        case 2: payload.remove(at: index)
        default: payload.insert(contentsOf: Array("9".utf8), at: index)
        }
      }
      guard let event = try? Event(kind: kind.rawValue, payload: payload) else { continue }
      read += 1
      let again = try Event(kind: kind.rawValue, payload: event.payload)
      #expect(again.payload == event.payload, "seed \(seed)")
      for index in states.indices {
        var state = states[index]
        state.evolve(Record(seq: maker.int(0...Int64.max), at: maker.int(.min ... .max), event: event))
        _ = state.decide()
        _ = state.nextWake
        _ = state.digest
        // A world gone wrong now and then, so that the next events meet it.
        if maker.random.chance(10) { states[index] = state }
      }
    }
    #expect((400...3600).contains(read), "\(read) of 4000 read")
  }

  @Test func numbersAtTheEndsOfTheirRangeStopNothing() throws {
    var state = Rig.flying().state
    let lines: [(Kind, String)] = [
      (
        .fetchStarted,
        #""request":9223372036854775807,"scope":"corridor","mode":"full","rule":"first","cause":1,"spec":{"area":"00","types":[],"sevs":[],"altitudes":[0,52],"history":7200}"#
      ),
      (.snapshotPart, #""control":{"nextRequest":9223372036854775807}"#),
      (.snapshotPart, #""control":{"dropped":9223372036854775807}"#),
      (.snapshotPart, #""control":{"serverOffset":-9223372036854775808}"#),
      (.responseReceived, #""request":1,"status":200,"bytes":0,"serverTime":9223372036854775807"#),
    ]
    for (kind, payload) in lines {
      #expect(throws: EventError.self, "\(payload)") { try Event(kind: kind, payload) }
    }
    state.evolve(Record(seq: .max, at: .max, event: .input(.refreshRequested(full: true))))
    for decision in state.decide() { state.evolve(Record(seq: 0, at: .max, event: .decision(decision))) }
    let request = try #require(state.scope(.corridor)?.inFlight?.request)
    state.evolve(
      Record(
        seq: 1, at: .max,
        event: .input(
          .responseReceived(.init(request: request, status: 503, wireBytes: 0, retryAfterSeconds: 86_400)))))
    #expect(state.decide() == [])
    // What was counted from the end of time can be written and read.
    for part in state.snapshotParts {
      let event = Event.mark(.snapshotPart(part))
      #expect(try Event(kind: event.kind.rawValue, payload: event.payload) == event)
    }
  }
}

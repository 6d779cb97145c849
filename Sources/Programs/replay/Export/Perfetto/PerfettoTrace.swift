import ContrailCore
import ContrailWire

/// Writes a flight as a trace of Perfetto: slices, flows and counters.
///
/// The trace is a sequence of `TracePacket`s, which ui.perfetto.dev opens (perfetto.dev/docs/reference/synthetic-track-event).
/// Each lane and each counter is a track below one process. Names are interned, and a flow leads from a request to the input that ends
/// it, and from an input to each decision that follows from it.
///
/// ```swift
/// var trace = PerfettoTrace(title: "flight.jsonl")
/// while let turn = try turns.next() {
///   trace.add(turn.events)
///   try append(trace.take())
/// }
/// ```
package struct PerfettoTrace: Sendable {
  /// A text in the first bytes of each trace, by which one of an earlier export is recognized.
  package static let generator = "contrail replay export"

  private let title: String
  private var output = ProtobufWriter()
  private var isBegun = false
  private var tracks: Set<UInt64> = []
  private var names = Interned()
  private var categories = Interned()
  private var annotations = Interned()

  /// Names that were written, and those that the next packet must define.
  private struct Interned: Sendable {
    private var known: [String: UInt64] = [:]
    private var new: [(iid: UInt64, name: String)] = []

    mutating func iid(_ name: String) -> UInt64 {
      if let iid = known[name] { return iid }
      let iid = UInt64(known.count + 1)
      known[name] = iid
      new.append((iid, name))
      return iid
    }

    mutating func takeNew() -> [(iid: UInt64, name: String)] {
      defer { new = [] }
      return new
    }
  }

  /// Creates a trace.
  ///
  /// - Parameter title: The name of the process, such as that of the recording.
  package init(title: String) { self.title = title }

  /// Returns the packets that were added since the last call, and forgets them.
  package mutating func take() -> [UInt8] {
    defer { output.removeAll() }
    return output.bytes
  }

  /// Adds events in the order of their times.
  package mutating func add(_ events: [FlightEvent]) {
    for event in events { add(event) }
  }

  // MARK: Events

  private mutating func add(_ event: FlightEvent) {
    if !isBegun { begin(at: event.at) }
    switch event.content {
    case .input(let moment, let decisions, let endedRequest):
      describe(moment.lane)
      track(event.at, .instant, moment.lane.uuid) { trace, packet in
        trace.name(moment.kind, category: "input", &packet)
        trace.annotate("seq", .number(moment.seq), &packet)
        trace.annotate("words", .text(moment.words), &packet)
        for decision in decisions { packet.fixed64(Field.flow, Self.flow(decision: decision)) }
        if let endedRequest { packet.fixed64(Field.endOfFlow, Self.flow(request: endedRequest)) }
      }
    case .decision(let moment):
      describe(moment.lane)
      track(event.at, .instant, moment.lane.uuid) { trace, packet in
        trace.name(moment.kind, category: "decision", &packet)
        trace.annotate("seq", .number(moment.seq), &packet)
        trace.annotate("words", .text(moment.words), &packet)
        if let cause = moment.cause { trace.annotate("cause", .number(cause), &packet) }
        packet.fixed64(Field.endOfFlow, Self.flow(decision: moment.seq))
      }
    case .began(let slice): begin(slice)
    case .ended(let slice): end(slice)
    case .counted(let counter, let value):
      describe(counter)
      track(event.at, .counter, counter.uuid) { _, packet in packet.int64(Field.counterValue, value) }
    }
  }

  private mutating func begin(_ slice: FlightEvent.Slice) {
    describe(slice.lane)
    track(slice.startMS, .sliceBegin, slice.lane.uuid) { trace, packet in
      trace.name(slice.name, category: slice.request == nil ? slice.lane.name : "request", &packet)
      trace.annotate("seq", .number(slice.seq), &packet)
      if let cause = slice.cause { trace.annotate("cause", .number(cause), &packet) }
      if let rule = slice.rule { trace.annotate("rule", .text(rule.rawValue), &packet) }
      for fact in slice.facts { trace.annotate(fact.name, fact.value, &packet) }
      guard let request = slice.request else { return }
      trace.annotate("request", .number(request), &packet)
      packet.fixed64(Field.flow, Self.flow(request: request))
      packet.fixed64(Field.endOfFlow, Self.flow(decision: slice.seq))
    }
    guard let seconds = slice.holdSeconds else { return }
    track(slice.startMS, .sliceBegin, slice.lane.uuid) { trace, packet in
      trace.name("held", category: "hold", &packet)
      trace.annotate("at most s", .number(seconds), &packet)
    }
  }

  private mutating func end(_ slice: FlightEvent.Slice) {
    guard let outcome = slice.outcome else { return }
    if slice.holdSeconds != nil { track(outcome.endMS, .sliceEnd, slice.lane.uuid) { _, _ in } }
    track(outcome.endMS, .sliceEnd, slice.lane.uuid) { trace, packet in
      if slice.request != nil { trace.annotate("outcome", .text(outcome.word), &packet) }
      if let status = outcome.status { trace.annotate("status", .number(Int64(status)), &packet) }
      if let bytes = outcome.downBytes { trace.annotate("bytes received", .number(bytes), &packet) }
      if let bytes = outcome.upBytes { trace.annotate("bytes sent", .number(bytes), &packet) }
      for fact in outcome.facts { trace.annotate(fact.name, fact.value, &packet) }
    }
  }

  /// The identifiers of flows, which are unique in a trace.
  private static func flow(decision seq: Int64) -> UInt64 { UInt64(bitPattern: seq) << 1 | 1 }
  private static func flow(request: Int64) -> UInt64 { UInt64(bitPattern: request) << 1 }

  // MARK: Packets

  /// The number of the only sequence of packets.
  private static let sequence: UInt64 = 1
  /// The uuid of the process.
  private static let process: UInt64 = 1

  /// The fields of `TracePacket`, `TrackEvent`, `TrackDescriptor` and `InternedData`.
  private enum Field {
    static let packet: UInt64 = 1

    static let clockSnapshot: UInt64 = 6
    static let timestamp: UInt64 = 8
    static let sequenceID: UInt64 = 10
    static let trackEvent: UInt64 = 11
    static let internedData: UInt64 = 12
    static let sequenceFlags: UInt64 = 13
    static let trackDescriptor: UInt64 = 60
    static let isFirstOfSequence: UInt64 = 87

    static let categoryIID: UInt64 = 3
    static let annotation: UInt64 = 4
    static let type: UInt64 = 9
    static let nameIID: UInt64 = 10
    static let trackUUID: UInt64 = 11
    static let counterValue: UInt64 = 30
    static let flow: UInt64 = 47
    static let endOfFlow: UInt64 = 48
  }

  private enum EventType: UInt64 {
    case sliceBegin = 1
    case sliceEnd = 2
    case instant = 3
    case counter = 4
  }

  /// The clocks of Perfetto.
  private static let realtime: UInt64 = 1
  private static let boottime: UInt64 = 6

  private mutating func packet(_ body: (inout ProtobufWriter) -> Void) {
    var packet = ProtobufWriter()
    body(&packet)
    packet.varint(Field.sequenceID, Self.sequence)
    output.nested(Field.packet, packet)
  }

  /// Writes the process, and how the time of the trace relates to the time of day.
  private mutating func begin(at time: Int64) {
    isBegun = true
    let title = title
    packet { packet in
      packet.message(Field.trackDescriptor) { track in
        track.varint(1, Self.process)
        track.message(3) { process in
          process.varint(1, 1)
          process.string(6, title)
          process.string(8, Self.generator)
        }
        // The tracks below are sorted by their rank.
        track.varint(11, 3)
      }
      packet.varint(Field.isFirstOfSequence, 1)
      // Whatever was interned before is forgotten.
      packet.varint(Field.sequenceFlags, 1)
    }
    packet { packet in
      packet.message(Field.clockSnapshot) { snapshot in
        for clock in [Self.boottime, Self.realtime] {
          snapshot.message(1) { reading in
            reading.varint(1, clock)
            reading.varint(2, FlightEvent.nanoseconds(time))
          }
        }
        snapshot.varint(2, Self.boottime)
      }
    }
  }

  private mutating func track(
    _ time: Int64, _ type: EventType, _ uuid: UInt64,
    _ body: (inout PerfettoTrace, inout ProtobufWriter) -> Void
  ) {
    var event = ProtobufWriter()
    body(&self, &event)
    event.varint(Field.type, type.rawValue)
    event.varint(Field.trackUUID, uuid)
    let (interned, content) = (takeInterned(), event)
    packet { packet in
      packet.varint(Field.timestamp, FlightEvent.nanoseconds(time))
      packet.nested(Field.trackEvent, content)
      if let interned { packet.nested(Field.internedData, interned) }
      // The names refer to earlier packets.
      packet.varint(Field.sequenceFlags, 2)
    }
  }

  /// Returns the names that no packet has defined yet; nil if all are defined.
  private mutating func takeInterned() -> ProtobufWriter? {
    var data = ProtobufWriter()
    for (field, new) in [(UInt64(1), categories.takeNew()), (2, names.takeNew()), (3, annotations.takeNew())] {
      for entry in new {
        data.message(field) { name in
          name.varint(1, entry.iid)
          name.string(2, entry.name)
        }
      }
    }
    return data.bytes.isEmpty ? nil : data
  }

  private mutating func name(_ name: String, category: String, _ event: inout ProtobufWriter) {
    event.varint(Field.categoryIID, categories.iid(category))
    event.varint(Field.nameIID, names.iid(name))
  }

  private mutating func annotate(_ name: String, _ value: FlightEvent.Fact.Value, _ event: inout ProtobufWriter) {
    let iid = annotations.iid(name)
    event.message(Field.annotation) { annotation in
      annotation.varint(1, iid)
      switch value {
      case .text(let text): annotation.string(6, text)
      case .number(let number): annotation.int64(4, number)
      }
    }
  }

  // MARK: Tracks

  private enum Unit {
    case count
    case bytes
    case named(String)
  }

  private mutating func describe(_ lane: FlightEvent.Lane) {
    describe(lane.uuid, lane.name, rank: lane.rank, unit: nil)
  }

  private mutating func describe(_ counter: FlightEvent.Counter) {
    let unit: Unit
    switch counter {
    case .bytesDown, .bytesUp: unit = .bytes
    case .held: unit = .count
    case .age: unit = .named("s")
    }
    describe(counter.uuid, counter.name, rank: counter.rank, unit: unit)
  }

  /// Writes the description of a track, once.
  ///
  /// - Parameter unit: The unit of a counter; nil for a track of slices.
  private mutating func describe(_ uuid: UInt64, _ name: String, rank: UInt64, unit: Unit?) {
    guard tracks.insert(uuid).inserted else { return }
    packet { packet in
      packet.message(Field.trackDescriptor) { track in
        track.varint(1, uuid)
        track.varint(5, Self.process)
        track.string(2, name)
        track.varint(12, rank)
        guard let unit else { return }
        track.message(8) { counter in
          switch unit {
          case .count: counter.varint(3, 2)
          case .bytes: counter.varint(3, 3)
          case .named(let name): counter.string(6, name)
          }
        }
      }
    }
  }
}

extension FlightEvent.Lane {
  fileprivate var uuid: UInt64 { Digest.hash("lane \(name)".utf8) }

  fileprivate var rank: UInt64 {
    switch self {
    case .inputs: 1
    case .sessions: 2
    case .link: 3
    case .scope(let scope): 10 + scope.rank
    }
  }
}

extension FlightEvent.Counter {
  fileprivate var uuid: UInt64 { Digest.hash("counter \(name)".utf8) }

  fileprivate var rank: UInt64 {
    switch self {
    case .bytesDown: 30
    case .bytesUp: 31
    case .held(let scope): 40 + 2 * scope.rank
    case .age(let scope): 41 + 2 * scope.rank
    }
  }
}

extension ScopeID {
  fileprivate var rank: UInt64 {
    switch self {
    case .corridor: 0
    case .viewport: 1
    case .global: 2
    case .weather: 3
    case .outbox: 4
    case .airports: 5
    }
  }
}

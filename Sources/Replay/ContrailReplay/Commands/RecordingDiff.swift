package import ContrailCore
import ContrailLog

/// A comparison of two recordings: the first differing event, the first differing state, and totals.
///
/// Inputs and decisions are compared in order. Marks and the `seq` of each line are ignored.
package struct RecordingDiff {
  /// Whether the recordings are the same, except for ignored members.
  package var isSame: Bool { first == nil }
  /// The first difference, if any.
  package private(set) var first: EventDifference?
  /// The first field of the state that differs after it.
  package private(set) var state: StateDifference?
  /// The number of differing events. After the first pair of different kinds, every event counts.
  package private(set) var differingCount = 0

  /// Two events that differ.
  package struct EventDifference: Sendable, Equatable {
    /// The places of the events, or `nil` where a recording has ended.
    package var a: Place?
    package var b: Place?
    /// The scope of the events, if any.
    package var scope: ScopeID?
    /// The member that differs, such as `bytes` or `body.data.count`, or `kind` or `at`.
    package var field: String
    package var valueA: String
    package var valueB: String
  }

  /// A place in a recording.
  package struct Place: Sendable, Equatable {
    package var file: String
    package var line: Int
    package var seq: Int64
    package var offsetMS: Int64
    package var kind: String
  }

  /// A field of the state that differs.
  package struct StateDifference: Sendable, Equatable {
    /// The scope of the field, or `nil` if it doesn't concern one.
    package var scope: ScopeID?
    package var field: String
    package var valueA: String
    package var valueB: String
  }

  /// The parts of both recordings that were skipped.
  package var setAside: [SetAside] { [sides.a.setAside, sides.b.setAside] }

  private let paths: (a: String, b: String)
  private var sides: (a: Side, b: Side)

  /// Compares two recordings.
  ///
  /// - Parameters:
  ///   - a: The path of the first recording.
  ///   - b: The path of the second recording.
  ///   - ignored: Event members to ignore, such as `bytes`, `at` or `session`.
  /// - Throws: ``UnreadableRecording`` if a recording can't be read.
  package init(_ a: String, _ b: String, ignoring ignored: Set<String> = []) throws(UnreadableRecording) {
    paths = (a, b)
    sides = (try Side(a), try Side(b))
    var isAligned = true
    while true {
      try sides.a.advance()
      try sides.b.advance()
      if sides.a.event == nil && sides.b.event == nil { break }
      let found = difference(ignoring: ignored)
      if found?.field == "kind" || found?.a == nil && found != nil { isAligned = false }
      if found != nil || !isAligned { differingCount += 1 }
      if first == nil { first = found }
      sides.a.fold()
      sides.b.fold()
      if first != nil, state == nil { state = stateDifference() }
    }
    if first != nil, state == nil { state = stateDifference() }
  }

  private func difference(ignoring ignored: Set<String>) -> EventDifference? {
    let (a, b) = (sides.a, sides.b)
    func differ(_ field: String, _ valueA: String, _ valueB: String) -> EventDifference {
      EventDifference(
        a: a.place, b: b.place, scope: a.scope ?? b.scope, field: field, valueA: valueA, valueB: valueB)
    }
    guard let one = a.event, let other = b.event, one.kind == other.kind else {
      return differ("kind", a.event?.kind.rawValue ?? "none", b.event?.kind.rawValue ?? "none")
    }
    if !ignored.contains("at"), a.at != b.at { return differ("at", Words.utc(a.at), Words.utc(b.at)) }
    // Marks also have a `seq`, so causes are equal if each is the last input of its recording.
    var ignored = ignored
    if case .decision(let one) = one, case .decision(let other) = other, one.cause == a.lastInput,
      other.cause == b.lastInput
    {
      ignored.insert("cause")
    }
    return JSONDifference.first(a.payload, b.payload, ignoring: ignored).map { differ($0.path, $0.a, $0.b) }
  }

  private func stateDifference() -> StateDifference? {
    let (a, b) = (sides.a.inspection, sides.b.inspection)
    func compare(_ scope: ScopeID?, _ a: [Inspection.Field], _ b: [Inspection.Field]) -> StateDifference? {
      let names = a.map(\.name) + b.map(\.name).filter { name in !a.contains { $0.name == name } }
      for name in names {
        let (one, other) = (a.first { $0.name == name }?.words ?? "none", b.first { $0.name == name }?.words ?? "none")
        if one != other {
          return StateDifference(scope: scope, field: name, valueA: one, valueB: other)
        }
      }
      return nil
    }
    for id in Set(a.state.scopes.map(\.id)).union(b.state.scopes.map(\.id)).sorted() {
      let fields = (a.state.scope(id).map(a.fields) ?? [], b.state.scope(id).map(b.fields) ?? [])
      if let found = compare(id, fields.0, fields.1) { return found }
    }
    return compare(nil, a.general, b.general)
  }
}

// MARK: - Text

extension RecordingDiff {
  /// The comparison as text, ending with a line feed.
  package var text: String {
    guard let first else {
      return "\(paths.a) and \(paths.b) are the same: \(Words.count(sides.a.statistics.events, "event")), "
        + "digest \(Words.digest(sides.a.state.digest.combined))\n"
    }
    var lines = ["\(paths.a) and \(paths.b) differ"]
    for (name, place, path) in [("a", first.a, paths.a), ("b", first.b, paths.b)] {
      let words = place.map { "\($0.file):\($0.line)  seq \($0.seq) \($0.kind), \(Words.offset($0.offsetMS))" }
      lines.append("  \(name)       \(words ?? "\(path) has ended")")
    }
    lines.append("  scope   \(first.scope?.name ?? "none")")
    lines.append("  field   \(first.field): \(first.valueA) | \(first.valueB)")
    lines.append(
      "  state   "
        + (state.map { "\($0.scope?.name ?? "general"), \($0.field): \($0.valueA) | \($0.valueB)" }
          ?? "no field differs"))
    lines.append("  events  \(Words.count(differingCount)) of \(Words.count(eventCount)) differ")
    if !settings.isEmpty {
      lines.append("")
      lines.append("The settings differ, so the decisions can't be compared one by one:")
      lines += settings.map { "  \($0.name.padded(to: 9))  \($0.a) | \($0.b)" }
      lines.append("What can be compared are the totals and what is held.")
    }
    return (lines + totals).map { $0 + "\n" }.joined()
  }

  /// The settings that differ at the end, with both values.
  private var settings: [(name: String, a: String, b: String)] {
    let (a, b) = (sides.a.state, sides.b.state)
    var all = [
      ("frequency", a.frequency.rawValue, b.frequency.rawValue), ("history", a.history.words, b.history.words),
    ]
    // Each part of the query by itself: the query in words is long.
    let (one, other) = (a.query, b.query)
    all += [
      ("types", one.types.words, other.types.words), ("severities", one.severities.words, other.severities.words),
      ("altitudes", Self.altitudes(one), Self.altitudes(other)),
      ("route", Words.points(one.route), Words.points(other.route)),
      ("width", Self.width(one), Self.width(other)),
      ("polygon", Words.points(one.polygon), Words.points(other.polygon)),
      ("viewport", one.viewport == nil ? "off" : "on", other.viewport == nil ? "off" : "on"),
    ]
    return all.filter { $0.1 != $0.2 }.map { (name: $0.0, a: $0.1, b: $0.2) }
  }

  private static func altitudes(_ query: ResolvedQuery) -> String {
    query.altitudes.map { "\($0.lower.map { Words.count($0) } ?? "?")–\($0.upper.map { Words.count($0) } ?? "?") ft" }
      ?? "all"
  }

  private static func width(_ query: ResolvedQuery) -> String {
    query.routeWidthMilliNM.map { "\(Words.decimal($0, digits: 3)) NM" } ?? "none"
  }

  private var eventCount: Int { max(sides.a.statistics.events, sides.b.statistics.events) }

  private var totals: [String] {
    var table = TextTable([
      .left(""), .right("EVENTS"), .right("SPAN"), .right("FULL"), .right("DELTA"), .right("BYTES"), .left("DIGEST"),
    ])
    for (name, side) in [("a", sides.a), ("b", sides.b)] {
      let it = side.statistics
      table.add([
        name, Words.count(it.events), Words.span(it.spanMS), Words.count(it.fulls), Words.count(it.deltas),
        Words.bytes(it.estimatedBytes), Words.digest(side.state.digest.combined),
      ])
    }
    var held = TextTable([.left("SCOPE"), .right("BOTH"), .right("ONLY A"), .right("ONLY B")])
    var hasRecords = false
    for id in Set(sides.a.state.scopes.map(\.id)).union(sides.b.state.scopes.map(\.id)).sorted() where id.hasDeltas {
      let a = Set(sides.a.state.scope(id)?.reports.sorted ?? [])
      let b = Set(sides.b.state.scope(id)?.reports.sorted ?? [])
      let both = a.intersection(b).count
      held.add([id.name, Words.count(both), Words.count(a.count - both), Words.count(b.count - both)])
      hasRecords = true
    }
    return [""] + table.lines + (hasRecords ? ["", "reports held at the end"] + held.lines : [])
  }
}

// MARK: - One recording

/// One of the two recordings.
private struct Side {
  private let path: String
  private let reader: RecordingReader
  private var replayer = Replayer()
  private var entry: RecordingReader.Entry?
  private var scopes: [Int64: ScopeID] = [:]
  private(set) var payload: [UInt8] = []
  private(set) var lastInput: Int64?

  init(_ path: String) throws(UnreadableRecording) {
    self.path = path
    reader = try RecordingReader(path: path)
  }

  var state: State { replayer.state }
  var setAside: SetAside { reader.setAside }
  var statistics: Statistics { replayer.statistics }
  var event: Event? { entry?.record.event }
  var at: Int64 { entry?.record.at ?? 0 }

  /// Advances to the next input or decision, and applies the marks before it.
  mutating func advance() throws(UnreadableRecording) {
    while let next = try reader.next() {
      if case .mark = next.record.event {
        replayer.fold(next)
        continue
      }
      entry = next
      payload = Array(next.source.payload)
      return
    }
    entry = nil
    payload = []
  }

  /// Applies the event at the current position.
  mutating func fold() {
    guard let entry else { return }
    switch entry.record.event {
    case .input: lastInput = entry.record.seq
    case .decision(let decision):
      if let request = decision.startedRequest { scopes[request] = decision.scope }
    default: break
    }
    replayer.fold(entry)
  }

  var place: RecordingDiff.Place? {
    entry.map {
      RecordingDiff.Place(
        file: $0.file, line: $0.line, seq: $0.record.seq,
        offsetMS: $0.record.at - (replayer.statistics.firstAt ?? $0.record.at), kind: $0.record.event.kind.rawValue)
    }
  }

  /// The scope of the current event.
  var scope: ScopeID? {
    switch event {
    case .decision(let decision): decision.scope
    case .input(.clockTicked(let scope, _)): scope
    case .input(let input): input.answeredRequest.flatMap { scopes[$0] }
    default: nil
    }
  }

  var inspection: Inspection {
    Inspection(state, path: path, seq: nil, at: nil, start: replayer.statistics.firstAt ?? 0)
  }
}

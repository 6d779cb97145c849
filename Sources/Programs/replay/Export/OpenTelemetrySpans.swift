import ContrailCore
import ContrailWire

/// Writes a flight as spans of OpenTelemetry, as JSON of the protocol OTLP.
///
/// A line holds a `TracesData` message, as the collector's file exporter writes and its `otlpjsonfile` receiver reads
/// (opentelemetry.io/docs/specs/otel/protocol/file-exporter). A session is a trace with a span at its root; each request is a span below it,
/// with a link to the request whose end caused it. Times are those of the log's clock.
package struct OpenTelemetrySpans: Sendable {
  /// The name of the instrumentation scope, by which an earlier export is recognized.
  package static let generator = "contrail.replay.export"

  private let title: String
  private var lines: [UInt8] = []
  private var batch: [Span] = []
  /// The session whose spans follow.
  private var session: FlightEvent.Slice?
  /// The inputs that caused the open requests, by their `seq`.
  private var lastInput: FlightEvent.Moment?
  private var causes: [Int64: FlightEvent.Moment] = [:]
  /// The `seq` of the first line of each request of the session.
  private var requests: [Int64: Int64] = [:]

  /// The spans of a line.
  private static let batchCount = 256

  private struct Span: Sendable {
    var slice: FlightEvent.Slice
    var session: FlightEvent.Slice?
    var cause: FlightEvent.Moment?
    /// The `seq` of the request to link to.
    var linked: Int64?
  }

  /// Creates the spans of a recording.
  ///
  /// - Parameter title: The name of the recording.
  package init(title: String) { self.title = title }

  /// Adds events in the order of their times.
  package mutating func add(_ events: [FlightEvent]) {
    for event in events {
      switch event.content {
      case .input(let moment, _, _): lastInput = moment
      case .decision, .counted: break
      case .began(let slice):
        if slice.lane == .sessions {
          session = slice
          requests = [:]
        }
        guard let request = slice.request else { continue }
        requests[request] = slice.seq
        if let lastInput, lastInput.seq == slice.cause { causes[slice.seq] = lastInput }
      case .ended(let slice):
        guard slice.lane == .sessions || slice.request != nil else { continue }
        batch.append(
          Span(
            slice: slice, session: session, cause: causes.removeValue(forKey: slice.seq),
            linked: slice.causingRequest.flatMap { requests[$0] }))
        if batch.count >= Self.batchCount { endLine() }
      }
    }
  }

  /// Returns the complete lines since the last call, and forgets them.
  package mutating func take() -> [UInt8] {
    defer { lines = [] }
    return lines
  }

  /// Ends the last line. Call it once, after all events.
  package mutating func finish() { if !batch.isEmpty { endLine() } }

  // MARK: Writing

  private mutating func endLine() {
    var json = JSONWriter()
    json.object { json in
      json.key("resourceSpans")
      json.array { json in
        json.object { json in
          json.key("resource")
          json.object { json in
            json.key("attributes")
            json.array { json in
              Self.attribute("service.name", .text("contrail"), &json)
              Self.attribute("contrail.recording", .text(title), &json)
            }
          }
          json.key("scopeSpans")
          json.array { json in
            json.object { json in
              json.key("scope")
              json.object { json in
                json.member("name", Self.generator)
                json.member("version", EngineVersion.current)
              }
              json.key("spans")
              json.array { json in for span in batch { write(span, to: &json) } }
            }
          }
        }
      }
    }
    lines += json.bytes + [UInt8(ascii: "\n")]
    batch = []
  }

  private func write(_ span: Span, to json: inout JSONWriter) {
    let slice = span.slice
    guard let outcome = slice.outcome else { return }
    let trace = Self.trace(of: span.session, title)
    json.object { json in
      json.member("traceId", trace)
      json.member("spanId", Self.identifier(trace, slice.seq))
      if slice.lane != .sessions, let session = span.session {
        json.member("parentSpanId", Self.identifier(trace, session.seq))
      }
      json.member("name", slice.lane == .sessions ? "session" : "\(slice.lane.name) \(slice.name)")
      // A client's request, or work inside the client.
      json.member("kind", slice.request == nil ? 1 : 3)
      json.member("startTimeUnixNano", Self.nanoseconds(slice.startMS))
      json.member("endTimeUnixNano", Self.nanoseconds(outcome.endMS))
      json.key("attributes")
      json.array { json in writeAttributes(slice, outcome, to: &json) }
      if let cause = span.cause {
        json.key("events")
        json.array { json in
          json.object { json in
            json.member("timeUnixNano", Self.nanoseconds(slice.startMS))
            json.member("name", "caused by \(cause.kind)")
            json.key("attributes")
            json.array { json in
              Self.attribute("contrail.seq", .number(cause.seq), &json)
              Self.attribute("contrail.words", .text(cause.words), &json)
            }
          }
        }
      }
      if let linked = span.linked {
        json.key("links")
        json.array { json in
          json.object { json in
            json.member("traceId", trace)
            json.member("spanId", Self.identifier(trace, linked))
          }
        }
      }
      json.key("status")
      json.object { json in if outcome.isError { json.member("code", 2) } }
    }
  }

  private func writeAttributes(
    _ slice: FlightEvent.Slice, _ outcome: FlightEvent.Slice.Outcome, to json: inout JSONWriter
  ) {
    func add(_ name: String, _ value: FlightEvent.Fact.Value?, _ json: inout JSONWriter) {
      if let value { Self.attribute(name, value, &json) }
    }
    func number(_ value: Int64?) -> FlightEvent.Fact.Value? { value.map { .number($0) } }
    add("contrail.seq", .number(slice.seq), &json)
    for fact in slice.facts { add("contrail.\(Self.key(fact.name))", fact.value, &json) }
    guard slice.request != nil else { return }
    add("contrail.scope", .text(slice.lane.name), &json)
    add("contrail.request", number(slice.request), &json)
    add("contrail.mode", slice.mode.map { .text($0) }, &json)
    add("contrail.rule", slice.rule.map { .text($0.rawValue) }, &json)
    add("contrail.cause", number(slice.cause), &json)
    add("contrail.hold_s", number(slice.holdSeconds), &json)
    add("contrail.outcome", .text(outcome.word), &json)
    add("http.response.status_code", number(outcome.status.map { Int64($0) }), &json)
    if outcome.isError { add("error.type", .text(outcome.status.map(String.init) ?? outcome.word), &json) }
    add("contrail.bytes_down", number(outcome.downBytes), &json)
    add("contrail.bytes_up", number(outcome.upBytes), &json)
    // The names of an answer's records differ from those of an upload's.
    for fact in outcome.facts { add("contrail.answer.\(Self.key(fact.name))", fact.value, &json) }
  }

  private static func key(_ name: String) -> String { String(name.map { $0 == " " ? "_" : $0 }) }

  private static func attribute(_ name: String, _ value: FlightEvent.Fact.Value, _ json: inout JSONWriter) {
    json.object { json in
      json.member("key", name)
      json.key("value")
      json.object { json in
        switch value {
        case .text(let text): json.member("stringValue", text)
        // Integers of 64 bits are strings in JSON of Protocol Buffers.
        case .number(let number): json.member("intValue", String(number))
        }
      }
    }
  }

  private static func nanoseconds(_ milliseconds: Int64) -> String { String(FlightEvent.nanoseconds(milliseconds)) }

  /// The 16 bytes of a trace, from the session and its start: equal recordings give equal traces.
  private static func trace(of session: FlightEvent.Slice?, _ title: String) -> String {
    var words = "no session of \(title)"
    if let session, case .text(let id)? = session.facts.first?.value { words = "\(id) at \(session.startMS)" }
    let high = Digest.hash(words.utf8)
    return Hex.string(high | 1) + Hex.string(Digest.mix(high) | 1)
  }

  /// The 8 bytes of a span.
  private static func identifier(_ trace: String, _ seq: Int64) -> String {
    Hex.string(Digest.mix(Digest.hash(trace.utf8) &+ UInt64(bitPattern: seq)) | 1)
  }
}

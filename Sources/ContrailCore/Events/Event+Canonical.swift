import ContrailWire

// Fast paths for the most frequent log lines, in the exact form that the engine writes. ``Members`` reads every other
// form to the same event.

extension Input {
  /// Creates an input from a payload in exactly the form that the engine writes.
  ///
  /// Supports timer ticks and turbulence-only responses. Returns nil for any other form or kind, which ``Members``
  /// reads.
  ///
  /// - Complexity: O(*n*) in the bytes of the payload.
  init?(canonical kind: Kind, _ payload: UnsafeRawBufferPointer) {
    var scan = CanonicalScanner(payload)
    switch kind {
    case .clockTicked:
      guard scan.skip("\"timer\":\""), let scope = scan.areaScope(), scan.skip("\",\"due\":"),
        let due = scan.number(upTo: .max), scan.isAtEnd
      else { return nil }
      self = .clockTicked(scope: scope, due: due)
    case .responseReceived:
      guard let response = Response(canonical: &scan) else { return nil }
      self = .responseReceived(response)
    default: return nil
    }
  }
}

extension Input.Response {
  init?(canonical scan: inout CanonicalScanner) {
    guard scan.skip("\"request\":"), let request = scan.number(upTo: .max / 2), scan.skip(",\"status\":"),
      let status = scan.number(upTo: 999), scan.skip(",\"bytes\":"), let wireBytes = scan.number(upTo: .max)
    else { return nil }
    var headBytes: Int64?
    if scan.skip(",\"head\":") {
      guard let count = scan.number(upTo: .max / 2) else { return nil }
      headBytes = count
    }
    var sent: SentBytes?
    if scan.skip(",\"sent\":") {
      guard let total = scan.number(upTo: .max / 2), scan.skip(",\"sentHead\":"), let head = scan.number(upTo: .max / 2)
      else { return nil }
      sent = SentBytes(total: total, head: head)
    }
    var serverTimeMS: Int64?
    if scan.skip(",\"serverTime\":") {
      guard let time = scan.number(upTo: State.maximumMS) else { return nil }
      serverTimeMS = time
    }
    let form: Input.BodyForm? = scan.skip(",\"form\":\"compact\"") ? .compact : nil
    guard scan.skip(",\"body\":"), let answer = ObservationsAnswer(canonical: scan.rest) else { return nil }
    self.init(
      request: request, status: Int(status), wireBytes: wireBytes, headBytes: headBytes, sent: sent,
      serverTimeMS: serverTimeMS, form: form, body: .answer(answer))
  }
}

extension CanonicalScanner {
  fileprivate mutating func areaScope() -> ScopeID? {
    if skip("corridor") { return .corridor }
    return skip("viewport") ? .viewport : nil
  }
}

extension Kind {
  /// Creates the kind with the given name, without allocating a string for the most frequent kinds.
  package init?(_ name: UnsafeRawBufferPointer) {
    var scan = CanonicalScanner(name)
    let (kind, text): (Kind, StaticString) =
      switch name.count {
      case 12: (.clockTicked, "clock.ticked")
      case 13: (.fetchStarted, "fetch.started")
      default: (.responseReceived, "response.received")
      }
    if scan.skip(text), scan.isAtEnd {
      self = kind
    } else {
      self.init(rawValue: String(decoding: name, as: UTF8.self))
    }
  }
}

import ContrailWire

// The lines that most of a log consists of, in the spelling that the engine gives them. What is spelt in any other way is left to
// ``Members``, which reads it to the same event.

extension Input {
  /// Reads the payload of a timer's tick or of an answer in exactly the engine's spelling; nil for any other, and for other kinds.
  ///
  /// - Complexity: O(*n*) in the bytes of an answer with nothing but turbulence. Others with a body are for ``Members``.
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
    var serverTimeMS: Int64?
    if scan.skip(",\"serverTime\":") {
      guard let time = scan.number(upTo: State.maximumMS) else { return nil }
      serverTimeMS = time
    }
    guard scan.skip(",\"body\":"), let answer = ObservationsAnswer(canonical: scan.rest) else { return nil }
    self.init(
      request: request, status: Int(status), wireBytes: wireBytes, serverTimeMS: serverTimeMS, body: .answer(answer))
  }
}

extension CanonicalScanner {
  fileprivate mutating func areaScope() -> ScopeID? {
    if skip("corridor") { return .corridor }
    return skip("viewport") ? .viewport : nil
  }
}

extension Kind {
  /// The kind of a name's bytes; those that most lines are of without making a string.
  public init?(_ name: UnsafeRawBufferPointer) {
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

import ContrailCore
import ContrailReplay
import ContrailWire

/// Trouble that is put into a recorded flight.
package struct Trouble: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The link is down, and the device knows.
    case outage
    /// The process ends, and the application is launched again at once.
    case kill
    /// The server or the link spoils the answers.
    case fault(InjectedFault)
  }

  package var kind: Kind
  /// When it applies, in milliseconds after the start. A kill happens at the lower bound.
  package var span: Range<Int64>
  /// Whether only the first request in the span is affected.
  package var isOnce: Bool

  package init(_ kind: Kind, _ span: Range<Int64>, isOnce: Bool = false) {
    self.kind = kind
    self.span = span
    self.isOnce = isOnce
  }

  /// The trouble as on the command line: `--outage t+01:00:00..t+01:20:00`.
  package var name: String {
    let from = Words.offset(span.lowerBound)
    let times = isOnce || kind == .kill ? from : "\(from)..\(Words.offset(span.upperBound))"
    switch kind {
    case .outage: return "--outage \(times)"
    case .kill: return "--kill \(times)"
    case .fault(let fault): return "--fault \(fault.name)@\(times)"
    }
  }
}

/// The fault of an answer. The names are those of `contrail serve --fault`, with `timeout` for no answer at all.
package enum InjectedFault: Sendable, Hashable {
  /// The response is delayed.
  case latency(milliseconds: Int64)
  /// The connection closes without a response.
  case drop
  /// Nothing comes until the request times out.
  case timeout
  case status(Int, retryAfterSeconds: Int64?)
  /// 410 for each delta. Full requests succeed.
  case gone
  /// The body isn't JSON of the service.
  case garble
  /// The count of records is wrong.
  case count
  /// The response follows another watermark than the requested one.
  case follows
  /// The watermark is this many seconds in the future.
  case ahead(seconds: Int64)
  /// The response is this many seconds old.
  case stale(seconds: Int64)

  /// The time after which a request is given up, in milliseconds.
  static let timeoutMS: Int64 = 30_000

  /// The faults by name, and what the value of a fault with one is.
  private static let kinds: [(name: String, value: String?)] = [
    ("latency", "MS"), ("drop", nil), ("timeout", nil), ("status", "CODE"), ("retry-after", "S"), ("unauthorized", nil),
    ("badrequest", nil), ("gone", nil), ("garble", nil), ("count", nil), ("follows", nil), ("ahead", "S"),
    ("stale", "S"),
  ]

  /// The forms of ``init(_:)``, for messages.
  package static var forms: String {
    let forms = kinds.map { kind in kind.value.map { "\(kind.name)=\($0)" } ?? kind.name }
    return forms.dropLast().joined(separator: ", ") + " or " + (forms.last ?? "")
  }

  /// What the text of ``init(_:)`` can begin with, for completions.
  package static var names: [String] { kinds.map { $0.value == nil ? $0.name : $0.name + "=" } }

  /// Parses a fault such as `status=503`; nil if the text is invalid.
  package init?(_ text: String) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    func number(_ range: ClosedRange<Int64>) -> Int64? {
      sides.count == 2 ? Int64(sides[1]).flatMap { range.contains($0) ? $0 : nil } : nil
    }
    let plain: [String: InjectedFault] = [
      "drop": .drop, "timeout": .timeout, "gone": .gone, "garble": .garble, "count": .count, "follows": .follows,
      "unauthorized": .status(401, retryAfterSeconds: nil), "badrequest": .status(400, retryAfterSeconds: nil),
    ]
    if let fault = plain[text] {
      self = fault
      return
    }
    switch sides[0] {
    case "latency":
      guard let it = number(1...120_000) else { return nil }
      self = .latency(milliseconds: it)
    case "status":
      guard let it = number(400...599) else { return nil }
      self = .status(Int(it), retryAfterSeconds: nil)
    case "retry-after":
      guard let it = number(0...86_400) else { return nil }
      self = .status(503, retryAfterSeconds: it)
    case "ahead":
      guard let it = number(1...86_400) else { return nil }
      self = .ahead(seconds: it)
    case "stale":
      guard let it = number(1...86_400) else { return nil }
      self = .stale(seconds: it)
    default: return nil
    }
  }

  /// The text of ``init(_:)``.
  package var name: String {
    switch self {
    case .latency(let milliseconds): "latency=\(milliseconds)"
    case .drop: "drop"
    case .timeout: "timeout"
    case .status(_, let retryAfter?): "retry-after=\(retryAfter)"
    case .status(401, nil): "unauthorized"
    case .status(400, nil): "badrequest"
    case .status(let code, nil): "status=\(code)"
    case .gone: "gone"
    case .garble: "garble"
    case .count: "count"
    case .follows: "follows"
    case .ahead(let seconds): "ahead=\(seconds)"
    case .stale(let seconds): "stale=\(seconds)"
    }
  }

  /// Returns what comes of a response and how much later, or nil if the fault doesn't apply to it.
  func spoiling(
    _ response: Input.Response, isDelta: Bool, since: Int64?, durationMS: Int64
  ) -> (input: Input, durationMS: Int64)? {
    var response = response
    func failed(_ failure: TransportFailure, _ milliseconds: Int64) -> (input: Input, durationMS: Int64) {
      (.responseFailed(request: response.request, failure: failure, sent: response.sent), milliseconds)
    }
    switch self {
    case .latency(let milliseconds):
      let sum = durationMS + milliseconds
      if sum >= Self.timeoutMS { return failed(.timeout, Self.timeoutMS) }
      return (.responseReceived(response), sum)
    case .drop: return failed(.network, durationMS)
    case .timeout: return failed(.timeout, Self.timeoutMS)
    case .status(let status, let retryAfter):
      response.refuse(status)
      response.retryAfterSeconds = retryAfter
    case .gone:
      guard isDelta else { return nil }
      response.refuse(410)
    case .garble:
      response.refuse(200)
      response.body = .inline(Array(#""<html>""#.utf8))
    case .count, .follows, .ahead, .stale:
      guard case .answer(var answer) = response.body else { return nil }
      switch self {
      case .count: answer.held = HeldSum(count: answer.reports.count + 1_000_003, checksum: 0)
      case .follows: answer.follows = (since ?? answer.token) - 999
      case .ahead(let seconds): answer.token += seconds
      case .stale(let seconds): answer.token -= seconds
      default: break
      }
      response.body = .answer(answer)
    }
    return (.responseReceived(response), durationMS)
  }
}

extension Input.Response {
  /// Makes it a response without data.
  fileprivate mutating func refuse(_ status: Int) {
    self.status = status
    (etag, handle, form, body) = (nil, nil, nil, .none)
    wireBytes = min(wireBytes, 200)
    headBytes = nil
  }
}

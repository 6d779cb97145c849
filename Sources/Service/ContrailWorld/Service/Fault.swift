package import ContrailLog
import ContrailWire

/// A fault of the server, for tests.
package enum Fault: Hashable, Sendable {
  /// How a response is truncated.
  package enum Cut: String, Hashable, Sendable {
    /// With the full `Content-Length`. The connection closes after half of the body.
    case length
    /// In chunks. The connection closes after half of the body, without the last chunk.
    case chunked
    /// Half of the body as a complete response: valid HTTP, but invalid JSON.
    case body
  }

  /// The response is delayed.
  case latency(milliseconds: Int)
  /// The request is processed, and the connection closes without a response.
  case drop
  /// An error status, with `retryAfterSeconds` as `Retry-After`.
  case status(Int, retryAfterSeconds: Int?)
  /// 410 for each delta, as if its token were too old. Full requests succeed.
  case gone
  /// 404 for each request by handle, as if the area were forgotten.
  case forget
  case truncate(Cut)
  /// The connection closes after this many bytes of the body. `Content-Length` is that of the whole body.
  case breaks(afterBytes: Int)
  /// The body isn't JSON.
  case garble
  /// 200 with the page of a captive portal.
  case html
  /// A wrong checksum.
  case checksum
  /// A wrong record count.
  case count
  /// This many reports are missing, although count and checksum include them.
  case loses(Int)
  /// The response is this many seconds old.
  case stale(seconds: Int64)
  /// The token is this many seconds in the future.
  case ahead(seconds: Int64)
  /// The response follows a token other than the requested one.
  case follows
  /// 401 for any key.
  case unauthorized
  /// 400 for any request.
  case badRequest
  /// 200 with `"status":"failed"`, only for weather.
  case failed
}

extension Fault {
  /// The maximum delay in milliseconds: two minutes.
  static let maximumLatency = 120_000

  /// The faults without a value.
  private static let plain: [String: Fault] = [
    "drop": .drop, "gone": .gone, "forget": .forget, "garble": .garble, "html": .html, "checksum": .checksum,
    "count": .count, "follows": .follows, "unauthorized": .unauthorized, "badrequest": .badRequest, "failed": .failed,
  ]

  /// The names of the faults, for completion in a shell. A fault that needs a value has an equals sign after its name.
  package static let names =
    plain.keys.sorted() + [
      "ahead=", "break=", "latency=", "loses=", "stale=", "status=", "truncate", "truncate=body", "truncate=chunked",
    ]

  /// Parses comma-separated faults in the syntax of the header `Contrail-Fault`.
  ///
  /// The faults are `latency=MS`, `drop`, `status=503`, `retry-after=S` (with a status), `gone`, `forget`, `truncate`,
  /// `truncate=chunked`, `truncate=body`, `break=N`, `garble`, `html`, `checksum`, `count`, `loses=N`, `stale=S`,
  /// `ahead=S`, `follows`, `unauthorized`, `badrequest` and `failed`.
  ///
  /// - Throws: ``InputError`` if the text is invalid.
  package static func list(_ text: String) throws(InputError) -> [Fault] {
    var faults: [Fault] = []
    var retryAfter: Int?
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1).map { trimmed($0).lowercased() }
      guard let name = sides.first, !name.isEmpty else { continue }
      if name == "retry-after" {
        retryAfter = try number(sides, in: 0...86_400)
      } else {
        faults.append(try fault(name, sides))
      }
    }
    guard let retryAfter else { return faults }
    guard faults.contains(where: \.isStatus) else {
      throw InputError(.fault, in: text, "retry-after needs a status, as in status=503,retry-after=30")
    }
    return faults.map { fault in
      if case .status(let code, _) = fault { .status(code, retryAfterSeconds: retryAfter) } else { fault }
    }
  }

  private static func fault(_ name: String, _ sides: [String]) throws(InputError) -> Fault {
    switch name {
    case "latency": return .latency(milliseconds: try number(sides, in: 0...maximumLatency))
    case "status": return .status(try number(sides, in: 400...599), retryAfterSeconds: nil)
    case "loses": return .loses(try number(sides, in: 1...1_000_000))
    case "break": return .breaks(afterBytes: try number(sides, in: 0...1_000_000_000))
    case "stale": return .stale(seconds: Int64(try number(sides, in: 1...86_400)))
    case "ahead": return .ahead(seconds: Int64(try number(sides, in: 1...86_400)))
    case "truncate":
      guard let cut = sides.count == 1 ? .length : Cut(rawValue: sides[1]) else {
        throw InputError(.fault, in: sides[1], "invalid kind of truncation; use length, chunked or body")
      }
      return .truncate(cut)
    default: break
    }
    if let fault = plain[name], sides.count == 1 { return fault }
    // A bare status, as in "503 for 10m".
    if let code = Int(name), (400...599).contains(code), sides.count == 1 {
      return .status(code, retryAfterSeconds: nil)
    }
    throw InputError(
      .fault, in: sides.joined(separator: "="), "unknown fault; 'contrail serve --help' lists the faults")
  }

  private static func number(_ sides: [String], in range: ClosedRange<Int>) throws(InputError) -> Int {
    guard sides.count == 2, let value = Int(sides[1]), range.contains(value) else {
      throw InputError(
        .fault, in: sides.joined(separator: "="),
        "needs a number from \(range.lowerBound) to \(range.upperBound), as in \(sides[0])=\(range.lowerBound)")
    }
    return value
  }

  private var isStatus: Bool {
    if case .status = self { true } else { false }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return text[first...last]
  }
}

extension [Fault] {
  /// The delay of the response in milliseconds.
  var latencyMilliseconds: Int {
    reduce(0) { sum, fault in
      if case .latency(let milliseconds) = fault { Swift.min(sum + milliseconds, Fault.maximumLatency) } else { sum }
    }
  }

  /// The age of the response in seconds.
  var staleSeconds: Int64 {
    for case .stale(let seconds) in self { return seconds }
    return 0
  }

  /// How the response is truncated, if it is.
  var cut: Fault.Cut? {
    for case .truncate(let cut) in self { return cut }
    return breakBytes == nil ? nil : .length
  }

  /// The number of body bytes after which the response is truncated, or `nil` for half of the body.
  var breakBytes: Int? {
    for case .breaks(let bytes) in self { return bytes }
    return nil
  }

  /// The error to send instead of a response, with its `Retry-After`.
  var refusal: (error: ServiceError, retryAfterSeconds: Int?)? {
    for fault in self {
      switch fault {
      case .status(let status, let retryAfter):
        return (ServiceError(status: status, code: "FAULT_INJECTED", message: "a fault was asked for"), retryAfter)
      case .unauthorized:
        return (ServiceError(status: 401, code: "KEY_UNKNOWN", message: "a fault was asked for"), nil)
      case .badRequest:
        return (ServiceError(status: 400, code: "FAULT_INJECTED", message: "a fault was asked for"), nil)
      default: continue
      }
    }
    return nil
  }

  /// All faults except `loses`.
  var withoutLosses: [Fault] { filter { if case .loses = $0 { false } else { true } } }

  /// Applies the faults that change the contents of a response.
  func spoil(_ answer: inout ObservationsAnswer) {
    for fault in self {
      switch fault {
      case .checksum: answer.held?.checksum ^= 1
      case .count: answer.held?.count += 1
      case .loses(let count): answer.reports.removeLast(Swift.min(count, answer.reports.count))
      case .ahead(let seconds): answer.token += seconds
      case .follows: answer.follows = Swift.max((answer.follows ?? answer.token) - 1, 0)
      default: continue
      }
    }
  }
}

#if Online
  /// A way in which the server misbehaves.
  public enum Fault: Hashable, Sendable {
    /// How an answer is cut short.
    public enum Cut: String, Hashable, Sendable {
      /// `Content-Length` says how long the body is; the connection closes after half of it.
      case length
      /// Sent in chunks; the connection closes after half of the body, without the last chunk.
      case chunked
      /// Half of the body as if it were all: HTTP is in order, the JSON is not.
      case body
    }

    /// The answer waits so many milliseconds.
    case latency(milliseconds: Int)
    /// The request is carried out, and the connection closes without an answer.
    case drop
    /// An error status; `retryAfterSeconds` is sent as `Retry-After`.
    case status(Int, retryAfterSeconds: Int?)
    /// 410 to each delta, as if its token were too old; full answers are given.
    case gone
    case truncate(Cut)
    /// The connection closes after so many bytes of the body, as links do; `Content-Length` says how long it is.
    case breaks(afterBytes: Int)
    /// The body is not JSON.
    case garble
    /// 200 with the page of a captive portal.
    case html
    /// A wrong checksum.
    case checksum
    /// A wrong count.
    case count
    /// The answer lacks so many reports that count and checksum include.
    case loses(Int)
    /// The answer is as of so many seconds ago.
    case stale(seconds: Int64)
    /// The answer's token lies so many seconds ahead.
    case ahead(seconds: Int64)
    /// The answer says that it follows another token than the one asked for.
    case follows
    /// 401, whatever the key.
    case unauthorized
    /// 400, whatever the request.
    case badRequest
    /// 200 with `"status":"failed"`; of weather alone.
    case failed
  }

  /// Why text names no fault.
  public struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that was not understood.
    public let text: String
    /// What was expected.
    public let reason: String

    public var description: String { "'\(text)': \(reason)" }
  }

  extension Fault {
    /// The longest wait in milliseconds: two minutes.
    static let maximumLatency = 120_000

    /// Reads faults as the header `Contrail-Fault` names them, separated by commas:
    /// `latency=MS`, `drop`, `status=503`, `retry-after=S` (with a status), `gone`, `truncate`, `truncate=chunked`, `truncate=body`,
    /// `break=N`, `garble`, `html`, `checksum`, `count`, `loses=N`, `stale=S`, `ahead=S`, `follows`, `unauthorized`, `badrequest`, `failed`.
    public static func list(_ text: String) throws(FaultSyntaxError) -> [Fault] {
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
        throw FaultSyntaxError(text: text, reason: "retry-after goes with a status")
      }
      return faults.map { fault in
        if case .status(let code, _) = fault { .status(code, retryAfterSeconds: retryAfter) } else { fault }
      }
    }

    private static func fault(_ name: String, _ sides: [String]) throws(FaultSyntaxError) -> Fault {
      switch name {
      case "latency": return .latency(milliseconds: try number(sides, in: 0...maximumLatency))
      case "status": return .status(try number(sides, in: 400...599), retryAfterSeconds: nil)
      case "loses": return .loses(try number(sides, in: 1...1_000_000))
      case "break": return .breaks(afterBytes: try number(sides, in: 0...1_000_000_000))
      case "stale": return .stale(seconds: Int64(try number(sides, in: 1...86_400)))
      case "ahead": return .ahead(seconds: Int64(try number(sides, in: 1...86_400)))
      case "truncate":
        guard let cut = sides.count == 1 ? .length : Cut(rawValue: sides[1]) else {
          throw FaultSyntaxError(text: sides[1], reason: "truncate is length, chunked or body")
        }
        return .truncate(cut)
      default: break
      }
      let plain: [String: Fault] = [
        "drop": .drop, "gone": .gone, "garble": .garble, "html": .html, "checksum": .checksum, "count": .count,
        "follows": .follows, "unauthorized": .unauthorized, "badrequest": .badRequest,
        "failed": .failed,
      ]
      if let fault = plain[name], sides.count == 1 { return fault }
      // As in "503 for 10m".
      if let code = Int(name), (400...599).contains(code), sides.count == 1 {
        return .status(code, retryAfterSeconds: nil)
      }
      throw FaultSyntaxError(text: sides.joined(separator: "="), reason: "no such fault")
    }

    private static func number(_ sides: [String], in range: ClosedRange<Int>) throws(FaultSyntaxError) -> Int {
      guard sides.count == 2, let value = Int(sides[1]), range.contains(value) else {
        throw FaultSyntaxError(
          text: sides.joined(separator: "="),
          reason:
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
#endif

public import ContrailCore

/// What a recording holds, counted.
public struct Statistics: Sendable, Equatable {
  /// Lines that are inputs.
  public private(set) var inputs = 0
  /// Lines that are decisions.
  public private(set) var decisions = 0
  /// Lines that are neither.
  public private(set) var marks = 0
  /// Requests for everything.
  public private(set) var fulls = 0
  /// Requests for what is new.
  public private(set) var deltas = 0
  /// Uploads of the aircraft's own reports, each attempt.
  public private(set) var uploads = 0
  /// Bytes of answers on the wire.
  public private(set) var wireBytes: Int64 = 0
  /// When the recording begins, in milliseconds since 1970; nil for an empty one.
  public private(set) var firstAt: Int64?
  /// When its last line was written.
  public private(set) var lastAt: Int64 = 0
  /// What was asked and what came of it, by scope and rule.
  public private(set) var requests: [Heading: Tally] = [:]

  private var open: [Int64: Heading] = [:]

  public init() {}

  /// Inputs and decisions.
  public var events: Int { inputs + decisions }
  /// From the first line to the last, in milliseconds.
  public var spanMS: Int64 { firstAt.map { lastAt - $0 } ?? 0 }

  /// What requests are counted under.
  public struct Heading: Hashable, Sendable, Comparable {
    public var scope: ScopeID
    public var rule: Rule
    /// Nil for an upload.
    public var mode: FetchMode?
    /// Nil for an upload.
    public var reason: Reason?

    private var order: (ScopeID, Int, String, String) {
      (scope, Rule.allCases.firstIndex(of: rule) ?? 0, modeName, reasonName)
    }

    var modeName: String { mode?.rawValue ?? "upload" }
    var reasonName: String { reason?.rawValue ?? "tracked" }

    public static func < (a: Heading, b: Heading) -> Bool { a.order < b.order }
  }

  /// What was counted.
  public struct Tally: Hashable, Sendable {
    public var requests = 0
    /// Answers, whatever they say.
    public var answers = 0
    /// Requests that failed without an answer.
    public var failures = 0
    public var wireBytes: Int64 = 0
  }

  mutating func count(_ record: Record) {
    if firstAt == nil { firstAt = record.at }
    lastAt = max(lastAt, record.at)
    switch record.event {
    case .input(let input):
      inputs += 1
      count(input)
    case .decision(let decision):
      decisions += 1
      switch decision {
      case .fetchStarted(let started): count(started)
      case .uploadStarted(let started):
        uploads += 1
        begin(started.request, Heading(scope: .outbox, rule: .upload))
      case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched: break
      }
    case .mark: marks += 1
    }
  }

  private mutating func count(_ input: Input) {
    switch input {
    case .sessionStarted: open.removeAll()
    case .responseReceived(let response):
      wireBytes = Self.sum(wireBytes, response.wireBytes)
      guard let heading = open.removeValue(forKey: response.request) else { return }
      var tally = requests[heading] ?? Tally()
      tally.answers += 1
      tally.wireBytes = Self.sum(tally.wireBytes, response.wireBytes)
      requests[heading] = tally
    case .responseFailed(let request, _):
      guard let heading = open.removeValue(forKey: request) else { return }
      requests[heading, default: Tally()].failures += 1
    default: break
    }
  }

  /// A log may claim any number of bytes; sums stop at the largest there is.
  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOver) = a.addingReportingOverflow(b)
    return isOver ? (a < 0 ? .min : .max) : sum
  }

  private mutating func count(_ started: Decision.FetchStarted) {
    switch started.mode {
    case .full: fulls += 1
    case .delta: deltas += 1
    }
    let heading = Heading(scope: started.scope, rule: started.rule, mode: started.mode, reason: started.reason)
    begin(started.request, heading)
  }

  private mutating func begin(_ request: Int64, _ heading: Heading) {
    open[request] = heading
    requests[heading, default: Tally()].requests += 1
  }
}

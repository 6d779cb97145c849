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
  public var requests: [Heading: Tally] { indices.mapValues { tallies[$0] } }

  private var indices: [Heading: Int] = [:]
  private var tallies: [Tally] = []
  /// By request under way, the index of its tally.
  private var open: [Int64: Int] = [:]

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

    /// Rule and reason are left out: there are few for a scope, and the hash of each would be that of its name.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(scope)
      hasher.combine(mode == .full)
    }
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

  mutating func count(_ input: Input, at time: Int64) {
    see(time)
    inputs += 1
    switch input {
    case .sessionStarted: open.removeAll()
    case .responseReceived(let response):
      wireBytes = Self.sum(wireBytes, response.wireBytes)
      guard let index = open.removeValue(forKey: response.request) else { return }
      tallies[index].answers += 1
      tallies[index].wireBytes = Self.sum(tallies[index].wireBytes, response.wireBytes)
    case .responseFailed(let request, _):
      guard let index = open.removeValue(forKey: request) else { return }
      tallies[index].failures += 1
    default: break
    }
  }

  mutating func count(_ decision: Decision, at time: Int64) {
    see(time)
    decisions += 1
    switch decision {
    case .fetchStarted(let started): count(started)
    case .uploadStarted(let started):
      uploads += 1
      begin(started.request, Heading(scope: .outbox, rule: .upload))
    case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched: break
    }
  }

  mutating func countMark(at time: Int64) {
    see(time)
    marks += 1
  }

  private mutating func see(_ time: Int64) {
    if firstAt == nil { firstAt = time }
    lastAt = max(lastAt, time)
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
    let index = indices[heading] ?? add(heading)
    open[request] = index
    tallies[index].requests += 1
  }

  private mutating func add(_ heading: Heading) -> Int {
    indices[heading] = tallies.count
    tallies.append(Tally())
    return tallies.count - 1
  }
}

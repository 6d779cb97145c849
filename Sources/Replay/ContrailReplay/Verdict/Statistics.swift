package import ContrailCore

/// Counts of the contents of a recording.
package struct Statistics: Sendable, Equatable {
  /// The number of inputs.
  package private(set) var inputs = 0
  /// The number of decisions.
  package private(set) var decisions = 0
  /// The number of other lines.
  package private(set) var marks = 0
  /// The number of full requests.
  package private(set) var fulls = 0
  /// The number of delta requests.
  package private(set) var deltas = 0
  /// The number of upload attempts of the aircraft's own reports.
  package private(set) var uploads = 0
  /// The bytes of all requests and responses in both directions, as ``ByteLedger`` estimates them.
  package private(set) var estimatedBytes: Int64 = 0
  /// The time of the first line in milliseconds since 1970, or `nil` for an empty recording.
  package private(set) var firstAt: Int64?
  /// The time of the last line in milliseconds since 1970.
  package private(set) var lastAt: Int64 = 0
  /// The number of requests and results by scope and rule.
  package var requests: [Heading: Tally] { indices.mapValues { tallies[$0] } }

  private var indices: [Heading: Int] = [:]
  private var tallies: [Tally] = []
  /// The headings of the first tallies, which are found faster one by one than by their hash.
  private var firstHeadings: [Heading] = []
  /// The request that started last, if it is in flight: usually the next one to be answered.
  private var latest: OpenRequest?
  /// The tally index of each other request in flight.
  private var open: [Int64: Int] = [:]

  private struct OpenRequest: Sendable, Equatable {
    var request: Int64
    var index: Int
  }

  package init() {}

  /// The number of inputs and decisions.
  package var events: Int { inputs + decisions }
  /// The time from the first line to the last in milliseconds.
  package var spanMS: Int64 { firstAt.map { lastAt - $0 } ?? 0 }

  /// The properties by which requests are grouped.
  package struct Heading: Hashable, Sendable, Comparable {
    package var scope: ScopeID
    package var rule: Rule
    /// The mode, or `nil` for an upload.
    package var mode: FetchMode?

    private var order: (ScopeID, Int, String) {
      (scope, Rule.allCases.firstIndex(of: rule) ?? 0, modeName)
    }

    var modeName: String { mode?.rawValue ?? "upload" }

    package static func < (a: Heading, b: Heading) -> Bool { a.order < b.order }

    /// Omits the rule: a scope has few of them, and hashing it would hash its name.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(scope)
      hasher.combine(mode == .full)
    }
  }

  /// The counts of one group of requests.
  package struct Tally: Hashable, Sendable {
    package var requests = 0
    /// Responses with any status.
    package var answers = 0
    /// Requests that failed without a response.
    package var failures = 0
    /// The bytes in both directions.
    package var estimatedBytes: Int64 = 0
  }

  mutating func count(_ input: Input, at time: Int64) {
    see(time)
    inputs += 1
    switch input {
    case .sessionStarted:
      latest = nil
      open.removeAll()
    case .responseReceived(let response):
      let bytes = Self.sum(response.wireBytes, response.sent?.total ?? 0)
      estimatedBytes = Self.sum(estimatedBytes, bytes)
      guard let index = takeIndex(of: response.request) else { return }
      tallies[index].answers += 1
      tallies[index].estimatedBytes = Self.sum(tallies[index].estimatedBytes, bytes)
    case .responseFailed(let request, _, let sent):
      guard let index = takeIndex(of: request) else { return }
      estimatedBytes = Self.sum(estimatedBytes, sent?.total ?? 0)
      tallies[index].estimatedBytes = Self.sum(tallies[index].estimatedBytes, sent?.total ?? 0)
      tallies[index].failures += 1
    case .weatherReceived(let received): estimatedBytes = Self.sum(estimatedBytes, received.wireBytes)
    case .airportsDownloaded(let downloaded): estimatedBytes = Self.sum(estimatedBytes, downloaded.wireBytes)
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
    case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched, .airportsRequested,
      .savingChanged:
      break
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

  /// Adds two numbers and stops at the limits. A log may contain any byte count.
  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOver) = a.addingReportingOverflow(b)
    return isOver ? (a < 0 ? .min : .max) : sum
  }

  private mutating func count(_ started: Decision.FetchStarted) {
    switch started.mode {
    case .full: fulls += 1
    // Both fetch what changes, and not all.
    case .delta, .repair: deltas += 1
    }
    let heading = Heading(scope: started.scope, rule: started.rule, mode: started.mode)
    begin(started.request, heading)
  }

  private mutating func begin(_ request: Int64, _ heading: Heading) {
    let index = index(of: heading) ?? add(heading)
    if let latest, latest.request != request { open[latest.request] = latest.index }
    if !open.isEmpty { open[request] = nil }
    latest = OpenRequest(request: request, index: index)
    tallies[index].requests += 1
  }

  /// Removes a request in flight and returns its tally index.
  private mutating func takeIndex(of request: Int64) -> Int? {
    if let latest, latest.request == request {
      self.latest = nil
      return latest.index
    }
    return open.isEmpty ? nil : open.removeValue(forKey: request)
  }

  private static let firstCount = 16

  private func index(of heading: Heading) -> Int? {
    for index in firstHeadings.indices where firstHeadings[index] == heading { return index }
    return tallies.count > Self.firstCount ? indices[heading] : nil
  }

  private mutating func add(_ heading: Heading) -> Int {
    if tallies.count < Self.firstCount { firstHeadings.append(heading) }
    indices[heading] = tallies.count
    tallies.append(Tally())
    return tallies.count - 1
  }
}

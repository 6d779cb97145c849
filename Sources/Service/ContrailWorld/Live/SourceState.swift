import ContrailWire

/// The state of a source, from the log: its last request, answer and failure, and the condition of the next request.
package struct SourceState: Hashable, Sendable {
  /// The validators of the newest answer.
  package var entityTag: String?
  package var modified: String?
  /// The digest of the newest answer.
  package var digest: UInt64?
  /// The time of the last request in milliseconds since 1970, however it ended.
  package var askedAt: Int64?
  /// The time of the last answer in milliseconds since 1970, also of one without changes.
  package var answeredAt: Int64?
  /// The time of the last answer with new contents in milliseconds since 1970.
  package var changedAt: Int64?
  /// The time of the newest record in seconds since 1970; of advisories, that of the newest answer.
  package var newestRecord: Int64?
  /// The kind of the records of the newest answer.
  package var kind: DayKind?
  /// The number of failures since the last answer.
  package var failures = 0
  /// The reason of the last failure since the last answer.
  package var failure: String?
  /// The time before which the feed demanded not to be asked, in milliseconds since 1970.
  package var notBefore: Int64?
  /// The number of requests that the feed answered on a day, with whatever status.
  package var requestsOfDay: Int64 = 0
  /// That day, counted from 1970 in UTC.
  package var day: Int64 = 0
  /// The total numbers of answers, failures, records, and skipped records.
  package var answers: Int64 = 0
  package var failuresInAll: Int64 = 0
  package var records: Int64 = 0
  package var skipped: Int64 = 0
  /// The number of answers with as many records as the source gives at most.
  package var fullAnswers: Int64 = 0
  /// The time of the last of these in milliseconds since 1970.
  package var fullAt: Int64?
  /// The number of skipped records by reason.
  package var skippedByReason: [DayOddity: Int64] = [:]

  package init() {}

  /// What operators are told of a source whose newest answer is full.
  package static let fullWarning = "the answer is full: records may be missing"

  /// Whether the newest contents have as many records as the source gives at most.
  package var isFull: Bool { fullAt != nil && fullAt == changedAt }

  /// The longest time between two requests after failures, in seconds.
  static let longestBackOffSeconds: Int64 = 1800
  /// The longest demand of a feed that is obeyed, in seconds.
  static let longestRetryAfterSeconds: Int64 = 86_400

  /// The condition of a source, as operators see it.
  package enum Condition: String, CaseIterable, Hashable, Sendable {
    /// It hasn't answered yet.
    case waiting
    /// Its newest answer is recent.
    case current
    /// Its newest answer, or its newest record, is too old to be called current.
    case stale
    /// Its last request failed, and its newest answer is still recent.
    case failing
  }

  /// Returns the condition at a time in milliseconds since 1970.
  package func condition(of source: FeedSource, at now: Int64) -> Condition {
    guard let answeredAt else { return failures > 0 ? .failing : .waiting }
    if now - answeredAt > source.staleSeconds * 1000 { return .stale }
    // The newest record tells whether the feed repeats yesterday's file, or has no aircraft any more.
    if let newestRecord {
      if now / 1000 - newestRecord > max(source.staleSeconds, Self.longestAge(of: source.kind ?? kind)) {
        return .stale
      }
    } else if (source.kind ?? kind) == .states {
      return .stale
    }
    return failures > 0 ? .failing : .current
  }

  /// The age of the newest record in seconds up to which a source is current.
  ///
  /// | kind | seconds | reason |
  /// |---|---|---|
  /// | PIREPs | two hours | they come in seldom |
  /// | aircraft | five minutes | they aren't served for longer |
  /// | advisories | eight hours | G-AIRMETs are issued every six hours, SIGMETs for at most six |
  private static func longestAge(of kind: DayKind?) -> Int64 {
    switch kind {
    case .states: TrafficPosition.lifetimeSeconds
    case .sigmets: 28_800
    case .pireps, nil: 7200
    }
  }

  /// Counts a request that the feed answered.
  mutating func countRequest(at now: Int64) {
    let today = now / 86_400_000
    if day != today { (day, requestsOfDay) = (today, 0) }
    requestsOfDay += 1
  }

  /// Returns the credits that were used on the day of a time in milliseconds since 1970; nil without a budget.
  package func creditsUsed(of source: FeedSource, at now: Int64) -> Int64? {
    guard let budget = source.budget else { return nil }
    return day == now / 86_400_000 ? requestsOfDay * budget.creditsPerRequest : 0
  }

  /// Returns the time of the next request in milliseconds since 1970.
  ///
  /// After failures, the interval doubles up to half an hour. A demand of the feed is obeyed for up to a day.
  package func dueAt(_ source: FeedSource) -> Int64 {
    guard let askedAt else { return Int64.min }
    let interval = source.intervalSeconds
    let delay =
      failures == 0 ? interval : min(interval << Int64(min(failures, 12)), max(Self.longestBackOffSeconds, interval))
    return max(askedAt + delay * 1000, notBefore ?? Int64.min)
  }
}

/// Decides which sources are asked, and when: a value that returns requests, and knows no clock.
///
/// What has happened stands in the state, which is the fold of the log. Therefore, a restart neither asks too early nor forgets a
/// back-off.
package struct Poller: Sendable {
  /// A request to a source.
  package struct Request: Hashable, Sendable {
    package var source: FeedSource
    package var entityTag: String?
    package var modified: String?
    /// The age of the oldest record that is asked for, in hours.
    package var hours: Int64
    package var timeoutSeconds: Int
    package var maximumBytes: Int
  }

  /// What became of a request.
  package enum Outcome: Sendable {
    /// The feed answered. The body is as received, without its content encoding.
    /// `creditsLeft` is the rest of the budget of the day, if the feed says it.
    case answer(
      status: Int, entityTag: String?, modified: String?, retryAfterSeconds: Int64?, creditsLeft: Int64? = nil,
      body: [UInt8])
    /// There is no answer.
    case failure(String)
  }

  package private(set) var sources: [FeedSource]
  private let reader: FeedReader
  private var isUnderWay: Set<String> = []
  /// Where a line couldn't be stored: the time before which the source isn't asked again.
  private var isRefused: [String: Int64] = [:]

  /// - Parameter sources: The sources. Sources with the same name are numbered.
  package init(sources: [FeedSource], reader: FeedReader) {
    self.sources = []
    self.reader = reader
    add(sources)
  }

  /// Replaces the sources: adds those at new locations, and removes those whose location is missing. The others keep their names.
  ///
  /// - Returns: The new sources with their names.
  package mutating func update(_ named: [FeedSource]) -> [FeedSource] {
    let locations = Set(named.map(\.location))
    sources.removeAll { !locations.contains($0.location) }
    let known = Set(sources.map(\.location))
    let first = sources.count
    add(named.filter { !known.contains($0.location) })
    return Array(sources[first...])
  }

  private mutating func add(_ added: [FeedSource]) {
    var names = Set(sources.map(\.name))
    for var source in added {
      let name = source.name
      var number = 1
      while !names.insert(source.name).inserted {
        number += 1
        source.name = "\(name).\(number)"
      }
      sources.append(source)
    }
  }

  /// Returns the requests that are due, and the time of the next one in milliseconds since 1970.
  package mutating func due(_ states: [String: SourceState], at now: Int64) -> (requests: [Request], next: Int64?) {
    var requests: [Request] = []
    var next: Int64?
    for source in sources where !isUnderWay.contains(source.name) {
      let state = states[source.name] ?? SourceState()
      let due = max(state.dueAt(source), isRefused[source.name] ?? Int64.min)
      guard due <= now else {
        next = min(next ?? due, due)
        continue
      }
      isUnderWay.insert(source.name)
      requests.append(Self.request(source, state, at: now))
    }
    return (requests, next)
  }

  private static func request(_ source: FeedSource, _ state: SourceState, at now: Int64) -> Request {
    // After an outage, older records are asked for too, up to the longest history.
    let gap = state.answeredAt.map { (now - $0) / 3_600_000 } ?? 5
    return Request(
      source: source, entityTag: state.entityTag, modified: state.modified, hours: min(max(gap + 1, 1), 6),
      timeoutSeconds: 30, maximumBytes: FeedReader.maximumBytes)
  }

  /// Ends a request, and returns the line to store with the records of an answer.
  ///
  /// - Complexity: O(*n*) in the size of the body.
  package func result(
    _ outcome: Outcome, of request: Request, _ state: SourceState
  ) -> (line: ServiceLine, records: FeedRecords?) {
    let name = request.source.name
    switch outcome {
    case .failure(let reason): return (.failed(.init(source: name, reason: reason)), nil)
    case .answer(304, _, _, _, _, _) where request.entityTag != nil || request.modified != nil:
      return (.unchanged(source: name, status: 304), nil)
    case .answer(204, _, _, _, _, _): return (.unchanged(source: name, status: 204), nil)
    case .answer(200, let entityTag, let modified, _, _, let body):
      do throws(FeedError) {
        // The log holds text, and the fold reads what the log holds.
        let text = String(decoding: try FeedReader.unpacked(body), as: UTF8.self)
        if state.digest == Digest.hash(text.utf8) { return (.unchanged(source: name, status: 200), nil) }
        let records = try reader.read(Array(text.utf8), from: name, expecting: request.source.kind)
        let answer = ServiceLine.FeedAnswer(
          source: name, status: 200, entityTag: entityTag, modified: modified, body: text)
        return (.answered(answer), records)
      } catch {
        return (.failed(.init(source: name, status: 200, reason: error.description)), nil)
      }
    case .answer(let status, _, _, let retryAfter, _, _):
      return (
        .failed(
          .init(
            source: name, status: status, reason: "the feed answered with the status \(status)",
            retryAfterSeconds: retryAfter.map { min(max($0, 0), SourceState.longestRetryAfterSeconds) })), nil
      )
    }
  }

  /// Ends a request.
  ///
  /// - Parameter retryAt: The time before which the source isn't asked again, if the line couldn't be stored.
  package mutating func end(_ request: Request, retryAt: Int64? = nil) {
    isUnderWay.remove(request.source.name)
    isRefused[request.source.name] = retryAt
  }
}

import ContrailHTTP
import ContrailWire
package import ContrailWorld
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What operators ask: `/healthz`, `/readyz`, `/status` and `/metrics`. None needs a key, and none contains a secret.
///
/// These paths aren't part of the protocol. A proxy in front of the service shouldn't pass them on.
package final class Operations: Sendable {
  private struct Answered: Hashable {
    var route: String
    var status: Int
  }

  private struct Counters {
    var answers: [Answered: Int64] = [:]
    var bytes: [String: Int64] = [:]
    /// The number of answers within each of ``bounds``, and of all.
    var buckets = [Int64](repeating: 0, count: bounds.count + 1)
    var seconds = 0.0
    /// The answers with records by their kind.
    var kinds: [AnswerKind: Int64] = [:]
    /// The keys and the handles that were seen.
    var keys = SeenLately()
    var handles = SeenLately()
  }

  /// The requests of a route that are being answered.
  private struct Progress {
    var requests = 0
    /// Those whose body is being received.
    var bodies = 0
  }

  /// The upper bounds of the histogram of latencies, in seconds.
  private static let bounds = [0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

  private let live: LiveService?
  private let currentSources: @Sendable () async -> [FeedSource]
  private let clock: @Sendable () -> Int64
  private let version: String
  private let counters = Lock(Counters())
  private let progress = Lock([String: Progress]())
  /// Returns the number of connections and of unsent bytes.
  private let connections = Lock<@Sendable () -> (count: Int, unsentBytes: Int)>({ (0, 0) })
  /// Returns the number of requests that are held.
  private let holds = Lock<@Sendable () async -> Int>({ 0 })

  package convenience init(
    live: LiveService?, sources: [FeedSource], version: String, clock: @escaping @Sendable () -> Int64
  ) {
    self.init(live: live, following: { sources }, version: version, clock: clock)
  }

  /// - Parameter sources: Returns the sources of now.
  package init(
    live: LiveService?, following sources: @escaping @Sendable () async -> [FeedSource], version: String,
    clock: @escaping @Sendable () -> Int64
  ) {
    (self.live, currentSources, self.version, self.clock) = (live, sources, version, clock)
  }

  func observe(connections: @escaping @Sendable () -> (count: Int, unsentBytes: Int)) {
    self.connections.withLock { $0 = connections }
  }

  /// - Parameter holds: Returns the number of requests that are held.
  func observe(holds: @escaping @Sendable () async -> Int) { self.holds.withLock { $0 = holds } }

  // MARK: Counting

  /// Counts requests whose answer is begun, or complete if the number is negative.
  func add(requests count: Int, route: String) {
    progress.withLock { $0[route, default: Progress()].requests += count }
  }

  /// Counts bodies of requests that are being received, or aren't any more if the number is negative.
  func add(bodies count: Int, route: String) {
    progress.withLock { $0[route, default: Progress()].bodies += count }
  }

  func count(route: String, status: Int, bytes: Int, seconds: Double) {
    counters.withLock { counters in
      counters.answers[Answered(route: route, status: status), default: 0] += 1
      counters.bytes[route, default: 0] += Int64(bytes)
      counters.seconds += seconds
      counters.buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
  }

  /// Counts an answer with records, and who got it.
  ///
  /// - Parameters:
  ///   - key: The key or token of the request. Only a digest is remembered.
  ///   - handles: The handles of the areas, divided by commas.
  func count(_ kind: AnswerKind, key: String?, handles: Substring) {
    let now = clock()
    counters.withLock { counters in
      counters.kinds[kind, default: 0] += 1
      if let key { counters.keys.note(Digest.hash(key.utf8), at: now) }
      for handle in handles.split(separator: ",") { counters.handles.note(Digest.hash(handle.utf8), at: now) }
    }
  }

  /// Counts a part of an answer that goes on.
  func count(part bytes: Int, route: String) {
    counters.withLock { counters in
      counters.kinds[.held, default: 0] += 1
      counters.bytes[route, default: 0] += Int64(bytes)
    }
  }

  // MARK: Answering

  /// Returns the answer to an operator's request; nil if it is another one.
  func answer(to path: String) async -> Response? {
    switch path {
    case "/healthz": return Self.text("ok\n")
    case "/readyz":
      if let shared = live?.shared, shared.isAgeing {
        return Self.text(
          "the database hasn't answered for \(shared.silence / 1000) s; answers have the data of then\n",
          status: .serviceUnavailable)
      }
      let waiting = await waiting()
      return waiting.isEmpty
        ? Self.text("ready\n")
        : Self.text("waiting for the first answer of \(waiting.joined(separator: ", "))\n", status: .serviceUnavailable)
    case "/metrics": return Self.text(await metrics(), type: "text/plain; version=0.0.4; charset=utf-8")
    case "/status": return Self.text(await status(), type: "application/json")
    default: return nil
    }
  }

  private static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
  ) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = type
    headers[.cacheControl] = "no-store"
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Returns the names of the sources, if none has answered yet.
  private func waiting() async -> [String] {
    guard let status = await live?.observations.status else { return [] }
    let sources = await currentSources()
    let isAnswered = sources.contains { status.sources[$0.name]?.answeredAt != nil }
    return isAnswered ? [] : sources.map(\.name)
  }

  func status() async -> String {
    let now = clock()
    let status = await live?.observations.status
    let sources = await currentSources()
    var json = JSONWriter()
    json.object { json in
      json.key("version")
      json.value(version)
      json.key("time")
      json.value(now / 1000)
      guard let status else { return }
      json.key("sources")
      json.array { json in
        for source in sources {
          let state = status.sources[source.name] ?? SourceState()
          json.object { json in
            json.key("name")
            json.value(source.name)
            json.key("condition")
            json.value(state.condition(of: source, at: now).rawValue)
            json.key("intervalSeconds")
            json.value(source.intervalSeconds)
            json.key("limits")
            json.value(source.limits)
            json.key("licence")
            json.value(source.licence)
            let numbers: [(String, Int64?)] = [
              ("ageSeconds", state.answeredAt.map { (now - $0) / 1000 }),
              ("newestRecordAgeSeconds", state.newestRecord.map { now / 1000 - $0 }),
              ("nextRequestInSeconds", state.askedAt.map { _ in max((state.dueAt(source) - now) / 1000, 0) }),
              ("answers", state.answers), ("failures", state.failuresInAll), ("records", state.records),
              ("skipped", state.skipped), ("fullAnswers", source.maximumRecords.map { _ in state.fullAnswers }),
              ("creditsUsed", state.creditsUsed(of: source, at: now)),
              ("creditsLeft", status.creditsLeft(of: source, at: now)),
            ]
            for (name, value) in numbers {
              guard let value else { continue }
              json.key(named: name)
              json.value(value)
            }
            for (name, text) in [
              ("failure", state.failure), ("warning", state.isFull ? SourceState.fullWarning : nil),
            ] {
              guard let text else { continue }
              json.key(named: name)
              json.value(text)
            }
          }
        }
      }
      json.key("held")
      json.object { json in
        for (name, count) in status.held {
          json.key(named: name)
          json.value(count)
        }
      }
      json.key("reports")
      json.object { json in
        json.key("accepted")
        json.value(status.accepted)
        for (reason, count) in status.quarantined {
          json.key(named: "quarantined-" + reason)
          json.value(count)
        }
      }
      json.key("areas")
      json.value(status.areas)
      if let shared = live?.shared {
        json.key("database")
        json.object { json in
          json.key("condition")
          json.value(shared.isAgeing ? "away" : "current")
          json.key("silenceSeconds")
          json.value(shared.silence / 1000)
          json.key("position")
          json.value(status.lastSeq + 1)
          json.key("polls")
          json.value(shared.isPoller ? 1 : 0)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  func metrics() async -> String {
    let now = clock()
    let (connections, holds) = (self.connections.withLock { $0 }, self.holds.withLock { $0 })
    let load = connections()
    // Before anything is waited for: what waits for the log is the queue.
    let progress = self.progress.withLock { $0 }
    let uploads = progress["reports"] ?? Progress()
    let (counters, seen) = self.counters.withLock { counters in
      (counters, (keys: counters.keys.count(at: now), handles: counters.handles.count(at: now)))
    }
    var text = ""
    func metric(_ name: String, _ type: String, _ help: String, _ values: [(String, String)]) {
      guard !values.isEmpty else { return }
      text += "# HELP contrail_\(name) \(help)\n# TYPE contrail_\(name) \(type)\n"
      for (labels, value) in values { text += "contrail_\(name)\(labels) \(value)\n" }
    }
    metric(
      "requests_total", "counter", "Answers by route and status.",
      counters.answers.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        .map { ("{route=\"\($0.key.route)\",status=\"\($0.key.status)\"}", "\($0.value)") })
    metric(
      "response_bytes_total", "counter", "Bytes of the bodies of answers.",
      counters.bytes.sorted { $0.key < $1.key }.map { ("{route=\"\($0.key)\"}", "\($0.value)") })
    metric(
      "answers_total", "counter", "Answers with records by kind.",
      AnswerKind.allCases.map { ("{kind=\"\($0.rawValue)\"}", "\(counters.kinds[$0] ?? 0)") })
    metric(
      "keys_seen", "gauge", "Keys that asked for records in the last ten minutes.", [("", "\(seen.keys)")])
    metric(
      "areas_seen", "gauge", "Areas with handles that were asked for in the last ten minutes.",
      [("", "\(seen.handles)")])
    metric("holds", "gauge", "Requests that are held.", [("", "\(await holds())")])
    metric(
      "requests_in_progress", "gauge", "Requests that are being answered, with those that are held.",
      progress.sorted { $0.key < $1.key }.map { ("{route=\"\($0.key)\"}", "\($0.value.requests)") })
    metric(
      "uploads_waiting", "gauge", "Uploads that were received, and wait until they are stored.",
      [("", "\(max(uploads.requests - uploads.bodies, 0))")])
    var sum: Int64 = 0
    var buckets: [(String, String)] = []
    for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], counters.buckets) {
      sum += count
      buckets.append(("_bucket{le=\"\(bound)\"}", "\(sum)"))
    }
    metric(
      "request_seconds", "histogram", "Time to compute an answer, without the time for which it was held.",
      buckets + [("_sum", "\(counters.seconds)"), ("_count", "\(sum)")])
    metric("connections", "gauge", "Open connections.", [("", "\(load.count)")])
    metric("unsent_bytes", "gauge", "Bytes of answers that wait to be sent.", [("", "\(load.unsentBytes)")])
    guard let status = await live?.observations.status else { return text }
    let states = await currentSources().map { ($0, status.sources[$0.name] ?? SourceState()) }
    func sourced(_ value: (FeedSource, SourceState) -> Int64?) -> [(String, String)] {
      states.compactMap { source, state in value(source, state).map { ("{source=\"\(source.name)\"}", "\($0)") } }
    }
    metric(
      "feed_age_seconds", "gauge", "Time since a source answered.",
      sourced { _, state in state.answeredAt.map { (now - $0) / 1000 } })
    metric(
      "feed_newest_record_age_seconds", "gauge", "Age of a source's newest record.",
      sourced { _, state in state.newestRecord.map { now / 1000 - $0 } })
    metric(
      "feed_current", "gauge", "Whether the data of a source is current.",
      sourced { source, state in state.condition(of: source, at: now) == .current ? 1 : 0 })
    metric("feed_answers_total", "counter", "Answers of a source.", sourced { $1.answers })
    metric("feed_failures_total", "counter", "Failed requests to a source.", sourced { $1.failuresInAll })
    metric("feed_records_total", "counter", "Records of a source.", sourced { $1.records })
    metric("feed_skipped_total", "counter", "Records that were skipped.", sourced { $1.skipped })
    metric(
      "feed_full_answers_total", "counter",
      "Answers with as many records as the source gives at most: others may be missing.",
      sourced { source, state in source.maximumRecords.map { _ in state.fullAnswers } })
    metric(
      "feed_credits_used", "gauge", "Credits of a source that were used since midnight UTC.",
      sourced { source, state in state.creditsUsed(of: source, at: now) })
    metric(
      "feed_credits_left", "gauge", "Credits of a source that are left until midnight UTC.",
      sourced { source, _ in status.creditsLeft(of: source, at: now) })
    metric(
      "feed_skipped_by_reason_total", "counter", "Records that were skipped, by reason.",
      states.flatMap { source, state in
        state.skippedByReason.sorted { $0.key.rawValue < $1.key.rawValue }.map {
          ("{source=\"\(source.name)\",reason=\"\($0.key.rawValue)\"}", "\($0.value)")
        }
      })
    metric("held", "gauge", "Records that are valid now.", status.held.map { ("{kind=\"\($0.name)\"}", "\($0.count)") })
    metric("reports_accepted_total", "counter", "Uploaded reports that are served.", [("", "\(status.accepted)")])
    metric(
      "reports_quarantined_total", "counter", "Uploaded reports that aren't served.",
      status.quarantined.map { ("{reason=\"\($0.reason)\"}", "\($0.count)") })
    metric("areas", "gauge", "Areas with handles.", [("", "\(status.areas)")])
    metric("log_lines_total", "counter", "Lines of the log.", [("", "\(status.lastSeq + 1)")])
    if let shared = live?.shared {
      metric(
        "database_silence_seconds", "gauge", "Time since the database answered.", [("", "\(shared.silence / 1000)")])
      metric(
        "database_lag_seconds", "gauge", "Age of the time that answers have.",
        [("", "\((now - shared.horizon) / 1000)")])
      metric("polls", "gauge", "Whether this instance polls the feeds for all.", [("", shared.isPoller ? "1" : "0")])
    }
    if let bytes = status.logBytes {
      metric("log_bytes", "gauge", "Size of all segments of the log.", [("", "\(bytes)")])
    }
    metric("log_segment_bytes", "gauge", "Size of the segment that is being written.", [("", "\(status.segmentBytes)")])
    return text
  }
}

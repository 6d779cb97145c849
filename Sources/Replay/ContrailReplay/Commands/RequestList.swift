package import ContrailCore
import ContrailWire

/// The requests that the engine sent in a recording, in order, with their outcomes.
///
/// ``RequestStory`` explains one of them.
package struct RequestList: Sendable {
  package struct Entry: Sendable {
    /// The number that the log gives to the request.
    package let request: Int64
    /// The `seq` of the decision that sent it.
    package let seq: Int64
    /// The time since the first line of the recording.
    package let offsetMS: Int64
    /// The decision that sent it.
    package let decision: Decision
    /// The outcome; nil if the recording ends before.
    package fileprivate(set) var outcome: Outcome?
    /// The time from sending to the outcome.
    package fileprivate(set) var lapMS: Int64?
  }

  package enum Outcome: Hashable, Sendable {
    case response(status: Int, wireBytes: Int64)
    /// The request failed without a response.
    case failure(String)
    /// The identifier of the rule that cancelled it.
    case cancelled(rule: String)
    /// The engine was relaunched while it waited, and sends it anew.
    case relaunched
  }

  package private(set) var entries: [Entry] = []
  /// The parts that were skipped.
  package private(set) var setAside = SetAside()

  private var firstAt: Int64?
  /// The indices of the entries without an outcome.
  private var open: [Int64: Int] = [:]

  /// Reads a recording.
  ///
  /// - Throws: ``UnreadableRecording`` if a line can't be read.
  /// - Complexity: O(*n*) in the size of the recording. One line is in memory, and the entries.
  package init(path: String) throws(UnreadableRecording) {
    let reader = try RecordingReader(path: path)
    while let entry = try reader.next() { add(entry.record) }
    setAside = reader.setAside
  }

  private mutating func add(_ record: Record) {
    let start = firstAt ?? record.at
    firstAt = start
    switch record.event {
    case .input(.sessionStarted):
      for request in open.keys { end(request, .relaunched, at: record.at) }
    case .input(.responseReceived(let response)):
      end(response.request, .response(status: response.status, wireBytes: response.wireBytes), at: record.at)
    case .input(.responseFailed(let request, let failure, _)):
      end(request, .failure(failure.rawValue), at: record.at)
    case .decision(.fetchCancelled(let cancelled)):
      end(cancelled.request, .cancelled(rule: cancelled.rule.rawValue), at: record.at)
    case .decision(let decision):
      guard let request = decision.startedRequest else { return }
      open[request] = entries.count
      entries.append(
        Entry(request: request, seq: record.seq, offsetMS: record.at - start, decision: decision))
    case .input, .mark: break
    }
  }

  private mutating func end(_ request: Int64, _ outcome: Outcome, at time: Int64) {
    // A response that arrives after its request was cancelled changes nothing.
    guard let index = open.removeValue(forKey: request) else { return }
    entries[index].outcome = outcome
    entries[index].lapMS = time - (firstAt ?? time) - entries[index].offsetMS
  }
}

extension RequestList.Entry {
  /// How much was requested: `full`, `delta`, `repair` or `upload`.
  private var mode: String {
    if case .fetchStarted(let started) = decision { return started.mode.rawValue }
    return "upload"
  }

  fileprivate var row: [String] {
    [
      String(request), Words.offset(offsetMS), decision.scope.name, mode, decision.rule.rawValue,
      outcome?.words ?? "none yet", lapMS.map(Words.lap) ?? "–",
    ]
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("request", request)
      json.member("seq", seq)
      json.member("offsetMS", offsetMS)
      json.member("scope", decision.scope.name)
      json.member("mode", mode)
      json.member("rule", decision.rule.rawValue)
      switch outcome {
      case .response(let status, let wireBytes):
        json.member("status", status)
        json.member("wireBytes", wireBytes)
      case .failure(let failure):
        json.member("failure", failure)
      case .cancelled(let rule):
        json.member("cancelledBy", rule)
      case .relaunched:
        json.member("relaunched", true)
      case nil: break
      }
      if let lapMS { json.member("lapMS", lapMS) }
    }
  }
}

extension RequestList.Outcome {
  fileprivate var words: String {
    switch self {
    case .response(let status, let wireBytes): "\(status), \(Words.bytes(wireBytes))"
    case .failure(let failure): failure
    case .cancelled(let rule): "cancelled \(rule)"
    case .relaunched: "relaunched"
    }
  }
}

extension RequestList {
  /// The list as a table.
  package var text: String {
    guard !entries.isEmpty else { return "The recording has no requests.\n" }
    var table = TextTable([
      .right("REQUEST"), .left("TIME"), .left("SCOPE"), .left("MODE"), .left("RULE"), .left("OUTCOME"),
      .right("AFTER"),
    ])
    for entry in entries { table.add(entry.row) }
    return table.lines.map { $0 + "\n" }.joined()
  }

  /// The list as JSON, one object a line.
  package var json: String {
    entries.map { entry in
      var json = JSONWriter()
      entry.write(to: &json)
      return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }.joined()
  }
}

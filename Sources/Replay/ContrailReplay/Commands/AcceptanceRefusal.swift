package import ContrailCore
package import ContrailLog

/// An error that prevents accepting a change into a recording.
package enum AcceptanceRefusal: Error, Sendable {
  /// The recording can't be read.
  case unreadable(UnreadableRecording)
  /// The recording replays the same, so there is no change.
  case nothingToAccept(path: String)
  /// The recording is compressed or a directory of segments.
  case notOneFile(path: String)
  /// The last line of the recording is truncated.
  case cutShort(path: String, line: Int)
  /// A decision changes under a rule that isn't among the accepted rules.
  case otherRule(file: String, line: Int, seq: Int64, recorded: Decision?, now: Decision?, named: [Rule])
  /// A recorded response belongs to a request that would now be different.
  case otherQuestion(file: String, line: Int, seq: Int64, request: Int64, recorded: String, now: String)
  /// A request would be sent, or continue, that has no response in the recording.
  case noAnswer(path: String, request: Int64, now: String)
  /// No decision changes, but state digests or the encoding of decisions do.
  case onlyState(path: String, digests: Int, respelled: Int)
  /// A snapshot follows the first change. Its contents would no longer match the lines before it.
  case snapshotFollows(file: String, line: Int)
  /// The new recording doesn't replay the same. Nothing was changed.
  case notStable(Divergence)
  /// The new recording can't be written.
  case notWritten(LogError)

  /// A stable code of the error.
  package var code: String {
    switch self {
    case .unreadable: "unreadable"
    case .nothingToAccept: "nothingToAccept"
    case .notOneFile: "notOneFile"
    case .cutShort: "cutShort"
    case .otherRule: "otherRule"
    case .otherQuestion: "otherQuestion"
    case .noAnswer: "noAnswer"
    case .onlyState: "onlyState"
    case .snapshotFollows: "snapshotFollows"
    case .notStable: "notStable"
    case .notWritten: "notWritten"
    }
  }
}

extension AcceptanceRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let fault): return fault.description
    case .nothingToAccept(let path): return "\(path) replays the same: nothing to accept"
    case .notOneFile(let path):
      return "\(path) is compressed or a directory. Decompress it to one .jsonl file, or record the flight again."
    case .cutShort(let path, let line):
      return "\(path):\(line) is truncated. Remove the line, or record the flight again."
    case .otherRule(let file, let line, let seq, let recorded, let now, let named):
      let rules = [recorded?.rule, now?.rule].compactMap { $0?.rawValue }
      let rule = rules.first ?? ""
      return """
        \(file):\(line)  seq \(seq), \((recorded ?? now)?.scope.name ?? "") changes under \(rules.unique.joined(separator: " and ")), \
        not \(named.map(\.rawValue).joined(separator: ", "))
          recorded  \(recorded?.words ?? "nothing")
          now       \(now?.words ?? "nothing")
        If this change is intended too, add --rule \(rule).
        """
    case .otherQuestion(let file, let line, let seq, let request, let recorded, let now):
      return """
        \(file):\(line)  seq \(seq) is the response to request \(request), which would now be different
          recorded  \(recorded)
          now       \(now)
        The recorded response doesn't fit the new request. Record the flight again.
        """
    case .noAnswer(let path, let request, let now):
      return """
        \(path) has no response to request \(request), which would now be sent or continue
          now       \(now)
        The response of the server is unknown. Record the flight again.
        """
    case .onlyState(let path, let digests, let respelled):
      return "\(path): no decision changes, but \(Words.count(digests, "digest")) and the encoding of "
        + "\(Words.count(respelled, "decision")) change. If this is intended, add --state."
    case .snapshotFollows(let file, let line):
      return "\(file):\(line) is a snapshot that follows the first change. Record the flight again."
    case .notStable(let divergence):
      return "The new recording doesn't replay the same. Nothing was changed.\n\(divergence.headline)"
    case .notWritten(let error): return error.description
    }
  }
}

extension [String] {
  /// The distinct strings, in their original order.
  var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

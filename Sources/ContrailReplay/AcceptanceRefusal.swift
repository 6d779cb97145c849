public import ContrailCore
public import ContrailLog

/// Why a change can't be accepted into a recording.
public enum AcceptanceRefusal: Error, Sendable {
  /// The recording can't be read.
  case unreadable(UnreadableRecording)
  /// The recording replays the same: there is no change.
  case nothingToAccept(path: String)
  /// It is sealed, or a directory of segments.
  case notOneFile(path: String)
  /// Its last line was cut short.
  case cutShort(path: String, line: Int)
  /// A decision changes under a rule that wasn't named.
  case otherRule(file: String, line: Int, seq: Int64, recorded: Decision?, now: Decision?, named: [Rule])
  /// The recorded answer was given to another question than the one that would be asked now.
  case otherQuestion(file: String, line: Int, seq: Int64, request: Int64, recorded: String, now: String)
  /// A request would go out, or go on, to which the recording holds no answer.
  case noAnswer(path: String, request: Int64, now: String)
  /// No decision changes, but digests do, or how decisions are spelt.
  case onlyState(path: String, digests: Int, respelled: Int)
  /// A snapshot follows the first change: what it holds would no longer be what the lines before it give.
  case snapshotFollows(file: String, line: Int)
  /// What was written does not replay the same; nothing was changed.
  case notStable(Divergence)
  /// The system refused to write.
  case notWritten(LogError)

  /// A stable name for programs.
  public var code: String {
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
  public var description: String {
    switch self {
    case .unreadable(let fault): return fault.description
    case .nothingToAccept(let path): return "\(path) replays the same: there is nothing to accept"
    case .notOneFile(let path):
      return "\(path) is sealed or a directory; accept takes one plain .jsonl file. Unpack it, or record again."
    case .cutShort(let path, let line):
      return "\(path):\(line) was cut short. Record again, or take the line out first."
    case .otherRule(let file, let line, let seq, let recorded, let now, let named):
      let rules = [recorded?.rule, now?.rule].compactMap { $0?.id }
      let rule = rules.first ?? ""
      return """
        \(file):\(line)  seq \(seq), \((recorded ?? now)?.scope.name ?? "") changes under \(rules.unique.joined(separator: " and ")), \
        not \(named.map(\.id).joined(separator: ", "))
          recorded  \(recorded?.words ?? "nothing")
          now       \(now?.words ?? "nothing")
        If that is meant too, add --rule \(rule).
        """
    case .otherQuestion(let file, let line, let seq, let request, let recorded, let now):
      return """
        \(file):\(line)  seq \(seq) answers request \(request), which would ask something else now
          recorded  \(recorded)
          now       \(now)
        An answer is an input and stays as it is, but it doesn't answer this. Record again.
        """
    case .noAnswer(let path, let request, let now):
      return """
        \(path) holds no answer to request \(request), which goes out or goes on now
          now       \(now)
        What the server would have said isn't known. Record again.
        """
    case .onlyState(let path, let digests, let respelled):
      return "\(path): no decision changes, but \(Words.count(digests, "digest")) of the state and the spelling of "
        + "\(Words.count(respelled, "decision")) do. If that is meant, add --state."
    case .snapshotFollows(let file, let line):
      return "\(file):\(line) is a snapshot that follows the first change. Record again."
    case .notStable(let divergence):
      return "what would be written doesn't replay the same; nothing was changed\n\(divergence.headline)"
    case .notWritten(let error): return error.description
    }
  }
}

extension [String] {
  /// The texts, each once, in the order in which they come.
  var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

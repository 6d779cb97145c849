/// What came of replaying several recordings, ready to be printed.
///
/// Nothing in it depends on the machine, the time or the speed: two runs over the same recordings print the same bytes.
public struct RunReport: Sendable {
  public var results: [RecordingResult]

  public init(_ results: [RecordingResult]) {
    self.results = results
  }

  /// How the report is written.
  public enum Format: String, CaseIterable, Sendable {
    /// A table, and a block for each divergence.
    case text
    /// One JSON object.
    case json
    /// JUnit's XML, as test reports read it.
    case junit
    /// GitHub's workflow commands, which mark lines in a change.
    case github
  }

  public var sameCount: Int { results.count { $0.outcome == .same } }
  public var divergedCount: Int { results.count - sameCount - unreadableCount }
  public var unreadableCount: Int {
    results.count { if case .unreadable = $0.outcome { true } else { false } }
  }

  /// 2 where a recording could not be read, else 1 where one diverged, else 0.
  public var exitCode: Int32 { unreadableCount > 0 ? 2 : divergedCount > 0 ? 1 : 0 }

  /// `12 recordings: 11 same, 1 diverged, 0 unreadable`.
  public var summary: String {
    "\(Words.count(results.count, "recording")): \(sameCount) same, \(divergedCount) diverged, "
      + "\(unreadableCount) unreadable"
  }

  /// The name that tells a recording from the others: its file's name without endings, or its path where two have that name.
  func name(of result: RecordingResult) -> String {
    let name = Self.shortName(result.path)
    return results.count { Self.shortName($0.path) == name } > 1 ? result.path : name
  }

  private static func shortName(_ path: String) -> String {
    let name = Path.name(of: path)
    for ending in [".jsonl.xz", ".jsonl"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
    return name
  }

  /// The report in a format, its last line ended.
  public func text(as format: Format, detailed: Bool = false) -> String {
    switch format {
    case .text: text(detailed: detailed)
    case .json: json
    case .junit: junit
    case .github: github
    }
  }
}

import ContrailLog

/// The results of replaying several recordings, as printable text.
///
/// The report doesn't depend on the machine, the time or the speed: equal runs produce equal bytes.
package struct RunReport: Sendable {
  package let results: [RecordingResult]
  /// The number of recordings with each short name.
  private let nameCounts: [String: Int]

  package init(_ results: [RecordingResult]) {
    self.results = results
    nameCounts = Dictionary(results.map { (Self.shortName($0.path), 1) }, uniquingKeysWith: +)
  }

  /// The output format.
  package enum Format: String, CaseIterable, Sendable {
    /// A table, and a block for each divergence.
    case text
    /// One JSON object.
    case json
    /// JUnit XML.
    case junit
    /// GitHub workflow commands, which annotate lines in a pull request.
    case github
  }

  package var sameCount: Int { results.count { $0.outcome == .same } }
  package var divergedCount: Int { results.count - sameCount - unreadableCount }
  package var unreadableCount: Int {
    results.count { if case .unreadable = $0.outcome { true } else { false } }
  }

  /// The exit code: 2 if a recording couldn't be read, otherwise 1 if one diverged, otherwise 0.
  package var exitCode: Int32 { unreadableCount > 0 ? 2 : divergedCount > 0 ? 1 : 0 }

  /// A summary such as `12 recordings: 11 same, 1 diverged, 0 unreadable`.
  package var summary: String {
    "\(Words.count(results.count, "recording")): \(sameCount) same, \(divergedCount) diverged, "
      + "\(unreadableCount) unreadable"
  }

  /// Says that recordings end before the time up to which they were to be replayed; nil if none does.
  package var endNote: String? {
    let ends = results.compactMap(\.end)
    guard let end = ends.first else { return nil }
    if results.count == 1 {
      return "The recording ends at seq \(end.seq), \(Words.offset(end.offsetMS)): it was replayed to its end."
    }
    return "\(Words.count(ends.count, "recording")) \(ends.count == 1 ? "ends" : "end") before the given time, and "
      + "\(ends.count == 1 ? "was" : "were") replayed to the end."
  }

  /// Returns the file name without its extension, or the path if the name isn't unique.
  package func name(of result: RecordingResult) -> String {
    let name = Self.shortName(result.path)
    return nameCounts[name, default: 0] > 1 ? result.path : name
  }

  private static func shortName(_ path: String) -> String {
    let name = Path.name(of: path)
    for ending in [".jsonl.xz", ".jsonl"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
    return name
  }

  /// Returns the report in a format, ending with a line feed.
  ///
  /// - Parameters:
  ///   - format: The output format.
  ///   - detailed: Whether the text format includes requests and bytes by scope and rule.
  package func text(as format: Format, detailed: Bool = false) -> String {
    switch format {
    case .text: text(detailed: detailed)
    case .json: json
    case .junit: junit
    case .github: github
    }
  }
}

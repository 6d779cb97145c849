import ArgumentParser
import ContrailCore
import ContrailReplay

struct Accept: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Accept an intended change: rewrite the decisions and digests of a recording, never its inputs.",
    discussion: """
      The recording is replayed with the engine's new decisions, and they replace the recorded ones. Every change must \
      belong to a rule given with --rule. Responses stay as recorded. A change is refused if a recorded response no longer \
      matches its request, or if a new request has no recorded response. In these cases, record the flight again.

      The reason is saved beside the recording in NAME.accepted.md. Each recording is replaced completely or not at all. \
      If the command is interrupted, run it again: it first saves the reason of a change that was made. \
      A refusal is printed, and the next file is processed.

      EXAMPLES
        replay accept flight.jsonl --rule joined --because "types have priority"
        replay accept flight.jsonl --rule guarded --dry-run
        replay accept flight.jsonl --state --because "the digest includes the ETag"

      EXIT STATUS
        0   accepted, or nothing to accept
        1   refused or not written; the recording is unchanged
        2   a recording can't be read
        64  invalid arguments
      """)

  @Argument(help: "The recordings, each one uncompressed .jsonl file.", completion: .file())
  var files: [String]

  @Option(
    help: "A rule whose changes are intended, such as historyWidened. May be repeated.",
    completion: .list(Rule.allCases.map(\.rawValue)), transform: Self.rule)
  var rule: [Rule] = []

  @Flag(help: "Also accept recordings in which only state digests or the encoding of decisions change.")
  var state = false

  @Option(help: "The reason for the change, for later readers of the recording.")
  var because: String?

  @Flag(help: "Show the changes without writing them.")
  var dryRun = false

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("No recording. Give the path of a .jsonl file.") }
    guard !rule.isEmpty || state else {
      throw ValidationError("No rule. Give the rule that changes, such as --rule historyWidened, or use --state.")
    }
    guard dryRun || because.map({ !$0.allSatisfy(\.isWhitespace) }) ?? false else {
      throw ValidationError("No reason. Give the reason for the change, such as --because \"…\".")
    }
  }

  func run() throws {
    var worst: Int32 = 0
    for file in files {
      do throws(AcceptanceRefusal) {
        try accept(file)
      } catch {
        switch error {
        case .nothingToAccept: print(error)
        case .unreadable:
          worst = 2
          Terminal.write("Error: \(error)\n")
        default:
          worst = max(worst, 1)
          Terminal.write("Error: \(error)\n")
        }
      }
    }
    if worst > 0 { throw ExitCode(worst) }
  }

  private func accept(_ file: String) throws(AcceptanceRefusal) {
    if !dryRun, let completed = try Acceptance.completeReasons(of: file) {
      print("\(file): an earlier change is in the recording; its reason is now saved in \(completed)")
    }
    let acceptance = try Acceptance(path: file, rules: rule, isStateMeant: state)
    if !dryRun { try acceptance.write(because: because ?? "") }
    print(Words.page(acceptance.text), terminator: "")
    print(dryRun ? "  nothing written" : "  reason saved in \(acceptance.reasonsPath)")
  }

  private static func rule(_ text: String) throws -> Rule {
    guard let rule = Rule.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
      throw ValidationError(
        "Unknown rule '\(text)'. Use one of \(Rule.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return rule
  }
}

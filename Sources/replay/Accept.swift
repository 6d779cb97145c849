import ArgumentParser
import ContrailCore
import ContrailReplay

struct Accept: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let an intended change stand: rewrite a recording's decisions and digests, never its inputs.",
    discussion: """
      The engine's new decisions are folded in, and what follows from them. The change must fall under the rules that you \
      name. An answer stays as it was recorded, so a change is refused where a request would ask something else than the \
      recorded answer answers, or where it would go out without one: record the flight again instead.

      The reason is kept beside the recording, in NAME.accepted.md. The recording is replaced at once or not at all. What \
      is refused is said, and the other files are gone on with.

      EXAMPLES
        replay accept flight.jsonl --rule P08 --because "types count more"
        replay accept flight.jsonl --rule P17 --dry-run
        replay accept flight.jsonl --state --because "the digest has the ETag"

      EXIT STATUS
        0   accepted, or there was nothing to accept
        1   refused, or not written: the recording stays as it was
        2   a recording can't be read
        64  the command line is wrong
      """)

  @Argument(help: "Recordings, each one plain .jsonl file.", completion: .file())
  var files: [String]

  @Option(help: "The rule whose change is meant, such as P08. May be given several times.", transform: Self.rule)
  var rule: [Rule] = []

  @Flag(help: "Digests of the state, or the spelling of decisions, may change although no decision does.")
  var state = false

  @Option(help: "Why the change is meant, for those who read the recording later.")
  var because: String?

  @Flag(help: "Show what would change, and change nothing.")
  var dryRun = false

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Name a recording.") }
    guard !rule.isEmpty || state else {
      throw ValidationError("Name the rule that changes (--rule P08), or say --state.")
    }
    guard dryRun || because.map({ !$0.allSatisfy(\.isWhitespace) }) ?? false else {
      throw ValidationError("Say why the change is meant (--because \"…\").")
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
    let acceptance = try Acceptance(path: file, rules: rule, isStateMeant: state)
    if !dryRun { try acceptance.write(because: because ?? "") }
    print(acceptance.text, terminator: "")
    print(dryRun ? "  nothing was written" : "  reason kept in \(acceptance.reasonsPath)")
  }

  private static func rule(_ text: String) throws -> Rule {
    guard let rule = Rule(rawValue: text.uppercased()) else {
      throw ValidationError(
        "There is no rule \(text); there are \(Rule.allCases.map(\.id).sorted().joined(separator: ", ")).")
    }
    return rule
  }
}

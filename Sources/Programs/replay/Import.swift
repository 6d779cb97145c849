import ArgumentParser
import ContrailField
import ContrailLog
import ContrailReplay

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a regression test of a log: cut it, shorten it, clean it, and lay it into Recordings.",
    discussion: """
      The new recording stands alone: a snapshot replaces the lines before --from. With --shrink, lines and records are left \
      out as long as the predicate holds as it did first. The decisions stay as recorded, so a recording of an error diverges, or \
      has findings, until the error is corrected and 'replay accept' takes the change.

      PREDICATES
        diverges               the first divergence of 'replay run'
        finding                the first finding of 'replay check'
        finding:backoff        the first one of a guarantee
        rule:countDiffers:repair  a decision of a rule, and of a mode if one is given
        jq:EXPRESSION          jq gives neither false nor null for the array of lines

      EXAMPLES
        replay import field.jsonl -o lost-delta --shrink diverges --redact \\
          --shows "A delta after a lost one."
        replay import field.jsonl -o before-landing --from t+10:30:00 \\
          --shows "The last half hour."
        replay import field.jsonl -o /tmp/short.jsonl \\
          --shrink 'jq:any(.[]; .status == 410)'

      EXIT STATUS
        0   the recording is written
        1   the predicate doesn't hold for the log, or the log can't be redacted
        2   the log can't be read, or the recording can't be written
        64  invalid arguments
      """)

  @Argument(help: "The log.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong, help: "A name in the folder Recordings, or the path of a .jsonl file.", completion: .file())
  var output: String

  @Option(
    parsing: .unconditional, help: "The first line to keep: a seq (142) or a time (t+01:23:45, 1h23m).",
    transform: TimelinePosition.init)
  var from: TimelinePosition?

  @Option(
    parsing: .unconditional, help: "The last line to keep.", transform: TimelinePosition.init)
  var until: TimelinePosition?

  @Option(help: "Leave out as much as possible while a predicate holds.")
  var shrink: String?

  @Option(help: "The maximum number of candidates that --shrink tries.")
  var trials = 2000

  @Flag(help: "Remove keys, sessions, free text, positions and times; see 'replay redact'.")
  var redact = false

  @Option(help: "A file with the secret of --redact. Default: random.", completion: .file())
  var secret: String?

  @Option(help: "What the recording shows, for its row in the README of Recordings.")
  var shows: String?

  @Flag(help: "Replace an existing recording.")
  var force = false

  func validate() throws {
    if let shrink, LogPredicate(shrink) == nil {
      throw ValidationError("'\(shrink)' is no predicate. Give one of: \(LogPredicate.forms).")
    }
    if secret != nil, !redact { throw ValidationError("--secret belongs to --redact.") }
    if trials < 1 { throw ValidationError("--trials must be at least 1.") }
  }

  func run() throws {
    let (path, folder, name) = try destination()
    var draft = try Redact.draft(path: file, from: from, until: until)
    guard !draft.turns.isEmpty else {
      throw Failure(message: "\(file): there is no input between --from and --until.", exitCode: 1)
    }
    let lineCount = draft.lineCount
    if let shrink, let predicate = LogPredicate(shrink) { draft = try shorten(draft, predicate) }
    if redact {
      let redaction = try Redact.redaction(of: draft, secret: secret)
      draft = redaction.draft
      Terminal.write(redaction.report.text)
    }
    do throws(LogError) {
      try draft.write(to: path, replacing: force ? .log : .nothing)
      if let shows, let folder, try !RecordingsReadme.add(name, shows: "\(shows) (imported)", inFolder: folder) {
        Terminal.write("\(folder)/README.md has no table of recordings, so no row was added\n")
      }
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
    print("\(path): \(draft.lineCount) lines of \(lineCount), \(FlightSummary(path: path).result)")
  }

  private func destination() throws -> (path: String, folder: String?, name: String) {
    guard !output.contains("/"), !output.hasSuffix(".jsonl") else { return (output, nil, output) }
    guard let folder = Recordings.folder else {
      throw Failure(
        message:
          "There is no folder 'Recordings' in the working directory or its parents. Give the path of a .jsonl file.",
        exitCode: 2)
    }
    return ("\(folder)/\(output).jsonl", folder, output)
  }

  private func shorten(_ draft: LogDraft, _ predicate: LogPredicate) throws -> LogDraft {
    guard
      let target = LogTarget(predicate, in: draft, jq: { draft, expression in JQ.holds(expression, for: draft.bytes) })
    else {
      throw Failure(
        message: "\(file): the predicate '\(shrink ?? "")' doesn't hold, so nothing was written.", exitCode: 1)
    }
    var shrinker = LogShrinker(target, maximumTrials: trials) { count, best in
      Terminal.progress("trial \(count): \(best.lineCount) lines")
    }
    let short = shrinker.shorten(draft)
    Terminal.clearProgress()
    if shrinker.trials >= trials {
      Terminal.write("stopped after \(trials) trials; give more with --trials\n")
    }
    return short
  }
}

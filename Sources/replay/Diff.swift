import ArgumentParser
import ContrailReplay

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare two recordings: the first event, scope and field that differ, then totals.",
    discussion: """
      Inputs and decisions are compared one by one in their order. Marks are passed over, and so is which seq a line has.

      EXAMPLES
        replay diff before.jsonl after.jsonl
        replay diff first.jsonl again.jsonl --ignore bytes  sizes may differ

      EXIT STATUS
        0   they are the same
        1   they differ
        2   one of them can't be read
        64  the command line is wrong
      """)

  @Argument(help: "A recording.", completion: .file())
  var a: String

  @Argument(help: "Another recording.", completion: .file())
  var b: String

  @Option(
    name: .customLong("ignore"),
    help: "A member of events that may differ, such as bytes, at or session. May be given several times.")
  var ignored: [String] = []

  func run() throws {
    let diff: RecordingDiff
    do throws(UnreadableRecording) {
      diff = try RecordingDiff(a, b, ignoring: Set(ignored))
    } catch {
      throw Failure.unreadable(error)
    }
    print(diff.text, terminator: "")
    for setAside in diff.setAside { Terminal.note(setAside) }
    if !diff.isSame { throw ExitCode(1) }
  }
}

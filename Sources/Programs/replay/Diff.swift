import ArgumentParser
import ContrailReplay

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare two recordings: print the first difference, then totals.",
    discussion: """
      Inputs and decisions are compared in order. Marks and the seq of each line are ignored.

      EXAMPLES
        replay diff before.jsonl after.jsonl
        replay diff first.jsonl again.jsonl --ignore bytes  ignore sizes

      EXIT STATUS
        0   the recordings are the same
        1   the recordings differ
        2   a recording can't be read
        64  invalid arguments
      """)

  @Argument(help: "The first recording.", completion: .file())
  var a: String

  @Argument(help: "The second recording.", completion: .file())
  var b: String

  @Option(
    name: .customLong("ignore"),
    help: "An event member to ignore, such as bytes, at or session. May be repeated.")
  var ignored: [String] = []

  func run() throws {
    let diff: RecordingDiff
    do throws(UnreadableRecording) {
      diff = try RecordingDiff(a, b, ignoring: Set(ignored))
    } catch {
      throw Failure.unreadable(error)
    }
    print(Words.page(diff.text), terminator: "")
    for setAside in diff.setAside { Terminal.note(setAside) }
    if !diff.isSame { throw ExitCode(1) }
  }
}

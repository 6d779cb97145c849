import ArgumentParser
import ContrailReplay

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the held data, its age and the requests in flight at a time.",
    discussion: """
      The state results from the recorded inputs and decisions, up to and including the last line at the given time.

      EXAMPLES
        replay inspect flight.jsonl                         at the end
        replay inspect flight.jsonl --at 142                after line seq 142
        replay inspect flight.jsonl --at t+00:41:07
        replay inspect flight.jsonl --at 2025-02-19T22:01:07Z

      EXIT STATUS
        0   success
        2   the recording can't be read
        64  invalid arguments
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(
    parsing: .unconditional,
    help: "A seq (142) or a time (t+01:23:45, 1h23m, 2025-02-19T22:01:07Z). Default: the end.",
    transform: TimelinePosition.init)
  var at: TimelinePosition?

  func run() throws {
    do throws(UnreadableRecording) {
      let inspection = try Inspection(path: file, at: at)
      print(Words.page(inspection.text), terminator: "")
      Terminal.note(inspection.setAside)
    } catch {
      throw Failure.unreadable(error)
    }
  }
}

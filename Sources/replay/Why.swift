import ArgumentParser
import ContrailReplay

struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell why a request went out, and what came of it.",
    discussion: """
      The rule in words, what was asked and what was held, the chain of causes back to an input that answers no request, \
      what the engine would decide now, and the answer: its bytes, records and time.

      EXAMPLES
        replay why flight.jsonl --request 9

      EXIT STATUS
        0   told
        2   the recording can't be read
        64  the command line is wrong, or there is no such request
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(help: "The request's number, as 'fetch.started' gives it.")
  var request: Int64

  func run() throws {
    do throws(RequestStory.Fault) {
      let story = try RequestStory(path: file, request: request)
      print(story.text, terminator: "")
      Terminal.note(story.setAside)
    } catch {
      switch error {
      case .unreadable(let fault): throw Failure.unreadable(fault)
      case .noSuchRequest(_, _, _, let setAside):
        Terminal.note(setAside)
        throw ValidationError("\(error)")
      }
    }
  }
}

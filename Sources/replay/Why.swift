import ArgumentParser
import ContrailReplay

struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain why a request was sent, and show its outcome.",
    discussion: """
      Shows the rule, the requested and held data, the chain of causes back to an input that isn't a response, the \
      engine's decision today, and the response with its bytes, records and duration.

      EXAMPLES
        replay why flight.jsonl --request 9

      EXIT STATUS
        0   success
        2   the recording can't be read
        64  invalid arguments, or no such request
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(help: "The number of the request in its 'fetch.started' event.")
  var request: Int64

  func run() throws {
    do throws(RequestStoryError) {
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

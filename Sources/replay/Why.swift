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
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(help: "The request's number, as 'fetch.started' gives it.")
  var request: Int64

  func run() throws {
    do throws(RequestStory.Fault) {
      print(try RequestStory(path: file, request: request).text, terminator: "")
    } catch {
      switch error {
      case .unreadable(let fault): throw Failure.unreadable(fault)
      case .noSuchRequest: throw ValidationError("\(error)")
      }
    }
  }
}

import ArgumentParser
import ContrailReplay

struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the requests, or explain why one was sent, and show its outcome.",
    discussion: """
      With --request, shows the rule, the requested and held data, the chain of causes back to an input that isn't a \
      response, the engine's decision today, and the response with its bytes, records and duration. Without, lists all \
      requests, each with its number, rule and outcome.

      EXAMPLES
        replay why flight.jsonl
        replay why flight.jsonl --request 9
        replay why flight.jsonl --json | jq -r .rule | sort | uniq -c

      EXIT STATUS
        0   success
        2   the recording can't be read
        64  invalid arguments, or no such request
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(help: "The number of the request. Default: list all.")
  var request: Int64?

  @Flag(help: "Print JSON: an object for each request, each on a line, or one object with the explanation.")
  var json = false

  func run() throws {
    if let request { try explain(request) } else { try list() }
  }

  private func list() throws {
    do throws(UnreadableRecording) {
      let list = try RequestList(path: file)
      print(json ? list.json : Words.page(list.text), terminator: "")
      Terminal.note(list.setAside)
    } catch {
      throw Failure.unreadable(error)
    }
  }

  private func explain(_ request: Int64) throws {
    do throws(RequestStoryError) {
      let story = try RequestStory(path: file, request: request)
      print(json ? story.json : Words.page(story.text), terminator: "")
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

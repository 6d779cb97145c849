import ArgumentParser
import ContrailReplay

struct Bytes: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what each byte in both directions was for, as estimated from the log.",
    discussion: """
      Attributes the bytes of a recording, up and down, to scope and rule, and within them to heads, areas, other bodies \
      and retries (exchanges without a usable answer). The bytes are those of HTTP/1.1 without TLS, as the log counts \
      them; older logs don't count requests.

      EXAMPLES
        replay bytes
        replay bytes flight.jsonl
        replay bytes flight.jsonl --json | jq .total

      EXIT STATUS
        0   success
        2   a recording can't be read, or none was found
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Flag(help: "Print one JSON object for each recording, each on a line.")
  var json = false

  func run() throws {
    var isFirst = true
    for path in try Recordings.paths(files) {
      do throws(UnreadableRecording) {
        let ledger = try ByteLedger(path: path)
        if !json, !isFirst { print() }
        isFirst = false
        print(json ? ledger.json + "\n" : Words.page(ledger.text), terminator: "")
        Terminal.note(ledger.setAside)
      } catch {
        throw Failure.unreadable(error)
      }
    }
  }
}

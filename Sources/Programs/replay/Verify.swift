import ArgumentParser
import ContrailReplay

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the integrity of recordings without replaying them.",
    discussion: """
      Checks each crc, seq, segment, line and mark, and reports the first fault of each recording with file, line and \
      seq. A truncated last line is a fault here, although 'run' skips it and replays the lines before it.

      EXAMPLES
        replay verify
        replay verify flight.jsonl flight.jsonl.xz log/

      EXIT STATUS
        0   every recording is intact
        2   a recording is damaged or can't be read, or none was found
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  func run() throws {
    var isWhole = true
    for path in try Recordings.paths(files) {
      let verification = Verification(path: path)
      print(verification.fault == nil ? Words.page(verification.text) : verification.text, terminator: "")
      if verification.fault != nil { isWhole = false }
    }
    if !isWhole { throw ExitCode(2) }
  }
}

import ArgumentParser
import ContrailReplay

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check that recordings are whole: each crc, seq, segment, line and mark. Nothing is replayed.",
    discussion: """
      The first fault of each recording is named by file, line and seq. A last line that was cut short is a fault here, \
      although 'run' sets it aside and replays what stands before it.

      EXAMPLES
        replay verify
        replay verify flight.jsonl flight.jsonl.xz log/

      EXIT STATUS
        0   every recording is whole
        2   a recording is damaged or can't be read, or there is none
        64  the command line is wrong
      """)

  @Argument(help: "Recordings, or folders of them. The folder Recordings if none is given.", completion: .file())
  var files: [String] = []

  func run() throws {
    var isWhole = true
    for path in try Recordings.paths(files) {
      let verification = Verification(path: path)
      print(verification.text, terminator: "")
      if verification.fault != nil { isWhole = false }
    }
    if !isWhole { throw ExitCode(2) }
  }
}

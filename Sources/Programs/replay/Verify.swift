import ArgumentParser
import ContrailLog
import ContrailReplay

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the integrity of recordings without replaying them.",
    discussion: """
      Checks each crc, seq, segment, line and mark, and reports the first fault of each recording with file, line and \
      seq. A truncated last line is a fault here, although 'run' skips it and replays the lines before it.

      HASHES AND SIGNATURES
      The marks of a log state a SHA-256 of the lines before them, and the app may sign these hashes. The output tells \
      which lines they cover, which they don't cover yet, and the first line that was changed, removed, added or moved.

      Anybody can make hashes anew. Only a signature proves who wrote the lines, and only with a public key that you \
      have from elsewhere: --public-key takes a PEM file of P-256. Without lines at its end, a log looks like an \
      earlier, shorter one. Keep the receipt that this command prints, and pass it later with --receipt: a log that \
      was cut since then, or exchanged, is refused.

      A directory is a whole log: the lines before its first one must have been removed by its own retention. A file \
      may be a part of a log, and its own marks prove it.

      EXAMPLES
        replay verify
        replay verify flight.jsonl flight.jsonl.xz log/
        replay verify log --public-key device.pem
        replay verify log --public-key device.pem --receipt 4711:9f86…0a08

      EXIT STATUS
        0   every recording is intact, and what is signed fits
        1   a log was changed after it was written, or none of its lines is
            signed by a given key
        2   a recording is damaged or can't be read, or none was found
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp("The public key of the app that signed the log, in PEM. Can be repeated.", valueName: "file"),
    completion: .file())
  var publicKey: [String] = []

  @Option(
    help: ArgumentHelp("What an earlier run printed as receipt, as SEQ:HASH. For one log.", valueName: "seq:hash"))
  var receipt: String?

  @Flag(help: "Print one JSON object for each recording, each on a line.")
  var json = false

  func run() throws {
    let keys = try PublicKeys(files: publicKey)
    let paths = try Recordings.paths(files)
    var head: LogHead?
    if let receipt {
      head = LogHead(receipt)
      guard head != nil else {
        throw ValidationError("The receipt '\(receipt)' isn't a seq, a colon and 64 hexadecimal digits in lower case.")
      }
      guard paths.count == 1 else { throw ValidationError("--receipt is for one log, not for \(paths.count).") }
    }
    var status: Int32 = 0
    for path in paths {
      let report = VerifyReport(path: path, keys: keys, receipt: head)
      print(json ? report.json : report.text, terminator: "")
      status = max(status, report.exitCode)
    }
    if status != 0 { throw ExitCode(status) }
  }
}

import ArgumentParser
import ContrailLog
import ContrailReplay

struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a made-up flight of any length, to measure with.",
    discussion: """
      One corridor, a delta each minute with some 210 reports, two hours of history. The same seed gives the same bytes; \
      it replays as a recording does.

      EXAMPLES
        replay sample sample.jsonl
        replay sample long.jsonl --mebibytes 2048 --seed 7

      EXIT STATUS
        0   written
        2   not written: something stands there, or the system refuses
        64  the command line is wrong
      """)

  @Argument(help: "The file to write; nothing must be there yet.", completion: .file())
  var file: String

  @Option(help: "How long it is to be, in MiB.")
  var mebibytes: Int64 = 64

  @Option(help: "What places, severities and delays are drawn from.")
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...65_536).contains(mebibytes) else { throw ValidationError("Make it from 1 to 65536 MiB long.") }
  }

  func run() throws {
    do throws(LogError) {
      let output = try StagedOutput(file, replacing: .nothing)
      try SampleLog(byteCount: mebibytes << 20, seed: seed).write(to: output.path)
      try output.publish()
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
  }
}

import ArgumentParser
import ContrailLog
import ContrailReplay

struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a generated flight of any size for benchmarks.",
    discussion: """
      The flight has one corridor, one delta per minute with about 210 reports, and two hours of history. The same seed \
      produces the same bytes. The file replays like a recording.

      EXAMPLES
        replay sample sample.jsonl
        replay sample long.jsonl --mebibytes 2048 --seed 7

      EXIT STATUS
        0   success
        2   not written: the file exists, or the system refused
        64  invalid arguments
      """)

  @Argument(help: "The file to write. It must not exist.", completion: .file())
  var file: String

  @Option(help: "The size of the file in MiB.")
  var mebibytes: Int64 = 64

  @Option(help: "The seed of the places, severities and delays.")
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...65_536).contains(mebibytes) else {
      throw ValidationError("--mebibytes: \(mebibytes) is out of range. Use 1 to 65536.")
    }
  }

  func run() throws {
    do throws(LogError) {
      let output = try StagedOutput(file, replacing: .nothing)
      do throws(LogError) {
        try SampleLog(byteCount: mebibytes << 20, seed: seed).write(to: output.path)
      } catch {
        throw output.named(error)
      }
      try output.publish()
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
  }
}

import ArgumentParser
import ContrailReplay

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how fast recordings are replayed.",
    discussion: """
      The median of several repetitions and the median distance from it. Build with '-c release': figures of a debug \
      build say nothing.

      EXAMPLES
        swift run -c release replay bench
        replay bench flight.jsonl --stages --repetitions 9
        replay bench flight.jsonl --json
      """)

  @Argument(help: "Recordings, or folders of them. The folder Recordings if none is given.", completion: .file())
  var files: [String] = []

  @Option(help: "How often each recording is replayed and timed.")
  var repetitions = 5

  @Option(help: "How often it is replayed before, and not timed.")
  var warmUp = 1

  @Flag(help: "Show where the time goes: read, crc, frame, decode, apply, plan, digest.")
  var stages = false

  @Flag(help: "Print one JSON array.")
  var json = false

  func validate() throws {
    guard (1...1000).contains(repetitions) else { throw ValidationError("Repeat it from 1 to 1000 times.") }
    guard (0...1000).contains(warmUp) else { throw ValidationError("Warm up from 0 to 1000 times.") }
  }

  func run() throws {
    #if DEBUG
      Terminal.write("note: a debug build; build with -c release for figures that mean something\n")
    #endif
    var benches: [ReplayBench] = []
    for path in try Recordings.paths(files) {
      Terminal.progress("measuring \(path)")
      do throws(UnreadableRecording) {
        let bench = try ReplayBench(
          path: path, warmUps: warmUp, repetitions: repetitions, byStage: stages, with: Machine.instruments)
        benches.append(bench)
        Terminal.clearProgress()
        if !json { print(bench.text, terminator: "") }
      } catch {
        throw Failure.unreadable(error)
      }
    }
    if json { print(ReplayBench.json(benches), terminator: "") }
  }
}

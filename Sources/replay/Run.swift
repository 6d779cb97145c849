import ArgumentParser
package import ContrailReplay

extension RunReport.Format: ExpressibleByArgument {}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replay recordings and report the first decision that differs.",
    discussion: """
      After each input, the engine's decisions are compared with the recorded ones, byte for byte. Each recorded state \
      digest is verified. The recorded decisions are applied even after a divergence, so the report shows how far its \
      effects reach. Recordings are replayed at the same time, one on each core.

      EXAMPLES
        replay run
        replay run Recordings/history-widened.jsonl --until 141
        replay run --format junit > results.xml
        replay run flight.jsonl --by-rule

      EXIT STATUS
        0   every recording replays the same
        1   a recording diverged
        2   a recording can't be read, a segment other than the last is truncated, or there is no recording
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Option(
    help: "The last line to replay: a seq (142) or a time (t+01:23:45, +83m, 2025-02-19T22:01:07Z).",
    transform: TimelinePosition.init)
  var until: TimelinePosition?

  @Option(help: "The output format: \(RunReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = RunReport.Format.text

  @Flag(help: "Also show requests, responses and bytes by scope and rule.")
  var byRule = false

  func run() throws {
    let paths = try Recordings.paths(files)
    let clock = ContinuousClock()
    let start = clock.now
    let replay = ParallelReplay(paths, until: until, coreCount: Machine.coreCount)
    let results = replay.results { number, path in
      Terminal.progress("replaying \(number)/\(paths.count) \(path)")
    }
    Terminal.clearProgress()
    let report = RunReport(results)
    print(report.text(as: format, detailed: byRule), terminator: "")
    Terminal.timing(byteCount: results.reduce(0) { $0 + $1.byteCount }, took: start.duration(to: clock.now))
    if report.exitCode != 0 { throw ExitCode(report.exitCode) }
  }
}

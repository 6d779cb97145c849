public import ArgumentParser
public import ContrailReplay

extension RunReport.Format: ExpressibleByArgument {}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replay recordings and name the first decision that differs.",
    discussion: """
      After each input, the decisions that the engine takes now are compared with the recorded ones, byte for byte; \
      each mark of the state's digest is verified. The timeline stays as recorded, so that what differs after the first \
      divergence shows how far it reaches.

      EXAMPLES
        replay run
        replay run Recordings/history-widened.jsonl --until 141
        replay run --format junit > results.xml
        replay run flight.jsonl --by-rule

      EXIT STATUS
        0   every recording is the same
        1   a recording diverged
        2   a recording can't be read, a segment that others follow is cut, or there is no recording
        64  the command line is wrong
      """)

  @Argument(help: "Recordings, or folders of them. The folder Recordings if none is given.", completion: .file())
  var files: [String] = []

  @Option(
    help: "The last line to replay: a seq (142) or a time (t+01:23:45, +83m, 2025-02-19T22:01:07Z).",
    transform: Moment.init)
  var until: Moment?

  @Option(help: "How to print: \(RunReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = RunReport.Format.text

  @Flag(help: "Show requests, answers and bytes by scope and rule as well.")
  var byRule = false

  func run() throws {
    let paths = try Recordings.paths(files)
    let clock = ContinuousClock()
    let start = clock.now
    var byteCount: Int64 = 0
    var results: [RecordingResult] = []
    for (index, path) in paths.enumerated() {
      Terminal.progress("replaying \(index + 1)/\(paths.count) \(path)")
      let result = RecordingResult(replaying: path, until: until, threads: 2)
      byteCount += result.byteCount
      results.append(result)
    }
    Terminal.clearProgress()
    let report = RunReport(results)
    print(report.text(as: format, detailed: byRule), terminator: "")
    Terminal.timing(byteCount: byteCount, took: start.duration(to: clock.now))
    if report.exitCode != 0 { throw ExitCode(report.exitCode) }
  }
}

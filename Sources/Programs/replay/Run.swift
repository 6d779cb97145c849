import ArgumentParser
import ContrailLog
package import ContrailReplay
import ContrailViewer

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
        replay run --report out                     for CI: JUnit and pages

      EXIT STATUS
        0   every recording replays the same
        1   a recording diverged
        2   a recording can't be read, a segment other than the last is truncated,
            or there is no recording
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: "The last line to replay: a seq (142) or a time (t+01:23:45, 1h23m, 2025-02-19T22:01:07Z).",
    transform: TimelinePosition.init)
  var until: TimelinePosition?

  @Option(help: "The output format: \(RunReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = RunReport.Format.text

  @Flag(help: "Also show requests, responses and bytes by scope and rule.")
  var byRule = false

  @Option(
    help: "A folder for junit.xml and a page for each recording that diverged, such as 'replay view' writes.",
    completion: .directory)
  var report: String?

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
    if format != .text, let note = report.endNote { Terminal.write(Words.page(note + "\n")) }
    if let folder = self.report { try write(report, to: folder) }
    Terminal.timing(byteCount: results.reduce(0) { $0 + $1.byteCount }, took: start.duration(to: clock.now))
    if report.exitCode != 0 { throw ExitCode(report.exitCode) }
  }

  /// Writes the report and the pages of the recordings that diverged.
  private func write(_ report: RunReport, to folder: String) throws {
    let isNew = (try? POSIXStorage().kind(of: folder)) == .nothing
    do throws(LogError) {
      do throws(StorageError) {
        try POSIXStorage().makeDirectory(folder)
      } catch {
        throw LogError(.writeFailed, file: folder, reason: error.description)
      }
      let junit = report.text(as: .junit, detailed: false)
      try StagedOutput.write(Array(junit.utf8), to: "\(folder)/junit.xml", replacing: .report, creating: .shared)
    } catch {
      if isNew { POSIXStorage().removeEmptyDirectory(folder) }
      throw Failure(message: "\(error)", exitCode: 2)
    }
    for result in report.results {
      guard case .diverged = result.outcome else { continue }
      // Names of recordings in different folders may be the same, so the whole path counts.
      let name = report.name(of: result).split(separator: "/").joined(separator: "-")
      do throws(PageError) {
        let page = "\(folder)/\(name).html"
        _ = try Page.write([try FlightSource(path: result.path)], to: page)
        Terminal.write("\(page)\n")
      } catch {
        throw Failure(message: "\(error)", exitCode: 2)
      }
    }
  }
}

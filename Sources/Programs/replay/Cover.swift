import ArgumentParser
import ContrailField
import ContrailReplay

struct Cover: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a set of logs reaches of the planner's table, its rules and the faults.",
    discussion: """
      A cell of the table is a situation of a scope and an input in it, such as 'corridor · delta flight · 304'. The page \
      'The planner, cell by cell' lists them. A test reaches every cell; this command shows which ones real logs reach, and \
      why not the others: no log is in the SITUATION, no log has the INPUT, or both never come TOGETHER.

      EXAMPLES
        replay cover                             what Recordings reach
        replay cover logs --missing              and which cells they don't
        replay cover logs --minimal > keep.txt   the logs worth keeping

      EXIT STATUS
        0   success
        2   a log can't be read, or none was found
        64  invalid arguments
      """)

  @Argument(help: "Logs or folders of logs. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Flag(help: "List each cell that is not reached.")
  var missing = false

  @Flag(help: "Print the paths of a small set of logs that reaches the same.")
  var minimal = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let paths = try Recordings.paths(files)
    var entries: [CoverageReport.Entry] = []
    var fault: UnreadableRecording?
    for (index, path) in paths.enumerated() {
      Terminal.progress("reading \(index + 1)/\(paths.count) \(path)")
      let summary = FlightSummary(path: path)
      if case .unreadable(let reason) = summary.outcome {
        fault = fault ?? reason
        continue
      }
      entries.append(.init(path: path, coverage: summary.coverage))
    }
    Terminal.clearProgress()
    let report = CoverageReport(entries)
    if json {
      print(report.json, terminator: "")
    } else if minimal {
      print(report.minimalText, terminator: "")
      Terminal.write("\(report.minimal.count) of \(entries.count) logs reach the same\n")
    } else {
      print(Words.page(report.text(listingMissing: missing)), terminator: "")
    }
    if let fault { throw Failure.unreadable(fault) }
  }
}

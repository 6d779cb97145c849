import ArgumentParser
import ContrailField
import ContrailReplay

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge logs by guarantees that hold whatever the server did.",
    discussion: """
      'replay run' asks whether today's engine decides the same. 'replay check' asks whether the recorded flight was right, \
      also where today's engine would repeat the error. It needs no server and no recording of the world.

      GUARANTEES
      \(Finding.Guarantee.allCases.map(\.help).joined(separator: "\n"))

      EXAMPLES
        replay check field.jsonl
        replay check Recordings
        replay check logs --json | jq -r '.findings[] | .guarantee' | sort | uniq -c

      EXIT STATUS
        0   no findings
        1   findings
        2   a log can't be read, or none was found
        64  invalid arguments
      """)

  @Argument(help: "Logs or folders of logs. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Flag(help: "Print one JSON object for each log, each on a line.")
  var json = false

  func run() throws {
    let paths = try Recordings.paths(files)
    var summaries: [FlightSummary] = []
    for (index, path) in paths.enumerated() {
      Terminal.progress("checking \(index + 1)/\(paths.count) \(path)")
      summaries.append(FlightSummary(path: path))
    }
    Terminal.clearProgress()
    let report = CheckReport(summaries)
    print(json ? report.json : Words.page(report.text), terminator: "")
    if report.exitCode != 0 { throw ExitCode(report.exitCode) }
  }
}

extension Finding.Guarantee {
  /// The lines of the help: the name in a column of its own, and the summary.
  fileprivate var help: String {
    var lines = ["  " + rawValue + String(repeating: " ", count: max(0, 11 - rawValue.count))]
    for word in summary.split(separator: " ") {
      if lines[lines.count - 1].count + 1 + word.count > 79 { lines.append(String(repeating: " ", count: 13)) }
      lines[lines.count - 1] += " " + word
    }
    return lines.joined(separator: "\n")
  }
}

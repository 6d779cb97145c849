import ArgumentParser
import ContrailField
import ContrailLog
import ContrailReplay

struct Fold: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Summarize any number of logs: a path a line in, a JSON line out.",
    discussion: """
      One pass over each log gives its result (same, diverged or unreadable), its digest, counts, bytes by scope and rule, \
      full fetches with their places, coverage, and the findings of 'replay check'. Each path gives one line, whatever the \
      file: a log that can't be read gives a line with the reason. The memory is that of one log for each job.

      Other tools do the rest: DuckDB writes Parquet, xargs or Spark (Scripts/fleet) use more machines.

      EXAMPLES
        find logs -name '*.jsonl*' | replay fold --paths - > fleet.jsonl
        replay fold Recordings | jq -r 'select(.result != "same") | .path'
        duckdb -c "COPY (FROM 'fleet.jsonl') TO 'fleet.parquet'"
        find logs -name '*.jsonl' |
          xargs -P 16 -n 500 replay fold --jobs 1 > fleet.jsonl

      EXIT STATUS
        0   every path has its line; the counts are on standard error
        2   the list of paths can't be read or is empty, a folder has no log, or
            standard output can't be written
        64  invalid arguments
      """)

  @Argument(help: "Logs or folders of logs.", completion: .file())
  var files: [String] = []

  @Option(help: "A file with a path on each line; - for standard input.", completion: .file())
  var paths: String?

  @Option(help: "The number of logs to read at the same time. Default: the number of cores.")
  var jobs: Int?

  @Flag(help: "Print lines as they are complete instead of in the order of the paths.")
  var unordered = false

  @Flag(help: "List the cells of the planner's table that each log reaches.")
  var cells = false

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be from 1 to 1024.") }
    if files.isEmpty, paths == nil { throw ValidationError("Give logs, or --paths with a file or '-'.") }
  }

  func run() throws {
    let named = files.flatMap { RecordingFinder().recordings(at: $0) }
    var next = named.makeIterator()
    let input = try paths.map { try InputFile($0) }
    var list = input.map { input in PathLines { input.read(into: $0) } }
    let fold = FleetFold(workerCount: jobs ?? Machine.coreCount, isOrdered: !unordered, listsCells: cells)
    let counts = fold.run(
      nextPath: { ProgramOutput.hasFailed ? nil : next.next() ?? list?.next() },
      emit: { line, counts in
        print(line)
        if counts.total.isMultiple(of: 100) { Terminal.progress(counts.text) }
      })
    Terminal.clearProgress()
    Terminal.write(counts.text + "\n")
    if let paths, let fault = input?.fault {
      throw Failure(message: "\(paths): the list of paths can't be read: \(fault).", exitCode: 2)
    }
    // A folder without logs stands for itself.
    let empty = named.filter { files.contains($0) && Self.isFolderWithoutLog($0) }
    if !empty.isEmpty {
      throw Failure(message: "There is no log in \(empty.joined(separator: ", ")). Check the path.", exitCode: 2)
    }
    if counts.total == 0 {
      throw Failure(message: "There is no path in \(paths ?? ""). Give one on each line.", exitCode: 2)
    }
  }

  private static func isFolderWithoutLog(_ path: String) -> Bool {
    guard (try? POSIXStorage().kind(of: path)) == .directory else { return false }
    do throws(LogError) {
      _ = try LogReader(path: path)
      return false
    } catch {
      return error.code != .newerFormat && error.code != .olderFormat
    }
  }
}

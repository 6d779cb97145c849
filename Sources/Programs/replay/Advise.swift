import ArgumentParser
import ContrailField
import ContrailReplay

struct Advise: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find the settings with the fewest bytes for the age of data, over a set of flights.",
    discussion: """
      Runs 'what-if' for each frequency, each history time and narrower corridors, and shows the settings of which none \
      other has fewer bytes, lower ages and less time without data. Names the one setting to change first. Settings \
      of which the recordings cover less than 90 % are left out, because wider requests than the recorded ones can't be derived.

      EXAMPLES
        replay advise Recordings
        replay advise monday.jsonl tuesday.jsonl --width 50 --width 80

      EXIT STATUS
        0   success
        1   too little is known for any advice
        2   a recording can't be read, diverges or is incomplete
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings.", completion: .file())
  var files: [String]

  @Option(help: "A width of the corridor to compare, in nautical miles.") var width: [Double] = []
  @Option(help: "The number of runs of each alternative, 1 to 100.") var runs = 2
  @Flag(help: "Skip recordings that can't be used, and name them.") var skip = false
  @Flag(help: "Print one JSON object a line for each combination of settings.") var json = false

  func validate() throws {
    guard (1...100).contains(runs) else { throw ValidationError("--runs: \(runs) is invalid; expected 1 to 100") }
    for width in width where !(0.1...2000).contains(width) {
      throw ValidationError("--width: \(width) is invalid; expected nautical miles from 0.1 to 2000")
    }
  }

  func run() throws {
    let paths = try Recordings.paths(files)
    let grid = Advice.grid(hasWidth: !width.isEmpty, widths: width.map { Int64(($0 * 1000).rounded()) })
    var flights: [(spanMS: Int64, predictions: [Prediction])] = []
    for (index, path) in paths.enumerated() {
      Terminal.progress("\(index + 1) of \(paths.count): \(path)")
      do throws(WhatIfError) {
        var whatIf = WhatIf(try RecordedFlight(path: path))
        whatIf.runs = runs
        let predictions = try whatIf.predictions(grid, threads: Machine.coreCount)
        flights.append((whatIf.flight.endMS - whatIf.flight.startMS, [whatIf.recordedPrediction] + predictions))
      } catch {
        Terminal.clearProgress()
        guard skip else { throw Failure(message: error.description, exitCode: 2) }
        Terminal.write("skipped: \(error)\n")
      }
    }
    Terminal.clearProgress()
    let advice = Advice(flights)
    print(json ? advice.json : Words.page(advice.text), terminator: "")
    if !advice.points.contains(where: { !$0.alternative.isRecorded }) { throw ExitCode(1) }
  }
}

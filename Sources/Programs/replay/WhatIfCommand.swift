import ArgumentParser
import ContrailCore
import ContrailField
import ContrailLog
import ContrailReplay
import ContrailViewer
import ContrailWire

struct WhatIfCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: "Estimate bytes, age and cost of a flight under other settings, another wire or another link.",
    discussion: """
      Flies the recorded flight again: the same inputs, the real engine, and a server reconstructed from the recorded \
      answers. A report is an immutable fact, and the recording tells between which two answers it arrived. What a \
      narrower or rarer request would have received is therefore derivable; what a wider one would have received isn't. \
      A higher frequency than the recorded one isn't derivable, because nobody looked at the link between the recorded \
      requests. A server that held requests holds those of the alternative, too. Each figure has an interval, which held the \
      true value in at least 95 % of flights of up to four hours that were recorded under both settings. Each figure also \
      says which part of it was recorded, is derivable, and is unknown. Below 90 % known there is no verdict, but the advice \
      what to record. A figure with ≈ has no interval: bytes of answers in a form that the \
      recording doesn't contain depend on the server. The bytes down of a rule have none with a wider corridor than the \
      recorded one, because less than 95 % held the true value.

      An option that is given several times makes several alternatives: each with each of the others. Without an option, \
      the alternatives are the frequencies medium, minimal and none.

        --frequency none|minimal|medium|fast   --history 0.5h|1h|2h|4h|6h
        --types all|turbulence,pireps,…        --severities moderate,…|all
        --width NM                             --viewport off
        --wire json|compact        the server takes areas in each request, or handles
        --policy seed|before|now   seed: all in full at each change, --wire json;
                                   before: as recorded, --wire json;
                                   now: as recorded, --wire compact
        --link certus|geo|geo-bad|leo|air-to-ground|FILE
        --from 70m --until 3h40m   where frequency, history, width, types, severities
                                   and viewport apply; the rest always does

      AGE is the age of the shown data: median, 95th percentile, worst. WITHOUT is the time without valid data. LATE and \
      NEVER count turbulence reports that the recorded flight showed, and the alternative more than a minute later, or \
      not at all. COST follows a tariff; those that come with the program, 'volume' and 'session', are examples.

      EXAMPLES
        replay what-if flight.jsonl
        replay what-if flight.jsonl --frequency none --from 1h10m --until 3h40m
        replay what-if flight.jsonl --frequency medium --frequency minimal \\
          --width 50 --width 80 --rules
        replay what-if flight.jsonl --link geo-bad --link leo --tariff session --json
        replay what-if flight.jsonl --frequency medium --view rarer.html
        replay what-if flight.jsonl --frequency medium --out rarer.jsonl &&
          replay bytes rarer.jsonl

      EXIT STATUS
        0   success
        1   too little is known of an alternative for a verdict
        2   a recording can't be read, diverges or is incomplete, or a file can't
            be written
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Option(help: "The update frequency.", completion: .list(["none", "minimal", "medium", "fast"]))
  var frequency: [String] = []
  @Option(help: "The history time.", completion: .list(["0.5h", "1h", "2h", "4h", "6h"]))
  var history: [String] = []
  @Option(help: "The full width of the corridor in nautical miles.") var width: [String] = []
  @Option(help: "The data types.", completion: .list(DataTypeOptions.names.map(\.name) + ["all", "none"]))
  var types: [String] = []
  @Option(
    help: "The severities of turbulence.",
    completion: .list(["all", "none", "light", "light-moderate", "moderate", "moderate-severe"]))
  var severities: [String] = []
  @Option(help: "The viewport: off.", completion: .list(["off"]))
  var viewport: [String] = []
  @Option(help: "What the server offers.", completion: .list(["json", "compact"]))
  var wire: [String] = []
  @Option(help: "How client and server keep areas up to date.", completion: .list(["seed", "before", "now"]))
  var policy: [String] = []
  @Option(help: "A link instead of the recorded one, by name or as a JSON file.", completion: Models.links) var link:
    [String] = []
  @Option(help: "The time after the start from which the settings apply.") var from: String?
  @Option(help: "The time after the start until which the settings apply.") var until: String?
  @Option(help: "The tariff, by name or as a JSON file.", completion: Models.tariffs) var tariff = "volume"
  @Option(help: "The number of runs of each alternative, 1 to 100. More runs give steadier intervals.") var runs = 5
  @Option(help: "The seed of what the recording leaves open.") var seed: UInt64 = 1
  @Flag(help: "Show requests and bytes by scope and rule.") var rules = false
  @Flag(help: "Print one JSON object a line for each alternative.") var json = false
  @Option(
    name: .shortAndLong, help: "Write the alternative as a recording. There must be one file and one alternative.",
    completion: .file())
  var out: String?
  @Option(
    help: "Write a page that shows the recording and the alternative. There must be one file and one alternative.",
    completion: .file())
  var view: String?

  func validate() throws {
    guard (1...100).contains(runs) else { throw ValidationError("--runs: \(runs) is invalid; expected 1 to 100") }
  }

  func run() throws {
    let alternatives = try alternatives()
    let tariff = try Models.tariff(self.tariff)
    let paths = try Recordings.paths(files)
    if let option = out == nil ? view == nil ? nil : "--view" : "--out", paths.count != 1 || alternatives.count != 1 {
      throw ValidationError(
        "\(option): there are \(paths.count) recordings and \(alternatives.count) alternatives; give one of each")
    }
    var isKnown = true
    for (index, path) in paths.enumerated() {
      Terminal.progress("\(index + 1) of \(paths.count): \(path)")
      do {
        let flight = try RecordedFlight(path: path)
        let length = flight.endMS - flight.startMS
        for alternative in alternatives where alternative.span?.lowerBound ?? 0 > length {
          throw ValidationError(
            "--from is beyond the end of \(path), which is \(Words.offset(length)). Give an earlier time.")
        }
        var whatIf = WhatIf(flight, tariff: tariff)
        whatIf.runs = runs
        whatIf.seed = seed
        var report = WhatIfReport(whatIf, try whatIf.predictions(alternatives, threads: Machine.coreCount))
        report.showsRules = rules
        isKnown = isKnown && report.predictions.allSatisfy(\.hasVerdict)
        Terminal.clearProgress()
        if index > 0, !json { print() }
        print(json ? report.json : Words.page(report.text), terminator: "")
        if let out { _ = try whatIf.write(alternatives[0], to: out) }
        if let view { try show(alternatives[0], of: whatIf, in: view) }
      } catch let error as WhatIfError {
        throw Failure(message: error.description, exitCode: 2)
      }
    }
    if !isKnown { throw ExitCode(1) }
  }

  /// Writes a page with the recording and the alternative.
  private func show(_ alternative: Alternative, of whatIf: WhatIf, in page: String) throws {
    do {
      let slash = page.lastIndex(of: "/")
      let scratch = try ScratchDirectory(in: slash.map { String(page[...$0]) } ?? ".")
      var other = try withExtendedLifetime(scratch) {
        let path = scratch.path + "/alternative.jsonl"
        _ = try whatIf.write(alternative, to: path)
        return try FlightSource(path: path)
      }
      other.title = alternative.name
      let count = try Page.write([try FlightSource(path: whatIf.flight.path), other], to: page)
      Terminal.write("\(page): \(count / 1000) KB\n")
    } catch let error as StorageError {
      throw Failure(message: "\(page): it can't be written: \(error). Check the free disk space.", exitCode: 2)
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
  }

  /// Each value of each option with each of the others.
  private func alternatives() throws -> [Alternative] {
    let options: [(String, [String])] = [
      ("frequency", frequency), ("history", history), ("width", width), ("types", types), ("severities", severities),
      ("viewport", viewport), ("wire", wire), ("policy", policy), ("link", link),
      ("from", from.map { [$0] } ?? []),
      ("until", until.map { [$0] } ?? []),
    ]
    var alternatives = [Alternative()]
    for (name, values) in options where !values.isEmpty {
      guard alternatives.count * values.count <= 10_000 else {
        throw ValidationError("there are more than 10,000 alternatives; give fewer values")
      }
      alternatives = try alternatives.flatMap { base in
        try values.map { value in
          var alternative = base
          do throws(InputError) {
            try alternative.set(name, value) { (name) throws(InputError) in try Models.link(name) }
          } catch {
            throw ValidationError("--\(error)")
          }
          return alternative
        }
      }
    }
    guard alternatives.count == 1, alternatives[0].isRecorded else { return alternatives }
    return ["medium", "minimal", "none"].map { name in
      var alternative = Alternative()
      alternative.frequency = .init(rawValue: name)
      return alternative
    }
  }
}

/// Links and tariffs by name, or from files.
enum Models {
  static let links = CompletionKind.custom { _, _, prefix in completions(of: prefix, and: LinkModel.all.map(\.name)) }
  static let tariffs = CompletionKind.custom { _, _, prefix in completions(of: prefix, and: Tariff.all.map(\.name)) }

  static func link(_ name: String) throws(InputError) -> LinkModel {
    if let known = LinkModel.named(name) { return known }
    return try LinkModel(json: try contents(name), name: name)
  }

  static func tariff(_ name: String) throws -> Tariff {
    if let known = Tariff.named(name) { return known }
    do throws(InputError) {
      return try Tariff(json: try contents(name), name: name)
    } catch {
      throw ValidationError("--tariff: \(error); expected \(Tariff.all.map(\.name).joined(separator: ", ")), or a file")
    }
  }

  private static func contents(_ path: String) throws(InputError) -> [UInt8] {
    do throws(StorageError) {
      return try POSIXStorage().contents(of: path)
    } catch {
      throw InputError(.model, at: path, error.message)
    }
  }
}

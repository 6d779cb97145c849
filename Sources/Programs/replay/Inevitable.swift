import ArgumentParser
import ContrailCore
import ContrailField
import ContrailLog
import ContrailReplay
import ContrailWire

struct Inevitable: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find the line from which on nearly all futures of a flight end in an outcome.",
    discussion: """
      Expired data, a finding of 'replay check' or an unwanted request is a symptom. From lines all over the recorded flight, the \
      real engine flies on in many other worlds: the link and the service are as recorded at another time of this flight, or as in a \
      model; reports arrive at other times that the recorded answers allow. The cause is the line from which on nearly all of \
      these futures end in the outcome.

      OUTCOMES
        --state no-data@3h10m         the corridor shows nothing valid then; --scope
                                      means another scope
        --state older=30m@3h10m       what it shows is older than that
        --state rule=countDiffers:full@2h
                                      a decision of a rule, of a mode, by a time
        --finding 1                   a finding of 'replay check', by its number,
                                      in a log that today's engine repeats
        --divergence                  the decision that today's engine makes instead
                                      of the recorded one, if it is one that this
                                      flight rarely makes; lines after it say nothing
      Without an option: the divergence, or else the first finding.

      What the application does stays as recorded. If nearly all futures end so from the first line on, settings of the application \
      are left out, one at a time. Trouble that has begun lasts as recorded. The last chance is the last time from which on a \
      link and a service without faults would have avoided the outcome.

      EXAMPLES
        replay inevitable flight.jsonl --state no-data@t+03:10:00
        replay inevitable flight.jsonl --finding 1 --futures 100 --link geo-bad
        replay inevitable flight.jsonl --state older=1h@2h --every --json

      EXIT STATUS
        0   the line is found
        1   no line before the outcome makes it inevitable
        2   the recording can't be read or is incomplete, or doesn't end so
        64  invalid arguments
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(help: "A state or a decision: \(FlightOutcome.forms).")
  var state: String?
  @Option(
    help: "The scope of --state. Default: the corridor; for a rule, any.",
    completion: .list(
      ["corridor", "viewport"] + DataHistoryTime.allCases.map { ScopeID.global($0).name } + ["outbox", "airports"]))
  var scope: String?
  @Option(help: "The number of a finding of 'replay check', from 1 on.")
  var finding: Int?
  @Flag(help: "The first divergence of 'replay run'.")
  var divergence = false

  @Option(help: "The number of futures from a line, 4 to 1000.")
  var futures = 40
  @Option(help: "The share of futures that are nearly all, in percent, 51 to 100.")
  var share = 95
  @Option(
    help: "A link of half of the futures, by name or as a JSON file. Default: each of the models.",
    completion: Models.links)
  var link: [String] = []
  @Flag(help: "Only the recorded link and service, at other times of this flight.")
  var onlyRecorded = false
  @Option(help: "The seed of what is drawn.")
  var seed: UInt64 = 1
  @Flag(help: "Fly on from every line, instead of narrowing the place down. Takes long.")
  var every = false
  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard [state != nil, finding != nil, divergence].count(where: { $0 }) <= 1 else {
      throw ValidationError("Give one of --state, --finding and --divergence.")
    }
    guard (4...1000).contains(futures) else {
      throw ValidationError("--futures: \(futures) is invalid; expected 4 to 1000")
    }
    guard (51...100).contains(share) else { throw ValidationError("--share: \(share) is invalid; expected 51 to 100") }
    guard link.isEmpty || !onlyRecorded else { throw ValidationError("--link and --only-recorded exclude each other.") }
    if scope != nil, state == nil { throw ValidationError("--scope belongs to --state.") }
    _ = try givenState()
  }

  private func givenState() throws -> FlightOutcome? {
    var id: ScopeID?
    if let scope {
      id = ScopeID(name: scope)
      guard id != nil else {
        throw ValidationError("--scope: '\(scope)' is no scope, such as corridor, viewport or global.7200.")
      }
    }
    do throws(InputError) {
      return try state.map { (text) throws(InputError) in try FlightOutcome(text, scope: id) }
    } catch {
      throw ValidationError("--\(error)")
    }
  }

  func run() throws {
    do {
      let (outcome, flight) = try subject()
      var inevitability = try Inevitability(flight, outcome)
      inevitability.futures = futures
      inevitability.threshold = Double(share) / 100
      inevitability.seed = seed
      if onlyRecorded { inevitability.links = [] }
      if !link.isEmpty {
        do throws(InputError) {
          inevitability.links = try link.map { (name) throws(InputError) in try Models.link(name) }
        } catch {
          throw ValidationError("--link: \(error)")
        }
      }
      if every { inevitability.gridCount = nil }
      let verdict = try inevitability.verdict(threads: Machine.coreCount) { Terminal.progress("\(file): \($0)") }
      Terminal.clearProgress()
      print(json ? verdict.json : Words.page(verdict.text), terminator: "")
      if verdict.cause == nil { throw ExitCode(1) }
    } catch let error as WhatIfError {
      throw Failure(message: error.description, exitCode: 2)
    }
  }

  /// The outcome, and the flight.
  private func subject() throws -> (FlightOutcome, RecordedFlight) {
    if let outcome = try givenState() { return (outcome, try RecordedFlight(path: file)) }
    let summary = FlightSummary(path: file)
    if case .unreadable(let fault) = summary.outcome { throw Failure.unreadable(fault) }
    if finding == nil, case .diverged(let found, _) = summary.outcome {
      switch found.difference {
      case .decision(_, let now), .missing(let now):
        let flight = try RecordedFlight(path: file, mayDiverge: true)
        let outcome = FlightOutcome.decision(.init(like: now), fromMS: found.offsetMS, byMS: nil)
        let usual = try outcome.count(inRecordingAt: file)
        guard usual <= Self.rare else {
          throw Failure(
            message:
              "\(file): at seq \(found.seq), today's engine makes a decision that this flight makes \(usual) times: \(outcome.words). "
              + "Each future has one, so that none shows a cause. 'replay run' names the inputs from which the difference comes.",
            exitCode: 2)
        }
        return (outcome, flight)
      case .unexpected, .records, .control:
        throw Failure(
          message:
            "\(file): at seq \(found.seq), today's engine makes no decision instead of the recorded one, so that "
            + "no future can end in it. 'replay run' names the inputs from which the difference comes.",
          exitCode: 2)
      }
    }
    if divergence { throw Failure(message: "\(file): the recording doesn't diverge.", exitCode: 2) }
    let number = finding ?? 1
    guard summary.findings.indices.contains(number - 1) else {
      throw Failure(
        message: "\(file): there is no finding \(number), but \(summary.findings.count). Give a state with --state.",
        exitCode: 2)
    }
    if case .diverged(let found, _) = summary.outcome {
      throw Failure(
        message:
          "\(file): from seq \(found.seq) on, today's engine decides otherwise, so that the finding needn't come again. "
          + "Give what the application saw with --state, or fly it with the engine that wrote the log.",
        exitCode: 2)
    }
    return (.finding(summary.findings[number - 1]), try RecordedFlight(path: file))
  }

  /// A decision that a flight makes more often comes in every future, so that no line is its cause.
  private static let rare = 2
}

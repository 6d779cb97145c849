import ArgumentParser
import ContrailField
import ContrailLog
import ContrailReplay

struct Inject: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fly a recorded flight again with trouble put in, and judge it by the guarantees of 'replay check'.",
    discussion: """
      The same application, device and engine, and a server reconstructed from the recorded answers, as in 'replay what-if'. \
      Until the first trouble, the flight is the recorded one, bit for bit. From then on the engine decides, and the world that \
      the log tells of answers. It holds requests as their terms say. 'replay check' lists the guarantees.

      TROUBLE
        --outage t+1h..t+1h20m           no link, and the device knows
        --fault status=503@t+1h..t+2h    wrong answers to the requests of that time
        --fault gone@t+1h                or to the first request after it
        --kill t+1h                      the process ends and is launched again
        --from-seed 7                    one to three of them, drawn by a seed
        --sweep                          a flight for each minute with an outage then

      Each option can be given several times; all trouble is in one flight. The faults are \(InjectedFault.forms). A fault that \
      doesn't apply to an answer changes nothing: polygons and weather have no watermark.

      WITHOUT is the time for which an area was wanted, and nothing valid was shown.

      EXAMPLES
        replay inject flight.jsonl --outage t+1h..t+1h20m --kill t+70m
        replay inject flight.jsonl --fault garble@t+30m..t+40m --out garbled.jsonl &&
          replay why garbled.jsonl --request 9
        replay inject flight.jsonl --from-seed 1 --runs 100
        replay inject flight.jsonl --sweep --length 20m --json |
          jq -s 'max_by(.withoutMS).troubles'

      EXIT STATUS
        0   every flight keeps the guarantees
        1   findings
        2   the recording can't be read, diverges or is incomplete, or the output
            can't be written
        64  invalid arguments
      """)

  @Argument(help: "A recording.", completion: .file())
  var file: String

  @Option(
    parsing: .unconditionalSingleValue, help: "An outage of the link, from one time to another.") var outage: [String] =
      []
  @Option(
    help: "A fault of the answers, at a time or from one time to another.",
    completion: .list(InjectedFault.names))
  var fault: [String] = []
  @Option(
    parsing: .unconditionalSingleValue, help: "A time at which the process ends and is launched again.") var kill:
    [String] = []
  @Option(help: "Draw the trouble by a seed.") var fromSeed: UInt64?
  @Option(help: "The number of flights with --from-seed; each has the next seed.") var runs = 1
  @Flag(help: "Put an outage at every minute of the flight.") var sweep = false
  @Option(help: "The length of the outages of --sweep, such as 90s or 20m.") var length = "20m"
  @Flag(help: "Print one JSON object for the recorded flight and one for each other flight, each on a line.")
  var json = false
  @Option(name: .shortAndLong, help: "Write the flight as a recording. There must be one.", completion: .file())
  var out: String?

  func validate() throws {
    let isGiven = !outage.isEmpty || !fault.isEmpty || !kill.isEmpty
    guard [isGiven, fromSeed != nil, sweep].count(where: { $0 }) == 1 else {
      throw ValidationError("Give trouble (--outage, --fault, --kill), or --from-seed, or --sweep.")
    }
    guard (1...100_000).contains(runs), runs == 1 || fromSeed != nil else {
      throw ValidationError("--runs: \(runs) is invalid; expected 1 to 100,000, with --from-seed")
    }
    if out != nil, sweep || runs > 1 {
      throw ValidationError("--out: there are several flights; give the trouble of one")
    }
    _ = try troubles()
    _ = try sweepLength()
  }

  func run() throws {
    let exitCode: Int32
    do {
      let injection = try Injection(path: file)
      let plans = try plans(injection)
      if fromSeed == nil, !sweep { try check(plans[0], injection) }
      let flights = try injection.flyAll(plans, threads: Machine.coreCount) { count in
        Terminal.progress("flight \(count) of \(plans.count)")
      }
      Terminal.clearProgress()
      let report = InjectionReport(injection, flights)
      print(json ? report.json : Words.page(report.text), terminator: "")
      if let out { try injection.write(plans[0], to: out) }
      exitCode = report.exitCode
    } catch let error as WhatIfError {
      throw Failure(message: error.description, exitCode: 2)
    }
    if exitCode != 0 { throw ExitCode(exitCode) }
  }

  /// Refuses trouble that begins after the end of the flight, which would change nothing, and says what is cut there.
  private func check(_ troubles: [Trouble], _ injection: Injection) throws {
    for trouble in troubles where trouble.span.lowerBound > injection.lengthMS {
      throw ValidationError(
        "The trouble at \(Words.offset(trouble.span.lowerBound)) is beyond the end of the flight, which is "
          + "\(Words.offset(injection.lengthMS)). Give an earlier time.")
    }
    // A fault at a time is for the next request, whenever it comes.
    for trouble in troubles where !trouble.isOnce && trouble.span.upperBound > injection.lengthMS + 1 {
      Terminal.write(
        Words.page(
          "\(trouble.name) is cut at the end of the flight, which is \(Words.offset(injection.lengthMS)).\n"))
    }
  }

  private func plans(_ injection: Injection) throws -> [[Trouble]] {
    if sweep { return injection.sweep(outageMS: try sweepLength()) }
    guard let fromSeed else { return [try troubles()] }
    return (0..<UInt64(runs)).map { Trouble.drawn(seed: fromSeed &+ $0, lengthMS: injection.lengthMS) }
  }

  private func troubles() throws -> [Trouble] {
    do throws(InputError) {
      var troubles: [Trouble] = []
      for (option, values) in [("outage", outage), ("fault", fault), ("kill", kill)] {
        for value in values { troubles.append(try Trouble(option, value)) }
      }
      return troubles
    } catch {
      throw ValidationError("--\(error)")
    }
  }

  private func sweepLength() throws -> Int64 {
    do throws(InputError) {
      return try Trouble("outage", "0s..\(length)").span.upperBound
    } catch {
      throw ValidationError("--length: '\(length)' is invalid; expected a duration such as 90s or 20m")
    }
  }
}

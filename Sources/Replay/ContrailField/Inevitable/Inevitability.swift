import ContrailCore
import ContrailReplay
import ContrailWire

/// Finds the line from which on nearly all futures of a flight end in an outcome.
///
/// From chosen lines of the recorded flight, the same engine flies on in other worlds: the link is the recorded one of another time, or a
/// model's, and reports arrive at other times within what the recorded answers allow. What the application does stays as recorded,
/// and trouble that has begun lasts as recorded.
///
/// ```swift
/// let inevitability = Inevitability(flight, .withoutData(.corridor, atMS: 7_200_000))
/// print(try inevitability.verdict().text)
/// ```
package struct Inevitability: Sendable {
  package let flight: RecordedFlight
  package let outcome: FlightOutcome
  /// The number of futures from a line.
  package var futures = 40
  /// The share of futures that counts as nearly all.
  package var threshold = 0.95
  /// The links of futures besides the recorded one.
  package var links = LinkModel.all
  package var seed: UInt64 = 1
  /// The number of lines from which futures start before the place is narrowed down; nil for every line.
  package var gridCount: Int? = 24

  private let whatIf: WhatIf
  /// The lines of the log but marks.
  private let lines: [LogPlace]

  /// The place of a line.
  package struct LogPlace: Sendable, Hashable {
    package let seq: Int64
    package let at: Int64
  }

  /// Reads the places of the lines.
  ///
  /// - Throws: ``WhatIfError`` if the log can't be read.
  package init(_ flight: RecordedFlight, _ outcome: FlightOutcome) throws(WhatIfError) {
    self.flight = flight
    self.outcome = outcome
    whatIf = WhatIf(flight)
    var lines: [LogPlace] = []
    do throws(UnreadableRecording) {
      let reader = try RecordingReader(path: flight.path)
      while let entry = try reader.next() {
        if case .mark = entry.record.event { continue }
        lines.append(LogPlace(seq: entry.record.seq, at: entry.record.at))
      }
    } catch {
      throw .unreadable(error)
    }
    self.lines = lines
  }

  /// The futures from one line.
  package struct Fork: Sendable {
    /// The last line that all futures share.
    package let place: LogPlace
    /// The first line of the turn: its input.
    package let input: LogPlace
    package let count: Int
    /// The number of futures that end in the outcome.
    package let ended: Int
    /// The numbers by link.
    package let byLink: [String: (ended: Int, count: Int)]
    /// The share of the futures' received bytes that the recording determines; nil if nothing was received.
    package let knownShare: Double?
    /// The number of steps before the fork.
    let step: Int

    package var share: Double { Double(ended) / Double(max(count, 1)) }
  }

  /// An input without which the outcome isn't inevitable.
  package struct Omission: Sendable {
    package let place: LogPlace
    package let ended: Int
    package let count: Int
  }

  package struct Verdict: Sendable {
    package let outcome: FlightOutcome
    package let path: String
    package let startMS: Int64
    package let threshold: Double
    /// The last line by the time at which the outcome shows.
    package let symptom: LogPlace
    /// The time at which the outcome shows, in milliseconds since 1970.
    package let symptomMS: Int64
    /// The lines that were tried, in their order.
    package let forks: [Fork]
    /// The last tested line from which most futures avoid the outcome; nil without such a line.
    package let before: Fork?
    /// The first line after which nearly all futures end in the outcome; nil without such a line.
    package let cause: Fork?
    /// The last time at which a link that works from then on avoids the outcome, in milliseconds since 1970; nil if there is none.
    package let lastChanceMS: Int64?
    /// The inputs without which fewer futures end in the outcome, if nearly all do from the first line on.
    package let omissions: [Omission]
    /// The number of inputs that were left out, one at a time.
    package let omissionTrials: Int
    /// Descriptions of lines, by their `seq`.
    package let words: [Int64: String]
  }

  /// The time at which the outcome is decided, in milliseconds since 1970.
  private var deadline: Int64 { min(outcome.deadlineMS.map { flight.startMS + $0 } ?? flight.endMS, flight.endMS) }

  // MARK: Flying

  /// A flight, and what its lines showed so far.
  private struct Course: @unchecked Sendable {
    // The flight has a closure only while a thread of its own flies it.
    var flown: AlternativeFlight
    var watch: OutcomeWatch
    var step = 0
  }

  private func begin() -> Course {
    Course(flown: whatIf.begun(whatIf.server(run: 0)), watch: OutcomeWatch(outcome, flight))
  }

  /// Takes the next event of the recorded flight.
  private func advance(_ course: inout Course) throws(WhatIfError) -> Bool {
    let box = WatchBox(course.watch)
    course.flown.watchLines { record, state in box.watch.take(record, state) }
    defer {
      course.flown.watchLines(nil)
      course.watch = box.watch
    }
    guard try course.flown.step(until: deadline) else { return false }
    course.step += 1
    return true
  }

  /// The future of a number, from a course.
  private func future(_ number: Int, of course: Course, at time: Int64) -> LinkCourse {
    let trouble = flight.troubleEnd(at: time, isOnline: course.flown.state.isOnline)
    let from = trouble.map { $0 + 1 } ?? time
    let draw = Digest.mix(seed ^ Digest.mix(UInt64(number) ^ 0x6675_7475_7265))
    if number % 2 == 1, !links.isEmpty {
      return LinkCourse(link: .model(links[number / 2 % links.count]), from: from, seed: draw)
    }
    let length = UInt64(max(flight.endMS - flight.startMS, 1))
    return LinkCourse(link: .moved(byMS: Int64(draw % length)), from: from, seed: Digest.mix(draw))
  }

  /// Flies a future to the end, and returns whether it ends in the outcome.
  private func ends(
    _ course: Course, _ link: LinkCourse, _ server: WorldServer, at time: Int64 = 0
  ) throws(WhatIfError) -> (met: Bool, known: Double, received: Double) {
    var flown = course.flown
    let box = WatchBox(course.watch)
    let before = flown.knowledge.down
    flown.depart(on: link, server, at: time) { record, state in box.watch.take(record, state) }
    while !box.watch.isMet, try flown.step(until: deadline) {}
    let after = flown.knowledge.down
    let unknown = after.unknown - before.unknown
    let received = after.recorded + after.derivable - before.recorded - before.derivable + unknown
    // An area that nobody wants avoids nothing.
    let isMet = outcome.isMoot(flown.state) || outcome.isMet(flown.state, at: deadline) ?? box.watch.isMet
    return (isMet, received - unknown, received)
  }

  private func fork(
    _ course: Course, servers: [WorldServer], count: Int, threads: Int, firstLine: Int
  ) throws(WhatIfError) -> Fork {
    let results = ParallelWork.results(count, threads: threads) {
      number -> Result<(link: String, met: Bool, known: Double, received: Double), WhatIfError> in
      let link = future(number, of: course, at: course.flown.now)
      do throws(WhatIfError) {
        let (met, known, received) = try ends(course, link, servers[number % servers.count])
        return .success((link.link.name, met, known, received))
      } catch {
        return .failure(error)
      }
    }
    var byLink: [String: (ended: Int, count: Int)] = [:]
    var (ended, known, received) = (0, 0.0, 0.0)
    for result in results {
      let it = try result.get()
      byLink[it.link, default: (0, 0)].count += 1
      byLink[it.link, default: (0, 0)].ended += it.met ? 1 : 0
      ended += it.met ? 1 : 0
      known += it.known
      received += it.received
    }
    return Fork(
      place: line(course.flown.lineCount - 1), input: line(firstLine), count: count, ended: ended, byLink: byLink,
      knownShare: received > 0 ? known / received : nil, step: course.step)
  }

  /// The place of a line of the flight; the flight has no marks.
  private func line(_ index: Int) -> LogPlace {
    lines[min(max(index, 0), lines.count - 1)]
  }

  // MARK: The verdict

  /// Flies the futures, and returns from which line on nearly all end in the outcome.
  ///
  /// - Parameters:
  ///   - threads: The number of futures at the same time.
  ///   - progress: Receives what is being done.
  /// - Throws: ``WhatIfError``, also if the recorded flight itself doesn't end in the outcome.
  /// - Complexity: O(*f* · *n* · log *n*) for *f* futures of a flight with *n* lines.
  package func verdict(threads: Int = 1, progress: (String) -> Void = { _ in }) throws(WhatIfError) -> Verdict {
    // The recorded flight: its steps, and where it shows the outcome.
    var recorded = begin()
    var shownAtStep: Int?
    while try advance(&recorded) {
      if shownAtStep == nil, recorded.watch.isMet { shownAtStep = recorded.step }
    }
    let isMet = outcome.isMet(recorded.flown.state, at: deadline) ?? recorded.watch.isMet
    guard isMet else {
      throw .inapplicable(
        path: flight.path, alternative: outcome.words, reason: "the recorded flight doesn't end so")
    }
    let steps = shownAtStep.map { max($0 - 1, 1) } ?? recorded.step
    let shown = recorded.watch.metLine.map(line)
    let symptomMS = shown?.at ?? outcome.since(recorded.flown.state) ?? recorded.flown.now
    let symptom = shown ?? lines[..<recorded.flown.lineCount].last { $0.at <= symptomMS } ?? line(0)
    let servers = (0..<min(futures, 20)).map { whatIf.server(run: $0) }

    // From lines over the whole flight.
    var forks: [Fork] = []
    var low: Course?
    var course = begin()
    let grid = gridSteps(steps)
    for (index, step) in grid.enumerated() {
      let firstLine = try fly(&course, to: step)
      progress("futures of line \(index + 1) of \(grid.count)")
      let fork = try fork(course, servers: servers, count: futures, threads: threads, firstLine: firstLine)
      forks.append(fork)
      if fork.share < threshold { low = course }
    }
    // Between the last line with fewer and the next.
    let high = forks.first { $0.step > low?.step ?? -1 }
    if var below = low, var above = high?.step {
      while above - below.step > 1 {
        var middle = below
        let firstLine = try fly(&middle, to: (below.step + above) / 2)
        progress("futures between \(above - below.step) lines")
        let fork = try fork(middle, servers: servers, count: futures, threads: threads, firstLine: firstLine)
        forks.append(fork)
        if fork.share < threshold { below = middle } else { above = middle.step }
      }
    }
    forks.sort { $0.step < $1.step }
    let before = forks.last { $0.share < threshold }
    let cause = forks.first { $0.step > before?.step ?? -1 }
    let (omissions, trials) =
      before == nil ? try omit(servers, steps: steps, threads: threads, progress) : ([], 0)
    progress("the last chance")
    let lastChance = try lastChance(from: cause?.step ?? before?.step ?? 0, servers[0])
    let told = [symptom.seq] + forks.flatMap { [$0.input.seq, $0.place.seq] } + omissions.map(\.place.seq)
    return Verdict(
      outcome: outcome, path: flight.path, startMS: flight.startMS, threshold: threshold, symptom: symptom,
      symptomMS: symptomMS, forks: forks, before: before, cause: cause, lastChanceMS: lastChance,
      omissions: omissions, omissionTrials: trials, words: try words(of: Set(told)))
  }

  /// The steps after which futures start: evenly over the flight, the first and the last among them.
  private func gridSteps(_ steps: Int) -> [Int] {
    guard let gridCount, gridCount < steps else { return Array(1...max(steps, 1)) }
    let count = max(gridCount, 2)
    return (0..<count).map { 1 + ($0 * (steps - 1)) / (count - 1) }
  }

  /// Flies to a step, and returns the index of the first line of that step.
  private func fly(_ course: inout Course, to step: Int) throws(WhatIfError) -> Int {
    var firstLine = max(course.flown.lineCount - 1, 0)
    while course.step < step {
      firstLine = course.flown.lineCount
      guard try advance(&course) else { break }
    }
    return firstLine
  }

  /// Returns the last time at which a link that works from then on avoids the outcome.
  private func lastChance(from step: Int, _ server: WorldServer) throws(WhatIfError) -> Int64? {
    var course = begin()
    _ = try fly(&course, to: step)
    func avoids(_ time: Int64) throws(WhatIfError) -> Bool {
      var course = course
      // Events by that time happen as recorded.
      while course.flown.nextEventAt <= time, try advance(&course) {}
      return try !ends(course, LinkCourse(link: .perfect, from: time), server, at: time).met
    }
    var (good, bad) = (course.flown.now, deadline)
    guard good < bad, try avoids(good) else { return nil }
    while bad - good > 1000 {
      let middle = good + (bad - good) / 2
      if try avoids(middle) { good = middle } else { bad = middle }
    }
    return good
  }

  // MARK: Inputs that are left out

  /// The maximum number of inputs that are left out.
  package static let maximumOmissions = 200

  /// Leaves out one setting of the application at a time.
  private func omit(
    _ servers: [WorldServer], steps: Int, threads: Int, _ progress: (String) -> Void
  ) throws(WhatIfError) -> (omissions: [Omission], trials: Int) {
    let settings = flight.inputs.indices.filter {
      flight.inputs[$0].at <= deadline && flight.inputs[$0].input.isSetting
    }
    let count = min(futures, 20)
    var omissions: [Omission] = []
    var course = begin()
    var trials = 0
    for index in settings.suffix(Self.maximumOmissions) {
      while course.flown.nextInput < index || course.flown.nextEventAt < flight.inputs[index].at {
        guard try advance(&course) else { break }
      }
      guard course.flown.nextInput == index, course.step < steps else { continue }
      var without = course
      without.flown.skipInput()
      trials += 1
      progress("without input \(trials) of \(min(settings.count, Self.maximumOmissions))")
      let fork = try fork(
        without, servers: servers, count: count, threads: threads, firstLine: course.flown.lineCount)
      guard fork.share < threshold else { continue }
      let place = LogPlace(seq: flight.inputs[index].seq, at: flight.inputs[index].at)
      omissions.append(Omission(place: place, ended: fork.ended, count: fork.count))
    }
    return (omissions.sorted { ($0.ended, $1.place.seq) < ($1.ended, $0.place.seq) }, trials)
  }

  /// Returns the descriptions of lines.
  private func words(of seqs: Set<Int64>) throws(WhatIfError) -> [Int64: String] {
    var words: [Int64: String] = [:]
    do throws(UnreadableRecording) {
      let reader = try RecordingReader(path: flight.path)
      var replayer = Replayer()
      while words.count < seqs.count, let entry = try reader.next() {
        if seqs.contains(entry.record.seq) {
          switch entry.record.event {
          case .input(let input): words[entry.record.seq] = input.words(replayer.state)
          case .decision(let decision): words[entry.record.seq] = "\(decision.scope.name) \(decision.words)"
          case .mark: break
          }
        }
        replayer.fold(entry)
      }
    } catch {
      throw .unreadable(error)
    }
    return words
  }
}

/// Watches the lines of a flight for an outcome that lines show.
struct OutcomeWatch: Sendable {
  private let outcome: FlightOutcome
  private let byMS: Int64
  private let fromMS: Int64
  private var judge: FlightJudge?
  private var lineCount = 0
  private(set) var isMet = false
  /// The index of the line that shows the outcome.
  private(set) var metLine: Int?

  init(_ outcome: FlightOutcome, _ flight: RecordedFlight) {
    self.outcome = outcome
    byMS = outcome.deadlineMS.map { flight.startMS + $0 } ?? .max
    if case .decision(_, let from, _) = outcome { fromMS = flight.startMS + from } else { fromMS = flight.startMS }
    guard case .finding = outcome else { return }
    var judge = FlightJudge()
    if flight.initial.session != nil {
      judge.watch(
        Record(seq: flight.initial.nextSeq - 1, at: flight.startMS, event: .mark(.snapshotEnded)),
        at: .init(file: flight.path, line: 0), state: flight.initial)
    }
    self.judge = judge
  }

  mutating func take(_ record: Record, _ state: State) {
    lineCount += 1
    guard !isMet else { return }
    switch outcome {
    case .withoutData, .older: return
    case .decision(let pattern, _, _):
      guard record.at >= fromMS, record.at <= byMS, case .decision(let decision) = record.event else { return }
      isMet = pattern.matches(decision)
    case .finding(let finding):
      judge?.watch(record, at: .init(file: "", line: lineCount), state: state)
      isMet =
        judge?.findings.contains {
          $0.guarantee == finding.guarantee && $0.rule == finding.rule && $0.scope == finding.scope
        } ?? false
    }
    if isMet { metLine = lineCount - 1 }
  }
}

/// A watch that a closure changes.
private final class WatchBox {
  var watch: OutcomeWatch

  init(_ watch: OutcomeWatch) { self.watch = watch }
}

extension LinkCourse.Link {
  /// The name in reports.
  var name: String {
    switch self {
    case .moved: "as recorded at another time"
    case .model(let model): model.name
    case .perfect: "perfect"
    }
  }
}

extension Input {
  /// Whether the application or the system sets something.
  fileprivate var isSetting: Bool {
    switch self {
    case .queryChanged, .historyChanged, .frequencyChanged, .refreshRequested, .credentialsChanged, .listeningChanged,
      .backgroundChanged, .budgetChanged, .linkChanged, .clockAdjusted:
      true
    default: false
    }
  }
}

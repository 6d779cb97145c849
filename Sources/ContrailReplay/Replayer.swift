public import ContrailCore
import ContrailLog
import ContrailWire

/// Folds a recording and compares, after each input, what the engine decides now with what the recording says it decided then.
///
/// It follows the recorded timeline: the decisions that are folded in are the recorded ones, whatever the engine says now. So the
/// first ``divergence`` is exact, and what differs after it is ``consequences``.
///
/// ```swift
/// var replayer = Replayer()
/// while let entry = try reader.next() { replayer.fold(entry) }
/// replayer.finish()
/// ```
///
/// A decision may be missing only at the end of what a process wrote: before `session.started`, and at the recording's end.
public struct Replayer: Sendable {
  /// The state as the recording has it so far.
  public private(set) var state = State()
  public private(set) var statistics = Statistics()
  /// The first place where engine and recording differ.
  public private(set) var divergence: Divergence?
  public private(set) var consequences = Consequences()
  /// Decisions that a process had taken and did not come to write before it ended.
  public private(set) var unwrittenDecisions = 0
  /// `state.digested` marks that were verified.
  public private(set) var verifiedMarks = 0
  /// Files of airports that were read anew and held against what the recording says was made of them.
  public private(set) var verifiedFiles = 0

  private var turn: Turn?
  /// Where the decision that is due is written, to be compared with its line.
  private var due = JSONWriter()
  /// The last line, and the file that it stands in.
  private var place = Place()
  private var file = ""

  /// Makes a replayer that has read nothing.
  public init() {}

  /// An input and the decisions that are to follow it.
  private struct Turn {
    var seq: Int64
    var input: Input
    /// What it is in words, where they must be said before it is folded in.
    var words: String?
    /// What the engine decides now.
    var expected: [Decision]
    /// How many of them the recording has, one by one.
    var matched = 0
    /// The recording's decisions from the first on that differs.
    var rest: [Recorded] = []
  }

  private struct Recorded {
    var decision: Decision
    var place: Place
    var file: String
  }

  private struct Place {
    var line = 0
    var seq: Int64 = -1
    var at: Int64 = 0
  }

  // MARK: Folding

  /// Takes in the next line.
  ///
  /// - Complexity: that of `State.evolve(_:)` and `State.decide()`; at a `state.digested` mark, of `State.digest` too.
  public mutating func fold(_ entry: RecordingReader.Entry) {
    file = entry.file
    let place = Place(line: entry.line, seq: entry.record.seq, at: entry.record.at)
    fold(entry.record.event, at: place, spelt: entry.isSealedByCRC ? entry.source.payload : nil)
    compare(entry.airports, entry.record.event)
  }

  /// Takes in the next step: as ``fold(_:)`` does with the entry, but the line of a decision isn't read where its bytes are those of
  /// the decision that is due.
  ///
  /// - Throws: ``UnreadableRecording`` where the line of a decision says none.
  mutating func fold(_ step: consuming RecordingReader.Step) throws(UnreadableRecording) {
    if let file = step.file { self.file = file }
    let place = Place(line: step.line, seq: step.seq, at: step.at)
    switch step.content {
    case .event(let event): fold(event, at: place, spelt: nil)
    case .airports(let event, let finding):
      fold(event, at: place, spelt: nil)
      compare(finding, event)
    case .decision(let kind, let payload, let isSealedByCRC):
      if place.seq == state.nextSeq, let decision = dueDecision(kind, payload) {
        self.place = place
        statistics.count(decision, at: place.at)
        turn?.matched += 1
        state.evolve(decision, seq: place.seq, at: place.at)
      } else {
        fold(try read(kind, payload, at: place), at: place, spelt: isSealedByCRC ? payload : nil)
      }
    }
  }

  /// The event that a payload says.
  private func read(
    _ kind: Kind, _ payload: UnsafeRawBufferPointer, at place: Place
  ) throws(UnreadableRecording) -> Event {
    do throws(EventFault) {
      return try Event(kind: kind, payload: payload)
    } catch {
      throw UnreadableRecording(error, file: file, line: place.line, seq: place.seq)
    }
  }

  /// Takes in what a line says.
  ///
  /// - Parameter spelt: The payload of a line whose very bytes count.
  private mutating func fold(_ event: consuming Event, at place: Place, spelt: UnsafeRawBufferPointer?) {
    if statistics.firstAt != nil, place.seq != state.nextSeq { startAnew() }
    self.place = place
    switch consume event {
    case .input(let input):
      statistics.count(input, at: place.at)
      if case .sessionStarted = input { endTurn(mayBeCut: true) } else { endTurn(mayBeCut: false) }
      let words = input.wordsLookBack ? input.words(state) : nil
      state.evolve(input, seq: place.seq, at: place.at)
      turn = Turn(seq: place.seq, input: input, words: words, expected: state.decide())
    case .decision(let decision):
      statistics.count(decision, at: place.at)
      compare(decision, spelt: spelt)
      state.evolve(decision, seq: place.seq, at: place.at)
    case .mark(let mark):
      statistics.countMark(at: place.at)
      state.evolve(mark, seq: place.seq, at: place.at)
      if case .stateDigested(let recorded) = mark { compare(recorded) }
    }
  }

  /// The decision that is due, if the payload is the very bytes that it would be written in.
  private mutating func dueDecision(_ kind: Kind, _ payload: UnsafeRawBufferPointer) -> Decision? {
    // Only what is needed is taken out of the turn: there is much in it.
    guard turn?.rest.isEmpty == true, let expected = turn?.expected, let matched = turn?.matched,
      matched < expected.count
    else { return nil }
    let decision = expected[matched]
    guard decision.kind == kind else { return nil }
    due.removeAll()
    decision.writeMembers(to: &due)
    return due.withBytes { $0.isEqual(to: payload) } ? decision : nil
  }

  /// Lines are missing that a failed sync took: the snapshot that follows stands in for them.
  private mutating func startAnew() {
    endTurn(mayBeCut: true)
    state = State()
  }

  /// Says that no line follows: what is still missing was never written.
  public mutating func finish() { endTurn(mayBeCut: true) }

  private mutating func compare(_ decision: Decision, spelt: UnsafeRawBufferPointer?) {
    if let turn, turn.rest.isEmpty, turn.matched < turn.expected.count,
      Self.isSame(turn.expected[turn.matched], decision, spelt: spelt)
    {
      self.turn?.matched += 1
    } else if turn != nil {
      turn?.rest.append(Recorded(decision: decision, place: place, file: file))
    } else {
      note(.unexpected(recorded: decision), at: place, in: file)
    }
  }

  /// A program's line must have the very bytes; one that was written by hand may be spelt as it likes.
  private static func isSame(_ expected: Decision, _ recorded: Decision, spelt: UnsafeRawBufferPointer?) -> Bool {
    guard let spelt else { return expected == recorded }
    return expected.kind == recorded.kind && spelt.elementsEqual(Event.decision(expected).payload)
  }

  /// Compares what is left of a turn, in pairs as far as they go.
  private mutating func endTurn(mayBeCut: Bool) {
    if turn?.rest.isEmpty == true, turn?.matched == turn?.expected.count { turn = nil }
    guard let turn else { return }
    let missing = turn.expected[turn.matched...]
    if turn.rest.isEmpty && mayBeCut {
      unwrittenDecisions += missing.count
    } else if !(turn.rest.isEmpty && missing.isEmpty) {
      let pairs = DecisionPairs(recorded: turn.rest.map(\.decision), now: Array(missing))
      for pair in pairs.differing {
        let recorded = pair.index.map { turn.rest[$0] }
        note(pair.difference, at: recorded?.place ?? place, in: recorded?.file ?? file)
      }
    }
    self.turn = nil
  }

  // MARK: Airports

  /// Compares what a file gives with what the line says that was made of it.
  private mutating func compare(_ finding: AirportsFinding, _ event: Event) {
    guard finding != .unchecked, case .input(.airportsLoaded(let loaded)) = event else { return }
    verifiedFiles += 1
    guard finding.digest != loaded.digest else { return }
    note(.records(.airports, recorded: loaded.digest, now: finding.digest), at: place, in: file)
  }

  // MARK: Marks

  private mutating func compare(_ recorded: StateDigest) {
    verifiedMarks += 1
    let now = state.digest
    guard now != recorded else { return }
    if divergence != nil {
      consequences.addMark(place.seq)
    } else {
      note(Self.difference(recorded: recorded, now: now), at: place, in: file)
    }
  }

  private static func difference(recorded: StateDigest, now: StateDigest) -> Divergence.Difference {
    let ids = Set(recorded.scopes.map(\.scope)).union(now.scopes.map(\.scope)).sorted()
    for id in ids {
      let a = recorded.scopes.first { $0.scope == id }?.digest
      let b = now.scopes.first { $0.scope == id }?.digest
      if a != b { return .records(id, recorded: a, now: b) }
    }
    return .control(recorded: recorded.control, now: now.control)
  }

  private mutating func note(_ difference: Divergence.Difference, at place: Place, in file: String) {
    guard divergence == nil else {
      consequences.decisions += 1
      return
    }
    divergence = Divergence(
      difference: difference, file: file, line: place.line, seq: place.seq,
      offsetMS: place.at - (statistics.firstAt ?? place.at),
      cause: turn.map { .init(seq: $0.seq, words: $0.words ?? $0.input.words(state)) })
  }
}

package import ContrailCore
import ContrailLog
import ContrailWire

/// Replays a recording and compares the engine's decisions after each input with the recorded ones.
///
/// The replayer always applies the recorded decisions. The first ``divergence`` is therefore exact, and later
/// differences are its ``consequences``.
///
/// ```swift
/// var replayer = Replayer()
/// while let entry = try reader.next() { replayer.fold(entry) }
/// replayer.finish()
/// ```
///
/// Decisions may be missing only at the end of the lines of a process: before `session.started`, and at the end of the
/// recording.
package struct Replayer: Sendable {
  /// The recorded state so far.
  package private(set) var state = State()
  package private(set) var statistics = Statistics()
  /// The first difference between the engine and the recording.
  package private(set) var divergence: Divergence?
  package private(set) var consequences = Consequences()
  /// The number of decisions that a process made but didn't write before it ended.
  package private(set) var unwrittenDecisions = 0
  /// The number of `state.digested` marks that were verified.
  package private(set) var verifiedMarks = 0
  /// The number of airport files that were read again and compared with the recorded result.
  package private(set) var verifiedFiles = 0

  /// The last line, if it was a decision. Only for those who ask by ``keepsPlaces``.
  private(set) var lastDecision: Decision?
  /// The `seq` of each line with a difference, in order of discovery. Only for those who ask by ``keepsPlaces``.
  private(set) var differingSeqs: [Int64] = []
  /// Whether ``lastDecision`` and ``differingSeqs`` are kept.
  private let keepsPlaces: Bool

  private var turn: Turn?
  /// The buffer for the encoding of the expected decision.
  private var due = JSONWriter()
  private var specs: SpecTexts? = SpecTexts()
  /// The last line.
  private var place = Place()
  /// The files of the lines so far.
  private var files: [String] = []

  /// The digest of the state at the end, or `nil` before ``finish()``.
  private(set) var digest: StateDigest?
  /// The recorded digests of the control parts that the digester keeps: those of marks that aren't verified yet.
  private var unverified: [UInt64] = []
  private var digester = StateDigester()
  private let verifiesMarksLater: Bool
  /// Whether a mark that was verified later differs. The recording must then be replayed again, to report it in its
  /// place.
  private(set) var isInDoubt = false

  /// Creates a replayer with an empty state.
  package init() { self.init(keepsPlaces: false) }

  /// The inputs since the last mark that agrees; nil if a state that differs isn't traced to them.
  private var span: Span?

  /// Creates a replayer with an empty state.
  ///
  /// - Parameters:
  ///   - keepsPlaces: Whether to keep the places of all differences, and the last decision.
  ///   - verifiesMarksLater: Whether to hash the control parts of as many marks at once as takes the least time.
  ///     ``isInDoubt`` then says at the end whether one differs.
  ///   - tracesChanges: Whether to compare the digests of the scopes after each input, to name the inputs from which a state that
  ///     differs may come.
  package init(
    keepsPlaces: Bool = false, verifyingMarksLater verifiesMarksLater: Bool = false,
    tracingChanges tracesChanges: Bool = false
  ) {
    self.keepsPlaces = keepsPlaces
    self.verifiesMarksLater = verifiesMarksLater
    if tracesChanges { span = Span() }
  }

  /// The inputs since the last mark that agrees, and which of them changed the records of a scope.
  private struct Span {
    var mark: Int64?
    var digests: [StateDigest.ScopeDigest] = []
    var inputs: [Divergence.Cause] = []
    var changes: [ScopeID: [Divergence.Cause]] = [:]
  }

  /// An input and the decisions expected after it.
  private struct Turn {
    /// The line of the input.
    var place: Place
    var input: Input
    /// The settings before the input, if its description needs them.
    var before: Before
    /// The engine's current decisions.
    var expected: [Decision]
    /// The number of expected decisions that the recording matches so far.
    var matched = 0
    /// The recorded decisions from the first difference on.
    var rest: [Recorded] = []
  }

  /// Settings elsewhere, because few turns have them and turns are moved often.
  private enum Before {
    case none
    indirect case settings(Input.Settings)

    var settings: Input.Settings? { if case .settings(let settings) = self { settings } else { nil } }
  }

  private struct Recorded {
    var decision: Decision
    var place: Place
  }

  private struct Place {
    /// An index into ``files``.
    var file = 0
    var line = 0
    var seq: Int64 = -1
    var at: Int64 = 0
  }

  // MARK: Folding

  /// Applies the next line.
  ///
  /// - Complexity: That of `State.evolve(_:)` and `State.decide()`, and of `State.digest` at a `state.digested` mark.
  package mutating func fold(_ entry: RecordingReader.Entry) {
    if files.last != entry.file { files.append(entry.file) }
    let place = Place(file: files.count - 1, line: entry.line, seq: entry.record.seq, at: entry.record.at)
    fold(entry.record.event, at: place, spelt: entry.hasCRC ? entry.source.payload : nil)
    compare(entry.airports, entry.record.event)
  }

  /// Applies the next step like ``fold(_:)``, but parses a decision only if its bytes differ from the expected
  /// decision.
  ///
  /// - Throws: ``UnreadableRecording`` if the line of a decision can't be decoded.
  mutating func fold(_ step: consuming RecordingReader.Step) throws(UnreadableRecording) {
    if let file = step.file { files.append(file) }
    let place = Place(file: files.count - 1, line: step.line, seq: step.seq, at: step.at)
    switch step.content {
    case .event(let event): fold(event, at: place, spelt: nil)
    case .airports(let event, let finding):
      fold(event, at: place, spelt: nil)
      compare(finding, event)
    case .decision(let kind, let payload, let hasCRC):
      if place.seq == state.nextSeq, let decision = dueDecision(kind, payload) {
        self.place = place
        statistics.count(decision, at: place.at)
        if keepsPlaces { lastDecision = decision }
        turn?.matched += 1
        state.evolve(decision, seq: place.seq, at: place.at)
      } else {
        fold(try read(kind, payload, at: place), at: place, spelt: hasCRC ? payload : nil)
      }
    }
  }

  /// Decodes an event.
  private func read(
    _ kind: Kind, _ payload: UnsafeRawBufferPointer, at place: Place
  ) throws(UnreadableRecording) -> Event {
    do throws(EventError) {
      return try Event(kind: kind, payload: payload)
    } catch {
      throw UnreadableRecording(error, file: files[place.file], line: place.line, seq: place.seq)
    }
  }

  /// Applies an event.
  ///
  /// - Parameter spelt: The payload, if its exact bytes are compared.
  private mutating func fold(_ event: consuming Event, at place: Place, spelt: UnsafeRawBufferPointer?) {
    if statistics.firstAt != nil, place.seq != state.nextSeq { startAnew() }
    self.place = place
    switch consume event {
    case .input(let input):
      statistics.count(input, at: place.at)
      if case .sessionStarted = input { endTurn(mayBeCut: true) } else { endTurn(mayBeCut: false) }
      let before = input.wordsLookBack ? Before.settings(Input.Settings(state)) : .none
      state.evolve(input, seq: place.seq, at: place.at)
      if span != nil { trace(input, before) }
      turn = Turn(place: place, input: input, before: before, expected: state.decide())
    case .decision(let decision):
      statistics.count(decision, at: place.at)
      if keepsPlaces { lastDecision = decision }
      compare(decision, spelt: spelt)
      state.evolve(decision, seq: place.seq, at: place.at)
    case .mark(let mark):
      statistics.countMark(at: place.at)
      state.evolve(mark, seq: place.seq, at: place.at)
      if case .stateDigested(let recorded) = mark { compare(recorded) }
    }
  }

  /// Returns the expected decision if its encoding equals the payload.
  private mutating func dueDecision(_ kind: Kind, _ payload: UnsafeRawBufferPointer) -> Decision? {
    // Copies only the needed members of the turn, which is large.
    guard turn?.rest.isEmpty == true, let expected = turn?.expected, let matched = turn?.matched,
      matched < expected.count
    else { return nil }
    let decision = expected[matched]
    guard decision.kind == kind else { return nil }
    due.removeAll()
    decision.writeMembers(to: &due, &specs)
    return due.withBytes { $0.isEqual(to: payload) } ? decision : nil
  }

  /// Restarts from the next snapshot, which replaces lines lost by a failed sync.
  private mutating func startAnew() {
    endTurn(mayBeCut: true)
    state = State()
  }

  /// Ends the recording. Decisions that are still missing were never written.
  package mutating func finish() {
    endTurn(mayBeCut: true)
    digest = verifiesMarksLater ? verifyMarksAndDigest() : digester.digest(of: state)
  }

  private mutating func compare(_ decision: Decision, spelt: UnsafeRawBufferPointer?) {
    if let turn, turn.rest.isEmpty, turn.matched < turn.expected.count,
      Self.isSame(turn.expected[turn.matched], decision, spelt: spelt)
    {
      self.turn?.matched += 1
    } else if turn != nil {
      turn?.rest.append(Recorded(decision: decision, place: place))
    } else {
      note(.unexpected(recorded: decision), at: place)
    }
  }

  /// Lines written by a program must match exactly. Handwritten lines may use another encoding.
  private static func isSame(_ expected: Decision, _ recorded: Decision, spelt: UnsafeRawBufferPointer?) -> Bool {
    guard let spelt else { return expected == recorded }
    return expected.kind == recorded.kind && spelt.elementsEqual(Event.decision(expected).payload)
  }

  /// Compares the remaining decisions of a turn in pairs.
  private mutating func endTurn(mayBeCut: Bool) {
    if turn?.rest.isEmpty == true, turn?.matched == turn?.expected.count { turn = nil }
    guard let turn else { return }
    let missing = turn.expected[turn.matched...]
    if turn.rest.isEmpty && mayBeCut {
      unwrittenDecisions += missing.count
    } else if !(turn.rest.isEmpty && missing.isEmpty) {
      let pairs = DecisionPairs(recorded: turn.rest.map { $0.decision }, now: Array(missing))
      for pair in pairs.differing {
        let recorded = pair.index.map { turn.rest[$0] }
        // A missing decision has no line of its own. The line of the input that should have caused it stands for it.
        note(pair.difference, at: recorded?.place ?? turn.place)
      }
    }
    self.turn = nil
  }

  // MARK: Airports

  /// Compares the airport file with the recorded result of loading it.
  private mutating func compare(_ finding: AirportsFinding, _ event: Event) {
    guard finding != .unchecked, case .input(.airportsLoaded(let loaded)) = event else { return }
    verifiedFiles += 1
    guard finding.digest != loaded.digest else { return }
    note(.records(.airports, recorded: loaded.digest, now: finding.digest), at: place)
  }

  // MARK: Marks

  /// Notes which scopes an input changed.
  private mutating func trace(_ input: Input, _ before: Before) {
    let cause = Divergence.Cause(seq: place.seq, words: input.words(before.settings ?? Input.Settings(state)))
    let digests = digester.scopes(of: state)
    span?.inputs.append(cause)
    for digest in digests where span?.digests.contains(digest) == false {
      span?.changes[digest.scope, default: []].append(cause)
    }
    span?.digests = digests
  }

  /// The inputs from which a state that differs may come.
  private func origin(of difference: Divergence.Difference) -> Divergence.Origin? {
    guard let span else { return nil }
    switch difference {
    case .records(let scope, _, _):
      return .init(mark: span.mark, ofRecords: true, inputs: span.changes[scope] ?? [])
    case .control: return .init(mark: span.mark, ofRecords: false, inputs: span.inputs)
    case .decision, .missing, .unexpected: return nil
    }
  }

  private mutating func compare(_ recorded: StateDigest) {
    verifiedMarks += 1
    if verifiesMarksLater { return verifyLater(recorded) }
    let now = digester.digest(of: state)
    guard now != recorded else {
      if span != nil { span = Span(mark: place.seq, digests: now.scopes) }
      return
    }
    if divergence != nil {
      if keepsPlaces { differingSeqs.append(place.seq) }
      consequences.addMark(place.seq)
    } else {
      note(Self.difference(recorded: recorded, now: now), at: place)
    }
  }

  private mutating func verifyLater(_ recorded: StateDigest) {
    if digester.scopes(of: state) != recorded.scopes { isInDoubt = true }
    digester.keepControl(of: state)
    unverified.append(recorded.control)
    if digester.keptCount == Digest.textsAtOnce { verifyMarks(digester.hashKept()[...]) }
  }

  private mutating func verifyMarks(_ hashes: ArraySlice<UInt64>) {
    if hashes != unverified[...] { isInDoubt = true }
    unverified.removeAll(keepingCapacity: true)
  }

  /// Verifies the marks and returns the digest of the state, whose control part is hashed together with theirs.
  private mutating func verifyMarksAndDigest() -> StateDigest {
    digester.keepControl(of: state)
    let hashes = digester.hashKept()
    verifyMarks(hashes.dropLast())
    return StateDigest(scopes: digester.scopes(of: state), control: hashes.last ?? 0)
  }

  private static func difference(recorded: StateDigest, now: StateDigest) -> Divergence.Difference {
    let ids = Set(recorded.scopes.map { $0.scope }).union(now.scopes.map { $0.scope }).sorted()
    for id in ids {
      let a = recorded.scopes.first { $0.scope == id }?.digest
      let b = now.scopes.first { $0.scope == id }?.digest
      if a != b { return .records(id, recorded: a, now: b) }
    }
    return .control(recorded: recorded.control, now: now.control)
  }

  private mutating func note(_ difference: Divergence.Difference, at place: Place) {
    if keepsPlaces { differingSeqs.append(place.seq) }
    guard divergence == nil else {
      consequences.decisions += 1
      return
    }
    let origin = origin(of: difference)
    let cause = turn.map {
      Divergence.Cause(seq: $0.place.seq, words: $0.input.words($0.before.settings ?? Input.Settings(state)))
    }
    divergence = Divergence(
      difference: difference, file: files[place.file], line: place.line, seq: place.seq,
      offsetMS: place.at - (statistics.firstAt ?? place.at), cause: origin?.inputs.last ?? cause, origin: origin)
  }
}

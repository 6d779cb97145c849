package import ContrailCore
package import ContrailLog
package import ContrailReplay

/// A part of a log in memory, which can be cut, shortened and changed, and written as a log that stands alone.
///
/// It starts with a snapshot of the state after the earlier lines, unless it starts at the beginning of the log.
package struct LogDraft: Sendable {
  /// An input and the lines that follow it.
  package struct Turn: Sendable {
    /// The `seq` of the input in the original log.
    package var seq: Int64
    package var at: Int64
    /// The input, its decisions, and digests of the state.
    package var events: [Event]

    package init(seq: Int64, at: Int64, events: [Event]) {
      self.seq = seq
      self.at = at
      self.events = events
    }

    /// The input; nil for decisions that follow no input.
    package var input: Input? { if case .input(let input)? = events.first { input } else { nil } }
  }

  /// The snapshot at the start; empty if the draft starts with the log.
  package internal(set) var start: [SnapshotPart] = []
  /// The time of the snapshot in milliseconds since 1970.
  package internal(set) var startAt: Int64 = 0
  package internal(set) var turns: [Turn] = []
  /// The contents of the blobs by their name.
  package private(set) var blobs: [String: [UInt8]] = [:]
  /// The parts of the original log that were skipped.
  package private(set) var skipped = SetAside()

  package init() {}

  /// Reads a log.
  ///
  /// - Parameters:
  ///   - path: A `.jsonl` or `.jsonl.xz` file, or a directory of segments.
  ///   - from: The first line to keep; nil for the start. The earlier lines become a snapshot.
  ///   - until: The last line to keep; nil for the end.
  /// - Throws: ``UnreadableRecording``.
  /// - Complexity: O(*n*) in the size of the log. The kept lines are in memory.
  package init(
    path: String, from: TimelinePosition? = nil, until: TimelinePosition? = nil,
    storage: any LogStorage = POSIXStorage()
  ) throws(UnreadableRecording) {
    let reader = try RecordingReader(path: path, storage: storage)
    let files = BlobStore(ofLogAt: path, storage: storage)
    var state = State()
    var startMS: Int64?
    var isKept = from == nil
    var reading: [SnapshotPart] = []
    while let entry = try reader.next() {
      let record = entry.record
      let firstMS = startMS ?? record.at
      startMS = firstMS
      if let until, until.isBefore(seq: record.seq, at: record.at, start: firstMS) { break }
      if state.session != nil, record.seq != state.nextSeq {
        // A failed sync lost lines, and a snapshot follows.
        state = State()
        (start, turns) = ([], [])
      }
      if !isKept, case .input = record.event, let from,
        from.isBefore(seq: record.seq + 1, at: record.at + 1, start: firstMS)
      {
        isKept = true
        (start, startAt, turns) = (state.snapshotParts, state.now, [])
      }
      let isKnown = state.session != nil
      state.evolve(record)
      switch record.event {
      case .input: if isKept { turns.append(Turn(seq: record.seq, at: record.at, events: [record.event])) }
      case .decision, .mark(.stateDigested):
        guard isKept else { break }
        if turns.isEmpty { turns.append(Turn(seq: record.seq, at: record.at, events: [])) }
        turns[turns.count - 1].events.append(record.event)
      case .mark(.snapshotPart(let part)): if !isKnown, turns.isEmpty { reading.append(part) }
      case .mark(.snapshotEnded):
        if !reading.isEmpty, isKept { (start, startAt) = (reading, record.at) }
        reading = []
      case .mark: break
      }
      if isKept { try keepBlobs(of: record.event, files, entry) }
    }
    skipped = reader.setAside
  }

  private mutating func keepBlobs(
    of event: Event, _ files: BlobStore, _ entry: RecordingReader.Entry
  ) throws(UnreadableRecording) {
    switch event {
    case .input(.responseReceived(let response)): keep(response.body)
    case .input(.weatherReceived(let received)): keep(received.body)
    case .input(.airportsDownloaded(let downloaded)):
      guard blobs[downloaded.blob.sha256] == nil, let id = BlobStore.ID(downloaded.blob.sha256) else { return }
      do throws(LogError) {
        blobs[downloaded.blob.sha256] = try files.bytes(of: id, count: downloaded.blob.byteCount)
      } catch {
        throw UnreadableRecording(error)
      }
    default: break
    }
  }

  private mutating func keep(_ body: Input.Body) {
    if case .blob(let name, let bytes) = body { blobs[name.sha256] = bytes }
  }

  // MARK: States

  /// The state at the start.
  package var startState: State {
    var state = State()
    for (index, part) in start.enumerated() {
      state.evolve(Record(seq: Int64(index), at: startAt, event: .mark(.snapshotPart(part))))
    }
    if !start.isEmpty { state.evolve(Record(seq: Int64(start.count), at: startAt, event: .mark(.snapshotEnded))) }
    return state
  }

  /// Returns the draft that starts with a snapshot before the turn with an index.
  ///
  /// - Complexity: That of folding the turns before it.
  package func starting(atTurn index: Int) -> LogDraft {
    guard index > 0 else { return self }
    var state = startState
    for turn in turns[..<index] {
      for event in turn.events { state.evolve(Record(seq: state.nextSeq, at: turn.at, event: event)) }
    }
    var draft = self
    (draft.start, draft.startAt) = (state.snapshotParts, state.now)
    draft.turns = Array(turns[index...])
    return draft
  }

  /// The draft without the digests of states, which no longer hold when a turn is left out.
  package var withoutDigests: LogDraft {
    var draft = self
    for index in draft.turns.indices {
      draft.turns[index].events.removeAll { if case .mark = $0 { true } else { false } }
    }
    return draft
  }

  // MARK: Changing

  /// Adds a turn.
  package mutating func append(_ turn: Turn) { turns.append(turn) }

  /// Moves a turn to another time.
  package mutating func moveTurn(_ index: Int, to at: Int64) { turns[index].at = at }

  /// Returns the draft with other decisions: each is replaced by those that a function returns.
  package func withDecisions(_ change: (Decision) -> [Decision]) -> LogDraft {
    var draft = withoutDigests
    for index in draft.turns.indices {
      draft.turns[index].events = draft.turns[index].events.flatMap { event -> [Event] in
        if case .decision(let decision) = event { change(decision).map { .decision($0) } } else { [event] }
      }
    }
    return draft
  }

  // MARK: Writing

  /// The number of lines of ``bytes``.
  package var lineCount: Int {
    2 + (start.isEmpty ? 0 : start.count + 1) + turns.reduce(0) { $0 + $1.events.count }
  }

  /// The draft as a log in one file, with a digest of the state at the end.
  package var bytes: [UInt8] {
    var all: [UInt8] = []
    emit { (piece) throws(Never) in all += piece }
    return all
  }

  /// Calls a function with the bytes of the log, piece by piece.
  private func emit<Fault: Error>(_ take: ([UInt8]) throws(Fault) -> Void) throws(Fault) {
    var writer = Writer()
    writer.add("segment.opened", Array("\"format\":\(LogFormat.currentVersion),\"first\":0".utf8), at: firstAt)
    for part in start { writer.add(.mark(.snapshotPart(part)), at: startAt) }
    if !start.isEmpty { writer.add(.mark(.snapshotEnded), at: startAt) }
    for turn in turns {
      let seq = writer.seq
      for event in turn.events { writer.add(event.caused(by: seq, insteadOf: turn.seq), at: turn.at) }
      if writer.bytes.count >= Self.pieceBytes {
        try take(writer.bytes)
        writer.bytes.removeAll(keepingCapacity: true)
      }
    }
    writer.add(.mark(.stateDigested(writer.state.digest)), at: writer.state.now)
    try take(writer.bytes)
  }

  /// The size from which a piece is passed on.
  private static let pieceBytes = 1 << 20

  private var firstAt: Int64 { start.isEmpty ? turns.first?.at ?? 0 : startAt }

  private struct Writer {
    var seq: Int64 = 0
    var state = State()
    var bytes: [UInt8] = []

    mutating func add(_ event: Event, at: Int64) {
      state.evolve(Record(seq: seq, at: at, event: event))
      add(event.kind.rawValue, event.payload, at: at)
    }

    mutating func add(_ kind: String, _ payload: [UInt8], at: Int64) {
      LogEnvelope(seq: seq, at: at, kind: kind, payload: payload).append(to: &bytes)
      seq += 1
    }
  }

  /// The draft as a file in memory: its path and the storage.
  package var inMemory: (path: String, storage: MemoryStorage) {
    var files = blobs.reduce(into: [String: [UInt8]]()) { $0["draft/blobs/\($1.key)"] = $1.value }
    files["draft/log.jsonl"] = bytes
    return ("draft/log.jsonl", MemoryStorage(files))
  }

  /// Writes the draft to a file, and its blobs to the folder `blobs` beside it.
  ///
  /// - Throws: ``LogError`` if the file can't be written, or exists and isn't replaceable.
  package func write(to path: String, replacing replaceable: StagedOutput.Replaceable) throws(LogError) {
    let output = try StagedOutput(path, replacing: replaceable)
    try output.write { (append) throws(LogError) in try emit(append) }
    let store = BlobStore(ofLogIn: output.directory)
    for (_, bytes) in usedBlobs.sorted(by: { $0.key < $1.key }) { _ = try store.put(bytes) }
    try output.publish()
  }

  /// The blobs that a line still names.
  private var usedBlobs: [String: [UInt8]] {
    var used: [String: [UInt8]] = [:]
    for turn in turns {
      switch turn.input {
      case .responseReceived(let response):
        if case .blob(let name, let bytes) = response.body { used[name.sha256] = bytes }
      case .weatherReceived(let received):
        if case .blob(let name, let bytes) = received.body { used[name.sha256] = bytes }
      case .airportsDownloaded(let file): used[file.blob.sha256] = blobs[file.blob.sha256]
      default: break
      }
    }
    return used
  }
}

extension Event {
  /// The event with a renumbered cause, if it is a decision.
  fileprivate func caused(by new: Int64, insteadOf old: Int64) -> Event {
    if case .decision(let decision) = self { .decision(decision.caused(by: new, insteadOf: old)) } else { self }
  }
}

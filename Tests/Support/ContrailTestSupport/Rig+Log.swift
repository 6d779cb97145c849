import ContrailCore
package import ContrailLog

extension Rig {
  /// What ``writeLog(to:marks:hasCRC:storage:)`` adds to the records.
  package struct LogMarks: Sendable {
    /// A `state.digested` mark after the decisions of each so many inputs; nil for none but the last.
    package var digestsEvery: Int?
    /// A sync, which the next line marks, after each so many inputs; nil for none.
    package var syncsEvery: Int?

    package init(digestsEvery: Int? = 5, syncsEvery: Int? = 3) {
      self.digestsEvery = digestsEvery
      self.syncsEvery = syncsEvery
    }
  }

  /// Writes the inputs to a log as the engine would: each with the decisions that follow in one batch, syncs marked, the state
  /// digested now and then and at the end.
  ///
  /// What stands under the path is replaced. The log's own lines take numbers, so inputs are folded again: the causes in the
  /// log are the log's. Bodies that are blobs go to the directory `blobs` beside the file, under
  /// the names that they should have.
  package func writeLog(
    to path: String, marks: LogMarks = LogMarks(), hasCRC: Bool = true, storage: any LogStorage = POSIXStorage()
  ) throws {
    if try storage.kind(of: path) == .file { try storage.remove(path) }
    let writer = try LogWriter.create(path: path, at: start, policy: .everyEvent, hasCRC: hasCRC, storage: storage)
    let home = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let blobs = BlobStore(directory: home + "/blobs", storage: storage)
    try writeTurns(marks, to: { writer }, keep: { _ = try blobs.put($0) })
  }

  /// Writes the inputs to a directory of segments, a new one after each so many inputs, all but the last sealed if that is asked.
  package func writeLog(
    toDirectory path: String, inputsPerSegment: Int, areSealed: Bool = false, marks: LogMarks = LogMarks(),
    storage: any LogStorage = POSIXStorage()
  ) throws {
    let log = try LogDirectory(path: path, at: start, policy: .everyEvent, storage: storage)
    try writeTurns(marks, to: { log.writer }, keep: { _ = try log.putBlob($0) }) { index, state in
      guard (index + 1).isMultiple(of: inputsPerSegment) else { return }
      let parts = state.snapshotParts.map { Event.mark(.snapshotPart($0)) } + [.mark(.snapshotEnded)]
      try log.roll(at: state.now) { (batch) throws(LogError) in
        for part in parts { try batch.add(kind: part.kind.rawValue, at: state.now, payload: part.payload) }
      }
    }
    guard areSealed else { return }
    for segment in try log.sealable() { _ = try segment.sealed() }
  }

  private var start: Int64 { records.first?.at ?? now }

  private func writeTurns(
    _ marks: LogMarks, to writer: () -> LogWriter, keep: ([UInt8]) throws -> Void,
    after turn: (Int, State) throws -> Void = { _, _ in }
  ) throws {
    var state = State()
    let inputs = records.filter { if case .input = $0.event { true } else { false } }
    for (index, record) in inputs.enumerated() {
      var batch = writer().batch()
      func add(_ event: Event) throws {
        let seq = try batch.add(kind: event.kind.rawValue, at: record.at, payload: event.payload)
        state.evolve(Record(seq: seq, at: record.at, event: event))
      }
      if case .input(.responseReceived(var response)) = record.event, case .blob(_, let bytes) = response.body {
        try keep(bytes)
        let name = BlobName(sha256: BlobStore.ID(of: bytes).digits, byteCount: bytes.count)
        response.body = .blob(name, bytes)
        try add(.input(.responseReceived(response)))
      } else {
        try add(record.event)
      }
      for decision in state.decide() { try add(.decision(decision)) }
      let isLast = index == inputs.count - 1
      if isLast || marks.digestsEvery.map({ (index + 1).isMultiple(of: $0) }) ?? false {
        try add(.mark(.stateDigested(state.digest)))
      }
      try writer().append(batch)
      if marks.syncsEvery.map({ (index + 1).isMultiple(of: $0) }) ?? false { try writer().sync(at: record.at) }
      if !isLast { try turn(index, state) }
    }
  }
}

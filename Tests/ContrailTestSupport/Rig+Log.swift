import ContrailCore
public import ContrailLog

extension Rig {
  /// What ``writeLog(to:marksEvery:syncsEvery:hasCRC:storage:)`` adds to the records.
  public struct LogMarks: Sendable {
    /// A `state.digested` mark after the decisions of each so many inputs; nil for none but the last.
    public var digestsEvery: Int?
    /// A sync, which the next line marks, after each so many inputs; nil for none.
    public var syncsEvery: Int?

    public init(digestsEvery: Int? = 5, syncsEvery: Int? = 3) {
      self.digestsEvery = digestsEvery
      self.syncsEvery = syncsEvery
    }
  }

  /// Writes the inputs to a log as the engine would: each with the decisions that follow in one batch, syncs marked, the state
  /// digested now and then and at the end.
  ///
  /// The log's own lines take numbers, so inputs are folded again: the causes in the log are the log's.
  public func writeLog(
    to path: String, marks: LogMarks = LogMarks(), hasCRC: Bool = true, storage: any LogStorage = POSIXStorage()
  ) throws {
    let writer = try LogWriter.create(
      path: path, at: records.first?.at ?? now, policy: .everyEvent, hasCRC: hasCRC, storage: storage)
    var state = State()
    var at = records.first?.at ?? now
    func add(_ event: Event, to batch: inout LogBatch) throws {
      let seq = try batch.add(kind: event.kind.rawValue, at: at, payload: event.payload)
      state.evolve(Record(seq: seq, at: at, event: event))
    }
    let inputs = records.filter { if case .input = $0.event { true } else { false } }
    for (index, record) in inputs.enumerated() {
      at = record.at
      var batch = writer.batch()
      try add(record.event, to: &batch)
      for decision in state.decide() { try add(.decision(decision), to: &batch) }
      let isLast = index == inputs.count - 1
      if isLast || marks.digestsEvery.map({ (index + 1).isMultiple(of: $0) }) ?? false {
        try add(.mark(.stateDigested(state.digest)), to: &batch)
      }
      try writer.append(batch)
      if marks.syncsEvery.map({ (index + 1).isMultiple(of: $0) }) ?? false { try writer.sync(at: at) }
    }
  }
}

import ContrailCore
import ContrailWire

// One command on the log at a time.

extension Driver {
  /// What the log is doing.
  enum Operation: Sendable {
    case append(Entry, Engine.Step)
    /// A new segment begins, for the entry that comes next.
    case roll(Entry?)
    case sync
  }

  /// Begins whatever is next, as far as something can be done.
  mutating func proceed() {
    while operation == nil, phase == .open || phase == .closing {
      if isSyncDue, status != nil { return sync() }
      guard let entry = nextEntry() else { break }
      begin(entry)
    }
    proceedProjection()
    completeRest()
    guard phase == .closing, operation == nil, inbox.isEmpty, projection.isSettled else { return }
    release()
  }

  private mutating func nextEntry() -> Entry? {
    guard !inbox.isEmpty else { return nil }
    // While the log refuses, those who wait for one attempt are served all the same.
    if refusals.until != nil, phase == .open {
      return inbox.firstIndex { $0.isAttemptedOnce }.map { inbox.remove(at: $0) }
    }
    return inbox.removeFirst()
  }

  /// - Parameter isRolled: A segment has just begun for the entry: however large its snapshot is, it takes one entry.
  private mutating func begin(_ entry: Entry, isRolled: Bool = false) {
    guard let status else { return }
    if status.needsRoll, !isRolled { return roll(entry) }
    var step: Engine.Step
    var blobs: [[UInt8]] = []
    if case .digest = entry {
      step = engine.digestStep(nextSeq: status.nextSeq, at: time.now)
    } else {
      let inputs: [Input]
      (inputs, blobs) = self.inputs(of: entry)
      if inputs.isEmpty { return finish(entry, nil) }
      step = engine.step(inputs, nextSeq: status.nextSeq, at: time.now)
    }
    operation = .append(entry, step)
    actions.append(.log(.append(step.events, blobs: blobs, at: step.at)))
  }

  private mutating func roll(_ entry: Entry?) {
    operation = .roll(entry)
    let snapshot = state.snapshotParts.map { Event.mark(.snapshotPart($0)) } + [.mark(.snapshotEnded)]
    actions.append(.log(.roll(snapshot, at: engine.logTime(at: time.now))))
  }

  private mutating func sync() {
    isSyncDue = false
    syncAt = nil
    // A new segment begins with a snapshot that is synced. One that has ended can't be synced any more.
    if status?.needsRoll ?? false { return roll(nil) }
    operation = .sync
    actions.append(.log(.sync(at: engine.logTime(at: time.now))))
  }

  // MARK: Results

  mutating func succeed(_ status: LogStatus) {
    self.status = status
    let operation = operation.take()
    switch operation {
    case .append(let entry, let step):
      refusals.succeed()
      engine.commit(step)
      if syncAt == nil { syncAt = time.now + configuration.syncDelayMS }
      commit(entry, step)
      finish(entry, nil)
    case .roll(let entry):
      completeSync(nil)
      if let entry { begin(entry, isRolled: true) }
    case .sync: completeSync(nil)
    case nil: break
    }
  }

  private mutating func completeSync(_ failure: ClientError?) {
    for ticket in awaitingSync { actions.append(.complete(ticket, failure)) }
    awaitingSync = []
  }

  mutating func refuse(_ error: EngineError, _ status: LogStatus) {
    self.status = status
    let operation = operation.take()
    let failure = ClientError(error)
    switch operation {
    case .append(let entry, _): refuse(entry, failure, isTransient: error.isTransient || status.needsRoll)
    case .roll(let entry?): refuse(entry, failure, isTransient: true)
    case .roll(nil), .sync:
      completeSync(failure)
      tell(refusal: failure)
      syncAt = time.now + configuration.syncDelayMS
    case nil: break
    }
  }

  /// A write that was refused keeps its entry, and whatever comes later waits behind it.
  private mutating func refuse(_ entry: Entry, _ failure: ClientError, isTransient: Bool) {
    if phase == .closing {
      // The last chance: what the log doesn't take now is lost as in a crash, and no more than that.
      inbox = inbox.filter {
        if let ticket = $0.ticket { actions.append(.complete(ticket, failure)) }; return false
      }
      return finish(entry, failure)
    }
    tell(refusal: failure)
    if entry.isAttemptedOnce { return finish(entry, failure) }
    guard isTransient else {
      // An answer that no log can hold is as good as none.
      if case .answer(let answer) = entry {
        inbox.insert(.failure(answer.response.request, .tooLarge, message: failure.message), at: 0)
      } else {
        finish(entry, failure)
      }
      return
    }
    inbox.insert(entry, at: 0)
    refusals.fail(at: time.now)
  }

  /// Told once, until the log takes something.
  private mutating func tell(refusal failure: ClientError) {
    guard !isRefusalTold else { return }
    isRefusalTold = true
    publish([.failed(failure)])
  }

  /// An entry is done with.
  private mutating func finish(_ entry: Entry, _ failure: ClientError?) {
    switch entry {
    case .report(_, let ticket):
      if let failure {
        actions.append(.complete(ticket, failure))
      } else {
        // Whoever reports is told once the report is on stable storage.
        awaitingSync.append(ticket)
        isSyncDue = true
      }
    case .airports(_, let ticket?): actions.append(.complete(ticket, failure))
    case .digest: if failure == nil { isSyncDue = true }
    default: break
    }
  }

  /// Tells those who wait for everything to be on disk.
  mutating func completeRest() {
    guard !awaitingRest.isEmpty else { return }
    if phase == .open {
      let isWritten = operation == nil && !isSyncDue && (inbox.isEmpty || refusals.until != nil)
      guard isWritten, projection.isSettled else { return }
    }
    for ticket in awaitingRest { actions.append(.complete(ticket, nil)) }
    awaitingRest = []
  }
}

import ContrailCore
import ContrailWire

// One command on the log at a time.

extension Driver {
  /// The operation that the log performs.
  indirect enum Operation: Sendable {
    case append(Entry, Engine.Step)
    /// Begin a new segment before the entry.
    case roll(Entry?)
    case sync
  }

  /// Starts all operations that are possible now.
  mutating func proceed() {
    while operation == nil, phase == .open && isLaunched || phase == .closing {
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
    // Reports and digests don't wait for the end of a retry delay. If the launch isn't written yet, it is retried before them: the
    // session is the first line of a process.
    if refusals.until != nil, phase == .open {
      guard let index = inbox.firstIndex(where: { $0.isAttemptedOnce }) else { return nil }
      return inbox.remove(at: inbox[0].isLaunch ? 0 : index)
    }
    return inbox.removeFirst()
  }

  /// - Parameter isRolled: Whether a segment was just begun for the entry. It accepts one entry, however large its snapshot is.
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
    // A new segment begins with a synced snapshot. A segment that has ended can't be synced.
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

  /// Handles a failed write: it keeps its entry, and later entries wait behind the retry.
  private mutating func refuse(_ entry: Entry, _ failure: ClientError, isTransient: Bool) {
    if phase == .closing {
      // There is no retry while closing. Unwritten entries are lost, as in a crash.
      inbox = inbox.filter {
        if let ticket = $0.ticket { actions.append(.complete(ticket, failure)) }; return false
      }
      return finish(entry, failure)
    }
    tell(refusal: failure)
    if entry.isAttemptedOnce { return finish(entry, failure) }
    guard isTransient else {
      // A response that can't be logged counts as a failed request.
      if case .answer(let answer) = entry {
        inbox.insert(
          .failure(answer.response.request, .tooLarge, message: failure.message, sent: answer.response.sent), at: 0)
      } else {
        finish(entry, failure)
      }
      return
    }
    if entry.isLaunch {
      // Reports and digests can't be written before the session, and they aren't retried: they fail with the launch.
      let failed = inbox.filter { $0.isAttemptedOnce }
      inbox.removeAll { $0.isAttemptedOnce }
      for entry in failed { finish(entry, failure) }
    }
    inbox.insert(entry, at: 0)
    refusals.fail(at: time.now)
  }

  /// Reports the error of a failed write, once until a write succeeds.
  private mutating func tell(refusal failure: ClientError) {
    guard !isRefusalTold else { return }
    isRefusalTold = true
    publish([.failed(failure)])
  }

  /// Completes an entry.
  private mutating func finish(_ entry: Entry, _ failure: ClientError?) {
    switch entry {
    case .report(_, let ticket):
      if let failure {
        actions.append(.complete(ticket, failure))
      } else {
        // The caller of a report waits until it is on stable storage.
        awaitingSync.append(ticket)
        isSyncDue = true
      }
    case .airports(_, let ticket?), .weather(_, let ticket?): actions.append(.complete(ticket, failure))
    case .digest: if failure == nil { isSyncDue = true }
    default: break
    }
  }

  /// Completes the callers that wait until everything is on disk.
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

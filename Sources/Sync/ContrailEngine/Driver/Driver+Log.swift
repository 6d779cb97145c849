import ContrailCore
import ContrailLog
import ContrailWire

// One command on the log at a time.

extension Driver {
  /// Starts all operations that are possible now.
  mutating func proceed() {
    while !queue.isBusy, phase == .open && launching.isQueued || phase == .closing {
      if queue.isSyncDue, status != nil { return sync() }
      if let status, let signature = signing?.takeSignature() {
        if !status.needsRoll { return write(signature) }
        signing?.postpone(signature)
      }
      guard let entry = queue.takeNext(isClosing: phase == .closing) else { break }
      begin(entry)
    }
    proceedProjection()
    askSigner()
    completeRest()
    guard phase == .closing, queue.isIdle, projection?.isSettled ?? true, signing?.isSettled ?? true else { return }
    release()
  }

  /// - Parameter isRolled: Whether a segment was just begun for the entry. It accepts one entry, however large its snapshot is.
  private mutating func begin(_ entry: WriteQueue.Entry, isRolled: Bool = false) {
    guard let status else { return }
    if case .mark = entry { return finish(entry, nil) }
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
    queue.begin(.append(entry, step))
    actions.append(.log(.append(step.events, blobs: blobs, at: step.at)))
  }

  private mutating func roll(_ entry: WriteQueue.Entry?) {
    queue.begin(.roll(entry))
    let snapshot = state.snapshotParts.map { Event.mark(.snapshotPart($0)) } + [.mark(.snapshotEnded)]
    actions.append(.log(.roll(snapshot, at: engine.logTime(at: time.now))))
  }

  private mutating func sync() {
    queue.beginSync()
    // A new segment begins with a synced snapshot. A segment that has ended can't be synced.
    if status?.needsRoll ?? false { return roll(nil) }
    queue.begin(.sync)
    actions.append(.log(.sync(at: engine.logTime(at: time.now))))
  }

  // MARK: Results

  mutating func succeed(_ status: LogStatus) {
    self.status = status
    switch queue.end() {
    case .append(let entry, let step):
      engine.commit(step)
      signing?.wrote()
      queue.succeed(at: time.now, syncDelayMS: configuration.syncDelayMS)
      commit(entry, step)
      finish(entry, nil)
    case .roll(let entry):
      signing?.synced(status.head)
      completeSync(nil)
      if let entry { begin(entry, isRolled: true) }
    case .sync:
      signing?.synced(status.head)
      completeSync(nil)
    case .sign:
      // Otherwise the next sync includes it.
      if phase == .closing || isInBackground { queue.requestSync() }
    case nil: break
    }
  }

  private mutating func completeSync(_ failure: ClientError?) {
    for ticket in queue.takeAwaitingSync() { actions.append(.complete(ticket, failure)) }
  }

  mutating func refuse(_ error: EngineError, _ status: LogStatus) {
    self.status = status
    let failure = ClientError(error)
    switch queue.end() {
    case .append(let entry, _): refuse(entry, failure, isTransient: error.isTransient || status.needsRoll)
    case .roll(let entry?): refuse(entry, failure, isTransient: true)
    case .roll(nil), .sync:
      completeSync(failure)
      tell(refusal: failure)
      queue.repeatSync(at: time.now + configuration.syncDelayMS)
    case .sign(let signature): signing?.refused(signature, at: time.now)
    case nil: break
    }
  }

  /// Handles a failed write: it keeps its entry, and later entries wait behind the retry.
  private mutating func refuse(_ entry: WriteQueue.Entry, _ failure: ClientError, isTransient: Bool) {
    if phase == .closing {
      // There is no retry while closing. Unwritten entries are lost, as in a crash.
      complete(queue.remove { _ in true }, failure)
      return finish(entry, failure)
    }
    tell(refusal: failure)
    if entry.isAttemptedOnce { return finish(entry, failure) }
    guard isTransient else {
      // A response that can't be logged counts as a failed request.
      if case .answer(let response) = entry {
        queue.addFirst(.failure(response.request, .tooLarge, message: failure.message, sent: response.sent))
      } else {
        finish(entry, failure)
      }
      return
    }
    if entry.isLaunch {
      // Reports and digests can't be written before the session, and they aren't retried: they fail with the launch.
      for entry in queue.remove(where: { $0.isAttemptedOnce }) { finish(entry, failure) }
    }
    queue.retry(entry, at: time.now)
  }

  private mutating func tell(refusal failure: ClientError) {
    if publisher.tell(refusal: failure) { publish() }
  }

  /// Completes an entry.
  private mutating func finish(_ entry: WriteQueue.Entry, _ failure: ClientError?) {
    switch entry {
    case .report(_, let ticket):
      if let failure {
        actions.append(.complete(ticket, failure))
      } else {
        // The caller of a report waits until it is on stable storage.
        queue.requestSync(for: ticket)
      }
    case .airports(_, let ticket?), .weather(_, let ticket?): actions.append(.complete(ticket, failure))
    case .mark(let ticket): actions.append(.complete(ticket, nil))
    case .digest: if failure == nil { queue.requestSync() }
    default: break
    }
  }

  /// Completes the callers that wait until everything is on disk.
  mutating func completeRest() {
    guard !awaitingRest.isEmpty else { return }
    if phase == .open {
      guard queue.isAtRest, projection?.isSettled ?? true, signing?.isSettled ?? true else { return }
    }
    for ticket in awaitingRest { actions.append(.complete(ticket, nil)) }
    awaitingRest = []
  }

  // MARK: Signatures

  private mutating func askSigner() {
    guard phase == .open || phase == .closing, status?.needsRoll != true, let head = signing?.takeHead(at: time.now)
    else { return }
    actions.append(.sign(head))
  }

  private mutating func write(_ signature: LogSignature) {
    queue.begin(.sign(signature))
    actions.append(.log(.sign(signature, at: engine.logTime(at: time.now))))
  }

  mutating func take(_ result: Result<[UInt8], SigningFailure>, of head: LogHead) {
    guard phase == .open || phase == .closing else { return }
    let signature = result.flatMap { bytes in
      LogSignature(of: head, key: configuration.signingKey ?? "", bytes: bytes).map { .success($0) }
        ?? .failure(SigningFailure.invalid(byteCount: bytes.count))
    }
    tell(signing?.take(signature, at: time.now))
  }

  mutating func tell(_ news: Signing.News?) {
    switch news {
    case .failed(let failure): publisher.tell(.failed(ClientError(failure)))
    case .recovered: publisher.tell(.recovered(nil))
    case nil: return
    }
    publish()
  }

  // MARK: The database beside the log

  private mutating func proceedProjection() {
    guard phase == .open || phase == .closing, let tail = status?.tail else { return }
    let state = state
    if let command = projection?.next(state, tail) { actions.append(.project(command)) }
  }

  mutating func take(_ result: ProjectionResult) {
    guard let update = projection?.take(result, at: time.now) else { return }
    publisher.tell(update)
    publish()
  }
}

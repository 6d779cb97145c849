import ContrailCore

// Actions and notifications after lines are written.

extension Driver {
  /// Performs the actions and notifications of written lines.
  mutating func commit(_ entry: WriteQueue.Entry, _ step: Engine.Step) {
    if let change = entry.turn?.credentials { use(change) }
    publisher.tellWritten()
    if entry.isLaunch {
      publisher.tellLaunch(state)
      completeOpening(nil)
      projection?.fallBehind()
    }
    tellOutcome(of: entry, step)
    for number in step.cancelled where requests[number] != nil {
      requests[number]?.isCancelled = true
      actions.append(.cancel(number))
    }
    if phase == .open {
      for request in step.requests { requests[request.number] = Request(scope: request.scope) }
      for exchange in OutgoingRequest.exchanges(step.requests) { actions.append(.send(exchange, credentials)) }
    }
    if !entry.isLaunch, publisher.tellChanges(step) { projection?.fallBehind() }
    if step.after.airports.inUse != step.before.airports.inUse
      || step.after.airports.waiting != step.before.airports.waiting
    {
      actions.append(.levelAirports(step.after.airports))
    }
    publish()
  }

  private mutating func tellOutcome(of entry: WriteQueue.Entry, _ step: Engine.Step) {
    var request: Request?
    switch entry {
    case .answer(let response): request = requests.removeValue(forKey: response.request)
    case .failure(let number, _, _, _): request = requests.removeValue(forKey: number)
    default: break
    }
    publisher.tellOutcome(of: entry, request, step)
    for case .airportsRequested(let requested) in step.decisions {
      actions.append(.loadAirports(effectiveMS: requested.effectiveMS))
    }
  }

  /// Publishes the state of the database, then opens the log.
  mutating func preview(_ state: State?) {
    guard phase == .previewing else { return }
    if let state {
      publisher.preview(state)
      publish()
    }
    phase = .opening
    actions.append(.open)
  }

  mutating func publish() { actions.append(.publish(publisher.publish(engine, at: time.now))) }
}

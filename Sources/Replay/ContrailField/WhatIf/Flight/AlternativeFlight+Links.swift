import ContrailCore
import ContrailWire

// What becomes of the requests of an exchange: over the recorded link, that of a future, or a modelled one.

extension AlternativeFlight {
  private func isUpKnown(_ part: Part) -> Bool {
    guard let spec = part.inFlight?.spec, spec.types.contains(.traffic) else { return true }
    return !flight.world.traffic.isEmpty
  }

  /// Sends requests in one exchange over the recorded link.
  mutating func send(_ parts: [Part]) {
    var conditions = flight.trace.conditions(
      at: now, request: parts[0].request.number, mode: parts[0].request.mode, isHeld: parts[0].hold != nil,
      seed: seed)
    let same = parts.lazy.compactMap(\.same).first
    if let same {
      if same.hold == nil {
        // The same moment has the same link. Until it was given up, no answer had come.
        conditions.durationMS = same.hasResult ? same.durationMS : max(conditions.durationMS, same.durationMS + 1)
      }
      if same.hasResult { conditions.fault = same.isService ? nil : same }
    }
    let witness = same?.leader ?? flight.trace.witness(at: now, excluding: witnesses)
    if let witness { witnesses.insert(witness) }
    deliver(
      parts, under: conditions, recordedMS: now, refusals: parts.map { refusal(of: $0) }, isLinkKnown: witness != nil)
  }

  /// Sends requests in one exchange over the link of a future.
  mutating func send(_ parts: [Part], on course: LinkCourse) {
    let time = course.recordedTime(at: now, in: flight)
    if case .model(let link) = course.link { return send(parts, over: link) }
    var conditions = flight.trace.conditions(
      at: time, request: parts[0].request.number, mode: parts[0].request.mode, isHeld: parts[0].hold != nil,
      seed: seed)
    conditions.serverMS += now - time
    let isPerfect = course.link == .perfect
    if isPerfect { (conditions.fault, conditions.holdMS) = (nil, nil) }
    let refusals = parts.map { part in
      isPerfect ? nil : part.inFlight.flatMap { flight.trace.refusal(of: $0, at: time, seed: seed) }
    }
    deliver(
      parts, under: conditions, recordedMS: isPerfect ? nil : time, refusals: refusals, isLinkKnown: true)
  }

  /// Delivers the answers to the requests of an exchange, or its failure.
  ///
  /// - Parameters:
  ///   - recordedMS: The recorded time that has the same link and server, in milliseconds; nil if nothing is lost or wrong.
  ///   - refusals: For each request, the recorded refusal that it shares.
  private mutating func deliver(
    _ parts: [Part], under conditions: LinkTrace.Conditions, recordedMS: Int64?, refusals: [RecordedExchange?],
    isLinkKnown: Bool
  ) {
    var conditions = conditions
    if let fault = conditions.fault {
      for place in parts.indices { fail(parts, at: place, like: fault, isKnown: isLinkKnown) }
      return
    }
    let arrivalMS = conditions.serverMS
    var answerMS = answerMS(parts, arrivalMS: arrivalMS)
    if let holdMS = conditions.holdMS { answerMS = min(answerMS, arrivalMS + holdMS) }
    // The answer to a held request passes the link minutes after the request.
    let sentAtMS = answerMS - flight.trace.clockLeadMS
    if parts[0].hold != nil, let recordedMS,
      let passageMS = flight.trace.passageMS(
        sentAt: sentAtMS + recordedMS - now, request: parts[0].request.number, seed: seed)
    {
      conditions.durationMS = max(sentAtMS + passageMS - now - (answerMS - arrivalMS), 1)
    }
    let recordedEndMS = recordedMS.map { $0 + answerMS - arrivalMS + conditions.durationMS }
    // The engine gives it up itself.
    if let recordedEndMS, parts[0].hold != nil, flight.trace.isSilent(at: recordedEndMS, seed: seed) { return }
    let answered = answers(
      parts, serverMS: answerMS, misfit: recordedEndMS.flatMap { flight.trace.misfit(at: $0, seed: seed) })
    for (place, (part, answered)) in zip(parts, answered).enumerated() {
      if let refusal = refusals[place] {
        fail(parts, at: place, like: refusal, isKnown: isLinkKnown)
        continue
      }
      var (input, durationMS) = troubled(
        answered.response, part.inFlight, durationMS: max(conditions.durationMS, 1))
      if let hold = part.hold {
        let heldMS = input.wait(answerMS - arrivalMS, arrivalMS: arrivalMS, hold)
        durationMS += heldMS
        // Until the recorded one was given up, no answer had come.
        if let same = part.same, !same.hasResult { durationMS = max(durationMS, same.durationMS + 1) }
      }
      deliveries.insert(
        .init(
          at: now + durationMS, request: part.request.number, input: input,
          bytes: .init(
            up: part.up, down: answered.down, isRecorded: answered.isRecorded, share: answered.share,
            isLinkKnown: isLinkKnown, isUpKnown: isUpKnown(part), isHeld: part.hold != nil),
          outlivesCancel: part.same.map { $0.isCancelled && $0.hasResult } ?? false))
    }
  }

  /// Returns the server's time of the answer to an exchange, in milliseconds: held requests are answered by their terms.
  private func answerMS(_ parts: [Part], arrivalMS: Int64) -> Int64 {
    let second = arrivalMS / 1000
    let seconds = parts.compactMap { part in
      part.inFlight.flatMap { inFlight in
        part.hold.map { server.answerSecond(inFlight.spec, since: inFlight.since ?? second, $0, from: second) }
      }
    }
    return seconds.min().map { max($0 * 1000, arrivalMS) } ?? arrivalMS
  }

  /// Returns a response as a fault spoils it, and the time until it arrives.
  private mutating func troubled(
    _ response: Input.Response, _ inFlight: Scope.InFlightRequest?, durationMS: Int64
  ) -> (Input, Int64) {
    guard let (index, fault) = troubles.fault(at: now),
      let (input, longer) = fault.spoiling(
        response, isDelta: inFlight?.since != nil, since: inFlight?.since, durationMS: durationMS)
    else { return (.responseReceived(response), durationMS) }
    troubles.use(index)
    return (input, longer)
  }

  /// Returns the recorded refusal that says something about the request: of its handle or its watermark.
  private func refusal(of part: Part) -> RecordedExchange? {
    if let same = part.same, same.hasResult {
      return same.response.flatMap { [404, 410].contains($0.status) ? same : nil }
    }
    return part.inFlight.flatMap { flight.trace.refusal(of: $0, at: now, seed: seed) }
  }

  /// Lets a request of an exchange fail as a recorded one did.
  private mutating func fail(_ parts: [Part], at place: Int, like fault: RecordedExchange, isKnown: Bool) {
    let part = parts[place]
    let number = part.request.number
    let input: Input
    var (up, down) = (part.up, Int64(0))
    switch fault.result {
    case .answered(var response):
      response.request = number
      response.sent = up.sent
      response.serverTimeMS = response.serverTimeMS.map { $0 + now - fault.sentAtMS }
      response.wireBytes = flight.trace.bytes(of: response, isShared: parts.count > 1)
      if place > 0 { (response.wireBytes, response.headBytes) = (0, 0) }
      down = response.wireBytes
      input = .responseReceived(response)
    case .failed(let failure, let sent):
      // Without a connection, nothing was sent.
      if sent == nil { up = .none }
      input = .responseFailed(request: number, failure: failure, sent: sent == nil ? nil : up.sent)
    case .none: return
    }
    deliveries.insert(
      .init(
        at: now + max(fault.durationMS, 1), request: number, input: input,
        bytes: .init(
          up: up, down: .init(bytes: down, deviation: 0, isRecorded: true), isRecorded: false, share: .whole,
          isLinkKnown: isKnown)))
  }

  /// Sends requests in one exchange over a modelled link. A held request passes it when the server answers.
  mutating func send(_ parts: [Part], over link: LinkModel) {
    let lead = flight.trace.clockLeadMS
    let hold = parts[0].hold
    // The size of the answer hardly depends on the time by which it is made.
    let draftMS = answerMS(parts, arrivalMS: now + lead + link.roundTripMS.lowerBound / 2)
    let passesAt = hold == nil ? now : max(draftMS - lead, now)
    var answered = answers(parts, serverMS: draftMS)
    switch link.passage(
      at: passesAt, request: parts[0].request.number, upBytes: parts[0].up.bytes,
      downBytes: answered.reduce(0) { $0 + $1.down.bytes }, seed: seed ?? 0)
    {
    case .timedOut(let after):
      let endsAt = hold.map { now + $0.seconds * 1000 + 2 * Listening.graceMS } ?? now + after
      for part in parts {
        deliveries.insert(
          .init(
            at: endsAt, request: part.request.number,
            input: .responseFailed(request: part.request.number, failure: .timeout, sent: part.up.sent),
            bytes: .init(
              up: part.up, down: .none, isRecorded: false, share: .whole, isLinkKnown: true)))
      }
    case .passed(let upMS, let totalMS):
      let serverMS = hold == nil ? now + lead + upMS : draftMS
      if serverMS / 1000 != draftMS / 1000 { answered = answers(parts, serverMS: serverMS) }
      for (part, var answer) in zip(parts, answered) {
        answer.response.serverTimeMS = serverMS
        deliveries.insert(
          .init(
            at: passesAt + max(totalMS, 1), request: part.request.number, input: .responseReceived(answer.response),
            bytes: .init(
              up: part.up, down: answer.down, isRecorded: false, share: answer.share, isLinkKnown: true,
              isUpKnown: isUpKnown(part), isHeld: part.hold != nil)))
      }
    }
  }
}

extension Input {
  /// Returns the time for which a held request waits for this result. A refusal comes at once, and tells the time then.
  fileprivate mutating func wait(_ heldMS: Int64, arrivalMS: Int64, _ terms: HoldTerms) -> Int64 {
    switch self {
    case .responseReceived(var response) where response.status != 200:
      response.serverTimeMS = arrivalMS
      self = .responseReceived(response)
      return 0
    case .responseReceived: return heldMS
    case .responseFailed(_, .timeout, _): return terms.seconds * 1000
    default: return 0
    }
  }
}

import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailTestSupport
import ContrailWire

// The network and the disk.

extension Simulation {
  func add(_ what: Occurrence.What, at time: Int64) {
    eventCount += 1
    events.append(Occurrence(at: time, order: eventCount, what: what))
  }

  func send(_ requests: [OutgoingRequest], _ packed: TransportRequest) {
    tally.requests += requests.count
    if !isFirstTurnOver { judge.find(.settings, "a request is sent before the application's first turn has ended") }
    if !isLinkAllowed { judge.find(.settings, "a request is sent while the application keeps the link off") }
    if requests.count > 1 { tally.count("exchange.shared") }
    for request in requests {
      switch request.mode {
      case .full: tally.fulls += 1
      case .delta: tally.deltas += 1
      case .repair: tally.count("repair.sent")
      case nil: tally.uploads += 1
      }
    }
    let isHeld = requests.allSatisfy { $0.holdSeconds != nil }
    if isHeld {
      tally.count("hold.sent")
      if !script.setting.isListenedTo {
        judge.find(.urgency, "a request is held for \(script.setting.holdSeconds) s at most")
      }
    }
    let fault =
      isHeld && !holdSpoils.isEmpty ? holdSpoils.removeFirst() : spoils.isEmpty ? nil : spoils.removeFirst()
    if let fault { tally.count("answer.\(fault.rawValue)") }
    func failAll(_ failure: TransportFailure, at time: Int64) { requests.forEach { fail($0, failure, at: time) } }
    guard isLinkUp else { return failAll(.network, at: trueMS + 200) }
    switch fault {
    case .lost:
      failAll(.timeout, at: trueMS + Int64(packed.timeoutSeconds) * 1000)
      // Either the request is lost, or what was answered to it.
      if requests[0].number.isMultiple(of: 2) { add(.arrival(requests, packed, .lost), at: trueMS + latencyMS / 2) }
    case .broken: failAll(.network, at: trueMS + latencyMS)
    case .tooLarge: failAll(.tooLarge, at: trueMS + latencyMS)
    case .insecure: failAll(.security, at: trueMS + latencyMS)
    default: add(.arrival(requests, packed, fault), at: trueMS + latencyMS / 2)
    }
  }

  private func fail(_ request: OutgoingRequest, _ failure: TransportFailure, at time: Int64) {
    let delivery = Judge.Delivery(request: request.number, isHonest: false, tellsTime: false)
    add(
      .delivery(Reply(request: request, result: .failed(failure, message: "simulated"), delivery: delivery)), at: time)
  }

  func happen(_ event: Occurrence) {
    switch event.what {
    case .arrival(let requests, let packed, let fault): arrive(requests, packed, fault)
    case .release(let requests, let packed, let fault): answer(requests, packed, fault)
    case .delivery(var reply):
      if sabotage == .oldAnswersPass { reply.pass(for: driver.state.scope(reply.request.scope)?.inFlight) }
      deliver(reply)
    case .opening: feed(open())
    case .endOfTurn: endTurn()
    case .credential(let number, let answer): returnCredential(number, answer)
    case .signature(let head, let result): feed(.signed(head, result))
    case .airportFile(let effectiveMS): endLoad(effectiveMS: effectiveMS)
    }
  }

  private func deliver(_ reply: Reply) {
    var number = reply.request.number
    if case .answered(let response) = reply.result { number = response.request }
    // The second answer to a request is no answer any more once the first is written.
    if deliveries[number] == nil { deliveries[number] = reply }
    feed(.responded(number, reply.result), reply)
  }

  /// Requests reach the server, which may hold them.
  private func arrive(_ requests: [OutgoingRequest], _ packed: TransportRequest, _ fault: AnswerFault?) {
    guard var at = server.release(packed, atMS: trueMS) else { return answer(requests, packed, fault) }
    var fault = fault
    switch fault {
    case .holdSilent: return
    case .holdCut where at > trueMS + 15_000:
      requests.forEach { fail($0, .network, at: trueMS + 15_000) }
      return
    case .holdTimedOut:
      if at > trueMS + 60_000 { at = trueMS + 60_000 } else { fault = nil }
    case .holdDrained: at = trueMS
    default: break
    }
    add(.release(requests, packed, fault), at: at)
  }

  private func answer(_ requests: [OutgoingRequest], _ packed: TransportRequest, _ fault: AnswerFault?) {
    let answer = server.answer(packed, atMS: trueMS, fault: fault)
    if fault == .lost { return }
    let credentials = Credentials(apiKey: server.key)
    let isRepair = requests.contains { $0.mode == .repair }
    if server.changedAnother { tally.count(isRepair ? "repair.ofAnother" : "changes.ofAnother") }
    var results =
      requests.count == 1
      ? [sender.result(of: answer, to: requests[0], with: credentials)]
      : sender.results(of: answer, to: requests, with: credentials)
    let received = tape.map { _ in ReceivedAnswer(answer) }
    tally.wireBytes += answer.wireBytes
    let counted = results.reduce(Int64(0)) {
      if case .answered(let one) = $1 { $0 + one.wireBytes } else { $0 }
    }
    if counted != answer.wireBytes, results.allSatisfy({ if case .answered = $0 { true } else { false } }) {
      judge.find(.accounting, "of an answer of \(answer.wireBytes) bytes, \(counted) were counted")
    }
    if server.changedAnother, sabotage == (isRepair ? .repairsAreTakenUnproven : .changesAreTakenUnproven) {
      results = zip(requests, results).map { $1.unproven($0, at: trueMS) }
    }
    for (request, result) in zip(requests, results) {
      guard case .answered(let single) = result else {
        deliver(
          Reply(
            request: request, result: result,
            delivery: .init(request: request.number, isHonest: false, tellsTime: false), answer: received), fault)
        continue
      }
      let status = single.status
      let delivery = Judge.Delivery(
        request: request.number, status: status,
        isHonest: (fault?.isOfTimeOnly ?? true) && (status == 200 || status == 304),
        trueServerMS: fault == .wrongServerTime ? nil : trueMS, tellsTime: true,
        changesAnother: server.changedAnother,
        wireBytes: single.wireBytes + (sabotage == .bytesAreMiscounted ? 1 : 0))
      deliver(Reply(request: request, result: result, delivery: delivery, answer: received), fault)
    }
  }

  /// Sends a reply on its way back.
  private func deliver(_ reply: Reply, _ fault: AnswerFault?) {
    let arrival = trueMS + (latencyMS + 1) / 2
    add(.delivery(reply), at: fault == .late ? arrival + 20_000 : arrival)
    guard fault == .doubled else { return }
    var second = reply
    second.isSecond = true
    second.delivery.isHonest = false
    add(.delivery(second), at: arrival + Int64(reply.request.number % 4) * 900)
  }

  /// The request is given up. What is under way may come all the same, when the two cross.
  func giveUp(_ number: Int64) {
    if script.setting.deliversCancelled, number % 3 != 0 { return }
    events.removeAll {
      switch $0.what {
      // An exchange goes on while another of its requests is wanted.
      case .arrival(let requests, _, _), .release(let requests, _, _):
        requests.count == 1 && requests[0].number == number
      case .delivery(let reply): reply.request.number == number
      case .opening, .endOfTurn, .airportFile, .credential, .signature: false
      }
    }
  }

  func setLink(_ isUp: Bool, isTold: Bool) {
    if isLinkUp, !isUp {
      tally.count("link.\(isTold ? "down" : "silentlyDown")")
      // What is under way is torn off.
      let torn = events
      events = []
      for event in torn {
        switch event.what {
        // A router that forgets a connection tells nobody.
        case .release(let requests, _, _) where !isTold && requests[0].number.isMultiple(of: 2): break
        case .arrival(let requests, _, _), .release(let requests, _, _):
          requests.forEach { fail($0, .network, at: trueMS + 100) }
        // The first answer has ended the request, so a second one that is lost is no failure.
        case .delivery(let reply) where reply.isSecond: break
        case .delivery(let reply): fail(reply.request, .network, at: trueMS + 100)
        case .airportFile(let effectiveMS): breakLoad(effectiveMS: effectiveMS)
        case .opening, .endOfTurn, .credential, .signature: events.append(event)
        }
      }
    }
    isLinkUp = isUp
    if isTold { submit { $0.setOnline(isUp) } }
  }

  // MARK: The disk

  func perform(_ trouble: DiskTrouble) {
    switch trouble {
    case .full:
      tally.count("disk.full")
      refused = ["write", "create"]
    case .free: freeDisk()
    case .refusal(let count):
      tally.count("disk.refusal")
      disk.faults[disk.operationCount + count] = .refusal
    case .syncFails:
      tally.count("disk.syncFails")
      syncsToFail = 1
    case .shortWrites(let isShort):
      if isShort { tally.count("disk.shortWrites") }
      disk.isShort = isShort
    case .locked(let milliseconds):
      lockedUntil = trueMS + milliseconds
      // It takes the log while nobody has it.
      ending = .kill
    }
    disk.refuses = { [unowned self] name in
      if name == "sync", syncsToFail > 0 {
        syncsToFail -= 1
        return true
      }
      return refused.contains(name)
    }
  }

  func freeDisk() {
    refused = []
    syncsToFail = 0
    disk.faults = disk.faults.filter { $0.value == .death }
  }
}

extension Simulation.Reply {
  /// Takes on the number of another request.
  fileprivate mutating func pass(for inFlight: Scope.InFlightRequest?) {
    guard let inFlight, inFlight.mode == request.mode, delivery.isHonest, case .answered(var response) = result else {
      return
    }
    response.request = inFlight.request
    result = .answered(response)
  }
}

extension RequestResult {
  /// The result as it would be if the changes were taken without a proof.
  fileprivate func unproven(_ request: OutgoingRequest, at now: Int64) -> RequestResult {
    guard case .answered(var response) = self else { return self }
    let held = request.heldRecords
    let sum = HeldSum(count: held.reports.count, checksum: held.reports.reduce(0) { $0 &+ $1.digest })
    response.body = .answer(
      ObservationsAnswer(
        token: now / 1000, held: sum, reports: held.reports, pireps: held.pireps, traffic: request.heldTraffic))
    return .answered(response)
  }
}

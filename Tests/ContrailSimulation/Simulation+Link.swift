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

  func send(_ request: OutgoingRequest, _ packed: TransportRequest, _ credentials: Credentials) {
    tally.requests += 1
    switch request.mode {
    case .full: tally.fulls += 1
    case .delta: tally.deltas += 1
    case nil: tally.uploads += 1
    }
    let fault = spoils.isEmpty ? nil : spoils.removeFirst()
    if let fault { tally.count("answer.\(fault.rawValue)") }
    guard isLinkUp else { return fail(request, .network, at: trueMS + 200) }
    switch fault {
    case .lost:
      fail(request, .timeout, at: trueMS + 30_000)
      // Either the request is lost, or what was answered to it.
      if request.number.isMultiple(of: 2) { add(.arrival(request, packed, .lost), at: trueMS + latencyMS / 2) }
    case .broken: fail(request, .network, at: trueMS + latencyMS)
    case .tooLarge: fail(request, .tooLarge, at: trueMS + latencyMS)
    case .insecure: fail(request, .security, at: trueMS + latencyMS)
    default: add(.arrival(request, packed, fault), at: trueMS + latencyMS / 2)
    }
  }

  private func fail(_ request: OutgoingRequest, _ failure: TransportFailure, at time: Int64) {
    let delivery = Judge.Delivery(request: request.number, isHonest: false, tellsTime: false)
    add(
      .delivery(Reply(request: request, result: .failed(failure, message: "simulated"), delivery: delivery)), at: time)
  }

  func happen(_ event: Occurrence) {
    switch event.what {
    case .arrival(let request, let packed, let fault): answer(request, packed, fault)
    case .delivery(var reply):
      if sabotage == .oldAnswersPass { reply.pass(for: driver.state.scope(reply.request.scope)?.inFlight) }
      deliver(reply)
    case .opening: feed(open())
    case .endOfTurn: endTurn()
    case .airportFile(let effectiveMS): endLoad(effectiveMS: effectiveMS)
    }
  }

  private func deliver(_ reply: Reply) {
    var number = reply.request.number
    if case .answered(let answer) = reply.result { number = answer.response.request }
    // The second answer to a request is no answer any more once the first is written.
    if deliveries[number] == nil { deliveries[number] = reply }
    feed(.responded(number, reply.result))
  }

  private func answer(_ request: OutgoingRequest, _ packed: TransportRequest, _ fault: AnswerFault?) {
    let answer = server.answer(packed, atMS: trueMS, fault: fault)
    if fault == .lost { return }
    let result = sender.result(of: answer, to: request, with: Credentials(apiKey: server.key))
    let delivery = Judge.Delivery(
      request: request.number, status: answer.status,
      isHonest: (fault?.isOfTimeOnly ?? true) && (answer.status == 200 || answer.status == 304),
      trueServerMS: fault == .wrongServerTime ? nil : trueMS, tellsTime: true,
      wireBytes: answer.wireBytes + (sabotage == .bytesAreMiscounted ? 1 : 0))
    var reply = Reply(request: request, result: result, delivery: delivery)
    tally.wireBytes += answer.wireBytes
    let arrival = trueMS + (latencyMS + 1) / 2
    add(.delivery(reply), at: fault == .late ? arrival + 20_000 : arrival)
    if fault == .doubled {
      reply.isSecond = true
      reply.delivery.isHonest = false
      add(.delivery(reply), at: arrival + Int64(request.number % 4) * 900)
    }
  }

  /// The request is given up. What is under way may come all the same, when the two cross.
  func giveUp(_ number: Int64) {
    if script.setting.deliversCancelled, number % 3 != 0 { return }
    events.removeAll {
      switch $0.what {
      case .arrival(let request, _, _): request.number == number
      case .delivery(let reply): reply.request.number == number
      case .opening, .endOfTurn, .airportFile: false
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
        case .arrival(let request, _, _): fail(request, .network, at: trueMS + 100)
        case .delivery(let reply): fail(reply.request, .network, at: trueMS + 100)
        case .airportFile(let effectiveMS): breakLoad(effectiveMS: effectiveMS)
        case .opening, .endOfTurn: events.append(event)
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
    guard let inFlight, inFlight.mode == request.mode, delivery.isHonest, case .answered(var answer) = result else {
      return
    }
    answer.response.request = inFlight.request
    result = .answered(answer)
  }
}

import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailTestSupport
import ContrailWire

// The network and the disk.

extension Simulation {
  /// Requests on their way to the server, or there.
  struct Exchange {
    var requests: [OutgoingRequest]
    var packed: TransportRequest
    var credentials: Credentials
    var fault: AnswerFault?
    /// The stream that they read the next answer of; nil if they are sent.
    var stream: OpenStream?
    /// The time of the answer in true milliseconds since 1970, if the server holds them.
    var heldUntilMS: Int64?
  }

  func add(_ what: Occurrence.What, at time: Int64) {
    eventCount += 1
    events.append(Occurrence(at: time, order: eventCount, what: what))
  }

  func send(_ requests: [OutgoingRequest], _ packed: TransportRequest, with credentials: Credentials) {
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
    var exchange = Exchange(requests: requests, packed: packed, credentials: credentials, fault: fault)
    let stream = isHeld ? takeStream(for: exchange) : nil
    switch fault {
    case .lost:
      failAll(.timeout, at: trueMS + Int64(packed.timeoutSeconds) * 1000)
      // Either the request is lost, or what was answered to it.
      if requests[0].number.isMultiple(of: 2) { add(.arrival(exchange), at: trueMS + latencyMS / 2) }
    case .broken: failAll(.network, at: trueMS + latencyMS)
    case .tooLarge: failAll(.tooLarge, at: trueMS + latencyMS)
    case .insecure: failAll(.security, at: trueMS + latencyMS)
    default:
      guard let stream else { return add(.arrival(exchange), at: trueMS + latencyMS / 2) }
      exchange.stream = stream
      arrive(exchange)
    }
  }

  private func fail(_ request: OutgoingRequest, _ failure: TransportFailure, at time: Int64) {
    let delivery = Judge.Delivery(request: request.number, isHonest: false, tellsTime: false)
    add(
      .delivery(Reply(request: request, result: .failed(failure, message: "simulated"), delivery: delivery)), at: time)
  }

  func happen(_ event: Occurrence) {
    switch event.what {
    case .arrival(let exchange): arrive(exchange)
    case .release(let exchange): answer(exchange)
    case .delivery(var reply):
      if sabotage == .oldAnswersPass { reply.pass(for: driver.state.scope(reply.request.scope)?.inFlight) }
      deliver(reply)
    case .opening: feed(open())
    case .endOfTurn: endTurn()
    case .listener: listenLate()
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
  private func arrive(_ exchange: Exchange) {
    let (stream, requests) = (exchange.stream, exchange.requests)
    let heldSince = stream?.answeredMS ?? trueMS
    let slackSeconds = stream == nil ? 0 : CompactStream.slackSeconds
    guard var at = server.release(exchange.packed, atMS: heldSince, slackSeconds: slackSeconds) else {
      return stream == nil ? answer(exchange) : sendAfterStream(exchange)
    }
    var exchange = exchange
    switch exchange.fault {
    case .holdSilent: return
    case .holdCut where at > trueMS + 15_000:
      requests.forEach { fail($0, .network, at: trueMS + 15_000) }
      return
    case .holdTimedOut:
      if at > trueMS + 60_000 { at = trueMS + 60_000 } else { exchange.fault = nil }
    case .holdDrained: at = max(trueMS, heldSince)
    default: break
    }
    exchange.heldUntilMS = at
    // The next answer of a stream may be on its way already.
    let pauseMS: Int64 = sabotage == .streamsPause && stream != nil ? 2000 : 0
    add(.release(exchange), at: max(at, trueMS + pauseMS))
  }

  private func answer(_ exchange: Exchange) {
    let (requests, fault) = (exchange.requests, exchange.fault)
    let at = exchange.heldUntilMS ?? trueMS
    let answer = server.answer(exchange.packed, atMS: at, fault: fault)
    if fault == .lost { return }
    if exchange.stream != nil, answer.status != 200 { return sendAfterStream(exchange) }
    let isRepair = requests.contains { $0.mode == .repair }
    if server.changedAnother { tally.count(isRepair ? "repair.ofAnother" : "changes.ofAnother") }
    let credentials = Credentials(apiKey: server.key)
    var (results, wireBytes) =
      streamed(answer, to: exchange, atMS: at)
      ?? (
        requests.count == 1
          ? [sender.result(of: answer, to: requests[0], with: credentials)]
          : sender.results(of: answer, to: requests, with: credentials),
        answer.wireBytes
      )
    let received = tape.map { _ in ReceivedAnswer(answer) }
    tally.wireBytes += wireBytes
    let counted = results.reduce(Int64(0)) {
      if case .answered(let one) = $1 { $0 + one.wireBytes } else { $0 }
    }
    if counted != wireBytes, results.allSatisfy({ if case .answered = $0 { true } else { false } }) {
      judge.find(.accounting, "of an answer of \(wireBytes) bytes, \(counted) were counted")
    }
    if server.changedAnother, sabotage == (isRepair ? .repairsAreTakenUnproven : .changesAreTakenUnproven) {
      results = zip(requests, results).map { $1.unproven($0, at: at) }
    }
    // A later answer of a stream has no head, and its token tells the time.
    let tellsWrongTime =
      exchange.stream == nil ? fault == .wrongServerTime : fault == .watermarkWentBack || fault == .tokenAhead
    for (request, result) in zip(requests, results) {
      guard case .answered(let single) = result else {
        deliver(
          Reply(
            request: request, result: result,
            delivery: .init(request: request.number, isHonest: false, tellsTime: false), answer: received), fault,
          atMS: at)
        continue
      }
      let status = single.status
      let delivery = Judge.Delivery(
        request: request.number, status: status,
        isHonest: (fault?.isOfTimeOnly ?? true) && (status == 200 || status == 304),
        trueServerMS: tellsWrongTime ? nil : at, tellsTime: single.serverTimeMS != nil,
        changesAnother: server.changedAnother,
        wireBytes: single.wireBytes + (sabotage == .bytesAreMiscounted ? 1 : 0))
      deliver(Reply(request: request, result: result, delivery: delivery, answer: received), fault, atMS: at)
    }
  }

  /// By how much a late answer is late.
  static let lateMS: Int64 = 20_000

  /// Sends a reply on its way back.
  ///
  /// - Parameter atMS: When the server gave it, in true milliseconds since 1970.
  private func deliver(_ reply: Reply, _ fault: AnswerFault?, atMS: Int64) {
    let arrival = arrival(ofAnswerAtMS: atMS)
    add(.delivery(reply), at: fault == .late ? arrival + Self.lateMS : arrival)
    guard fault == .doubled else { return }
    var second = reply
    second.isSecond = true
    second.delivery.isHonest = false
    add(.delivery(second), at: arrival + Int64(reply.request.number % 4) * 900)
  }

  /// The request is given up. What is under way may come all the same, when the two cross.
  func giveUp(_ number: Int64) {
    leaveStream(number)
    if script.setting.deliversCancelled, number % 3 != 0 { return }
    events.removeAll {
      switch $0.what {
      // An exchange goes on while another of its requests is wanted.
      case .arrival(let exchange), .release(let exchange):
        exchange.requests.count == 1 && exchange.requests[0].number == number
      case .delivery(let reply): reply.request.number == number
      case .opening, .endOfTurn, .listener, .airportFile, .credential, .signature: false
      }
    }
  }

  func setLink(_ isUp: Bool, isTold: Bool) {
    if isLinkUp, !isUp {
      tally.count("link.\(isTold ? "down" : "silentlyDown")")
      // What is under way is torn off.
      stream = nil
      let torn = events
      events = []
      for event in torn {
        switch event.what {
        // A router that forgets a connection tells nobody.
        case .release(let exchange) where !isTold && exchange.requests[0].number.isMultiple(of: 2): break
        case .arrival(let exchange), .release(let exchange):
          exchange.requests.forEach { fail($0, .network, at: trueMS + 100) }
        // The first answer has ended the request, so a second one that is lost is no failure.
        case .delivery(let reply) where reply.isSecond: break
        case .delivery(let reply): fail(reply.request, .network, at: trueMS + 100)
        case .airportFile(let effectiveMS): breakLoad(effectiveMS: effectiveMS)
        case .opening, .endOfTurn, .listener, .credential, .signature: events.append(event)
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

import ContrailCompression
import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire

@testable import ContrailField

/// A flight of which everything is known: the application, the link and the server, so that it can be flown under any settings.
///
/// Its log under its own settings is what `replay what-if` reads; its log under others is the truth about a prediction.
struct KnownFlight {
  /// An input of the application or the device, and when it comes, in milliseconds after the start.
  var inputs: [(at: Int64, input: Input)] = []
  /// The records of the server, and when they arrive, in seconds after the start.
  var reports: [(report: TurbulenceReport, arrival: Int64)] = []
  var pireps: [(pirep: PIREP, arrival: Int64)] = []
  /// The aircraft at each second.
  var traffic: (Int64) -> [TrafficPosition] = { _ in [] }
  /// The version of the turbulence areas, or of the weather, at each second.
  var document: (Int64) -> Int = { _ in 1 }
  /// Whether the server knows handles and the compact form.
  var isCompact = true
  /// Whether answers contain sums of the held records.
  var hasSums = false
  var repairs = false
  /// Whether the sums of a delta that is answered at a second are wrong.
  var isWrong: (Int64) -> Bool = { _ in false }
  /// How many records too many a wrong sum counts; 0 if only its checksum is wrong.
  var extraCount = 3
  /// The size of the head of an answer by handle.
  var handleHeadBytes: Int64 = 39
  var holdSeconds: Int64 = 0
  /// The longest time for which the server holds a request that arrives at a second, whatever its terms are, in milliseconds.
  var longestHoldMS: (Int64) -> Int64 = { _ in .max }
  /// Whether an answer to a held request that the server sends at a second is lost.
  var isSilent: (Int64) -> Bool = { _ in false }
  /// How far the server's clock is ahead at each second, in milliseconds.
  var clockLeadMS: (Int64) -> Int64 = { _ in 0 }
  var upMS: Int64 = 400
  var downMS: Int64 = 400
  /// How much longer an answer takes that was requested at a second, in milliseconds.
  var slowMS: (Int64) -> Int64 = { _ in 0 }
  var link: LinkModel?
  /// Returns the status of a request that the server refuses at a second; nil if it serves it.
  var refusal: (OutgoingRequest, Int64) -> Int? = { _, _ in nil }
  /// Whether a request that is sent at a second is lost.
  var isLost: (Int64) -> Bool = { _ in false }
  /// Whether there is a connection for a request that is lost. Without one, nothing is sent.
  var isConnected = true
  /// What the application requests in full after each of its settings.
  var refetches = false
  var lengthMS: Int64 = 3_600_000

  static let start: Int64 = 1_740_000_000_000
  static let base: Int64 = 75

  private(set) var state = State()
  private(set) var records: [Record] = []
  private var now = KnownFlight.start
  private var deliveries: [(at: Int64, request: Int64, input: Input)] = []

  init() {}

  // MARK: Material

  /// A flight over an area with reports that arrive in these seconds, each a second after its observation.
  init(seconds: [Int64], types: DataTypeOptions = .turbulence, _ change: (inout ResolvedQuery) -> Void = { _ in }) {
    for (index, second) in seconds.enumerated() {
      reports.append((Self.report(UInt64(index), at: second - 1), second))
    }
    inputs = [(0, .sessionStarted(.init(engine: EngineVersion.current.description, id: "known", seed: 7)))]
    inputs.append((0, .connectivityChanged(isOnline: true)))
    var query = ResolvedQuery()
    (query.types, query.polygon) = (types, Self.polygon(by: 12))
    change(&query)
    inputs.append((0, .queryChanged(query)))
  }

  static let place = TurbulenceReport(cell: 0, altitude: 0, severity: 0, edrE4: 0, observedAt: 0).position

  /// A triangle around the place of all records. A request with it is too small to be compressed.
  static func polygon(by degrees: Int64) -> ResolvedQuery.Points {
    [(-1, -1), (-1, 1), (2, 0), (-1, -1)].map {
      FixedCoordinate(
        latitudeE7: place.latitudeE7 / FixedCoordinate.degree * FixedCoordinate.degree + $0.0 * degrees
          * FixedCoordinate.degree / 4,
        longitudeE7: place.longitudeE7 / FixedCoordinate.degree * FixedCoordinate.degree + $0.1 * degrees
          * FixedCoordinate.degree / 2)
    }
  }

  static func report(_ number: UInt64, at second: Int64) -> TurbulenceReport {
    let draw = Digest.mix(number)
    return TurbulenceReport(
      cell: 0, altitude: UInt8(20 + draw % 20), severity: UInt8(draw >> 20 & 3), edrE4: UInt16(draw >> 30 & 0xFFF),
      observedAt: UInt32(start / 1000 + second))
  }

  /// PIREPs that arrive in these seconds, each a second after its observation.
  static func pireps(arriving seconds: [Int64]) -> [(pirep: PIREP, arrival: Int64)] {
    seconds.enumerated().map { index, arrival in
      let second = start / 1000 + arrival - 1
      let pirep = PIREP(
        id: "p\(index)", position: place, flightLevel: 300, severity: .light, isUrgent: false, observedAt: second,
        updatedAt: second, text: "UA /OV \(index)")
      return (pirep, arrival)
    }
  }

  /// Lets the server refuse with a status in these seconds, or the link lose requests if it is 0; with 200, it serves them.
  mutating func fail(with status: Int, in bad: Range<Int64>) {
    switch status {
    case 0: isLost = { bad.contains($0) }
    case 200: break
    default:
      refusal = { request, second in
        let isMeant = status == 404 ? request.area != nil : status == 410 ? request.mode == .delta : true
        return isMeant && bad.contains(second) ? status : nil
      }
    }
  }

  // MARK: Flying

  /// Flies it to its end.
  mutating func fly() {
    var next = 0
    let end = Self.start + lengthMS
    while true {
      let inputAt = next < inputs.count ? Self.start + inputs[next].at : .max
      let wake = state.nextWake
      let deliveryAt = deliveries.first?.at ?? .max
      let tickAt = wake.map { max($0.at, now) } ?? .max
      let due = min(inputAt, deliveryAt, tickAt)
      guard due <= end else { break }
      now = max(now, due)
      if inputAt == due {
        let input = inputs[next].input
        next += 1
        if case .sessionStarted = input { deliveries = [] }
        add(input)
        if case .connectivityChanged(isOnline: false) = input { failAll() }
        if refetches {
          switch input {
          case .queryChanged, .historyChanged: add(.refreshRequested(full: true))
          default: break
          }
        }
      } else if deliveryAt == due {
        add(deliveries.removeFirst().input)
      } else if let wake {
        add(.clockTicked(scope: wake.scope, due: wake.at))
      }
    }
    now = end
    append(.input(.clockAdjusted(byMS: 0)))
  }

  /// Flies it and reads its log.
  func recorded() throws -> RecordedFlight {
    var flown = self
    flown.fly()
    let disk = MemoryDisk()
    try flown.write(to: "/a.jsonl", on: disk)
    return try RecordedFlight(path: "/a.jsonl", storage: disk)
  }

  /// Writes its log, as `replay what-if` reads it. The lines have numbers of their own there, so the inputs are folded again.
  func write(to path: String, on disk: MemoryDisk) throws {
    let writer = try LogWriter.create(path: path, at: Self.start, policy: .everyEvent, storage: disk)
    var state = State()
    for record in records {
      guard case .input = record.event else { continue }
      var batch = writer.batch()
      func add(_ event: Event) throws {
        let seq = try batch.add(kind: event.kind.rawValue, at: record.at, payload: event.payload)
        state.evolve(Record(seq: seq, at: record.at, event: event))
      }
      try add(record.event)
      for decision in state.decide() { try add(.decision(decision)) }
      try writer.append(batch)
    }
    try writer.sync(at: now)
  }

  private mutating func append(_ event: Event) {
    let record = Record(seq: state.nextSeq, at: now, event: event)
    records.append(record)
    state.evolve(record)
  }

  private mutating func add(_ input: Input) {
    append(.input(input))
    var requests: [OutgoingRequest] = []
    let decisions = state.decide()
    for decision in decisions { append(.decision(decision)) }
    for decision in decisions {
      if case .fetchCancelled(let cancelled) = decision { deliveries.removeAll { $0.request == cancelled.request } }
      guard let number = decision.startedRequest, let request = state.outgoingRequest(decision.scope),
        request.number == number
      else { continue }
      requests.append(request)
    }
    for exchange in OutgoingRequest.exchanges(requests) { send(exchange) }
  }

  private mutating func failAll() {
    for index in deliveries.indices {
      guard case .responseReceived(let response) = deliveries[index].input else { continue }
      deliveries[index].at = now
      deliveries[index].input = .responseFailed(request: response.request, failure: .network, sent: response.sent)
    }
    deliveries.sort { $0.request < $1.request }
  }

  // MARK: The server

  private mutating func send(_ exchange: [OutgoingRequest]) {
    let size = WireModel.size(exchange, bodyBytes: WireModel.bodyBytes(exchange[0]))
    let sent = SentBytes(total: Int64(size.plain) + Self.base, head: 0)
    func place(_ at: Int64, _ input: Input, _ request: Int64) {
      let index = deliveries.firstIndex { ($0.at, $0.request) > (at, request) } ?? deliveries.count
      deliveries.insert((at, request, input), at: index)
    }
    if isLost((now - Self.start) / 1000) {
      for (index, request) in exchange.enumerated() {
        place(
          now + upMS + downMS,
          .responseFailed(
            request: request.number, failure: .network, sent: !isConnected ? nil : index == 0 ? sent : .zero),
          request.number)
      }
      return
    }
    let hold = exchange.compactMap { $0.area?.hold }.first
    var (serverMS, endMS) = (now + upMS, now + upMS + downMS + slowMS((now - Self.start) / 1000))
    if let link {
      let draftMS = answerMS(exchange, hold, from: now + link.roundTripMS.lowerBound / 2)
      // A held request passes the link when it is answered.
      let passesAt = hold == nil ? now : max(draftMS, now)
      let draft = responses(exchange, at: draftMS + leadMS(draftMS), sent)
      let down = draft.reduce(0) { $0 + $1.wireBytes }
      switch link.passage(at: passesAt, request: exchange[0].number, upBytes: sent.total, downBytes: down, seed: 0) {
      case .timedOut(let after):
        let endMS = hold.map { now + $0.seconds * 1000 + 2 * Listening.graceMS } ?? now + after
        for (index, request) in exchange.enumerated() {
          place(
            endMS,
            .responseFailed(request: request.number, failure: .timeout, sent: index == 0 ? sent : .zero), request.number
          )
        }
        return
      case .passed(let up, let total):
        (serverMS, endMS) = (hold == nil ? now + up : draftMS, passesAt + max(total, 1))
      }
    } else if hold != nil {
      let answerMS = answerMS(exchange, hold, from: serverMS)
      (serverMS, endMS) = (answerMS, endMS + answerMS - serverMS)
    }
    if hold != nil, isSilent((serverMS - Self.start) / 1000) { return }
    for response in responses(exchange, at: serverMS + leadMS(serverMS), sent) {
      place(endMS, .responseReceived(response), response.request)
    }
  }

  /// How far the server's clock is ahead at a time.
  private func leadMS(_ timeMS: Int64) -> Int64 { clockLeadMS((timeMS - Self.start) / 1000) }

  /// The time at which the server answers requests, which it may hold by their terms.
  private func answerMS(_ exchange: [OutgoingRequest], _ hold: HoldTerms?, from time: Int64) -> Int64 {
    guard let hold else { return time }
    let leadMS = leadMS(time)
    let longestMS = longestHoldMS((time - Self.start) / 1000)
    let answerMS = answerMS(exchange, hold, arrivalMS: time + leadMS) - leadMS
    return min(answerMS, longestMS == .max ? .max : time + longestMS)
  }

  private func answerMS(_ exchange: [OutgoingRequest], _ hold: HoldTerms, arrivalMS: Int64) -> Int64 {
    let arrival = arrivalMS / 1000
    var due = arrival + hold.seconds
    for request in exchange {
      guard let inFlight = state.scope(request.scope)?.inFlight, let since = inFlight.since else { continue }
      for (report, second) in reports
      where Self.start / 1000 + second >= since && inFlight.spec.admits(report, asOf: due) {
        let delay = hold.isUrgent(report) ? 1 : max(hold.ordinarySeconds, 1)
        due = min(due, max(Self.start / 1000 + second + delay, arrival))
      }
    }
    return max(due * 1000, arrivalMS)
  }

  private func responses(_ exchange: [OutgoingRequest], at serverMS: Int64, _ sent: SentBytes) -> [Input.Response] {
    var (responses, bodies) = ([Input.Response](), [Int64]())
    for request in exchange {
      var response = Input.Response(request: request.number, status: 200, wireBytes: 0, serverTimeMS: serverMS)
      let head: Int64
      if let status = refusal(request, (serverMS - Self.start) / 1000) {
        response.status = status
        (head, response.sent) = (180, .zero)
        bodies.append(0)
      } else {
        head = answer(request, serverMS, &response)
        bodies.append(response.wireBytes)
        response.sent = .zero
      }
      if responses.isEmpty {
        response.sent = sent
        (response.wireBytes, response.headBytes) = (response.wireBytes + head, head)
      } else {
        response.headBytes = 0
      }
      responses.append(response)
    }
    if exchange.count > 1 { responses[0].wireBytes += Int64(CompactBundle.overheadBytes(of: bodies.map(Int.init))) }
    return responses
  }

  /// Answers a request in a form of the reference server, and returns the size of its head.
  private func answer(_ request: OutgoingRequest, _ serverMS: Int64, _ response: inout Input.Response) -> Int64 {
    func packed(_ bytes: [UInt8]) -> Int64 { Int64(Gzip.packed(bytes, level: 6)?.count ?? 0) }
    guard let inFlight = state.scope(request.scope)?.inFlight else {
      let count = state.outbox.upload?.count ?? 0
      response.body = .inline(Array(#"{"data":{"accepted":\#(count)},"meta":{},"links":{},"warnings":{}}"#.utf8))
      return 190
    }
    let second = serverMS / 1000
    guard request.scope.hasDeltas else {
      let version = document(second - Self.start / 1000)
      response.etag = "\"v\(version)\""
      if request.ifNoneMatch == response.etag {
        response.status = 304
        return 150
      }
      let text =
        request.scope.weatherPlace == nil
        ? #"{"type":"FeatureCollection","lastUpdatedAt":\#(Self.start / 1000),"features":[]}"#
        : #"{"status":"ok","server_time":\#(Self.start / 1000),"result":{"\#(request.scope.name)":\#(version)}}"#
      response.body = .inline(Array(text.utf8))
      response.wireBytes = packed(Array(text.utf8))
      return 189
    }
    let observations = observations(inFlight, second)
    response.body = .answer(observations)
    let isCompact = isCompact && request.acceptsCompact
    let givesHandle = isCompact && inFlight.handle == nil
    if isCompact { response.form = .compact }
    if givesHandle {
      response.handle = Self.handle(inFlight.spec.areaDigest)
      (response.repairs, response.holdSeconds) = (repairs, holdSeconds)
    }
    let bytes = isCompact ? compact(observations, request) : observations.json
    let isPacked = bytes.count >= OutgoingRequest.packedFromBytes && !(isCompact && inFlight.handle != nil)
    response.wireBytes = isPacked ? packed(bytes) : Int64(bytes.count)
    if isCompact { return inFlight.handle != nil ? handleHeadBytes : isPacked ? 223 : 197 }
    return isPacked ? 189 : 163
  }

  private func compact(_ answer: ObservationsAnswer, _ request: OutgoingRequest) -> [UInt8] {
    guard !request.heldRecords.isEmpty else { return answer.compact(milliseconds: 500, changing: request.heldTraffic) }
    var answer = answer
    answer.held = HeldSum(count: answer.reports.count, checksum: answer.reports.reduce(0) { $0 &+ $1.digest })
    return answer.compact(milliseconds: 500, changing: request.heldTraffic, and: request.heldRecords)
  }

  /// The name of a handle: eleven digits of its area.
  static func handle(_ area: UInt64) -> String { String(("00000000000" + String(area, radix: 36)).suffix(11)) }

  private func observations(_ inFlight: Scope.InFlightRequest, _ second: Int64) -> ObservationsAnswer {
    let (spec, since) = (inFlight.spec, inFlight.since)
    var answer = ObservationsAnswer(token: max(second, since ?? second), follows: since)
    guard case .ring(let ring) = spec.area else { return answer }
    let startS = Self.start / 1000
    func hasArrived(_ arrival: Int64, since: Int64?) -> Bool {
      startS + arrival < second && startS + arrival >= since ?? .min
    }
    func wanted(since: Int64?) -> [TurbulenceReport] {
      guard spec.types.contains(.turbulence), ring.contains(Self.place) else { return [] }
      return reports.filter { hasArrived($0.arrival, since: since) && spec.admits($0.report, asOf: second) }
        .map { $0.report }.sorted { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    }
    func wantedPIREPs(since: Int64?) -> [PIREP] {
      guard spec.types.contains(.pireps) else { return [] }
      return pireps.filter {
        hasArrived($0.arrival, since: since) && $0.pirep.observedAt > second - spec.history.seconds
          && ring.contains($0.pirep.position)
      }.map { $0.pirep }
    }
    answer.reports = wanted(since: since)
    answer.pireps = wantedPIREPs(since: since)
    if spec.types.contains(.traffic) {
      answer.traffic = traffic(second - startS).filter { ring.contains($0.position) }
    }
    if hasSums {
      let held = wanted(since: nil)
      let isWrong = isWrong(second - startS) && inFlight.mode == .delta
      let checksum = held.reduce(0) { $0 &+ $1.digest }
      answer.held = HeldSum(
        count: held.count + (isWrong ? extraCount : 0), checksum: isWrong && extraCount == 0 ? ~checksum : checksum)
      if spec.types.contains(.pireps) {
        let held = wantedPIREPs(since: nil)
        answer.heldPIREPs = HeldSum(count: held.count, checksum: held.reduce(0) { $0 &+ $1.digest })
      }
    }
    return answer
  }
}

extension KnownFlight {
  static func lines(of path: String, on disk: MemoryDisk) throws -> [String] {
    var lines: [String] = []
    let reader = try RecordingReader(path: path, storage: disk)
    while let entry = try reader.next() {
      if case .mark = entry.record.event { continue }
      lines.append(entry.record.known)
    }
    return lines
  }

  /// The first difference between lines. Texts of thousands of lines would hide it.
  static func difference(_ wanted: [String], _ found: [String]) -> String? {
    let first = zip(wanted, found).first { $0 != $1 }.map { "\($0.0)\ninstead\n\($0.1)" }
    return wanted == found ? nil : first ?? "\(wanted.count) lines, not \(found.count)"
  }
}

extension Record {
  /// The line of a flight without what a prediction has of its own: sums of its own records, and the part of the bytes that is the head.
  var known: String {
    guard case .input(.responseReceived(var response)) = event else {
      return "\(at - KnownFlight.start) \(event.kind.rawValue) \(String(decoding: event.payload, as: UTF8.self))"
    }
    response.headBytes = nil
    if var answer = try? response.body.observations() {
      (answer.held, answer.heldPIREPs) = (nil, nil)
      response.body = .answer(answer)
    }
    let payload = Event.input(.responseReceived(response)).payload
    return "\(at - KnownFlight.start) \(event.kind.rawValue) \(String(decoding: payload, as: UTF8.self))"
  }
}

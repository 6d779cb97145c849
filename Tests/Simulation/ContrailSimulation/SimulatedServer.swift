import ContrailCompression
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailTestSupport
package import ContrailWire

/// Answers requests by their bytes, as the protocol says, or with a fault that a flight asks for.
///
/// It doesn't know the client's state, only what the client sent.
///
/// It isn't `ReferenceService` of `ContrailWorld` behind faults, for three reasons. It must lie in ways that no layer around an honest
/// server can: a faulty answer has a valid checksum of the wrong records, or changes to records that the client never had, so the fault
/// is made before the answer is encoded. The judge asks its world at any second what a client must hold; the service tells only what a
/// request asks for, and is itself a subject of tests, so an error in both its filter and its checksum would stay hidden. And a flight
/// makes thousands of requests in one thread, while the service is asynchronous. Both use the messages of `ContrailWire`, so the
/// protocol is written once. `SimulatedServer` and the service are compared by the client's tests, which run against the service.
package struct SimulatedServer {
  package private(set) var world: SimulatedWorld
  /// A key that isn't this one gets 401.
  package var key = "first-key"
  /// The service whose tokens it takes instead of the key; nil for the key.
  var issuer: SimulatedIssuer?
  /// Tokens older than this many seconds get 410; less than nothing where there are no deltas.
  var retentionSeconds: Int64 = 12 * 3600
  /// Whether answers say how many records are held, and their checksum.
  var hasSums = true
  /// Whether answers are packed.
  package var packs = false
  /// What clients have sent up.
  package var uploads = Uploads()
  var losesUploads = false
  /// Whether the server keeps some uploaded reports from others, and says which.
  var holdsReportsBack = false
  /// Whether the server gives handles to areas, and compact answers.
  package var knowsAreas = true
  /// Whether the server repairs what clients hold.
  var knowsRepairs = true
  /// The longest time in seconds that requests are held; 0 if none is.
  var holdSeconds: Int64 = 0
  /// Whether urgent news is held as any other.
  var holdsUrgentNews = false
  /// Whether held requests are answered after a few seconds.
  var endsHoldsEarly = false
  /// The areas of all handles that were ever given.
  private(set) var rings: [String: Ring] = [:]
  /// The handles that the server remembers.
  private(set) var remembered: Set<String> = []
  /// Whether the last answer was changes to other records than the client said it holds.
  private(set) var changedAnother = false
  /// How far the clock that it tells the time by is behind.
  var clockSlowMS: Int64 = 0

  package init(world: SimulatedWorld) {
    self.world = world
  }

  /// A request as it was understood.
  package struct Asked {
    package var spec: FetchSpec
    var since: Int64?
    var etag: String?
    /// What the client of a full fetch holds of another area.
    var held: ObservationsRequest.HeldArea?
    /// What the client of a repair holds.
    var sketch: RecordSketch?
  }

  // MARK: Reading

  /// The requests of an exchange as they were understood.
  package func understood(_ request: TransportRequest) -> [Asked?] {
    Target.singles(request).map { understoodAlone($0) }
  }

  private func understoodAlone(_ request: TransportRequest) -> Asked? {
    let fields = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    if request.method == "GET", let weather = Target.weather(request.target) {
      return Asked(spec: FetchSpec(weather.spec), etag: fields["if-none-match"])
    }
    if request.target.hasPrefix(AreaRequest.prefix) {
      guard let (asked, ring) = area(request.target) else { return nil }
      return Asked(
        spec: FetchSpec(
          area: .ring(ring), filter: asked.filter), since: asked.since)
    }
    if request.target.hasPrefix(AreaRequest.repairPrefix) {
      guard let (asked, ring) = area(request.target),
        let sketch = try? request.body.withUnsafeBytes({ try RecordSketch($0) })
      else { return nil }
      return Asked(
        spec: FetchSpec(
          area: .ring(ring), filter: asked.filter), sketch: sketch)
    }
    if request.method == "GET" {
      guard var polygons = Target.polygons(request.target) else { return nil }
      if let handle = polygons.handle {
        guard let ring = rings[handle] else { return nil }
        polygons.ring = ring
      }
      return Asked(
        spec: FetchSpec(
          area: polygons.ring.map(Area.ring) ?? .world,
          filter: Filter(types: .turbulencePolygons, history: polygons.history)),
        etag: fields["if-none-match"])
    }
    guard request.target == ObservationsRequest.path else { return nil }
    guard let asked = try? Target.body(of: request).withUnsafeBytes({ try ObservationsRequest(json: $0) }) else {
      return nil
    }
    return Asked(
      spec: FetchSpec(
        area: .ring(asked.ring), filter: asked.filter), since: asked.since, held: asked.held)
  }

  /// The request by handle, and the area of the handle.
  private func area(_ target: String) -> (request: AreaRequest, ring: Ring)? {
    let (handle, items) = Target.parts(target)
    guard let ring = rings[handle], let request = try? AreaRequest(handle: handle, items: items) else { return nil }
    return (request, ring)
  }

  /// Makes the world's reports of an area known.
  mutating func include(_ ring: Ring) { world.include(ring) }

  // MARK: Keys

  func accepts(_ key: String, atMS now: Int64) -> Bool { issuer?.accepts(key, atMS: now) ?? (key == self.key) }

  func hasKey(_ request: TransportRequest, atMS now: Int64) -> Bool {
    request.headers.contains { $0.name == WireHeader.apiKey && accepts($0.value, atMS: now) }
  }

  /// Issues a token, if there are tokens.
  mutating func issue(atMS now: Int64, lifeMS: Int64?) -> (token: String, endMS: Int64) {
    issuer?.issue(atMS: now, lifeMS: lifeMS) ?? (key, .max)
  }

  // MARK: Answering

  package mutating func answer(_ request: TransportRequest, atMS now: Int64, fault: AnswerFault?) -> TransportAnswer {
    changedAnother = false
    let singles = Target.singles(request)
    guard singles.count > 1 else { return answerAlone(request, atMS: now, fault: fault) }
    let packsAll = packs
    packs = false
    defer { packs = packsAll }
    var parts: [CompactBundle.Part] = []
    for single in singles {
      let answer = answerAlone(single, atMS: now, fault: fault)
      // What isn't about one of them alone refuses all of them.
      guard [200, 404, 410].contains(answer.status) else { return answer }
      parts.append(.init(status: answer.status, body: answer.status == 200 ? answer.body : []))
    }
    if fault == .exchangeHalved { parts.removeLast() }
    var body = CompactBundle.bytes(parts)
    if fault == .compactDamaged, now % 2 == 0 { damage(&body, by: now) }
    packs = packsAll
    return reply(200, body, now, fault: fault == .wrongServerTime ? fault : nil)
  }

  private mutating func answerAlone(
    _ request: TransportRequest, atMS now: Int64, fault: AnswerFault?
  ) -> TransportAnswer {
    if request.target == ReportsUpload.path { return receive(request, now, fault) }
    guard var asked = understoodAlone(request) else { return error(400, "BAD_REQUEST", now) }
    let weather = Target.weather(request.target)
    let hasKey =
      weather.map { accepts($0.token, atMS: now) } ?? hasKey(request, atMS: now)
    guard hasKey else { return error(401, "UNAUTHORIZED", now) }
    if let status = fault?.status { return refusal(status, fault, now) }
    if let weather {
      return reply(200, world.weather(weather.place, asOf: now / 1000), now, fault: fault)
    }
    if fault == .handlesLost { remembered = [] }
    if fault == .handlesWithdrawn { knowsAreas = false }
    if fault == .repairsWithdrawn { knowsRepairs = false }
    let byHandle = area(request.target)?.request.handle ?? Target.polygons(request.target)?.handle
    if let byHandle {
      guard knowsAreas, remembered.contains(byHandle) else { return error(404, ServiceError.areaUnknown, now) }
      // Nothing tells that polygons are those of another area.
      if fault == .handleOfAnother, asked.spec.types != .turbulencePolygons, let ring = Self.elsewhere {
        asked.spec.area = .ring(ring)
      }
    }
    let token = now / 1000
    guard asked.spec.types != .turbulencePolygons else {
      let (etag, answer) = world.polygons(asked.spec.history, asked.spec.area, asOf: token)
      if asked.etag == etag { return reply(304, [], now, etag: etag) }
      let offersCompact = knowsAreas && Self.takesCompact(request)
      var body = answer.json
      if offersCompact, now % 3 != 0 {
        body = answer.compact
        if fault == .compactDamaged { damage(&body, by: now) }
      }
      var whole = reply(200, body, now, etag: etag, fault: fault)
      if offersCompact, byHandle == nil, case .ring(let ring) = asked.spec.area {
        whole.headers.append((WireHeader.area, remember(ring)))
      }
      return whole
    }
    if let since = asked.since, since > token || token - since > retentionSeconds {
      return error(410, ServiceError.deltaUnavailable, now)
    }
    if case .ring(let ring) = asked.spec.area { world.include(ring) }
    let answer = observations(asked, token, fault)
    if let sketch = asked.sketch { return repair(answer, sketch, request, asked, now, fault) }
    // A client that accepts the compact form gets it for some answers. A request by handle always gets it.
    guard knowsAreas, byHandle != nil || Self.takesCompact(request), case .ring(let ring) = asked.spec.area else {
      return reply(200, answer.json, now, fault: fault)
    }
    let handle = byHandle ?? remember(ring)
    var body = answer.json
    if byHandle != nil || now % 3 != 0 {
      let records = heldRecords(asked, token, fault)
      changedAnother = fault == .recordsOfAnother && hasSums && !records.isEmpty
      body = answer.compact(
        milliseconds: now % 1000, changing: heldTraffic(area(request.target)?.request, asked, fault), and: records)
      if fault == .compactDamaged { damage(&body, by: now) }
    }
    var whole = reply(200, body, now, fault: fault)
    if byHandle == nil { whole.headers.append((WireHeader.area, handle)) }
    if byHandle == nil, holdSeconds > 0 { whole.headers.append((WireHeader.holds, "\(holdSeconds)")) }
    if byHandle == nil, knowsRepairs { whole.headers.append((WireHeader.repairs, "1")) }
    return whole
  }

  /// Remembers an area and returns its handle.
  private mutating func remember(_ ring: Ring) -> String {
    let handle = String(Area.ring(ring).digest, radix: 36)
    rings[handle] = ring
    remembered.insert(handle)
    return handle
  }

  private static func takesCompact(_ request: TransportRequest) -> Bool {
    request.headers.contains { $0.name == "Accept" && $0.value.contains(ObservationsAnswer.compactType) }
  }

  /// Answers a repair with the changes to what the client holds.
  private mutating func repair(
    _ answer: ObservationsAnswer, _ sketch: RecordSketch, _ request: TransportRequest, _ asked: Asked, _ now: Int64,
    _ fault: AnswerFault?
  ) -> TransportAnswer {
    guard knowsRepairs else { return error(now % 2 == 0 ? 405 : 404, "NOT_FOUND", now) }
    guard asked.spec.areaDigest == sketch.areaDigest else { return error(404, ServiceError.areaUnknown, now) }
    var (answer, sketch) = (answer, sketch)
    if fault == .repairOfAnother {
      changedAnother = true
      let others = HeldRecords(reports: Array(answer.reports.dropFirst(2)), pireps: answer.pireps)
      sketch = RecordSketch(of: others, areaDigest: sketch.areaDigest, cellCount: sketch.cellCount)
    }
    if fault == .repairWrong, !answer.reports.isEmpty {
      changedAnother = true
      answer.reports.remove(at: Int(now % Int64(answer.reports.count)))
    }
    var past = asked
    let traffic = area(request.target)?.request
    past.since = traffic?.since
    let body = answer.compact(
      repairing: sketch, milliseconds: now % 1000, changing: heldTraffic(traffic, past, fault))
    guard fault != .repairTooLarge, var body else { return error(409, ServiceError.differenceTooLarge, now) }
    if fault == .repairCut || fault == .compactDamaged { damage(&body, by: now) }
    return reply(200, body, now, fault: fault)
  }

  /// What traffic the client holds, if that is what its request says.
  private func heldTraffic(_ request: AreaRequest?, _ asked: Asked, _ fault: AnswerFault?) -> [TrafficPosition] {
    if let before = before(asked), let checksum = asked.held?.traffic {
      let traffic = world.traffic(before.spec, asOf: before.token) ?? []
      return TrafficPosition.checksum(of: traffic) == checksum ? traffic : []
    }
    guard let checksum = request?.heldTraffic, let since = asked.since else { return [] }
    if fault == .trafficOfAnother { return world.traffic(asked.spec, asOf: since - 77) ?? [] }
    let traffic = world.traffic(asked.spec, asOf: since) ?? []
    return TrafficPosition.checksum(of: traffic) == checksum ? traffic : []
  }

  /// What the client of a full fetch held of another area: the area as it was asked for, and the token.
  private func before(_ asked: Asked) -> (spec: FetchSpec, token: Int64)? {
    guard let held = asked.held, asked.since == nil, remembered.contains(held.handle), let ring = rings[held.handle]
    else {
      return nil
    }
    var spec = asked.spec
    spec.area = .ring(ring)
    return (spec, held.since)
  }

  private func heldRecords(_ asked: Asked, _ token: Int64, _ fault: AnswerFault?) -> HeldRecords {
    guard let before = before(asked), before.token <= token else { return HeldRecords() }
    let records = HeldRecords(
      reports: Array(world.held(before.spec, asOf: before.token)),
      pireps: Array(world.heldPIREPs(before.spec, asOf: before.token).values))
    if fault == .recordsOfAnother {
      return HeldRecords(reports: Array(records.reports.dropFirst()), pireps: records.pireps)
    }
    return records.checksum == asked.held?.records ? records : HeldRecords()
  }

  private static let elsewhere: Ring? =
    try? Ring(Rig.square(south: -30, west: -150))

  /// Cuts an answer. Another byte within it would be for TLS to find: no sum covers the text of a PIREP.
  private func damage(_ body: inout [UInt8], by now: Int64) {
    body.removeLast(body.count - Int(now % Int64(body.count)))
  }

  /// What an upload brings; nil where it is none.
  package func upload(_ request: TransportRequest) -> (key: String, reports: [TurbulenceReport])? {
    guard request.target == ReportsUpload.path,
      let key = request.headers.first(where: { $0.name == WireHeader.idempotencyKey })?.value,
      let upload = try? Target.body(of: request).withUnsafeBytes({ try ReportsUpload(json: $0) })
    else { return nil }
    return (key, upload.reports)
  }

  private mutating func receive(_ request: TransportRequest, _ now: Int64, _ fault: AnswerFault?) -> TransportAnswer {
    guard let (key, reports) = upload(request) else { return error(400, "BAD_REQUEST", now) }
    guard hasKey(request, atMS: now) else { return error(401, "UNAUTHORIZED", now) }
    // What it took in once it takes in again; a gateway before it may still say anything.
    if let status = fault?.status, status != 400 || !uploads.hasKey(key) {
      if status == 400 { uploads.refuse(reports) }
      return refusal(status, fault, now)
    }
    if !losesUploads { uploads.receive(reports, key: key) }
    var answer = UploadAnswer(accepted: reports.count)
    if holdsReportsBack {
      for (index, report) in reports.enumerated() where Self.holdsBack(report) {
        answer.heldBack.append(UploadAnswer.HeldBack(report: index, reason: .motion))
      }
      answer.accepted -= answer.heldBack.count
    }
    return reply(200, answer.json, now, fault: fault)
  }

  /// Whether a report is kept from others. The rule is the simulation's own.
  static func holdsBack(_ report: TurbulenceReport) -> Bool { report.altitude % 4 == 3 }

  private func observations(_ asked: Asked, _ token: Int64, _ fault: AnswerFault?) -> ObservationsAnswer {
    let held = world.held(asked.spec, asOf: token)
    let pireps = world.heldPIREPs(asked.spec, asOf: token)
    var answer = ObservationsAnswer(token: token, follows: asked.since)
    if hasSums {
      answer.held = HeldSum(count: held.count, checksum: held.reduce(0) { $0 &+ $1.digest })
      if asked.spec.types.contains(.pireps) {
        answer.heldPIREPs = HeldSum(count: pireps.count, checksum: pireps.values.reduce(0) { $0 &+ $1.digest })
      }
    }
    if let since = asked.since {
      answer.reports = world.arrived(asked.spec, from: since, to: token)
    } else {
      answer.reports = held.sorted { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    }
    answer.pireps = pireps.values.filter { $0.updatedAt >= asked.since ?? 0 }.sorted { $0.id < $1.id }
    answer.traffic = world.traffic(asked.spec, asOf: token)
    if let fault { spoil(&answer, fault) }
    return answer
  }

  private func spoil(_ answer: inout ObservationsAnswer, _ fault: AnswerFault) {
    switch fault {
    case .wrongCount: answer.held?.count += 1
    case .wrongChecksum: answer.held?.checksum ^= 1
    case .wrongFollows: answer.follows = (answer.follows ?? answer.token) - 1
    case .noFollows: answer.follows = nil
    case .watermarkWentBack: answer.token -= 90_000
    case .tokenAhead: answer.token += answer.token % 2 == 0 ? 90 : 86_400
    case .recordMissing: if !answer.reports.isEmpty { answer.reports.removeFirst() }
    case .pirepMissing: if !answer.pireps.isEmpty { answer.pireps.removeFirst() }
    case .pirepOutdated: if !answer.pireps.isEmpty { answer.pireps[0].updatedAt -= 1 }
    case .recordTooMany:
      // The copy of a report, a second later: inside the area, and never observed.
      if let last = answer.reports.last {
        answer.reports.append(TurbulenceReport(packed: last.packed, observedAt: last.observedAt + 1))
      }
    default: break
    }
  }

  private func refusal(_ status: Int, _ fault: AnswerFault?, _ now: Int64) -> TransportAnswer {
    var answer = error(status, status == 410 ? ServiceError.deltaUnavailable : "FAULT", now)
    if status == 304 || status == 204 { answer.body = [] }
    if fault == .tooManyWithRetryAfter || fault == .unavailableWithRetryAfter {
      answer.headers.append(("Retry-After", "\(now / 1000 % 400)"))
    }
    return answer
  }

  private func error(_ status: Int, _ code: String, _ now: Int64) -> TransportAnswer {
    reply(status, ServiceError(status: status, code: code, message: "simulated").json(reason: "simulated"), now)
  }

  private func reply(
    _ status: Int, _ body: [UInt8], _ now: Int64, etag: String? = nil, fault: AnswerFault? = nil
  ) -> TransportAnswer {
    var serverTime = now - clockSlowMS
    if fault == .wrongServerTime { serverTime += now / 1000 % 2 == 0 ? 9_000_000 : -9_000_000 }
    var headers: [(name: String, value: String)] = [(WireHeader.serverTime, "\(serverTime)")]
    if let etag { headers.append(("ETag", etag)) }
    var body = body
    switch fault {
    case .truncated: body.removeLast(min(body.count, 7))
    case .captivePortal: body = Array("<html>\nWelcome aboard\n</html>".utf8)
    case .emptyBody: body = []
    default: break
    }
    if packs || fault == .badGzip, let packed = Gzip.packed(body, level: 1) {
      headers.append(("Content-Encoding", "gzip"))
      body = packed
      if fault == .badGzip, body.count > 12 { body[body.count / 2] ^= 0x55 }
    }
    return TransportAnswer(status: status, headers: headers, body: body)
  }
}

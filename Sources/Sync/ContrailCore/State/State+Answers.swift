package import ContrailWire

extension State {
  /// Folds a response. A response that doesn't belong to an in-flight request is only counted.
  mutating func receive(_ response: Input.Response) {
    if outbox.upload?.request == response.request { return receiveUpload(response) }
    guard let index = flightIndex(response.request), let inFlight = scopes[index].inFlight else {
      droppedAnswers += 1
      return
    }
    if let serverTime = response.serverTimeMS { serverOffsetMS = serverTime - now }
    switch response.status {
    case 200: apply(response, to: index, inFlight)
    case 304 where isCurrent(index, inFlight): succeed(index, inFlight)
    case 401 where inFlight.hasOldCredentials, 403 where inFlight.hasOldCredentials: scopes[index].inFlight = nil
    case 401, 403:
      block(.unauthorized, .unauthorized, index, response)
    case 410 where inFlight.mode == .delta && scopes[index].id.hasDeltas:
      scopes[index].inFlight = nil
      scopes[index].retry.failures = 0
      scopes[index].have?.broken = .deltaUnavailable
      scopes[index].repair = nil
    case 404 where inFlight.handle != nil:
      // The area is sent at once. If that happens again and again, requests contain the area as before.
      scopes[index].inFlight = nil
      scopes[index].loseHandle()
    case 409 where inFlight.mode == .repair: endRepair(index, isLarger: true)
    case 408, 410, 425, 429, 500...599: fail(index, retryAfterSeconds: response.retryAfterSeconds)
    case 400...499 where inFlight.mode == .repair:
      // The server doesn't repair any more.
      scopes[index].handle?.repairs = false
      endRepair(index, isLarger: false)
    case 400...499: block(.badRequest, .badRequest, index, response)
    default: fail(index, retryAfterSeconds: response.retryAfterSeconds)
    }
  }

  /// Whether a 304 says that the stored data is what the request asked for.
  private func isCurrent(_ index: Int, _ inFlight: Scope.InFlightRequest) -> Bool {
    guard !scopes[index].id.hasDeltas, inFlight.mode == .delta, let have = scopes[index].have else { return false }
    return have.spec == inFlight.spec
  }

  private mutating func block(_ block: Scope.Block, _ notice: ReportedIssue, _ index: Int, _ response: Input.Response) {
    scopes[index].inFlight = nil
    scopes[index].block = block
    scopes[index].notices.append(.init(code: notice, rule: .blocked, request: response.request))
  }

  private mutating func succeed(_ index: Int, _ inFlight: Scope.InFlightRequest) {
    scopes[index].inFlight = nil
    scopes[index].retry.succeed()
    scopes[index].lastSuccessAt = now
    scopes[index].isExpired = false
    scopes[index].isRefused = false
    if scopes[index].pendingRefresh <= Scope.PendingRefresh(inFlight.mode) { scopes[index].pendingRefresh = .none }
  }

  private mutating func apply(_ response: Input.Response, to index: Int, _ inFlight: Scope.InFlightRequest) {
    do throws(WireError) {
      if scopes[index].id.hasDeltas {
        let answer = try response.body.observations()
        if let name = response.handle {
          scopes[index].handle = .init(
            name: name, areaDigest: inFlight.spec.areaDigest, repairs: response.repairs)
        }
        if inFlight.handle != nil { scopes[index].handleLosses = 0 }
        switch inFlight.mode {
        case .full, .repair: applyFull(answer, to: index, inFlight)
        case .delta: applyDelta(answer, to: index, inFlight)
        }
      } else if case .weather = scopes[index].id {
        let document = try response.body.document()
        let time = try WeatherHead.serverTime(document)
        scopes[index].weather = document.compact
        let token = min(max(time ?? serverNow / 1000, 0), Int64(UInt32.max))
        scopes[index].have = .init(spec: inFlight.spec, watermark: token, broken: nil, etag: response.etag)
        succeed(index, inFlight)
      } else {
        let document = try response.body.document()
        let token = try PolygonsAnswer.token(document)
        if let name = response.handle, case .ring = inFlight.spec.area {
          scopes[index].handle = .init(name: name, areaDigest: inFlight.spec.areaDigest, repairs: false)
        }
        if inFlight.handle != nil { scopes[index].handleLosses = 0 }
        scopes[index].polygons = document.compact
        scopes[index].have = .init(spec: inFlight.spec, watermark: token, broken: nil, etag: response.etag)
        succeed(index, inFlight)
      }
    } catch {
      // Report the refusal once, until the service responds successfully again.
      if case .refused = error, !scopes[index].isRefused {
        scopes[index].isRefused = true
        scopes[index].notices.append(.init(code: .weatherRefused, rule: .backingOff, request: response.request))
      }
      if inFlight.handle != nil || response.form != nil { scopes[index].loseHandle() }
      fail(index, retryAfterSeconds: response.retryAfterSeconds)
    }
  }

  private mutating func applyFull(_ answer: ObservationsAnswer, to index: Int, _ inFlight: Scope.InFlightRequest) {
    // A response that follows another one is not complete.
    guard answer.follows == nil else { return refuseFull(index, inFlight) }
    var fresh = Contents()
    fresh.add(answer, spec: inFlight.spec)
    if inFlight.mode == .repair, answer.held == nil || fresh.difference(from: answer) != nil {
      return refuseFull(index, inFlight)
    }
    fresh.store(in: &scopes[index])
    scopes[index].traffic = inFlight.spec.types.contains(.traffic) ? answer.traffic ?? [] : []
    scopes[index].have = .init(spec: inFlight.spec, watermark: answer.token, broken: nil, etag: nil)
    scopes[index].repair = nil
    remember(inFlight, index)
    succeed(index, inFlight)
    if let rule = fresh.difference(from: answer) {
      scopes[index].notices.append(.init(code: .serverInconsistent, rule: rule, request: inFlight.request))
    }
  }

  /// Counts a full answer that isn't one, or a repair that isn't proven, as a failed attempt. After the latter, everything is fetched.
  private mutating func refuseFull(_ index: Int, _ inFlight: Scope.InFlightRequest) {
    if inFlight.mode == .repair { scopes[index].loseHandle() }
    fail(index, retryAfterSeconds: nil)
  }

  /// Records what the refetch guard needs to know of a full response.
  private mutating func remember(_ inFlight: Scope.InFlightRequest, _ index: Int) {
    var full = Scope.LastFull(
      rule: inFlight.rule, spec: inFlight.spec, repeats: 1, notBefore: 0, isVerified: false, isReported: false,
      request: inFlight.request, isRepair: inFlight.mode == .repair)
    if let last = scopes[index].lastFull, last.rule == full.rule, last.spec.covers(full.spec), !last.isVerified,
      !last.isRepair
    {
      full.repeats = last.repeats + 1
      full.isReported = last.isReported
    }
    full.notBefore =
      now + Backoff.delayMS(seed: session?.seed ?? 0, scope: scopes[index].id, count: full.repeats)
    scopes[index].lastFull = full
  }

  private mutating func applyDelta(_ answer: ObservationsAnswer, to index: Int, _ inFlight: Scope.InFlightRequest) {
    guard let have = scopes[index].have else { return fail(index, retryAfterSeconds: nil) }
    guard answer.follows == inFlight.since else { return breakHave(index, .followsDiffers, inFlight) }
    guard answer.token >= have.watermark else { return breakHave(index, .watermarkWentBack, inFlight) }
    let isSame = inFlight.spec == have.spec
    // Take the contents out of the scope, so that the tables are changed in place.
    var contents = Contents(takenFrom: &scopes[index])
    // Remove expired records first, so that the rest spans no more than one history, however old the last response is.
    contents.removeAll(observedUpTo: answer.token - inFlight.spec.history.seconds)
    contents.add(answer, spec: inFlight.spec)
    if !isSame { contents.narrow(to: inFlight.spec, asOf: answer.token) }
    let difference = contents.difference(from: answer)
    let missing = contents.missing(from: answer)
    contents.store(in: &scopes[index])
    if let difference { return breakHave(index, difference, inFlight, missing: missing) }
    scopes[index].traffic = inFlight.spec.types.contains(.traffic) ? answer.traffic ?? [] : []
    if !isSame { scopes[index].have?.spec = inFlight.spec }
    scopes[index].have?.watermark = answer.token
    scopes[index].have?.broken = nil
    scopes[index].have?.etag = nil
    scopes[index].repair = nil
    if answer.held != nil { scopes[index].lastFull?.isVerified = true }
    succeed(index, inFlight)
  }

  /// Marks the stored data as broken, because a delta didn't match it. A repair or a full fetch must follow.
  ///
  /// - Parameter missing: The number of records by which the counts differ; nil if the data can't be repaired.
  private mutating func breakHave(
    _ index: Int, _ rule: Rule, _ inFlight: Scope.InFlightRequest, missing: Int? = nil
  ) {
    scopes[index].inFlight = nil
    scopes[index].retry.failures = 0
    scopes[index].have?.broken = rule
    scopes[index].repair = missing.flatMap { scopes[index].repair(of: inFlight.spec, missing: $0) }
    // It may have been the handle of another area. A repair names the area itself.
    if inFlight.handle != nil, scopes[index].repair == nil { scopes[index].loseHandle() }
  }

  /// Ends a repair that the server refused.
  ///
  /// - Parameter isLarger: Whether a larger sketch may succeed.
  private mutating func endRepair(_ index: Int, isLarger: Bool) {
    scopes[index].inFlight = nil
    scopes[index].retry.failures = 0
    scopes[index].repair = isLarger ? scopes[index].repair?.larger : nil
  }
}

extension Scope {
  /// Returns the repair after an inconsistent delta; nil if a full fetch must follow.
  ///
  /// The server must be able to repair, and since the last repair or full fetch for such a reason, a delta must have been verified.
  fileprivate func repair(of spec: FetchSpec, missing: Int) -> Repair? {
    guard let handle, handle.repairs, self.handle(for: spec.areaDigest) != nil else { return nil }
    if let last = lastFull, !last.isVerified, [.countDiffers, .checksumDiffers].contains(last.rule) { return nil }
    // If the counts agree, at least one record is missing and one is too many.
    let cells = RecordSketch.cellCount(for: max(missing, 2))
    return cells <= RecordSketch.maximumCells ? Repair(cells: Int64(cells)) : nil
  }
}

extension Scope.Repair {
  /// The repair after the server found more differences than the sketch showed; nil after the last attempt.
  fileprivate var larger: Scope.Repair? {
    var next = next
    next?.cells = min(4 * cells, Int64(RecordSketch.maximumCells))
    return cells < RecordSketch.maximumCells ? next : nil
  }

  /// The repair after a failed attempt; nil after the last.
  var next: Scope.Repair? {
    attempts + 1 < Self.maximumAttempts ? Scope.Repair(cells: cells, attempts: attempts + 1) : nil
  }
}

/// The records of an area while a response is applied to them.
private struct Contents {
  private var reports = ReportSet()
  private var pireps = PIREPSet()

  init() {}

  init(takenFrom scope: inout Scope) {
    reports = scope.reports
    scope.reports = ReportSet()
    pireps = scope.pireps
    scope.pireps = PIREPSet()
  }

  func store(in scope: inout Scope) {
    scope.reports = reports
    scope.pireps = pireps
  }

  /// Adds the records of the response that match the spec.
  mutating func add(_ answer: ObservationsAnswer, spec: FetchSpec) {
    if spec.types.contains(.turbulence) {
      reports.insert(answer.reports, admittedBy: spec.filter(asOf: answer.token))
    }
    if spec.types.contains(.pireps) {
      for pirep in answer.pireps where pirep.observedAt > answer.token - spec.history.seconds {
        pireps.insert(pirep)
      }
    }
  }

  mutating func removeAll(observedUpTo second: Int64) {
    reports.removeAll(observedUpTo: second)
    pireps.removeAll(observedUpTo: second)
  }

  /// Removes records that a narrower spec excludes.
  mutating func narrow(to spec: FetchSpec, asOf token: Int64) {
    if spec.types.contains(.turbulence) {
      reports.keep { spec.admits($0, asOf: token) }
    } else {
      reports = ReportSet()
    }
    if !spec.types.contains(.pireps) { pireps = PIREPSet() }
  }

  /// Returns by how many records the stored ones and the server's differ at least.
  func missing(from answer: ObservationsAnswer) -> Int {
    let counts = [(answer.held, reports.count), (answer.heldPIREPs, pireps.count)]
    // A server may claim any count.
    return counts.reduce(0) { sum, pair in sum + min(abs((pair.0?.count ?? pair.1) - pair.1), 1 << 20) }
  }

  /// Compares the stored records with the server's counts and checksums; nil if they match.
  func difference(from answer: ObservationsAnswer) -> Rule? {
    if let held = answer.held {
      if held.count != reports.count { return .countDiffers }
      if held.checksum != reports.checksum { return .checksumDiffers }
    }
    if let held = answer.heldPIREPs {
      if held.count != pireps.count { return .countDiffers }
      if held.checksum != pireps.checksum { return .checksumDiffers }
    }
    return nil
  }
}

extension Input.Body {
  /// Returns the body as a response for an area, decoding it if needed.
  ///
  /// - Throws: ``WireError`` if the body is not a valid response.
  package func observations() throws(WireError) -> ObservationsAnswer {
    if case .answer(let answer) = self { return answer }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(WireError) in
      try ObservationsAnswer(json: UnsafeRawBufferPointer(bytes))
    }
  }

  /// Returns the body as a document, reading it if needed.
  ///
  /// - Throws: ``WireError`` if the body isn't a JSON object.
  func document() throws(WireError) -> JSONDocument {
    if case .document(let document) = self { return document }
    do throws(JSONError) {
      return try JSONDocument(bytes)
    } catch {
      throw WireError.json(error)
    }
  }
}

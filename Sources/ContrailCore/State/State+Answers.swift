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
    case 304 where !scopes[index].id.hasDeltas && inFlight.mode == .delta && scopes[index].have != nil:
      succeed(index, inFlight)
    case 401 where inFlight.hasOldCredentials, 403 where inFlight.hasOldCredentials: scopes[index].inFlight = nil
    case 401, 403:
      block(.unauthorized, .unauthorized, index, response)
    case 410 where inFlight.mode == .delta && scopes[index].id.hasDeltas:
      scopes[index].inFlight = nil
      scopes[index].retry.failures = 0
      scopes[index].have?.broken = .deltaUnavailable
    case 404 where inFlight.handle != nil:
      // The area is sent at once. If that happens again and again, requests contain the area as before.
      scopes[index].inFlight = nil
      scopes[index].loseHandle()
    case 408, 410, 425, 429, 500...599: fail(index, retryAfterSeconds: response.retryAfterSeconds)
    case 400...499: block(.badRequest, .badRequest, index, response)
    default: fail(index, retryAfterSeconds: response.retryAfterSeconds)
    }
  }

  private mutating func block(_ block: Scope.Block, _ notice: ReportedIssue, _ index: Int, _ response: Input.Response) {
    scopes[index].inFlight = nil
    scopes[index].block = block
    scopes[index].notices.append(.init(code: notice, request: response.request))
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
          scopes[index].handle = .init(name: name, areaDigest: inFlight.spec.areaDigest)
        }
        if inFlight.handle != nil { scopes[index].handleLosses = 0 }
        switch inFlight.mode {
        case .full: applyFull(answer, to: index, inFlight)
        case .delta: applyDelta(answer, to: index, inFlight)
        }
      } else if case .weather = scopes[index].id {
        let time = try response.body.withBytes { (bytes) throws(WireError) in try WeatherHead.serverTime(json: bytes) }
        scopes[index].weather = JSONWriter.compact(response.body.bytes)
        let token = min(max(time ?? serverNow / 1000, 0), Int64(UInt32.max))
        scopes[index].have = .init(spec: inFlight.spec, watermark: token, broken: nil, etag: response.etag)
        succeed(index, inFlight)
      } else {
        let token = try response.body.withBytes { (bytes) throws(WireError) in try PolygonsAnswer.token(json: bytes) }
        scopes[index].polygons = JSONWriter.compact(response.body.bytes)
        scopes[index].have = .init(spec: inFlight.spec, watermark: token, broken: nil, etag: response.etag)
        succeed(index, inFlight)
      }
    } catch {
      // Report the refusal once, until the service responds successfully again.
      if case .refused = error, !scopes[index].isRefused {
        scopes[index].isRefused = true
        scopes[index].notices.append(.init(code: .weatherRefused, request: response.request))
      }
      if inFlight.handle != nil || response.form != nil { scopes[index].loseHandle() }
      fail(index, retryAfterSeconds: response.retryAfterSeconds)
    }
  }

  private mutating func applyFull(_ answer: ObservationsAnswer, to index: Int, _ inFlight: Scope.InFlightRequest) {
    // A response that follows another one is not complete.
    guard answer.follows == nil else { return fail(index, retryAfterSeconds: nil) }
    var fresh = Contents()
    fresh.add(answer, spec: inFlight.spec)
    fresh.store(in: &scopes[index])
    scopes[index].traffic = inFlight.spec.types.contains(.traffic) ? answer.traffic ?? [] : []
    scopes[index].have = .init(spec: inFlight.spec, watermark: answer.token, broken: nil, etag: nil)
    let isInconsistent = fresh.difference(from: answer) != nil
    remember(inFlight, index)
    succeed(index, inFlight)
    if isInconsistent {
      scopes[index].notices.append(.init(code: .serverInconsistent, request: inFlight.request))
    }
  }

  /// Records what the refetch guard needs to know of a full response.
  private mutating func remember(_ inFlight: Scope.InFlightRequest, _ index: Int) {
    var full = Scope.LastFull(
      reason: inFlight.reason, spec: inFlight.spec, repeats: 1, notBefore: 0, isVerified: false, isReported: false,
      request: inFlight.request)
    if let last = scopes[index].lastFull, last.reason == full.reason, last.spec.covers(full.spec), !last.isVerified {
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
    guard answer.token >= have.watermark else { return breakHave(index, .tokenWentBack, inFlight) }
    // Take the contents out of the scope, so that the tables are changed in place.
    var contents = Contents(takenFrom: &scopes[index])
    // Remove expired records first, so that the rest spans no more than one history, however old the last response is.
    contents.removeAll(observedUpTo: answer.token - inFlight.spec.history.seconds)
    contents.add(answer, spec: inFlight.spec)
    if inFlight.spec != have.spec { contents.narrow(to: inFlight.spec, asOf: answer.token) }
    let difference = contents.difference(from: answer)
    contents.store(in: &scopes[index])
    if let difference { return breakHave(index, difference, inFlight) }
    scopes[index].traffic = inFlight.spec.types.contains(.traffic) ? answer.traffic ?? [] : []
    if inFlight.spec != have.spec { scopes[index].have?.spec = inFlight.spec }
    scopes[index].have?.watermark = answer.token
    scopes[index].have?.broken = nil
    scopes[index].have?.etag = nil
    if answer.held != nil { scopes[index].lastFull?.isVerified = true }
    succeed(index, inFlight)
  }

  /// Marks the stored data as broken, because a delta didn't match it. A full fetch must follow.
  private mutating func breakHave(_ index: Int, _ reason: Reason, _ inFlight: Scope.InFlightRequest) {
    scopes[index].inFlight = nil
    scopes[index].retry.failures = 0
    scopes[index].have?.broken = reason
    // It may have been the handle of another area.
    if inFlight.handle != nil { scopes[index].loseHandle() }
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

  /// Compares the stored records with the server's counts and checksums; nil if they match.
  func difference(from answer: ObservationsAnswer) -> Reason? {
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
    return try withBytes { (bytes) throws(WireError) in try ObservationsAnswer(json: bytes) }
  }

  /// Calls `read` with the bytes, which are valid only during the call.
  func withBytes<T>(_ read: (UnsafeRawBufferPointer) throws(WireError) -> T) throws(WireError) -> T {
    let bytes = bytes
    let result = bytes.withUnsafeBytes { buffer -> Result<T, WireError> in
      do throws(WireError) {
        return .success(try read(buffer))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

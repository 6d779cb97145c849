package import ContrailWire

// The answers to requests of a scope.

extension Scope {
  /// Folds the response to the in-flight request, and returns whether it is a delta with news.
  mutating func receive(_ response: Input.Response, _ context: Context) -> Bool {
    guard case .inFlight(let inFlight) = request else { return false }
    switch response.status {
    case 200: return apply(response, inFlight, context)
    case 304 where isCurrent(inFlight): succeed(inFlight, context)
    case 401 where inFlight.hasOldCredentials, 403 where inFlight.hasOldCredentials: request = .idle
    case 401, 403: block(.unauthorized, .unauthorized, response, context)
    case 410 where inFlight.mode == .delta && id.hasDeltas: breakHave(.broken(.deltaUnavailable))
    case 404 where inFlight.handle != nil:
      // The area is sent at once. If that happens again and again, requests contain the area as before.
      request = .idle
      loseHandle(context)
    case 409 where inFlight.mode == .repair: endRepair(next: repair?.larger)
    case 408, 410, 425, 429, 500...599: fail(retryAfterSeconds: response.retryAfterSeconds, context)
    case 400...499 where inFlight.mode == .repair:
      // The server doesn't repair any more.
      handles.known?.repairs = false
      endRepair(next: nil)
    case 400...499: block(.badRequest, .badRequest, response, context)
    default: fail(retryAfterSeconds: response.retryAfterSeconds, context)
    }
    return false
  }

  /// Records a failed attempt: no response, or an invalid one.
  mutating func fail(retryAfterSeconds: Int64?, _ context: Context) {
    if case .inFlight(let inFlight) = request, inFlight.mode == .repair {
      let next = repair?.next
      have?.repair = next
    }
    confirmHeld(context)
    request = .idle
    retry.fail(seed: context.seed, scope: id, retryAfterSeconds: retryAfterSeconds, at: context.now)
  }

  /// Whether a 304 means that the stored data answers the request.
  private func isCurrent(_ inFlight: InFlightRequest) -> Bool {
    guard !id.hasDeltas, inFlight.mode == .delta, let have else { return false }
    return have.spec == inFlight.spec
  }

  private mutating func block(
    _ block: Block, _ notice: ReportedIssue, _ response: Input.Response, _ context: Context
  ) {
    confirmHeld(context)
    request = .blocked(block)
    notices.append(.init(code: notice, rule: .blocked, request: response.request))
  }

  /// Notes that a held request was refused. The outage ends with an answer, for which another held request would wait for minutes.
  private mutating func confirmHeld(_ context: Context) {
    if case .inFlight(let inFlight) = request, inFlight.hold != nil { confirmAt = context.now }
  }

  private mutating func succeed(_ inFlight: InFlightRequest, _ context: Context) {
    request = .idle
    retry.succeed()
    lastSuccessAt = context.now
    confirmAt = nil
    reported = []
    handles.retry(at: context.now, afterMS: HandleState.restMS)
    if pendingRefresh <= PendingRefresh(inFlight.mode) { pendingRefresh = .none }
  }

  /// Forgets the handle, because an answer to a request with it, or with the offer of one, was of no use.
  private mutating func loseHandle(_ context: Context) {
    handles.lose(at: context.now)
    have?.repair = nil
  }

  // MARK: Data

  /// Folds a response with a body, and returns whether it is a delta with news.
  private mutating func apply(_ response: Input.Response, _ inFlight: InFlightRequest, _ context: Context) -> Bool {
    do throws(WireError) {
      switch id {
      case .corridor, .viewport:
        let answer = try response.body.observations()
        learnHandle(of: response, inFlight, repairs: response.repairs, holdSeconds: response.holdSeconds)
        switch inFlight.mode {
        case .full, .repair: applyFull(answer, inFlight, context)
        case .delta:
          let hasNews = answer.hasNews(after: self)
          applyDelta(answer, inFlight, context)
          return hasNews
        }
      case .weather:
        let document = try response.body.document()
        let time = try WeatherHead.serverTime(document)
        hold(document, token: min(max(time ?? context.serverSecond, 0), Int64(UInt32.max)), response, inFlight, context)
      case .global, .outbox, .airports:
        let document = try response.body.document()
        let token = try PolygonsAnswer.token(document)
        if case .ring = inFlight.spec.area { learnHandle(of: response, inFlight, repairs: false, holdSeconds: 0) }
        hold(document, token: token, response, inFlight, context)
      }
    } catch {
      // Report the refusal once, until the service responds successfully again.
      if case .refused = error, !reported.contains(.refusal) {
        reported.insert(.refusal)
        notices.append(.init(code: .weatherRefused, rule: .backingOff, request: response.request))
      }
      if inFlight.handle != nil || response.form != nil { loseHandle(context) }
      fail(retryAfterSeconds: response.retryAfterSeconds, context)
    }
    return false
  }

  /// Notes the handle that a readable response names, and that the handle of the request was of use.
  private mutating func learnHandle(
    of response: Input.Response, _ inFlight: InFlightRequest, repairs: Bool, holdSeconds: Int64
  ) {
    if let name = response.handle {
      handles.known = AreaHandle(
        name: name, areaDigest: inFlight.spec.areaDigest, repairs: repairs, holdSeconds: holdSeconds)
    }
    if inFlight.handle != nil { handles.forgive() }
  }

  /// Stores the document of polygons or weather.
  private mutating func hold(
    _ document: JSONDocument, token: Int64, _ response: Input.Response, _ inFlight: InFlightRequest, _ context: Context
  ) {
    self.document = document.compact
    have = Have(spec: inFlight.spec, watermark: token, etag: response.etag)
    succeed(inFlight, context)
  }

  private mutating func applyFull(_ answer: ObservationsAnswer, _ inFlight: InFlightRequest, _ context: Context) {
    // A response that follows another one is not complete.
    guard answer.follows == nil else { return refuseFull(inFlight, context) }
    var fresh = AreaRecords()
    fresh.add(answer, spec: inFlight.spec)
    let difference = fresh.difference(from: answer)
    if inFlight.mode == .repair {
      // A repair brings the stored data up to date, so its time can't be before theirs.
      let isOlder = answer.token < have?.watermark ?? 0
      guard answer.held != nil, difference == nil, !isOlder else { return refuseFull(inFlight, context) }
    }
    fresh.replaceTraffic(answer, spec: inFlight.spec)
    records = fresh
    have = Have(spec: inFlight.spec, watermark: answer.token)
    remember(inFlight, context)
    succeed(inFlight, context)
    if let difference {
      notices.append(.init(code: .serverInconsistent, rule: difference, request: inFlight.request))
    }
  }

  /// Counts a full answer that isn't one, or a repair that isn't proven, as a failed attempt. After the latter, everything is fetched.
  private mutating func refuseFull(_ inFlight: InFlightRequest, _ context: Context) {
    if inFlight.mode == .repair { loseHandle(context) }
    fail(retryAfterSeconds: nil, context)
  }

  /// Records a full response for the refetch guard.
  private mutating func remember(_ inFlight: InFlightRequest, _ context: Context) {
    var full = LastFull(
      rule: inFlight.rule, spec: inFlight.spec, repeats: 1, notBefore: 0, isVerified: false, isReported: false,
      request: inFlight.request, isRepair: inFlight.mode == .repair)
    if let last = lastFull, last.rule == full.rule, last.spec.covers(full.spec), !last.isVerified, !last.isRepair {
      full.repeats = last.repeats + 1
      full.isReported = last.isReported
    }
    full.notBefore = context.now + Backoff.delayMS(seed: context.seed, scope: id, count: full.repeats)
    lastFull = full
  }

  private mutating func applyDelta(_ answer: ObservationsAnswer, _ inFlight: InFlightRequest, _ context: Context) {
    guard let have else { return fail(retryAfterSeconds: nil, context) }
    guard answer.follows == inFlight.since || context.hasBareDeltas && answer.follows == nil else {
      return breakHave(by: .followsDiffers, inFlight, context)
    }
    guard answer.token >= have.watermark else { return breakHave(by: .watermarkWentBack, inFlight, context) }
    let isSame = inFlight.spec == have.spec
    // Remove expired records first, so that the rest spans no more than one history, however old the last response is.
    records.removeAll(observedUpTo: answer.token - inFlight.spec.history.seconds)
    records.add(answer, spec: inFlight.spec)
    if !isSame { records.narrow(to: inFlight.spec, asOf: answer.token) }
    if let difference = records.difference(from: answer) {
      return breakHave(by: difference, inFlight, context, missing: records.missing(from: answer))
    }
    records.replaceTraffic(answer, spec: inFlight.spec)
    if isSame {
      self.have?.watermark = answer.token
      self.have?.etag = nil
      self.have?.condition = .sound
    } else {
      self.have = Have(spec: inFlight.spec, watermark: answer.token)
    }
    if answer.held != nil { lastFull?.isVerified = true }
    succeed(inFlight, context)
  }

  // MARK: Repairs

  /// Marks the stored data as broken, because a delta didn't match it. A repair or a full fetch must follow.
  ///
  /// - Parameter missing: The number of records by which the counts differ; nil if the data can't be repaired.
  private mutating func breakHave(
    by rule: Rule, _ inFlight: InFlightRequest, _ context: Context, missing: Int? = nil
  ) {
    let repair = missing.flatMap { self.repair(of: inFlight.spec, missing: $0) }
    breakHave(repair.map { .repairable(rule, $0) } ?? .broken(rule))
    // It may have been the handle of another area. A repair names the area itself.
    if inFlight.handle != nil, repair == nil { loseHandle(context) }
  }

  private mutating func breakHave(_ condition: Have.Condition) {
    request = .idle
    retry.failures = 0
    have?.condition = condition
  }

  /// Ends a repair that the server refused.
  ///
  /// - Parameter next: The repair to try next; nil if everything must be fetched.
  private mutating func endRepair(next: Repair?) {
    request = .idle
    retry.failures = 0
    have?.repair = next
  }

  /// Returns the repair after an inconsistent delta; nil if a full fetch must follow.
  ///
  /// The server must be able to repair, and since the last repair or full fetch for such a reason, a delta must have been verified.
  private func repair(of spec: FetchSpec, missing: Int) -> Repair? {
    guard let handle, handle.repairs, handles.name(for: spec.areaDigest) != nil else { return nil }
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
  fileprivate var next: Scope.Repair? {
    attempts + 1 < Self.maximumAttempts ? Scope.Repair(cells: cells, attempts: attempts + 1) : nil
  }
}

extension ObservationsAnswer {
  /// Whether a delta changes what a scope shows. Traffic that has left is news, too, and that there is still none, when a server
  /// answers for its sake.
  package func hasNews(after scope: borrowing Scope) -> Bool {
    if !reports.isEmpty || !pireps.isEmpty || traffic?.isEmpty == false { return true }
    guard let inFlight = scope.inFlight, inFlight.spec.types.contains(.traffic) else { return false }
    if !scope.records.traffic.isEmpty { return true }
    guard let hold = inFlight.hold, let since = inFlight.since else { return false }
    return token - since >= hold.terms.ordinarySeconds
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
  fileprivate func document() throws(WireError) -> JSONDocument {
    if case .document(let document) = self { return document }
    do throws(JSONError) {
      return try JSONDocument(bytes)
    } catch {
      throw WireError.json(error)
    }
  }
}

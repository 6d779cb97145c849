import ContrailWire

/// The requests of an exchange that the server holds again after each answer.
package struct HeldStream: Sendable {
  var questions: [AreaRequest]
  /// The time after which the next answer is the last, in milliseconds since 1970.
  var endsMS: Int64
  /// Whose request it is, if a limit applies.
  var caller: LimitedCaller?
}

/// An answer to the requests of an exchange, and the requests that a client would send next; nil if one of them failed.
struct AreasAnswer: Sendable {
  var body: [UInt8]
  var next: [AreaRequest]?
}

/// How a request was held.
struct Hold: Sendable {
  /// The time of the answer in milliseconds since 1970.
  var timeMS: Int64
  /// Whether the request was held. It isn't if too many are held already, or if the server stops.
  var isHeld = false
  /// The time for which it waited.
  var waited = Duration.zero
}

// Requests that are held until there is news.

extension ReferenceService {
  /// Waits for the next answer of a stream.
  ///
  /// - Returns: The next bytes, and what follows them; nil if the stream ends.
  package func next(of stream: HeldStream) async -> (bytes: [UInt8], next: HeldStream?)? {
    var areas: [HoldRegistry.Area] = []
    for question in stream.questions {
      guard var terms = question.hold, let ring = self.areas.ring(question.handle) else { return nil }
      terms.seconds = min(terms.seconds, configuration.holdSeconds) + CompactStream.slackSeconds
      areas.append(.init(request: Self.whole(question, ring), terms: terms))
    }
    // A server that stops answers a last time.
    let isHeld = await holds.wait(for: areas, of: stream.caller, now: knownNow)
    let now = knownNow
    guard !Task.isCancelled, let answer = try? await self.areas(stream.questions, timeMS: now, plan: []) else {
      return nil
    }
    let next =
      isHeld && now < stream.endsMS
      ? answer.next.map { HeldStream(questions: $0, endsMS: stream.endsMS, caller: stream.caller) } : nil
    return (CompactStream.part(answer.body), next)
  }

  /// Returns the answer to the requests of an exchange at a time in milliseconds since 1970.
  func areas(_ questions: [AreaRequest], timeMS: Int64, plan: [Fault]) async throws(ServiceError) -> AreasAnswer {
    if let question = questions.first, questions.count == 1 {
      let (body, next) = try await area(question, timeMS: timeMS, plan: plan)
      return AreasAnswer(body: body, next: [next])
    }
    var parts: [CompactBundle.Part] = []
    var next: [AreaRequest] = []
    for question in questions {
      do throws(ServiceError) {
        let (body, following) = try await area(question, timeMS: timeMS, plan: plan)
        parts.append(.init(status: 200, body: body))
        next.append(following)
      } catch {
        parts.append(.init(status: error.status))
      }
    }
    return AreasAnswer(body: CompactBundle.bytes(parts), next: next.count == questions.count ? next : nil)
  }

  /// Returns the compact answer to a request by handle, and the request that follows it.
  private func area(
    _ question: AreaRequest, timeMS: Int64, plan: [Fault]
  ) async throws(ServiceError) -> (body: [UInt8], next: AreaRequest) {
    let whole = try await whole(question, plan: plan)
    let area = AreaRegistry.digest(of: question.handle)
    let answer = try await answer(whole, now: timeMS / 1000, area: area, plan: plan)
    let traffic =
      question.heldTraffic == nil
      ? [] : await observationService.traffic(held: question.heldTraffic, in: whole)
    let body = answer.compact(milliseconds: toldMilliseconds(timeMS), changing: traffic)
    return (body, question.following(answer))
  }

  /// Holds a request until there is news of one of its areas.
  ///
  func held(
    _ questions: [AreaRequest], _ request: ServiceRequest, timeMS: Int64, plan: [Fault]
  ) async -> Hold {
    var areas: [HoldRegistry.Area] = []
    for question in questions {
      guard let terms = question.hold, let ring = self.areas.ring(question.handle) else {
        return Hold(timeMS: timeMS)
      }
      areas.append(.init(request: Self.whole(question, ring), terms: terms))
    }
    return await held(areas, request, timeMS: timeMS, plan: plan)
  }

  /// Holds a request that contains its area until there is news; what is urgent is in the query.
  func held(
    _ question: ObservationsRequest, _ request: ServiceRequest, timeMS: Int64, plan: [Fault]
  ) async throws(ServiceError) -> Hold {
    guard !configuration.isPlain, let wait = HoldTerms.wait(request.headers[HoldTerms.field]) else {
      return Hold(timeMS: timeMS)
    }
    var terms = HoldTerms(seconds: wait)
    do throws(WireError) {
      for (name, value) in request.parameters { _ = try terms.set(name, value) }
    } catch {
      throw ServiceError(error)
    }
    return await held([.init(request: question, terms: terms)], request, timeMS: timeMS, plan: plan)
  }

  private func held(
    _ areas: [HoldRegistry.Area], _ request: ServiceRequest, timeMS: Int64, plan: [Fault]
  ) async -> Hold {
    // Only a delta that can be answered is held.
    guard mayHold(request), plan.isEmpty,
      areas.allSatisfy({ area in
        area.request.since.map { $0 <= timeMS / 1000 && $0 >= timeMS / 1000 - configuration.retentionSeconds } ?? false
      })
    else { return Hold(timeMS: timeMS) }
    let areas = areas.map { area in
      var area = area
      area.terms.seconds = min(area.terms.seconds, configuration.holdSeconds)
      return area
    }
    if request.headers[WireHeader.simulatedTime] != nil {
      // Nothing passes but the time that requests say.
      return Hold(timeMS: await observationService.release(of: areas, now: timeMS))
    }
    let caller = await holdCaller(of: request)
    let start = ContinuousClock.now
    let isHeld = await holds.wait(for: areas, of: caller, now: timeMS)
    return Hold(timeMS: max(knownNow, timeMS), isHeld: isHeld, waited: ContinuousClock.now - start)
  }

  /// Returns the key of a request, if the number of its held requests is limited.
  func holdCaller(of request: ServiceRequest) async -> LimitedCaller? {
    guard let key = request.credential else { return nil }
    return await configuration.keyRing?.caller(of: key, with: { $0.holds }, now: configuration.clock())
  }

  /// Whether a request may be held.
  func mayHold(_ request: ServiceRequest) -> Bool {
    let isSimulated = request.headers[WireHeader.simulatedTime] != nil
    return configuration.holdSeconds > 0 && !isAgeing
      && (isSimulated ? configuration.holdsSimulatedTime : request.canBeHeld)
  }
}

import ContrailCore
import ContrailWire

// The answers of the reconstructed server.

extension AlternativeFlight {
  /// An answer, its bytes, and how much of it is known.
  struct Answered {
    /// Without the bytes, which follow from the other answers of the exchange.
    var response: Input.Response
    var down: WireModel.Estimate
    /// The form of an answer whose head isn't contained in its bytes.
    var form: WireModel.ResponseForm?
    var share: Coverage.Share
    var isRecorded = false
  }

  /// A response without its bytes.
  private static func response(
    to request: OutgoingRequest, _ status: Int = 200, at serverMS: Int64, _ body: Input.Body = .none
  ) -> Input.Response {
    Input.Response(request: request.number, status: status, wireBytes: 0, serverTimeMS: serverMS, body: body)
  }

  private var isCompactServer: Bool { alternative.offered.map { $0 == .compact } ?? flight.wire.isCompact }

  /// Answers the requests of an exchange at a time of the server.
  ///
  /// - Parameter misfit: The rule by which the answers don't fit the held records; nil if they do.
  func answers(_ parts: [Part], serverMS: Int64, misfit: Rule? = nil) -> [Answered] {
    var answers = parts.map { answer($0, serverMS: serverMS, misfit) }
    if let form = answers[0].form {
      // The first has the head, and what separates the answers.
      let bodies = answers.map { Int($0.down.bytes) }
      answers[0].down = answers[0].down + flight.wire.headBytes(form, givesHandles: isCompactServer)
      if answers.count > 1 { answers[0].down.bytes += Int64(CompactBundle.overheadBytes(of: bodies)) }
    }
    // The recorded answers themselves, to the same requests in the same exchange.
    let recorded = parts.compactMap { part in part.isSameExchange ? part.same?.response : nil }
    let isRecorded = zip(answers, recorded).allSatisfy { answer, recorded in
      guard recorded.status == 200, recorded.form == answer.response.form, case .answer(let a) = answer.response.body,
        case .answer(let b) = recorded.body
      else { return false }
      return a.token == b.token
    }
    for index in answers.indices {
      if isRecorded, recorded.count == answers.count {
        answers[index].down = .init(bytes: recorded[index].wireBytes, deviation: 0, isRecorded: true)
        answers[index].isRecorded = true
      }
      answers[index].response.wireBytes = answers[index].down.bytes
      answers[index].response.sent = parts[index].up.sent
    }
    return answers
  }

  private func answer(_ part: Part, serverMS: Int64, _ misfit: Rule?) -> Answered {
    let request = part.request
    guard let inFlight = part.inFlight else { return uploadAnswer(request, serverMS: serverMS) }
    guard request.scope.hasDeltas else { return documentAnswer(request, inFlight, serverMS: serverMS) }
    let (spec, since) = (inFlight.spec, inFlight.since)
    // A watermark never goes back.
    let token = max(serverMS / 1000, since ?? 0)
    var answer = server.answer(spec, since: since, token: token)
    let isCompact = isCompactServer && request.acceptsCompact
    let form: WireModel.ResponseForm =
      isCompact ? inFlight.handle == nil ? .compact : .compactByHandle : .json
    var sized = answer
    if flight.world.hasSums {
      // The sums take their place on the wire. The engine needn't compare what was made from its own request.
      let index = inFlight.since == nil ? nil : state.index(of: request.scope)
      let (reports, pireps) = index.map { (state.scopes[$0].reports.count, state.scopes[$0].pireps.count) } ?? (0, 0)
      sized.held = HeldSum(
        count: answer.reports.count + reports, checksum: Digest.mix(UInt64(bitPattern: token)))
      if spec.types.contains(.pireps) {
        sized.heldPIREPs = HeldSum(count: answer.pireps.count + pireps, checksum: Digest.mix(7))
      }
    }
    // A repair contains changes to the held records, like the answer for an area that moved. Its sums prove it.
    let isRepair = inFlight.mode == .repair
    if isRepair {
      answer.held = HeldSum(count: answer.reports.count, checksum: answer.reports.reduce(0) { $0 &+ $1.digest })
    }
    // After a wrong count everything is fetched again, as after an answer that follows another watermark.
    if let misfit, !isRepair {
      let held = since == nil ? answer : server.answer(spec, since: nil, token: token)
      answer.held = HeldSum(
        count: held.reports.count + (misfit == .checksumDiffers ? 0 : 1_000_003),
        checksum: held.reports.reduce(1) { $0 &+ $1.digest })
    }
    var (sizedForm, down) = flight.wire.bodyBytes(
      sized, isRepair ? .repair : form, changing: request.heldTraffic, and: request.heldRecords)
    if isRepair { sizedForm = form }
    var response = Self.response(to: request, at: serverMS, .answer(answer))
    if isCompact {
      response.form = .compact
      if inFlight.handle == nil {
        response.handle = flight.world.handle(of: spec.areaDigest)
        response.repairs = flight.world.hasRepairs
        response.holdSeconds = flight.world.holdSeconds
      }
    }
    let share = shapes.plan(spec, flight.world.coverage).share(
      since: since, token: token, historySeconds: spec.history.seconds)
    return Answered(response: response, down: down, form: sizedForm, share: share)
  }

  private func uploadAnswer(_ request: OutgoingRequest, serverMS: Int64) -> Answered {
    let count = state.outbox.upload?.count ?? 0
    let body = Array(#"{"data":{"accepted":\#(count)},"meta":{},"links":{},"warnings":{}}"#.utf8)
    return Answered(
      response: Self.response(to: request, at: serverMS, .inline(body)), down: flight.wire.headBytes(.upload),
      share: .whole)
  }

  private func documentAnswer(
    _ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest, serverMS: Int64
  ) -> Answered {
    let key = RecordedWorld.DocumentKey(scope: request.scope, spec: inFlight.spec)
    let known = server.document(key, atMS: serverMS)
    // Documents of another history or place are about as large, and change about as often.
    guard let version = known ?? flight.world.likeness(of: key).flatMap({ server.document($0, atMS: serverMS) }) else {
      let bytes: Int64 = 2000
      let time = serverMS / 1000
      let body =
        request.scope.weatherPlace == nil
        ? #"{"type":"FeatureCollection","lastUpdatedAt":\#(time),"features":[]}"#
        : #"{"status":"ok","server_time":\#(time)}"#
      return Answered(
        response: Self.response(to: request, at: serverMS, .inline(Array(body.utf8))),
        down: .init(bytes: bytes, deviation: Double(bytes) / 2, isRecorded: false),
        share: .init(known: 0, gap: .documents))
    }
    // The size as JSON is known. The size in the compact form is unknown, because JSON doesn't contain the cells of an area.
    let isPacked = alternative.offered == .compact && version.form != .compact && request.acceptsCompact
    let share = known == nil || isPacked ? Coverage.Share(known: 0, gap: .documents) : .whole
    if let etag = request.ifNoneMatch, etag == version.etag {
      var response = Self.response(to: request, 304, at: serverMS)
      response.etag = etag
      return Answered(
        response: response, down: flight.wire.headBytes(.notModified), share: known == nil ? share : .whole)
    }
    let isUnpacked = version.form == .compact && alternative.offered == .json
    let bytes =
      isUnpacked
      ? (version.headBytes ?? 0) + Int64(WireModel.packedBytes(document: version.body)) : version.wireBytes
    var response = Self.response(to: request, at: serverMS, version.body)
    (response.headBytes, response.etag, response.form) = (
      version.headBytes, version.etag, isUnpacked ? nil : version.form
    )
    if alternative.offered != .json { response.handle = version.handle }
    return Answered(
      response: response, down: .init(bytes: bytes, deviation: isUnpacked ? 30 : 0, isRecorded: !isUnpacked),
      share: share)
  }
}

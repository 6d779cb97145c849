import ContrailCore
import ContrailWire

// The answers of the reconstructed server.

extension AlternativeFlight {
  /// An answer, its bytes, and how much of it is known.
  struct Answered {
    var response: Input.Response
    var down: WireModel.Estimate
    var share: Coverage.Share
    var isRecorded: Bool
  }

  /// Answers a request at a time of the server.
  ///
  /// - Parameter same: The recorded exchange with the same request at the same time, if there is one.
  func answer(
    _ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?, serverMS: Int64, up: WireModel.Estimate,
    _ same: RecordedExchange?
  ) -> Answered {
    guard let inFlight else { return uploadAnswer(request, serverMS: serverMS, up: up) }
    guard request.scope.hasDeltas else { return documentAnswer(request, inFlight, serverMS: serverMS, up: up) }
    let token = serverMS / 1000
    let spec = inFlight.spec
    let since = inFlight.since.map { min($0, token) }
    var answer = server.answer(spec, since: since, token: token)
    answer.follows = inFlight.since
    answer.token = max(token, inFlight.since ?? token)
    let isCompactServer = alternative.offered.map { $0 == .compact } ?? flight.wire.isCompact
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
    var down = flight.wire.downBytes(sized, form, changing: request.heldTraffic, and: request.heldRecords)
    var isRecorded = false
    if let recorded = same?.response, recorded.status == 200, case .answer(let other) = recorded.body,
      other.token == answer.token, recorded.form == (isCompact ? .compact : nil)
    {
      down = .init(bytes: recorded.wireBytes, deviation: 0, isRecorded: true)
      isRecorded = true
    }
    var response = Input.Response(
      request: request.number, status: 200, wireBytes: down.bytes, sent: up.sent, serverTimeMS: serverMS,
      body: .answer(answer))
    if isCompact {
      response.form = .compact
      if inFlight.handle == nil {
        response.handle = flight.world.handles[spec.areaDigest] ?? String(spec.areaDigest, radix: 36)
      }
    }
    let share = shapes.plan(spec, flight.world.coverage).share(
      since: since, token: token, historySeconds: spec.history.seconds)
    return Answered(response: response, down: down, share: share, isRecorded: isRecorded)
  }

  private func uploadAnswer(_ request: OutgoingRequest, serverMS: Int64, up: WireModel.Estimate) -> Answered {
    let count = state.outbox.upload?.count ?? 0
    let down = flight.wire.downBytes(.upload)
    let body = Array(#"{"data":{"accepted":\#(count)},"meta":{},"links":{},"warnings":{}}"#.utf8)
    return Answered(
      response: Input.Response(
        request: request.number, status: 200, wireBytes: down.bytes, sent: up.sent, serverTimeMS: serverMS,
        body: .inline(body)),
      down: down, share: .whole, isRecorded: false)
  }

  private func documentAnswer(
    _ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest, serverMS: Int64, up: WireModel.Estimate
  ) -> Answered {
    let key = RecordedWorld.DocumentKey(scope: request.scope, spec: inFlight.spec)
    guard let version = server.document(key, atMS: serverMS) else {
      // Documents of another history or place are about as large.
      let others = flight.world.documents.values.flatMap { $0 }.map(\.wireBytes)
      let bytes = others.isEmpty ? 2000 : others.reduce(0, +) / Int64(others.count)
      let time = serverMS / 1000
      let body =
        request.scope.weatherPlace == nil
        ? #"{"type":"FeatureCollection","lastUpdatedAt":\#(time),"features":[]}"#
        : #"{"status":"ok","server_time":\#(time)}"#
      return Answered(
        response: Input.Response(
          request: request.number, status: 200, wireBytes: bytes, sent: up.sent, serverTimeMS: serverMS,
          body: .inline(Array(body.utf8))),
        down: .init(bytes: bytes, deviation: Double(bytes) / 2, isRecorded: false),
        share: .init(known: 0, gap: .documents), isRecorded: false)
    }
    if let etag = request.ifNoneMatch, etag == version.etag {
      let down = flight.wire.downBytes(.notModified)
      return Answered(
        response: Input.Response(
          request: request.number, status: 304, wireBytes: down.bytes, sent: up.sent, serverTimeMS: serverMS, etag: etag
        ),
        down: down, share: .whole, isRecorded: false)
    }
    // The size as JSON is known. The size in the compact form is unknown, because JSON doesn't contain the cells of an area.
    let isUnpacked = version.form == .compact && alternative.offered == .json
    let bytes =
      isUnpacked
      ? (version.headBytes ?? 0) + Int64(WireModel.packedBytes(document: version.body)) : version.wireBytes
    return Answered(
      response: Input.Response(
        request: request.number, status: 200, wireBytes: bytes, headBytes: version.headBytes,
        sent: up.sent, serverTimeMS: serverMS, etag: version.etag,
        handle: alternative.offered == .json ? nil : version.handle, form: isUnpacked ? nil : version.form,
        body: version.body),
      down: .init(bytes: bytes, deviation: 0, isRecorded: !isUnpacked), share: .whole, isRecorded: false)
  }
}

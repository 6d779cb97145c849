package import ContrailWire

/// The request of a fetch decision, without the server's URL and without secrets.
package struct OutgoingRequest: Sendable, Equatable {
  /// The request's number in the log.
  package var number: Int64
  package var scope: ScopeID
  /// Nil for an upload.
  package var mode: FetchMode?
  package var method: Method
  /// The path and query, beginning with a slash. `WeatherSpec.tokenMark` is the placeholder of the token.
  package var target: String
  /// The stored ETag, for a conditional request.
  package var ifNoneMatch: String?
  /// The idempotency key of an upload. A repeated upload has the same key.
  package var idempotencyKey: String?
  /// JSON, or the sketch of a repair; empty for GET.
  package var body: [UInt8]
  /// Whether the answer may be in the compact form.
  package var acceptsCompact: Bool
  /// The request by handle; nil for another. Such requests can share an exchange.
  package var area: AreaRequest?
  /// The traffic that the request says is held, to which a compact answer may contain the changes.
  package var heldTraffic: [TrafficPosition]
  /// The records that the request says are held, to which a compact answer may contain the changes.
  package var heldRecords: HeldRecords

  package init(
    number: Int64, scope: ScopeID, mode: FetchMode?, method: Method, target: String, ifNoneMatch: String? = nil,
    idempotencyKey: String? = nil, body: [UInt8] = [], acceptsCompact: Bool = false,
    area: AreaRequest? = nil, heldTraffic: [TrafficPosition] = [], heldRecords: HeldRecords = HeldRecords()
  ) {
    self.number = number
    self.scope = scope
    self.mode = mode
    self.method = method
    self.target = target
    self.ifNoneMatch = ifNoneMatch
    self.idempotencyKey = idempotencyKey
    self.body = body
    self.acceptsCompact = acceptsCompact
    self.area = area
    self.heldTraffic = heldTraffic
    self.heldRecords = heldRecords
  }

  /// Returns requests in exchanges: those by handle share one.
  package static func exchanges(_ requests: [OutgoingRequest]) -> [[OutgoingRequest]] {
    var exchanges: [[OutgoingRequest]] = []
    var shared: Int?
    for request in requests {
      if request.area != nil, let index = shared, exchanges[index].count < AreaRequest.maximumCount {
        exchanges[index].append(request)
        continue
      }
      if request.area != nil { shared = exchanges.count }
      exchanges.append([request])
    }
    return exchanges
  }

  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }
}

extension Scope {
  /// Returns the tag of the stored data, if it was fetched with the parameters of the request.
  fileprivate func etag(for inFlight: InFlightRequest) -> String? {
    guard inFlight.mode == .delta, let have, have.spec == inFlight.spec else { return nil }
    return have.etag
  }

  /// Returns what a full fetch of another area says is held: the records of the area before, if the server has a handle for it.
  fileprivate func heldArea(for inFlight: InFlightRequest) -> ObservationsRequest.HeldArea? {
    guard inFlight.mode == .full, inFlight.rule == .areaChanged, let have, have.broken == nil,
      let handle = handle(for: have.spec.areaDigest)
    else { return nil }
    var before = have.spec
    before.area = inFlight.spec.area
    guard before == inFlight.spec, reports.count + pireps.count > 0 else { return nil }
    return ObservationsRequest.HeldArea(
      handle: handle, since: have.watermark,
      records: HeldRecords.checksum(
        reports: HeldSum(count: reports.count, checksum: reports.checksum),
        pireps: HeldSum(count: pireps.count, checksum: pireps.checksum)),
      traffic: traffic.isEmpty ? nil : TrafficPosition.checksum(of: traffic))
  }
}

extension Scope {
  /// Returns the request of a repair. Its body is a sketch of the held records.
  ///
  /// - Parameter second: The server's time. What has expired since isn't worth a difference.
  fileprivate func repairRequest(_ inFlight: InFlightRequest, handle: String, asOf second: Int64) -> OutgoingRequest {
    let spec = inFlight.spec
    let held = HeldRecords(
      reports: spec.types.contains(.turbulence) ? reports.sorted.filter { spec.admits($0, asOf: second) } : [],
      pireps: spec.types.contains(.pireps)
        ? pireps.sorted.filter { $0.observedAt > second - spec.history.seconds } : [])
    let traffic = spec.types.contains(.traffic) ? traffic : []
    let request = AreaRequest(
      handle: handle, types: spec.types, severities: spec.severities, altitudes: spec.altitudes, history: spec.history,
      since: traffic.isEmpty ? nil : have?.watermark,
      heldTraffic: traffic.isEmpty ? nil : TrafficPosition.checksum(of: traffic))
    let sketch = RecordSketch(of: held, areaDigest: spec.areaDigest, cellCount: Int(clamping: inFlight.cells ?? 0))
    return OutgoingRequest(
      number: inFlight.request, scope: id, mode: inFlight.mode, method: .post, target: request.repairTarget,
      body: sketch.bytes, acceptsCompact: true, heldTraffic: traffic, heldRecords: held)
  }
}

extension State {
  /// The in-flight upload.
  private var outgoingUpload: OutgoingRequest? {
    guard let upload = outbox.upload, let request = upload.request else { return nil }
    return OutgoingRequest(
      number: request, scope: .outbox, mode: nil, method: .post, target: ReportsUpload.path,
      idempotencyKey: upload.key, body: ReportsUpload(reports: Array(outbox.reports.prefix(Int(upload.count)))).json)
  }

  /// Returns the in-flight request of a scope.
  package func outgoingRequest(_ id: ScopeID) -> OutgoingRequest? {
    if id == .outbox { return outgoingUpload }
    guard let scope = scope(id), let inFlight = scope.inFlight else { return nil }
    switch (id, inFlight.spec.area) {
    case (.corridor, .ring(let ring)), (.viewport, .ring(let ring)):
      if inFlight.mode == .repair, let handle = inFlight.handle {
        return scope.repairRequest(inFlight, handle: handle, asOf: serverNow / 1000)
      }
      if let handle = inFlight.handle {
        let traffic = inFlight.spec.types.contains(.traffic) && inFlight.since != nil ? scope.traffic : []
        let request = AreaRequest(
          handle: handle, types: inFlight.spec.types, severities: inFlight.spec.severities,
          altitudes: inFlight.spec.altitudes, history: inFlight.spec.history, since: inFlight.since,
          heldTraffic: traffic.isEmpty ? nil : TrafficPosition.checksum(of: traffic))
        return OutgoingRequest(
          number: inFlight.request, scope: id, mode: inFlight.mode, method: .get, target: request.target,
          acceptsCompact: true, area: request, heldTraffic: traffic)
      }
      var request = ObservationsRequest(
        ring: ring, types: inFlight.spec.types, severities: inFlight.spec.severities,
        altitudes: inFlight.spec.altitudes,
        history: inFlight.spec.history, since: inFlight.since)
      request.held = scope.heldArea(for: inFlight)
      let isHolding = request.held != nil
      return OutgoingRequest(
        number: inFlight.request, scope: id, mode: inFlight.mode, method: .post, target: ObservationsRequest.path,
        ifNoneMatch: nil, body: request.json, acceptsCompact: scope.takesHandles,
        heldTraffic: isHolding ? scope.traffic : [],
        heldRecords: isHolding ? HeldRecords(reports: scope.reports.sorted, pireps: scope.pireps.sorted) : HeldRecords()
      )
    case (.global(let history), let area):
      var request = PolygonsRequest(history: history)
      if case .ring(let ring) = area { request.ring = ring }
      request.handle = inFlight.handle
      return OutgoingRequest(
        number: inFlight.request, scope: id, mode: inFlight.mode, method: .get, target: request.target,
        ifNoneMatch: scope.etag(for: inFlight), acceptsCompact: scope.takesHandles)
    case (.weather(let place), _):
      guard let spec = inFlight.spec.weather else { return nil }
      return OutgoingRequest(
        number: inFlight.request, scope: id, mode: inFlight.mode, method: .get, target: spec.target(place),
        ifNoneMatch: scope.etag(for: inFlight))
    case (.corridor, .world), (.viewport, .world), (.outbox, _), (.airports, _): return nil
    }
  }
}

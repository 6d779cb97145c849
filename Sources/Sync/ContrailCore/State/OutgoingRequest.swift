import ContrailGeodesy
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
  /// Whether the server decompresses bodies.
  package var takesPackedBody: Bool
  /// The request by handle; nil for another. Such requests can share an exchange.
  package var area: AreaRequest?
  /// The traffic that the client holds according to the request. A compact answer may contain the changes to it.
  package var heldTraffic: [TrafficPosition]
  /// The records that the client holds according to the request. A compact answer may contain the changes to them.
  package var heldRecords: HeldRecords

  package init(
    number: Int64, scope: ScopeID, mode: FetchMode?, method: Method, target: String, ifNoneMatch: String? = nil,
    idempotencyKey: String? = nil, body: [UInt8] = [], acceptsCompact: Bool = false, takesPackedBody: Bool = true,
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
    self.takesPackedBody = takesPackedBody
    self.area = area
    self.heldTraffic = heldTraffic
    self.heldRecords = heldRecords
  }

  /// The time for which the server may hold the request, in seconds; nil if it answers at once.
  package var holdSeconds: Int64? { area?.hold?.seconds }

  /// Returns requests in exchanges: requests by handle share one, and held requests share another.
  package static func exchanges(_ requests: [OutgoingRequest]) -> [[OutgoingRequest]] {
    var exchanges: [[OutgoingRequest]] = []
    // The last exchange of each kind.
    var shared: (held: Int?, other: Int?)
    for request in requests {
      let isHeld = request.holdSeconds != nil
      if request.area != nil, let index = isHeld ? shared.held : shared.other,
        exchanges[index].count < AreaRequest.maximumCount
      {
        exchanges[index].append(request)
        continue
      }
      if request.area != nil {
        if isHeld { shared.held = exchanges.count } else { shared.other = exchanges.count }
      }
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

  /// Returns the held records for a full fetch of another area: those of the area before, if the server has a handle for it.
  fileprivate func heldArea(for inFlight: InFlightRequest) -> ObservationsRequest.HeldArea? {
    guard inFlight.mode == .full, inFlight.rule == .areaChanged, let have, have.broken == nil,
      let handle = handles.name(for: have.spec.areaDigest)
    else { return nil }
    var before = have.spec
    before.area = inFlight.spec.area
    guard before == inFlight.spec, reports.count + pireps.count > 0 else { return nil }
    return ObservationsRequest.HeldArea(
      handle: handle, since: have.watermark,
      records: HeldRecords.checksum(reports: reports.sum, pireps: pireps.sum),
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
      handle: handle, filter: spec.filter, since: traffic.isEmpty ? nil : have?.watermark,
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
    id == .outbox ? outgoingUpload : scope(id)?.outgoingRequest(asOf: serverNow / 1000, to: service)
  }
}

extension Scope {
  /// Returns the in-flight request.
  ///
  /// - Parameters:
  ///   - second: The server's time.
  ///   - service: The kind of service at the server's URL.
  fileprivate func outgoingRequest(asOf second: Int64, to service: ServiceProfile) -> OutgoingRequest? {
    guard case .inFlight(let inFlight) = request else { return nil }
    switch (id, inFlight.spec.area) {
    case (.corridor, .ring(let ring)), (.viewport, .ring(let ring)):
      if case .corridorV5(let category) = service { return corridorV5Request(inFlight, ring, category) }
      guard let handle = inFlight.handle else { return areaRequest(inFlight, ring) }
      return inFlight.mode == .repair
        ? repairRequest(inFlight, handle: handle, asOf: second) : handleRequest(inFlight, handle: handle)
    case (.global(let history), let area):
      var request = PolygonsRequest(history: history)
      if case .ring(let ring) = area { request.ring = ring }
      request.handle = inFlight.handle
      return OutgoingRequest(
        number: inFlight.request, scope: id, mode: inFlight.mode, method: .get, target: request.target,
        ifNoneMatch: etag(for: inFlight), acceptsCompact: handles.areTaken)
    case (.weather(let place), _):
      guard let spec = inFlight.spec.weather else { return nil }
      return OutgoingRequest(
        number: inFlight.request, scope: id, mode: inFlight.mode, method: .get, target: spec.target(place),
        ifNoneMatch: etag(for: inFlight))
    case (.corridor, .world), (.viewport, .world), (.outbox, _), (.airports, _): return nil
    }
  }

  /// Returns the request that contains the area.
  private func areaRequest(_ inFlight: InFlightRequest, _ ring: Ring) -> OutgoingRequest {
    let request = ObservationsRequest(
      ring: ring, filter: inFlight.spec.filter, since: inFlight.since, held: heldArea(for: inFlight))
    let isHolding = request.held != nil
    return OutgoingRequest(
      number: inFlight.request, scope: id, mode: inFlight.mode, method: .post, target: ObservationsRequest.path,
      body: request.json, acceptsCompact: handles.areTaken, heldTraffic: isHolding ? traffic : [],
      heldRecords: isHolding ? HeldRecords(reports: reports.sorted, pireps: pireps.sorted) : HeldRecords())
  }

  /// Returns the request to a service of which only the public pages are known.
  private func corridorV5Request(_ inFlight: InFlightRequest, _ ring: Ring, _ category: String) -> OutgoingRequest {
    let request = CorridorV5Request(
      ring: ring, since: inFlight.since, history: inFlight.spec.history, aircraftCategory: category,
      altitudes: inFlight.spec.altitudes)
    return OutgoingRequest(
      number: inFlight.request, scope: id, mode: inFlight.mode, method: .post, target: ObservationsRequest.path,
      body: request.json, takesPackedBody: false)
  }

  /// Returns the request of a delta by handle.
  private func handleRequest(_ inFlight: InFlightRequest, handle: String) -> OutgoingRequest {
    let traffic = inFlight.spec.types.contains(.traffic) && inFlight.since != nil ? traffic : []
    let request = AreaRequest(
      handle: handle, filter: inFlight.spec.filter, since: inFlight.since,
      heldTraffic: traffic.isEmpty ? nil : TrafficPosition.checksum(of: traffic), hold: inFlight.hold?.terms)
    return OutgoingRequest(
      number: inFlight.request, scope: id, mode: inFlight.mode, method: .get, target: request.target,
      acceptsCompact: true, area: request, heldTraffic: traffic)
  }
}

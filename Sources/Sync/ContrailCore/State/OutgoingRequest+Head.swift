import ContrailWire

extension OutgoingRequest {
  /// The size from which a body is compressed, in bytes.
  package static let packedFromBytes = 256

  /// Whether the body is compressed. A sketch hardly becomes smaller.
  package var packsBody: Bool { takesPackedBody && mode != .repair && body.count >= Self.packedFromBytes }

  /// Returns the target and the header fields of an exchange, without credentials.
  ///
  /// - Parameters:
  ///   - exchange: One request, or several by handle.
  ///   - isSecure: Whether the exchange goes over TLS. No cache on the way then takes the answers to one path for the same, and what
  ///     differs from update to update is in header fields.
  package static func head(
    of exchange: [OutgoingRequest], isSecure: Bool
  ) -> (target: String, fields: [(name: String, value: String)]) {
    let request = exchange[0]
    let areas = exchange.compactMap { $0.area }
    var target = areas.isEmpty ? request.target : AreaRequest.target(of: areas)
    var fields: [(name: String, value: String)] = []
    // A request by handle is answered in the compact form, which needs no other encoding.
    if request.mode != .repair, areas.isEmpty {
      let accepted =
        request.acceptsCompact ? "\(ObservationsAnswer.compactType), application/json" : "application/json"
      fields = [("Accept", accepted), ("Accept-Encoding", "gzip")]
    }
    if isSecure, !areas.isEmpty { (target, fields) = AreaRequest.targetAndFields(of: areas) }
    if let seconds = exchange.compactMap({ $0.holdSeconds }).min() {
      fields.append((HoldTerms.field, HoldTerms(seconds: seconds).preference))
    }
    if let etag = request.ifNoneMatch { fields.append(("If-None-Match", etag)) }
    if let key = request.idempotencyKey { fields.append((WireHeader.idempotencyKey, key)) }
    if !request.body.isEmpty {
      fields.append(
        ("Content-Type", request.mode == .repair ? ObservationsAnswer.compactType : "application/json"))
    }
    if request.packsBody { fields.append(("Content-Encoding", "gzip")) }
    return (target, fields)
  }
}

import ContrailH3

/// The response to an ``ObservationsRequest``.
package struct ObservationsAnswer: Hashable, Sendable {
  /// The watermark: the server's time of the response in whole seconds (`lastUpdatedAt`). The next delta starts from
  /// it.
  package var token: Int64
  /// The watermark that the delta follows; nil in a full response.
  package var follows: Int64?
  /// The count and checksum of the reports after applying this response; nil if not sent.
  package var held: HeldSum?
  /// The count and checksum of PIREPs; nil if the server doesn't send them.
  package var heldPIREPs: HeldSum?
  package var reports: [TurbulenceReport]
  package var pireps: [PIREP]
  /// All traffic in the area; nil if it wasn't requested.
  package var traffic: [TrafficPosition]?

  package init(
    token: Int64, follows: Int64? = nil, held: HeldSum? = nil, heldPIREPs: HeldSum? = nil,
    reports: [TurbulenceReport] = [], pireps: [PIREP] = [], traffic: [TrafficPosition]? = nil
  ) {
    self.token = token
    self.follows = follows
    self.held = held
    self.heldPIREPs = heldPIREPs
    self.reports = reports
    self.pireps = pireps
    self.traffic = traffic
  }
}

extension ObservationsAnswer {
  /// The response as JSON.
  package var json: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// Writes ``json``.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("data")
      json.object(writeData)
      for key in ["meta", "links", "warnings"] {
        json.key(named: key)
        json.object { _ in }
      }
    }
  }

  private func writeData(_ json: inout JSONWriter) {
    json.member("lastUpdatedAt", token)
    if let follows { json.member("follows", follows) }
    if let held {
      json.member("count", held.count)
      json.key("checksum")
      json.hex(held.checksum)
    }
    json.key("hexagons")
    json.array { json in
      for report in reports {
        report.write(to: &json)
      }
    }
    if let heldPIREPs {
      json.member("pirepCount", heldPIREPs.count)
      json.key("pirepChecksum")
      json.hex(heldPIREPs.checksum)
    }
    if heldPIREPs != nil || !pireps.isEmpty {
      json.key("pireps")
      json.array { json in pireps.forEach { $0.write(to: &json) } }
    }
    if let traffic {
      json.key("traffic")
      json.array { json in traffic.forEach { $0.write(to: &json) } }
    }
  }

  /// Creates a response from JSON in any valid form. Unknown members are ignored.
  ///
  /// - Throws: ``WireError`` with the position of the first invalid byte.
  /// - Complexity: O(*n*) in the bytes.
  package init(json bytes: UnsafeRawBufferPointer) throws(WireError) {
    if let answer = ObservationsAnswer(canonical: bytes) {
      self = answer
    } else {
      try self.init(anySpelling: bytes)
    }
  }

  /// The maximum time by which a report may be newer than the watermark, in seconds, to allow for clock differences.
  static let maximumLeadSeconds: Int64 = 3600

  /// Creates a response from JSON, member by member, without the fast path.
  package init(anySpelling bytes: UnsafeRawBufferPointer) throws(WireError) {
    var answer = ObservationsAnswer(token: -1)
    var count: Int?
    var checksum: UInt64?
    var pirepCount: Int?
    var pirepChecksum: UInt64?
    var hasHexagons = false
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.data { (key, json) throws(JSONError) in
        switch key {
        case "lastUpdatedAt": answer.token = try json.unixTime()
        case "follows": answer.follows = try json.null() ? nil : json.unixTime()
        case "count": count = try json.integer(in: 0...Int.max)
        case "checksum": checksum = try json.checksum()
        case "hexagons":
          hasHexagons = true
          answer.reports.reserveCapacity(min(count ?? 0, bytes.count / 64))
          try json.array { (json) throws(JSONError) in answer.reports.append(try TurbulenceReport(from: &json)) }
        case "pirepCount": pirepCount = try json.integer(in: 0...Int.max)
        case "pirepChecksum": pirepChecksum = try json.checksum()
        case "pireps": try json.array { (json) throws(JSONError) in answer.pireps.append(try PIREP(from: &json)) }
        case "traffic":
          var traffic: [TrafficPosition] = []
          try json.array { (json) throws(JSONError) in traffic.append(try TrafficPosition(from: &json)) }
          answer.traffic = traffic
        default: try json.skipValue()
        }
      }
      try json.end()
    } catch {
      throw WireError.json(error)
    }
    guard answer.token >= 0 else { throw WireError.missing("data.lastUpdatedAt") }
    guard hasHexagons else { throw WireError.missing("data.hexagons") }
    let newest = answer.reports.reduce(Int64(0)) { max($0, Int64($1.observedAt)) }
    guard newest <= answer.token + Self.maximumLeadSeconds else {
      throw WireError.fromTheFuture(observedAt: newest, token: answer.token)
    }
    if let count, let checksum { answer.held = HeldSum(count: count, checksum: checksum) }
    if let pirepCount, let pirepChecksum {
      answer.heldPIREPs = HeldSum(count: pirepCount, checksum: pirepChecksum)
    }
    self = answer
  }
}

extension TurbulenceReport {
  /// Whether the lower 22 bits are those of a cell.
  static func isCell(_ cell: UInt64) -> Bool { H3Cell.isValidResolution5(cell << 30 | cellTemplate) }

  /// Writes the report as a hexagon of the wire format.
  @inline(__always)
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("id")
      json.hex(h3Index, digits: 15)
      json.member("alt", altitude)
      json.member("sev", severityCode)
      json.key("edr")
      json.decimal(Int64(edrE4), digits: 4)
      json.member("observedAt", observedAt)
    }
  }

  /// Creates a report from a hexagon of the wire format.
  package init(from json: inout JSONReader) throws(JSONError) {
    var cell: UInt32?
    var altitude: UInt8?
    var severity: TurbulenceSeverity?
    var edrE4: UInt16 = 0
    var observedAt: UInt32?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "id":
        let start = json.next()
        guard let index = try json.rawString().withUTF8(Hex.value), H3Cell.isValidResolution5(index)
        else { throw JSONError(offset: start, reason: "expected an H3 cell of resolution 5") }
        cell = UInt32(truncatingIfNeeded: index >> 30) & 0x3F_FFFF
      case "alt": altitude = try json.integer(in: 0...AltitudeBand.ceiling)
      case "sev": severity = try TurbulenceSeverity(from: &json)
      case "edr":
        let start = json.next()
        let value = try json.scaled(by: 4)
        guard let edr = UInt16(exactly: value) else {
          throw JSONError(offset: start, reason: "edr must be from 0 to 6.5535")
        }
        edrE4 = edr
      case "observedAt": observedAt = try json.integer(in: 0...UInt32.max)
      default: try json.skipValue()
      }
    }
    guard let cell, let altitude, let severity, let observedAt else {
      throw json.fault("a hexagon must have 'id', 'alt', 'sev' and 'observedAt'")
    }
    self.init(
      cell: cell, altitude: altitude, severity: severity.rawValue, edrE4: edrE4, observedAt: observedAt)
  }
}

extension JSONReader {
  /// Reads a message, and calls `read` for each member of its member `data`.
  package mutating func data(
    _ read: (JSONKey, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try object { (key, json) throws(JSONError) in
      if case "data" = key { try json.object(read) } else { try json.skipValue() }
    }
  }

  /// Reads a string of sixteen hexadecimal digits.
  mutating func checksum() throws(JSONError) -> UInt64 {
    let start = next()
    guard let value = try rawString().withUTF8({ $0.count == 16 ? Hex.value($0) : nil }) else {
      throw JSONError(offset: start, reason: "expected sixteen hexadecimal digits")
    }
    return value
  }
}

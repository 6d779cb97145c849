package import ContrailGeodesy

/// The body of `POST /observations/v5/corridor`: the area, the filters, and the watermark.
///
/// The format is that of the turbulence service's corridor endpoint. The members `sevs`, `types` and `follows` are
/// additions of Contrail.
package struct ObservationsRequest: Hashable, Sendable, Filtered {
  package var ring: Ring
  package var filter: Filter
  /// The watermark that the delta starts from, in seconds since 1970; nil for a full fetch.
  package var since: Int64?
  /// The records of another area that the client of a full fetch holds, with the same filters.
  package var held: HeldArea?

  /// An area whose records a client holds as of an answer. A compact answer for another area may then contain the changes.
  package struct HeldArea: Hashable, Sendable {
    /// The server's handle for the area.
    package var handle: String
    /// The watermark of the records, in seconds since 1970.
    package var since: Int64
    /// ``HeldRecords/checksum``.
    package var records: UInt32
    /// The checksum of the held traffic; nil if no traffic is held.
    package var traffic: UInt32?

    package init(handle: String, since: Int64, records: UInt32, traffic: UInt32? = nil) {
      self.handle = handle
      self.since = since
      self.records = records
      self.traffic = traffic
    }
  }

  package init(ring: Ring, filter: Filter, since: Int64? = nil, held: HeldArea? = nil) {
    self.ring = ring
    self.filter = filter
    self.since = since
    self.held = held
  }

  /// The path relative to the server URL.
  package static let path = "/observations/v5/corridor"

  /// The request as JSON.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.areaMembers(ring, since: since, history: history)
      json.member("altFrom", altitudes.lower)
      json.member("altTo", altitudes.upper)
      json.key("sevs")
      json.array { json in severities.severities.forEach { json.value($0.rawValue) } }
      json.key("types")
      types.write(to: &json)
      if let held {
        json.key("held")
        held.write(to: &json)
      }
    }
    return json.bytes
  }

  /// Creates a request from JSON.
  ///
  /// Missing members have the service's defaults: 2 hours, 0 to 52,000 feet, every severity, turbulence.
  ///
  /// - Throws: ``WireError`` if the JSON, the area or the range of altitudes is invalid.
  package init(json bytes: UnsafeRawBufferPointer) throws(WireError) {
    var corridor: [FixedCoordinate?]?
    var since: Int64?
    var filter = Filter()
    var lower: Int64 = 0
    var upper = Int64(AltitudeBand.ceiling)
    var held: HeldArea?
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.object { (key, json) throws(JSONError) in
        switch key {
        case "corridor": corridor = try Ring.readPolygon(&json)
        case "lastUpdatedAt": since = try json.null() ? nil : json.unixTime()
        case "hours":
          let start = json.next()
          let tenths = try json.scaled(by: 1, exactly: true)
          guard let span = DataHistoryTime.allCases.first(where: { $0.seconds / 360 == tenths }) else {
            throw JSONError(offset: start, reason: "hours must be 0.5, 1, 2, 4 or 6")
          }
          filter.history = span
        case "altFrom": lower = try json.integer(in: 0...52)
        case "altTo": upper = try json.integer(in: 0...52)
        case "sevs":
          filter.severities = []
          try json.array { (json) throws(JSONError) in
            filter.severities.insert(SeveritySet([try TurbulenceSeverity(from: &json)]))
          }
        case "types": filter.types = try DataTypeOptions(from: &json)
        case "held": held = try HeldArea(from: &json)
        default: try json.skipValue()
        }
      }
      try json.end()
    } catch {
      throw WireError.json(error)
    }
    guard let corridor else { throw WireError.missing("corridor") }
    guard let altitudes = AltitudeBand(lower: lower, upper: upper) else {
      throw WireError.invertedAltitudes(lower: lower, upper: upper)
    }
    filter.altitudes = altitudes
    do {
      self.init(ring: try Ring(corridor), filter: filter, since: since, held: held)
    } catch {
      throw WireError.ring(error)
    }
  }
}

extension ObservationsRequest.HeldArea {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("area", handle)
      json.member("since", since)
      json.member("records", records)
      if let traffic { json.member("traffic", traffic) }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    var handle: String?
    var since: Int64?
    var records: UInt32?
    var traffic: UInt32?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "area":
        let start = json.next()
        let name = try json.string()
        guard AreaRequest.isHandle(name) else { throw JSONError(offset: start, reason: "expected a handle of an area") }
        handle = name
      case "since": since = try json.unixTime()
      case "records": records = try json.integer(in: 0...UInt32.max)
      case "traffic": traffic = try json.null() ? nil : json.integer(in: 0...UInt32.max)
      default: try json.skipValue()
      }
    }
    guard let handle, let since, let records else {
      throw json.fault("'held' must have 'area', 'since' and 'records'")
    }
    self.init(handle: handle, since: since, records: records, traffic: traffic)
  }
}

extension Ring {
  /// Writes a GeoJSON polygon (RFC 7946, section 3.1.6) without holes.
  package func writePolygon(to json: inout JSONWriter) {
    json.object { json in
      json.member("type", "Polygon")
      json.key("coordinates")
      json.array { json in
        json.array { json in
          for point in points {
            json.array { json in
              json.decimal(point.longitudeE7, digits: 7)
              json.decimal(point.latitudeE7, digits: 7)
            }
          }
        }
      }
    }
  }

  /// Reads the outer ring of a GeoJSON polygon without validating it. Rejects a polygon with holes.
  static func readPolygon(_ json: inout JSONReader) throws(JSONError) -> [FixedCoordinate?] {
    var points: [FixedCoordinate?]?
    var isPolygon = false
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "type":
        let start = json.next()
        isPolygon = try json.string() == "Polygon"
        guard isPolygon else { throw JSONError(offset: start, reason: "the geometry must be a Polygon") }
      case "coordinates":
        try json.array { (json) throws(JSONError) in
          let start = json.next()
          guard points == nil else { throw JSONError(offset: start, reason: "a corridor must not have holes") }
          points = try readRing(&json)
        }
      default: try json.skipValue()
      }
    }
    guard isPolygon, let points else { throw json.fault("a Polygon must have 'type' and 'coordinates'") }
    return points
  }

  private static func readRing(_ json: inout JSONReader) throws(JSONError) -> [FixedCoordinate?] {
    var points: [FixedCoordinate?] = []
    try json.array { (json) throws(JSONError) in
      let start = json.next()
      var numbers: [Int64] = []
      try json.array { (json) throws(JSONError) in
        let value = try json.scaled(by: 7)
        if numbers.count < 2 { numbers.append(value) }
      }
      guard numbers.count == 2 else {
        throw JSONError(offset: start, reason: "a position must have a longitude and a latitude")
      }
      // One point above the maximum is enough to detect that there are too many.
      if points.count <= Ring.maximumCount {
        points.append(FixedCoordinate(latitudeE7: numbers[1], longitudeE7: numbers[0]))
      }
    }
    return points
  }
}

extension DataTypeOptions {
  /// Writes the names as an array.
  package func write(to json: inout JSONWriter) {
    json.array { json in
      for (name, option) in Self.names where contains(option) { json.value(name) }
    }
  }

  /// Creates a set from an array of names. An unknown name is a fault.
  package init(from json: inout JSONReader) throws(JSONError) {
    var types: DataTypeOptions = []
    try json.array { (json) throws(JSONError) in
      let start = json.next()
      let name = try json.string()
      guard let match = Self.names.first(where: { $0.name == name }) else {
        throw JSONError(offset: start, reason: "unknown data type '\(name)'")
      }
      types.insert(match.option)
    }
    self = types
  }
}

extension JSONWriter {
  /// Writes the members with which each request for an area begins.
  mutating func areaMembers(_ ring: Ring, since: Int64?, history: DataHistoryTime) {
    key("corridor")
    ring.writePolygon(to: &self)
    if let since { member("lastUpdatedAt", since) }
    key("hours")
    decimal(history.seconds / 360, digits: 1)
  }
}

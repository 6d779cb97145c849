public import ContrailGeodesy

/// A pilot report in free text.
public struct PIREP: Hashable, Sendable {
  /// The server's identifier. Updates of the report have the same one.
  public var id: String
  public var position: FixedCoordinate
  /// The flight level in hundreds of feet; nil if the report doesn't state one.
  public var flightLevel: Int?
  /// The reported turbulence; nil if the report doesn't mention it.
  public var severity: TurbulenceSeverity?
  /// Whether the report is urgent (`UUA`).
  public var isUrgent: Bool
  /// The time of observation, in seconds since 1970.
  public var observedAt: Int64
  /// The time of the server's last change, in seconds since 1970. The latest update of a report replaces the others.
  public var updatedAt: Int64
  /// The original text of the report.
  public var text: String

  public init(
    id: String, position: FixedCoordinate, flightLevel: Int?, severity: TurbulenceSeverity?, isUrgent: Bool,
    observedAt: Int64, updatedAt: Int64, text: String
  ) {
    self.id = id
    self.position = position
    self.flightLevel = flightLevel
    self.severity = severity
    self.isUrgent = isUrgent
    self.observedAt = observedAt
    self.updatedAt = updatedAt
    self.text = text
  }

  /// The digest of the report, which is added to the checksum of the stored PIREPs.
  package var digest: UInt64 { Digest.mix(Digest.hash(id.utf8) &+ UInt64(bitPattern: updatedAt)) }
}

extension PIREP {
  /// Writes the report in the wire format.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.key("lat")
      json.decimal(position.latitudeE7, digits: 7)
      json.key("lon")
      json.decimal(position.longitudeE7, digits: 7)
      if let flightLevel { json.member("fl", flightLevel) }
      if let severity { json.member("sev", severity.rawValue) }
      json.member("urgent", isUrgent)
      json.member("observedAt", observedAt)
      json.member("updatedAt", updatedAt)
      json.member("text", text)
    }
  }

  /// Creates a report from the wire format.
  package init(from json: inout JSONReader) throws(JSONError) {
    var id: String?
    var place = WirePlace()
    var flightLevel: Int?
    var severity: TurbulenceSeverity?
    var isUrgent = false
    var observedAt: Int64?
    var updatedAt: Int64?
    var text = ""
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "id": id = try json.string()
      case "lat": try place.readLatitude(&json)
      case "lon": try place.readLongitude(&json)
      case "fl": flightLevel = try json.null() ? nil : json.integer(in: -20...1000)
      case "sev": severity = try json.null() ? nil : TurbulenceSeverity(from: &json)
      case "urgent": isUrgent = try json.bool()
      case "observedAt": observedAt = try json.unixTime()
      case "updatedAt": updatedAt = try json.unixTime()
      case "text": text = try json.string()
      default: try json.skipValue()
      }
    }
    guard let id, let position = place.position, let observedAt else {
      throw json.fault("a PIREP must have 'id', 'lat', 'lon' and 'observedAt'")
    }
    self.init(
      id: id, position: position, flightLevel: flightLevel, severity: severity, isUrgent: isUrgent,
      observedAt: observedAt, updatedAt: updatedAt ?? observedAt, text: text)
  }
}

/// Collects latitude and longitude while an object is being read.
struct WirePlace {
  private var latitudeE7: Int64?
  private var longitudeE7: Int64?

  var position: FixedCoordinate? {
    guard let latitudeE7, let longitudeE7 else { return nil }
    return FixedCoordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
  }

  mutating func readLatitude(_ json: inout JSONReader) throws(JSONError) {
    latitudeE7 = try json.degreesE7(limit: 90)
  }

  mutating func readLongitude(_ json: inout JSONReader) throws(JSONError) {
    longitudeE7 = try json.degreesE7(limit: 360)
  }
}

extension JSONReader {
  /// Reads degrees as an integer of 1e-7 degrees, within ±`limit` degrees.
  mutating func degreesE7(limit: Int64) throws(JSONError) -> Int64 {
    let start = next()
    let value = try scaled(by: 7)
    guard value.magnitude <= UInt64(limit * FixedCoordinate.degree) else {
      throw JSONError(offset: start, reason: "expected degrees from -\(limit) to \(limit)")
    }
    return value
  }

  /// Reads seconds since 1970 that fit into 32 bits.
  mutating func unixTime() throws(JSONError) -> Int64 {
    try integer(in: 0...Int64(UInt32.max))
  }
}

extension TurbulenceSeverity {
  package init(from json: inout JSONReader) throws(JSONError) {
    let start = json.next()
    let code: UInt8 = try json.integer(in: 0...UInt8.max)
    guard let severity = TurbulenceSeverity(rawValue: code) else {
      throw JSONError(offset: start, reason: "unknown severity \(code)")
    }
    self = severity
  }
}

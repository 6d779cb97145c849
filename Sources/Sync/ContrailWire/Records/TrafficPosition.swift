public import ContrailGeodesy

/// The last known position of another aircraft.
public struct TrafficPosition: Hashable, Sendable {
  /// The aircraft's identifier: its 24-bit address in hexadecimal, if known.
  public var id: String
  /// The callsign; empty if unknown.
  public var callsign: String
  public var position: FixedCoordinate
  /// The altitude in feet; nil if unknown.
  public var altitudeFeet: Int?
  /// The ground speed in knots; nil if unknown.
  public var groundSpeedKnots: Int?
  /// The track in degrees from true north, 0…359; nil if unknown.
  public var trackDegrees: Int?
  /// The time of observation, in seconds since 1970.
  public var observedAt: Int64

  /// The time for which a position is shown, in seconds.
  public static let lifetimeSeconds: Int64 = 300

  public init(
    id: String, callsign: String, position: FixedCoordinate, altitudeFeet: Int?, groundSpeedKnots: Int?,
    trackDegrees: Int?, observedAt: Int64
  ) {
    self.id = id
    self.callsign = callsign
    self.position = position
    self.altitudeFeet = altitudeFeet
    self.groundSpeedKnots = groundSpeedKnots
    self.trackDegrees = trackDegrees
    self.observedAt = observedAt
  }

  /// The digest of the position, which is added to the digest of the stored traffic.
  package var digest: UInt64 {
    let place = UInt64(bitPattern: position.latitudeE7) ^ UInt64(bitPattern: position.longitudeE7) << 32
    return Digest.mix(Digest.mix(Digest.hash(id.utf8) &+ UInt64(bitPattern: observedAt)) &+ place)
  }
}

extension TrafficPosition {
  /// Writes the position in the wire format.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("callsign", callsign)
      json.key("lat")
      json.decimal(position.latitudeE7, digits: 7)
      json.key("lon")
      json.decimal(position.longitudeE7, digits: 7)
      for (key, number) in [("alt", altitudeFeet), ("gs", groundSpeedKnots), ("track", trackDegrees)] {
        guard let number else { continue }
        json.key(named: key)
        json.value(number)
      }
      json.member("observedAt", observedAt)
    }
  }

  /// Creates a position from the wire format.
  package init(from json: inout JSONReader) throws(JSONError) {
    var id: String?
    var callsign = ""
    var place = WirePlace()
    var altitude: Int?
    var speed: Int?
    var track: Int?
    var observedAt: Int64?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "id": id = try json.string()
      case "callsign": callsign = try json.string()
      case "lat": try place.readLatitude(&json)
      case "lon": try place.readLongitude(&json)
      case "alt": altitude = try json.null() ? nil : json.integer(in: -5_000...200_000)
      case "gs": speed = try json.null() ? nil : json.integer(in: 0...5_000)
      case "track": track = try json.null() ? nil : json.integer(in: 0...360)
      case "observedAt": observedAt = try json.unixTime()
      default: try json.skipValue()
      }
    }
    guard let id, let position = place.position, let observedAt else {
      throw json.fault("a traffic position must have 'id', 'lat', 'lon' and 'observedAt'")
    }
    self.init(
      id: id, callsign: callsign, position: position, altitudeFeet: altitude, groundSpeedKnots: speed,
      trackDegrees: track, observedAt: observedAt)
  }
}

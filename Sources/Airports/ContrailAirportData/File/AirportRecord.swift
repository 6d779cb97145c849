import ContrailGeodesy

/// The encoding of one airport: flags for the optional fields, then the fields in flag order.
package enum AirportRecord {
  private enum Flag {
    static let icaoID: UInt64 = 1
    static let iataID: UInt64 = 2
    static let city: UInt64 = 4
    static let elevation: UInt64 = 8
    static let variation: UInt64 = 16
    static let timeZone: UInt64 = 32
    static let isOurAirports: UInt64 = 64
    static let all: UInt64 = 127
  }

  private static let reciprocalFlag: UInt64 = 1 << 10
  private static let endFlag: UInt64 = 1 << 11
  private static let allRunwayFlags: UInt64 = 1 << 12 - 1
  package static let maximumRunways = 1024

  // MARK: Writing

  static func write(_ airport: Airport, timeZones: [String: Int], to writer: inout ByteWriter) {
    var flags: UInt64 = airport.dataSource == .ourAirports ? Flag.isOurAirports : 0
    if airport.icaoID != nil { flags |= Flag.icaoID }
    if airport.iataID != nil { flags |= Flag.iataID }
    if airport.city != nil { flags |= Flag.city }
    if airport.elevationMeters != nil { flags |= Flag.elevation }
    if airport.variationDegrees != nil { flags |= Flag.variation }
    if airport.timeZone != nil { flags |= Flag.timeZone }
    writer.varint(flags)
    writer.text(airport.recordID)
    writer.text(airport.locationID)
    if let icaoID = airport.icaoID { writer.text(icaoID) }
    if let iataID = airport.iataID { writer.text(iataID) }
    writer.text(airport.name)
    if let city = airport.city { writer.text(city) }
    writer.number(airport.coordinate.latitude)
    writer.number(airport.coordinate.longitude)
    if let elevation = airport.elevationMeters { writer.number(elevation) }
    if let variation = airport.variationDegrees { writer.number(variation) }
    if let timeZone = airport.timeZone { writer.count(timeZones[timeZone] ?? 0) }
    writer.count(airport.runways.count)
    for runway in airport.runways { write(runway, to: &writer) }
  }

  /// Returns the numbers of a runway in flag order.
  private static func numbers(of runway: Runway) -> [Double?] {
    [
      runway.trueHeadingDegrees, runway.lengthMeters, runway.widthMeters, runway.elevationMeters,
      runway.takeoffRunMeters, runway.takeoffDistanceMeters, runway.accelerateStopDistanceMeters,
      runway.landingDistanceMeters, runway.displacedThresholdMeters, runway.gradientPercent,
    ]
  }

  private static func write(_ runway: Runway, to writer: inout ByteWriter) {
    var flags: UInt64 = 0
    let numbers = numbers(of: runway)
    for (bit, number) in numbers.enumerated() where number != nil { flags |= 1 << UInt64(bit) }
    if runway.reciprocalName != nil { flags |= reciprocalFlag }
    if runway.endCoordinate != nil { flags |= endFlag }
    writer.varint(flags)
    writer.bytes.append(runway.surface.rawValue)
    writer.text(runway.name)
    for case let number? in numbers { writer.number(number) }
    if let reciprocal = runway.reciprocalName { writer.text(reciprocal) }
    if let end = runway.endCoordinate {
      writer.number(end.latitude)
      writer.number(end.longitude)
    }
  }

  /// Returns the reason why an airport can't be written, or `nil` if it can.
  static func fault(of airport: Airport) -> String? {
    if airport.recordID.isEmpty { return "the record ID is empty" }
    let texts = [
      airport.recordID, airport.locationID, airport.icaoID, airport.iataID, airport.name, airport.city,
      airport.timeZone,
    ]
    if let fault = fault(of: texts) { return fault }
    if !airport.coordinate.isOnMap { return "the coordinate is invalid" }
    if [airport.elevationMeters, airport.variationDegrees].contains(where: { !($0 ?? 0).isFinite }) {
      return "a number isn't finite"
    }
    if airport.runways.count > maximumRunways { return "it has more than \(maximumRunways) runways" }
    for runway in airport.runways {
      if let fault = fault(of: [runway.name, runway.reciprocalName]) { return fault }
      if numbers(of: runway).contains(where: { !($0 ?? 0).isFinite }) {
        return "a number of runway '\(runway.name)' isn't finite"
      }
      if let end = runway.endCoordinate, !end.isOnMap {
        return "the end coordinate of runway '\(runway.name)' is invalid"
      }
    }
    return nil
  }

  private static func fault(of texts: [String?]) -> String? {
    for case let text? in texts {
      if text.utf8.count > ByteReader.maximumTextBytes {
        return "a text is longer than \(ByteReader.maximumTextBytes) bytes"
      }
      if text.utf8.contains(0) { return "a text contains a zero character" }
    }
    return nil
  }

  // MARK: Reading

  static func read(_ reader: inout ByteReader, timeZones: [String]) throws(AirportDataError) -> Airport {
    let flags = try reader.varint()
    guard flags & ~Flag.all == 0 else { throw reader.error(.damaged, "an airport has unknown fields") }
    var airport = Airport(
      recordID: try reader.text(), locationID: try reader.text(), name: "",
      dataSource: flags & Flag.isOurAirports == 0 ? .nasr : .ourAirports,
      coordinate: Coordinate(latitude: 0, longitude: 0))
    if flags & Flag.icaoID != 0 { airport.icaoID = try reader.text() }
    if flags & Flag.iataID != 0 { airport.iataID = try reader.text() }
    airport.name = try reader.text()
    if flags & Flag.city != 0 { airport.city = try reader.text() }
    airport.coordinate = try coordinate(&reader)
    if flags & Flag.elevation != 0 { airport.elevationMeters = try reader.number() }
    if flags & Flag.variation != 0 { airport.variationDegrees = try reader.number() }
    if flags & Flag.timeZone != 0 {
      let index = try reader.varint()
      guard index < UInt64(timeZones.count) else { throw reader.error(.damaged, "a time zone index is out of range") }
      airport.timeZone = timeZones[Int(index)]
    }
    let count = try reader.count(atMost: maximumRunways, "runways of one airport")
    airport.runways.reserveCapacity(count)
    for _ in 0..<count { airport.runways.append(try runway(&reader)) }
    return airport
  }

  private static func runway(_ reader: inout ByteReader) throws(AirportDataError) -> Runway {
    let flags = try reader.varint()
    guard flags & ~allRunwayFlags == 0 else { throw reader.error(.damaged, "a runway has unknown fields") }
    guard let surface = RunwaySurface(rawValue: try reader.byte()) else {
      throw reader.error(.damaged, "the surface of a runway is unknown")
    }
    var runway = Runway(name: try reader.text(), surface: surface)
    if flags & 1 << 0 != 0 { runway.trueHeadingDegrees = try reader.number() }
    if flags & 1 << 1 != 0 { runway.lengthMeters = try reader.number() }
    if flags & 1 << 2 != 0 { runway.widthMeters = try reader.number() }
    if flags & 1 << 3 != 0 { runway.elevationMeters = try reader.number() }
    if flags & 1 << 4 != 0 { runway.takeoffRunMeters = try reader.number() }
    if flags & 1 << 5 != 0 { runway.takeoffDistanceMeters = try reader.number() }
    if flags & 1 << 6 != 0 { runway.accelerateStopDistanceMeters = try reader.number() }
    if flags & 1 << 7 != 0 { runway.landingDistanceMeters = try reader.number() }
    if flags & 1 << 8 != 0 { runway.displacedThresholdMeters = try reader.number() }
    if flags & 1 << 9 != 0 { runway.gradientPercent = try reader.number() }
    if flags & reciprocalFlag != 0 { runway.reciprocalName = try reader.text() }
    if flags & endFlag != 0 { runway.endCoordinate = try coordinate(&reader) }
    return runway
  }

  private static func coordinate(_ reader: inout ByteReader) throws(AirportDataError) -> Coordinate {
    let coordinate = Coordinate(latitude: try reader.number(), longitude: try reader.number())
    guard coordinate.isOnMap else { throw reader.error(.damaged, "a coordinate is invalid") }
    return coordinate
  }
}

extension Coordinate {
  /// Whether the latitude is within ±90 and the longitude within ±180 degrees.
  var isOnMap: Bool { latitude.magnitude <= 90 && longitude.magnitude <= 180 }
}

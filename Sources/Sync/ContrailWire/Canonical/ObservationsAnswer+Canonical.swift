import ContrailGeodesy

extension ObservationsAnswer {
  /// Creates a response from text in exactly the form of ``json``; nil for any other form, valid or
  /// not.
  ///
  /// If the result isn't nil, ``json`` returns the same bytes and ``init(json:)`` the same response.
  ///
  /// - Parameter bytes: The body of the response.
  /// - Complexity: O(*n*) in the bytes, with one allocation for all hexagons.
  package init?(canonical bytes: UnsafeRawBufferPointer) {
    var scan = CanonicalScanner(bytes)
    let times = Int64(UInt32.max)
    guard scan.skip("{\"data\":{\"lastUpdatedAt\":"), let token = scan.number(upTo: times) else { return nil }
    var answer = ObservationsAnswer(token: token)
    if scan.skip(",\"follows\":") {
      guard let follows = scan.number(upTo: times) else { return nil }
      answer.follows = follows
    }
    if scan.skip(",\"count\":") {
      guard let count = scan.number(upTo: Int64.max), let narrow = Int(exactly: count), scan.skip(",\"checksum\":\""),
        let checksum = scan.hex16(), scan.skip("\"")
      else { return nil }
      answer.held = HeldSum(count: narrow, checksum: checksum)
    }
    guard scan.skip(",\"hexagons\":[") else { return nil }
    if !scan.skip("]") {
      guard let (reports, newest) = scan.hexagons(),
        Int64(newest) <= token + Self.maximumLeadSeconds
      else { return nil }
      answer.reports = reports
    }
    guard answer.readPIREPs(&scan), answer.readTraffic(&scan) else { return nil }
    guard scan.skip("},\"meta\":{},\"links\":{},\"warnings\":{}}"), scan.isAtEnd else { return nil }
    self = answer
  }

  /// Reads the PIREPs with their sum, if any; returns false for any other form.
  private mutating func readPIREPs(_ scan: inout CanonicalScanner) -> Bool {
    if scan.skip(",\"pirepCount\":") {
      guard let count = scan.number(upTo: Int64.max), let narrow = Int(exactly: count),
        scan.skip(",\"pirepChecksum\":\""), let checksum = scan.hex16(), scan.skip("\"")
      else { return false }
      heldPIREPs = HeldSum(count: narrow, checksum: checksum)
    }
    guard scan.skip(",\"pireps\":[") else { return heldPIREPs == nil }
    // An empty list is written only with a sum.
    if scan.skip("]") { return heldPIREPs != nil }
    repeat {
      guard let pirep = PIREP(canonical: &scan) else { return false }
      pireps.append(pirep)
    } while scan.skip(",")
    return scan.skip("]")
  }

  /// Reads the traffic, if any; returns false for any other form.
  private mutating func readTraffic(_ scan: inout CanonicalScanner) -> Bool {
    guard scan.skip(",\"traffic\":[") else { return true }
    var aircraft: [TrafficPosition] = []
    if !scan.skip("]") {
      repeat {
        guard let position = TrafficPosition(canonical: &scan) else { return false }
        aircraft.append(position)
      } while scan.skip(",")
      guard scan.skip("]") else { return false }
    }
    traffic = aircraft
    return true
  }
}

extension PIREP {
  /// Creates a report from text in exactly the form of ``write(to:)``; nil for any other form.
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    guard scan.skip("{\"id\":"), let id = scan.string(), let position = FixedCoordinate(canonical: &scan) else {
      return nil
    }
    var flightLevel: Int?
    if scan.skip(",\"fl\":") {
      guard let level = scan.integer(), -20...1000 ~= level else { return nil }
      flightLevel = Int(level)
    }
    var severity: TurbulenceSeverity?
    if scan.skip(",\"sev\":") {
      guard let code = scan.number(upTo: 9), let known = TurbulenceSeverity(rawValue: UInt8(code)) else { return nil }
      severity = known
    }
    let times = Int64(UInt32.max)
    guard scan.skip(",\"urgent\":"), let isUrgent = scan.bool(), scan.skip(",\"observedAt\":"),
      let observedAt = scan.number(upTo: times), scan.skip(",\"updatedAt\":"), let updatedAt = scan.number(upTo: times),
      scan.skip(",\"text\":"), let text = scan.string(), scan.skip("}")
    else { return nil }
    self.init(
      id: id, position: position, flightLevel: flightLevel, severity: severity, isUrgent: isUrgent,
      observedAt: observedAt, updatedAt: updatedAt, text: text)
  }
}

extension TrafficPosition {
  /// Creates a position from text in exactly the form of ``write(to:)``; nil for any other form.
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    guard scan.skip("{\"id\":"), let id = scan.string(), scan.skip(",\"callsign\":"), let callsign = scan.string(),
      let position = FixedCoordinate(canonical: &scan)
    else { return nil }
    var altitude: Int?
    if scan.skip(",\"alt\":") {
      guard let feet = scan.integer(), -5_000...200_000 ~= feet else { return nil }
      altitude = Int(feet)
    }
    var speed: Int?
    if scan.skip(",\"gs\":") {
      guard let knots = scan.number(upTo: 5_000) else { return nil }
      speed = Int(knots)
    }
    var track: Int?
    if scan.skip(",\"track\":") {
      guard let degrees = scan.number(upTo: 360) else { return nil }
      track = Int(degrees)
    }
    guard scan.skip(",\"observedAt\":"), let observedAt = scan.number(upTo: Int64(UInt32.max)), scan.skip("}") else {
      return nil
    }
    self.init(
      id: id, callsign: callsign, position: position, altitudeFeet: altitude, groundSpeedKnots: speed,
      trackDegrees: track, observedAt: observedAt)
  }
}

extension FixedCoordinate {
  /// Creates a point from the members `lat` and `lon` after another member.
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    guard scan.skip(",\"lat\":"), let latitude = scan.decimal(digits: 7, upTo: 90 * Self.degree),
      scan.skip(",\"lon\":"), let longitude = scan.decimal(digits: 7, upTo: 360 * Self.degree)
    else { return nil }
    self.init(latitudeE7: latitude, longitudeE7: longitude)
  }
}

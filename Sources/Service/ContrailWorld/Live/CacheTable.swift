import ContrailWire

/// Reads the cache files of the Aviation Weather Center with comma-separated values.
///
/// Before the header are lines such as `No errors` and `1968 results`. Values aren't quoted, and names in the header repeat, so values
/// are read by position. The records have the names of the JSON form, so the same code reads both.
enum CacheTable {
  /// The number of lines within which the header must be.
  private static let headLines = 20

  /// Returns the records, where a line with too few values is an empty object; nil if there is no known header.
  static func records(_ bytes: [UInt8]) -> [LooseJSON]? {
    let lines = bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    for (index, line) in lines.prefix(headLines).enumerated() {
      let header = String(decoding: line, as: UTF8.self)
      let read: ([Substring]) -> LooseJSON
      if header.hasPrefix("receipt_time,observation_time,") {
        read = report
      } else if header.hasPrefix("raw_text,valid_time_from,") {
        read = advisory
      } else {
        continue
      }
      return lines[(index + 1)...].map { line in
        let text = String(decoding: line, as: UTF8.self)
        return read(text.split(separator: ",", omittingEmptySubsequences: false))
      }
    }
    return nil
  }

  // MARK: Reports

  /// The positions of the values of a report.
  private enum Field {
    static let (receipt, observation, isMisplaced) = (0, 1, 7)
    static let (latitude, longitude, altitude) = (9, 10, 11)
    static let turbulence = [(intensity: 19, base: 20, top: 21), (intensity: 24, base: 25, top: 26)]
    static let (type, text) = (42, 43)
  }

  private static func report(_ values: [Substring]) -> LooseJSON {
    guard values.count > Field.text else { return .object([:]) }
    // The text is last and may contain commas. The line ends with another one.
    let ending = values.count > Field.text + 1 && values[values.count - 1].isEmpty ? 1 : 0
    let text = values[Field.text..<values.count - ending].joined(separator: ",")
    var fields: [String: LooseJSON] = [
      "receiptTime": .text(String(values[Field.receipt])), "obsTime": .text(String(values[Field.observation])),
      "pirepType": .text(String(values[Field.type])), "rawOb": .text(text),
    ]
    if values[Field.isMisplaced] != "TRUE" {
      fields["lat"] = .text(String(values[Field.latitude]))
      fields["lon"] = .text(String(values[Field.longitude]))
    }
    if let level = hundreds(values[Field.altitude]) {
      fields["fltLvl"] = level
      // 0 is a level only if the text says so. Otherwise, the text has FLUNKN or FLDURD.
      fields["fltLvlType"] = .text(text.contains("FL000") ? "OTHER" : "UNKN")
    }
    for (index, group) in Field.turbulence.enumerated() {
      fields["tbInt\(index + 1)"] = .text(String(values[group.intensity]))
      if let base = hundreds(values[group.base]) { fields["tbBas\(index + 1)"] = base }
      if let top = hundreds(values[group.top]) { fields["tbTop\(index + 1)"] = top }
    }
    return .object(fields)
  }

  /// Converts feet to hundreds of feet, as in the JSON form.
  static func hundreds(_ feet: Substring) -> LooseJSON? {
    guard let feet = LooseJSON.text(String(feet)).integer, abs(feet) < 1_000_000 else { return nil }
    return .number(String((feet + (feet < 0 ? -50 : 50)) / 100))
  }

  // MARK: Advisories

  /// The number of values after the text: times, points, altitudes, movement, hazard, severity, type, and an empty one.
  private static let afterText = 11

  private static func advisory(_ values: [Substring]) -> LooseJSON {
    guard values.count > afterText else { return .object([:]) }
    let rest = Array(values.suffix(afterText))
    let points = rest[2].split(separator: ";").map { point -> LooseJSON in
      // The longitude is first.
      let sides = point.split(separator: ":", omittingEmptySubsequences: false)
      guard sides.count == 2 else { return .object([:]) }
      return .object(["lon": .text(String(sides[0])), "lat": .text(String(sides[1]))])
    }
    return .object([
      "rawAirSigmet": .text(values.dropLast(afterText).joined(separator: ",")),
      "validTimeFrom": .text(String(rest[0])), "validTimeTo": .text(String(rest[1])), "coords": .list(points),
      "altitudeLow1": .text(String(rest[3])), "altitudeHi1": .text(String(rest[4])),
      "hazard": .text(String(rest[7])), "airSigmetType": .text(String(rest[9])),
    ])
  }
}

/// Reads the cache file of G-AIRMETs of the Aviation Weather Center, from elements of XML.
enum CacheDocument {
  /// Returns the records with the names of the JSON form; nil if the document is another one.
  static func records(_ root: LooseJSON) -> [LooseJSON]? {
    guard root["name"].text == "response", let data = root.child("data") else { return nil }
    return (data["children"].elements ?? []).map { element in
      element["name"].text == "GAIRMET" ? gAirmet(element) : .object([:])
    }
  }

  private static func gAirmet(_ element: LooseJSON) -> LooseJSON {
    func text(_ name: String) -> LooseJSON { element.child(name)?["text"] ?? .null }
    let altitude = element.child("altitude")?["attributes"] ?? .null
    let freezing = element.child("altitude")?.child("fzl_altitude")?["attributes"] ?? .null
    let corners = (element.child("area")?["children"].elements ?? []).map { point in
      LooseJSON.object([
        "lat": point.child("latitude")?["text"] ?? .null, "lon": point.child("longitude")?["text"] ?? .null,
      ])
    }
    return .object([
      "receiptTime": text("receipt_time"), "issueTime": text("issue_time"), "validTime": text("valid_time"),
      "tag": text("tag"), "hazard": element.child("hazard")?["attributes"]["type"] ?? .null,
      "severity": element.child("hazard")?["attributes"]["severity"] ?? .null, "geometryType": text("geometry_type"),
      "base": level(altitude["min_ft_msl"]), "top": level(altitude["max_ft_msl"]),
      "fzlbase": level(freezing["min_ft_msl"]), "fzltop": level(freezing["max_ft_msl"]), "coords": .list(corners),
    ])
  }

  /// Converts feet to hundreds of feet. Words such as `SFC` remain.
  private static func level(_ value: LooseJSON) -> LooseJSON {
    guard let text = value.text else { return .null }
    return CacheTable.hundreds(text[...]) ?? value
  }
}

extension LooseJSON {
  /// Returns the first child of an XML element with a name.
  fileprivate func child(_ name: String) -> LooseJSON? {
    self["children"].elements?.first { $0["name"] == .text(name) }
  }
}

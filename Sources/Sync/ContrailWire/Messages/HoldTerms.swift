/// The time for which a server may hold the request of a delta, and the news that it answers earlier.
///
/// A server that holds a request answers it once: at the first urgent record, when the oldest other record that the client doesn't
/// have is ``ordinarySeconds`` old, or after ``seconds``, with or without news. The time is a preference of RFC 7240
/// (`Prefer: wait=50`); the rest is in the query: `urgent=3&by=60`. A server that doesn't hold requests answers at once.
package struct HoldTerms: Hashable, Sendable {
  /// The maximum time until the answer, in seconds.
  package var seconds: Int64
  /// The severity from which a report of turbulence or a PIREP is urgent; nil if none is.
  package var urgent: TurbulenceSeverity?
  /// The altitudes of urgent reports. Others are ordinary.
  package var altitudes: AltitudeBand
  /// The time after its arrival at the server at which an ordinary record is answered, in seconds; 0 for at once.
  package var ordinarySeconds: Int64

  package init(
    seconds: Int64, urgent: TurbulenceSeverity? = nil, altitudes: AltitudeBand = .all, ordinarySeconds: Int64 = 0
  ) {
    self.seconds = seconds
    self.urgent = urgent
    self.altitudes = altitudes
    self.ordinarySeconds = ordinarySeconds
  }

  /// The longest time that a request may ask for, in seconds.
  package static let maximumSeconds: Int64 = 3600

  /// The name of the header field with the time.
  package static let field = "Prefer"

  /// The value of the header field: `wait=50`.
  package var preference: String { "wait=\(seconds)" }

  /// The preference for a stream of answers: after each answer, the server holds the request again.
  package static let streamPreference = "stream"

  /// Whether a header field asks for a stream of answers.
  package static func asksForStream(_ field: String?) -> Bool {
    guard let field else { return false }
    return field.split(separator: ",").contains { part in
      part.filter { $0 != " " && $0 != "\t" }.utf8.elementsEqual(streamPreference.utf8) { $0 | 0x20 == $1 }
    }
  }

  /// Whether a report of turbulence is urgent.
  package func isUrgent(_ report: TurbulenceReport) -> Bool {
    guard let urgent else { return false }
    return report.severityCode >= urgent.rawValue && altitudes.contains(report.altitude)
  }

  /// Whether a PIREP is urgent: its severity is, or it was filed as urgent. Without a flight level it counts at every altitude.
  package func isUrgent(_ pirep: PIREP) -> Bool {
    guard let urgent, pirep.isUrgent || pirep.severity.map({ $0 >= urgent }) ?? false else { return false }
    return pirep.flightLevel.map { altitudes.contains(UInt8(clamping: ($0 + 5) / 10)) } ?? true
  }

  // MARK: Query

  /// The names and values of the query, without those of the defaults.
  var items: [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    if let urgent { items.append(("urgent", "\(urgent.rawValue)")) }
    if altitudes != .all { items.append(("urgentAlts", "\(altitudes.lower)-\(altitudes.upper)")) }
    if ordinarySeconds != 0 { items.append(("by", "\(ordinarySeconds)")) }
    return items
  }

  /// Sets the part that an item of the query names.
  ///
  /// - Returns: Whether it names one.
  /// - Throws: ``WireError`` if its value is invalid.
  package mutating func set(_ name: String, _ value: String) throws(WireError) -> Bool {
    switch name {
    case "urgent":
      guard let severity = UInt8(value).flatMap({ TurbulenceSeverity(rawValue: $0) }) else {
        throw WireError.parameter(name, value: value)
      }
      urgent = severity
    case "urgentAlts": altitudes = try AltitudeBand(name, value)
    case "by":
      guard let seconds = Int64(value), (0...Self.maximumSeconds).contains(seconds) else {
        throw WireError.parameter(name, value: value)
      }
      ordinarySeconds = seconds
    default: return false
    }
    return true
  }

  /// Returns the time of a `Prefer` field in seconds, at most ``maximumSeconds``; nil if it has no valid `wait`.
  ///
  /// Other preferences, parameters and invalid values are ignored, as RFC 7240 requires. Of several, the first counts.
  package static func wait(_ field: String?) -> Int64? {
    guard let field else { return nil }
    for part in field.split(separator: ",") {
      let preference = part.prefix { $0 != ";" }
      guard let equals = preference.firstIndex(of: "=") else { continue }
      let name = preference[..<equals].filter { $0 != " " && $0 != "\t" }
      guard name.utf8.elementsEqual("wait".utf8, by: { $0 | 0x20 == $1 }) else { continue }
      let value = preference[preference.index(after: equals)...].filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      guard let seconds = Int64(value), seconds > 0 else { return nil }
      return min(seconds, maximumSeconds)
    }
    return nil
  }
}

extension AltitudeBand {
  /// Creates a band from the value of a query, such as `29-41`, in thousands of feet.
  init(_ name: String, _ value: String) throws(WireError) {
    let ends = value.split(separator: "-").map { Int64($0) }
    guard ends.count == 2, let lower = ends[0], let upper = ends[1], let band = AltitudeBand(lower: lower, upper: upper)
    else { throw WireError.parameter(name, value: value) }
    self = band
  }
}

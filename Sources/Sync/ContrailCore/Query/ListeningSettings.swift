public import ContrailWire

/// Which news is urgent, and how long silence may last.
///
/// A server that can hold requests answers urgent news at once, at every update frequency but ``DataUpdateFrequency/none``, and other
/// news by the interval of the frequency. While nothing is new, it answers after up to nine minutes, so that silence costs little. Data
/// is confirmed by answers only: silence doesn't make it newer.
public struct ListeningSettings: Hashable, Sendable {
  /// Whether requests may be held. Otherwise updates are requested at the interval of the frequency, as from a server that holds none.
  public var isEnabled = true
  /// The severity from which a report is urgent; nil if none is. The default is moderate.
  public var urgentSeverity: TurbulenceSeverity? = .moderate
  /// The altitudes of urgent reports. Reports of other altitudes are ordinary news.
  public var urgentAltitudes = AltitudeBand.all
  /// The longest time until the server confirms that nothing is new, in minutes, also where no request is held; nil for up to nine
  /// minutes, or the interval of the frequency if that is longer. Each confirmation costs an exchange.
  public var confirmationMinutes: Int?

  /// Creates the default settings.
  public init() {}

  /// The longest time until a confirmation, in milliseconds.
  var confirmationMS: Int64 { confirmationMinutes.map { Int64($0) * 60_000 } ?? .max }

  /// The longest confirmation in minutes that a log contains.
  static let maximumMinutes: Int64 = 24 * 60

  /// These settings with a confirmation time that a log can contain.
  package var normalized: ListeningSettings {
    var settings = self
    settings.confirmationMinutes = confirmationMinutes.map { min(max($0, 1), Int(Self.maximumMinutes)) }
    return settings
  }
}

extension ListeningSettings {
  func writeMembers(to json: inout JSONWriter) {
    json.member("enabled", isEnabled)
    if let urgentSeverity { json.member("urgent", Int64(urgentSeverity.rawValue)) }
    if urgentAltitudes != .all {
      json.key("altitudes")
      urgentAltitudes.write(to: &json)
    }
    if let confirmationMinutes { json.member("confirm", Int64(confirmationMinutes)) }
  }

  init(_ members: Members) throws(EventError) {
    isEnabled = try members.bool("enabled")
    urgentSeverity = try members.optional("urgent") { (json) throws(JSONError) in try TurbulenceSeverity(from: &json) }
    urgentAltitudes = try members.optional("altitudes") { (json) throws(JSONError) in try json.altitudes() } ?? .all
    confirmationMinutes = try members.optional("confirm") { (json) throws(JSONError) in
      try json.integer(in: 1...Int(Self.maximumMinutes))
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    urgentSeverity = nil
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "enabled": isEnabled = try json.bool()
      case "urgent": urgentSeverity = try TurbulenceSeverity(from: &json)
      case "altitudes": urgentAltitudes = try json.altitudes()
      case "confirm": confirmationMinutes = try json.integer(in: 1...Int(Self.maximumMinutes))
      default: try json.skipValue()
      }
    }
  }
}

extension HoldTerms {
  /// Writes the terms as decisions and snapshots contain them.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("seconds", seconds)
      if let urgent { json.member("urgent", Int64(urgent.rawValue)) }
      if altitudes != .all {
        json.key("altitudes")
        altitudes.write(to: &json)
      }
      json.member("by", ordinarySeconds)
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    self.init(seconds: 0)
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "seconds": seconds = try json.integer(in: 0...Self.maximumSeconds)
      case "urgent": urgent = try TurbulenceSeverity(from: &json)
      case "altitudes": altitudes = try json.altitudes()
      case "by": ordinarySeconds = try json.integer(in: 0...Self.maximumSeconds)
      default: try json.skipValue()
      }
    }
  }
}

import ContrailWire

/// The kind of service at the server's URL, which decides what a client asks of it.
///
/// ```swift
/// configuration.service = .corridorV5()
/// ```
public enum ServiceProfile: Hashable, Sendable {
  /// A service of Contrail, with everything.
  case contrail
  /// A turbulence service of which only `POST /observations/v5/corridor` is known, from its public pages.
  ///
  /// The client asks for turbulence in areas, for at most four hours and from 5,000 to 52,000 feet: all of it first, and then what has
  /// changed. It sends nothing else to the server. What the data query wants beyond that is reported as invalid, and isn't fetched.
  ///
  /// - Parameter aircraftCategory: The category of aircraft that the service computes severities for: 1 to 8 letters and digits.
  case corridorV5(aircraftCategory: String = "C60")
}

extension ServiceProfile {
  /// Whether it is a service of Contrail.
  package var isContrail: Bool { if case .contrail = self { true } else { false } }

  /// The types of data that the service has.
  var types: DataTypeOptions { isContrail ? [.areaTypes, .turbulencePolygons] : .turbulence }
  /// The altitudes that the service has.
  var altitudes: AltitudeBand { isContrail ? .all : CorridorV5Request.altitudes }
  /// The longest history that the service has.
  var longestHistory: DataHistoryTime { isContrail ? .sixHours : CorridorV5Request.longestHistory }

  /// Whether the category of aircraft can be sent and logged.
  package var isValid: Bool {
    guard case .corridorV5(let category) = self else { return true }
    return (1...8).contains(category.utf8.count)
      && category.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: false
        }
      }
  }
}

// MARK: JSON in the log

extension Input.Session {
  /// Writes the service, unless it is one of Contrail: logs before there were others have no such member.
  func writeService(to json: inout JSONWriter) {
    guard case .corridorV5(let category) = service else { return }
    json.key("service")
    json.object { json in
      json.member("profile", "corridorV5")
      json.member("aircraftCategory", category)
      if hasWeatherService { json.member("weather", hasWeatherService) }
    }
  }
}

extension ServiceProfile {
  /// Reads what `writeService(to:)` of a session writes: a service, and whether a weather service is configured beside it.
  static func read(
    _ json: inout JSONReader
  ) throws(JSONError) -> (profile: ServiceProfile, hasWeatherService: Bool) {
    let start = json.next()
    var profile: String?
    var category: String?
    var hasWeatherService = false
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "profile": profile = try json.string()
      case "aircraftCategory": category = try json.string()
      case "weather": hasWeatherService = try json.bool()
      default: try json.skipValue()
      }
    }
    guard profile == "corridorV5", let category, ServiceProfile.corridorV5(aircraftCategory: category).isValid else {
      throw JSONError(offset: start, reason: "unknown service")
    }
    return (.corridorV5(aircraftCategory: category), hasWeatherService)
  }
}

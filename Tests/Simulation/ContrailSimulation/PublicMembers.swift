/// How flights exercise the public members of the client.
///
/// A test compares this list with the sources: each public member of the façade must be here, and each that is flown must occur in flights.
package enum PublicMembers {
  /// The use of a member in flights.
  package enum Use: Hashable, Sendable {
    /// Set by a ``Change``, which names the member, in each ``Phase``.
    case change
    /// Called by a ``Step`` with this name, in each ``Phase``. Applications' flights have steps that call the same.
    case step(String)
    /// It reads what the driver has published, or registers a listener: it adds no event for the driver.
    case read
    /// Flights don't set it: the tests of the driver do.
    case other
  }

  /// The members by type. Overloads have one row.
  package static let all: [String: [String: Use]] = [
    "ContrailClient": [
      "airports": .read, "dataQuery": .change, "dataHistoryTime": .change, "dataUpdateFrequency": .change,
      "fetchData": .step("refresh"), "isOnline": .step("link"), "hasLink": .read, "setAPIKey": .step("renewKey"),
      "setWeatherToken": .step("setWeatherToken"), "opened": .read, "stop": .step("relaunch"),
      "enterBackground": .step("background"), "enterForeground": .step("foreground"), "delegate": .read,
      "errors": .read, "updates": .read, "channel": .read, "data": .read, "lastUpdateTime": .read, "status": .read,
      "statuses": .read, "turbulence": .read, "pireps": .read, "traffic": .read, "turbulencePolygons": .read,
      "turbulencePolygonTimes": .read, "alerts": .read, "turbulenceFuture": .read, "pirepsFuture": .read,
      "trafficFuture": .read, "turbulencePolygonsFuture": .read, "report": .step("track"),
      "reportFuture": .step("track"), "pendingReportCount": .read, "weather": .read, "storeWeather": .read,
      "observe": .read, "monitor": .read, "ownReports": .read, "setDataQuery": .step("setChecked"),
      "loggedWeatherTransport": .step("lookup"), "followViewport": .change, "stopFollowing": .change,
      "profile": .read, "profileFuture": .read,
      "listening": .change,
      "refreshInBackground": .step("refresh"), "byteBudget": .change, "byteStatus": .read,
      "linkCost": .step("linkCost"),
    ],
    "DataQuery": [
      "types": .change, "viewportTypes": .change, "sevs": .change, "polygon": .change, "viewport": .change,
      "globalEnabled": .change, "globalTurbulencePolygonsUpToEnabled": .change, "altRange": .change, "route": .change,
      "routeWidth": .change, "weather": .change,
    ],
    "WeatherQuery": ["places": .change, "spec": .change],
    "WeatherSpec": [
      "language": .change, "unit": .change, "version": .change, "file": .change, "includesAlerts": .change,
      "hours": .change, "days": .change, "covers": .read, "target": .read,
    ],
    "AirportService": [
      "database": .read, "openLoader": .read, "search": .read, "loadCurrent": .step("airports"),
      "loadNext": .step("airports"), "load": .step("airports"), "deferLoad": .step("airports"),
      "note": .step("airports"),
    ],
  ]

  /// The members that changes must set, as ``Change/members`` names them.
  package static var changed: Set<String> {
    var names: Set<String> = []
    for (type, members) in all {
      for (member, use) in members where use == .change && !wrappers.contains(member) {
        names.insert("\(type).\(member)")
      }
    }
    return names
  }

  /// The names of the steps that flights must make.
  package static var steps: Set<String> {
    var names: Set<String> = []
    for members in all.values {
      for case .step(let name) in members.values { names.insert(name) }
    }
    return names
  }

  /// What flights don't do in a phase, or hardly ever.
  package static let notFlown: [Phase: Set<String>] = [
    // Only the simulator sets it: its system always has a link, and its clients are stopped at the end. The flights of applications
    // have no weather service of their own, to which a token could belong.
    .withoutLink: ["setWeatherToken"], .inBackground: ["setWeatherToken"], .afterStop: ["setWeatherToken"],
  ]

  /// Members that set another one: a whole query, or the viewport of a map.
  private static let wrappers: Set<String> = ["dataQuery", "weather", "followViewport", "stopFollowing"]
}

extension Change {
  /// The public members that it sets.
  package var members: [String] {
    switch self {
    case .polygon, .turnedPolygon, .openPolygon, .crossingPolygon, .rectangle(_, isViewport: false):
      ["DataQuery.polygon"]
    case .routeWithoutCorridor, .route, .onePointRoute: ["DataQuery.route", "DataQuery.routeWidth"]
    case .viewport, .brokenViewport, .invalidViewport, .rectangle(_, isViewport: true): ["DataQuery.viewport"]
    case .types, .insertType, .removeType: ["DataQuery.types"]
    case .viewportTypes: ["DataQuery.viewportTypes"]
    case .severities: ["DataQuery.sevs"]
    case .altitudes: ["DataQuery.altRange"]
    case .globalEnabled: ["DataQuery.globalEnabled"]
    case .upTo: ["DataQuery.globalTurbulencePolygonsUpToEnabled"]
    case .weather: ["WeatherQuery.places"]
    case .weatherSpec: ["WeatherQuery.spec"]
    case .weatherMember(let member):
      switch member {
      case .language: ["WeatherSpec.language"]
      case .unit: ["WeatherSpec.unit"]
      case .version: ["WeatherSpec.version"]
      case .file: ["WeatherSpec.file"]
      case .includesAlerts: ["WeatherSpec.includesAlerts"]
      case .hours: ["WeatherSpec.hours"]
      case .days: ["WeatherSpec.days"]
      }
    case .history: ["ContrailClient.dataHistoryTime"]
    case .frequency: ["ContrailClient.dataUpdateFrequency"]
    case .byteBudget: ["ContrailClient.byteBudget"]
    case .listening: ["ContrailClient.listening"]
    }
  }
}

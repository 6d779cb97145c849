import ContrailWeather
import ContrailWire
import HTTPTypes

/// The routes of the server.
enum Route: CaseIterable, Sendable {
  case observations
  case area
  case repair
  case polygons
  case reports
  case airportCycles
  case airports
  case airportSearch
  case airport
  case weather
  case health
  case openAPI

  var method: HTTPRequest.Method {
    switch self {
    case .observations, .repair, .reports: .post
    case .area, .polygons, .airportCycles, .airports, .airportSearch, .airport, .weather, .health, .openAPI: .get
    }
  }

  /// The path, or a template with parameters in braces.
  var path: String {
    switch self {
    case .observations: ObservationsRequest.path
    case .area: AreaRequest.prefix + "{handle}"
    case .repair: AreaRequest.repairPrefix + "{handle}"
    case .polygons: PolygonsRequest.path
    case .reports: "/reports/v5"
    case .airportCycles: "/airports/v1/cycles"
    case .airports: "/airports/v1/{cycle}"
    case .airportSearch: "/airports/search"
    case .airport: "/airports/{id}"
    case .weather: "/{version}/{token}/{place}/{file}"
    case .health: "/health"
    case .openAPI: "/openapi.yaml"
    }
  }

  /// The method and the path, such as `GET /health`.
  var name: String { "\(method.rawValue) \(path)" }

  /// Whether the route needs an API key if keys are configured. The weather key is part of the path.
  var needsKey: Bool {
    switch self {
    case .observations, .area, .repair, .polygons, .reports, .airportCycles, .airports, .airportSearch, .airport,
      .weather:
      true
    case .health, .openAPI: false
    }
  }

  /// Returns the route of a path for any method.
  static func at(_ path: String) -> Route? {
    // All paths with these prefixes, because the weather service has its own errors.
    if WeatherEndpoint.versions.contains(where: { path.hasPrefix("/\($0)/") }) { return .weather }
    return allCases.first { $0.path == path } ?? allCases.first { $0.parameter(of: path) != nil }
  }

  /// Returns a path for the log.
  ///
  /// A misspelt weather path contains a token too, such as `//v2.5/…`. So unknown paths aren't logged.
  static func logged(_ path: String) -> String {
    guard let route = at(path) else { return "(unknown)" }
    return route == .weather ? WeatherQuestion.hidingToken(inPath: path) : path
  }

  /// Returns the value of the path parameter, or `nil` if the path doesn't match.
  func parameter(of path: String) -> String? {
    guard self != .weather, let brace = self.path.firstIndex(of: "{") else { return nil }
    let part = path.dropFirst(self.path[..<brace].count)
    guard path.hasPrefix(self.path[..<brace]), !part.isEmpty, !part.contains("/") else { return nil }
    return String(part)
  }

  /// Returns the route of a request.
  ///
  /// - Throws: 404 for an unknown path, 405 for an unsupported method.
  init(method: HTTPRequest.Method, path: String) throws(ServiceError) {
    guard let route = Self.at(path) else {
      throw ServiceError(status: 404, code: "NOT_FOUND", message: "there is nothing at this path")
    }
    guard route.method == method else {
      throw ServiceError(
        status: 405, code: "METHOD_NOT_ALLOWED", message: "\(route.path) takes \(route.method.rawValue) only")
    }
    self = route
  }
}

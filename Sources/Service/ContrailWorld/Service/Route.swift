import ContrailWeather
import ContrailWire

/// The routes of the server.
package enum Route: CaseIterable, Sendable {
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

  var method: String {
    switch self {
    case .observations, .repair, .reports: "POST"
    case .area, .polygons, .airportCycles, .airports, .airportSearch, .airport, .weather, .health, .openAPI: "GET"
    }
  }

  /// The value of `Allow`. HEAD is GET without the body (RFC 9110, 9.3.2).
  var allowedMethods: String { method == "GET" ? "GET, HEAD" : method }

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
  var name: String { "\(method) \(path)" }

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
    if weatherPrefixes.contains(where: { path.hasPrefix($0) }) { return .weather }
    for pattern in patterns where !pattern.hasParameter && pattern.start == path { return pattern.route }
    return patterns.first { $0.parameter(of: path) != nil }?.route
  }

  private static let weatherPrefixes = WeatherEndpoint.versions.map { "/\($0)/" }

  /// What the paths of a route have in common.
  private struct Pattern: Sendable {
    let route: Route
    /// The path until its parameter.
    let start: String
    let hasParameter: Bool

    func parameter(of path: String) -> Substring? {
      guard hasParameter, path.hasPrefix(start) else { return nil }
      let part = path[path.utf8.index(path.startIndex, offsetBy: start.utf8.count)...]
      return part.isEmpty || part.utf8.contains(UInt8(ascii: "/")) ? nil : part
    }
  }

  private static let patterns = allCases.map { route in
    let brace = route == .weather ? nil : route.path.firstIndex(of: "{")
    return Pattern(
      route: route, start: String(route.path[..<(brace ?? route.path.endIndex)]), hasParameter: brace != nil)
  }

  /// Returns whether the answer to a request takes neither long computing nor files.
  package static func isBrief(_ path: String) -> Bool {
    switch at(path) {
    case .observations, .area, .repair, .health, nil: true
    case .polygons, .reports, .airportCycles, .airports, .airportSearch, .airport, .weather, .openAPI: false
    }
  }

  /// Returns a path for the log.
  ///
  /// A misspelt weather path contains a token too, such as `//v2.5/…`. So unknown paths aren't logged.
  package static func logged(_ path: String) -> String {
    guard let route = at(path) else { return "(unknown)" }
    return route == .weather ? WeatherQuestion.hidingToken(inPath: path) : path
  }

  /// Returns the value of the path parameter, or `nil` if the path doesn't match.
  func parameter(of path: String) -> String? {
    Self.patterns.first { $0.route == self }?.parameter(of: path).map { String($0) }
  }

  /// Returns the route of a request.
  ///
  /// - Throws: 404 for an unknown path, 405 for an unsupported method.
  init(method: String, path: String) throws(ServiceError) {
    guard let route = Self.at(path) else {
      throw ServiceError(status: 404, code: "NOT_FOUND", message: "there is nothing at this path")
    }
    guard route.method == method || (route.method == "GET" && method == "HEAD") else {
      throw ServiceError(
        status: 405, code: "METHOD_NOT_ALLOWED", message: "\(route.path) takes \(route.method) only")
    }
    self = route
  }
}

/// The requested part of a file (RFC 9110, 14).
enum ByteRange: Equatable, Sendable {
  /// The whole file, because no valid range is requested.
  case whole
  /// A range of bytes.
  case part(Range<Int>)
  /// A range outside the file.
  case unsatisfiable

  /// Parses `Range`: `bytes=500-999`, `bytes=500-` or `bytes=-500`. Multiple ranges are treated as the whole file,
  /// which HTTP allows.
  init(_ field: String?, count: Int) {
    self = .whole
    guard let field, field.lowercased().hasPrefix("bytes=") else { return }
    let range = field.dropFirst(6).filter { $0 != " " && $0 != "\t" }
    let ends = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, !range.contains(","), ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return }
    // A number that overflows is beyond the end of every file.
    let (first, last) = (ends[0].isEmpty ? nil : Int(ends[0]) ?? .max, ends[1].isEmpty ? nil : Int(ends[1]) ?? .max)
    switch (first, last) {
    case (let first?, let last?):
      guard first <= last else { return }
      self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    case (let first?, nil): self = first < count ? .part(first..<count) : .unsatisfiable
    case (nil, let length?): self = length > 0 && count > 0 ? .part(max(count - length, 0)..<count) : .unsatisfiable
    case (nil, nil): return
    }
  }
}

extension ServiceError {
  /// Creates a 400 error with the code of a fault in upper case: `ringOpen` becomes `RING_OPEN`.
  init(_ fault: WireError) {
    self.init(status: 400, code: Self.spelled(fault.code), message: fault.description)
  }

  /// Converts camel case to upper case with underscores. A sequence of capital letters is one word.
  static func spelled(_ code: String) -> String {
    var result = ""
    var previousIsUpper = true
    for character in code {
      if character.isUppercase && !previousIsUpper { result += "_" }
      result += character.uppercased()
      previousIsUpper = character.isUppercase
    }
    return result
  }
}

extension Route {
  /// Returns a short name of a path's route for counting, without anything that a client chooses.
  package static func metricName(_ path: String) -> String {
    guard let route = at(path) else { return "unknown" }
    return switch route {
    case .observations: "observations"
    case .area: "area"
    case .repair: "repair"
    case .polygons: "polygons"
    case .reports: "reports"
    case .airportCycles, .airports, .airportSearch, .airport: "airports"
    case .weather: "weather"
    case .health: "health"
    case .openAPI: "openapi"
    }
  }
}

#if Online
  import ContrailWire
  import HTTPTypes

  /// What the server can be asked.
  enum Route: CaseIterable, Sendable {
    case observations
    case polygons
    case reports
    case airportCycles
    case airports
    case weather
    case health
    case openAPI

    var method: HTTPRequest.Method {
      switch self {
      case .observations, .reports: .post
      case .polygons, .airportCycles, .airports, .weather, .health, .openAPI: .get
      }
    }

    /// The path, or a template whose last part, in braces, stands for any one.
    var path: String {
      switch self {
      case .observations: ObservationsRequest.path
      case .polygons: PolygonsRequest.path
      case .reports: "/reports/v5"
      case .airportCycles: "/airports/v1/cycles"
      case .airports: "/airports/v1/{cycle}"
      case .weather: "/v2.5/{token}/{place}/{file}"
      case .health: "/health"
      case .openAPI: "/openapi.yaml"
      }
    }

    /// Method and path, as in `GET /health`.
    var name: String { "\(method.rawValue) \(path)" }

    /// Whether a key must be shown where keys are in use; the weather's stands in its path.
    var needsKey: Bool {
      switch self {
      case .observations, .polygons, .reports, .airportCycles, .airports, .weather: true
      case .health, .openAPI: false
      }
    }

    /// The route at a path, by whatever method.
    static func at(_ path: String) -> Route? {
      // Whatever stands there: its refusals are the weather service's own.
      if path.hasPrefix("/v2.5/") { return .weather }
      return allCases.first { $0.path == path } ?? allCases.first { $0.parameter(of: path) != nil }
    }

    /// What stands in a path for the part of the template that is in braces; nil where the path is of another route.
    func parameter(of path: String) -> String? {
      guard self != .weather, let brace = self.path.firstIndex(of: "{") else { return nil }
      let part = path.dropFirst(self.path[..<brace].count)
      guard path.hasPrefix(self.path[..<brace]), !part.isEmpty, !part.contains("/") else { return nil }
      return String(part)
    }

    /// The route of a request.
    ///
    /// - Throws: 404 for a path, 405 for a method that there is none for.
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
#endif

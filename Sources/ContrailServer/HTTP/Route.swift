#if Online
  import ContrailWire
  import HTTPTypes

  /// What the server can be asked.
  enum Route: CaseIterable, Sendable {
    case observations
    case polygons
    case reports
    case health
    case openAPI

    var method: HTTPRequest.Method {
      switch self {
      case .observations, .reports: .post
      case .polygons, .health, .openAPI: .get
      }
    }

    var path: String {
      switch self {
      case .observations: ObservationsRequest.path
      case .polygons: PolygonsRequest.path
      case .reports: "/reports/v5"
      case .health: "/health"
      case .openAPI: "/openapi.yaml"
      }
    }

    /// Method and path, as in `GET /health`.
    var name: String { "\(method.rawValue) \(path)" }

    /// Whether a key must be shown where keys are in use.
    var needsKey: Bool {
      switch self {
      case .observations, .polygons, .reports: true
      case .health, .openAPI: false
      }
    }

    /// The route of a request.
    ///
    /// - Throws: 404 for a path, 405 for a method that there is none for.
    init(method: HTTPRequest.Method, path: String) throws(ServiceError) {
      guard let route = Self.allCases.first(where: { $0.path == path }) else {
        throw ServiceError(status: 404, code: "NOT_FOUND", message: "there is nothing at this path")
      }
      guard route.method == method else {
        throw ServiceError(
          status: 405, code: "METHOD_NOT_ALLOWED", message: "\(path) takes \(route.method.rawValue) only")
      }
      self = route
    }
  }
#endif

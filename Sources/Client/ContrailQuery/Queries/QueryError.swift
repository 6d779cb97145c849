public import ContrailCore
public import ContrailGeodesy

/// The reason why a query can't be evaluated.
public enum QueryError: Error, Hashable, Sendable {
  /// The polygon is invalid.
  case area(GeodesyError)
  /// The viewport is invalid.
  case viewport(GeodesyError)
  /// The corridor of the route can't be computed.
  case corridor(GeodesyError)
  /// The coordinate of the route at this index is invalid.
  case route(index: Int)
  /// The aircraft's position is invalid.
  case position
  /// There is neither a route nor a track.
  case direction
  /// The aircraft is this far from the route, in nautical miles, and its track is unknown.
  case offRoute(distanceNM: Double)
  /// A length of an ``AlertQuery`` is out of range.
  case length
  /// The scope isn't an area: use the corridor or the viewport.
  case scope(ScopeID)
  /// The beam's angle is not above 0° and at most 180°.
  case angle
  /// The route of a profile has no length.
  case shortRoute
  /// A length of a ``ProfileQuery`` is out of range, or its route has too many bins.
  case profile

  /// A stable code for logs and programs.
  public var code: String {
    switch self {
    case .area(let fault): fault.code
    case .viewport(let fault): fault.code
    case .corridor(let fault): fault.code
    case .route: "routePoint"
    case .position: "position"
    case .direction: "noDirection"
    case .offRoute: "offRoute"
    case .length: "lengthOutOfRange"
    case .angle: "angleOutOfRange"
    case .scope: "scope"
    case .shortRoute: "routeTooShort"
    case .profile: "profileOutOfRange"
    }
  }
}

extension QueryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .area(let fault): fault.description
    case .viewport(let fault): fault.description
    case .corridor(let fault): fault.description
    case .route(let index): "point \(index) of the route is not a valid coordinate: remove it"
    case .position: "the aircraft's position is not a valid coordinate: wait for the next fix"
    case .direction: "the query has no route and the aircraft no track: set one of them"
    case .offRoute(let distance):
      "the aircraft is \(Int(distance.rounded())) NM from the route, and its track is unknown: set the track or another route"
    case .length:
      "distance and width must be above 0 and at most \(AlertQuery.mostNM) NM, the altitude span 0 ft or more"
    case .scope(let scope):
      "this query can't read \(scope.subject): use the corridor, the viewport, or nil for both"
    case .shortRoute: "the route has no two different points: add one"
    case .profile:
      "a profile must be 0.1 to 1,000 NM wide, in bins of 1 to 100 NM, of which there are at most \(ProfileQuery.mostBins)"
    case .angle: "the beam must be above 0° and at most 180°"
    }
  }
}

extension QueryError {
  /// Checks the scope of a query: nil, the corridor or the viewport.
  static func check(_ scope: ScopeID?) throws(QueryError) {
    switch scope {
    case nil, .corridor, .viewport: break
    case let scope?: throw .scope(scope)
    }
  }
}

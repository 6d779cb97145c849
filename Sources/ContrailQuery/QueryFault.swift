public import ContrailGeodesy

/// Why a query has no answer.
public enum QueryFault: Error, Hashable, Sendable {
  /// The polygon is no area.
  case area(RingFault)
  /// The viewport is no area.
  case viewport(BoundingBoxFault)
  /// The route's corridor can't be made.
  case corridor(BufferFault)
  /// A point of the route, by its index, is no point on the earth.
  case route(index: Int)
  /// The aircraft's position is no point on the earth.
  case position
  /// There is neither a route to follow nor a track to look along.
  case direction
  /// A length of an ``AlertQuery`` is not in the range that it names.
  case length
  /// The beam's angle is not above 0 and at most 180°.
  case angle

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .area(let fault): fault.code
    case .viewport(let fault): fault.code
    case .corridor(let fault): fault.code
    case .route: "routePoint"
    case .position: "position"
    case .direction: "noDirection"
    case .length: "lengthOutOfRange"
    case .angle: "angleOutOfRange"
    }
  }
}

extension QueryFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .area(let fault): fault.description
    case .viewport(let fault): fault.description
    case .corridor(let fault): fault.description
    case .route(let index): "point \(index) of the route is no point on the earth: leave it out"
    case .position: "the aircraft's position is no point on the earth: wait for the next fix"
    case .direction: "nothing is ahead of an aircraft without route or track: give one of them"
    case .length:
      "distance and width must be above 0 and at most \(AlertQuery.mostNM) NM, the altitude span 0 ft or more"
    case .angle: "the beam must be wider than 0° and at most 180°"
    }
  }
}

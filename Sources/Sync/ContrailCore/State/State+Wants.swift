import ContrailGeodesy
import ContrailWire

extension State {
  /// Applies a new query and recomputes what each scope wants.
  mutating func change(to query: ResolvedQuery) {
    let previous = self.query
    self.query = query
    var found: [Rejection] = []
    let band = query.altitudes == nil ? .all : query.altitudes?.band
    let place = served(corridorGiven(), query.polygon == nil ? "route" : "polygon")
    switch place {
    case .none: corridor = nil
    case .ring(let ring): corridor = ring
    case .fault: break
    }
    updateAreaWant(.corridor, given: place, types: query.types, band: band, &found)
    let viewport = served(Self.given(query.viewport, "viewport"), "viewport")
    updateAreaWant(.viewport, given: viewport, types: query.viewportTypes ?? query.types, band: band, &found)
    updateGlobalWants()
    updateWeatherWants(&found)
    findUnserved(&found)
    rejections += found.filter { !standing.contains($0) || query.differs(from: previous, in: $0) }
    standing = found
  }

  /// Applies the new history time to the wanted specs.
  mutating func updateHistory() {
    // A service that isn't one of Contrail may not have this history. The application is told then.
    guard service.isContrail else { return change(to: query) }
    for id in [ScopeID.corridor, .viewport] {
      guard var want = want(of: id) else { continue }
      want.history = history
      setWant(want, of: id)
    }
    updateGlobalWants()
  }

  private enum Given {
    case none
    case ring(Ring)
    case fault(reason: String, place: String)
  }

  private mutating func corridorGiven() -> Given {
    if query.polygon == nil, let fault = query.corridorError { return .fault(reason: fault.code, place: fault.place) }
    guard let points = query.polygon ?? query.corridor else { return .none }
    if let ring = corridorMemory.ring(of: points) {
      // The points are equal. One storage instead of two saves memory, and makes later comparisons fast.
      if query.polygon == nil { query.corridor = corridorMemory.points } else { query.polygon = corridorMemory.points }
      return .ring(ring)
    }
    let given = Self.given(points, query.polygon == nil ? "route" : "polygon")
    if case .ring(let ring) = given { corridorMemory.remember(ring, of: points) }
    return given
  }

  /// Returns an area, or a fault if the service doesn't document how such an area is sent.
  private func served(_ given: Given, _ name: String) -> Given {
    guard !service.isContrail, case .ring(let ring) = given, ring.crossesAntimeridian else { return given }
    return .fault(reason: "antimeridian", place: name)
  }

  private static func given(_ points: ResolvedQuery.Points?, _ name: String) -> Given {
    guard let points else { return .none }
    do throws(GeodesyError) {
      return .ring(try Ring(simple: points))
    } catch {
      return .fault(reason: error.code, place: error.index.map { "\(name)[\($0)]" } ?? name)
    }
  }

  private mutating func updateAreaWant(
    _ id: ScopeID, given: Given, types: DataTypeOptions, band: AltitudeBand?, _ found: inout [Rejection]
  ) {
    var types = types.intersection(.areaTypes).intersection(service.types)
    if query.severities.isEmpty { types.remove(.turbulence) }
    switch given {
    case .fault(let reason, let place): found.append(Rejection(scope: id, reason: reason, place: place))
    case .none: setWant(nil, of: id)
    case .ring(let ring):
      guard let band else {
        found.append(Rejection(scope: id, reason: "altitudesInverted", place: Rejection.altitudes))
        return
      }
      guard let band = band.clamped(to: service.altitudes) else {
        found.append(Rejection(scope: id, reason: "altitudesUnserved", place: Rejection.altitudes))
        return
      }
      guard !types.isEmpty else { return setWant(nil, of: id) }
      var filter = Filter(types: types, history: fetchedHistory)
      if types.contains(.turbulence) { (filter.severities, filter.altitudes) = (query.severities, band) }
      setWant(FetchSpec(area: .ring(ring), filter: filter, known: want(of: id)), of: id)
    }
  }

  private mutating func updateGlobalWants() {
    var area: Area?
    if query.types.intersection(service.types).contains(.turbulencePolygons) {
      area = query.globalEnabled ? .world : corridor.map(Area.ring)
    }
    for span in DataHistoryTime.allCases {
      let id = ScopeID.global(span)
      let isWanted = query.isUpToEnabled ? span <= history : span == history
      let area = isWanted ? area : nil
      let filter = Filter(types: .turbulencePolygons, history: span)
      setWant(area.map { FetchSpec(area: $0, filter: filter, known: self.want(of: id)) }, of: id)
    }
  }
}

extension ResolvedQuery {
  /// Whether the part of the query that was rejected has a different value.
  fileprivate func differs(from other: ResolvedQuery, in rejection: State.Rejection) -> Bool {
    if rejection.reason == State.Rejection.unserved { return false }
    if rejection.place == State.Rejection.altitudes, altitudes != other.altitudes { return true }
    if rejection.place.hasPrefix(State.Rejection.weatherSpec) { return weather.spec != other.weather.spec }
    if rejection.scope == .viewport { return viewport != other.viewport }
    if polygon != other.polygon { return true }
    return polygon == nil
      && (route != other.route || routeWidthMilliNM != other.routeWidthMilliNM || corridor != other.corridor
        || corridorError != other.corridorError)
  }
}

extension ResolvedQuery {
  /// The parts of the query that the engine rejects.
  package var rejections: [Decision.QueryRejected] { rejections(in: nil) }

  /// Returns the parts of the query that the engine rejects in a session; nil for one with a service of Contrail.
  package func rejections(in session: Input.Session?) -> [Decision.QueryRejected] {
    var state = State()
    state.session = session
    state.change(to: self)
    return state.rejections.map { .init(scope: $0.scope, reason: $0.reason, place: $0.place, cause: 0) }
  }
}

import ContrailGeodesy
import ContrailWire

extension State {
  /// Applies a new query and recomputes what each scope wants.
  mutating func change(to query: ResolvedQuery) {
    let previous = self.query
    self.query = query
    var found: [Rejection] = []
    let band = query.altitudes == nil ? .all : query.altitudes?.band
    let place = corridorGiven()
    switch place {
    case .none: corridor = nil
    case .ring(let ring): corridor = ring
    case .fault: break
    }
    updateAreaWant(.corridor, given: place, types: query.types, band: band, &found)
    let viewport = Self.given(query.viewport, "viewport")
    updateAreaWant(.viewport, given: viewport, types: query.viewportTypes ?? query.types, band: band, &found)
    updateGlobalWants()
    updateWeatherWants()
    rejections += found.filter { !standing.contains($0) || query.differs(from: previous, in: $0) }
    standing = found
  }

  /// Applies the new history time to the wanted specs.
  mutating func updateHistory() {
    for id in [ScopeID.corridor, .viewport] {
      guard let index = index(of: id), var want = scopes[index].want else { continue }
      want.history = history
      setWant(want, at: index)
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
      // The points are equal. One storage instead of two saves memory, and work where storage tells that they are.
      if query.polygon == nil { query.corridor = corridorMemory.points } else { query.polygon = corridorMemory.points }
      return .ring(ring)
    }
    let given = Self.given(points, query.polygon == nil ? "route" : "polygon")
    if case .ring(let ring) = given { corridorMemory.remember(ring, of: points) }
    return given
  }

  private static func given(_ points: ResolvedQuery.Points?, _ name: String) -> Given {
    guard let points else { return .none }
    do throws(PolygonError) {
      return .ring(try Ring(simple: points))
    } catch {
      return .fault(reason: error.code, place: error.index.map { "\(name)[\($0)]" } ?? name)
    }
  }

  private mutating func updateAreaWant(
    _ id: ScopeID, given: Given, types: DataTypeOptions, band: AltitudeBand?, _ found: inout [Rejection]
  ) {
    var types = types.intersection(.areaTypes)
    if query.severities.isEmpty { types.remove(.turbulence) }
    switch given {
    case .fault(let reason, let place): found.append(Rejection(scope: id, reason: reason, place: place))
    case .none:
      if let index = index(of: id) { setWant(nil, at: index) }
    case .ring(let ring):
      guard let band else {
        found.append(Rejection(scope: id, reason: "altitudesInverted", place: Rejection.altitudes))
        return
      }
      guard !types.isEmpty else {
        if let index = index(of: id) { setWant(nil, at: index) }
        return
      }
      let index = ensureScope(id)
      var spec = FetchSpec(area: .ring(ring), types: types, history: history, known: scopes[index].want)
      if types.contains(.turbulence) {
        spec.severities = query.severities
        spec.altitudes = band
      }
      setWant(spec, at: index)
    }
  }

  private mutating func updateGlobalWants() {
    var area: Area?
    if query.types.contains(.turbulencePolygons) {
      area = query.globalEnabled ? .world : corridor.map(Area.ring)
    }
    for span in DataHistoryTime.allCases {
      let id = ScopeID.global(span)
      let isWanted = query.isUpToEnabled ? span <= history : span == history
      if isWanted, let area {
        let index = ensureScope(id)
        let known = scopes[index].want
        setWant(FetchSpec(area: area, types: .turbulencePolygons, history: span, known: known), at: index)
      } else if let index = index(of: id) {
        setWant(nil, at: index)
      }
    }
  }

  mutating func setWant(_ want: FetchSpec?, at index: Int) {
    guard scopes[index].want != want else { return }
    if scopes[index].id == .viewport, scopes[index].want?.area != want?.area { move(index) }
    scopes[index].want = want
    if scopes[index].block == .badRequest { scopes[index].block = nil }
    scopes[index].retry.shortenBackoff()
    if want == nil {
      scopes[index].motion = nil
      scopes[index].pendingRefresh = .none
      if scopes[index].id == .viewport { scopes[index].forget() }
    }
  }

  /// Notes that the viewport has moved.
  private mutating func move(_ index: Int) {
    scopes[index].motion =
      scopes[index].motion?.changed(at: now) ?? Scope.Motion(changedAt: now, since: now)
  }
}

extension ResolvedQuery {
  /// Whether the part of the query that was rejected has a different value.
  fileprivate func differs(from other: ResolvedQuery, in rejection: State.Rejection) -> Bool {
    if rejection.place == State.Rejection.altitudes, altitudes != other.altitudes { return true }
    if rejection.scope == .viewport { return viewport != other.viewport }
    if polygon != other.polygon { return true }
    return polygon == nil
      && (route != other.route || routeWidthMilliNM != other.routeWidthMilliNM || corridor != other.corridor
        || corridorError != other.corridorError)
  }
}

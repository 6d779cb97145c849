import ContrailGeodesy
import ContrailWire

extension State {
  /// Works out anew what each scope wants, after the query has changed.
  mutating func updateWants() {
    let band = query.altitudes == nil ? .all : query.altitudes?.band
    let place = corridorGiven
    switch place {
    case .none: corridor = nil
    case .ring(let ring): corridor = ring
    case .fault(let reason, let place):
      rejections.append(Rejection(scope: .corridor, reason: reason, place: place))
    }
    updateAreaWant(.corridor, given: place, types: query.types, band: band)
    let viewport = Self.given(query.viewport, "viewport")
    if case .fault(let reason, let place) = viewport {
      rejections.append(Rejection(scope: .viewport, reason: reason, place: place))
    }
    updateAreaWant(.viewport, given: viewport, types: query.viewportTypes ?? query.types, band: band)
    updateGlobalWants()
    updateWeatherWants()
  }

  /// Applies another history time to what is wanted.
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

  private var corridorGiven: Given {
    if query.polygon != nil { return Self.given(query.polygon, "polygon") }
    if let fault = query.corridorFault { return .fault(reason: fault.code, place: fault.place) }
    return Self.given(query.corridor, "route")
  }

  private static func given(_ points: ResolvedQuery.Points?, _ name: String) -> Given {
    guard let points else { return .none }
    do {
      return .ring(try Ring(points))
    } catch {
      return .fault(reason: error.code, place: error.index.map { "\(name)[\($0)]" } ?? name)
    }
  }

  private mutating func updateAreaWant(_ id: ScopeID, given: Given, types: DataTypeOptions, band: AltitudeBand?) {
    var types = types.intersection(.areaTypes)
    if query.severities.isEmpty { types.remove(.turbulence) }
    switch given {
    case .fault: return
    case .none:
      if let index = index(of: id) { setWant(nil, at: index) }
    case .ring(let ring):
      guard let band else {
        rejections.append(Rejection(scope: id, reason: "altitudesInverted", place: "altRange"))
        return
      }
      guard !types.isEmpty else {
        if let index = index(of: id) { setWant(nil, at: index) }
        return
      }
      var spec = FetchSpec(area: .ring(ring), types: types, history: history)
      if types.contains(.turbulence) {
        spec.severities = query.severities
        spec.altitudes = band
      }
      setWant(spec, at: ensureScope(id))
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
        setWant(FetchSpec(area: area, types: .turbulencePolygons, history: span), at: ensureScope(id))
      } else if let index = index(of: id) {
        setWant(nil, at: index)
      }
    }
  }

  mutating func setWant(_ want: FetchSpec?, at index: Int) {
    guard scopes[index].want != want else { return }
    scopes[index].want = want
    if scopes[index].block == .badRequest { scopes[index].block = nil }
    hasten(index)
    if want == nil {
      scopes[index].demand = .none
      if scopes[index].id == .viewport { scopes[index].forget() }
    }
  }

  /// Shortens a wait after failures, but never one that the server asked for.
  mutating func hasten(_ index: Int) {
    let eager = max(scopes[index].lastAttemptAt + Backoff.eagerMS, scopes[index].retryAfter)
    scopes[index].notBefore = min(scopes[index].notBefore, eager)
  }
}

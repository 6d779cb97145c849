package import ContrailCore
import ContrailGeodesy
package import ContrailWire

/// What the application wants, worked out by the design's words and apart from the engine's state.
package struct Wishes: Equatable {
  package private(set) var query = ResolvedQuery()
  package private(set) var history = DataHistoryTime.twoHours
  private(set) var frequency = DataUpdateFrequency.fast
  private(set) var byteBudget = ByteBudget()
  private(set) var listening = ListeningSettings()
  /// What each scope is to fetch.
  package private(set) var wants: [ScopeID: FetchSpec] = [:]
  /// The last corridor that was an area.
  private var corridor: Ring?

  /// Every scope that there can be.
  package static let scopes: [ScopeID] =
    [.corridor, .viewport] + DataHistoryTime.allCases.map { .global($0) } + SimulatedWorld.places.map { .weather($0) }

  package init() {}

  package mutating func apply(_ input: Input) {
    switch input {
    case .sessionStarted: begin()
    case .queryChanged(let query):
      self.query = query
      wantAreas()
      wantPolygons()
      for place in SimulatedWorld.places {
        let id = ScopeID.weather(place)
        // A form that the service doesn't have is not asked for: each place keeps its last one.
        if !query.weather.places.contains(place) {
          wants[id] = nil
        } else if SimulatedWorld.hasWeather(in: query.weather.spec) {
          wants[id] = FetchSpec(query.weather.spec)
        }
      }
    case .historyChanged(let history):
      self.history = history
      for id in [ScopeID.corridor, .viewport] { wants[id]?.history = history }
      wantPolygons()
    case .frequencyChanged(let frequency): self.frequency = frequency
    case .budgetChanged(let budget): byteBudget = budget
    case .listeningChanged(let settings): listening = settings
    default: break
    }
  }

  /// A process begins.
  package mutating func begin() {
    query.viewport = nil
    wants[.viewport] = nil
  }

  private enum Given {
    case nothing
    case area(Ring)
    /// Something that is no area: the scope keeps what it wanted.
    case fault
  }

  private static func given(_ points: ResolvedQuery.Points?) -> Given {
    guard let points else { return .nothing }
    guard let ring = try? Ring(points), ring.polygonError == nil else { return .fault }
    return .area(ring)
  }

  /// Whether a part of a query is invalid.
  package static func hasFault(_ query: ResolvedQuery) -> Bool {
    var faults = [given(query.viewport)]
    faults.append(query.polygon == nil && query.corridorError != nil ? .fault : given(query.polygon ?? query.corridor))
    let hasArea = faults.contains { if case .area = $0 { true } else { false } }
    if faults.contains(where: { if case .fault = $0 { true } else { false } }) { return true }
    if hasArea, let range = query.altitudes, range.lower.flatMap({ low in range.upper.map { low <= $0 } }) != true {
      return true
    }
    return !query.weather.places.isEmpty && !SimulatedWorld.hasWeather(in: query.weather.spec)
  }

  private mutating func wantAreas() {
    var place = Self.given(query.polygon)
    if query.polygon == nil { place = query.corridorError != nil ? .fault : Self.given(query.corridor) }
    switch place {
    case .nothing: corridor = nil
    case .area(let ring): corridor = ring
    case .fault: break
    }
    want(.corridor, place, query.types)
    want(.viewport, Self.given(query.viewport), query.viewportTypes ?? query.types)
  }

  private mutating func want(_ id: ScopeID, _ place: Given, _ types: DataTypeOptions) {
    guard case .area(let ring) = place else {
      if case .nothing = place { wants[id] = nil }
      return
    }
    var band = AltitudeBand.all
    if let range = query.altitudes {
      guard let lower = range.lower, let upper = range.upper, let given = AltitudeBand(feet: lower, upper) else {
        return
      }
      band = given
    }
    var types = types.intersection(.areaTypes)
    if query.severities.isEmpty { types.remove(.turbulence) }
    guard !types.isEmpty else {
      wants[id] = nil
      return
    }
    // Altitudes and severities say nothing about PIREPs and traffic.
    let hasTurbulence = types.contains(.turbulence)
    wants[id] = FetchSpec(
      area: .ring(ring),
      filter: Filter(
        types: types, severities: hasTurbulence ? query.severities : .all, altitudes: hasTurbulence ? band : .all,
        history: history))
  }

  private mutating func wantPolygons() {
    var area: Area?
    if query.types.contains(.turbulencePolygons) { area = query.globalEnabled ? .world : corridor.map(Area.ring) }
    for span in DataHistoryTime.allCases {
      let isWanted = query.isUpToEnabled ? span <= history : span == history
      wants[.global(span)] =
        isWanted ? area.map { FetchSpec(area: $0, filter: Filter(types: .turbulencePolygons, history: span)) } : nil
    }
  }
}

extension ResolvedQuery {
  /// The query after a change, by what the change means and not by what the client makes of it; what is about history and frequency
  /// is not of the query.
  package mutating func apply(_ change: Change) {
    switch change {
    case .polygon(let area): polygon = area.map { SimulatedWorld.areas[$0] }
    case .turnedPolygon(let area): polygon = SimulatedWorld.turned(area)
    case .openPolygon: polygon = Array(SimulatedWorld.areas[0].dropLast())
    case .crossingPolygon: polygon = SimulatedWorld.crossing
    case .routeWithoutCorridor:
      polygon = nil
      routeWidthMilliNM = nil
      route = SimulatedWorld.route
    case .route:
      polygon = nil
      routeWidthMilliNM = Int64(SimulatedWorld.routeWidthNM * 1000)
      route = SimulatedWorld.route
    case .onePointRoute:
      polygon = nil
      routeWidthMilliNM = Int64(SimulatedWorld.routeWidthNM * 1000)
      route = Array(SimulatedWorld.route.prefix(1))
    case .rectangle(let number, true): viewport = SimulatedWorld.rectangles[number].read
    case .rectangle(let number, false): polygon = SimulatedWorld.rectangles[number].read
    case .viewport(let area): viewport = area.map { SimulatedWorld.areas[$0] }
    case .brokenViewport: viewport = [nil, nil]
    case .invalidViewport(let isOpen):
      viewport = isOpen ? Array(SimulatedWorld.areas[0].dropLast()) : SimulatedWorld.crossing
    case .types(let types): self.types = DataTypeOptions(rawValue: types)
    case .insertType(let type): types.insert(DataTypeOptions(rawValue: type))
    case .removeType(let type): types.remove(DataTypeOptions(rawValue: type))
    case .viewportTypes(let types): viewportTypes = types.map { DataTypeOptions(rawValue: $0) }
    case .severities(let severities): self.severities = SeveritySet(rawValue: severities)
    case .altitudes(let range):
      altitudes = range.map { FeetRange(lower: $0.lower, upper: max($0.lower, $0.upper)) }
    case .globalEnabled(let isOn): globalEnabled = isOn
    case .upTo(let isOn): isUpToEnabled = isOn
    case .weather(let places): weather.places = places.map { SimulatedWorld.places[$0] }
    case .weatherSpec(let language, let hours): weather.spec = WeatherSpec(language: language, hours: hours)
    case .weatherMember(let member): weather.spec.apply(member)
    case .history, .frequency, .byteBudget, .listening: break
    }
    // A route asks for a corridor only where no polygon stands before it.
    (corridor, corridorError) = (nil, nil)
    guard polygon == nil, let route else { return }
    if route.count == 1 {
      corridorError = .init(code: "routeTooShort", place: "route")
    } else if routeWidthMilliNM == nil {
      corridorError = .init(code: "widthMissing", place: "routeWidth")
    } else {
      corridor = SimulatedWorld.corridor
    }
  }
}

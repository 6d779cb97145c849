import ContrailGeodesy
import ContrailWire

extension DataQuery {
  /// Returns the query in the form that is logged.
  ///
  /// This is the only place that builds the corridor from the route: before logging, outside the fold.
  ///
  /// - Complexity: That of `corridor(widthNM:simplify:tolerance:)` if there is a route and no polygon, otherwise
  ///   O(*n*).
  package func resolved() -> ResolvedQuery {
    var query = ResolvedQuery()
    query.types = types
    query.viewportTypes = viewportTypes
    query.severities = SeveritySet(sevs)
    query.polygon = polygon?.readAsMapRectangle.map(FixedCoordinate.init)
    query.viewport = viewport?.readAsMapRectangle.map(FixedCoordinate.init)
    query.globalEnabled = globalEnabled
    query.isUpToEnabled = globalTurbulencePolygonsUpToEnabled
    query.altitudes = altRange.map {
      .init(lower: Self.feet($0.lowerBound, .down), upper: Self.feet($0.upperBound, .up))
    }
    query.route = route?.map(FixedCoordinate.init)
    query.routeWidthMilliNM = routeWidth.flatMap(Self.milli)
    query.weather = weather
    if polygon == nil, let route {
      if route.count == 1 {
        query.corridorError = .init(code: "routeTooShort", place: "route")
      } else if let routeWidth {
        do {
          query.corridor = try route.corridor(widthNM: routeWidth).map(FixedCoordinate.init)
        } catch {
          let isWidth = error.code == GeodesyError.width.code
          let place = isWidth ? "routeWidth" : error.index.map { "route[\($0)]" } ?? "route"
          query.corridorError = .init(code: error.code, place: place)
        }
      } else {
        query.corridorError = .init(code: "widthMissing", place: "routeWidth")
      }
    }
    return query
  }

  private static func feet(_ feet: Double, _ rule: FloatingPointRoundingRule) -> Int64? {
    guard !feet.isNaN else { return nil }
    return Int64(min(max(feet, -1_000_000), 1_000_000).rounded(rule))
  }

  private static func milli(_ width: Double) -> Int64? {
    guard width.isFinite, abs(width) <= 100_000 else { return nil }
    return Int64((width * 1000).rounded())
  }
}

extension DataQuery {
  /// Creates a query from its logged form.
  ///
  /// Coordinates are rounded to 1e-7 degrees, altitudes to whole feet. Points that were not finite become NaN.
  package init(_ query: ResolvedQuery) {
    func coordinates(_ points: ResolvedQuery.Points?) -> [Coordinate]? {
      points?.map { $0?.coordinate ?? Coordinate(latitude: .nan, longitude: .nan) }
    }
    self.init(types: query.types, sevs: query.severities.severities, polygon: coordinates(query.polygon))
    viewportTypes = query.viewportTypes
    viewport = coordinates(query.viewport)
    globalEnabled = query.globalEnabled
    globalTurbulencePolygonsUpToEnabled = query.isUpToEnabled
    if let range = query.altitudes, let lower = range.lower, let upper = range.upper, lower <= upper {
      altRange = Double(lower)...Double(upper)
    }
    route = coordinates(query.route)
    routeWidth = query.routeWidthMilliNM.map { Double($0) / 1000 }
    weather = query.weather
  }
}

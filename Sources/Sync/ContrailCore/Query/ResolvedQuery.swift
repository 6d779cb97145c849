package import ContrailGeodesy
package import ContrailWire

/// A data query in its logged form: coordinates as integers of 1e-7 degrees, the corridor already built.
///
/// It contains the application's values even if they are invalid, so that the log shows them; the fold validates areas.
/// Values that were not finite are nil.
package struct ResolvedQuery: Hashable, Sendable {
  /// The points of a ring or line as given; nil for a point that was not finite.
  package typealias Points = [FixedCoordinate?]

  package var types: DataTypeOptions = .turbulence
  package var viewportTypes: DataTypeOptions?
  package var severities: SeveritySet = .all
  package var polygon: Points?
  package var viewport: Points?
  package var globalEnabled = true
  package var isUpToEnabled = false
  package var altitudes: FeetRange?
  package var route: Points?
  /// The route's width in thousandths of a nautical mile.
  package var routeWidthMilliNM: Int64?
  /// The corridor around the route, if there is no polygon and the corridor could be built.
  package var corridor: Points?
  /// The reason why the corridor could not be built.
  package var corridorError: CorridorError?
  /// The places to fetch weather for, and the request parameters.
  package var weather = WeatherQuery()

  /// Creates the default query: turbulence, and no area.
  package init() {}

  /// The reason why a route has no corridor: a stable code, and the invalid property or point.
  package struct CorridorError: Hashable, Sendable {
    package var code: String
    package var place: String

    package init(code: String, place: String) {
      self.code = code
      self.place = place
    }
  }

  /// A range of altitudes as given, rounded outward to whole feet.
  ///
  /// A bound that was not a number is nil.
  package struct FeetRange: Hashable, Sendable {
    package var lower: Int64?
    package var upper: Int64?

    package init(lower: Int64?, upper: Int64?) {
      self.lower = lower
      self.upper = upper
    }
  }
}

extension ResolvedQuery.FeetRange {
  /// The band in thousands of feet; nil if a bound is missing or the range is inverted.
  var band: AltitudeBand? {
    guard let lower, let upper else { return nil }
    return AltitudeBand(feet: lower, upper)
  }
}

extension ResolvedQuery {
  /// Writes the query. Nil properties and a default weather query are omitted, so that old logs stay readable as
  /// properties are added.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("types")
      types.write(to: &json)
      if let viewportTypes {
        json.key("viewportTypes")
        viewportTypes.write(to: &json)
      }
      json.key("sevs")
      severities.write(to: &json)
      if let polygon {
        json.key("polygon")
        json.points(polygon)
      }
      if let viewport {
        json.key("viewport")
        json.points(viewport)
      }
      json.member("globalEnabled", globalEnabled)
      json.member("upTo", isUpToEnabled)
      if let altitudes {
        json.key("altRange")
        json.array { json in
          for end in [altitudes.lower, altitudes.upper] {
            if let end { json.value(end) } else { json.null() }
          }
        }
      }
      if let route {
        json.key("route")
        json.points(route)
      }
      if let routeWidthMilliNM {
        json.key("routeWidth")
        json.decimal(routeWidthMilliNM, digits: 3)
      }
      if let corridor {
        json.key("corridor")
        json.points(corridor)
      }
      if let corridorError {
        json.key("corridorFault")
        json.array { json in
          json.value(corridorError.code)
          json.value(corridorError.place)
        }
      }
      if weather != WeatherQuery() {
        json.key("weather")
        weather.write(to: &json)
      }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    var query = ResolvedQuery()
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "types": query.types = try DataTypeOptions(from: &json)
      case "viewportTypes": query.viewportTypes = try json.null() ? nil : DataTypeOptions(from: &json)
      case "sevs": query.severities = try SeveritySet(from: &json)
      case "polygon": query.polygon = try json.null() ? nil : json.points()
      case "viewport": query.viewport = try json.null() ? nil : json.points()
      case "globalEnabled": query.globalEnabled = try json.bool()
      case "upTo": query.isUpToEnabled = try json.bool()
      case "altRange":
        var ends: [Int64?] = []
        try json.array { (json) throws(JSONError) in ends.append(try json.null() ? nil : json.int64()) }
        guard ends.count == 2 else { throw json.fault("'altRange' must have two altitudes, got \(ends.count)") }
        query.altitudes = FeetRange(lower: ends[0], upper: ends[1])
      case "route": query.route = try json.null() ? nil : json.points()
      case "routeWidth": query.routeWidthMilliNM = try json.null() ? nil : json.scaled(by: 3)
      case "corridor": query.corridor = try json.null() ? nil : json.points()
      case "corridorFault":
        var texts: [String] = []
        try json.array { (json) throws(JSONError) in texts.append(try json.string()) }
        guard texts.count == 2 else { throw json.fault("'corridorFault' must have a code and a place") }
        query.corridorError = CorridorError(code: texts[0], place: texts[1])
      case "weather": query.weather = try json.null() ? WeatherQuery() : WeatherQuery(from: &json)
      default: try json.skipValue()
      }
    }
    self = query
  }
}

extension JSONReader {
  mutating func points() throws(JSONError) -> [FixedCoordinate?] {
    var numbers: [Int64?] = []
    try array { (json) throws(JSONError) in numbers.append(try json.null() ? nil : json.int64()) }
    guard numbers.count.isMultiple(of: 2) else { throw fault("the last point has a longitude, but no latitude") }
    return stride(from: 0, to: numbers.count, by: 2).map { index in
      guard let longitude = numbers[index], let latitude = numbers[index + 1] else { return nil }
      return FixedCoordinate(latitudeE7: latitude, longitudeE7: longitude)
    }
  }
}

extension SeveritySet {
  func write(to json: inout JSONWriter) {
    json.integers(atMost: 8) { codes in
      for code in Int64(0)..<8 where rawValue & 1 << UInt8(code) != 0 { codes.append(code) }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    var set: SeveritySet = []
    try json.array { (json) throws(JSONError) in
      let code: UInt8 = try json.integer(in: 0...UInt8.max)
      guard let severity = TurbulenceSeverity(rawValue: code) else { throw json.fault("unknown severity \(code)") }
      set.insert(SeveritySet([severity]))
    }
    self = set
  }
}

import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailWire

/// A query of stored data, as the shell in JavaScript passes it.
struct Query {
  /// How the result is put out.
  enum Form {
    case items
    case geoJSON
    case columns
  }

  enum Kind {
    case turbulence(TurbulenceQuery)
    case pireps(PIREPQuery)
    case traffic(TrafficQuery)
    case turbulencePolygons(TurbulencePolygonQuery)
  }

  var kind: Kind
  var form = Form.items

  /// The members that a query may have.
  private struct Members {
    var kind = "turbulence"
    var form = Form.items
    var area = QueryArea.everywhere
    var altRange: ClosedRange<Double>?
    var sevs: [TurbulenceSeverity]?
    var minimumSeverity = TurbulenceSeverity.none
    var history: DataHistoryTime?
    var aggregate = true
    var scope: ScopeID?
    var origin = ReportOrigin.server
    var aircraft: AircraftCategory?
    var includesUnknownAltitude = true
    var maximumAgeSeconds = TrafficPosition.lifetimeSeconds
  }

  /// Reads a query.
  ///
  /// - Parameter history: The history time of the data query.
  init(_ bytes: UnsafeRawBufferPointer, history: DataHistoryTime) throws(ClientError) {
    do throws(JSONError) {
      var json = JSONReader(bytes)
      let members = try Self.members(&json)
      try json.end()
      form = members.form
      switch members.kind {
      case "turbulence":
        kind = .turbulence(
          TurbulenceQuery(
            area: members.area, altRange: members.altRange, sevs: members.sevs ?? TurbulenceSeverity.allCases,
            minimumSeverity: members.minimumSeverity, dataHistoryTime: members.history, aggregate: members.aggregate,
            scope: members.scope, origin: members.origin, aircraft: members.aircraft))
      case "pireps":
        kind = .pireps(
          PIREPQuery(
            area: members.area, altRange: members.altRange, includesUnknownAltitude: members.includesUnknownAltitude,
            sevs: members.sevs, dataHistoryTime: members.history, scope: members.scope))
      case "traffic":
        kind = .traffic(
          TrafficQuery(
            area: members.area, altRange: members.altRange, includesUnknownAltitude: members.includesUnknownAltitude,
            maximumAgeSeconds: members.maximumAgeSeconds, scope: members.scope))
      case "turbulencePolygons":
        kind = .turbulencePolygons(
          TurbulencePolygonQuery(
            dataHistoryTime: members.history ?? history, area: members.area, altRange: members.altRange,
            sevs: members.sevs ?? TurbulenceSeverity.allCases))
      default: throw JSONError(offset: 0, reason: "there is no kind of query named '\(members.kind)'")
      }
    } catch {
      throw ClientError(error)
    }
  }

  private static func members(_ json: inout JSONReader) throws(JSONError) -> Members {
    var members = Members()
    try json.fields { (key, json) throws(JSONError) in
      switch key {
      case "kind": members.kind = try json.string()
      case "form":
        members.form = try json.named("form") {
          $0 == "items" ? .items : $0 == "geoJSON" ? .geoJSON : $0 == "columns" ? .columns : nil
        }
      case "area": members.area = try json.area()
      case "altRange": members.altRange = try json.optional { (json) throws(JSONError) in try json.feetRange() }
      case "sevs":
        members.sevs = try json.optional { (json) throws(JSONError) in
          try json.list { (json) throws(JSONError) in try json.severity() }
        }
      case "minimumSeverity": members.minimumSeverity = try json.severity()
      case "dataHistoryTime": members.history = try json.optional { (json) throws(JSONError) in try json.history() }
      case "aggregate": members.aggregate = try json.bool()
      case "scope": members.scope = try json.optional { (json) throws(JSONError) in try json.scope() }
      case "origin": members.origin = try json.named("origin") { ReportOrigin(rawValue: $0) }
      case "aircraft": members.aircraft = try json.optional { (json) throws(JSONError) in try json.category() }
      case "includesUnknownAltitude": members.includesUnknownAltitude = try json.bool()
      case "maximumAgeSeconds": members.maximumAgeSeconds = try json.int64()
      default: return false
      }
      return true
    }
    return members
  }
}

extension JSONReader {
  mutating func category() throws(JSONError) -> AircraftCategory {
    try named("category of aircraft") { AircraftCategory(rawValue: $0) ?? AircraftCategory(designator: $0) }
  }

  mutating func area() throws(JSONError) -> QueryArea {
    let start = next()
    if isAtString {
      return try named("area") { $0 == "everywhere" ? .everywhere : nil }
    }
    var (area, route, width): (QueryArea?, [Coordinate]?, Double?)
    try fields { (key, json) throws(JSONError) in
      switch key {
      case "polygon": area = .polygon(try json.points())
      case "viewport":
        let sides = try json.list { (json) throws(JSONError) in try json.double() }
        guard sides.count == 4 else { throw json.fault("expected [west, south, east, north]") }
        area = .viewport(north: sides[3], south: sides[1], west: sides[0], east: sides[2])
      case "route": route = try json.points()
      case "widthNM": width = try json.double()
      default: return false
      }
      return true
    }
    if let route { area = .route(route, widthNM: width ?? 40) }
    guard let area else { throw JSONError(offset: start, reason: "expected an area") }
    return area
  }

  mutating func aircraftPosition() throws(JSONError) -> AircraftPosition {
    let start = next()
    var (point, feet, track, speed): (Coordinate?, Double?, Double?, Double?)
    func number(_ json: inout JSONReader) throws(JSONError) -> Double { try json.double() }
    try fields { (key, json) throws(JSONError) in
      switch key {
      case "position": point = try json.point()
      case "altitudeFeet": feet = try json.optional(number)
      case "trackDegrees": track = try json.optional(number)
      case "groundSpeedKnots": speed = try json.optional(number)
      default: return false
      }
      return true
    }
    guard let point else { throw JSONError(offset: start, reason: "the position is missing") }
    return AircraftPosition(coordinate: point, altitudeFeet: feet, trackDegrees: track, groundSpeedKnots: speed)
  }
}

// MARK: - Results

/// Turbulence, a column a property and an element an item.
struct ItemColumns {
  var lo: [UInt32] = []
  var hi: [UInt32] = []
  var altitude: [UInt8] = []
  var severity: [UInt8] = []
  var edr: [UInt16] = []
  var observedAt: [UInt32] = []
  var count: [UInt32] = []
  var ownState: [UInt8] = []

  init() {}

  init(_ items: [TurbulenceItem]) {
    for item in items {
      lo.append(UInt32(truncatingIfNeeded: item.report.h3Index))
      hi.append(UInt32(truncatingIfNeeded: item.report.h3Index >> 32))
      altitude.append(item.report.altitude)
      severity.append(item.sev.rawValue)
      edr.append(item.report.edrE4)
      observedAt.append(item.report.observedAt)
      count.append(UInt32(clamping: item.count))
      ownState.append(item.ownState?.code ?? 0)
    }
  }

  func address(of column: UInt32) -> UInt32 {
    switch column {
    case 0: ContrailBrowser.address(lo)
    case 1: ContrailBrowser.address(hi)
    case 2: ContrailBrowser.address(altitude)
    case 3: ContrailBrowser.address(severity)
    case 4: ContrailBrowser.address(edr)
    case 5: ContrailBrowser.address(observedAt)
    case 6: ContrailBrowser.address(count)
    case 7: ContrailBrowser.address(ownState)
    default: 0
    }
  }
}

extension Query {
  /// Evaluates the query and puts out its result.
  func put(_ client: BrowserClient, _ columns: inout ItemColumns) throws(QueryError) -> UInt32 {
    let (state, second) = (client.shown.state, client.serverSecond)
    func list<Item>(_ items: [Item], _ geoJSON: () -> String, _ value: (Item, inout JSONWriter) -> Void) -> UInt32 {
      if form == .geoJSON { return ContrailBrowser.put(Array(geoJSON().utf8)) }
      return ContrailBrowser.put { json in json.array { json in for item in items { value(item, &json) } } }
    }
    switch kind {
    case .turbulence(let query):
      let items = try state.turbulence(
        with: query, asOf: second, in: client.reportIndex, own: client.app.ownReports.all)
      guard form == .columns else { return list(items, { items.geoJSON() }) { $1.value($0) } }
      columns = ItemColumns(items)
      return ContrailBrowser.put { json in json.object { $0.member("count", items.count) } }
    case .pireps(let query):
      let items = try state.pireps(with: query, asOf: second)
      return list(items, { items.geoJSON(asOf: second) }) { $1.value($0) }
    case .traffic(let query):
      let items = try state.traffic(with: query, asOf: second)
      return list(items, { items.geoJSON(asOf: second) }) { $1.value($0) }
    case .turbulencePolygons(let query):
      guard let polygons = try state.turbulencePolygons(with: query, asOf: second) else {
        return ContrailBrowser.put { $0.null() }
      }
      return list(polygons.areas, { polygons.geoJSON() }) { $1.value($0) }
    }
  }
}

extension AlertQuery {
  /// Reads the criteria of a monitor, and the altitude below which it has no alerts.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(ClientError) -> (AlertQuery, minimumAltitudeFeet: Double?) {
    var (query, minimum): (AlertQuery, Double?) = (.monitoring, 10_000)
    func number(_ json: inout JSONReader) throws(JSONError) -> Double { try json.double() }
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.fields { (key, json) throws(JSONError) in
        switch key {
        case "route": query.route = try json.optional { (json) throws(JSONError) in try json.points() }
        case "distanceNM": query.distanceNM = try json.double()
        case "widthNM": query.widthNM = try json.double()
        case "altitudeSpanFeet": query.altitudeSpanFeet = try json.double()
        case "altRange": query.altRange = try json.optional { (json) throws(JSONError) in try json.feetRange() }
        case "beamDegrees": query.beamDegrees = try json.double()
        case "minimumSeverity": query.minimumSeverity = try json.severity()
        case "dataHistoryTime":
          query.dataHistoryTime = try json.optional { (json) throws(JSONError) in try json.history() }
        case "fallbacks":
          let names = try json.list { (json) throws(JSONError) in try json.string() }
          query.fallbacks = []
          if names.contains("pireps") { query.fallbacks.insert(.pireps) }
          if names.contains("areas") { query.fallbacks.insert(.areas) }
        case "ownReportsIgnoredSeconds": query.ownReportsIgnoredSeconds = try json.int64()
        case "aircraft": query.aircraft = try json.optional { (json) throws(JSONError) in try json.category() }
        case "minimumAltitudeFeet": minimum = try json.optional(number)
        default: return false
        }
        return true
      }
    } catch {
      throw ClientError(error)
    }
    return (query, minimum)
  }
}

extension ProfileQuery {
  /// Reads a query. Without a route, it has that of the data query.
  static func read(_ bytes: UnsafeRawBufferPointer, route: [Coordinate]?) throws(ClientError) -> ProfileQuery {
    var query = ProfileQuery(along: route ?? [])
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.fields { (key, json) throws(JSONError) in
        switch key {
        case "route": query.route = try json.points()
        case "widthNM": query.widthNM = try json.double()
        case "binNM": query.binNM = try json.double()
        case "altRange": query.altRange = try json.optional { (json) throws(JSONError) in try json.feetRange() }
        case "dataHistoryTime":
          query.dataHistoryTime = try json.optional { (json) throws(JSONError) in try json.history() }
        case "scope": query.scope = try json.optional { (json) throws(JSONError) in try json.scope() }
        case "origin": query.origin = try json.named("origin") { ReportOrigin(rawValue: $0) }
        case "category": query.category = try json.optional { (json) throws(JSONError) in try json.category() }
        case "aircraft":
          query.aircraft = try json.optional { (json) throws(JSONError) in try json.aircraftPosition() }
        default: return false
        }
        return true
      }
    } catch {
      throw ClientError(error)
    }
    return query
  }
}

extension TurbulenceReport {
  /// Reads a measurement that the device just made.
  init(_ bytes: UnsafeRawBufferPointer, _ client: BrowserClient) throws(ClientError) {
    var (place, feet, severity, edr, second): (Coordinate?, Double, TurbulenceSeverity, Double, Int64?) = (
      nil, 0, .none, 0, nil
    )
    var isChecked = true
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.fields { (key, json) throws(JSONError) in
        switch key {
        case "position": place = try json.point()
        case "altitudeFeet": feet = try json.double()
        case "severity": severity = try json.severity()
        case "edr": edr = try json.double()
        case "observedAt": second = try json.int64()
        case "isChecked": isChecked = try json.bool()
        default: return false
        }
        return true
      }
      guard place != nil else { throw JSONError(offset: 0, reason: "the position is missing") }
    } catch {
      throw ClientError(error)
    }
    let now = client.serverSecond
    do throws(ReportError) {
      if isChecked { try ReportError.check(second ?? now, asOf: now) }
      try self.init(
        at: place ?? Coordinate(latitude: 0, longitude: 0), altitudeFeet: feet, severity: severity, edr: edr,
        observedAt: second ?? now)
    } catch {
      throw ClientError(error)
    }
  }
}

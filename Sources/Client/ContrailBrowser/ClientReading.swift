import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailQuery
import ContrailWire

// The values that the shell in JavaScript passes.

extension JSONReader {
  /// Reads a number as the nearest double.
  mutating func double() throws(JSONError) -> Double {
    let start = next()
    let range = try skipValue()
    guard let number = Double(String(decoding: slice(range), as: UTF8.self)), number.isFinite else {
      throw JSONError(offset: start, reason: "expected a number")
    }
    return number
  }

  /// Reads a value, or null.
  mutating func optional<T>(_ read: (inout JSONReader) throws(JSONError) -> T) throws(JSONError) -> T? {
    _ = next()
    return try null() ? nil : try read(&self)
  }

  mutating func list<T>(_ read: (inout JSONReader) throws(JSONError) -> T) throws(JSONError) -> [T] {
    _ = next()
    var values: [T] = []
    try array { (json) throws(JSONError) in values.append(try read(&json)) }
    return values
  }

  /// Reads `[longitude, latitude]`. A number that is none is null in JSON; the point is then invalid.
  mutating func point() throws(JSONError) -> Coordinate {
    let start = next()
    let numbers = try list { (json) throws(JSONError) in
      try json.optional { (json) throws(JSONError) in try json.double() } ?? .nan
    }
    guard numbers.count >= 2 else { throw JSONError(offset: start, reason: "expected [longitude, latitude]") }
    return Coordinate(latitude: numbers[1], longitude: numbers[0])
  }

  /// Reads a point as a place of weather.
  mutating func place() throws(JSONError) -> RoundedCoordinate {
    let start = next()
    guard let place = RoundedCoordinate(rounding: try point()) else {
      throw JSONError(offset: start, reason: "the point is not a longitude and latitude in degrees")
    }
    return place
  }

  mutating func points() throws(JSONError) -> [Coordinate] { try list { (json) throws(JSONError) in try json.point() } }

  mutating func feetRange() throws(JSONError) -> ClosedRange<Double> {
    let start = next()
    let numbers = try list { (json) throws(JSONError) in try json.double() }
    guard numbers.count == 2, numbers[0] <= numbers[1] else {
      throw JSONError(offset: start, reason: "expected [lowest, highest]")
    }
    return numbers[0]...numbers[1]
  }

  /// Reads a text as one of a type's values.
  mutating func named<T>(_ what: StaticString, _ make: (String) -> T?) throws(JSONError) -> T {
    let start = next()
    guard let value = make(try string()) else {
      throw JSONError(
        offset: start, reason: "this is no \(what.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })")
    }
    return value
  }

  mutating func severity() throws(JSONError) -> TurbulenceSeverity {
    try named("severity") { TurbulenceSeverity(name: $0) }
  }

  mutating func types() throws(JSONError) -> DataTypeOptions {
    var types: DataTypeOptions = []
    let names = try list { (json) throws(JSONError) in
      try json.named("data type") { name in DataTypeOptions.names.first { $0.name == name }?.option }
    }
    for option in names { types.insert(option) }
    return types
  }

  mutating func history() throws(JSONError) -> DataHistoryTime {
    let start = next()
    guard let history = DataHistoryTime(rawValue: try int64()) else {
      throw JSONError(offset: start, reason: "expected 1800, 3600, 7200, 14400 or 21600 seconds")
    }
    return history
  }

  mutating func scope() throws(JSONError) -> ScopeID { try named("scope") { ScopeID(name: $0) } }

  /// Reads an object. Unknown members are skipped.
  mutating func fields(_ read: (JSONKey, inout JSONReader) throws(JSONError) -> Bool) throws(JSONError) {
    _ = next()
    try object { (key, json) throws(JSONError) in
      _ = json.next()
      if try !read(key, &json) { try json.skipValue() }
    }
  }
}

extension DataQuery {
  /// Reads the members that are given; the others keep their values.
  mutating func read(from json: inout JSONReader) throws(JSONError) {
    var query = self
    try json.fields { (key, json) throws(JSONError) in
      switch key {
      case "types": query.types = try json.types()
      case "viewportTypes": query.viewportTypes = try json.optional { (json) throws(JSONError) in try json.types() }
      case "sevs": query.sevs = try json.list { (json) throws(JSONError) in try json.severity() }
      case "polygon": query.polygon = try json.optional { (json) throws(JSONError) in try json.points() }
      case "viewport": query.viewport = try json.optional { (json) throws(JSONError) in try json.points() }
      case "route": query.route = try json.optional { (json) throws(JSONError) in try json.points() }
      case "routeWidth": query.routeWidth = try json.optional { (json) throws(JSONError) in try json.double() }
      case "altRange": query.altRange = try json.optional { (json) throws(JSONError) in try json.feetRange() }
      case "globalEnabled": query.globalEnabled = try json.bool()
      case "globalTurbulencePolygonsUpToEnabled": query.globalTurbulencePolygonsUpToEnabled = try json.bool()
      case "weather":
        query.weather = WeatherQuery()
        try query.weather.read(from: &json)
      default: return false
      }
      return true
    }
    self = query
  }
}

extension WeatherQuery {
  fileprivate mutating func read(from json: inout JSONReader) throws(JSONError) {
    var query = self
    try json.fields { (key, json) throws(JSONError) in
      switch key {
      case "places":
        query.places = try json.list { (json) throws(JSONError) in try json.place() }
      case "spec": try query.spec.read(from: &json)
      default: return false
      }
      return true
    }
    self = query
  }
}

extension WeatherSpec {
  fileprivate mutating func read(from json: inout JSONReader) throws(JSONError) {
    var spec = self
    try json.fields { (key, json) throws(JSONError) in
      switch key {
      case "language": spec.language = try json.string()
      case "unit": spec.unit = try json.string()
      case "includesAlerts": spec.includesAlerts = try json.bool()
      case "hours": spec.hours = try json.int64()
      case "days": spec.days = try json.int64()
      case "version": spec.version = try json.string()
      case "file": spec.file = try json.string()
      default: return false
      }
      return true
    }
    self = spec
  }
}

extension ListeningSettings {
  fileprivate mutating func read(from json: inout JSONReader) throws(JSONError) {
    var settings = self
    try json.fields { (key, json) throws(JSONError) in
      switch key {
      case "isEnabled": settings.isEnabled = try json.bool()
      case "urgentSeverity":
        settings.urgentSeverity = try json.optional { (json) throws(JSONError) in try json.severity() }
      case "urgentAltitudes":
        let start = json.next()
        let feet = try json.feetRange()
        guard let band = AltitudeBand(feet: Int64(max(feet.lowerBound, -1e6)), Int64(min(feet.upperBound, 1e6))) else {
          throw JSONError(offset: start, reason: "expected altitudes in feet")
        }
        settings.urgentAltitudes = band
      case "confirmationMinutes":
        settings.confirmationMinutes = try json.optional { (json) throws(JSONError) in Int(clamping: try json.int64()) }
      default: return false
      }
      return true
    }
    self = settings
  }
}

extension ByteBudget {
  fileprivate mutating func read(from json: inout JSONReader) throws(JSONError) {
    var budget = self
    try json.fields { (key, json) throws(JSONError) in
      switch key {
      case "bytes": budget.bytes = try json.optional { (json) throws(JSONError) in try json.int64() }
      case "flight":
        budget.period = try json.optional { (json) throws(JSONError) in try json.string() }.map { .flight($0) } ?? .day
      case "savesOnExpensiveLink": budget.savesOnExpensiveLink = try json.bool()
      case "savesOnConstrainedLink": budget.savesOnConstrainedLink = try json.bool()
      default: return false
      }
      return true
    }
    self = budget
  }
}

/// Changes of one turn of the application.
struct SettingsTurn {
  private var query: DataQuery?
  private var changes: [(inout AppSide) -> Void] = []
  /// Whether no other changes of the turn follow.
  let endsTurn: Bool

  /// Reads a turn. Of a setting that is given, members that aren't given have their defaults; the query keeps them.
  ///
  /// - Throws: ``ClientError`` if a value has the wrong form, or the query is to be checked and invalid.
  init(_ bytes: UnsafeRawBufferPointer, changing app: AppSide) throws(ClientError) {
    var (isChecked, isEnd) = (false, true)
    do throws(JSONError) {
      var json = JSONReader(bytes)
      var (query, changes): (DataQuery?, [(inout AppSide) -> Void]) = (nil, [])
      var credentials: CredentialsChange?
      try json.fields { (key, json) throws(JSONError) in
        switch key {
        case "dataQuery":
          var changed = app.settings.dataQuery
          try changed.read(from: &json)
          query = changed
        case "isChecked": isChecked = try json.bool()
        case "endsTurn": isEnd = try json.bool()
        case "dataHistoryTime":
          let history = try json.history()
          changes.append { $0.set(history) }
        case "dataUpdateFrequency":
          let frequency = try json.named("update frequency") { DataUpdateFrequency(rawValue: $0) }
          changes.append { $0.set(frequency) }
        case "listening":
          var listening = ListeningSettings()
          try listening.read(from: &json)
          changes.append { $0.set(listening) }
        case "byteBudget":
          var budget = ByteBudget()
          try budget.read(from: &json)
          changes.append { $0.set(budget) }
        case "linkCost":
          var cost = LinkCost()
          try json.fields { (key, json) throws(JSONError) in
            switch key {
            case "isExpensive": cost.isExpensive = try json.bool()
            case "isConstrained": cost.isConstrained = try json.bool()
            default: return false
            }
            return true
          }
          changes.append { $0.set(cost) }
        case "isOnline":
          let isOnline = try json.bool()
          changes.append { $0.setOnline(isOnline) }
        case "hasLink":
          let hasLink = try json.bool()
          changes.append { $0.setLink(hasLink) }
        case "apiKey":
          let key = try json.optional { (json) throws(JSONError) in try json.string() }
          credentials = credentials ?? CredentialsChange()
          credentials?.apiKey = .some(key)
        case "weatherToken":
          let token = try json.optional { (json) throws(JSONError) in try json.string() }
          credentials = credentials ?? CredentialsChange()
          credentials?.weatherToken = .some(token)
        case "refresh":
          let isFull = try json.named("kind of update") { $0 == "full" ? true : $0 == "delta" ? false : nil }
          changes.append { $0.refresh(full: isFull) }
        default: return false
        }
        return true
      }
      try json.end()
      if let credentials { changes.append { $0.set(credentials) } }
      (self.query, self.changes, endsTurn) = (query, changes, isEnd)
    } catch {
      throw ClientError(error)
    }
    if isChecked, let query, let rejection = query.resolved().rejections.first { throw ClientError(rejection) }
  }

  func apply(to app: inout AppSide) {
    if let query { app.set(query) }
    for change in changes { change(&app) }
  }
}

/// The configuration of a client.
struct BrowserConfiguration {
  var directory = "/log"
  var session = Input.Session(engine: EngineVersion.current, id: "", seed: 0)
  var host: String?
  var path = ""
  var isSecure = true
  var weatherHost: String?
  var credentials = Credentials()
  var isOnline = true
  var hasLink = true
  var deliversAirports: Bool? = false
  var packsBodies = true
  var segmentBytes: Int64 = 8 << 20
  var keptBytes: Int64 = 64 << 20
  var syncDelayMS: Int64 = 1000

  init(_ bytes: UnsafeRawBufferPointer) throws(ClientError) {
    do throws(JSONError) {
      var (json, read) = (JSONReader(bytes), self)
      func text(_ json: inout JSONReader) throws(JSONError) -> String { try json.string() }
      try json.fields { (key, json) throws(JSONError) in
        switch key {
        case "directory": read.directory = try json.string()
        case "session":
          try json.fields { (key, json) throws(JSONError) in
            switch key {
            case "id": read.session.id = try json.string()
            case "seed": read.session.seed = try json.named("seed") { UInt64($0) }
            default: return false
            }
            return true
          }
        case "host": read.host = try json.optional(text)
        case "path": read.path = try json.string()
        case "isSecure": read.isSecure = try json.bool()
        case "weatherHost": read.weatherHost = try json.optional(text)
        case "apiKey": read.credentials.apiKey = try json.optional(text)
        case "weatherToken": read.credentials.weatherToken = try json.optional(text)
        case "isOnline": read.isOnline = try json.bool()
        case "hasLink": read.hasLink = try json.bool()
        case "deliversAirports":
          read.deliversAirports = try json.optional { (json) throws(JSONError) in try json.bool() }
        case "packsBodies": read.packsBodies = try json.bool()
        case "segmentBytes": read.segmentBytes = try json.integer(in: 1 << 10...1 << 40)
        case "keptBytes": read.keptBytes = try json.integer(in: 1 << 10...1 << 40)
        case "syncDelayMS": read.syncDelayMS = try json.integer(in: 0...3_600_000)
        default: return false
        }
        return true
      }
      try json.end()
      self = read
    } catch {
      throw ClientError(error)
    }
  }
}

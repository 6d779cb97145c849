import ContrailCore
import ContrailEngine
import ContrailQuery
import ContrailWire

/// The observed queries of the application.
struct Observers {
  /// A result that its reader takes change by change: a slow reader gets the difference to the newest result.
  enum Result {
    case turbulence(LiveTurbulence)
    case pireps(PIREPQuery, LiveResult<PIREP>)
    case traffic(TrafficQuery, LiveResult<TrafficPosition>)
    case turbulencePolygons(TurbulencePolygonQuery, LiveResult<TurbulenceArea>)
    case profile(ProfileQuery, LiveResult<ProfileColumn>, ProfileMemory)
  }

  private struct Observer {
    var result: Result
    var form: Query.Form
    /// Whether the result may have changed since it was taken.
    var isDue = true
    /// Whether the shell knows that.
    var isTold = false
    /// The time of the device at which time alone may change the result; nil for never.
    var expiresAt: Int64?
  }

  private var observers: [Int32: Observer] = [:]
  private var last: Int32 = 0

  /// Adds a query, and returns its number.
  ///
  /// - Throws: ``QueryError`` if a query of turbulence is invalid.
  mutating func add(_ query: Query) throws(QueryError) -> Int32 {
    let result: Result =
      switch query.kind {
      case .turbulence(let query): .turbulence(try LiveTurbulence(query))
      case .pireps(let query): .pireps(query, LiveResult(.pireps))
      case .traffic(let query): .traffic(query, LiveResult(.traffic))
      case .turbulencePolygons(let query): .turbulencePolygons(query, LiveResult(.turbulencePolygons))
      }
    return add(Observer(result: result, form: query.form))
  }

  /// Adds a query for a profile, and returns its number.
  mutating func add(_ query: ProfileQuery) -> Int32 {
    let result = LiveResult<ProfileColumn>([.turbulence, .pireps, .turbulencePolygons])
    return add(Observer(result: .profile(query, result, ProfileMemory()), form: .items))
  }

  private mutating func add(_ observer: Observer) -> Int32 {
    last += 1
    observers[last] = observer
    return last
  }

  mutating func remove(_ number: Int32) { observers[number] = nil }

  /// Notes that results may have changed.
  mutating func mayHaveChanged() { for number in observers.keys { observers[number]?.isDue = true } }

  /// The time of the device of the next expiry of a result that was taken; nil for never.
  var wakesAt: Int64? { observers.values.compactMap { $0.isDue ? nil : $0.expiresAt }.min() }

  /// Returns the observers to tell to take their results, each once.
  mutating func due(at now: Int64) -> [Int32] {
    var due: [Int32] = []
    for number in observers.keys.sorted() {
      guard var observer = observers[number] else { continue }
      if let at = observer.expiresAt, at <= now { observer.isDue = true }
      if observer.isDue, !observer.isTold {
        observer.isTold = true
        due.append(number)
      }
      observers[number] = observer
    }
    return due
  }

  /// Writes the change of a result since it was last taken; null if there is none.
  mutating func take(_ number: Int32, _ client: BrowserClient, to json: inout JSONWriter) throws(QueryError) {
    let shown = client.shown
    guard var observer = observers[number], shown.isOpen else { return json.null() }
    (observer.isDue, observer.isTold) = (false, false)
    let (state, second, own, form) = (shown.state, client.serverSecond, client.app.ownReports.all, observer.form)
    var expiresAt: Int64?
    switch observer.result {
    case .turbulence(var result):
      let change = result.update(to: state, asOf: second, own: own) { client.reportIndex }
      Self.write(change, to: &json, geoJSON: form == .geoJSON ? { $0.geoJSON() } : nil) { $1.value($0) }
      expiresAt = result.expiresAt
      observer.result = .turbulence(result)
    case .pireps(let query, var result):
      let change = try result.update(to: state, asOf: second, own: own) { () throws(QueryError) in
        try state.livePIREPs(with: query, asOf: second)
      }
      Self.write(change, to: &json, geoJSON: form == .geoJSON ? { $0.geoJSON(asOf: second) } : nil) { $1.value($0) }
      expiresAt = result.expiresAt
      observer.result = .pireps(query, result)
    case .traffic(let query, var result):
      let change = try result.update(to: state, asOf: second, own: own) { () throws(QueryError) in
        try state.liveTraffic(with: query, asOf: second)
      }
      Self.write(change, to: &json, geoJSON: form == .geoJSON ? { $0.geoJSON(asOf: second) } : nil) { $1.value($0) }
      expiresAt = result.expiresAt
      observer.result = .traffic(query, result)
    case .turbulencePolygons(let query, var result):
      let change = try result.update(to: state, asOf: second, own: own) { () throws(QueryError) in
        try state.livePolygons(with: query, asOf: second)
      }
      Self.write(change, to: &json, geoJSON: nil) { $1.value($0) }
      expiresAt = result.expiresAt
      observer.result = .turbulencePolygons(query, result)
    case .profile(let query, var result, var memory):
      var profile: RouteProfile?
      let change = try result.update(to: state, asOf: second, own: own) { () throws(QueryError) in
        let (found, evaluation) = try state.liveProfile(
          with: query, asOf: second, in: client.reportIndex, own: own, &memory)
        profile = found
        return evaluation
      }
      Self.write(change.flatMap { change in profile.map { ProfileChange($0, change) } }, to: &json)
      expiresAt = result.expiresAt
      observer.result = .profile(query, result, memory)
    }
    observer.expiresAt = expiresAt.map { shown.deviceTime(ofServerSecond: $0) }
    observers[number] = observer
  }

  private static func write(_ change: ProfileChange?, to json: inout JSONWriter) {
    guard let change else { return json.null() }
    json.object { json in
      json.member("isFirst", change.isFirst)
      json.key("changedBins")
      json.array { json in for bin in change.changedBins { json.value(bin) } }
      json.key("profile")
      put(change.profile, to: &json)
    }
  }

  private static func write<Item: LiveItem>(
    _ change: ResultChange<Item>?, to json: inout JSONWriter, geoJSON: (([Item]) -> String)?,
    _ value: (Item, inout JSONWriter) -> Void
  ) where Item.ID: TextIdentity {
    guard let change else { return json.null() }
    func write(_ name: StaticString, _ items: [Item], to json: inout JSONWriter) {
      json.key(name)
      if let geoJSON {
        json.verbatim(Array(geoJSON(items).utf8))
      } else {
        json.array { json in for item in items { value(item, &json) } }
      }
    }
    json.object { json in
      json.member("isFirst", change.isFirst)
      json.member("count", change.count)
      write("inserted", change.inserted, to: &json)
      write("changed", change.changed, to: &json)
      json.key("removed")
      json.array { json in for id in change.removed { json.value(id.text) } }
    }
  }
}

/// The monitors of turbulence ahead of the aircraft.
struct Monitors {
  private var monitors: [Int32: AlertMonitor] = [:]
  private var last: Int32 = 0
  private var isDue = false

  mutating func add(_ query: AlertQuery, minimumAltitudeFeet: Double?) -> Int32 {
    last += 1
    monitors[last] = AlertMonitor(query, minimumAltitudeFeet: minimumAltitudeFeet)
    return last
  }

  mutating func remove(_ number: Int32) { monitors[number] = nil }

  mutating func mayHaveChanged() { isDue = true }

  mutating func update(_ number: Int32, _ position: AircraftPosition, at now: Int64) {
    monitors[number]?.update(position, at: now)
    isDue = true
  }

  func error(of number: Int32) -> ClientError? { monitors[number]?.error }

  /// Finds the alerts again if anything has changed, and returns the actions that tell the events.
  mutating func alerts(_ client: BrowserClient) -> [[UInt8]] {
    guard isDue else { return [] }
    isDue = false
    var actions: [[UInt8]] = []
    for number in monitors.keys.sorted() {
      let events =
        monitors[number]?.find(
          client.shown, own: client.app.ownReports.all, route: client.app.settings.dataQuery.route,
          { client.reportIndex }, at: client.time.now) ?? []
      for event in events {
        let (name, alert): (String, TurbulenceAlert) =
          switch event {
          case .began(let alert): ("began", alert)
          case .changed(let alert): ("changed", alert)
          case .ended(let alert): ("ended", alert)
          }
        var json = JSONWriter()
        json.object { json in
          json.member("do", "alert")
          json.member("monitor", number)
          json.member("event", name)
          json.key("alert")
          json.value(alert)
        }
        actions.append(json.bytes)
      }
    }
    return actions
  }
}

import ContrailCore
package import ContrailGeodesy
package import ContrailQuery
import ContrailWire

/// Finds when turbulence ahead of the aircraft begins, changes and ends.
///
/// A value without a clock: its owner calls ``find(_:own:route:_:at:)`` after each position, and whenever the data change.
package struct AlertMonitor: Sendable {
  /// An event of an alert. Each alert begins and ends once.
  package enum Event: Sendable, Hashable {
    case began(TurbulenceAlert)
    case changed(TurbulenceAlert)
    case ended(TurbulenceAlert)
  }

  private var tracker: AlertTracker
  private let minimumAltitudeFeet: Double?
  /// The last position, and the device's time when it came.
  private var position: (AircraftPosition, at: Int64)?
  /// The alerts now, nearest first.
  package private(set) var current: [TurbulenceAlert] = []
  /// The error of the last position; nil if it had none.
  package private(set) var error: ClientError?
  /// The areas of each answer, which are read once.
  private var areas: [TurbulencePolygons] = []

  /// A position older than this, in milliseconds, is forgotten, and its alerts end.
  private static let positionLifetimeMS: Int64 = 300_000

  /// - Parameter minimumAltitudeFeet: The altitude below which there are no alerts; nil for none.
  package init(_ query: AlertQuery, minimumAltitudeFeet: Double?) {
    tracker = AlertTracker(query: query)
    self.minimumAltitudeFeet = minimumAltitudeFeet
  }

  /// The criteria. They can be changed at any time; alerts keep their identifiers.
  package var query: AlertQuery {
    get { tracker.query }
    set { tracker.query = newValue }
  }

  /// Sets the position of the aircraft at a time of the device.
  package mutating func update(_ position: AircraftPosition, at now: Int64) { self.position = (position, now) }

  /// Finds the alerts again, and returns what has changed.
  ///
  /// - Parameters:
  ///   - shown: The published state.
  ///   - own: The reports of the device.
  ///   - route: The route of the data query, for a query without one.
  ///   - index: Returns the index, up to date with the state. Called if a position counts.
  ///   - now: The time of the device.
  package mutating func find(
    _ shown: Shown, own: [OwnReport], route: [Coordinate]?, _ index: () -> ReportIndex, at now: Int64
  ) -> [Event] {
    let found = alerts(shown, own, route, index, at: now)
    defer { current = found }
    var events: [Event] = []
    for alert in current where !found.contains(where: { $0.id == alert.id }) {
      var ended = alert
      ended.phase = .ended
      events.append(.ended(ended))
    }
    for alert in found {
      if !current.contains(where: { $0.id == alert.id }) {
        events.append(.began(alert))
      } else if alert.phase != .unchanged {
        events.append(.changed(alert))
      }
    }
    return events
  }

  /// Returns the alerts for the last position; none without one, below the minimum altitude, or if it is invalid.
  private mutating func alerts(
    _ shown: Shown, _ own: [OwnReport], _ route: [Coordinate]?, _ index: () -> ReportIndex, at now: Int64
  ) -> [TurbulenceAlert] {
    error = nil
    guard let (position, at) = position, now - at <= Self.positionLifetimeMS else { return [] }
    if let feet = position.altitudeFeet, let minimum = minimumAltitudeFeet, feet < minimum { return [] }
    let second = shown.serverSecond(at: now)
    readAreas(shown.state, asOf: second)
    let query = tracker.query
    tracker.query.route = query.route ?? route
    defer { tracker.query.route = query.route }
    do throws(QueryError) {
      return try tracker.alerts(for: position, in: shown.state, asOf: second, index(), own: own, areas: areas)
        .filter { $0.phase != .ended }
    } catch {
      self.error = ClientError(error)
      return []
    }
  }

  private mutating func readAreas(_ held: State, asOf second: Int64) {
    guard tracker.query.fallbacks.contains(.areas) else {
      areas = []
      return
    }
    let query = TurbulencePolygonQuery(dataHistoryTime: held.history)
    guard let have = held.scope(.global(held.history))?.have else {
      areas = []
      return
    }
    if let known = areas.first, known.asOf == have.watermark, known.history == held.history {
      // Their age alone has changed; what is too old doesn't count.
      if second - known.asOf >= held.history.seconds { areas = [] }
      return
    }
    areas = (try? held.turbulencePolygons(with: query, asOf: second)).flatMap { $0 }.map { [$0] } ?? []
  }
}

import ContrailCore
public import ContrailEngine
public import ContrailHTTP
public import ContrailQuery
import ContrailWire

/// Watches for turbulence ahead of the aircraft, and tells when it begins, changes and ends.
///
/// ```swift
/// let monitor = try client.monitor()
/// monitor.update(AircraftPosition(coordinate: here, altitudeFeet: 35_000, trackDegrees: 280))
/// for await event in monitor.events {
///   switch event {
///   case .began(let alert): banner.show(alert)
///   case .changed(let alert): banner.update(alert)
///   case .ended(let alert): banner.remove(alert.id)
///   }
/// }
/// ```
///
/// Alerts are found again after each position, and whenever the data change. Feed positions with ``update(_:)``, about once a second; on
/// Apple's platforms, `followLocation()` feeds those of the device.
/// Every event is also told to the client's delegate. A monitor ends with ``stop()``, when it is released, or with its client.
public final class TurbulenceMonitor: Sendable {
  /// An event of an alert. Each alert begins and ends once; between, each change is told, but not its distance alone.
  public enum Event: Sendable, Hashable {
    /// Turbulence is ahead.
    ///
    /// Announce it if the alert's phase is `new` or `worsened`. Otherwise it was told before: the aircraft has turned back, or climbed
    /// above the minimum altitude again.
    case began(TurbulenceAlert)
    /// The reports, altitudes or severity have changed; announce it if the phase is `worsened`.
    case changed(TurbulenceAlert)
    /// The turbulence is passed, expired, or no longer ahead; or the aircraft is below the minimum altitude.
    case ended(TurbulenceAlert)

    /// The alert.
    public var alert: TurbulenceAlert {
      switch self {
      case .began(let alert), .changed(let alert), .ended(let alert): alert
      }
    }
  }

  private struct State {
    var monitor: AlertMonitor
    var streams: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextStream = 0
    var isFinished = false
  }

  private let core: ClientCore
  private let dataRoute: @Sendable () -> [Coordinate]?
  private let state: Lock<State>
  private let signal = LiveSignal()
  private let number: Int
  private let source = ChannelSource<Event>()

  init(
    _ core: ClientCore, _ query: AlertQuery, minimumAltitudeFeet: Double?
  ) {
    self.core = core
    dataRoute = { core.shared.withLock { $0.app.settings.dataQuery.route } }
    state = Lock(State(monitor: AlertMonitor(query, minimumAltitudeFeet: minimumAltitudeFeet)))
    number = core.addSignal(signal)
    Task { [weak self, signal] in
      while await signal.wait() { self?.find() }
      self?.finish()
    }
  }

  deinit {
    signal.end()
    core.removeSignal(number)
    finish()
  }

  /// The criteria. They can be changed at any time; alerts keep their identifiers.
  public var query: AlertQuery {
    get { state.withLock { $0.monitor.query } }
    set {
      state.withLock { $0.monitor.query = newValue }
      signal.set()
    }
  }

  /// Sets the position of the aircraft. Can be called from any thread.
  public func update(_ position: AircraftPosition) {
    let now = core.clock.now
    state.withLock { $0.monitor.update(position, at: now) }
    signal.set()
  }

  /// The alerts now, nearest first.
  public var alerts: [TurbulenceAlert] { state.withLock { $0.monitor.current } }

  /// The error of the last position, such as a position away from the route without a track; nil if it had no error.
  public var error: ClientError? { state.withLock { $0.monitor.error } }

  /// A stream of events: `began` for each alert of now, then every event.
  public var events: AsyncStream<Event> {
    AsyncStream { continuation in
      state.withLock { state in
        if state.isFinished { return continuation.finish() }
        state.monitor.current.forEach { continuation.yield(.began($0)) }
        state.nextStream += 1
        let stream = state.nextStream
        state.streams[stream] = continuation
        continuation.onTermination = { [weak self] _ in
          guard let self else { return }
          self.state.withLock { $0.streams[stream] = nil }
        }
      }
    }
  }

  /// The events, for sinks and publishers.
  public var channel: Channel<Event> { source.channel }

  /// Ends the monitoring. Streams end; alerts aren't told to have ended.
  public func stop() {
    signal.end()
    core.removeSignal(number)
  }

  // MARK: Finding

  private func find() {
    let (shown, own) = core.shared.withLock { ($0.app.shown, $0.app.ownReports.all) }
    let now = core.clock.now
    let route = dataRoute()
    let events = state.withLock { state -> [Event] in
      let found = state.monitor.find(
        shown, own: own, route: route, { core.withIndex(of: shown.state) { $0 ?? ReportIndex(of: shown.state) } },
        at: now)
      let events = found.map { Event($0) }
      for event in events { state.streams.values.forEach { $0.yield(event) } }
      return events
    }
    // Outside the lock, because sinks may call the monitor.
    for event in events {
      source.send(event)
      core.delegates.tell(event)
    }
  }

  private func finish() {
    let streams = state.withLock { state in
      defer { (state.streams, state.isFinished) = ([:], true) }
      return state.streams
    }
    streams.values.forEach { $0.finish() }
    source.finish()
  }
}

extension TurbulenceMonitor.Event {
  fileprivate init(_ event: AlertMonitor.Event) {
    self =
      switch event {
      case .began(let alert): .began(alert)
      case .changed(let alert): .changed(alert)
      case .ended(let alert): .ended(alert)
      }
  }
}

extension ContrailClient {
  /// Starts to watch for turbulence ahead of the aircraft.
  ///
  /// Other criteria begin with a copy of the default ones. A new `AlertQuery` has no fallbacks, and warns an aircraft of its own reports.
  ///
  /// ```swift
  /// var criteria = AlertQuery.monitoring
  /// criteria.distanceNM = 300
  /// let monitor = try client.monitor(criteria)
  /// ```
  ///
  /// - Parameters:
  ///   - query: The criteria. The default is ``/ContrailQuery/AlertQuery/monitoring``. Without a route, that of the data query is used.
  ///   - minimumAltitudeFeet: The altitude below which there are no alerts; nil for none. An aircraft without an altitude is monitored.
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if a length or angle of the query is invalid.
  public func monitor(
    _ query: AlertQuery = .monitoring, minimumAltitudeFeet: Double? = 10_000
  ) throws(ClientError) -> TurbulenceMonitor {
    do throws(QueryError) {
      try query.check()
    } catch {
      throw ClientError(error)
    }
    return TurbulenceMonitor(core, query, minimumAltitudeFeet: minimumAltitudeFeet)
  }
}

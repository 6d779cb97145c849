public import ContrailCore
public import ContrailWire

/// The data of a scope at one time, as a value.
///
/// Expired data, and data of types, severities or altitudes that the query no longer includes, are omitted.
public struct HeldData: Sendable {
  public let scope: ScopeID
  /// The state of the engine that contains the data.
  package let state: State
  /// The time, in milliseconds since 1970 by the log's clock.
  package let now: Int64

  package init(scope: ScopeID, state: State, now: Int64) {
    self.scope = scope
    self.state = state
    self.now = max(now, state.now)
  }

  private var held: Scope? { state.scope(scope) }

  /// The time by the server's clock, as far as it is known, in seconds since 1970.
  package var serverSecond: Int64 { state.serverSecond(at: now) }

  /// Whether there are no data, or they are no longer wanted.
  public var isEmpty: Bool { held?.have == nil || held?.want == nil }

  /// The server's time of the data, in seconds since 1970; nil if there is no data.
  package var asOfSecond: Int64? { held?.have?.watermark }

  /// The time of the last response, in milliseconds since 1970 by the device's clock; nil if there was none.
  package var lastUpdateMS: Int64? { held?.lastSuccessAt }

  /// The turbulence reports, oldest first.
  ///
  /// - Complexity: O(*n* log *n*).
  public var turbulence: [TurbulenceReport] { held?.visibleReports(asOf: serverSecond) ?? [] }

  /// The PIREPs, oldest first.
  ///
  /// - Complexity: O(*n* log *n*).
  public var pireps: [PIREP] { held?.visiblePIREPs(asOf: serverSecond) ?? [] }

  /// The other aircraft, in the order of the response. A position expires after `TrafficPosition.lifetimeSeconds`.
  public var traffic: [TrafficPosition] { held?.visibleTraffic(asOf: serverSecond) ?? [] }

  /// The turbulence polygons as a GeoJSON feature collection; nil if there are no polygons, or they have expired.
  public var polygons: String? {
    held?.visiblePolygons(asOf: serverSecond).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension State {
  /// Returns the server's time at a time of the log's clock, as far as it is known, in seconds since 1970.
  package func serverSecond(at now: Int64) -> Int64 { (now + (serverOffsetMS ?? 0)) / 1000 }
}

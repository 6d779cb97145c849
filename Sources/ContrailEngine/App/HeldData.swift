public import ContrailCore
public import ContrailWire

/// What a scope holds at one moment: a value, to be looked at for as long as one likes.
///
/// Everything is as it may be shown at that moment: what is older than the history then, or is of a type, severity or altitude that
/// isn't wanted any more, is left out.
public struct HeldData: Sendable {
  public let scope: ScopeID
  /// The engine's state that it is a part of.
  package let state: State
  /// The moment, in milliseconds since 1970 by the log's clock.
  package let now: Int64

  package init(scope: ScopeID, state: State, now: Int64) {
    self.scope = scope
    self.state = state
    self.now = max(now, state.now)
  }

  private var held: Scope? { state.scope(scope) }

  /// The moment by the server's clock as far as it is known, in seconds since 1970.
  package var serverSecond: Int64 { state.serverSecond(at: now) }

  /// Whether no answer is held, or none that is still wanted.
  public var isEmpty: Bool { held?.have == nil || held?.want == nil }

  /// The server's time as of which the data are, in seconds since 1970; nil where nothing is held.
  package var asOfSecond: Int64? { held?.have?.watermark }

  /// When the last answer came, in milliseconds since 1970 by this device's clock; nil if none ever did.
  package var lastUpdateMS: Int64? { held?.lastSuccessAt }

  /// The turbulence reports, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*).
  public var turbulence: [TurbulenceReport] { held?.visibleReports(asOf: serverSecond) ?? [] }

  /// The PIREPs, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*).
  public var pireps: [PIREP] { held?.visiblePIREPs(asOf: serverSecond) ?? [] }

  /// The other aircraft, in the order of the server's answer; none that hasn't been seen for
  /// `TrafficPosition.lifetimeSeconds`.
  public var traffic: [TrafficPosition] { held?.visibleTraffic(asOf: serverSecond) ?? [] }

  /// Areas of turbulence as a GeoJSON feature collection; nil where none are held, or they are older than their history time.
  public var polygons: String? {
    held?.visiblePolygons(asOf: serverSecond).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension State {
  /// The server's time as far as it is known at a time of the log's clock, in seconds since 1970.
  package func serverSecond(at now: Int64) -> Int64 { (now + (serverOffsetMS ?? 0)) / 1000 }
}

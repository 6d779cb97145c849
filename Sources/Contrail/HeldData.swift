public import ContrailCore
public import ContrailWire

/// What a scope holds at one moment: a value, to be looked at for as long as one likes.
///
/// Everything is as it is wanted at that moment: what has grown older than the history, or is of a type, severity or altitude that
/// isn't asked for any more, is left out.
public struct HeldData: Sendable {
  public let scope: ScopeID
  /// The engine's state that it is a part of.
  public let state: State

  init(scope: ScopeID, state: State) {
    self.scope = scope
    self.state = state
  }

  private var held: Scope? { state.scope(scope) }

  /// Whether no answer is held, or none that is wanted still.
  public var isEmpty: Bool { held?.have == nil || held?.want == nil }

  /// The server's time as of which the data are, in seconds since 1970; nil where nothing is held.
  public var asOf: Int64? { held?.have?.token }

  /// When the last answer came, in milliseconds since 1970 by this device's clock; nil if none ever did.
  public var lastUpdateTime: Int64? { held?.lastSuccessAt }

  /// The turbulence reports, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*).
  public var turbulence: [TurbulenceReport] {
    guard let held, let want = held.want, want.types.contains(.turbulence) else { return [] }
    let now = state.serverNow / 1000
    return held.reports.sorted.filter { want.admits($0, asOf: now) }
  }

  /// The PIREPs, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*).
  public var pireps: [PIREP] {
    guard let held, let want = held.want, want.types.contains(.pireps) else { return [] }
    let now = state.serverNow / 1000
    return held.pireps.sorted.filter { want.shows($0, asOf: now) }
  }

  /// The other aircraft, in the order of the server's answer; none that hasn't been seen for
  /// `TrafficPosition.lifetimeSeconds`.
  public var traffic: [TrafficPosition] {
    guard let held, let want = held.want, want.types.contains(.traffic) else { return [] }
    let now = state.serverNow / 1000
    return held.traffic.filter { want.shows($0, asOf: now) }
  }

  /// Areas of turbulence as a GeoJSON feature collection; nil where none are held.
  public var polygons: String? {
    guard let held, held.want != nil, !held.polygons.isEmpty else { return nil }
    return String(decoding: held.polygons, as: UTF8.self)
  }
}

public import ContrailWire

// What may be shown of a scope: the one place where age and filters are applied to what is held.

extension Scope {
  /// Calls `body` with each turbulence report that may be shown.
  ///
  /// - Parameter second: The server's time as far as it is known, in seconds since 1970.
  /// - Complexity: O(reports held).
  public func forEachVisibleReport(asOf second: Int64, _ body: (TurbulenceReport) -> Void) {
    guard let want, want.types.contains(.turbulence) else { return }
    let filter = want.filter(asOf: second)
    reports.forEach { if filter.admits($0) { body($0) } }
  }

  /// The turbulence reports that may be shown, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*) in the reports held.
  public func visibleReports(asOf second: Int64) -> [TurbulenceReport] {
    guard let want, want.types.contains(.turbulence) else { return [] }
    let filter = want.filter(asOf: second)
    return reports.sorted.filter { filter.admits($0) }
  }

  /// The PIREPs that may be shown, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*) in the PIREPs held.
  public func visiblePIREPs(asOf second: Int64) -> [PIREP] {
    guard let want, want.types.contains(.pireps) else { return [] }
    return pireps.sorted.filter { want.shows($0, asOf: second) }
  }

  /// The aircraft that may be shown, in the server's order: those seen within `TrafficPosition.lifetimeSeconds`.
  ///
  /// - Complexity: O(aircraft held).
  public func visibleTraffic(asOf second: Int64) -> [TrafficPosition] {
    guard let want else { return [] }
    return traffic.filter { want.shows($0, asOf: second) }
  }

  /// The GeoJSON of turbulence areas that may be shown; nil where none is held or all of it is older than its history time.
  public func visiblePolygons(asOf second: Int64) -> [UInt8]? {
    guard want != nil, let have, !polygons.isEmpty, have.spec.showsPolygons(of: have.token, asOf: second) else {
      return nil
    }
    return polygons
  }

  /// The first second after `second` at which something that may be shown now may be shown no more; nil if nothing will.
  ///
  /// - Complexity: O(records held).
  package func nextExpiry(after second: Int64) -> Int64? {
    var next: Int64?
    func consider(_ expiry: Int64) { next = min(next ?? expiry, expiry) }
    if let want {
      forEachVisibleReport(asOf: second) { consider(Int64($0.observedAt) + want.history.seconds) }
      pireps.forEach { if want.shows($0, asOf: second) { consider($0.observedAt + want.history.seconds) } }
      for aircraft in visibleTraffic(asOf: second) {
        consider(aircraft.observedAt + TrafficPosition.lifetimeSeconds)
      }
      if visiblePolygons(asOf: second) != nil, let have { consider(have.token + have.spec.history.seconds) }
    }
    return next
  }
}

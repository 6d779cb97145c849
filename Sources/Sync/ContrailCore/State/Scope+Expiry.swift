package import ContrailWire

// The visible data of a scope, and when it expires: the only place that applies age and filters to stored data.

extension Scope {
  /// The time at which the stored data expires, in milliseconds.
  ///
  /// Nil for a scope whose data is valid until the next response.
  package var expiresAt: Int64? {
    guard let expiryMS = id.expiryMS, let lastSuccessAt, isHolding else { return nil }
    return lastSuccessAt + expiryMS
  }

  /// Whether the stored data is still valid. Only a full refresh fetches it again.
  func isUnexpired(at now: Int64) -> Bool { expiresAt.map { now < $0 } ?? false }

  /// Calls `body` with each visible turbulence report.
  ///
  /// - Parameters:
  ///   - second: The estimated server time, in seconds since 1970.
  ///   - body: The closure to call.
  /// - Complexity: O(stored reports).
  package func forEachVisibleReport(asOf second: Int64, _ body: (TurbulenceReport) -> Void) {
    guard let want, want.types.contains(.turbulence) else { return }
    let filter = want.filter.reports(asOf: second)
    reports.forEach { if filter.admits($0) { body($0) } }
  }

  /// Returns the visible turbulence reports, oldest first.
  ///
  /// - Parameter second: The estimated server time, in seconds since 1970.
  /// - Complexity: O(*n* log *n*) in the stored reports.
  package func visibleReports(asOf second: Int64) -> [TurbulenceReport] {
    guard let want, want.types.contains(.turbulence) else { return [] }
    let filter = want.filter.reports(asOf: second)
    return reports.sorted.filter { filter.admits($0) }
  }

  /// Returns the visible PIREPs, oldest first.
  ///
  /// - Parameter second: The estimated server time, in seconds since 1970.
  /// - Complexity: O(*n* log *n*) in the stored PIREPs.
  package func visiblePIREPs(asOf second: Int64) -> [PIREP] {
    guard let want, want.types.contains(.pireps) else { return [] }
    return pireps.sorted.filter { want.shows($0, asOf: second) }
  }

  /// Returns the visible aircraft in the server's order: those seen within `TrafficPosition.lifetimeSeconds`.
  ///
  /// - Parameter second: The estimated server time, in seconds since 1970.
  /// - Complexity: O(stored aircraft).
  package func visibleTraffic(asOf second: Int64) -> [TrafficPosition] {
    guard let want else { return [] }
    return traffic.filter { want.shows($0, asOf: second) }
  }

  /// Returns the GeoJSON of the visible turbulence areas; nil if there is none or it has expired.
  ///
  /// The GeoJSON expires as a whole, by the history time of its scope.
  ///
  /// - Parameter second: The estimated server time, in seconds since 1970.
  package func visiblePolygons(asOf second: Int64) -> [UInt8]? {
    guard want != nil, let have, !polygons.isEmpty, have.spec.showsPolygons(of: have.watermark, asOf: second) else {
      return nil
    }
    return polygons
  }

  /// Returns the first second after `second` at which visible data may expire; nil if none will.
  ///
  /// - Complexity: O(*n*) in the stored PIREPs and aircraft, and in the reports of the oldest visible minute.
  package func nextExpiry(after second: Int64) -> Int64? {
    var next: Int64?
    func consider(_ expiry: Int64) { next = min(next ?? expiry, expiry) }
    if let want {
      if want.types.contains(.turbulence), let oldest = reports.oldest(admittedBy: want.filter.reports(asOf: second)) {
        consider(Int64(oldest) + want.history.seconds)
      }
      pireps.forEach { if want.shows($0, asOf: second) { consider($0.observedAt + want.history.seconds) } }
      for aircraft in visibleTraffic(asOf: second) {
        consider(aircraft.observedAt + TrafficPosition.lifetimeSeconds)
      }
      if visiblePolygons(asOf: second) != nil, let have { consider(have.watermark + have.spec.history.seconds) }
    }
    return next
  }
}

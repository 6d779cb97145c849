import ContrailCore
import ContrailWire

extension State {
  /// The records of a scope, and the spec that filters them.
  struct View {
    let id: ScopeID
    let want: FetchSpec
    let reports: ReportSet
    let pireps: PIREPSet
    let traffic: [TrafficPosition]
  }

  /// Returns the area scopes that want records of a type, the corridor first.
  ///
  /// Stored data beyond the wanted spec is hidden, so that a narrower query takes effect at once, without a request.
  func views(_ type: DataTypeOptions, only id: ScopeID?) -> [View] {
    // A copy of a scope would cost as much as a small query.
    scopes.withUnsafeBufferPointer { scopes in
      scopes.indices.compactMap { index in
        guard scopes[index].id.hasDeltas, id == nil || scopes[index].id == id, let want = scopes[index].want,
          want.types.contains(type)
        else { return nil }
        return View(
          id: scopes[index].id, want: want, reports: scopes[index].reports, pireps: scopes[index].pireps,
          traffic: scopes[index].traffic)
      }
    }
  }

  /// Returns the visible turbulence reports, each once even if several scopes contain it.
  ///
  /// - Parameter index: The index, up to date with this state.
  func reportViews(only id: ScopeID?, asOf second: Int64, in index: ReportIndex) -> [ReportView] {
    Self.reportViews(views(.turbulence, only: id), asOf: second) { index.reports(of: $0.id) }
  }

  /// Returns the visible turbulence reports, each once even if several of the views contain it.
  ///
  /// - Parameter reports: Returns reports of a scope, sorted by cell, altitude, severity, EDR and time.
  static func reportViews(
    _ views: [View], asOf second: Int64, _ reports: (View) -> [TurbulenceReport]
  ) -> [ReportView] {
    views.enumerated().map { place, view in
      ReportView(
        reports: reports(view), filter: view.want.filter.reports(asOf: second),
        earlier: views[..<place].map { ($0.want.filter.reports(asOf: second), $0.reports) })
    }
  }
}

/// Reports that are sorted by cell, and which of them are visible.
struct ReportView {
  /// The reports, sorted by cell, altitude, severity, EDR and time.
  var reports: [TurbulenceReport]
  /// The filter of visible reports; nil for all.
  var filter: ReportFilter?
  /// Reports that aren't shown.
  var ignored: Set<TurbulenceReport> = []
  /// The views in which a report is already visible.
  var earlier: [(filter: ReportFilter, reports: ReportSet)] = []

  /// Whether a report is visible here, and in no earlier view.
  @inline(__always)
  func shows(_ report: TurbulenceReport) -> Bool {
    if let filter, !filter.admits(report) { return false }
    return isFirst(toShow: report)
  }

  /// Whether a report that the filter admits is visible here, and in no earlier view.
  @inline(__always)
  func isFirst(toShow report: TurbulenceReport) -> Bool {
    if !ignored.isEmpty, ignored.contains(report) { return false }
    return earlier.isEmpty || !isShownEarlier(report)
  }

  @inline(never)
  private func isShownEarlier(_ report: TurbulenceReport) -> Bool {
    earlier.contains { $0.filter.admits(report) && $0.reports.contains(report) }
  }
}
